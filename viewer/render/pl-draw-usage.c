/* pl-draw-usage.c: disk usage under the overview: usage, budget, evictions, bytes written, and how the writer was
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The time axis is the overview's. What came after the last event, as a stall does, has no place there: it gets a strip of
 * its own at the right end, a tenth at most, however long it lasted, so that both pictures stay one under the other.
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pl-frame.h"
#include "pl-usage.h"

#define PLOT_TOP 7.0
#define BAND_HEIGHT 5.0
#define PLOT_BOTTOM (BAND_HEIGHT + 4.0)
#define NAME_BASELINE 19.0
#define VALUE_BASELINE 34.0
#define EVICTION_HEIGHT 4.0
#define MARK_SIZE 6.0
#define USAGE_TINT 0.3
#define ALARM_TINT 0.14
#define DASH 4.0
#define HATCH 4.0

/* A shorter time after the last event is the way from the writer to the screen. */
#define LEAST_AFTER 0.01
#define MOST_AFTER 0.1

/* Below this share of it the budget is far off, and would press the usage flat. */
#define BUDGET_FROM 0.125
#define HEADROOM 1.1

/* Two axes, one after the other: until the last event, and after it. */
typedef struct
{
  gint64 from_ns;
  gint64 last_ns;
  gint64 now_ns;
  double left;
  double last_x;
  double right;
} Axis;

/* Of times that a trace makes up, the difference may not fit an integer. */
static double
subtract (gint64 a, gint64 b)
{
  return (double) a - (double) b;
}

static void
axis_init (Axis *self, const PlScene *scene, const PlUsage *usage, double width)
{
  double span;
  double after;

  self->from_ns = scene->trace != NULL ? pl_trace_get_start_ns (scene->trace) : usage->points[0].at_ns;
  self->last_ns = scene->trace != NULL ? pl_trace_get_end_ns (scene->trace) : usage->now_ns;
  self->last_ns = MAX (self->last_ns, self->from_ns);
  self->now_ns = MAX (usage->now_ns, self->last_ns);
  self->left = MIN (PL_SCENE_GUTTER_WIDTH, width);
  self->right = width;

  span = MAX (subtract (self->last_ns, self->from_ns), 1.0);
  after = subtract (self->now_ns, self->last_ns) / span;
  after = after > LEAST_AFTER ? MIN (after, MOST_AFTER) : 0.0;
  self->last_x = self->left + (self->right - self->left) / (1.0 + after);
}

static double
axis_to_x (const Axis *self, gint64 at_ns)
{
  double share;

  if (at_ns <= self->last_ns)
    {
      share = subtract (MAX (at_ns, self->from_ns), self->from_ns) / MAX (subtract (self->last_ns, self->from_ns), 1.0);
      return self->left + (self->last_x - self->left) * share;
    }
  share = subtract (MIN (at_ns, self->now_ns), self->last_ns) / MAX (subtract (self->now_ns, self->last_ns), 1.0);
  return self->last_x + (self->right - self->last_x) * share;
}

static gint64
axis_to_time (const Axis *self, double x)
{
  double share;

  if (x <= self->last_x || self->last_x >= self->right)
    {
      share = (x - self->left) / MAX (self->last_x - self->left, 1.0);
      return self->from_ns + (gint64) (CLAMP (share, 0.0, 1.0) * subtract (self->last_ns, self->from_ns));
    }
  share = MIN ((x - self->last_x) / (self->right - self->last_x), 1.0);
  return self->last_ns + (gint64) (share * subtract (self->now_ns, self->last_ns));
}

/**
 * Plot:
 * @top, @base: of the area, in units
 */
typedef struct
{
  PlFrame *frame;
  const PlUsage *usage;
  Axis axis;
  double top;
  double base;
} Plot;

static double
to_x (const Plot *self, gint64 at_ns)
{
  return axis_to_x (&self->axis, at_ns);
}

/* ---- the area ---- */

static guint64
find_top (const PlUsage *usage)
{
  guint64 most = 1;

  for (guint i = 0; i < usage->n_points; i++)
    most = MAX (most, usage->points[i].usage_bytes);
  return (double) most >= (double) usage->budget_bytes * BUDGET_FROM ? MAX (most, usage->budget_bytes) : most;
}

static double
to_y (const Plot *self, guint64 bytes, double most)
{
  return self->base - (self->base - self->top) * (double) bytes / (most * HEADROOM);
}

