/* test-rescue.c: what a killed process has left in memory is written, or told of, and goes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"
#include "wreck-sweep.h"

/* Lets a process of its own do what @run does, at the end of which it is killed by the signal @how. */
static pid_t
run_and_end (Recording *fixture, void (*run) (Recording *fixture), int how)
{
  pid_t pid = fork ();
  int status;

  if (pid == 0)
    {
      run (fixture);
      (void) signal (SIGABRT, SIG_DFL); /* which a sanitizer may have taken */
      raise (how);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == how);
  return pid;
}

static pid_t
run_and_kill (Recording *fixture, void (*run) (Recording *fixture))
{
  return run_and_end (fixture, run, SIGKILL);
}

/* Its directory has become a file by the time it records. */
static void
record_into_backlog (Recording *fixture)
{
  g_autofree char *moved = g_strconcat (fixture->config.output_dir, ".moved", NULL);
  ParklaneRecorder *recorder;
  guint32 worker;

  fixture->config.crash_safe = 1;
  parklane_runtime_register ("main", 3, &worker);
  g_assert_cmpint (parklane_thread_attach (worker), ==, 0); /* before there is a shelter */
  recorder = recording_start (fixture);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  g_assert_cmpint (g_rename (fixture->config.output_dir, moved), ==, 0);
  g_assert_true (g_file_set_contents (fixture->config.output_dir, "in the way", -1, NULL));
  while (get_metrics ().writer_healthy)
    g_usleep (1000);
  for (guint i = 0; i < 1000; i++)
    {
      parklane_poll_start (i, parklane_location_register ("src/late.rs", 7, 0), 0);
      parklane_poll_end ();
    }
  (void) parklane_recorder_flush (recorder); /* into the backlog */
  parklane_poll_start (1000, 0, 0);
}

/* While the disk is full or gone, the backlog is all there is: it is rescued as well, and names with it. */
static void
test_backlog_outlives_a_kill (Recording *fixture, gconstpointer data)
{
  g_autofree char *out = g_build_filename (fixture->dir, "out", NULL);
  g_autoptr(Trace) trace = NULL;
  time_t begin_s = time (NULL);
  pid_t pid;

  SKIP_WITHOUT_FORK;
  g_strlcpy (fixture->config.output_dir, out, sizeof fixture->config.output_dir);
  pid = run_and_kill (fixture, record_into_backlog);
  g_assert_cmpuint (count_shared_memory (pid, begin_s), >, 0);
  g_assert_cmpint (g_unlink (out), ==, 0);
  g_assert_cmpint (g_mkdir (out, 0750), ==, 0);
  g_assert_cmpint (parklane_recover (out, "other", NULL, NULL), ==, 0);
  g_assert_cmpint (parklane_recover (out, "app", NULL, NULL), ==, 2001);
  g_assert_cmpuint (count_shared_memory (pid, begin_s), ==, 0);

  trace = trace_read_session (out, "app");
  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 1001);
  g_assert_cmpstr (event_text (trace_find (trace, "PollStartEvent", 500), "spawn_loc"), ==, "src/late.rs:7");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "runtime.main"), ==, "0,1,2");
}

static void
record_and_delete (Recording *fixture)
{
  g_autofree char *active = g_build_filename (fixture->dir, "app.0.bin.active", NULL);
  ParklaneRecorder *recorder;

  fixture->config.drain_interval_ms = 1000;
  recorder = recording_start (fixture);
  for (guint i = 0; i < 100; i++)
    parklane_poll_start (i, 0, 0);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  g_assert_cmpint (g_unlink (active), ==, 0);
}

/* The file goes, and the process before it has noticed: the rescue tells what is lost. */
static void
test_kill_after_a_deletion_tells_the_gap (Recording *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;

  SKIP_WITHOUT_FORK;
  run_and_kill (fixture, record_and_delete);
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, NULL, NULL), >=, 0);

  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (event_number (trace_find (trace, "ParklaneGapEvent", 0), "dropped"), ==, 100);
}

static void
record_to_the_end (Recording *fixture)
{
  ParklaneRecorder *recorder = recording_start (fixture);

  parklane_poll_start (1, 0, 0);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
}

/* A session that had ended leaves nothing to rescue, and its memory goes with the next start of any other. */
static void
test_start_sweeps_what_is_of_no_use (Recording *fixture, gconstpointer data)
{
  g_autofree char *other = g_build_filename (fixture->dir, "other", NULL);
  time_t begin_s = time (NULL);
  pid_t pid;

  SKIP_WITHOUT_FORK;
  g_assert_cmpint (g_mkdir (other, 0750), ==, 0);
  pid = run_and_kill (fixture, record_to_the_end);
  g_assert_cmpint (parklane_recover (other, NULL, NULL, NULL), ==, 0);
  g_assert_cmpuint (count_shared_memory (pid, begin_s), ==, 0);
}

#define HOUR 3600

static gboolean
must_go (PlrWreckSession session, time_t now_s)
{
  plr_wreck_judge (&session, 1, now_s);
  return session.must_go;
}

