/* pl-draw-lane.c: the pixels of one lane: bands, long polls and their marks, queue line
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Drawn in this order, so that zooming out may hide an ordinary poll but never a long one, and no poll the selected one:
 * ordinary, long, selected.
 */
#include "config.h"

#include <math.h>
#include <string.h>

#include "pl-draw-private.h"
#include "pl-marks.h"

#define BAR_MIN_WIDTH 6.0 /* from here on a poll is a bar with edges of its own */
#define QUEUE_BOTTOM 5.0  /* above the lane's lower edge */
#define QUEUE_HEIGHT 11.0
#define QUEUE_LEAST_MAX 4 /* a queue of one is a small step, not a full one */
#define SEAM_TINT 0.5     /* of the ground, over the first pixel of a bar that follows another without a gap */
#define SEAM_LEAST_SHARE 0.9

/**
 * Band: one of the two rows of a lane that polls are drawn in
 */
typedef struct
{
  int top;
  int height;
  guint poll_flag;
  guint long_flag;
  guint open_flag;
  gboolean is_detached;
} Band;

/* Writes one line of the band and repeats it. */
static void
fill_band (PlPlot *plot, const Band *band)
{
  PlRaster *raster = &plot->raster;
  const PlColumns *columns = plot->columns;
  const PlPalette *palette = plot->frame->palette;
  PlColor open_color = pl_color_mix (palette->ground, palette->poll, PL_PALETTE_OPEN_TINT);
  guint32 *line = raster->pixels + (gsize) band->top * (gsize) raster->stride;

  for (int i = 0; i < columns->n_columns; i++)
    {
      const PlColumn *column = &columns->columns[i];

      if (!band->is_detached)
        line[i] = column->color;
      else if (column->flags & band->poll_flag)
        line[i] = palette->poll;
      else if (column->flags & band->open_flag)
        line[i] = open_color;
    }
  for (int row = 1; row < band->height; row++)
    memcpy (line + (gsize) row * (gsize) raster->stride, line, (gsize) columns->n_columns * sizeof *line);
}

/* Calls for every run of columns that have @flag. */
static void
foreach_run (const PlColumns *columns, guint flag, void (*func) (PlPlot *, const Band *, int, int), PlPlot *plot,
             const Band *band)
{
  for (int i = 0; i < columns->n_columns; i++)
    if (columns->columns[i].flags & flag)
      {
        int first = i;

        while (i < columns->n_columns && columns->columns[i].flags & flag)
          i++;
        func (plot, band, first, i);
      }
}

static void
hatch_run (PlPlot *plot, const Band *band, int first, int end)
{
  pl_raster_hatch (&plot->raster, first, band->top, end - first, band->height, plot->frame->palette->no_data);
}

static void
raise_long_run (PlPlot *plot, const Band *band, int first, int end)
{
  int outstand = pl_plot_to_px (plot, PL_LONG_OUTSTAND);

  pl_raster_fill (&plot->raster, first, band->top - outstand, end - first, band->height + 2 * outstand,
                  plot->frame->palette->over);
}

/* The right edge of an open poll: it has no end, only data that stop. */
static void
dash_open_edge (PlPlot *plot, const Band *band, int first, int end)
{
  PlRaster *raster = &plot->raster;
  const PlPalette *palette = plot->frame->palette;
  gboolean is_long = (plot->columns->columns[end - 1].flags & band->long_flag) != 0;
  int dash = pl_plot_to_px (plot, 4.0);
  int width = 2 * raster->unit;

  /* The poll goes on beyond the view. */
  if (end == plot->columns->n_columns && end - first > width)
    return;
  pl_raster_fill (raster, end - width, band->top, width, band->height, plot->frame->palette->ground);
  for (int y = 0; y < band->height; y += 2 * dash)
    pl_raster_fill (raster, end - width, band->top + y, width, MIN (dash, band->height - y),
                    is_long ? palette->over : palette->poll);
}