/* Each value holds until the next one. */
static void
trace_steps (const Plot *self, double most, gboolean is_written)
{
  const PlUsage *usage = self->usage;
  cairo_t *cr = self->frame->cr;

  for (guint i = 0; i < usage->n_points; i++)
    {
      const PlUsagePoint *point = &usage->points[i];
      double y = to_y (self, is_written ? point->written_bytes : point->usage_bytes, most);

      if (i > 0)
        cairo_line_to (cr, to_x (self, point->at_ns), y);
      else
        cairo_move_to (cr, to_x (self, point->at_ns), y);
      cairo_line_to (cr, to_x (self, i + 1 < usage->n_points ? usage->points[i + 1].at_ns : usage->now_ns), y);
    }
}

static void
draw_usage (const Plot *self, double most)
{
  PlFrame *frame = self->frame;
  cairo_t *cr = frame->cr;

  trace_steps (self, most, FALSE);
  cairo_line_to (cr, to_x (self, self->usage->now_ns), self->base);
  cairo_line_to (cr, to_x (self, self->usage->points[0].at_ns), self->base);
  cairo_close_path (cr);
  pl_color_set (frame->palette->queue, cr, USAGE_TINT);
  cairo_fill (cr);
  trace_steps (self, most, FALSE);
  pl_color_set (frame->palette->queue, cr, 1.0);
  cairo_set_line_width (cr, 1.0);
  cairo_stroke (cr);
}

/* On a scale of its own: that it rises is what matters. */
static void
draw_written (const Plot *self)
{
  const PlUsage *usage = self->usage;
  guint64 first = usage->points[0].written_bytes;
  guint64 last = usage->points[usage->n_points - 1].written_bytes;
  double dash = 1.5;
  cairo_t *cr = self->frame->cr;

  if (last == first)
    return;
  trace_steps (self, (double) last, TRUE);
  cairo_set_dash (cr, &dash, 1, 0.0);
  cairo_set_line_width (cr, 1.0);
  pl_color_set (self->frame->palette->text_dim, cr, 0.9);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void
draw_budget (const Plot *self, double most)
{
  double y = to_y (self, self->usage->budget_bytes, most);
  double dash = DASH;
  cairo_t *cr = self->frame->cr;

  if (self->usage->budget_bytes == 0 || (double) self->usage->budget_bytes > most)
    return;
  y = floor (y) + 0.5;
  cairo_move_to (cr, self->axis.left, y);
  cairo_line_to (cr, self->frame->width, y);
  cairo_set_dash (cr, &dash, 1, 0.0);
  cairo_set_line_width (cr, 1.0);
  pl_color_set (self->frame->palette->text_over, cr, 0.9);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0.0);
}

static void
draw_evictions (const Plot *self)
{
  const PlUsage *usage = self->usage;
  PlFrame *frame = self->frame;
  int last_x = -1;

  for (guint i = 1; i < usage->n_points; i++)
    {
      int x = pl_frame_to_px (frame, to_x (self, usage->points[i].at_ns));

      if (usage->points[i].evicted_bytes == usage->points[i - 1].evicted_bytes || x == last_x)
        continue;
      last_x = x;
      pl_frame_fill_px (frame, frame->palette->text_dim, 1.0, x, 0, frame->hair_px,
                        pl_frame_to_px (frame, EVICTION_HEIGHT));
    }
}

/* ---- how the writer was ---- */

static void
hatch (const Plot *self, double from, double to)
{
  cairo_t *cr = self->frame->cr;

  cairo_save (cr);
  cairo_rectangle (cr, from, self->frame->height - BAND_HEIGHT, to - from, BAND_HEIGHT);
  cairo_clip (cr);
  for (double x = from - BAND_HEIGHT; x < to; x += HATCH)
    {
      cairo_move_to (cr, x, self->frame->height);
      cairo_line_to (cr, x + BAND_HEIGHT, self->frame->height - BAND_HEIGHT);
    }
  cairo_set_line_width (cr, 1.0);
  pl_color_set (self->frame->palette->tick, cr, 0.8);
  cairo_stroke (cr);
  cairo_restore (cr);
}

static void
fill (const Plot *self, PlColor color, double alpha, double from, double to, double height)
{
  cairo_t *cr = self->frame->cr;

  pl_color_set (color, cr, alpha);
  cairo_rectangle (cr, from, self->frame->height - height, to - from, height);
  cairo_fill (cr);
}

static void
draw_mark (const Plot *self, double x)
{
  cairo_t *cr = self->frame->cr;

  cairo_move_to (cr, x, 0.0);
  cairo_line_to (cr, x + 2.0 * MARK_SIZE, 0.0);
  cairo_line_to (cr, x + MARK_SIZE, MARK_SIZE + 1.0);
  cairo_close_path (cr);
  pl_color_set (self->frame->palette->over, cr, 1.0);
  cairo_fill (cr);
}

