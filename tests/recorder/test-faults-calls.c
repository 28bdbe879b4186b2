/* test-faults-calls.c: system calls fail, stutter or do not return
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "fault-session.h"

/* For whoever looks whether the writer lives. A retry lets go of it for an instant. */
static void
await_lock_held (FaultSession *fixture)
{
  g_autofree char *path = g_build_filename (fixture->dir, "app.lock", NULL);
  int fd = open (path, O_RDONLY | O_CLOEXEC);

  g_assert_cmpint (fd, >=, 0);
  while (flock (fd, LOCK_EX | LOCK_NB) == 0)
    {
      g_assert_cmpint (flock (fd, LOCK_UN), ==, 0);
      g_usleep (1000);
    }
  g_assert_cmpint (errno, ==, EWOULDBLOCK);
  g_assert_cmpint (close (fd), ==, 0);
}

/* A fault of some seconds' worth of retries: degraded at once, few calls, few messages, all kept. */
static void
test_write_fails (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *files = NULL;

  record (fixture, 100);
  flush (fixture);
  fault_begin (WRITE_FAILS, GPOINTER_TO_INT (data));
  record (fixture, 50);
  await_health (0);
  for (guint i = 0; i < 20; i++)
    {
      record (fixture, 1000);
      g_usleep (10000);
    }
  g_assert_cmpint (fault_count_writes (), <=, 10);
  g_assert_cmpint (fault_count_messages (), ==, 1);
  await_lock_held (fixture);
  fault_end ();
  await_health (1);
  record (fixture, 30);
  flush (fixture);

  g_assert_cmpint (fault_count_messages (), ==, 2); /* and the recovery */
  g_assert_cmpuint (get_metrics ().incomplete_segments_total, ==, 1);
  parklane_recorder_rotate (fixture->recorder);
  flush (fixture);
  g_assert_cmpuint (get_metrics ().segments_sealed_total, ==, 2);
  g_assert_cmpuint (get_metrics ().incomplete_segments_total, ==, 1); /* the second ended in order */
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin app.1.bin app.lock"); /* tries in vain took no number */
}