static void
draw_marks (PlPlot *plot, const Band *band, const GArray *long_bars)
{
  const PlColumns *columns = plot->columns;
  g_autofree guint8 *flags = g_new (guint8, columns->n_columns);
  int tip = band->top - pl_plot_to_px (plot, PL_LONG_OUTSTAND);

  for (int i = 0; i < columns->n_columns; i++)
    flags[i] = columns->columns[i].flags;
  pl_marks_draw (&plot->raster, flags, (guint8) band->long_flag, columns->n_columns, long_bars, tip,
                 pl_plot_to_px (plot, PL_MARK_HEIGHT), plot->frame->palette->over);
}

/* Whether polls fill the column before a bar, so that nothing would tell the two apart. */
static gboolean
follows_closely (const PlPlot *plot, const Band *band, const PlBar *bar)
{
  const PlColumn *before;

  if (bar->first <= 0)
    return FALSE;
  before = &plot->columns->columns[bar->first - 1];
  return (before->flags & band->poll_flag) != 0 && (band->is_detached || before->share > SEAM_LEAST_SHARE);
}

static void
draw_seams (PlPlot *plot, const Band *band, const GArray *bars)
{
  const PlPalette *palette = plot->frame->palette;

  for (guint i = 0; i < bars->len; i++)
    {
      const PlBar *bar = &g_array_index (bars, PlBar, i);
      gboolean is_long = pl_poll_is_long (&bar->poll, plot->frame->scene->threshold_ns);
      int outstand = is_long ? pl_plot_to_px (plot, PL_LONG_OUTSTAND) : 0;

      if (follows_closely (plot, band, bar))
        pl_raster_fill (&plot->raster, bar->first, band->top - outstand, plot->raster.unit,
                        band->height + 2 * outstand,
                        pl_color_mix (is_long ? palette->over : palette->poll, palette->ground, SEAM_TINT));
    }
}

/* Repaints the selected poll, which a long one in the same column may hide. */
static void
fill_selected (PlPlot *plot, const Band *band)
{
  const PlScene *scene = plot->frame->scene;
  const PlPalette *palette = plot->frame->palette;
  const PlAxis *axis = &plot->frame->axis;
  const PlPoll *poll = scene->selected;
  int outstand = pl_poll_is_long (poll, scene->threshold_ns) ? pl_plot_to_px (plot, PL_LONG_OUTSTAND) : 0;
  int first, end;

  pl_poll_locate (poll, axis, &first, &end);
  first = MAX (first, 0);
  if (end <= first || poll->flags & PL_POLL_OPEN)
    return;
  pl_raster_fill (&plot->raster, first, band->top - outstand, end - first, band->height + 2 * outstand,
                  outstand > 0 ? palette->over : palette->poll);
}

static GArray *
select_bars (const GArray *bars, gboolean is_detached, gint64 threshold_ns)
{
  GArray *selected = g_array_new (FALSE, FALSE, sizeof (PlBar));

  for (guint i = 0; i < bars->len; i++)
    {
      const PlBar *bar = &g_array_index (bars, PlBar, i);

      if (((bar->poll.flags & PL_POLL_DETACHED) != 0) == is_detached
          && (threshold_ns < 0 || pl_poll_is_long (&bar->poll, threshold_ns)))
        g_array_append_val (selected, *bar);
    }
  return selected;
}

static gboolean
find_gap (gconstpointer lane, gint64 from_ns, gint64 to_ns, PlGap *out_gap)
{
  return pl_lane_find_gap (lane, from_ns, to_ns, out_gap);
}

static void
draw_band (PlPlot *plot, const PlLane *lane, const Band *band, const GArray *all_bars)
{
  const PlScene *scene = plot->frame->scene;
  const PlPoll *selected = scene->selected;
  g_autoptr(GArray) bars = select_bars (all_bars, band->is_detached, -1);
  g_autoptr(GArray) long_bars = select_bars (bars, band->is_detached, MAX (scene->threshold_ns, 0));

  fill_band (plot, band);
  if (!band->is_detached)
    {
      foreach_run (plot->columns, PL_COLUMN_NO_DATA, hatch_run, plot, band);
      pl_draw_gaps (plot->frame, &plot->raster, find_gap, lane, band->top, band->height);
    }
  foreach_run (plot->columns, band->long_flag, raise_long_run, plot, band);
  foreach_run (plot->columns, band->open_flag, dash_open_edge, plot, band);
  draw_seams (plot, band, bars);
  draw_marks (plot, band, long_bars);

  if (selected != NULL && selected->worker == pl_lane_get_worker (lane)
      && ((selected->flags & PL_POLL_DETACHED) != 0) == band->is_detached)
    fill_selected (plot, band);
}

