/* pl-lane.h: what one worker did: polls, parked time, gaps, queue depth
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LANE_H
#define PL_LANE_H

#include "pl-gap.h"
#include "pl-poll.h"

G_BEGIN_DECLS

typedef struct _PlLane PlLane;

/**
 * PlLaneState: what a worker is known to have been doing at an instant
 */
typedef enum
{
  PL_LANE_UNKNOWN, /* no data: before the first event, beyond the frontier, or silent for too long */
  PL_LANE_ACTIVE,  /* awake and not polling */
  PL_LANE_PARKED,
  PL_LANE_POLLING,
} PlLaneState;

/**
 * PlLaneSlice:
 * @polling_ns: time in polls of the main row
 * @parked_ns: parked time
 * @unknown_ns: time without data; the rest of the slice is "active, not polling"
 * @longest_ns: full duration of the longest finished poll that touches the slice, 0 when there is none
 * @open_ns: full age of the open poll that touches the slice, 0 when there is none
 * @growing_ns: the same of one that is being watched while it runs, see %PL_POLL_GROWING
 * @detached_longest_ns: like @longest_ns, of the detached row
 * @n_polls: polls that start in the slice, both rows
 * @max_queue: largest local queue depth seen in the slice or carried into it; -1 before the first value
 * @is_estimated: the snapshot holds this place as a summary: polls under 100 µs are spread evenly where they lie
 *
 * What happened on a lane between two instants: the content of one pixel column.
 */
typedef struct
{
  gint64 polling_ns;
  gint64 parked_ns;
  gint64 unknown_ns;
  gint64 longest_ns;
  gint64 open_ns;
  gint64 growing_ns;
  gint64 detached_longest_ns;
  guint64 n_polls;
  int max_queue;
  gboolean is_estimated;
} PlLaneSlice;

/* All functions: any thread; a lane is immutable and lives as long as its snapshot. */

guint64     pl_lane_get_worker      (const PlLane *self);
guint       pl_lane_get_runtime     (const PlLane *self);
guint64     pl_lane_get_n_polls     (const PlLane *self);
gboolean    pl_lane_has_detached    (const PlLane *self);
gboolean    pl_lane_get_known_range (const PlLane *self,
                                     gint64       *out_first_ns,
                                     gint64       *out_frontier_ns);

void        pl_lane_get_slice       (const PlLane *self,
                                     gint64        from_ns,
                                     gint64        to_ns,
                                     PlLaneSlice  *out_slice);
void        pl_lane_get_slices      (const PlLane *self,
                                     gint64        from_ns,
                                     gint64        to_ns,
                                     guint         n_slices,
                                     PlLaneSlice  *out_slices);

PlLaneState pl_lane_get_state       (const PlLane *self,
                                     gint64        at_ns,
                                     gint64       *out_since_ns,
                                     gint64       *out_until_ns);
gboolean    pl_lane_find_gap        (const PlLane *self,
                                     gint64        from_ns,
                                     gint64        to_ns,
                                     PlGap        *out_gap);
int         pl_lane_get_queue       (const PlLane *self,
                                     gint64        at_ns);

gboolean    pl_lane_find_poll       (const PlLane *self,
                                     gint64        at_ns,
                                     gint64        tolerance_ns,
                                     PlPoll       *out_poll);
gboolean    pl_lane_next_poll       (const PlLane *self,
                                     gint64        after_ns,
                                     gint64        min_duration_ns,
                                     PlPoll       *out_poll);
gboolean    pl_lane_previous_poll   (const PlLane *self,
                                     gint64        before_ns,
                                     gint64        min_duration_ns,
                                     PlPoll       *out_poll);
gboolean    pl_lane_foreach_poll    (const PlLane *self,
                                     gint64        from_ns,
                                     gint64        to_ns,
                                     gint64        min_duration_ns,
                                     PlPollFunc    func,
                                     gpointer      user_data);

G_END_DECLS

#endif /* PL_LANE_H */
