/* test-hazards.c: cases that other recorders were caught by, end to end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"

/* Everything of the prefix: compressed, raw, half compressed and being written. */
static guint64
get_usage (const char *dir)
{
  g_autoptr(GDir) handle = g_dir_open (dir, 0, NULL);
  const char *name;
  guint64 bytes = 0;

  while ((name = g_dir_read_name (handle)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);
      GStatBuf st;

      if (g_str_has_prefix (name, "app.") && g_lstat (path, &st) == 0)
        bytes += (guint64) st.st_size;
    }
  return bytes;
}

/* Runs @child in a process of its own, which ends by @signal_number, or by exit() where that is 0. */
static void
run_child (Recording *fixture, void (*child) (Recording *fixture), int signal_number)
{
  int status;
  pid_t pid = fork ();

  if (pid == 0)
    {
      child (fixture);
      if (signal_number != 0)
        raise (signal_number);
      exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (signal_number != 0)
    g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == signal_number);
  else
    g_assert_cmpint (status, ==, 0);
}

static void
write_twice_a_segment (Recording *fixture)
{
  ParklaneRecorder *recorder = recording_start (fixture);

  for (guint i = 0; i < 20; i++)
    {
      record_polls (1000);
      g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
      g_assert_cmpuint (get_usage (fixture->dir), <=, fixture->config.max_file_size * fixture->config.rotation_count);
    }
}

static void
test_budget_holds_over_kills (Recording *fixture, gconstpointer data)
{
  g_autofree char *ninth = g_build_filename (fixture->dir, "app.0.bin", NULL);
  g_autoptr(Trace) trace = NULL;

  SKIP_WITHOUT_FORK;
  fixture->config.max_file_size = 65536;
  fixture->config.rotation_count = 4;
  fixture->config.compress = GPOINTER_TO_INT (data);
  for (guint run = 0; run < 10; run++)
    {
      run_child (fixture, write_twice_a_segment, SIGKILL);
      g_assert_cmpuint (get_usage (fixture->dir), <=, 4 * 65536);
    }
  parklane_recorder_stop (recording_start (fixture));

  g_assert_cmpuint (get_usage (fixture->dir), <=, 4 * 65536);
  g_assert_false (g_file_test (ninth, G_FILE_TEST_EXISTS)); /* the oldest went first */
  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), >, 0);
  g_assert_cmpuint (strtoul (g_hash_table_lookup (trace->metadata, "parklane.segment"), NULL, 10), >=, 10);
}

static void
record_and_leave (Recording *fixture)
{
  (void) recording_start (fixture); /* as a guard in a static does: nobody stops it */
  record_polls (50);
}

static void
test_exit_without_stop_loses_nothing (Recording *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;

  SKIP_WITHOUT_FORK;
  run_child (fixture, record_and_leave, 0);
  parklane_recorder_stop (recording_start (fixture));

  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, 50);
}

typedef struct
{
  gint *must_stop;
  guint worker;
  guint pause_us;
} Emitter;

static void *
emit (void *data)
{
  const Emitter *self = data;

  g_assert_cmpint (parklane_thread_attach (self->worker), ==, 0);
  while (!g_atomic_int_get (self->must_stop))
    {
      record_polls (1);
      g_usleep (self->pause_us);
    }
  return NULL;
}

/* One busy thread, others nearly quiet, and rotations all the time: each event is in the segment of its time. */
static void
test_rotation_strands_no_event (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder;
  guint64 frontier_ns = 0;
  Emitter emitters[8];
  pthread_t threads[8];
  gint must_stop = 0;
  guint n = 0;

  fixture->config.max_file_size = 65536;
  fixture->config.rotation_count = 1000;
  recorder = recording_start (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    {
      emitters[i] = (Emitter) { &must_stop, i, i == 0 ? 1 : 20000 };
      g_assert_cmpint (pthread_create (&threads[i], NULL, emit, &emitters[i]), ==, 0);
    }
  while (get_metrics ().segments_sealed_total < 6)
    g_usleep (1000);
  g_atomic_int_set (&must_stop, 1);
  for (guint i = 0; i < G_N_ELEMENTS (threads); i++)
    pthread_join (threads[i], NULL);
  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 0);
  parklane_recorder_stop (recorder);

  for (;; n++)
    {
      g_autofree char *path = g_strdup_printf ("%s/app.%u.bin", fixture->dir, n);
      g_autoptr(Trace) trace = NULL;

      if (!g_file_test (path, G_FILE_TEST_EXISTS))
        break;
      trace = trace_read_file (path, FALSE);
      for (guint i = 0; i < trace->events->len; i++)
        {
          const Event *event = trace_get (trace, i);

          if (!g_str_has_prefix (event->name, "Poll"))
            continue;
          g_assert_cmpuint (event->time_ns, >=, frontier_ns);
          frontier_ns = event->time_ns;
        }
      g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "segment.complete"), ==, "true");
    }
  g_assert_cmpuint (n, >=, 6);
}

static void *
record_five_and_go (void *data)
{
  for (guint i = 0; i < 5; i++)
    parklane_task_terminate (i);
  return NULL;
}

/* What a quiet thread and one that is gone have recorded is there, whenever the end comes. */
static void
test_quiet_and_short_threads_lose_nothing (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;
  pthread_t thread;

  for (guint i = 0; i < 3; i++)
    parklane_task_terminate (i);
  g_assert_cmpint (pthread_create (&thread, NULL, record_five_and_go, NULL), ==, 0);
  pthread_join (thread, NULL);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();

  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_count (trace, "TaskTerminateEvent"), ==, 8);
}

/* A session to which nobody records says so, and leaves no segment that looks like a success. */
static void
test_session_without_threads_is_visible (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autofree char *files = NULL;

  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  g_assert_cmpuint (get_metrics ().active_sessions, ==, 1);
  g_assert_cmpuint (get_metrics ().attached_threads, ==, 0);
  g_assert_cmpuint (get_metrics ().events_total, ==, 0);
  parklane_recorder_stop (recorder);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.lock");
}

#define ADD(path, function) g_test_add (path, Recording, NULL, recording_set_up, function, recording_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/hazards/budget-holds-over-kills", test_budget_holds_over_kills);
  g_test_add ("/recorder/hazards/budget-holds-over-kills-compressed", Recording, GINT_TO_POINTER (PARKLANE_COMPRESS_ZSTD), recording_set_up,
              test_budget_holds_over_kills, recording_tear_down);
  ADD ("/recorder/hazards/exit-without-stop-loses-nothing", test_exit_without_stop_loses_nothing);
  ADD ("/recorder/hazards/rotation-strands-no-event", test_rotation_strands_no_event);
  ADD ("/recorder/hazards/quiet-and-short-threads-lose-nothing", test_quiet_and_short_threads_lose_nothing);
  ADD ("/recorder/hazards/session-without-threads-is-visible", test_session_without_threads_is_visible);
  return g_test_run ();
}
