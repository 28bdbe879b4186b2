/* pl-watch-history.c: a session's disk usage and verdicts over time, bounded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-watch-history.h"

/* More than a strip has pixels. When they are used up, each two become one: a month of watching keeps its shape. */
#define MAX_POINTS 8192

/* A verdict that flaps for months must not eat the memory; the oldest go first. */
#define MAX_SPANS 1024

struct _PlWatchHistory
{
  GArray *points; /* PlWatchPoint */
  GArray *spans;  /* PlVerdictSpan */
  guint n_per_point;
  guint n_in_last;
};

PlWatchHistory *
pl_watch_history_new (void)
{
  PlWatchHistory *self = g_new0 (PlWatchHistory, 1);

  self->points = g_array_new (FALSE, FALSE, sizeof (PlWatchPoint));
  self->spans = g_array_new (FALSE, FALSE, sizeof (PlVerdictSpan));
  self->n_per_point = 1;
  return self;
}

void
pl_watch_history_free (PlWatchHistory *self)
{
  g_array_unref (self->points);
  g_array_unref (self->spans);
  g_free (self);
}

/* The later of two, with the larger usage, so that no peak is lost. */
static PlWatchPoint
merge (const PlWatchPoint *earlier, const PlWatchPoint *later)
{
  PlWatchPoint point = *later;

  point.disk_usage_bytes = MAX (earlier->disk_usage_bytes, later->disk_usage_bytes);
  return point;
}

static void
halve (PlWatchHistory *self)
{
  PlWatchPoint *points = (PlWatchPoint *) (void *) self->points->data;

  for (guint i = 0; i < MAX_POINTS / 2; i++)
    points[i] = merge (&points[2 * i], &points[2 * i + 1]);
  g_array_set_size (self->points, MAX_POINTS / 2);
  self->n_per_point *= 2;
}

/**
 * pl_watch_history_add_point:
 * @point: not before the last one
 *
 * Neighbours are put together as time goes by, so that what is held stays bounded and still covers all of it.
 */
void
pl_watch_history_add_point (PlWatchHistory *self, const PlWatchPoint *point)
{
  if (self->points->len > 0 && self->n_in_last < self->n_per_point)
    {
      PlWatchPoint *last = &g_array_index (self->points, PlWatchPoint, self->points->len - 1);

      *last = merge (last, point);
      self->n_in_last++;
      return;
    }
  if (self->points->len == MAX_POINTS)
    halve (self);
  g_array_append_val (self->points, *point);
  self->n_in_last = 1;
}

/**
 * pl_watch_history_add_span:
 *
 * One that says what the last one says is no new span.
 */
void
pl_watch_history_add_span (PlWatchHistory *self, const PlVerdictSpan *span)
{
  if (self->spans->len > 0)
    {
      const PlVerdictSpan *last = &g_array_index (self->spans, PlVerdictSpan, self->spans->len - 1);

      if (last->verdict == span->verdict && last->cause == span->cause)
        return;
    }
  if (self->spans->len == MAX_SPANS)
    g_array_remove_range (self->spans, 0, MAX_SPANS / 4);
  g_array_append_val (self->spans, *span);
}

/**
 * pl_watch_history_get_points:
 *
 * Returns: (transfer none) (array length=out_n): in time order; valid until the next one is added
 */
const PlWatchPoint *
pl_watch_history_get_points (PlWatchHistory *self, guint *out_n)
{
  *out_n = self->points->len;
  return (const PlWatchPoint *) (void *) self->points->data;
}

/**
 * pl_watch_history_get_spans:
 *
 * Returns: (transfer none) (array length=out_n): in time order; valid until the next one is added
 */
const PlVerdictSpan *
pl_watch_history_get_spans (PlWatchHistory *self, guint *out_n)
{
  *out_n = self->spans->len;
  return (const PlVerdictSpan *) (void *) self->spans->data;
}
