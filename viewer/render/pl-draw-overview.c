/* pl-draw-overview.c: the whole session in one strip, with every long poll and the box of the view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pl-columns.h"
#include "pl-draw-private.h"
#include "pl-duration.h"
#include "pl-marks.h"

#define STRIP_TOP 10.0 /* room for the marks */
#define STRIP_BOTTOM 6.0
#define MARK_HEIGHT 6.0
#define OWN_MARK_WIDTH 12.0 /* from here on a long poll has a mark of its own */
#define GAP_HEIGHT 6.0 /* where events were lost, up from the baseline */
#define NAME_BASELINE 25.0
#define SPAN_BASELINE 40.0
#define LAYER_TINT 0.28 /* of the ground, in every second worker's share */
#define LONG_TINT 0.45  /* of the ground, above the busy share of a column with a long poll */
#define OUTSIDE_DIM 0.58
#define BOX_MIN_WIDTH 6.0
#define BOX_LINE 2.0

/* Shares of more workers than this are taken from every second, third… of them: what that is off is less than a pixel of the
 * strip's height. */
#define MAX_SHARES 1024

typedef enum
{
  COLUMN_LONG = 1 << 0,
  COLUMN_POLL = 1 << 1,
  COLUMN_KNOWN = 1 << 2,
} ColumnFlags;

/**
 * Strip:
 * @flags: (array): #ColumnFlags of every column
 * @level: (array): how high the workers so far reach, in device pixels from the baseline
 * @layers: (array): per pixel, 0 or which of the two shades of a worker's share it has; lines from the baseline up
 * @long_bars: (element-type PlBar): long polls wide enough for their own mark
 */
typedef struct
{
  PlFrame *frame;
  int n_columns;
  int height;
  guint8 *flags;
  float *level;
  guint8 *layers;
  GArray *long_bars;
} Strip;

static void
add_column (Strip *self, int i, const PlColumn *column, double room, guint8 layer)
{
  int bottom = (int) (self->level[i] + 0.5f);
  int top;

  self->level[i] += (float) (column->share * room);
  top = MIN ((int) (self->level[i] + 0.5f), self->height);
  for (int y = bottom; y < top; y++)
    self->layers[(gsize) y * (gsize) self->n_columns + (gsize) i] = layer;

  if (column->flags & (PL_COLUMN_LONG | PL_COLUMN_DETACHED_LONG))
    self->flags[i] |= COLUMN_LONG;
  if (column->flags & (PL_COLUMN_POLL | PL_COLUMN_DETACHED))
    self->flags[i] |= COLUMN_POLL;
  if ((column->flags & PL_COLUMN_NO_DATA) == 0)
    self->flags[i] |= COLUMN_KNOWN;
}

static void
add_lane (Strip *self, const PlLane *lane, double room, guint8 layer)
{
  PlFrame *frame = self->frame;
  gint64 threshold_ns = frame->scene->threshold_ns;
  const PlColumns *columns = pl_frame_get_columns (frame, lane);
  g_autoptr(GArray) bars = pl_columns_dup_bars (&frame->axis, lane, pl_frame_to_px (frame, OWN_MARK_WIDTH),
                                                threshold_ns);

  for (int i = 0; i < self->n_columns; i++)
    add_column (self, i, &columns->columns[i], room, layer);
  for (guint i = 0; i < bars->len; i++)
    if (pl_poll_is_long (&g_array_index (bars, PlBar, i).poll, threshold_ns))
      g_array_append_val (self->long_bars, g_array_index (bars, PlBar, i));
}

/* The first column from @column on that is not known to have a long poll. */
static int
next_unmarked (const Strip *self, int column)
{
  while (column < self->n_columns && self->flags[column] & COLUMN_LONG)
    column++;
  return column;
}

/* Returns the start of the column behind which nothing of the poll is new, or G_MAXINT64. */
static gint64
mark_long_poll (Strip *self, const PlPoll *poll)
{
  const PlAxis *axis = &self->frame->axis;
  int first;
  int end;
  int next;

  pl_poll_locate (poll, axis, &first, &end);
  for (int i = MAX (first, 0); i < MIN (end, self->n_columns); i++)
    self->flags[i] |= COLUMN_LONG | COLUMN_POLL | COLUMN_KNOWN;
  next = next_unmarked (self, MAX (first, 0));
  return next < self->n_columns ? pl_axis_slice_start (axis, pl_axis_get_slice (axis, next)) : G_MAXINT64;
}

/* No long poll depends on whether the share of its worker is drawn. Looks only where none is known yet, so that all workers
 * together find each column once. */
