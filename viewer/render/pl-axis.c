/* pl-axis.c: instants and device pixel columns of one time axis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-axis.h"

#include <math.h>

#include "pl-scene.h"

/* span × columns needs more than 64 bits after a few days of a session. */
__extension__ typedef __int128 Wide;

/* at − from without overflow; what is farther away than 2^62 ns is as good as infinitely far. */
static gint64
offset_from (gint64 from_ns, gint64 at_ns)
{
  const gint64 far = G_GINT64_CONSTANT (1) << 62;

  return (gint64) CLAMP ((Wide) at_ns - from_ns, (Wide) -far, (Wide) far);
}

/**
 * pl_axis_init:
 * @self: (out caller-allocates): an axis
 * @width: right end, in units; the left end is the gutter's right edge
 * @scale: device pixels per unit; 0 or less means 1
 * @from_ns: first instant
 * @to_ns: end; an axis that would have no length gets 1 ns
 */
void
pl_axis_init (PlAxis *self, double width, double scale, gint64 from_ns, gint64 to_ns)
{
  self->scale = scale > 0.0 ? scale : 1.0;
  self->from_ns = MIN (from_ns, G_MAXINT64 - 1);
  self->span_ns = MAX (offset_from (self->from_ns, to_ns), 1);
  self->left_px = (int) lround (PL_SCENE_GUTTER_WIDTH * self->scale);
  self->n_columns = MAX ((int) floor (CLAMP (width, 0.0, 1e6) * self->scale + 1e-6) - self->left_px, 1);
  self->n_slices = (int) MIN ((gint64) self->n_columns, self->span_ns);
}

/**
 * pl_axis_equal:
 *
 * Returns: whether both put every instant into the same column
 */
gboolean
pl_axis_equal (const PlAxis *self, const PlAxis *other)
{
  return self->from_ns == other->from_ns && self->span_ns == other->span_ns && self->scale == other->scale
         && self->left_px == other->left_px && self->n_columns == other->n_columns;
}

/**
 * pl_axis_time_to_x:
 *
 * Returns: the place of @at_ns, in units; outside of the axis where @at_ns is
 */
double
pl_axis_time_to_x (const PlAxis *self, gint64 at_ns)
{
  double offset = (double) offset_from (self->from_ns, at_ns);

  return (self->left_px + offset * self->n_columns / (double) self->span_ns) / self->scale;
}

/**
 * pl_axis_x_to_time:
 *
 * Returns: the last instant at or left of @x units; saturates at the ends of 64 bits
 */
gint64
pl_axis_x_to_time (const PlAxis *self, double x)
{
  double offset = floor ((x * self->scale - self->left_px) * (double) self->span_ns / self->n_columns + 1e-6);
  Wide at_ns = (Wide) CLAMP (offset, -9e18, 9e18) + self->from_ns;

  return (gint64) CLAMP (at_ns, (Wide) G_MININT64, (Wide) G_MAXINT64);
}

/* Start of a slice, relative to the axis. */
static gint64
slice_offset (const PlAxis *self, int slice)
{
  return (gint64) ((Wide) self->span_ns * slice / self->n_slices);
}

/**
 * pl_axis_slice_start:
 * @slice: 0 to n_slices; n_slices is the end of the axis
 *
 * Returns: first instant of @slice, the boundary that pl_lane_get_slices() uses
 */
gint64
pl_axis_slice_start (const PlAxis *self, int slice)
{
  return self->from_ns + slice_offset (self, slice);
}

/**
 * pl_axis_get_slice:
 * @column: 0 to n_columns - 1
 *
 * Returns: the slice that @column shows
 */
int
pl_axis_get_slice (const PlAxis *self, int column)
{
  return (int) ((gint64) column * self->n_slices / self->n_columns);
}

/* The last slice that starts at or before an offset within the axis. */
static gint64
find_slice (const PlAxis *self, gint64 offset)
{
  return (gint64) (((Wide) (offset + 1) * self->n_slices + self->span_ns - 1) / self->span_ns) - 1;
}

/* The first column that shows @slice. */
static int
first_column (const PlAxis *self, gint64 slice)
{
  return (int) ((slice * self->n_columns + self->n_slices - 1) / self->n_slices);
}

/**
 * pl_axis_time_to_column:
 *
 * Returns: the first column of the slice that holds @at_ns; -1 before the axis, n_columns at its end and after it
 */
int
pl_axis_time_to_column (const PlAxis *self, gint64 at_ns)
{
  gint64 offset = offset_from (self->from_ns, at_ns);

  if (offset < 0)
    return -1;
  if (offset >= self->span_ns)
    return self->n_columns;
  return first_column (self, find_slice (self, offset));
}

/**
 * pl_axis_end_to_column:
 * @end_ns: end of something, which does not belong to it
 *
 * Returns: the column after the last one that it touches; 0 before the axis, n_columns at its end and after it
 */
int
pl_axis_end_to_column (const PlAxis *self, gint64 end_ns)
{
  gint64 offset = offset_from (self->from_ns, end_ns);

  if (offset <= 0)
    return 0;
  if (offset >= self->span_ns)
    return self->n_columns;
  return first_column (self, find_slice (self, offset - 1) + 1);
}