static void
draw_queue (PlPlot *plot)
{
  PlRaster *raster = &plot->raster;
  const PlColumns *columns = plot->columns;
  PlColor color = plot->frame->palette->queue;
  int bottom = plot->height_px - pl_plot_to_px (plot, QUEUE_BOTTOM);
  int height = pl_plot_to_px (plot, QUEUE_HEIGHT);
  int most = MAX (columns->max_queue, QUEUE_LEAST_MAX);
  int last_y = -1;

  for (int i = 0; i < columns->n_columns; i++)
    {
      int queue = columns->columns[i].queue;
      int y = bottom - (height * queue + most / 2) / most;

      if (queue < 0)
        {
          last_y = -1;
          continue;
        }
      if (last_y >= 0)
        pl_raster_fill (raster, i, MIN (y, last_y), raster->unit, ABS (y - last_y) + raster->unit, color);
      pl_raster_fill (raster, i, y, 1, raster->unit, color);
      last_y = y;
    }
}

/* An open poll is no finished poll, so it is not among the bars yet; it ends where the data do. */
static void
add_open_bar (PlPlot *plot, const PlLane *lane, GArray *bars)
{
  PlTrace *trace = plot->frame->scene->trace;
  const PlAxis *axis = &plot->frame->axis;
  PlBar bar;

  if (plot->columns->open_ns == 0 || !pl_lane_find_poll (lane, pl_trace_get_end_ns (trace) - 1, 0, &bar.poll)
      || (bar.poll.flags & PL_POLL_OPEN) == 0)
    return;

  pl_poll_locate (&bar.poll, axis, &bar.first, &bar.end);
  bar.first = MAX (bar.first, 0);
  if (bar.end - bar.first >= pl_plot_to_px (plot, BAR_MIN_WIDTH))
    g_array_append_val (bars, bar);
}

/**
 * pl_draw_lane:
 * @plot: the lane's row
 * @lane: the lane
 *
 * Draws everything of a lane that lies on the time axis.
 */
void
pl_draw_lane (PlPlot *plot, const PlLane *lane)
{
  PlFrame *frame = plot->frame;
  const PlPoll *selected = frame->scene->selected;
  const Band band = { pl_plot_to_px (plot, PL_BAND_TOP), pl_plot_to_px (plot, PL_BAND_HEIGHT), PL_COLUMN_POLL,
                      PL_COLUMN_LONG, PL_COLUMN_OPEN, FALSE };
  const Band detached = { pl_plot_to_px (plot, PL_DETACHED_TOP), pl_plot_to_px (plot, PL_DETACHED_HEIGHT),
                          PL_COLUMN_DETACHED, PL_COLUMN_DETACHED_LONG, PL_COLUMN_DETACHED_OPEN, TRUE };
  g_autoptr(GArray) bars = pl_columns_dup_bars (&frame->axis, lane, pl_plot_to_px (plot, BAR_MIN_WIDTH), 0);

  plot->columns = pl_frame_get_columns (frame, lane);
  add_open_bar (plot, lane, bars);

  pl_raster_begin (&plot->raster, frame->palette->ground);
  draw_band (plot, lane, &band, bars);
  if (pl_lane_has_detached (lane))
    draw_band (plot, lane, &detached, bars);
  draw_queue (plot);
  pl_raster_paint (&plot->raster, frame->cr, frame->axis.scale, frame->axis.left_px, plot->top_px, plot->height_px);

  pl_draw_bar_labels (plot, bars);
  if (selected != NULL && selected->worker == pl_lane_get_worker (lane))
    pl_draw_selection (plot, selected);
}