static void
mark_long_polls (Strip *self, const PlLane *lane)
{
  gint64 threshold_ns = MAX (self->frame->scene->threshold_ns, 1);
  gint64 after_ns = self->frame->axis.from_ns - 1;
  PlPoll poll;

  while (after_ns < G_MAXINT64 && pl_lane_next_poll (lane, after_ns, threshold_ns, &poll))
    {
      gint64 next_ns = mark_long_poll (self, &poll);

      after_ns = MAX (poll.start_ns, next_ns - 1);
      /* One that began before may reach beyond. */
      if (next_ns < G_MAXINT64 && pl_lane_previous_poll (lane, next_ns, threshold_ns, &poll)
          && pl_poll_end_ns (&poll) > next_ns)
        mark_long_poll (self, &poll);
    }
}

static int
compare_bars (gconstpointer a, gconstpointer b)
{
  const PlBar *first = a;
  const PlBar *second = b;

  return first->first != second->first ? first->first - second->first : first->end - second->end;
}

static PlColor
choose_color (const PlPalette *palette, guint8 layer, gboolean is_long)
{
  PlColor color = is_long ? palette->over : palette->poll;

  if (layer == 0)
    return is_long ? pl_color_mix (palette->over, palette->ground, LONG_TINT) : palette->ground;
  return layer == 1 ? color : pl_color_mix (color, palette->ground, is_long ? LAYER_TINT / 2.0 : LAYER_TINT);
}

static void
draw_columns (const Strip *self, PlRaster *raster, int base)
{
  const PlPalette *palette = self->frame->palette;

  for (int y = 0; y < self->height; y++)
    {
      const guint8 *layers = self->layers + (gsize) y * (gsize) self->n_columns;
      guint32 *line = raster->pixels + (gsize) (base - 1 - y) * (gsize) raster->stride;

      for (int column = 0; column < self->n_columns; column++)
        {
          gboolean is_long = (self->flags[column] & COLUMN_LONG) != 0;
          /* A share too small for a pixel is still something. */
          guint8 layer = y == 0 && self->flags[column] & COLUMN_POLL ? MAX (layers[column], 1) : layers[column];

          line[column] = choose_color (palette, layer, is_long);
        }
    }
  for (int column = 0; column < self->n_columns; column++)
    if ((self->flags[column] & (COLUMN_KNOWN | COLUMN_POLL)) == 0)
      pl_raster_hatch (raster, column, base - self->height, 1, self->height, palette->no_data);
}

static void
strip_init (Strip *self, PlFrame *frame)
{
  gsize n_columns = (gsize) frame->axis.n_columns;

  self->frame = frame;
  self->n_columns = frame->axis.n_columns;
  self->height = MAX (frame->height_px - pl_frame_to_px (frame, STRIP_TOP) - pl_frame_to_px (frame, STRIP_BOTTOM), 1);
  self->flags = g_new0 (guint8, n_columns);
  self->level = g_new0 (float, n_columns);
  self->layers = g_new0 (guint8, n_columns * (gsize) self->height);
  self->long_bars = g_array_new (FALSE, FALSE, sizeof (PlBar));
}

static void
strip_clear (Strip *self)
{
  g_free (self->flags);
  g_free (self->level);
  g_free (self->layers);
  g_array_unref (self->long_bars);
}

static void
strip_collect (Strip *self, PlTrace *trace)
{
  guint n_lanes = pl_trace_get_n_lanes (trace);
  guint step = (n_lanes + MAX_SHARES - 1) / MAX_SHARES;
  g_autoptr(GPtrArray) lanes = g_ptr_array_new ();

  for (guint i = 0; i < n_lanes; i += step)
    g_ptr_array_add (lanes, (gpointer) pl_trace_get_lane (trace, i));
  pl_frame_prepare (self->frame, lanes);

  for (guint i = 0; i < lanes->len; i++)
    add_lane (self, lanes->pdata[i], (double) self->height / lanes->len, (guint8) (1 + i % 2));
  for (guint i = 0; i < n_lanes; i++)
    if (i % step != 0)
      mark_long_polls (self, pl_trace_get_lane (trace, i));
  g_array_sort (self->long_bars, compare_bars);
}

static gboolean
find_gap (gconstpointer trace, gint64 from_ns, gint64 to_ns, PlGap *out_gap)
{
  return pl_trace_find_gap ((PlTrace *) trace, from_ns, to_ns, out_gap);
}

