/* test-faults-host.c: what the host and the system do to a session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "fault-session.h"
#include "thread.h"

static void *
record_one (void *data)
{
  parklane_poll_start (1, 0, 0);
  parklane_poll_end ();
  return NULL;
}

static void
test_memory_for_rings_refused (FaultSession *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;
  const Event *gap;

  plr_thread_refuse_memory (true);
  g_thread_join (g_thread_new ("refused", record_one, NULL));
  flush (fixture);
  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 2);
  plr_thread_refuse_memory (false);
  g_thread_join (g_thread_new ("served", record_one, NULL));
  stop (fixture);

  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 1);
  gap = trace_find (trace, "ParklaneGapEvent", 0);
  g_assert_cmpstr (event_text (gap, "cause"), ==, "no memory");
  g_assert_cmpuint (event_number (gap, "dropped"), ==, 2);
}

/* The numbers are given to files of the host's own at once: nothing of ours may end up in them. */
static void
test_host_closes_all_descriptors (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *theirs = g_build_filename (fixture->top, "theirs", NULL);
  g_autoptr(GDir) handle = NULL;
  const char *name;
  GStatBuf st;
  int fds[16];
  guint n = 0;

  record (fixture, 100);
  flush (fixture);
  handle = g_dir_open ("/proc/self/fd", 0, NULL);
  while ((name = g_dir_read_name (handle)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/fd", name, NULL);
      g_autofree char *target = g_file_read_link (path, NULL);

      if (target != NULL && g_str_has_prefix (target, fixture->dir) && n < G_N_ELEMENTS (fds))
        fds[n++] = (int) g_ascii_strtoll (name, NULL, 10);
    }
  g_assert_cmpuint (n, ==, 3); /* directory, lock, segment */
  for (guint i = 0; i < n; i++)
    {
      int fd = open (theirs, O_RDWR | O_CREAT, 0600);

      g_assert_cmpint (dup2 (fd, fds[i]), ==, fds[i]);
      close (fd);
    }
  record (fixture, 50);
  parklane_recorder_rotate (fixture->recorder);
  while (fault_count_messages () < 2) /* noticed, and recovered from */
    g_usleep (1000);
  await_health (1);
  flush (fixture);

  g_assert_cmpint (g_stat (theirs, &st), ==, 0);
  g_assert_cmpint (st.st_size, ==, 0);
  for (guint i = 0; i < n; i++) /* not closed by us, nor opened again as something else */
    {
      struct stat now;

      g_assert_cmpint (fstat (fds[i], &now), ==, 0);
      g_assert_cmpuint (now.st_ino, ==, st.st_ino);
    }
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
  for (guint i = 0; i < n; i++)
    close (fds[i]);
}

static void
test_out_of_descriptors (FaultSession *fixture, gconstpointer data)
{
  struct rlimit before;
  struct rlimit none;

  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (getrlimit (RLIMIT_NOFILE, &before), ==, 0);
  none = (struct rlimit) { .rlim_cur = 3, .rlim_max = before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &none), ==, 0);
  parklane_recorder_rotate (fixture->recorder);
  record (fixture, 50);
  await_health (0);
  g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &before), ==, 0);
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* A real limit: the write ends in EFBIG, and a signal that must not reach the host. */
static void
test_file_size_limit (FaultSession *fixture, gconstpointer data)
{
  struct rlimit before;
  struct rlimit small;

  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &before), ==, 0);
  small = (struct rlimit) { .rlim_cur = 2000, .rlim_max = before.rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
  record (fixture, 5000);
  await_health (0);
  record (fixture, 5000);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
limit_files_to (rlim_t size, struct rlimit *out_before)
{
  struct rlimit small;

  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, out_before), ==, 0);
  small = (struct rlimit) { .rlim_cur = size, .rlim_max = out_before->rlim_max };
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &small), ==, 0);
}

