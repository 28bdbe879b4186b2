/* pl-lane-gaps.h: the gaps of a recording by the lanes that they concern
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LANE_GAPS_H
#define PL_LANE_GAPS_H

#include "pl-gap.h"

G_BEGIN_DECLS

/**
 * PlLaneGaps:
 * @of_all: (array length=n_of_all): in which events of any worker may be missing
 * @holes: (array length=n_holes): the times of @of_all; of very many, with what little lies between them
 * @own: (array length=n_own): in which events of one worker are missing
 *
 * The gaps of one lane, both by time and without overlap; gaps that overlapped are one. The memory is the index's.
 */
typedef struct
{
  const PlGap *of_all;
  const PlHole *holes;
  const PlGap *own;
  guint n_of_all;
  guint n_holes;
  guint n_own;
} PlLaneGaps;

typedef struct _PlGapIndex PlGapIndex;

PlGapIndex *pl_gap_index_new         (GArray           *gaps,
                                      guint             n_lanes);
void        pl_gap_index_free        (PlGapIndex       *self);
PlLaneGaps  pl_gap_index_get         (const PlGapIndex *self,
                                      guint64           worker);
PlLaneGaps  pl_gap_index_get_any     (const PlGapIndex *self);
PlLaneGaps  pl_gap_index_get_of_queues (const PlGapIndex *self);

gboolean    pl_lane_gaps_next        (const PlLaneGaps *self,
                                      gint64            from_ns,
                                      PlGap            *out_gap);
gboolean    pl_lane_gaps_find        (const PlLaneGaps *self,
                                      gint64            from_ns,
                                      gint64            to_ns,
                                      PlGap            *out_gap);

/* Whether nothing is missing at all. */
static inline gboolean
pl_lane_gaps_is_empty (const PlLaneGaps *self)
{
  return self->n_of_all + self->n_own == 0;
}

G_END_DECLS

#endif /* PL_LANE_GAPS_H */
