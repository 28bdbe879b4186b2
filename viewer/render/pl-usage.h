/* pl-usage.h: the disk usage of a session over time, as it is drawn under the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_USAGE_H
#define PL_USAGE_H

#include "pl-scene.h"

G_BEGIN_DECLS

/* How things stood, which is told by colour and by form. */
typedef enum
{
  PL_USAGE_UNKNOWN, /* hatched */
  PL_USAGE_FINE,    /* in the colour of polls */
  PL_USAGE_QUIET,   /* half as high */
  PL_USAGE_OVER,    /* a line */
  PL_USAGE_ALARM,   /* in the warning colour, over the whole height, with a mark where it begins */
} PlUsageMood;

/**
 * PlUsagePoint:
 * @at_ns: on the trace's clock
 * @usage_bytes: on disk
 * @written_bytes: ever, never falls
 * @evicted_bytes: ever, never falls
 */
typedef struct
{
  gint64 at_ns;
  guint64 usage_bytes;
  guint64 written_bytes;
  guint64 evicted_bytes;
} PlUsagePoint;

/* Holds until the next one begins. */
typedef struct
{
  gint64 from_ns;
  PlUsageMood mood;
} PlUsageSpan;

/**
 * PlUsage:
 * @points: (array length=n_points): in time order
 * @spans: (array length=n_spans): in time order
 * @budget_bytes: 0 = none
 * @now_ns: on the trace's clock
 *
 * Plain data, which the caller keeps alive while it is drawn.
 */
typedef struct
{
  const PlUsagePoint *points;
  guint n_points;
  const PlUsageSpan *spans;
  guint n_spans;
  guint64 budget_bytes;
  gint64 now_ns;
} PlUsage;

#define PL_USAGE_HEIGHT 46.0

void   pl_scene_draw_usage     (const PlScene *self,
                                const PlUsage *usage,
                                cairo_t       *cr,
                                double         width,
                                double         height);
gint64 pl_scene_usage_x_to_time (const PlScene *self,
                                const PlUsage *usage,
                                double         width,
                                double         x);

G_END_DECLS

#endif /* PL_USAGE_H */
