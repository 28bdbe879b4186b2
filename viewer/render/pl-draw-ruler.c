/* pl-draw-ruler.c: the ruler above the lanes, in relative or in wall time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "pl-draw-private.h"
#include "pl-duration.h"
#include "pl-ticks.h"

#define LABEL_DISTANCE 100.0 /* about, between two labels */
#define LABEL_GAP 14.0       /* at least, after a label */
#define LABEL_BASELINE 16.0
#define LABEL_OFFSET 4.0     /* right of its tick */
#define CHIP_TOP 2.0
#define CHIP_HEIGHT 18.0
#define CHIP_MARGIN 6.0
#define MAJOR_HEIGHT 9.0
#define MINOR_HEIGHT 4.0

/**
 * Ruler: which instants have ticks and how they are named
 * @origin_ns: trace time of offset 0
 * @zero_ns: what is added to an offset before it is named: 0, or ns since 1970 in the zone shown
 * @is_clock: wall time
 */
typedef struct
{
  PlFrame *frame;
  gint64 origin_ns;
  gint64 zero_ns;
  gint64 step_ns;
  gboolean is_clock;
} Ruler;

/**
 * Chip: a text that lies over the ticks
 * @text: (nullable): owned; none when there is no chip
 */
typedef struct
{
  char *text;
  double left;
  double right;
  PlColor ground;
  PlColor color;
} Chip;

#define N_CHIPS 2 /* selected range, pointer */

/* One offset for the whole view, taken at its start: neighbouring labels stay apart even where clocks are turned back. */
static gboolean
find_local_ns (const PlScene *scene, gint64 at_ns, gint64 *out_local_ns)
{
  gint64 wall_ns;
  g_autoptr(GDateTime) utc = NULL;
  g_autoptr(GDateTime) local = NULL;

  if (!pl_trace_to_wall_ns (scene->trace, at_ns, &wall_ns))
    return FALSE;

  *out_local_ns = wall_ns;
  if (scene->utc)
    return TRUE;

  utc = g_date_time_new_from_unix_utc (wall_ns / 1000000000);
  local = utc != NULL ? g_date_time_to_local (utc) : NULL;
  return local != NULL
         && !__builtin_add_overflow (wall_ns, g_date_time_get_utc_offset (local) * 1000, out_local_ns);
}

static char *
format_label (const Ruler *self, gint64 at_ns, gint64 step_ns, gboolean with_day)
{
  if (self->is_clock)
    return pl_ticks_format_clock (at_ns - self->origin_ns + self->zero_ns, step_ns, with_day);
  return pl_ticks_format_offset (at_ns - self->origin_ns, step_ns);
}

/* Labels in view are as long as the last one, or as the first one with its day. */
static double
measure_label (const Ruler *self)
{
  const PlAxis *axis = &self->frame->axis;
  g_autofree char *first = format_label (self, axis->from_ns, self->step_ns, self->is_clock);
  g_autofree char *last = format_label (self, axis->from_ns + axis->span_ns, self->step_ns, FALSE);
  double first_width = pl_text_prepare (&self->frame->text, PL_TEXT_VALUE, first);

  return MAX (first_width, pl_text_prepare (&self->frame->text, PL_TEXT_VALUE, last));
}

/* The finest step whose labels do not touch: finer steps have longer labels, so this is found by trying. */
static void
choose_step (Ruler *self)
{
  const PlAxis *axis = &self->frame->axis;
  double length = axis->n_columns / axis->scale;
  double distance = LABEL_DISTANCE;

  for (int i = 0; i < 4; i++)
    {
      double needed;

      self->step_ns = pl_ticks_get_step (axis->span_ns, length / distance);
      needed = measure_label (self) + LABEL_OFFSET + LABEL_GAP;
      if ((double) self->step_ns * length / (double) axis->span_ns >= needed)
        return;
      distance = needed;
    }
}

static gint64
get_day (const Ruler *self, gint64 at_ns)
{
  gint64 local_ns = at_ns - self->origin_ns + self->zero_ns;

  return local_ns / PL_TICKS_DAY_NS - (local_ns % PL_TICKS_DAY_NS < 0 ? 1 : 0);
}

static gboolean
find_first (const Ruler *self, gint64 step_ns, gint64 *out_at_ns)
{
  const PlAxis *axis = &self->frame->axis;

  return pl_ticks_get_first (axis->from_ns, self->origin_ns - self->zero_ns, step_ns, out_at_ns)
         && *out_at_ns - axis->from_ns < axis->span_ns;
}

