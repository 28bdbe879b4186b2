/* test-session.c: a whole session, through the public interface
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"

static void
test_records_what_was_called (Recording *fixture, gconstpointer data)
{
  guint location = parklane_location_register ("src/x.rs", 4, 2);
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;
  guint64 start_ns;
  guint64 end_ns;
  Polls polls;

  g_assert_cmpint (parklane_thread_attach (6), ==, 0);
  parklane_task_spawn (99, location);
  start_ns = parklane_poll_start (99, location, 1000);
  end_ns = parklane_poll_end ();
  parklane_task_terminate (99);
  parklane_park (0);
  parklane_unpark_with (1, 5, 6);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  trace = trace_read_session (fixture->dir, "app");

  g_assert_cmpuint (start_ns, >, 0);
  g_assert_cmpuint (end_ns, >=, start_ns);
  g_assert_cmpuint (trace_find (trace, "PollStartEvent", 0)->time_ns, ==, start_ns);
  g_assert_cmpuint (trace_find (trace, "PollEndEvent", 0)->time_ns, ==, end_ns);
  g_assert_cmpuint (event_number (trace_find (trace, "PollStartEvent", 0), "local_queue"), ==, 255);
  g_assert_cmpuint (event_number (trace_find (trace, "WorkerUnparkEvent", 0), "sched_wait_ns"), ==, 6);
  polls = trace_get_polls (trace);
  g_assert_cmpuint (polls.n_polls, ==, 1);
  g_assert_cmpuint (polls.per_worker[6], ==, 1);
  g_assert_cmpuint (polls.longest_ns, ==, end_ns - start_ns);
  parklane_thread_detach ();
}

static void
test_without_session_nothing_happens (Recording *fixture, gconstpointer data)
{
  g_assert_cmpint (parklane_thread_attach (1), ==, 0);
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  g_assert_cmpuint (parklane_poll_end (), ==, 0);
  g_assert_cmpuint (parklane_unpark_with (0, 0, 1), ==, 0);
  g_assert_cmpuint (get_metrics ().active_sessions, ==, 0);
  g_assert_cmpuint (parklane_now_ns (), >, 0);
  g_assert_cmpint (parklane_recorder_stop (NULL), ==, 0);
  g_assert_cmpint (parklane_recorder_rotate (NULL), ==, -EINVAL);
  parklane_thread_detach ();
}

static void
test_open_poll_is_on_file_while_it_lasts (Recording *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "app.0.bin.active", NULL);
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;

  parklane_thread_attach (2);
  parklane_poll_start (5, 0, 0);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  trace = trace_read_file (path, TRUE);

  g_assert_cmpuint (trace_get_polls (trace).n_open, ==, 1);
  parklane_poll_end ();
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
}

static void
test_one_session_at_a_time (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  ParklaneRecorder *second = NULL;

  g_assert_cmpint (parklane_recorder_start (&fixture->config, &second), ==, -EALREADY);
  g_assert_null (second);
  g_assert_cmpuint (get_metrics ().active_sessions, ==, 1);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  g_assert_cmpuint (get_metrics ().active_sessions, ==, 0);
}

static void
test_start_that_fails_leaves_nothing_running (Recording *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->dir, "file", NULL);
  guint64 errors = get_metrics ().errors_total;

  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_strlcpy (fixture->config.output_dir, file, sizeof fixture->config.output_dir);
  g_assert_cmpint (parklane_recorder_start (&fixture->config, NULL), ==, -ENOTDIR);
  g_assert_cmpuint (get_metrics ().active_sessions, ==, 0);
  g_assert_cmpuint (get_metrics ().errors_total, ==, errors + 1);
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);

  fixture->config.enabled = 0;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, NULL), ==, -ECANCELED);
  g_assert_cmpint (parklane_recorder_start (NULL, NULL), ==, -EINVAL);
}

static void *
live_shortly (void *data)
{
  record_located_polls (3);
  return NULL;
}

/* Threads attach by their first event and go without a word; their rings are used again. */
static void
test_ten_thousand_threads_lose_nothing (Recording *fixture, gconstpointer data)
{
  const guint n_threads = 10000;
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;
  pthread_t threads[4];

  for (guint i = 0; i < n_threads; i += G_N_ELEMENTS (threads))
    {
      for (guint k = 0; k < G_N_ELEMENTS (threads); k++)
        g_assert_cmpint (pthread_create (&threads[k], NULL, live_shortly, NULL), ==, 0);
      for (guint k = 0; k < G_N_ELEMENTS (threads); k++)
        pthread_join (threads[k], NULL);
    }
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 0);
  g_assert_cmpuint (get_metrics ().attached_threads, ==, 0);
  g_assert_cmpuint (get_metrics ().events_total, ==, 6 * n_threads);
  parklane_recorder_stop (recorder);
  trace = trace_read_session (fixture->dir, "app");

  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 3 * n_threads);
  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, 3 * n_threads);
}

