/* pl-scene.c: what a picture of the timeline is made from, for the window and for the command line's PNG
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-scene.h"

#include <math.h>

#include "pl-axis.h"
#include "pl-draw-private.h"

static PlAxis
make_axis (const PlScene *self, double width)
{
  PlAxis axis;

  pl_axis_init (&axis, width, self->device_scale, self->from_ns, self->to_ns);
  return axis;
}

static PlAxis
make_overview_axis (const PlScene *self, double width)
{
  PlAxis axis;

  pl_axis_init (&axis, width, self->device_scale, self->trace != NULL ? pl_trace_get_start_ns (self->trace) : 0,
                self->trace != NULL ? pl_trace_get_end_ns (self->trace) : 1);
  return axis;
}

/**
 * pl_scene_time_to_x:
 * @self: a scene
 * @width: of the whole picture, gutter included, in units
 * @at_ns: an instant
 *
 * Returns: its place, in units from the picture's left edge; outside of [gutter, @width] where @at_ns is not in view
 */
double
pl_scene_time_to_x (const PlScene *self, double width, gint64 at_ns)
{
  PlAxis axis = make_axis (self, width);

  return pl_axis_time_to_x (&axis, at_ns);
}

/**
 * pl_scene_x_to_time:
 * @self: a scene
 * @width: of the whole picture, gutter included, in units
 * @x: a place, in units from the picture's left edge
 *
 * Returns: the last instant at or left of @x
 */
gint64
pl_scene_x_to_time (const PlScene *self, double width, double x)
{
  PlAxis axis = make_axis (self, width);

  return pl_axis_x_to_time (&axis, x);
}

/**
 * pl_scene_overview_time_to_x:
 * @self: a scene
 * @width: of the whole picture, gutter included, in units
 * @at_ns: an instant
 *
 * Returns: like pl_scene_time_to_x(), in the overview
 */
double
pl_scene_overview_time_to_x (const PlScene *self, double width, gint64 at_ns)
{
  PlAxis axis = make_overview_axis (self, width);

  return pl_axis_time_to_x (&axis, at_ns);
}

/**
 * pl_scene_overview_x_to_time:
 * @self: a scene
 * @width: of the whole picture, gutter included, in units
 * @x: a place, in units from the picture's left edge
 *
 * Returns: like pl_scene_x_to_time(), in the overview
 */
gint64
pl_scene_overview_x_to_time (const PlScene *self, double width, double x)
{
  PlAxis axis = make_overview_axis (self, width);

  return pl_axis_x_to_time (&axis, x);
}

/**
 * pl_scene_get_content_height:
 * @self: a scene
 *
 * Returns: height of all rows together, in units; 0 without a trace
 */
double
pl_scene_get_content_height (const PlScene *self)
{
  PlRowIter iter;
  PlRow row;
  double height = 0.0;

  pl_row_iter_init (&iter, self);
  while (pl_row_iter_next (&iter, &row))
    height = row.y + row.height;
  return height;
}

/**
 * pl_scene_row_at:
 * @self: a scene
 * @y: in units from the top of the content
 * @out_row: (out): the row there, or one of kind %PL_ROW_NONE
 *
 * Returns: whether there is a row
 */
gboolean
pl_scene_row_at (const PlScene *self, double y, PlRow *out_row)
{
  PlRowIter iter;
  PlRow row;

  pl_row_iter_init (&iter, self);
  while (y >= 0.0 && pl_row_iter_next (&iter, &row))
    if (y < row.y + row.height)
      {
        *out_row = row;
        return TRUE;
      }
  *out_row = (PlRow){ PL_ROW_NONE, 0, 0.0, 0.0 };
  return FALSE;
}

/**
 * pl_scene_find_row:
 * @self: a scene
 * @kind: what to look for
 * @index: of the runtime, lane or queue
 * @out_row: (out): the row, or one of kind %PL_ROW_NONE
 *
 * Returns: whether it is shown; a lane of a folded runtime is not
 */
gboolean
pl_scene_find_row (const PlScene *self, PlRowKind kind, guint index, PlRow *out_row)
{
  PlRowIter iter;
  PlRow row;

  pl_row_iter_init (&iter, self);
  while (pl_row_iter_next (&iter, &row))
    if (row.kind == kind && row.index == index)
      {
        *out_row = row;
        return TRUE;
      }
  *out_row = (PlRow){ PL_ROW_NONE, 0, 0.0, 0.0 };
  return FALSE;
}

/* Moves the origin down by @units, to the nearest device pixel, and returns by how much. */
static double
move_down (const PlScene *self, cairo_t *cr, double units)
{
  double scale = self->device_scale > 0.0 ? self->device_scale : 1.0;
  double snapped = round (units * scale) / scale;

  cairo_translate (cr, 0.0, snapped);
  return snapped;
}

/**
 * pl_scene_draw:
 * @self: a scene
 * @cr: where to draw; its origin must lie on a device pixel
 * @width: in units
 * @height: in units
 *
 * Draws overview, ruler and lanes one above the other. Without a cache in @self the parts share one of this picture.
 */
void
pl_scene_draw (const PlScene *self, cairo_t *cr, double width, double height)
{
  PlScene shared = *self;
  double y = 0.0;

  if (shared.cache == NULL)
    shared.cache = pl_scene_cache_new ();

  cairo_save (cr);
  pl_scene_draw_overview (&shared, cr, width, PL_SCENE_OVERVIEW_HEIGHT);
  y += move_down (self, cr, PL_SCENE_OVERVIEW_HEIGHT);
  pl_scene_draw_ruler (&shared, cr, width, PL_SCENE_RULER_HEIGHT);
  pl_draw_ruler_gutter (&shared, cr, width, PL_SCENE_RULER_HEIGHT);
  y += move_down (self, cr, PL_SCENE_RULER_HEIGHT);
  pl_scene_draw_lanes (&shared, cr, width, MAX (height - y, 0.0), 0.0);
  cairo_restore (cr);

  if (shared.cache != self->cache)
    pl_scene_cache_free (shared.cache);
}