/* Moves to the next tick; FALSE at the end of the axis. */
static gboolean
advance (const Ruler *self, gint64 *at_ns, gint64 step_ns)
{
  const PlAxis *axis = &self->frame->axis;

  return !__builtin_add_overflow (*at_ns, step_ns, at_ns) && *at_ns - axis->from_ns < axis->span_ns;
}

static void
draw_tick (Ruler *self, gint64 at_ns, double height, PlColor color)
{
  PlFrame *frame = self->frame;
  int x = frame->axis.left_px + pl_axis_time_to_column (&frame->axis, at_ns);
  int height_px = pl_frame_to_px (frame, height);

  pl_frame_fill_px (frame, color, 1.0, x, frame->height_px - frame->hair_px - height_px, frame->hair_px, height_px);
}

static void
draw_minor_ticks (Ruler *self)
{
  gint64 minor_ns = pl_ticks_get_minor_step (self->step_ns);
  gint64 at_ns;

  if (minor_ns == 0 || !find_first (self, minor_ns, &at_ns))
    return;
  do
    draw_tick (self, at_ns, MINOR_HEIGHT, self->frame->palette->tick);
  while (advance (self, &at_ns, minor_ns));
}

/* Ticks stay silent under a chip. */
static gboolean
is_covered (const Chip *chips, double left, double right)
{
  for (int i = 0; i < N_CHIPS; i++)
    if (chips[i].text != NULL && left < chips[i].right && right > chips[i].left)
      return TRUE;
  return FALSE;
}

static void
draw_labels (Ruler *self, const Chip *chips)
{
  PlFrame *frame = self->frame;
  const PlAxis *axis = &frame->axis;
  gint64 last_day = G_MININT64;
  gint64 at_ns;

  if (!find_first (self, self->step_ns, &at_ns))
    return;
  do
    {
      gint64 day = self->is_clock ? get_day (self, at_ns) : 0;
      g_autofree char *label = format_label (self, at_ns, self->step_ns, self->is_clock && day != last_day);
      double x = pl_axis_time_to_x (axis, at_ns) + LABEL_OFFSET;
      double right = x + pl_text_prepare (&frame->text, PL_TEXT_VALUE, label);

      draw_tick (self, at_ns, MAJOR_HEIGHT, frame->palette->text_dim);
      last_day = day;
      if (right > frame->width || is_covered (chips, x, right))
        continue;
      pl_text_show (&frame->text, frame->palette->text_dim, x, LABEL_BASELINE);
    }
  while (advance (self, &at_ns, self->step_ns));
}

/* A text on a ground of its own, kept within the ruler. */
static void
place_chip (Ruler *self, Chip *chip, double center, char *text, PlColor ground, PlColor color)
{
  PlFrame *frame = self->frame;
  double left = frame->axis.left_px / frame->axis.scale;
  double width = pl_text_prepare (&frame->text, PL_TEXT_STRONG, text) + 2.0 * CHIP_MARGIN;

  chip->text = text;
  chip->ground = ground;
  chip->color = color;
  chip->left = CLAMP (center - width / 2.0, left, MAX (frame->width - width, left));
  chip->right = chip->left + width;
}

static void
place_range_chip (Ruler *self, Chip *chip)
{
  PlFrame *frame = self->frame;
  const PlScene *scene = frame->scene;
  double left = MAX (pl_axis_time_to_x (&frame->axis, scene->range_from_ns), frame->axis.left_px / frame->axis.scale);
  double right = MIN (pl_axis_time_to_x (&frame->axis, scene->range_to_ns), frame->width);

  if (scene->range_from_ns >= scene->range_to_ns || right <= left)
    return;
  pl_frame_draw_span (frame, scene->range_from_ns, scene->range_to_ns);
  place_chip (self, chip, (left + right) / 2.0, pl_duration_format (scene->range_to_ns - scene->range_from_ns),
              frame->palette->accent, frame->palette->label);
}