#define N_WRITERS 4
#define POLLS_PER_WRITER 200000

static void *
write_polls (void *data)
{
  guint id = GPOINTER_TO_UINT (data);

  g_assert_cmpint (parklane_thread_attach (id), ==, 0);
  for (guint i = 0; i < POLLS_PER_WRITER; i++)
    {
      parklane_poll_start (i, 0, id);
      parklane_poll_end ();
    }
  return NULL;
}

/* Everything arrives or stands in a gap, and each worker's events are in order. */
static void
test_threads_at_full_speed_lose_nothing_unsaid (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;
  pthread_t threads[N_WRITERS];
  guint64 last_ns[N_WRITERS] = { 0 };
  guint64 n_dropped = 0;

  for (guint i = 0; i < N_WRITERS; i++)
    g_assert_cmpint (pthread_create (&threads[i], NULL, write_polls, GUINT_TO_POINTER (i)), ==, 0);
  for (guint i = 0; i < N_WRITERS; i++)
    pthread_join (threads[i], NULL);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  n_dropped = get_metrics ().dropped_events_total;
  parklane_recorder_stop (recorder);
  trace = trace_read_session (fixture->dir, "app");

  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);

      if (g_str_equal (event->name, "PollStartEvent") || g_str_equal (event->name, "PollEndEvent"))
        {
          guint64 worker = event_number (event, "worker_id");

          g_assert_cmpuint (event->time_ns, >=, last_ns[worker]);
          last_ns[worker] = event->time_ns;
        }
      else if (g_str_equal (event->name, "ParklaneGapEvent"))
        n_dropped -= event_number (event, "dropped");
    }
  g_assert_cmpuint (n_dropped, ==, 0);
  n_dropped = 0;
  for (guint i = 0; trace_find (trace, "ParklaneGapEvent", i) != NULL; i++)
    n_dropped += event_number (trace_find (trace, "ParklaneGapEvent", i), "dropped");
  g_assert_cmpuint (trace_count (trace, "PollStartEvent") + trace_count (trace, "PollEndEvent") + n_dropped, ==,
                    2 * N_WRITERS * POLLS_PER_WRITER);
}

/* The child of a fork records nothing and disturbs nothing; it may start a session of its own. */
static void
test_fork_leaves_the_parents_session_alone (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder;
  g_autoptr(Trace) trace = NULL;
  g_autoptr(Trace) child = NULL;
  int status;
  pid_t pid;

  SKIP_WITHOUT_FORK;
  recorder = recording_start (fixture);

  parklane_thread_attach (3);
  parklane_poll_start (1, 0, 0);
  pid = fork ();
  if (pid == 0)
    {
      ParklaneRecorder *own = NULL;
      gboolean is_fine = parklane_poll_end () == 0 && get_metrics ().active_sessions == 0;

      g_strlcpy (fixture->config.file_prefix, "child", sizeof fixture->config.file_prefix);
      is_fine = is_fine && parklane_recorder_start (&fixture->config, &own) == 0;
      is_fine = is_fine && parklane_poll_start (7, 0, 0) != 0 && parklane_recorder_stop (own) == 0;
      _exit (is_fine ? 0 : 1);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  parklane_poll_end ();
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  parklane_thread_detach ();

  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_get_polls (trace).n_polls, ==, 1);
  child = trace_read_session (fixture->dir, "child");
  g_assert_cmpuint (trace_get_polls (child).n_open, ==, 1);
}

/* A host without standard input, output and error: what it prints must not go into a segment. */
static void
test_standard_descriptors_are_left_alone (Recording *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;
  int status;
  pid_t pid;

  SKIP_WITHOUT_FORK;
  fixture->config.control = 1;
  pid = fork ();
  if (pid == 0)
    {
      ParklaneRecorder *own = NULL;
      gboolean is_fine;

      for (int fd = 0; fd <= 2; fd++)
        close (fd);
      is_fine = parklane_recorder_start (&fixture->config, &own) == 0 && parklane_poll_start (7, 0, 0) != 0;
      parklane_recorder_rotate (own);
      is_fine = is_fine && parklane_recorder_flush (own) == 0 && parklane_poll_end () != 0;
      for (int fd = 0; fd <= 2; fd++)
        is_fine = is_fine && write (fd, "printed", 7) < 0 && errno == EBADF;
      _exit (is_fine && parklane_recorder_stop (own) == 0 ? 0 : 1);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_get_polls (trace).n_polls, ==, 1);
}

static void
test_second_process_is_told_busy (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  int status;
  pid_t pid;

  pid = fork ();
  if (pid == 0)
    _exit (parklane_recorder_start (&fixture->config, NULL) == -EBUSY ? 0 : 1);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  parklane_recorder_stop (recorder);
}