static void
draw_span (const Plot *self, PlUsageMood mood, double from, double to)
{
  const PlPalette *palette = self->frame->palette;

  switch (mood)
    {
    case PL_USAGE_FINE:
      fill (self, palette->poll, 1.0, from, to, BAND_HEIGHT);
      break;
    case PL_USAGE_QUIET:
      fill (self, palette->poll, 1.0, from, to, BAND_HEIGHT / 2.0);
      break;
    case PL_USAGE_OVER:
      fill (self, palette->tick, 1.0, from, to, 1.0);
      break;
    case PL_USAGE_ALARM:
      fill (self, palette->over, ALARM_TINT, from, to, self->frame->height);
      fill (self, palette->over, 1.0, from, to, BAND_HEIGHT);
      draw_mark (self, MIN (from, self->frame->width - 2.0 * MARK_SIZE));
      break;
    case PL_USAGE_UNKNOWN:
    default:
      hatch (self, from, to);
      break;
    }
}

static void
draw_spans (const Plot *self)
{
  const PlUsage *usage = self->usage;

  for (guint i = 0; i < usage->n_spans; i++)
    {
      double from = to_x (self, usage->spans[i].from_ns);
      double to = to_x (self, i + 1 < usage->n_spans ? usage->spans[i + 1].from_ns : usage->now_ns);

      /* A stall is seen however short it was. */
      if (usage->spans[i].mood == PL_USAGE_ALARM)
        to = MAX (to, from + 2.0);
      if (to > from)
        draw_span (self, usage->spans[i].mood, from, MIN (to, self->frame->width));
    }
}

static void
draw_last_event (const Plot *self)
{
  PlFrame *frame = self->frame;

  if (self->axis.last_x < self->axis.right)
    pl_frame_fill_px (frame, frame->palette->tick, 1.0, pl_frame_to_px (frame, self->axis.last_x), 0, frame->hair_px,
                      frame->height_px);
}

static void
draw_gutter (const Plot *self)
{
  PlFrame *frame = self->frame;
  const PlUsage *usage = self->usage;
  double room = self->axis.left - PL_FRAME_MARGIN;
  g_autofree char *size = g_format_size (usage->points[usage->n_points - 1].usage_bytes);
  g_autofree char *budget = g_format_size (usage->budget_bytes);
  /* Translators: how much is on disk, and how much there may be */
  g_autofree char *value = usage->budget_bytes > 0 ? g_strdup_printf (_("%s of %s"), size, budget) : g_strdup (size);

  pl_text_draw (&frame->text, PL_TEXT_NAME, frame->palette->text, PL_FRAME_MARGIN, NAME_BASELINE, room,
                _("Disk usage"));
  pl_text_draw (&frame->text, PL_TEXT_VALUE, frame->palette->text_dim, PL_FRAME_MARGIN, VALUE_BASELINE, room, value);
}

/**
 * pl_scene_draw_usage:
 * @self: a scene
 * @usage: with one point or more
 * @cr: where to draw; its origin must lie on a device pixel
 * @width: in units
 * @height: in units
 *
 * Draws disk usage over time with the budget as a dashed line, evictions as ticks at the top, bytes written as a dotted
 * line, and below it how the writer was. O(points + pixels).
 */
void
pl_scene_draw_usage (const PlScene *self, const PlUsage *usage, cairo_t *cr, double width, double height)
{
  PlFrame frame;
  Plot plot = { .frame = &frame, .usage = usage, .top = PLOT_TOP, .base = height - PLOT_BOTTOM };
  double most = (double) find_top (usage);

  axis_init (&plot.axis, self, usage, width);
  pl_frame_begin (&frame, self, cr, width, height, plot.axis.from_ns, plot.axis.last_ns);
  pl_frame_fill_px (&frame, frame.palette->ground, 1.0, 0, 0, frame.width_px, frame.height_px);

  draw_usage (&plot, most);
  draw_written (&plot);
  draw_budget (&plot, most);
  draw_evictions (&plot);
  draw_spans (&plot);
  draw_last_event (&plot);

  pl_frame_fill_px (&frame, frame.palette->gutter, 1.0, 0, 0, frame.axis.left_px, frame.height_px);
  draw_gutter (&plot);
  pl_frame_fill_px (&frame, frame.palette->line, 1.0, 0, frame.height_px - frame.hair_px, frame.width_px, frame.hair_px);
  pl_frame_end (&frame);
}

/**
 * pl_scene_usage_x_to_time:
 *
 * Returns: the time at @x, where the same scene and usage are drawn
 */
gint64
pl_scene_usage_x_to_time (const PlScene *self, const PlUsage *usage, double width, double x)
{
  Axis axis;

  axis_init (&axis, self, usage, width);
  return axis_to_time (&axis, x);
}
