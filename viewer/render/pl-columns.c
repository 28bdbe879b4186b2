/* pl-columns.c: what every pixel column of one lane shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One slice of the lane per column: the cost depends on columns, never on polls. A poll never vanishes: where polls take
 * part of a column, they tint it by their share, but at least visibly.
 */
#include "config.h"

#include "pl-columns.h"

#include <math.h>

#define FAINTEST_TINT 0.36 /* of a column that a poll only just touches */
#define TINT_GAMMA 0.8     /* lifts small shares, which are the common ones when zoomed out */

/* Whether a poll of the main row touches the slice, one of zero length included. */
static gboolean
has_poll (const PlLaneSlice *slice)
{
  return slice->polling_ns > 0 || slice->longest_ns > 0 || (slice->n_polls > 0 && slice->detached_longest_ns == 0);
}

/* Whether one of the threshold or more does, finished or seen growing. */
static gboolean
is_long (const PlLaneSlice *slice, gint64 threshold_ns)
{
  if (slice->growing_ns > 0 && slice->growing_ns >= threshold_ns)
    return TRUE;
  if (threshold_ns > 0)
    return slice->longest_ns >= threshold_ns;
  return slice->longest_ns > 0 || (has_poll (slice) && slice->open_ns == 0);
}

static guint8
classify (const PlLaneSlice *slice, gint64 threshold_ns)
{
  guint flags = 0;

  if (has_poll (slice))
    flags |= PL_COLUMN_POLL;
  if (is_long (slice, threshold_ns))
    flags |= PL_COLUMN_LONG;
  /* Only an open poll of the main row counts as time spent polling. */
  if (slice->open_ns > 0)
    flags |= slice->polling_ns > 0 ? PL_COLUMN_OPEN : PL_COLUMN_DETACHED_OPEN;
  if (slice->detached_longest_ns > 0)
    flags |= PL_COLUMN_DETACHED;
  if (slice->detached_longest_ns > 0 && slice->detached_longest_ns >= threshold_ns)
    flags |= PL_COLUMN_DETACHED_LONG;
  return (guint8) flags;
}

static PlColor
choose_color (const PlLaneSlice *slice, gint64 width_ns, double share, guint flags, const PlPalette *palette)
{
  gint64 active_ns = MAX (width_ns - slice->polling_ns - slice->parked_ns - slice->unknown_ns, 0);
  double tint = FAINTEST_TINT + (1.0 - FAINTEST_TINT) * pow (share, TINT_GAMMA);
  PlColor behind = palette->ground;

  if (flags & PL_COLUMN_LONG)
    return palette->over;
  if (active_ns + slice->parked_ns > 0)
    behind = pl_color_mix (palette->parked, palette->active,
                           (double) active_ns / (double) (active_ns + slice->parked_ns));
  if ((flags & PL_COLUMN_POLL) == 0)
    return behind;
  return pl_color_mix (behind, palette->poll, flags & PL_COLUMN_OPEN ? tint * PL_PALETTE_OPEN_TINT : tint);
}

static PlColumn
make_column (const PlLaneSlice *slice, gint64 width_ns, const PlPalette *palette, gint64 threshold_ns)
{
  double share = CLAMP ((double) slice->polling_ns / (double) width_ns, 0.0, 1.0);
  PlColumn column = { .share = (float) share, .flags = classify (slice, threshold_ns) };

  column.queue = (gint16) CLAMP (slice->max_queue, -1, G_MAXINT16);
  if ((column.flags & PL_COLUMN_POLL) == 0 && 2 * slice->unknown_ns > width_ns)
    column.flags |= PL_COLUMN_NO_DATA;
  column.color = column.flags & PL_COLUMN_NO_DATA ? palette->ground
                                                  : choose_color (slice, width_ns, share, column.flags, palette);
  return column;
}

/* What the columns after the first few show of a slice that is wider than an instant in it. */
static PlColumn
without_instant (PlColumn column, const PlLaneSlice *slice, gint64 width_ns, const PlPalette *palette)
{
  if (slice->polling_ns > 0 || slice->longest_ns > 0)
    return column;

  column.flags &= (guint8) ~(PL_COLUMN_POLL | PL_COLUMN_LONG);
  if (2 * slice->unknown_ns > width_ns)
    column.flags |= PL_COLUMN_NO_DATA;
  column.color = choose_color (slice, width_ns, 0.0, column.flags, palette);
  return column;
}

