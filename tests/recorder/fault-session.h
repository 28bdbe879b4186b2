/* fault-session.h: a session whose system calls can be made to fail
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * In every case: recording calls go on, health tells the fault while it lasts, writing resumes by itself
 * when it is over, and each recorded event is in a segment or inside a declared gap.
 */
#ifndef FAULT_SESSION_H
#define FAULT_SESSION_H

#include <glib.h>

#include "recording.h"
#include "trace-reader.h"

enum
{
  WRITE_FAILS = 1 << 0,
  WRITE_HALF = 1 << 1,    /* of what it is asked, then fails */
  WRITE_STUTTERS = 1 << 2, /* a few bytes at a time, and is interrupted */
  WRITE_STALLS = 1 << 3,
  RENAME_FAILS = 1 << 4,
  OPEN_FAILS = 1 << 5,
  TRUNCATE_FAILS = 1 << 6,
  SYNC_FAILS = 1 << 7,
};

typedef struct
{
  char *top;
  char *dir;
  ParklaneConfig config;
  ParklaneRecorder *recorder;
  guint64 n_recorded;
  guint64 n_deleted; /* recorded ones that the test has deleted on purpose, beyond any gap */
} FaultSession;

/* Makes the calls @which fail with @error, or behave as they say, until fault_end(). */
void fault_begin (gint which, gint error);
void fault_end   (void);

/* Calls of pwrite() since fault_begin(), and messages to the log since the start. */
gint fault_count_writes   (void);
gint fault_count_messages (void);

/* Starts a session in a new directory, the test's thread attached as worker 0; ends it. */
void fault_set_up    (FaultSession *fixture, gconstpointer data);
void fault_tear_down (FaultSession *fixture, gconstpointer data);

/* Records polls, two events each. */
void record       (FaultSession *fixture, guint n_polls);

/* Waits for the health metric to say so; the test's own deadline ends a wait in vain. */
void await_health (guint is_healthy);
void flush        (FaultSession *fixture);
void stop         (FaultSession *fixture);

/* All that was recorded is there or inside a gap that says so. Stops the session. Returns the number inside gaps. */
guint64 assert_nothing_is_missing (FaultSession *fixture);

#define ADD_FAULT(path, function) g_test_add (path, FaultSession, NULL, fault_set_up, function, fault_tear_down)
#define ADD_FAULT_ERRNO(path, error, function) \
  g_test_add (path, FaultSession, GINT_TO_POINTER (error), fault_set_up, function, fault_tear_down)

#endif /* FAULT_SESSION_H */
