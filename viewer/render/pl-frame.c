/* pl-frame.c: what all parts of one picture share while it is drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-frame.h"

#include <math.h>

#include "pl-scene-cache.h"

/**
 * pl_frame_begin:
 * @scene: what to draw; must outlive the frame
 * @cr: where to draw; its origin must lie on a device pixel
 * @width: in units
 * @height: in units
 * @from_ns: start of the time axis
 * @to_ns: its end
 */
void
pl_frame_begin (PlFrame       *self,
                const PlScene *scene,
                cairo_t       *cr,
                double         width,
                double         height,
                gint64         from_ns,
                gint64         to_ns)
{
  *self = (PlFrame){ .scene = scene, .cr = cr, .width = width, .height = height };
  self->palette = pl_palette_get (scene->theme);
  self->cache = scene->cache != NULL ? scene->cache : pl_scene_cache_new ();
  pl_axis_init (&self->axis, width, scene->device_scale, from_ns, to_ns);
  self->width_px = self->axis.left_px + self->axis.n_columns;
  self->height_px = pl_frame_to_px (self, height);
  self->hair_px = MAX (pl_frame_to_px (self, 1.0), 1);

  cairo_save (cr);
  cairo_rectangle (cr, 0, 0, width, height);
  cairo_clip (cr);
  pl_text_init (&self->text, cr, scene->font);
}

/**
 * pl_frame_end:
 *
 * Leaves @cr as it was.
 */
void
pl_frame_end (PlFrame *self)
{
  if (self->cache != self->scene->cache)
    pl_scene_cache_free (self->cache);
  pl_text_clear (&self->text);
  cairo_restore (self->cr);
}

/**
 * pl_frame_prepare:
 * @lanes: (element-type PlLane): the lanes that will be drawn
 *
 * Makes the columns of several lanes at once, which is faster than one after the other.
 */
void
pl_frame_prepare (PlFrame *self, GPtrArray *lanes)
{
  pl_scene_cache_prepare (self->cache, self->scene, &self->axis, lanes);
}

/**
 * pl_frame_get_columns:
 *
 * Returns: (transfer none): the columns of @lane, valid until the next question
 */
const PlColumns *
pl_frame_get_columns (PlFrame *self, const PlLane *lane)
{
  return pl_scene_cache_get_columns (self->cache, self->scene, &self->axis, lane);
}

/**
 * pl_frame_to_px:
 *
 * Returns: the device pixel edge nearest to @units
 */
int
pl_frame_to_px (const PlFrame *self, double units)
{
  return (int) lround (units * self->axis.scale);
}

/**
 * pl_frame_fill_px:
 *
 * Fills a rectangle of device pixels.
 */
void
pl_frame_fill_px (PlFrame *self, PlColor color, double alpha, int x, int y, int width, int height)
{
  double scale = self->axis.scale;

  pl_color_set (color, self->cr, alpha);
  cairo_rectangle (self->cr, x / scale, y / scale, width / scale, height / scale);
  cairo_fill (self->cr);
}

/**
 * pl_frame_draw_span:
 *
 * Tints a range of time over the whole height, as the selected range is shown.
 */
void
pl_frame_draw_span (PlFrame *self, gint64 from_ns, gint64 to_ns)
{
  int first = self->axis.left_px + MAX (pl_axis_time_to_column (&self->axis, from_ns), 0);
  int end = self->axis.left_px + pl_axis_end_to_column (&self->axis, to_ns);

  if (from_ns >= to_ns || end <= first)
    return;

  pl_frame_fill_px (self, self->palette->accent, 0.14, first, 0, end - first, self->height_px);
  pl_frame_fill_px (self, self->palette->accent, 0.9, first, 0, self->hair_px, self->height_px);
  pl_frame_fill_px (self, self->palette->accent, 0.9, end - self->hair_px, 0, self->hair_px, self->height_px);
}

/**
 * pl_frame_draw_cursor:
 *
 * Draws the dashed line at the pointer's time, if there is one and it is in view.
 */
void
pl_frame_draw_cursor (PlFrame *self)
{
  double scale = self->axis.scale;
  double x;
  double dash = 4.0;
  int column;

  if (self->scene->cursor_ns == G_MININT64)
    return;
  column = pl_axis_time_to_column (&self->axis, self->scene->cursor_ns);
  if (column < 0 || column >= self->axis.n_columns)
    return;

  x = (self->axis.left_px + column + self->hair_px / 2.0) / scale;
  pl_color_set (self->palette->text, self->cr, 0.75);
  cairo_set_line_width (self->cr, self->hair_px / scale);
  cairo_set_dash (self->cr, &dash, 1, 0.0);
  cairo_move_to (self->cr, x, 0.0);
  cairo_line_to (self->cr, x, self->height);
  cairo_stroke (self->cr);
  cairo_set_dash (self->cr, NULL, 0, 0.0);
}
