/* pl-gathered-lane.h: what pieces hold of one worker, and how much of it is settled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_GATHERED_LANE_H
#define PL_GATHERED_LANE_H

#include "pl-lane-private.h"
#include "pl-piece.h"

G_BEGIN_DECLS

/**
 * PlLaneRange:
 * @from_ns: where the trace begins
 * @to_ns: where it ends
 * @settled_ns: before that, no more is to be expected
 * @is_growing: it is being recorded
 * @paused_ns: since when recording is suspended, so that nobody knows what goes on; %G_MAXINT64 while it is not
 *
 * What a lane has to know of the whole trace.
 */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
  gint64 settled_ns;
  gboolean is_growing;
  gint64 paused_ns;
} PlLaneRange;

typedef struct _PlGatheredLane PlGatheredLane;

PlGatheredLane *pl_gathered_lane_new        (guint64               worker);
void            pl_gathered_lane_free       (PlGatheredLane       *self);
void            pl_gathered_lane_add_blocks (PlGatheredLane       *self,
                                             const PlPieceLane    *lane);
void            pl_gathered_lane_add_edge   (PlGatheredLane       *self,
                                             const PlRunEdge      *edge,
                                             gboolean              is_merged);
gboolean        pl_gathered_lane_exchange   (PlGatheredLane       *self,
                                             const PlPieceLane    *held,
                                             const PlPieceLane    *lane);
gboolean        pl_gathered_lane_settle     (PlGatheredLane       *self,
                                             const PlLaneRange    *range);
gsize           pl_gathered_lane_count      (const PlGatheredLane *self);
PlLane         *pl_gathered_lane_build      (const PlGatheredLane *self,
                                             const PlGatheredLane *rest,
                                             PlLaneGaps            gaps,
                                             const PlLaneRange    *range);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlGatheredLane, pl_gathered_lane_free)

G_END_DECLS

#endif /* PL_GATHERED_LANE_H */
