/* pl-trace-private.h: a snapshot's parts, for those who build one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TRACE_PRIVATE_H
#define PL_TRACE_PRIVATE_H

#include "pl-gathered.h"
#include "pl-piece.h"
#include "pl-queue.h"
#include "pl-strings.h"
#include "pl-trace.h"

G_BEGIN_DECLS

struct _PlTrace
{
  gatomicrefcount ref_count;
  PlStrings *strings;
  GPtrArray *pieces;     /* PlPiece, by file and offset */
  gint64 start_ns;
  gint64 end_ns;
  guint64 n_outliers;
  guint64 n_events;
  GPtrArray *lanes;      /* PlLane, by runtime and worker */
  GPtrArray *no_lanes;   /* PlLane of the ids that are no workers: their polls count, but have no row */
  GArray *runtimes;      /* PlRuntime */
  GArray *anchors;       /* PlClockAnchor, sorted */
  GArray *gaps;          /* PlGap, sorted by start */
  guint64 n_lost;
  PlGapIndex *gap_index;
  GArray *metadata;      /* PlMetadata, sorted by key */
  GArray *counts;        /* PlEventCount, sorted by name */
  GArray *queues;        /* PlQueue */
  GArray *files;         /* PlTraceFile */
  PlPollTotals totals;
};

PlTrace *pl_trace_build    (GPtrArray  *pieces,
                            GArray     *files,
                            PlStrings  *strings);
PlTrace *pl_trace_build_on (PlGathered *gathered,
                            GPtrArray  *pieces,
                            GArray     *files,
                            PlStrings  *strings);

/* Lanes with a row first, then those without one. */
guint         pl_trace_get_n_all_lanes (PlTrace *self);
const PlLane *pl_trace_get_any_lane    (PlTrace *self,
                                        guint    index);

G_END_DECLS

#endif /* PL_TRACE_PRIVATE_H */
