/* pl-draw-gutter.c: the labels at the left of lanes and runtimes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "pl-draw-private.h"
#include "pl-duration.h"

#define NAME_BASELINE 20.0
#define BUSY_BASELINE 34.5
#define LONGEST_BASELINE 48.5
#define DETACHED_BASELINE 62.0
#define HEADER_BASELINE 16.5
#define GUTTER_PADDING 6.0

static char *
format_busy (const PlColumns *columns)
{
  double percent;

  if (columns->known_ns <= 0)
    return g_strdup (_("no data in view"));

  percent = 100.0 * (double) columns->polling_ns / (double) columns->known_ns;
  if (percent > 0.0 && percent < 1.0)
    return g_strdup (_("busy < 1 %"));
  /* Translators: share of the visible time that a worker spent in polls */
  return g_strdup_printf (_("busy %.0f %%"), CLAMP (percent, 0.0, 100.0));
}

static char *
format_longest (const PlColumns *columns)
{
  g_autofree char *duration = pl_duration_format (MAX (columns->longest_ns, columns->open_ns));

  if (columns->open_ns > MAX (columns->longest_ns, 0))
    /* Translators: a poll that has no end in the data; %s is the least it lasted, as "12 ms" */
    return g_strdup_printf (_("open, ≥ %s"), duration);
  if (columns->longest_ns < 0)
    return g_strdup (_("no polls"));
  /* Translators: the longest poll of the visible time; %s is a duration */
  return g_strdup_printf (_("longest %s"), duration);
}

/* The deepest local queue of the view, in the colour of its line, where the name leaves room. */
static void
draw_queue_label (PlPlot *plot, double name_right, double right)
{
  PlFrame *frame = plot->frame;
  g_autofree char *text = NULL;
  double width;

  if (plot->columns->max_queue <= 0)
    return;
  /* Translators: the deepest local queue of the visible time; keep it very short, there is room for six letters */
  text = g_strdup_printf (_("q:%d"), plot->columns->max_queue);
  width = pl_text_prepare (&frame->text, PL_TEXT_VALUE, text);
  if (right - width > name_right + GUTTER_PADDING)
    pl_text_show (&frame->text, frame->palette->queue, right - width, pl_plot_to_y (plot, NAME_BASELINE));
}

/**
 * pl_draw_lane_gutter:
 * @plot: the lane's row, after pl_draw_lane()
 * @lane: the lane
 *
 * Names the worker, the share of the view it was busy, and its longest poll of the view.
 */
void
pl_draw_lane_gutter (PlPlot *plot, const PlLane *lane)
{
  PlFrame *frame = plot->frame;
  const PlPalette *palette = frame->palette;
  const PlColumns *columns = plot->columns;
  double right = frame->axis.left_px / frame->axis.scale - GUTTER_PADDING;
  double room = right - PL_FRAME_MARGIN;
  gboolean is_over = columns->longest_ns >= MAX (frame->scene->threshold_ns, 0)
                     && columns->longest_ns >= columns->open_ns && columns->longest_ns >= 0;
  g_autofree char *name = g_strdup_printf (_("worker %" PRIu64), pl_lane_get_worker (lane));
  g_autofree char *busy = format_busy (columns);
  g_autofree char *longest = format_longest (columns);
  double width;

  width = pl_text_draw (&frame->text, PL_TEXT_NAME, palette->text, PL_FRAME_MARGIN,
                        pl_plot_to_y (plot, NAME_BASELINE), room, name);
  draw_queue_label (plot, PL_FRAME_MARGIN + width, right);
  pl_text_draw (&frame->text, PL_TEXT_VALUE, palette->text_dim, PL_FRAME_MARGIN, pl_plot_to_y (plot, BUSY_BASELINE),
                room, busy);
  if (columns->known_ns > 0)
    pl_text_draw (&frame->text, PL_TEXT_VALUE, is_over ? palette->text_over : palette->text_dim, PL_FRAME_MARGIN,
                  pl_plot_to_y (plot, LONGEST_BASELINE), room, longest);
  if (pl_lane_has_detached (lane))
    /* Translators: polls whose thread handed its worker over while they ran, as Tokio's block_in_place does */
    pl_text_draw (&frame->text, PL_TEXT_VALUE, palette->text_dim, PL_FRAME_MARGIN,
                  pl_plot_to_y (plot, DETACHED_BASELINE), room, _("handed over"));
}

