/* fault-session.c: a session whose system calls can be made to fail
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "fault-session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "io.h"

/* Installed for every test before the session starts, and harmless until told. */
static gint faults;
static gint fault_errno;
static gint n_writes;

void
fault_begin (gint which, gint error)
{
  g_atomic_int_set (&n_writes, 0);
  g_atomic_int_set (&fault_errno, error);
  g_atomic_int_set (&faults, which);
}

void
fault_end (void)
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
faulty_fdatasync (int fd)
{
  return fails (SYNC_FAILS) ? -1 : fdatasync (fd);
}

static int
faulty_ftruncate (int fd, off_t size)
{
  return fails (TRUNCATE_FAILS) ? -1 : ftruncate (fd, size);
}

static gint n_log_messages;

static void
count_message (ParklaneLogLevel level, const char *message, void *data)
{
  g_atomic_int_inc (&n_log_messages);
}

void
fault_set_up (FaultSession *fixture, gconstpointer data)
{
  fault_end ();
  plr_io.pwrite = faulty_pwrite;
  plr_io.renameat2 = faulty_renameat2;
  plr_io.openat = faulty_openat;
  plr_io.ftruncate = faulty_ftruncate;
  plr_io.fdatasync = faulty_fdatasync;
  fixture->top = g_dir_make_tmp ("parklane-faults-XXXXXX", NULL);
  fixture->dir = g_build_filename (fixture->top, "out", NULL);
  g_atomic_int_set (&n_log_messages, 0);

  init_config (&fixture->config, fixture->dir);
  fixture->config.log = count_message;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
  g_assert_cmpint (parklane_thread_attach (0), ==, 0);
}

void
fault_tear_down (FaultSession *fixture, gconstpointer data)
{
  fault_end ();
  if (fixture->recorder != NULL)
    parklane_recorder_stop (fixture->recorder);
  parklane_thread_detach ();
  remove_tree (fixture->top);
  g_free (fixture->dir);
  g_free (fixture->top);
}

void
record (FaultSession *fixture, guint n_polls)
{
  record_polls (n_polls);
  fixture->n_recorded += 2 * n_polls;
}

void
await_health (guint is_healthy)
{
  while (get_metrics ().writer_healthy != is_healthy)
    g_usleep (1000);
}

void
flush (FaultSession *fixture)
{
  g_assert_cmpint (parklane_recorder_flush (fixture->recorder), ==, 0);
}

void
stop (FaultSession *fixture)
{
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  fixture->recorder = NULL;
}

guint64
assert_nothing_is_missing (FaultSession *fixture)
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

gint
fault_count_writes (void)
{
  return g_atomic_int_get (&n_writes);
}

gint
fault_count_messages (void)
{
  return g_atomic_int_get (&n_log_messages);
}
