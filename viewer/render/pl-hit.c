/* pl-hit.c: which poll lies under the pointer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Looks at the columns that were drawn, so that what is hit is what is seen.
 */
#include "config.h"

#include <math.h>

#include "pl-columns.h"
#include "pl-rows.h"

#define REACH 4.0      /* units beside a poll that still hit it */
#define MARK_REACH 5.0 /* half of a mark's width */

/**
 * Probe: the columns around the pointer
 * @long_only: the pointer is on the marks
 */
typedef struct
{
  const PlScene *scene;
  const PlLane *lane;
  PlAxis axis;
  gboolean is_detached;
  gboolean long_only;
} Probe;

typedef struct
{
  const Probe *probe;
  gint64 duration_ns;
  gboolean found;
  PlPoll poll;
} Search;

static gboolean
keep_longest (const PlPoll *poll, gpointer user_data)
{
  Search *self = user_data;

  if (((poll->flags & PL_POLL_DETACHED) != 0) != self->probe->is_detached)
    return TRUE;
  if (self->probe->long_only && !pl_poll_is_long (poll, self->probe->scene->threshold_ns))
    return TRUE;
  if (!self->found || poll->duration_ns > self->poll.duration_ns)
    self->poll = *poll;
  self->found = TRUE;
  return self->poll.duration_ns < self->duration_ns;
}

/* The longest poll that touches a column, which is the one that is drawn there. */
static gboolean
search_column (const Probe *self, int column, PlPoll *out_poll)
{
  int i = pl_axis_get_slice (&self->axis, column);
  gint64 from_ns = pl_axis_slice_start (&self->axis, i);
  gint64 to_ns = pl_axis_slice_start (&self->axis, i + 1);
  Search search = { .probe = self };
  PlLaneSlice slice;

  pl_lane_get_slice (self->lane, from_ns, to_ns, &slice);
  search.duration_ns = self->is_detached ? slice.detached_longest_ns : slice.longest_ns;
  if (self->long_only && search.duration_ns < self->scene->threshold_ns)
    return FALSE;
  if (search.duration_ns == 0 && slice.open_ns == 0 && slice.n_polls == 0)
    return FALSE;

  pl_lane_foreach_poll (self->lane, from_ns, to_ns, search.duration_ns, keep_longest, &search);
  if (!search.found && slice.open_ns > 0 && pl_lane_find_poll (self->lane, to_ns - 1, 0, &search.poll))
    search.found = ((search.poll.flags & PL_POLL_DETACHED) != 0) == self->is_detached;
  *out_poll = search.poll;
  return search.found;
}

static gboolean
search_around (const Probe *self, int column, int reach, PlPoll *out_poll)
{
  for (int distance = 0; distance <= reach; distance++)
    {
      if (column - distance >= 0 && column - distance < self->axis.n_columns
          && search_column (self, column - distance, out_poll))
        return TRUE;
      if (distance > 0 && column + distance >= 0 && column + distance < self->axis.n_columns
          && search_column (self, column + distance, out_poll))
        return TRUE;
    }
  return FALSE;
}

/**
 * pl_scene_poll_at:
 * @self: a scene
 * @width: of the whole picture, gutter included, in units
 * @x: in units from the picture's left edge
 * @y: in units from the top of the content
 * @out_poll: (out): the poll there
 *
 * Finds the poll under the pointer, or the nearest one within a few units. Where several share a pixel column it is the
 * longest, the one that is drawn; where polls are too narrow to aim at, a long one beside the pointer comes first, and on
 * the marks only long ones count.
 *
 * Returns: whether there is one
 */
gboolean
pl_scene_poll_at (const PlScene *self, double width, double x, double y, PlPoll *out_poll)
{
  Probe probe = { .scene = self };
  PlRow row;
  PlPoll under = { 0 };
  double place;
  int column, reach;
  gboolean found;

  pl_axis_init (&probe.axis, width, self->device_scale, self->from_ns, self->to_ns);
  column = (int) floor (CLAMP (x, -1e6, 1e6) * probe.axis.scale) - probe.axis.left_px;
  if (column < 0 || column >= probe.axis.n_columns || !pl_scene_row_at (self, y, &row) || row.kind != PL_ROW_LANE)
    return FALSE;

  place = y - row.y;
  probe.lane = pl_trace_get_lane (self->trace, row.index);
  probe.is_detached = pl_lane_has_detached (probe.lane)
                      && place >= PL_BAND_TOP + PL_BAND_HEIGHT + PL_LONG_OUTSTAND
                      && place < PL_DETACHED_TOP + PL_DETACHED_HEIGHT + PL_LONG_OUTSTAND;
  probe.long_only = place < PL_BAND_TOP - PL_LONG_OUTSTAND
                    || (probe.is_detached && place < PL_DETACHED_TOP - PL_LONG_OUTSTAND);
  if (!probe.is_detached && place > PL_BAND_TOP + PL_BAND_HEIGHT + REACH)
    return FALSE;

  if (probe.long_only)
    return search_around (&probe, column, (int) ceil (MARK_REACH * probe.axis.scale), out_poll);

  reach = (int) lround (REACH * probe.axis.scale);
  found = search_around (&probe, column, reach, &under);
  if (!found || (double) under.duration_ns * probe.axis.n_columns < (double) probe.axis.span_ns * reach)
    {
      probe.long_only = TRUE;
      if (search_around (&probe, column, reach / 2, out_poll))
        return TRUE;
    }
  *out_poll = under;
  return found;
}
