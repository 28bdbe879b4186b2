/* pl-draw-bars.c: what is written into bars, and the outline of the selected one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "pl-draw-private.h"
#include "pl-duration.h"

#define LABEL_MIN_WIDTH 44.0 /* of a bar, before its text is even measured */
#define LABEL_MARGIN 7.0
#define LABEL_GAP 14.0
#define LABEL_BASELINE 17.5 /* below the band's top */
#define LABEL_FADE 24.0
#define OUTLINE_WIDTH 2.0
#define OUTLINE_RADIUS 3.0

/* `src/../../workloads.rs:90:29` → `workloads.rs:90:29` */
static const char *
shorten_location (const char *location)
{
  const char *slash = strrchr (location, '/');
  const char *backslash = strrchr (location, '\\');

  if (slash == NULL || (backslash != NULL && backslash > slash))
    slash = backslash;
  return slash != NULL ? slash + 1 : location;
}

/* White on the bar's own colour would miss 4.5 : 1 by a little: the ground of the text is a shade darker and fades out
 * behind it. */
static void
draw_label_ground (PlPlot *plot, PlColor ground, double left, double right, double end)
{
  cairo_t *cr = plot->frame->cr;
  double top = pl_plot_to_y (plot, PL_BAND_TOP);
  double bottom = pl_plot_to_y (plot, PL_BAND_TOP + PL_BAND_HEIGHT);
  double fade_end = MIN (right + LABEL_FADE, end);

  pl_color_set (ground, cr, 1.0);
  cairo_rectangle (cr, left, top, MIN (right, end) - left, bottom - top);
  cairo_fill (cr);

  if (fade_end > right)
    {
      cairo_pattern_t *fade = cairo_pattern_create_linear (right, 0.0, fade_end, 0.0);
      double red = (ground >> 16 & 0xff) / 255.0;
      double green = (ground >> 8 & 0xff) / 255.0;
      double blue = (ground & 0xff) / 255.0;

      cairo_pattern_add_color_stop_rgba (fade, 0.0, red, green, blue, 1.0);
      cairo_pattern_add_color_stop_rgba (fade, 1.0, red, green, blue, 0.0);
      cairo_set_source (cr, fade);
      cairo_rectangle (cr, right, top, fade_end - right, bottom - top);
      cairo_fill (cr);
      cairo_pattern_destroy (fade);
    }
}

static char *
format_duration (const PlPoll *poll)
{
  g_autofree char *duration = pl_duration_format (poll->duration_ns);

  if (poll->flags & PL_POLL_OPEN)
    /* Translators: an open poll, whose end is not in the data; %s is the least it lasted, as "12 ms" */
    return g_strdup_printf (_("open, ≥ %s"), duration);
  if (poll->flags & PL_POLL_CUT_OFF)
    /* Translators: the end of the poll was lost; %s is the least it lasted, as "12 ms" */
    return g_strdup_printf (_("≥ %s"), duration);
  return g_steal_pointer (&duration);
}

static void
draw_label (PlPlot *plot, const PlBar *bar)
{
  PlFrame *frame = plot->frame;
  const PlPalette *palette = frame->palette;
  gboolean is_long = pl_poll_is_long (&bar->poll, frame->scene->threshold_ns);
  gboolean is_open = (bar->poll.flags & PL_POLL_OPEN) != 0;
  PlColor ground = is_long ? palette->label_on_over : palette->label_on_poll;
  PlColor color = is_open && !is_long ? palette->text : palette->label;
  const char *location = shorten_location (pl_trace_get_string (frame->scene->trace, bar->poll.spawn_loc));
  g_autofree char *duration = format_duration (&bar->poll);
  double left = (frame->axis.left_px + bar->first) / frame->axis.scale;
  double end = (frame->axis.left_px + bar->end) / frame->axis.scale;
  double baseline = pl_plot_to_y (plot, PL_BAND_TOP + LABEL_BASELINE);
  double x = left + LABEL_MARGIN;
  double duration_width = pl_text_prepare (&frame->text, PL_TEXT_STRONG, duration);
  double location_width;

  if (x + duration_width + LABEL_MARGIN > end)
    return;
  if (ground != (is_long ? palette->over : palette->poll) && !is_open)
    draw_label_ground (plot, ground, left, x + duration_width + LABEL_MARGIN, end);
  pl_text_show (&frame->text, color, x, baseline);

  x += duration_width + LABEL_GAP;
  if (x + LABEL_MIN_WIDTH > end)
    return;
  location_width = pl_text_prepare (&frame->text, PL_TEXT_VALUE, location);
  if (x + location_width + LABEL_MARGIN > end)
    return;
  if (ground != (is_long ? palette->over : palette->poll) && !is_open)
    draw_label_ground (plot, ground, x - LABEL_GAP + LABEL_MARGIN, x + location_width + LABEL_MARGIN, end);
  pl_text_show (&frame->text, color, x, baseline);
}