/* Start and stop write on the host's own thread, which the signal would end. It is the host's as before afterwards. */
static void
test_file_size_limit_at_start_and_stop (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *active = g_build_filename (fixture->dir, "app.0.bin.active", NULL);
  ParklaneRecorder *recorder = NULL;
  struct rlimit before;
  sigset_t blocked;
  GStatBuf st;
  int r;

  record (fixture, 10);
  flush (fixture);
  g_assert_cmpint (g_stat (active, &st), ==, 0);
  limit_files_to ((rlim_t) st.st_size + 1, &before); /* not even the segment's last words */
  r = parklane_recorder_stop (fixture->recorder);
  fixture->recorder = NULL;
  g_assert_cmpint (r, ==, -EFBIG);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);

  limit_files_to (0, &before);
  r = parklane_recorder_start (&fixture->config, &recorder);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &before), ==, 0);
  g_assert_cmpint (r, ==, -EFBIG);
  g_assert_null (recorder);

  g_assert_cmpint (pthread_sigmask (SIG_SETMASK, NULL, &blocked), ==, 0);
  g_assert_cmpint (sigismember (&blocked, SIGXFSZ), ==, 0);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static gint is_log_blocked;

static void
block (ParklaneLogLevel level, const char *message, void *data)
{
  while (g_atomic_int_get (&is_log_blocked))
    g_usleep (1000);
}

/* The recorder's thread calls the log: while that does not return, the standby empties the rings. */
static void
test_log_that_blocks (FaultSession *fixture, gconstpointer data)
{
  stop (fixture);
  fixture->config.log = block;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
  g_atomic_int_set (&is_log_blocked, 1);
  fault_begin (WRITE_FAILS, EIO);
  record (fixture, 100);
  await_health (0); /* told to the log, which does not return */
  fault_end ();
  for (guint i = 0; i < 60; i++)
    {
      guint64 n_before = get_metrics ().events_total;

      record (fixture, 3000);
      while (get_metrics ().events_total < n_before + 5000)
        g_usleep (1000);
    }
  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 0);
  g_atomic_int_set (&is_log_blocked, 0);
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 0);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static gint must_spin;

static void *
spin (void *data)
{
  cpu_set_t first;

  CPU_ZERO (&first);
  CPU_SET (0, &first);
  (void) sched_setaffinity (0, sizeof first, &first);
  while (g_atomic_int_get (&must_spin))
    ;
  return NULL;
}

/* Gives the recorder's threads what other threads of the same processor leave, or takes them back. */
static void
set_starved (gboolean is_starved)
{
  g_autoptr(GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (tasks)) != NULL)
    {
      g_autofree char *path = g_build_filename ("/proc/self/task", name, "comm", NULL);
      const struct sched_param param = { 0 };
      g_autofree char *comm = NULL;
      pid_t tid = (pid_t) g_ascii_strtoll (name, NULL, 10);
      cpu_set_t cpus;

      if (!g_file_get_contents (path, &comm, NULL, NULL) || !g_str_has_prefix (comm, "parklane"))
        continue;
      CPU_ZERO (&cpus);
      for (int i = 0; i < (is_starved ? 1 : CPU_SETSIZE); i++)
        CPU_SET (i, &cpus);
      g_assert_cmpint (sched_setaffinity (tid, sizeof cpus, &cpus), ==, 0);
      g_assert_cmpint (sched_setscheduler (tid, is_starved ? SCHED_IDLE : SCHED_OTHER, &param), ==, 0);
    }
}

/* All of the recorder's threads get next to no processor for a second: what they miss is told. */
static void
test_starved_threads (FaultSession *fixture, gconstpointer data)
{
  gint64 until_us = g_get_monotonic_time () + G_USEC_PER_SEC;
  GThread *spinners[4];

  g_atomic_int_set (&must_spin, 1);
  for (guint i = 0; i < G_N_ELEMENTS (spinners); i++)
    spinners[i] = g_thread_new ("spin", spin, NULL);
  set_starved (TRUE);
  while (g_get_monotonic_time () < until_us)
    record (fixture, 1000);
  g_atomic_int_set (&must_spin, 0);
  for (guint i = 0; i < G_N_ELEMENTS (spinners); i++)
    g_thread_join (spinners[i]);
  set_starved (FALSE);
  while (parklane_recorder_flush (fixture->recorder) != 0)
    ;

  g_test_message ("%" G_GUINT64_FORMAT " events, %" G_GUINT64_FORMAT " of them dropped", fixture->n_recorded,
                  get_metrics ().dropped_events_total);
  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 1);
  (void) assert_nothing_is_missing (fixture);
}

