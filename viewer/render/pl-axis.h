/* pl-axis.h: instants and device pixel columns of one time axis
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_AXIS_H
#define PL_AXIS_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlAxis:
 * @from_ns: the axis' first instant
 * @span_ns: its length, 1 or more
 * @scale: device pixels per unit
 * @left_px: first device pixel column
 * @n_columns: device pixel columns, 1 or more
 * @n_slices: time slices that are asked of a lane, never shorter than 1 ns: @n_columns, or @span_ns where that is less
 *
 * Both ends lie on device pixels, so that drawing and hit-testing agree at every fractional scale (H33), and all
 * arithmetic is in integers relative to @from_ns (H34).
 */
typedef struct
{
  gint64 from_ns;
  gint64 span_ns;
  double scale;
  int left_px;
  int n_columns;
  int n_slices;
} PlAxis;

void   pl_axis_init           (PlAxis *self,
                               double  width,
                               double  scale,
                               gint64  from_ns,
                               gint64  to_ns);
gboolean pl_axis_equal        (const PlAxis *self,
                               const PlAxis *other);
double pl_axis_time_to_x      (const PlAxis *self,
                               gint64        at_ns);
gint64 pl_axis_x_to_time      (const PlAxis *self,
                               double        x);
int    pl_axis_time_to_column (const PlAxis *self,
                               gint64        at_ns);
int    pl_axis_end_to_column  (const PlAxis *self,
                               gint64        end_ns);
int    pl_axis_get_slice      (const PlAxis *self,
                               int           column);
gint64 pl_axis_slice_start    (const PlAxis *self,
                               int           slice);

G_END_DECLS

#endif /* PL_AXIS_H */