static void
draw_caret (PlPlot *plot, gboolean is_collapsed)
{
  cairo_t *cr = plot->frame->cr;
  double x = PL_FRAME_MARGIN;
  double y = pl_plot_to_y (plot, PL_ROW_RUNTIME_HEIGHT / 2.0);

  if (is_collapsed)
    {
      cairo_move_to (cr, x + 1.0, y - 4.0);
      cairo_line_to (cr, x + 6.5, y);
      cairo_line_to (cr, x + 1.0, y + 4.0);
    }
  else
    {
      cairo_move_to (cr, x - 0.5, y - 2.5);
      cairo_line_to (cr, x + 7.5, y - 2.5);
      cairo_line_to (cr, x + 3.5, y + 3.0);
    }
  cairo_close_path (cr);
  pl_color_set (plot->frame->palette->text, cr, 1.0);
  cairo_fill (cr);
}

/* A folded runtime still shows its long polls (promise 4: no long poll is invisible). */
static void
draw_folded_lanes (PlPlot *plot, const PlRuntime *runtime)
{
  PlFrame *frame = plot->frame;
  PlRaster *raster = &plot->raster;
  int top = pl_plot_to_px (plot, 6.0);
  int height = plot->height_px - 2 * top;

  pl_raster_begin (raster, frame->palette->header);
  for (guint i = 0; i < runtime->n_lanes; i++)
    {
      const PlLane *lane = pl_trace_get_lane (frame->scene->trace, runtime->first_lane + i);

      const PlColumns *columns = pl_frame_get_columns (frame, lane);

      for (int column = 0; column < columns->n_columns; column++)
        if (columns->columns[column].flags & (PL_COLUMN_LONG | PL_COLUMN_DETACHED_LONG))
          pl_raster_fill (raster, column, top, 1, height, frame->palette->over);
    }
  pl_raster_paint (raster, frame->cr, frame->axis.scale, frame->axis.left_px, plot->top_px, plot->height_px);
}

/**
 * pl_draw_runtime:
 * @plot: the row
 * @index: of the runtime
 *
 * Draws the header of a runtime.
 */
void
pl_draw_runtime (PlPlot *plot, guint index)
{
  PlFrame *frame = plot->frame;
  const PlPalette *palette = frame->palette;
  guint n_runtimes;
  const PlRuntime *runtime = &pl_trace_get_runtimes (frame->scene->trace, &n_runtimes)[index];
  gboolean is_collapsed = frame->scene->collapsed != NULL && frame->scene->collapsed[index] != 0;
  g_autofree char *n_workers = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u worker", "%u workers",
                                                             runtime->n_lanes),
                                                runtime->n_lanes);
  double left = frame->axis.left_px / frame->axis.scale;
  double baseline = pl_plot_to_y (plot, HEADER_BASELINE);
  double width;

  pl_frame_fill_px (frame, palette->header, 1.0, 0, plot->top_px, frame->width_px, plot->height_px);
  if (is_collapsed)
    draw_folded_lanes (plot, runtime);

  draw_caret (plot, is_collapsed);
  width = pl_text_prepare (&frame->text, PL_TEXT_VALUE, n_workers);
  if (!is_collapsed)
    {
      pl_text_show (&frame->text, palette->text_dim, left + PL_FRAME_MARGIN, baseline);
      width = 0.0;
    }
  else
    {
      pl_text_show (&frame->text, palette->text_dim, left - GUTTER_PADDING - width, baseline);
      width += GUTTER_PADDING;
    }
  pl_text_draw (&frame->text, PL_TEXT_NAME, palette->text, PL_FRAME_MARGIN + 12.0, baseline,
                left - GUTTER_PADDING - width - PL_FRAME_MARGIN - 12.0,
                runtime->name[0] != '\0' ? runtime->name : _("no runtime named"));
}
