/* pl-queue.h: a runtime's global queue over the session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_QUEUE_H
#define PL_QUEUE_H

#include "pl-lane-gaps.h"
#include "pl-piece.h"
#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlQueuePart:
 * @latest: which part up to this one has the last sample of all
 *
 * The samples of a piece. Parts may overlap, as threads write streams of their own.
 */
typedef struct
{
  const PlPieceQueue *queue; /* unowned: the trace keeps the pieces */
  guint latest;
} PlQueuePart;

/* The samples of all pieces, sorted by the time of their first. */
typedef struct
{
  guint32 name;
  GArray *parts; /* PlQueuePart */
  gint64 max_depth;
  gint64 max_alive;
} PlQueue;

GArray *pl_queues_build    (GPtrArray     *pieces);
void    pl_queue_get_slices (const PlQueue    *self,
                            const PlLaneGaps *gaps,
                            gint64            from_ns,
                            gint64            to_ns,
                            guint             n_slices,
                            PlQueueSlice     *out_slices);

G_END_DECLS

#endif /* PL_QUEUE_H */