/**
 * pl_draw_bar_labels:
 * @plot: the lane's row
 * @bars: (element-type PlBar): its bars
 *
 * Writes duration and spawn location into the bars of the main row that have the room.
 */
void
pl_draw_bar_labels (PlPlot *plot, const GArray *bars)
{
  int min_columns = pl_plot_to_px (plot, LABEL_MIN_WIDTH);

  for (guint i = 0; i < bars->len; i++)
    {
      const PlBar *bar = &g_array_index (bars, PlBar, i);

      if ((bar->poll.flags & PL_POLL_DETACHED) == 0 && bar->end - bar->first >= min_columns)
        draw_label (plot, bar);
    }
}

static void
trace_round_rectangle (cairo_t *cr, double x, double y, double width, double height, double radius)
{
  double r = MIN (radius, MIN (width, height) / 2.0);

  cairo_new_sub_path (cr);
  cairo_arc (cr, x + width - r, y + r, r, -G_PI_2, 0.0);
  cairo_arc (cr, x + width - r, y + height - r, r, 0.0, G_PI_2);
  cairo_arc (cr, x + r, y + height - r, r, G_PI_2, G_PI);
  cairo_arc (cr, x + r, y + r, r, G_PI, 1.5 * G_PI);
  cairo_close_path (cr);
}

/**
 * pl_draw_selection:
 * @plot: the lane's row
 * @poll: the selected poll, one of this lane
 *
 * Outlines @poll; it stays visible where the poll is narrower than the outline.
 */
void
pl_draw_selection (PlPlot *plot, const PlPoll *poll)
{
  PlFrame *frame = plot->frame;
  const PlAxis *axis = &frame->axis;
  cairo_t *cr = frame->cr;
  gboolean is_detached = (poll->flags & PL_POLL_DETACHED) != 0;
  double top = is_detached ? PL_DETACHED_TOP : PL_BAND_TOP;
  double height = is_detached ? PL_DETACHED_HEIGHT : PL_BAND_HEIGHT;
  double out = OUTLINE_WIDTH / 2.0;
  double x, y, right, bottom;
  int first, end;

  pl_poll_locate (poll, axis, &first, &end);
  if (end <= 0 || first >= axis->n_columns)
    return;
  if (pl_poll_is_long (poll, frame->scene->threshold_ns))
    {
      top -= PL_LONG_OUTSTAND;
      height += 2 * PL_LONG_OUTSTAND;
    }

  /* An edge outside of the view is drawn outside of it. */
  x = (axis->left_px + MAX (first, -8)) / axis->scale - out;
  right = (axis->left_px + (pl_axis_time_to_x (axis, pl_poll_end_ns (poll)) * axis->scale
                            > axis->left_px + axis->n_columns ? end + 8 : end)) / axis->scale + out;
  y = pl_plot_to_y (plot, top) - out;
  bottom = pl_plot_to_y (plot, top + height) + out;

  cairo_save (cr);
  cairo_rectangle (cr, axis->left_px / axis->scale - OUTLINE_WIDTH, 0.0, frame->width, frame->height);
  cairo_clip (cr);
  cairo_set_line_width (cr, OUTLINE_WIDTH);
  trace_round_rectangle (cr, x, y, right - x, bottom - y, OUTLINE_RADIUS);
  pl_color_set (frame->palette->selection, cr, 1.0);
  cairo_stroke (cr);
  cairo_restore (cr);
}
