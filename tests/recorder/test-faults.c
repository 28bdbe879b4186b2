/* test-faults.c: what the disk and the host may do to a session, and that it goes on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In every case: recording calls go on, health tells the fault while it lasts, writing resumes by itself
 * when it is over, and each recorded event is in a segment or inside a declared gap. Real faults where a
 * test can make them, else a system call that fails.
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io.h"
#include "parklane-recorder.h"
#include "thread.h"
#include "trace-reader.h"

/* ---- calls that fail: installed for every test before the session starts, and harmless until told ---- */

enum
{
  WRITE_FAILS = 1 << 0,
  WRITE_HALF = 1 << 1,    /* of what it is asked, then fails */
  WRITE_STUTTERS = 1 << 2, /* a few bytes at a time, and is interrupted */
  WRITE_STALLS = 1 << 3,
  RENAME_FAILS = 1 << 4,
  OPEN_FAILS = 1 << 5,
  TRUNCATE_FAILS = 1 << 6,
};

static gint faults;
static gint fault_errno;
static gint n_writes;

static void
begin_fault (gint which, gint error)
{
  g_atomic_int_set (&n_writes, 0);
  g_atomic_int_set (&fault_errno, error);
  g_atomic_int_set (&faults, which);
}

static void
end_fault (void)
{
  g_atomic_int_set (&faults, 0);
}

static gboolean
fails (gint which)
{
  if (!(g_atomic_int_get (&faults) & which))
    return FALSE;
  errno = g_atomic_int_get (&fault_errno);
  return TRUE;
}

static ssize_t
faulty_pwrite (int fd, const void *data, size_t size, off_t offset)
{
  gint n = g_atomic_int_add (&n_writes, 1);

  if (fails (WRITE_FAILS))
    return -1;
  if (fails (WRITE_HALF))
    return n % 2 == 0 ? pwrite (fd, data, size / 2, offset) : -1;
  while (fails (WRITE_STALLS))
    g_usleep (1000);
  if (fails (WRITE_STUTTERS))
    {
      errno = EINTR;
      return n % 3 == 0 ? -1 : pwrite (fd, data, MIN (size, 7), offset);
    }
  return pwrite (fd, data, size, offset);
}

static int
faulty_renameat2 (int from_fd, const char *from, int to_fd, const char *to, unsigned flags)
{
  return fails (RENAME_FAILS) ? -1 : renameat2 (from_fd, from, to_fd, to, flags);
}

static int
faulty_openat (int dir_fd, const char *name, int flags, mode_t mode)
{
  return fails (OPEN_FAILS) ? -1 : openat (dir_fd, name, flags, mode);
}

static int
faulty_ftruncate (int fd, off_t size)
{
  return fails (TRUNCATE_FAILS) ? -1 : ftruncate (fd, size);
}

/* ---- the session ---- */

typedef struct
{
  char *top;
  char *dir;
  ParklaneConfig config;
  ParklaneRecorder *recorder;
  guint64 n_recorded;
  guint64 n_deleted; /* recorded ones that the test has deleted on purpose, beyond any gap */
} Fixture;

static gint n_log_messages;

static void
count_message (ParklaneLogLevel level, const char *message, void *data)
{
  g_atomic_int_inc (&n_log_messages);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  end_fault ();
  plr_io.pwrite = faulty_pwrite;
  plr_io.renameat2 = faulty_renameat2;
  plr_io.openat = faulty_openat;
  plr_io.ftruncate = faulty_ftruncate;
  fixture->top = g_dir_make_tmp ("parklane-faults-XXXXXX", NULL);
  fixture->dir = g_build_filename (fixture->top, "out", NULL);
  g_atomic_int_set (&n_log_messages, 0);

  parklane_config_init (&fixture->config);
  g_strlcpy (fixture->config.output_dir, fixture->dir, sizeof fixture->config.output_dir);
  g_strlcpy (fixture->config.file_prefix, "app", sizeof fixture->config.file_prefix);
  fixture->config.log = count_message;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
  g_assert_cmpint (parklane_thread_attach (0), ==, 0);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  end_fault ();
  if (fixture->recorder != NULL)
    parklane_recorder_stop (fixture->recorder);
  parklane_thread_detach ();
  remove_tree (fixture->top);
  g_free (fixture->dir);
  g_free (fixture->top);
}

