/* pl-draw-private.h: the parts of the lane area, each drawn by its own file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DRAW_PRIVATE_H
#define PL_DRAW_PRIVATE_H

#include "pl-columns.h"
#include "pl-frame.h"
#include "pl-raster.h"
#include "pl-rows.h"

G_BEGIN_DECLS

/**
 * PlPlot: where one row lies and what it is drawn with; rows use the same raster in turn
 * @frame: the picture
 * @raster: as wide as the time axis, as high as the highest row
 * @columns: of the row's lane
 * @top_px: device pixel line of the row's top
 * @height_px: device pixel lines of the row
 */
typedef struct
{
  PlFrame *frame;
  PlRaster raster;
  const PlColumns *columns;
  int top_px;
  int height_px;
} PlPlot;

static inline int
pl_plot_to_px (const PlPlot *self,
               double        units)
{
  return pl_frame_to_px (self->frame, units);
}

static inline double
pl_plot_to_y (const PlPlot *self,
              double        units)
{
  return (self->top_px + pl_plot_to_px (self, units)) / self->frame->axis.scale;
}

/* As pl_lane_find_gap(). */
typedef gboolean (*PlGapFinder) (gconstpointer of,
                                 gint64        from_ns,
                                 gint64        to_ns,
                                 PlGap        *out_gap);

void pl_draw_gaps         (PlFrame      *frame,
                           PlRaster     *raster,
                           PlGapFinder   find,
                           gconstpointer of,
                           int           top,
                           int           height);
void pl_draw_lane         (PlPlot       *plot,
                           const PlLane *lane);
void pl_draw_lane_gutter  (PlPlot       *plot,
                           const PlLane *lane);
void pl_draw_bar_labels   (PlPlot       *plot,
                           const GArray *bars);
void pl_draw_selection    (PlPlot       *plot,
                           const PlPoll *poll);
void pl_draw_runtime      (PlPlot *plot,
                           guint   index);
void pl_draw_global_queue (PlPlot *plot,
                           guint   index);
void pl_draw_alive_tasks  (PlPlot *plot,
                           guint   index);

void pl_draw_ruler_gutter (const PlScene *scene,
                           cairo_t       *cr,
                           double         width,
                           double         height);

G_END_DECLS

#endif /* PL_DRAW_PRIVATE_H */
