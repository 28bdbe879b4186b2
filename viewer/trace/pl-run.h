/* pl-run.h: pairing of the starts and ends that one batch holds of one worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A batch is the buffer of one thread, so within it starts and ends of a worker alternate in time order. What does
 * not pair goes to the run's edge. The functions that see every event are inline; begin and finish are not.
 */
#ifndef PL_RUN_H
#define PL_RUN_H

#include "pl-block-builder.h"
#include "pl-piece.h"

G_BEGIN_DECLS

typedef struct _PlRuns PlRuns;

typedef enum
{
  PL_RUN_POLL_START,
  PL_RUN_POLL_END,
  PL_RUN_PARK,
  PL_RUN_UNPARK,
} PlRunEventKind;

typedef struct
{
  gint64 at_ns;
  guint64 task_id;
  guint32 spawn_loc;
  guint32 tid;
  guint8 kind;
  guint8 queue;
} PlRunEvent;

typedef struct
{
  PlRuns *runs;
  gboolean in_batch; /* it has begun in the current batch and is not collecting */
  gboolean is_whole; /* it has had events since the last gap of all */
  guint place;       /* in the array of those in the batch */
  gboolean has_open;
  gboolean is_parked;
  gint64 last_poll_ns;
  gint64 last_park_ns;
  gint64 open_ns;
  guint64 open_task;
  guint32 open_loc;
  guint8 open_queue;
  guint8 park_queue;
  gboolean has_many_tids;
  guint32 tid;
  gint64 park_ns;
  PlBlockBuilder *polls;
  PlBlockBuilder *parks;
  PlRunEdge edge;
  GArray *collected; /* PlRunEvent, for batches whose events are out of order */
} PlRun;

/* All runs of a decoder. A worker keeps its PlRun from batch to batch, and with it the blocks being filled. */
struct _PlRuns
{
  PlRun *small[256]; /* by worker id, the usual case */
  GHashTable *large;
  GPtrArray *all;
  GPtrArray *in_batch;  /* PlRun, unowned: those with events in the current batch */
  GPtrArray *whole;     /* PlRun, unowned: those with events since the last gap of all */
  guint64 n_unpaired;
  gboolean is_collecting;
  gboolean is_unsorted; /* an event came before its predecessor: decode the piece again, collecting */
};

PlRuns *pl_runs_new         (gboolean    collect);
void    pl_runs_free        (PlRuns     *self);
PlRun  *pl_runs_lookup_slow (PlRuns     *self,
                             guint64     worker);
void    pl_runs_end_batch   (PlRuns     *self,
                             GArray     *edges);
void    pl_runs_break       (PlRuns     *self,
                             const PlGap *gap,
                             GArray     *edges);
gint64  pl_runs_get_last_ns (const PlRuns *self,
                             gint64      otherwise_ns);
void    pl_runs_take_lanes  (PlRuns     *self,
                             GArray     *lanes);
guint64 pl_runs_peek        (const PlRuns *self,
                             GArray     *lanes,
                             GArray     *edges);
void    pl_run_event_slow   (PlRun      *self,
                             PlRunEvent  event);

/* NULL for a worker beyond the limit of pl_runs_lookup_slow(). */
static inline PlRun *
pl_runs_lookup (PlRuns *self, guint64 worker)
{
  PlRun *run = worker < G_N_ELEMENTS (self->small) ? self->small[worker] : NULL;

  return G_LIKELY (run != NULL) ? run : pl_runs_lookup_slow (self, worker);
}

static inline void
pl_run_poll_start (PlRun *self, gint64 at_ns, guint64 task_id, guint32 spawn_loc, guint8 queue)
{
  if (G_UNLIKELY (!self->edge.has_poll_events || self->has_open || at_ns < self->last_poll_ns))
    {
      pl_run_event_slow (self, (PlRunEvent) { at_ns, task_id, spawn_loc, 0, PL_RUN_POLL_START, queue });
      return;
    }
  self->has_open = TRUE;
  self->last_poll_ns = self->open_ns = at_ns;
  self->open_task = task_id;
  self->open_loc = spawn_loc;
  self->open_queue = queue;
}

static inline void
pl_run_poll_end (PlRun *self, gint64 at_ns)
{
  if (G_UNLIKELY (!self->edge.has_poll_events || !self->has_open || at_ns < self->last_poll_ns))
    {
      pl_run_event_slow (self, (PlRunEvent) { at_ns, 0, 0, 0, PL_RUN_POLL_END, 0 });
      return;
    }
  self->has_open = FALSE;
  self->last_poll_ns = at_ns;
  pl_block_builder_add_poll (self->polls, self->open_ns, at_ns - self->open_ns, self->open_task, self->open_loc,
                             self->open_queue);
}

/* A poll whose end is the thread's next event. Returns FALSE when that is for the functions of the start and the end. */
static inline gboolean
pl_run_poll (PlRun *self, gint64 at_ns, gint64 end_ns, guint64 task_id, guint32 spawn_loc, guint8 queue)
{
  if (G_UNLIKELY (!self->edge.has_poll_events || self->has_open || at_ns < self->last_poll_ns))
    return FALSE;
  self->last_poll_ns = end_ns;
  pl_block_builder_add_poll (self->polls, at_ns, end_ns - at_ns, task_id, spawn_loc, queue);
  return TRUE;
}

static inline void
pl_run_park (PlRun *self, gint64 at_ns, guint32 tid, guint8 queue)
{
  if (G_UNLIKELY (!self->edge.has_park_events || self->is_parked || at_ns < self->last_park_ns || tid != self->tid))
    {
      pl_run_event_slow (self, (PlRunEvent) { at_ns, 0, 0, tid, PL_RUN_PARK, queue });
      return;
    }
  self->is_parked = TRUE;
  self->last_park_ns = self->park_ns = at_ns;
  self->park_queue = queue;
}

static inline void
pl_run_unpark (PlRun *self, gint64 at_ns, guint32 tid, guint8 queue)
{
  if (G_UNLIKELY (!self->edge.has_park_events || !self->is_parked || at_ns < self->last_park_ns || tid != self->tid))
    {
      pl_run_event_slow (self, (PlRunEvent) { at_ns, 0, 0, tid, PL_RUN_UNPARK, queue });
      return;
    }
  self->is_parked = FALSE;
  self->last_park_ns = at_ns;
  pl_block_builder_add_park (self->parks, self->park_ns, at_ns - self->park_ns, self->park_queue, queue);
}

G_END_DECLS

#endif /* PL_RUN_H */
