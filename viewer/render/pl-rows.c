/* pl-rows.c: the rows of the lane area, one after the other
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-rows.h"

/**
 * pl_row_iter_init:
 * @scene: what is shown; must stay as it is during the walk
 *
 * Begins above the first row.
 */
void
pl_row_iter_init (PlRowIter *self, const PlScene *scene)
{
  *self = (PlRowIter){ .scene = scene };
  if (scene->trace == NULL)
    return;

  self->runtimes = pl_trace_get_runtimes (scene->trace, &self->n_runtimes);
  /* A trace without queue samples still has the two rows, which then say so. */
  self->n_tracks = 2 * MAX (pl_trace_get_n_queues (scene->trace), 1);
}

static gboolean
emit (PlRowIter *self, PlRow *out_row, PlRowKind kind, guint index, double height)
{
  *out_row = (PlRow){ kind, index, self->y, height };
  self->y += height;
  return TRUE;
}

static double
get_lane_height (const PlRowIter *self, guint index)
{
  const PlLane *lane = pl_trace_get_lane (self->scene->trace, index);

  return PL_ROW_LANE_HEIGHT + (pl_lane_has_detached (lane) ? PL_ROW_DETACHED_HEIGHT : 0.0);
}

/**
 * pl_row_iter_next:
 * @out_row: (out): the next row
 *
 * Returns: %FALSE below the last row
 */
gboolean
pl_row_iter_next (PlRowIter *self, PlRow *out_row)
{
  for (; self->runtime < self->n_runtimes; self->runtime++, self->in_runtime = FALSE)
    {
      const PlRuntime *runtime = &self->runtimes[self->runtime];
      gboolean is_collapsed = self->n_runtimes > 1 && self->scene->collapsed != NULL
                              && self->scene->collapsed[self->runtime] != 0;

      if (!self->in_runtime)
        {
          self->in_runtime = TRUE;
          self->lane = is_collapsed ? runtime->n_lanes : 0;
          if (self->n_runtimes > 1)
            return emit (self, out_row, PL_ROW_RUNTIME, self->runtime, PL_ROW_RUNTIME_HEIGHT);
        }
      if (self->lane < runtime->n_lanes)
        {
          guint index = runtime->first_lane + self->lane++;

          return emit (self, out_row, PL_ROW_LANE, index, get_lane_height (self, index));
        }
    }

  if (self->track < self->n_tracks)
    {
      guint track = self->track++;

      return emit (self, out_row, track % 2 == 0 ? PL_ROW_QUEUE : PL_ROW_ALIVE, track / 2, PL_ROW_TRACK_HEIGHT);
    }
  return FALSE;
}