/* Two that do not mind: each has a prefix of its own, and a lock on it. */
static void
test_second_process_takes_a_suffix (Recording *fixture, gconstpointer data)
{
  g_autofree char *files = NULL;
  ParklaneRecorder *recorder;
  int status;
  pid_t pid;

  SKIP_WITHOUT_FORK;
  fixture->config.busy = PARKLANE_BUSY_SUFFIX;
  recorder = recording_start (fixture);
  for (guint i = 0; i < 2; i++)
    {
      pid = fork ();
      if (pid == 0)
        {
          ParklaneRecorder *own = NULL;
          gboolean is_fine = parklane_recorder_start (&fixture->config, &own) == 0 && parklane_poll_start (1, 0, 0) != 0;

          _exit (is_fine && parklane_recorder_stop (own) == 0 ? 0 : 1);
        }
      g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
      g_assert_cmpint (status, ==, 0);
    }
  parklane_recorder_stop (recorder);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app-2.0.bin app-2.1.bin app-2.lock app.lock");
}

/* The host runs without it, the failure is counted, and when the fault has passed the session is there. */
static void
test_failed_start_is_tried_again (Recording *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->dir, "out", NULL);
  ParklaneRecorder *recorder = NULL;
  guint64 n_errors = get_metrics ().errors_total;
  g_autofree char *files = NULL;

  g_assert_true (g_file_set_contents (file, "in the way", -1, NULL));
  g_strlcpy (fixture->config.output_dir, file, sizeof fixture->config.output_dir);
  fixture->config.retry_start_s = 1;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, -ENOTDIR);
  g_assert_nonnull (recorder);
  g_assert_cmpuint (get_metrics ().configured, ==, 1);
  g_assert_cmpuint (get_metrics ().active_sessions, ==, 0);
  g_assert_cmpuint (get_metrics ().errors_total, ==, n_errors + 1);
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  g_assert_cmpint (parklane_recorder_start (&fixture->config, NULL), ==, -EALREADY);
  while (get_metrics ().errors_total < n_errors + 2) /* tried, in vain */
    g_usleep (1000);

  g_assert_cmpint (g_unlink (file), ==, 0);
  while (get_metrics ().active_sessions == 0)
    g_usleep (1000);
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), !=, 0);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  files = list_directory (file);
  g_assert_cmpstr (files, ==, "app.0.bin app.lock");
}

static void
test_stop_ends_the_tries (Recording *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (fixture->dir, "out", NULL);
  ParklaneRecorder *recorder = NULL;

  g_assert_true (g_file_set_contents (file, "in the way", -1, NULL));
  g_strlcpy (fixture->config.output_dir, file, sizeof fixture->config.output_dir);
  fixture->config.retry_start_s = 1000;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, -ENOTDIR);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  fixture->config.output_dir[0] = '\0';
  g_assert_cmpint (parklane_recorder_start (&fixture->config, NULL), ==, -EINVAL);
}

static void
test_a_second_session_does_not_see_the_first (Recording *fixture, gconstpointer data)
{
  g_autofree char *second = g_build_filename (fixture->dir, "app.1.bin", NULL);
  g_autoptr(Trace) trace = NULL;
  ParklaneRecorder *recorder;

  parklane_thread_attach (0);
  recorder = recording_start (fixture);
  record_located_polls (5);
  parklane_recorder_stop (recorder);
  record_located_polls (7);
  recorder = recording_start (fixture);
  record_located_polls (2);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();

  trace = trace_read_file (second, FALSE);
  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 2);
}

#define ADD(path, function) g_test_add (path, Recording, NULL, recording_set_up, function, recording_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/session/records-what-was-called", test_records_what_was_called);
  ADD ("/recorder/session/without-session-nothing-happens", test_without_session_nothing_happens);
  ADD ("/recorder/session/open-poll-is-on-file-while-it-lasts", test_open_poll_is_on_file_while_it_lasts);
  ADD ("/recorder/session/one-session-at-a-time", test_one_session_at_a_time);
  ADD ("/recorder/session/start-that-fails-leaves-nothing-running", test_start_that_fails_leaves_nothing_running);
  ADD ("/recorder/session/ten-thousand-threads-lose-nothing", test_ten_thousand_threads_lose_nothing);
  ADD ("/recorder/session/threads-at-full-speed-lose-nothing-unsaid", test_threads_at_full_speed_lose_nothing_unsaid);
  ADD ("/recorder/session/fork-leaves-the-parents-session-alone", test_fork_leaves_the_parents_session_alone);
  ADD ("/recorder/session/standard-descriptors-are-left-alone", test_standard_descriptors_are_left_alone);
  ADD ("/recorder/session/second-process-is-told-busy", test_second_process_is_told_busy);
  ADD ("/recorder/session/second-process-takes-a-suffix", test_second_process_takes_a_suffix);
  ADD ("/recorder/session/failed-start-is-tried-again", test_failed_start_is_tried_again);
  ADD ("/recorder/session/stop-ends-the-tries", test_stop_ends_the_tries);
  ADD ("/recorder/session/a-second-session-does-not-see-the-first", test_a_second_session_does_not_see_the_first);
  return g_test_run ();
}
