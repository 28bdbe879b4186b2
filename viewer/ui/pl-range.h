/* pl-range.h: spans of time, and how a view zooms and pans inside its bounds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_RANGE_H
#define PL_RANGE_H

#include <glib.h>

G_BEGIN_DECLS

/* The narrowest view: below it the ruler has no whole nanoseconds left to label. */
#define PL_RANGE_MIN_NS G_GINT64_CONSTANT (10)

/**
 * PlRange:
 * @from_ns: start, monotonic ns
 * @to_ns: end, after @from_ns unless the range is empty
 */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
} PlRange;

gboolean pl_range_is_empty (PlRange  self);
gboolean pl_range_equal    (PlRange  a,
                            PlRange  b);
gint64   pl_range_span     (PlRange  self);
PlRange  pl_range_bounds   (gint64   start_ns,
                            gint64   end_ns);
PlRange  pl_range_clamp    (PlRange  self,
                            PlRange  bounds);
PlRange  pl_range_pan      (PlRange  self,
                            gint64   delta_ns,
                            PlRange  bounds);
PlRange  pl_range_zoom     (PlRange  self,
                            double   span_ns,
                            gint64   at_ns,
                            PlRange  bounds);
PlRange  pl_range_around   (gint64   start_ns,
                            gint64   duration_ns,
                            PlRange  bounds);

G_END_DECLS

#endif /* PL_RANGE_H */
