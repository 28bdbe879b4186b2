/* pl-rows.h: the rows of the lane area, one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_ROWS_H
#define PL_ROWS_H

#include "pl-scene.h"

G_BEGIN_DECLS

/* Heights in units; places within a lane are measured from its top. The band of 26 leaves room for the mark above it
 * and for the queue below it. */
#define PL_ROW_RUNTIME_HEIGHT 24.0
#define PL_ROW_LANE_HEIGHT 58.0
#define PL_ROW_DETACHED_HEIGHT 22.0 /* more, in a lane that has detached polls */
#define PL_ROW_TRACK_HEIGHT 44.0

#define PL_BAND_TOP 10.0
#define PL_BAND_HEIGHT 26.0
#define PL_DETACHED_TOP 46.0
#define PL_DETACHED_HEIGHT 13.0
#define PL_LONG_OUTSTAND 2.0
#define PL_MARK_HEIGHT 6.0

/**
 * PlRowIter: a walk over the rows from top to bottom
 */
typedef struct
{
  const PlScene *scene;
  const PlRuntime *runtimes;
  guint n_runtimes;
  guint n_tracks;
  guint runtime;
  guint lane;
  guint track;
  gboolean in_runtime;
  double y;
} PlRowIter;

void     pl_row_iter_init (PlRowIter     *self,
                           const PlScene *scene);
gboolean pl_row_iter_next (PlRowIter *self,
                           PlRow     *out_row);

G_END_DECLS

#endif /* PL_ROWS_H */