/* ---- the clocks: the library's calls come here, since the test is linked with it ---- */

static gint64 wall_offset_s;
static gint64 monotonic_offset_s;

int
clock_gettime (clockid_t clock, struct timespec *out_time)
{
  int r = (int) syscall (SYS_clock_gettime, clock, out_time);

  if (clock == CLOCK_REALTIME)
    out_time->tv_sec += __atomic_load_n (&wall_offset_s, __ATOMIC_RELAXED);
  if (clock == CLOCK_MONOTONIC)
    out_time->tv_sec += __atomic_load_n (&monotonic_offset_s, __ATOMIC_RELAXED);
  return r;
}

/* The difference between wall clock and event time in the last anchor of a segment. */
static gint64
get_offset_ns (FaultSession *fixture, guint segment)
{
  g_autofree char *path = g_strdup_printf ("%s/app.%u.bin", fixture->dir, segment);
  g_autoptr(Trace) trace = trace_read_file (path, FALSE);
  const Event *anchor = trace_find (trace, "ClockSyncEvent", trace_count (trace, "ClockSyncEvent") - 1);

  return (gint64) (event_number (anchor, "realtime_ns") - anchor->time_ns);
}

/* Somebody sets the clock: events keep their order and distance, and the anchors say what happened. */
static void
test_wall_clock_is_set (FaultSession *fixture, gconstpointer data)
{
  static const gint64 offsets_s[] = { 0, -3600, 7200 };
  gint64 found_ns[G_N_ELEMENTS (offsets_s)];

  for (guint i = 0; i < G_N_ELEMENTS (offsets_s); i++)
    {
      __atomic_store_n (&wall_offset_s, offsets_s[i], __ATOMIC_RELAXED);
      parklane_recorder_rotate (fixture->recorder);
      flush (fixture);
      record (fixture, 100);
      flush (fixture);
    }
  __atomic_store_n (&wall_offset_s, 0, __ATOMIC_RELAXED);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (offsets_s); i++)
    found_ns[i] = get_offset_ns (fixture, i);
  g_assert_cmpint (ABS ((found_ns[1] - found_ns[0]) / 1000000000 + 3600), <=, 1);
  g_assert_cmpint (ABS ((found_ns[2] - found_ns[0]) / 1000000000 - 7200), <=, 1);
}

/* After a suspend, or a pause of the machine, cycle counter and clock disagree by as much: time goes on, not back. */
static void
test_suspend (FaultSession *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;
  guint64 last_ns = 0;

  for (guint i = 0; i < 50; i++) /* until the counter is in use, if it is */
    {
      record (fixture, 100);
      flush (fixture);
    }
  __atomic_store_n (&monotonic_offset_s, 30, __ATOMIC_RELAXED);
  for (guint i = 0; i < 50; i++)
    {
      record (fixture, 100);
      flush (fixture);
    }

  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 1);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
  trace = trace_read_session (fixture->dir, "app");
  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);

      if (!g_str_has_prefix (event->name, "Poll"))
        continue;
      g_assert_cmpuint (event->time_ns, >=, last_ns);
      last_ns = event->time_ns;
    }
  __atomic_store_n (&monotonic_offset_s, 0, __ATOMIC_RELAXED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_FAULT ("/recorder/faults/memory-for-rings-refused", test_memory_for_rings_refused);
  ADD_FAULT ("/recorder/faults/host-closes-all-descriptors", test_host_closes_all_descriptors);
  ADD_FAULT ("/recorder/faults/out-of-descriptors", test_out_of_descriptors);
  ADD_FAULT ("/recorder/faults/file-size-limit", test_file_size_limit);
  ADD_FAULT ("/recorder/faults/file-size-limit-at-start-and-stop", test_file_size_limit_at_start_and_stop);
  ADD_FAULT ("/recorder/faults/log-that-blocks-loses-nothing", test_log_that_blocks);
  ADD_FAULT ("/recorder/faults/starved-threads-tell-what-they-missed", test_starved_threads);
  ADD_FAULT ("/recorder/faults/wall-clock-set-back-and-forward", test_wall_clock_is_set);
  ADD_FAULT ("/recorder/faults/suspend-keeps-the-order-of-time", test_suspend);
  return g_test_run ();
}