static void
test_rename_fails (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  fault_begin (RENAME_FAILS, EIO);
  parklane_recorder_rotate (fixture->recorder);
  await_health (0);
  record (fixture, 50);
  fault_end ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_open_fails (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  fault_begin (OPEN_FAILS, GPOINTER_TO_INT (data));
  parklane_recorder_rotate (fixture->recorder);
  record (fixture, 50);
  await_health (0);
  record (fixture, 50);
  fault_end ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* The segment may not survive a loss of power: told, and nothing else suffers. */
static void
test_sync_fails (FaultSession *fixture, gconstpointer data)
{
  guint64 n_errors = get_metrics ().errors_total;

  fault_begin (SYNC_FAILS, EIO);
  record (fixture, 100);
  flush (fixture);
  parklane_recorder_rotate (fixture->recorder);
  while (get_metrics ().errors_total == n_errors)
    g_usleep (1000);
  record (fixture, 50);
  await_health (1);
  fault_end ();
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_short_and_interrupted_writes (FaultSession *fixture, gconstpointer data)
{
  fault_begin (WRITE_STUTTERS, EINTR);
  record (fixture, 1000);
  flush (fixture);

  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 1);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* Half a frame is in the file and cannot be cut off: no sealed segment may end in it. */
static void
test_torn_frame_is_never_sealed (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  fault_begin (WRITE_HALF | TRUNCATE_FAILS, EIO);
  record (fixture, 50);
  await_health (0);
  fault_end ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* A write that does not return: the rings are emptied all the same, three times what one holds. */
static void
test_stalled_write_loses_nothing (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  fault_begin (WRITE_STALLS, 0);
  for (guint i = 0; i < 60; i++)
    {
      guint64 n_before = get_metrics ().events_total;

      record (fixture, 3000);
      while (get_metrics ().events_total < n_before + 5000) /* with the write still going on */
        g_usleep (1000);
    }
  g_assert_cmpint (fault_count_writes (), ==, 1);
  fault_end ();
  flush (fixture);

  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 0);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* More than buffer and rings hold while a write does not return: told as dropped, and where. */
static void
test_endless_write_tells_the_gap (FaultSession *fixture, gconstpointer data)
{
  guint64 n_lost;

  fault_begin (WRITE_STALLS, 0);
  for (guint i = 0; i < 100 || get_metrics ().events_total < 500000; i++)
    {
      record (fixture, 10000);
      g_usleep (1000);
    }
  fault_end ();
  while (parklane_recorder_flush (fixture->recorder) != 0)
    ;
  n_lost = assert_nothing_is_missing (fixture);
  g_assert_cmpuint (n_lost, >, 0);
  g_assert_cmpuint (n_lost, <, fixture->n_recorded - 500000);
}

/* In the name of another worker than the thread's. */
static void
begin_poll (FaultSession *fixture, guint worker)
{
  g_assert_cmpint (parklane_thread_attach (worker), ==, 0);
  parklane_poll_start (worker, 0, 0);
  fixture->n_recorded++;
  g_assert_cmpint (parklane_thread_attach (0), ==, 0);
}

static guint
count_open_behind_gap (const Trace *trace, guint worker)
{
  gboolean is_behind = FALSE;
  guint n = 0;

  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);

      is_behind = is_behind || g_str_equal (event->name, "ParklaneGapEvent");
      n += is_behind && g_str_equal (event->name, "ParklaneOpenPollEvent") && event_number (event, "worker_id") == worker;
    }
  return n;
}

/* More than the memory buffer holds: the oldest go, and a gap says from when to when and how many. What began before or
 * in it and goes on is told behind it. */
static void
test_long_fault_keeps_the_latest_and_tells_the_gap (FaultSession *fixture, gconstpointer data)
{
  const guint64 last_task = 4711;
  g_autoptr(Trace) trace = NULL;
  guint64 n_lost;

  begin_poll (fixture, 5);
  record (fixture, 10);
  flush (fixture);
  fault_begin (WRITE_FAILS, ENOSPC);
  record (fixture, 1);
  await_health (0);
  begin_poll (fixture, 6);
  for (guint i = 0; i < 40; i++)
    {
      guint64 n_before = get_metrics ().events_total + get_metrics ().dropped_events_total;

      record (fixture, 20000);
      while (get_metrics ().events_total + get_metrics ().dropped_events_total < n_before + 40000)
        g_usleep (1000);
    }
  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 0);
  parklane_poll_start (last_task, 0, 0);
  parklane_poll_end ();
  fixture->n_recorded += 2;
  fault_end ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (get_metrics ().dropped_events_total, >, 1000000);
  n_lost = assert_nothing_is_missing (fixture);
  g_assert_cmpuint (n_lost, >, 1000000);
  g_assert_cmpuint (n_lost, <, 1600000);
  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (event_number (trace_find (trace, "PollStartEvent", trace_count (trace, "PollStartEvent") - 1), "task_id"),
                    ==, last_task);
  g_assert_cmpuint (count_open_behind_gap (trace, 5), >=, 1);
  g_assert_cmpuint (count_open_behind_gap (trace, 6), >=, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_FAULT_ERRNO ("/recorder/faults/write-enospc", ENOSPC, test_write_fails);
  ADD_FAULT_ERRNO ("/recorder/faults/write-eio", EIO, test_write_fails);
  ADD_FAULT_ERRNO ("/recorder/faults/write-quota", EDQUOT, test_write_fails);
  ADD_FAULT_ERRNO ("/recorder/faults/write-read-only", EROFS, test_write_fails);
  ADD_FAULT ("/recorder/faults/rename-eio", test_rename_fails);
  ADD_FAULT ("/recorder/faults/fsync-eio", test_sync_fails);
  ADD_FAULT_ERRNO ("/recorder/faults/open-permission-lost", EACCES, test_open_fails);
  ADD_FAULT_ERRNO ("/recorder/faults/open-out-of-files", ENFILE, test_open_fails);
  ADD_FAULT ("/recorder/faults/short-and-interrupted-writes", test_short_and_interrupted_writes);
  ADD_FAULT ("/recorder/faults/torn-frame-is-never-sealed", test_torn_frame_is_never_sealed);
  ADD_FAULT ("/recorder/faults/stalled-write-loses-nothing", test_stalled_write_loses_nothing);
  ADD_FAULT ("/recorder/faults/endless-write-tells-the-gap", test_endless_write_tells_the_gap);
  ADD_FAULT ("/recorder/faults/long-fault-keeps-the-latest-and-tells-the-gap", test_long_fault_keeps_the_latest_and_tells_the_gap);
  return g_test_run ();
}
