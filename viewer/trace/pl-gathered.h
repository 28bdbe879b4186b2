/* pl-gathered.h: what pieces hold together, from which a snapshot is made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_GATHERED_H
#define PL_GATHERED_H

#include "pl-gathered-lane.h"

G_BEGIN_DECLS

/**
 * PlGathered:
 * @before: (nullable): what was gathered before this, of which it is the rest
 * @lanes: worker → PlGatheredLane
 * @spans: (element-type PlTimeSpan): sorted
 * @metadata: key → PlPieceMetadata, the latest of each
 * @counts: name → guint64
 * @anchors: (element-type PlClockAnchor): in any order
 * @gaps: (element-type PlGap): likewise
 * @from_ns: where the trace began when lanes were settled
 * @to_ns: and where it ended
 *
 * The sums over pieces; of one that is kept from snapshot to snapshot most of the lanes is settled. One thread at a time.
 */
typedef struct _PlGathered PlGathered;

struct _PlGathered
{
  PlGathered *before;
  GHashTable *pieces; /* those that are in it */
  GHashTable *lanes;
  GArray *spans;
  GHashTable *metadata;
  GHashTable *counts;
  GArray *anchors;
  GArray *gaps;
  gint64 legacy_wall_ns;
  guint64 n_events;
  guint64 n_unpaired;
  guint64 n_outliers;
  gboolean is_lagging; /* of some of its streams */
  gboolean is_settled;
  gint64 from_ns;
  gint64 to_ns;
};

PlGathered     *pl_gathered_new      (PlGathered        *before);
void            pl_gathered_free     (PlGathered        *self);
void            pl_gathered_clear    (PlGathered        *self);
gboolean        pl_gathered_update   (PlGathered        *self,
                                      GPtrArray         *pieces,
                                      const guint8      *stretches);
void            pl_gathered_move     (PlGathered        *self,
                                      PlPiece           *piece,
                                      PlPiece           *moved);
gboolean        pl_gathered_has      (PlGathered        *self,
                                      PlPiece           *piece);
void            pl_gathered_add      (PlGathered        *self,
                                      PlPiece           *piece,
                                      gboolean           is_merged,
                                      guint8             stretch);
PlGatheredLane *pl_gathered_get_lane (PlGathered        *self,
                                      guint64            worker);
void            pl_gathered_sort     (GArray            *anchors,
                                      GArray            *gaps);
gboolean        pl_gathered_settle   (PlGathered        *self,
                                      const PlLaneRange *range);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlGathered, pl_gathered_free)

G_END_DECLS

#endif /* PL_GATHERED_H */