static void
add_up (PlColumns *self, const PlLaneSlice *slice, gint64 width_ns)
{
  self->polling_ns += slice->polling_ns;
  self->known_ns += width_ns - slice->unknown_ns;
  if (is_long (slice, 0))
    self->longest_ns = MAX (self->longest_ns, MAX (slice->longest_ns, slice->growing_ns));
  if (slice->detached_longest_ns > 0)
    self->longest_ns = MAX (self->longest_ns, slice->detached_longest_ns);
  self->open_ns = MAX (self->open_ns, slice->open_ns);
  self->max_queue = MAX (self->max_queue, slice->max_queue);
}

static void
fill (PlColumns          *self,
      const PlAxis       *axis,
      const PlPalette    *palette,
      gint64              threshold_ns,
      const PlLaneSlice  *slices)
{
  int column = 0;

  for (int i = 0; i < axis->n_slices; i++)
    {
      const PlLaneSlice *slice = &slices[i];
      gint64 width_ns = pl_axis_slice_start (axis, i + 1) - pl_axis_slice_start (axis, i);
      PlColumn made = make_column (slice, width_ns, palette, threshold_ns);
      int first = column;

      add_up (self, slice, width_ns);
      for (; column < self->n_columns && pl_axis_get_slice (axis, column) == i; column++)
        self->columns[column] = column < first + PL_COLUMNS_OF_INSTANT
                                ? made : without_instant (made, slice, width_ns, palette);
    }
}

/**
 * pl_columns_new:
 * @axis: the time axis
 * @lane: the lane to look at
 * @palette: its colours
 * @threshold_ns: see #PlScene
 * @scratch: (array): room for the axis' n_slices
 *
 * O(columns × log polls).
 *
 * Returns: (transfer full): the columns of the axis
 */
PlColumns *
pl_columns_new (const PlAxis    *axis,
                const PlLane    *lane,
                const PlPalette *palette,
                gint64           threshold_ns,
                PlLaneSlice     *scratch)
{
  PlColumns *self = g_new0 (PlColumns, 1);

  self->columns = g_new (PlColumn, axis->n_columns);
  self->n_columns = axis->n_columns;
  self->longest_ns = -1;
  self->max_queue = -1;
  pl_lane_get_slices (lane, axis->from_ns, axis->from_ns + axis->span_ns, (guint) axis->n_slices, scratch);
  fill (self, axis, palette, threshold_ns, scratch);
  return self;
}

/**
 * pl_columns_free:
 *
 * Frees the columns.
 */
void
pl_columns_free (PlColumns *self)
{
  g_free (self->columns);
  g_free (self);
}

/**
 * pl_poll_locate:
 * @axis: the view
 * @out_first: (out): first column; below 0 when the poll starts before the view
 * @out_end: (out): the column after the last
 *
 * Finds the columns of a poll. An instant has columns too, but no more than it takes to see it.
 */
void
pl_poll_locate (const PlPoll *poll, const PlAxis *axis, int *out_first, int *out_end)
{
  *out_first = pl_axis_time_to_column (axis, poll->start_ns);
  *out_end = pl_axis_end_to_column (axis, MAX (pl_poll_end_ns (poll), poll->start_ns + 1));
  if (poll->duration_ns == 0)
    *out_end = MIN (*out_end, *out_first + PL_COLUMNS_OF_INSTANT);
}

typedef struct
{
  const PlAxis *axis;
  GArray *bars;
} Collector;

static gboolean
collect_bar (const PlPoll *poll, gpointer user_data)
{
  Collector *self = user_data;
  PlBar bar = { .poll = *poll };

  pl_poll_locate (poll, self->axis, &bar.first, &bar.end);
  bar.first = MAX (bar.first, 0);
  if (bar.end > bar.first)
    g_array_append_val (self->bars, bar);
  /* Polls of one thread do not overlap, so that this many only come from a broken trace. */
  return self->bars->len < 4 * (guint) self->axis->n_columns;
}

/**
 * pl_columns_dup_bars:
 * @axis: the view
 * @lane: the lane to look at
 * @min_columns: how wide a poll must be
 * @min_duration_ns: and how long
 *
 * Returns: (transfer full) (element-type PlBar): the polls that are wide enough to be told apart
 */
GArray *
pl_columns_dup_bars (const PlAxis *axis, const PlLane *lane, int min_columns, gint64 min_duration_ns)
{
  Collector collector = { axis, g_array_new (FALSE, FALSE, sizeof (PlBar)) };
  double least_ns = (double) axis->span_ns * min_columns / axis->n_columns;

  pl_lane_foreach_poll (lane, axis->from_ns, axis->from_ns + axis->span_ns,
                        MAX (MAX ((gint64) least_ns, 1), min_duration_ns), collect_bar, &collector);
  return collector.bars;
}