static void
draw_strip (PlFrame *frame)
{
  const PlPalette *palette = frame->palette;
  int base = frame->height_px - pl_frame_to_px (frame, STRIP_BOTTOM);
  PlRaster raster;
  Strip strip;

  if (!pl_raster_init (&raster, frame->axis.n_columns, frame->height_px, frame->axis.scale))
    return;

  strip_init (&strip, frame);
  strip_collect (&strip, frame->scene->trace);

  pl_raster_begin (&raster, palette->ground);
  draw_columns (&strip, &raster, base);
  pl_draw_gaps (frame, &raster, find_gap, frame->scene->trace, base - pl_frame_to_px (frame, GAP_HEIGHT),
                pl_frame_to_px (frame, GAP_HEIGHT));
  pl_raster_fill (&raster, 0, base, strip.n_columns, raster.unit, palette->line);
  pl_marks_draw (&raster, strip.flags, COLUMN_LONG, strip.n_columns, strip.long_bars, base - strip.height,
                 pl_frame_to_px (frame, MARK_HEIGHT), palette->over);
  pl_raster_paint (&raster, frame->cr, frame->axis.scale, frame->axis.left_px, 0, frame->height_px);

  strip_clear (&strip);
  pl_raster_clear (&raster);
}

/* The view's box, and a veil over what is not in view. */
static void
draw_box (PlFrame *frame)
{
  const PlScene *scene = frame->scene;
  const PlAxis *axis = &frame->axis;
  cairo_t *cr = frame->cr;
  int left_px = axis->left_px + MAX (pl_axis_time_to_column (axis, scene->from_ns), 0);
  int right_px = axis->left_px + pl_axis_end_to_column (axis, scene->to_ns);
  double left = left_px / axis->scale;
  double right = right_px / axis->scale;
  double missing = MAX (BOX_MIN_WIDTH - (right - left), 0.0) / 2.0;

  pl_frame_fill_px (frame, frame->palette->ground, OUTSIDE_DIM, axis->left_px, 0, left_px - axis->left_px,
                    frame->height_px);
  pl_frame_fill_px (frame, frame->palette->ground, OUTSIDE_DIM, right_px, 0, frame->width_px - right_px,
                    frame->height_px);

  left = MAX (left - missing, axis->left_px / axis->scale) + BOX_LINE / 2.0;
  right = MIN (right + missing, frame->width) - BOX_LINE / 2.0;
  cairo_set_line_width (cr, BOX_LINE);
  cairo_set_line_join (cr, CAIRO_LINE_JOIN_ROUND);
  cairo_rectangle (cr, left, BOX_LINE / 2.0, MAX (right - left, 1.0),
                   frame->height - BOX_LINE - frame->hair_px / axis->scale);
  pl_color_set (frame->palette->accent, cr, 1.0);
  cairo_stroke (cr);
}

static void
draw_gutter (PlFrame *frame)
{
  PlTrace *trace = frame->scene->trace;
  g_autofree char *span = pl_duration_format (pl_trace_get_end_ns (trace) - pl_trace_get_start_ns (trace));
  double room = frame->axis.left_px / frame->axis.scale - PL_FRAME_MARGIN;

  pl_text_draw (&frame->text, PL_TEXT_NAME, frame->palette->text, PL_FRAME_MARGIN, NAME_BASELINE, room, _("Session"));
  pl_text_draw (&frame->text, PL_TEXT_VALUE, frame->palette->text_dim, PL_FRAME_MARGIN, SPAN_BASELINE, room, span);
}

/**
 * pl_scene_draw_overview:
 * @self: a scene
 * @cr: where to draw; its origin must lie on a device pixel
 * @width: in units
 * @height: in units
 *
 * Draws the busy share of the whole session, stacked by worker, every long poll as a column with a mark on top, and the
 * view as a box. O(lanes × pixels).
 */
void
pl_scene_draw_overview (const PlScene *self, cairo_t *cr, double width, double height)
{
  gint64 start_ns = self->trace != NULL ? pl_trace_get_start_ns (self->trace) : 0;
  gint64 end_ns = self->trace != NULL ? pl_trace_get_end_ns (self->trace) : 1;
  PlFrame frame;

  pl_frame_begin (&frame, self, cr, width, height, start_ns, end_ns);
  pl_frame_fill_px (&frame, frame.palette->ground, 1.0, 0, 0, frame.width_px, frame.height_px);
  pl_frame_fill_px (&frame, frame.palette->gutter, 1.0, 0, 0, frame.axis.left_px, frame.height_px);

  if (self->trace != NULL)
    {
      draw_strip (&frame);
      pl_frame_draw_span (&frame, self->range_from_ns, self->range_to_ns);
      draw_box (&frame);
      pl_frame_draw_cursor (&frame);
      draw_gutter (&frame);
    }
  pl_frame_fill_px (&frame, frame.palette->line, 1.0, 0, frame.height_px - frame.hair_px, frame.width_px,
                    frame.hair_px);
  pl_frame_end (&frame);
}
