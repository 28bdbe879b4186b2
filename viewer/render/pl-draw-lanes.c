/* pl-draw-lanes.c: the lane area: visible rows, then what lies over all of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <math.h>

#include "pl-draw-private.h"

/* Higher than any row. */
#define RASTER_HEIGHT (PL_ROW_LANE_HEIGHT + PL_ROW_DETACHED_HEIGHT + 2.0)

static void
draw_row (PlPlot *plot, const PlRow *row)
{
  PlTrace *trace = plot->frame->scene->trace;

  switch (row->kind)
    {
    case PL_ROW_RUNTIME:
      pl_draw_runtime (plot, row->index);
      break;
    case PL_ROW_LANE:
      pl_draw_lane (plot, pl_trace_get_lane (trace, row->index));
      pl_draw_lane_gutter (plot, pl_trace_get_lane (trace, row->index));
      break;
    case PL_ROW_QUEUE:
      pl_draw_global_queue (plot, row->index);
      break;
    case PL_ROW_ALIVE:
      pl_draw_alive_tasks (plot, row->index);
      break;
    case PL_ROW_NONE:
    default:
      break;
    }
}

/* The next row that can be seen, and where it lies. */
static gboolean
next_visible (PlFrame *frame, PlRowIter *iter, double scroll_y, PlPlot *plot, PlRow *out_row)
{
  while (pl_row_iter_next (iter, out_row))
    {
      /* Heights come from the unscrolled edges, so that a lane keeps its shape while it scrolls by fractions. */
      plot->height_px = pl_frame_to_px (frame, out_row->y + out_row->height) - pl_frame_to_px (frame, out_row->y);
      plot->top_px = pl_frame_to_px (frame, out_row->y) - pl_frame_to_px (frame, scroll_y);

      if (plot->top_px >= frame->height_px)
        return FALSE;
      if (plot->top_px + plot->height_px > 0)
        return TRUE;
    }
  return FALSE;
}

static void
prepare_rows (PlFrame *frame, PlPlot *plot, double scroll_y)
{
  g_autoptr(GPtrArray) lanes = g_ptr_array_new ();
  PlRowIter iter;
  PlRow row;

  pl_row_iter_init (&iter, frame->scene);
  while (next_visible (frame, &iter, scroll_y, plot, &row))
    if (row.kind == PL_ROW_LANE)
      g_ptr_array_add (lanes, (gpointer) pl_trace_get_lane (frame->scene->trace, row.index));
  pl_frame_prepare (frame, lanes);
}

static void
draw_rows (PlFrame *frame, PlPlot *plot, double scroll_y)
{
  PlRowIter iter;
  PlRow row;

  pl_row_iter_init (&iter, frame->scene);
  while (next_visible (frame, &iter, scroll_y, plot, &row))
    {
      draw_row (plot, &row);
      pl_frame_fill_px (frame, frame->palette->line, 1.0, 0, plot->top_px + plot->height_px - frame->hair_px,
                        frame->width_px, frame->hair_px);
    }
}

/**
 * pl_scene_draw_lanes:
 * @self: a scene
 * @cr: where to draw; its origin must lie on a device pixel
 * @width: in units
 * @height: in units
 * @scroll_y: how far the content is scrolled, in units
 *
 * Draws the rows that are visible. O(visible lanes × pixels), whatever the number of events and of lanes' pixels out of
 * sight.
 */
void
pl_scene_draw_lanes (const PlScene *self, cairo_t *cr, double width, double height, double scroll_y)
{
  PlFrame frame;
  PlPlot plot = { .frame = &frame };

  pl_frame_begin (&frame, self, cr, width, height, self->from_ns, self->to_ns);
  pl_frame_fill_px (&frame, frame.palette->ground, 1.0, 0, 0, frame.width_px, frame.height_px);
  pl_frame_fill_px (&frame, frame.palette->gutter, 1.0, 0, 0, frame.axis.left_px, frame.height_px);

  if (self->trace != NULL
      && pl_raster_init (&plot.raster, frame.axis.n_columns, pl_frame_to_px (&frame, RASTER_HEIGHT),
                         frame.axis.scale))
    {
      prepare_rows (&frame, &plot, scroll_y);
      draw_rows (&frame, &plot, scroll_y);
      pl_raster_clear (&plot.raster);

      pl_frame_draw_span (&frame, self->range_from_ns, self->range_to_ns);
      pl_frame_draw_cursor (&frame);
    }
  pl_frame_end (&frame);
}
