/* pl-draw-queues.c: tracks of the global queue and of the tasks alive
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "pl-draw-private.h"

#define PLOT_TOP 7.0
#define PLOT_BOTTOM 6.0
#define NAME_BASELINE 18.0
#define VALUE_BASELINE 33.0
#define FILL_TINT 0.3 /* of the line's colour, over the ground */
#define LEAST_TOP 4   /* a single waiting task is a low step, not a wall */

typedef gint64 (*GetDepth) (const PlQueueSlice *slice);

static gint64
get_depth (const PlQueueSlice *slice)
{
  return slice->max_depth;
}

static gint64
get_alive (const PlQueueSlice *slice)
{
  return slice->max_alive;
}

static gint64
find_maximum (const PlQueueSlice *slices, int n_slices, GetDepth get)
{
  gint64 most = -1;

  for (int i = 0; i < n_slices; i++)
    most = MAX (most, get (&slices[i]));
  return most;
}

/* The next round value, so that the scale stays while the view moves a little. */
static gint64
round_up (gint64 value)
{
  static const int tenths[] = { 10, 12, 15, 20, 25, 30, 40, 50, 60, 80 };

  for (gint64 decade = 1; decade <= G_MAXINT64 / 100; decade *= 10)
    for (gsize i = 0; i < G_N_ELEMENTS (tenths); i++)
      if (decade * tenths[i] / 10 >= value)
        return decade * tenths[i] / 10;
  return value;
}

static void
draw_area (PlPlot *plot, const PlQueueSlice *slices, GetDepth get, gint64 most, PlColor color)
{
  const PlAxis *axis = &plot->frame->axis;
  const PlPalette *palette = plot->frame->palette;
  PlRaster *raster = &plot->raster;
  int base = plot->height_px - pl_plot_to_px (plot, PLOT_BOTTOM);
  int room = base - pl_plot_to_px (plot, PLOT_TOP);
  double top = (double) round_up (MAX (most, LEAST_TOP));
  PlColor fill = pl_color_mix (palette->ground, color, FILL_TINT);
  int last_y = -1;

  for (int i = 0; i < axis->n_columns; i++)
    {
      gint64 value = get (&slices[pl_axis_get_slice (axis, i)]);
      int y = base - (int) (room * (double) value / top + 0.5);

      if (value < 0)
        {
          pl_raster_hatch (raster, i, base - room, 1, room, palette->no_data);
          last_y = -1;
          continue;
        }
      pl_raster_fill (raster, i, y, 1, base - y, fill);
      pl_raster_fill (raster, i, y, 1, raster->unit, color);
      if (last_y >= 0 && last_y != y)
        pl_raster_fill (raster, i, MIN (y, last_y), raster->unit, ABS (y - last_y), color);
      last_y = y;
    }
  pl_raster_fill (raster, 0, base, axis->n_columns, raster->unit, palette->line);
}

static void
draw_sentence (PlPlot *plot, const char *sentence)
{
  PlFrame *frame = plot->frame;
  double left = frame->axis.left_px / frame->axis.scale + PL_FRAME_MARGIN;

  pl_text_draw (&frame->text, PL_TEXT_VALUE, frame->palette->text_dim, left,
                pl_plot_to_y (plot, PL_ROW_TRACK_HEIGHT / 2.0 + 4.0), MAX (frame->width - left, 0.0), sentence);
}

static void
draw_gutter (PlPlot *plot, const char *name, const char *value)
{
  PlFrame *frame = plot->frame;
  double room = frame->axis.left_px / frame->axis.scale - PL_FRAME_MARGIN;

  pl_text_draw (&frame->text, PL_TEXT_NAME, frame->palette->text, PL_FRAME_MARGIN,
                pl_plot_to_y (plot, NAME_BASELINE), room, name);
  pl_text_draw (&frame->text, PL_TEXT_VALUE, frame->palette->text_dim, PL_FRAME_MARGIN,
                pl_plot_to_y (plot, VALUE_BASELINE), room, value);
}

/* Draws a track and returns the largest value in view, -1 when nothing was recorded there. */
static gint64
draw_track (PlPlot *plot, guint index, GetDepth get, PlColor color, const char *not_recorded)
{
  PlFrame *frame = plot->frame;
  const PlAxis *axis = &frame->axis;
  PlTrace *trace = frame->scene->trace;
  g_autofree PlQueueSlice *slices = NULL;
  gint64 whole[2] = { -1, -1 };
  gint64 most;

  if (index < pl_trace_get_n_queues (trace))
    pl_trace_get_queue_maxima (trace, index, &whole[0], &whole[1]);
  if (get (&(PlQueueSlice){ whole[0], whole[1] }) < 0)
    {
      draw_sentence (plot, not_recorded);
      return -1;
    }

  slices = g_new (PlQueueSlice, axis->n_slices);
  pl_trace_get_queue_slices (trace, index, axis->from_ns, axis->from_ns + axis->span_ns, (guint) axis->n_slices,
                             slices);
  most = find_maximum (slices, axis->n_slices, get);

  pl_raster_begin (&plot->raster, frame->palette->ground);
  draw_area (plot, slices, get, most, color);
  pl_raster_paint (&plot->raster, frame->cr, axis->scale, axis->left_px, plot->top_px, plot->height_px);
  return most;
}

/* Several runtimes have a track each, which then says whose it is. */
static char *
format_value (PlPlot *plot, guint index, gint64 most)
{
  PlTrace *trace = plot->frame->scene->trace;
  guint n_queues = pl_trace_get_n_queues (trace);
  const char *name = index < n_queues ? pl_trace_get_queue_name (trace, index) : "";

  if (most < 0)
    return g_strdup (_("not recorded"));
  if (name[0] != '\0' && n_queues > 1)
    /* Translators: the largest number of the visible time, and the name of a runtime */
    return g_strdup_printf (_("max %" PRId64 " · %s"), most, name);
  /* Translators: the largest number of the visible time */
  return g_strdup_printf (_("max %" PRId64), most);
}

/**
 * pl_draw_global_queue:
 * @plot: the row
 * @index: of the queue
 *
 * Draws how many tasks waited in a runtime's global queue.
 */
void
pl_draw_global_queue (PlPlot *plot, guint index)
{
  gint64 most = draw_track (plot, index, get_depth, plot->frame->palette->queue,
                            _("The trace has no samples of the global queue."));
  g_autofree char *value = format_value (plot, index, most);

  draw_gutter (plot, _("Global queue"), value);
}

/**
 * pl_draw_alive_tasks:
 * @plot: the row
 * @index: of the queue
 *
 * Draws how many tasks of a runtime were alive.
 */
void
pl_draw_alive_tasks (PlPlot *plot, guint index)
{
  gint64 most = draw_track (plot, index, get_alive, plot->frame->palette->accent,
                            _("The trace does not say how many tasks were alive."));
  g_autofree char *value = format_value (plot, index, most);

  draw_gutter (plot, _("Alive tasks"), value);
}