static void
record (Fixture *fixture, guint n_polls)
{
  for (guint i = 0; i < n_polls; i++)
    {
      parklane_poll_start (i, 0, 0);
      parklane_poll_end ();
    }
  fixture->n_recorded += 2 * n_polls;
}

static ParklaneMetrics
get_metrics (void)
{
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };

  g_assert_cmpint (parklane_metrics_get (&metrics), ==, 0);
  return metrics;
}

/* Waits for the health metric to say so; the test's own deadline ends a wait in vain. */
static void
await_health (guint is_healthy)
{
  while (get_metrics ().writer_healthy != is_healthy)
    g_usleep (1000);
}

static void
flush (Fixture *fixture)
{
  g_assert_cmpint (parklane_recorder_flush (fixture->recorder), ==, 0);
}

static void
stop (Fixture *fixture)
{
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  fixture->recorder = NULL;
}

/* All that was recorded is there or inside a gap that says so. Returns the number inside gaps. */
static guint64
assert_nothing_is_missing (Fixture *fixture)
{
  g_autoptr(Trace) trace = NULL;
  guint64 n_lost = 0;
  guint64 n_found;

  if (fixture->recorder != NULL)
    stop (fixture);
  trace = trace_read_session (fixture->dir, "app");
  n_found = trace_count (trace, "PollStartEvent") + trace_count (trace, "PollEndEvent");
  for (guint i = 0; trace_find (trace, "ParklaneGapEvent", i) != NULL; i++)
    {
      const Event *gap = trace_find (trace, "ParklaneGapEvent", i);

      g_assert_cmpuint (event_number (gap, "from_ns"), <=, event_number (gap, "to_ns"));
      n_lost += event_number (gap, "dropped");
    }
  g_assert_cmpuint (n_found + n_lost + fixture->n_deleted, >=, fixture->n_recorded);
  g_assert_cmpuint (n_found, <=, fixture->n_recorded);
  return n_lost;
}

/* ---- the directory ---- */

static void
test_directory_removed (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  record (fixture, 50);
  while (!g_file_test (fixture->dir, G_FILE_TEST_IS_DIR))
    g_usleep (1000);
  await_health (1);
  record (fixture, 30);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200); /* the deleted file's, and they alone */
}

