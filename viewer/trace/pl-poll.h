/* pl-poll.h: one poll by value
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_POLL_H
#define PL_POLL_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlPollFlags:
 * @PL_POLL_OPEN: started, and the data end before its end: @duration_ns is "at least", up to where
 *   the data of its thread end
 * @PL_POLL_DETACHED: its thread lost the worker while it ran (block_in_place); drawn on a half-height row
 * @PL_POLL_GROWING: open, and certainly still running: its session is being recorded, by a writer whose threads all share
 *   a stream that none lags behind
 * @PL_POLL_CUT_OFF: its end was lost, with other events: @duration_ns is "at least", up to where the gap begins
 */
typedef enum
{
  PL_POLL_OPEN = 1 << 0,
  PL_POLL_DETACHED = 1 << 1,
  PL_POLL_GROWING = 1 << 2,
  PL_POLL_CUT_OFF = 1 << 3,
} PlPollFlags;

/**
 * PlPoll:
 * @start_ns: start, monotonic ns
 * @duration_ns: ns, 0 or more
 * @task_id: Tokio's task id; 0 = unknown
 * @worker: the worker's id, which identifies the lane across snapshots
 * @spawn_loc: string id for pl_trace_get_string()
 * @local_queue: length of the worker's queue at the start, modulo 256
 * @flags: #PlPollFlags
 *
 * A poll copied out of the columns. (@worker, @start_ns) identify it across snapshots of one trace.
 */
typedef struct
{
  gint64 start_ns;
  gint64 duration_ns;
  guint64 task_id;
  guint64 worker;
  guint32 spawn_loc;
  guint8 local_queue;
  guint8 flags;
} PlPoll;

static inline gint64
pl_poll_end_ns (const PlPoll *self)
{
  return self->start_ns + self->duration_ns;
}

static inline gboolean
pl_poll_same (const PlPoll *a,
              const PlPoll *b)
{
  return a->worker == b->worker && a->start_ns == b->start_ns;
}

/* Whether it took a duration or more: of an open poll that is said only while one can watch it do so. */
static inline gboolean
pl_poll_is_long (const PlPoll *self,
                 gint64        threshold_ns)
{
  return self->duration_ns >= threshold_ns
         && ((self->flags & PL_POLL_OPEN) == 0 || (self->flags & PL_POLL_GROWING) != 0);
}

/**
 * PlPollFunc:
 * Returns: %FALSE to stop
 */
typedef gboolean (*PlPollFunc) (const PlPoll *poll,
                                gpointer      user_data);

G_END_DECLS

#endif /* PL_POLL_H */