static void
place_cursor_chip (Ruler *self, Chip *chip)
{
  PlFrame *frame = self->frame;
  const PlAxis *axis = &frame->axis;
  gint64 at_ns = frame->scene->cursor_ns;
  int column;

  if (at_ns == G_MININT64)
    return;
  column = pl_axis_time_to_column (axis, at_ns);
  if (column < 0 || column >= axis->n_columns)
    return;

  /* As exact as a pixel is. */
  place_chip (self, chip, pl_axis_time_to_x (axis, at_ns),
              format_label (self, at_ns, pl_ticks_get_step (axis->span_ns, 2.0 * axis->n_columns), FALSE),
              frame->palette->text, frame->palette->ruler);
}

static void
draw_chip (Ruler *self, const Chip *chip)
{
  PlFrame *frame = self->frame;
  int x = pl_frame_to_px (frame, chip->left);
  int y = pl_frame_to_px (frame, CHIP_TOP);

  if (chip->text == NULL)
    return;
  pl_frame_fill_px (frame, chip->ground, 1.0, x, y, pl_frame_to_px (frame, chip->right) - x,
                    pl_frame_to_px (frame, CHIP_TOP + CHIP_HEIGHT) - y);
  pl_text_draw (&frame->text, PL_TEXT_STRONG, chip->color, chip->left + CHIP_MARGIN, LABEL_BASELINE, -1.0, chip->text);
}

/* Ticks, the selected range with its length, and the time under the pointer. */
static void
draw_ruler (Ruler *self)
{
  Chip chips[N_CHIPS] = { 0 };

  place_range_chip (self, &chips[0]);
  place_cursor_chip (self, &chips[1]);

  draw_minor_ticks (self);
  draw_labels (self, chips);
  pl_frame_draw_cursor (self->frame);
  for (int i = 0; i < N_CHIPS; i++)
    {
      draw_chip (self, &chips[i]);
      g_free (chips[i].text);
    }
}

/**
 * pl_draw_ruler_gutter:
 * @scene: a scene
 * @cr: where to draw
 * @width: in units
 * @height: in units
 *
 * Says in the ruler's gutter what kind of time it shows. In a window that is the label of the button that lies there.
 */
void
pl_draw_ruler_gutter (const PlScene *scene, cairo_t *cr, double width, double height)
{
  PlFrame frame;
  gint64 local_ns;
  const char *text = _("relative");

  if (scene->trace == NULL)
    return;
  if (scene->wall_clock && !find_local_ns (scene, scene->from_ns, &local_ns))
    text = _("relative (no clock)");
  else if (scene->wall_clock)
    text = scene->utc ? _("wall clock, UTC") : _("wall clock, local");

  pl_frame_begin (&frame, scene, cr, width, height, scene->from_ns, scene->to_ns);
  pl_text_draw (&frame.text, PL_TEXT_VALUE, frame.palette->text_dim, PL_FRAME_MARGIN, LABEL_BASELINE + 2.0,
                frame.axis.left_px / frame.axis.scale - PL_FRAME_MARGIN, text);
  pl_frame_end (&frame);
}

/**
 * pl_scene_draw_ruler:
 * @self: a scene
 * @cr: where to draw; its origin must lie on a device pixel
 * @width: in units
 * @height: in units
 *
 * Draws ticks in 1-2-5 steps and about a label every 100 units; the gutter stays empty for a control. Wall time falls back to relative time in a trace that
 * has no clock, and says so.
 */
void
pl_scene_draw_ruler (const PlScene *self, cairo_t *cr, double width, double height)
{
  PlFrame frame;
  Ruler ruler = { .frame = &frame };

  pl_frame_begin (&frame, self, cr, width, height, self->from_ns, self->to_ns);
  pl_frame_fill_px (&frame, frame.palette->ruler, 1.0, 0, 0, frame.width_px, frame.height_px);

  if (self->trace != NULL)
    {
      ruler.origin_ns = pl_trace_get_start_ns (self->trace);
      if (self->wall_clock && find_local_ns (self, frame.axis.from_ns, &ruler.zero_ns))
        {
          ruler.is_clock = TRUE;
          ruler.origin_ns = frame.axis.from_ns;
        }
      choose_step (&ruler);
      draw_ruler (&ruler);
      pl_frame_fill_px (&frame, frame.palette->ruler, 1.0, 0, 0, frame.axis.left_px, frame.height_px);
    }
  pl_frame_fill_px (&frame, frame.palette->line, 1.0, 0, frame.height_px - frame.hair_px, frame.width_px,
                    frame.hair_px);
  pl_frame_end (&frame);
}