static void
test_directory_removed_and_made_again (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  g_assert_cmpint (g_mkdir (fixture->dir, 0750), ==, 0);
  record (fixture, 50);
  flush (fixture);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

static void
test_directory_moved_away (Fixture *fixture, gconstpointer data)
{
  g_autofree char *moved = g_build_filename (fixture->top, "moved", NULL);
  g_autoptr(Trace) trace = NULL;

  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (g_rename (fixture->dir, moved), ==, 0);
  while (!g_file_test (fixture->dir, G_FILE_TEST_IS_DIR))
    g_usleep (1000);
  await_health (1);
  record (fixture, 50);
  stop (fixture);

  trace = trace_read_session (moved, "app");
  fixture->n_deleted = trace_count (trace, "PollStartEvent") + trace_count (trace, "PollEndEvent");
  g_assert_cmpuint (fixture->n_deleted, >=, 200);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_directory_replaced_by_file (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  g_assert_true (g_file_set_contents (fixture->dir, "file", 4, NULL));
  await_health (0);
  record (fixture, 50);
  g_assert_cmpint (g_unlink (fixture->dir), ==, 0);
  await_health (1);
  record (fixture, 30);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

static void
test_directory_replaced_by_link (Fixture *fixture, gconstpointer data)
{
  g_autofree char *elsewhere = g_build_filename (fixture->top, "elsewhere", NULL);
  g_autofree char *files = NULL;

  g_assert_cmpint (g_mkdir (elsewhere, 0750), ==, 0);
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  g_assert_cmpint (symlink (elsewhere, fixture->dir), ==, 0);
  await_health (0);
  record (fixture, 50);
  g_assert_cmpint (parklane_recorder_flush (fixture->recorder), ==, -ETIMEDOUT);
  files = list_directory (elsewhere);
  g_assert_cmpstr (files, ==, "");
  g_assert_cmpint (g_unlink (fixture->dir), ==, 0);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

/* ---- the file ---- */

static void
test_active_file_deleted (Fixture *fixture, gconstpointer data)
{
  g_autofree char *active = g_build_filename (fixture->dir, "app.0.bin.active", NULL);

  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (g_unlink (active), ==, 0);
  record (fixture, 50);
  flush (fixture);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

static void
test_active_file_truncated (Fixture *fixture, gconstpointer data)
{
  g_autofree char *active = g_build_filename (fixture->dir, "app.0.bin.active", NULL);

  record (fixture, 1000);
  flush (fixture);
  g_assert_cmpint (truncate (active, 5001), ==, 0); /* in the middle of a frame */
  record (fixture, 50);
  flush (fixture);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 2000);
}

/* ---- calls that fail ---- */

/* A fault of some seconds' worth of retries: degraded at once, few calls, few messages, all kept. */
static void
test_write_fails (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  begin_fault (WRITE_FAILS, GPOINTER_TO_INT (data));
  record (fixture, 50);
  await_health (0);
  for (guint i = 0; i < 20; i++)
    {
      record (fixture, 1000);
      g_usleep (10000);
    }
  g_assert_cmpint (g_atomic_int_get (&n_writes), <=, 10);
  g_assert_cmpint (g_atomic_int_get (&n_log_messages), ==, 1);
  end_fault ();
  await_health (1);
  record (fixture, 30);
  flush (fixture);

  g_assert_cmpint (g_atomic_int_get (&n_log_messages), ==, 2); /* and the recovery */
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_rename_fails (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  begin_fault (RENAME_FAILS, EIO);
  parklane_recorder_rotate (fixture->recorder);
  await_health (0);
  record (fixture, 50);
  end_fault ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_open_fails (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  begin_fault (OPEN_FAILS, GPOINTER_TO_INT (data));
  parklane_recorder_rotate (fixture->recorder);
  record (fixture, 50);
  await_health (0);
  record (fixture, 50);
  end_fault ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_short_and_interrupted_writes (Fixture *fixture, gconstpointer data)
{
  begin_fault (WRITE_STUTTERS, EINTR);
  record (fixture, 1000);
  flush (fixture);

  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 1);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* Half a frame is in the file and cannot be cut off: no sealed segment may end in it. */
static void
test_torn_frame_is_never_sealed (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  begin_fault (WRITE_HALF | TRUNCATE_FAILS, EIO);
  record (fixture, 50);
  await_health (0);
  end_fault ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* A write that does not return: the rings are emptied all the same, three times what one holds. */
static void
test_stalled_write_loses_nothing (Fixture *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  begin_fault (WRITE_STALLS, 0);
  for (guint i = 0; i < 60; i++)
    {
      guint64 n_before = get_metrics ().events_total;

      record (fixture, 3000);
      while (get_metrics ().events_total < n_before + 5000) /* with the write still going on */
        g_usleep (1000);
    }
  g_assert_cmpint (g_atomic_int_get (&n_writes), ==, 1);
  end_fault ();
  flush (fixture);

  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 0);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

/* More than buffer and rings hold while a write does not return: told as dropped, and where. */
static void
test_endless_write_tells_the_gap (Fixture *fixture, gconstpointer data)
{
  guint64 n_lost;

  begin_fault (WRITE_STALLS, 0);
  for (guint i = 0; i < 100 || get_metrics ().events_total < 500000; i++)
    {
      record (fixture, 10000);
      g_usleep (1000);
    }
  end_fault ();
  while (parklane_recorder_flush (fixture->recorder) != 0)
    ;
  n_lost = assert_nothing_is_missing (fixture);
  g_assert_cmpuint (n_lost, >, 0);
  g_assert_cmpuint (n_lost, <, fixture->n_recorded - 500000);
}

/* More than the memory buffer holds: the oldest go, and a gap says from when to when and how many. */
static void
test_long_fault_keeps_the_latest_and_tells_the_gap (Fixture *fixture, gconstpointer data)
{
  const guint64 last_task = 4711;
  g_autoptr(Trace) trace = NULL;
  guint64 n_lost;

  record (fixture, 10);
  flush (fixture);
  begin_fault (WRITE_FAILS, ENOSPC);
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
  end_fault ();
  await_health (1);
  flush (fixture);

  g_assert_cmpuint (get_metrics ().dropped_events_total, >, 1000000);
  n_lost = assert_nothing_is_missing (fixture);
  g_assert_cmpuint (n_lost, >, 1000000);
  g_assert_cmpuint (n_lost, <, 1600000);
  trace = trace_read_session (fixture->dir, "app");
  g_assert_cmpuint (event_number (trace_find (trace, "PollStartEvent", trace_count (trace, "PollStartEvent") - 1), "task_id"),
                    ==, last_task);
}

/* ---- the host ---- */

static void *
record_one (void *data)
{
  parklane_poll_start (1, 0, 0);
  parklane_poll_end ();
  return NULL;
}

static void
test_memory_for_rings_refused (Fixture *fixture, gconstpointer data)
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
test_host_closes_all_descriptors (Fixture *fixture, gconstpointer data)
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
  while (g_atomic_int_get (&n_log_messages) < 2) /* noticed, and recovered from */
    g_usleep (1000);
  await_health (1);
  flush (fixture);

  g_assert_cmpint (g_stat (theirs, &st), ==, 0);
  g_assert_cmpint (st.st_size, ==, 0);
  for (guint i = 0; i < n; i++)
    g_assert_cmpint (fcntl (fds[i], F_GETFD), >=, 0); /* not closed by us */
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
  for (guint i = 0; i < n; i++)
    close (fds[i]);
}

static void
test_out_of_descriptors (Fixture *fixture, gconstpointer data)
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

/* ---- a real small disk ---- */

typedef void (*MountedTest) (Fixture *fixture, const char *disk);

/* Runs @test in a process of its own with a tmpfs of a megabyte, where the system lets us mount one. */
static void
run_on_small_disk (Fixture *fixture, MountedTest test)
{
  int status;
  pid_t pid;

#ifdef __SANITIZE_THREAD__
  g_test_skip ("not under the thread sanitizer, which lets no child of a fork start a thread");
  return;
#endif
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  fixture->recorder = NULL;
  pid = fork ();
  if (pid == 0)
    {
      g_autofree char *disk = g_build_filename (fixture->top, "disk", NULL);

      if (unshare (CLONE_NEWNS) != 0 || mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
          || g_mkdir (disk, 0750) != 0 || mount ("none", disk, "tmpfs", 0, "size=1m") != 0)
        _exit (77);
      g_free (fixture->dir);
      fixture->dir = g_build_filename (disk, "out", NULL);
      g_strlcpy (fixture->config.output_dir, fixture->dir, sizeof fixture->config.output_dir);
      g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
      test (fixture, disk);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    g_test_skip ("needs the right to mount");
  else
    g_assert_cmpint (status, ==, 0);
}

static void
fill_and_free (Fixture *fixture, const char *disk)
{
  g_autofree char *other = g_build_filename (disk, "other", NULL);
  g_autofree char *ballast = g_strnfill (700 * 1024, 'x');

  g_assert_true (g_file_set_contents (other, ballast, 700 * 1024, NULL));
  for (guint i = 0; i < 12 && get_metrics ().writer_healthy; i++)
    {
      record (fixture, 3000);
      g_usleep (20000);
    }
  await_health (0);
  record (fixture, 3000);
  g_assert_cmpint (g_unlink (other), ==, 0); /* somebody frees space */
  await_health (1);
  flush (fixture);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_disk_full_then_space_again (Fixture *fixture, gconstpointer data)
{
  run_on_small_disk (fixture, fill_and_free);
}

static void
remount (Fixture *fixture, const char *disk)
{
  record (fixture, 100);
  flush (fixture);
  /* A file that is open for writing keeps a file system from going read-only: rotate into the remount. */
  while (mount ("none", disk, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
    {
      parklane_recorder_rotate (fixture->recorder);
      g_usleep (2000);
    }
  record (fixture, 50);
  await_health (0);
  g_assert_cmpint (mount ("none", disk, NULL, MS_REMOUNT, NULL), ==, 0);
  await_health (1);
  flush (fixture);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_read_only_remount (Fixture *fixture, gconstpointer data)
{
  run_on_small_disk (fixture, remount);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)
#define ADD_ERRNO(path, error, function) g_test_add (path, Fixture, GINT_TO_POINTER (error), set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/faults/directory-removed", test_directory_removed);
  ADD ("/recorder/faults/directory-removed-and-made-again", test_directory_removed_and_made_again);
  ADD ("/recorder/faults/directory-moved-away", test_directory_moved_away);
  ADD ("/recorder/faults/directory-replaced-by-file", test_directory_replaced_by_file);
  ADD ("/recorder/faults/directory-replaced-by-link", test_directory_replaced_by_link);
  ADD ("/recorder/faults/active-file-deleted", test_active_file_deleted);
  ADD ("/recorder/faults/active-file-truncated", test_active_file_truncated);
  ADD_ERRNO ("/recorder/faults/write-enospc", ENOSPC, test_write_fails);
  ADD_ERRNO ("/recorder/faults/write-eio", EIO, test_write_fails);
  ADD_ERRNO ("/recorder/faults/write-quota", EDQUOT, test_write_fails);
  ADD_ERRNO ("/recorder/faults/write-read-only", EROFS, test_write_fails);
  ADD ("/recorder/faults/rename-eio", test_rename_fails);
  ADD_ERRNO ("/recorder/faults/open-permission-lost", EACCES, test_open_fails);
  ADD_ERRNO ("/recorder/faults/open-out-of-files", ENFILE, test_open_fails);
  ADD ("/recorder/faults/short-and-interrupted-writes", test_short_and_interrupted_writes);
  ADD ("/recorder/faults/torn-frame-is-never-sealed", test_torn_frame_is_never_sealed);
  ADD ("/recorder/faults/stalled-write-loses-nothing", test_stalled_write_loses_nothing);
  ADD ("/recorder/faults/endless-write-tells-the-gap", test_endless_write_tells_the_gap);
  ADD ("/recorder/faults/long-fault-keeps-the-latest-and-tells-the-gap", test_long_fault_keeps_the_latest_and_tells_the_gap);
  ADD ("/recorder/faults/memory-for-rings-refused", test_memory_for_rings_refused);
  ADD ("/recorder/faults/host-closes-all-descriptors", test_host_closes_all_descriptors);
  ADD ("/recorder/faults/out-of-descriptors", test_out_of_descriptors);
  ADD ("/recorder/faults/disk-full-then-space-again", test_disk_full_then_space_again);
  ADD ("/recorder/faults/read-only-remount", test_read_only_remount);
  return g_test_run ();
}