/* What nobody can ask for goes, once it is old enough; whatever is in use stays. */
static void
test_sweep_knows_what_is_of_no_use (void)
{
  const PlrWreckSession waiting = { .created_s = HOUR, .is_ours = true, .has_root = true };
  PlrWreckSession session = waiting;

  g_assert_false (must_go (waiting, HOUR));
  g_assert_false (must_go (waiting, 1000 * HOUR)); /* its directory is there */
  session.is_clean = true;
  g_assert_true (must_go (session, HOUR));
  session.is_busy = true;
  g_assert_false (must_go (session, 1000 * HOUR));

  session = waiting;
  session.is_dir_gone = true;
  g_assert_false (must_go (session, 2 * HOUR));
  g_assert_true (must_go (session, 2 * HOUR + 1));
  session = waiting;
  session.has_root = false;
  g_assert_false (must_go (session, 2 * HOUR));
  g_assert_true (must_go (session, 2 * HOUR + 1));

  /* Another version's: what looks as if it had no use may have one. */
  session.is_ours = false;
  session.is_clean = true;
  g_assert_false (must_go (session, 25 * HOUR));
  g_assert_true (must_go (session, 25 * HOUR + 1));
}

/* Of very many that wait the oldest go, but none that is young. */
static void
test_sweep_bounds_what_waits (void)
{
  PlrWreckSession sessions[100] = { 0 };
  guint n_gone = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    sessions[i] = (PlrWreckSession) { .created_s = i * 60, .is_ours = i % 2, .has_root = true, .is_busy = i == 0 };
  plr_wreck_judge (sessions, G_N_ELEMENTS (sessions), 99 * 60);
  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    {
      n_gone += sessions[i].must_go;
      g_assert_cmpint (sessions[i].must_go, ==, sessions[i].created_s < 36 * 60 && !sessions[i].is_busy);
    }
  g_assert_cmpuint (n_gone, ==, 35);

  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    sessions[i] = (PlrWreckSession) { .created_s = HOUR, .is_ours = true, .has_root = true };
  plr_wreck_judge (sessions, G_N_ELEMENTS (sessions), 2 * HOUR);
  for (guint i = 0; i < G_N_ELEMENTS (sessions); i++)
    g_assert_false (sessions[i].must_go);
}

static void
record_a_little (Recording *fixture)
{
  recording_start (fixture);
  record_polls (50);
}

/* However a process ends that does not end in order. */
static void
test_abort_loses_nothing (Recording *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;

  SKIP_WITHOUT_FORK;
  run_and_end (fixture, record_a_little, SIGABRT);
  g_assert_cmpint (parklane_recover (fixture->dir, NULL, NULL, NULL), >=, 0);
  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_get_polls (trace).n_polls, ==, 50);
}

static void
record_two_sessions (Recording *fixture)
{
  ParklaneRecorder *recorder;

  fixture->config.crash_safe = 0;
  recorder = recording_start (fixture);
  parklane_thread_attach (3);
  record_polls (100);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  fixture->config.crash_safe = 1;
  fixture->config.drain_interval_ms = 1000;
  recording_start (fixture);
  g_usleep (20000); /* the first drain is over, more likely than not */
  parklane_unpark_with (0, 1, 2);
  record_polls (10);
}

/* The thread was attached by a session that was not crash-safe, and its ring is in the middle of a block. What it records
 * in one that is lies in memory that outlives it. */
static void
test_second_session_loses_nothing (Recording *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;

  SKIP_WITHOUT_FORK;
  run_and_kill (fixture, record_two_sessions);
  g_assert_cmpint (parklane_recover (fixture->dir, "app", NULL, NULL), >=, 0);

  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, 110);
  g_assert_cmpuint (trace_count (trace, "WorkerUnparkEvent"), ==, 1);
  g_assert_cmpuint (event_number (trace_find (trace, "WorkerUnparkEvent", 0), "sched_wait_ns"), ==, 2);
  g_assert_cmpuint (event_number (trace_find (trace, "PollEndEvent", 105), "worker_id"), ==, 3);
}

#define ADD(path, function) g_test_add (path, Recording, NULL, recording_set_up, function, recording_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/rescue/backlog-outlives-a-kill", test_backlog_outlives_a_kill);
  ADD ("/recorder/rescue/kill-after-a-deletion-tells-the-gap", test_kill_after_a_deletion_tells_the_gap);
  ADD ("/recorder/rescue/second-session-loses-nothing", test_second_session_loses_nothing);
  ADD ("/recorder/rescue/abort-loses-nothing", test_abort_loses_nothing);
  ADD ("/recorder/rescue/start-sweeps-what-is-of-no-use", test_start_sweeps_what_is_of_no_use);
  g_test_add_func ("/recorder/rescue/sweep-knows-what-is-of-no-use", test_sweep_knows_what_is_of_no_use);
  g_test_add_func ("/recorder/rescue/sweep-bounds-what-waits", test_sweep_bounds_what_waits);
  return g_test_run ();
}
