/* pl-segment-gaps.h: segments that are missing in the folders of a trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SEGMENT_GAPS_H
#define PL_SEGMENT_GAPS_H

#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlSegmentGaps:
 * @n_before: numbers below the first segment that is there: what a budget evicts
 * @n_between: numbers missing between two that are there
 */
typedef struct
{
  guint64 n_before;
  guint64 n_between;
} PlSegmentGaps;

PlSegmentGaps pl_segment_gaps_count (PlTrace           *trace,
                                     const char *const *paths);

guint8       *pl_segment_gaps_get_stretches (GArray *files);

G_END_DECLS

#endif /* PL_SEGMENT_GAPS_H */
