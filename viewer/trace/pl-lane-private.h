/* pl-lane-private.h: how a lane is built from the pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LANE_PRIVATE_H
#define PL_LANE_PRIVATE_H

#include "pl-lane-gaps.h"
#include "pl-lane.h"
#include "pl-track.h"

G_BEGIN_DECLS

struct _PlLane
{
  guint64 worker;
  guint runtime;
  gint64 first_ns;
  gint64 frontier_ns;
  gint64 data_start_ns; /* of the trace */
  gint64 data_end_ns;  /* of the trace: open parks reach to it */
  guint64 n_unpaired;
  PlTrack polls;       /* main row: none overlaps another */
  PlTrack parks;
  PlTrack unknown;     /* stretches without data, as intervals */
  PlTrack lost;        /* stretches of which nothing is known because events were lost, likewise, beside those */
  PlLaneGaps gaps;     /* the trace's */
  GArray *detached;    /* PlPoll by start: polls whose thread lost the worker; may overlap each other */
  gint64 detached_max_ns;
  gint64 detached_total_ns;
  GArray *open;        /* PlPoll by start, no end yet */
  GArray *joined;      /* PlPoll: those in the row that no piece holds */

  /* for a lane that is made longer, what has been looked through for stretches without data */
  gboolean is_begun;      /* the time before the first event */
  gint64 polled_until_ns; /* polls until then */
  guint first_park;       /* parks until this block */
};

/**
 * PlLaneInput:
 * @base: (nullable): the same lane without what follows, all of which lies behind it in time
 * @poll_blocks: (element-type PlBlock): of the pieces, any order
 * @park_blocks: likewise
 * @detached: (element-type PlPoll): polls that lost the worker, as far as the pieces know
 * @joined_polls: (element-type PlPoll): polls whose ends lie in different batches
 * @joined_parks: (element-type PlPoll): parks likewise; local_queue is the depth at the start, flags that at the end
 * @open_polls: (element-type PlPoll): without an end
 * @open_park_ns: when it parked for the last time without an unpark, or %G_MININT64
 * @open_park_queue: queue depth then
 * @is_watched: the session is being recorded, and this lane's stream does not lag: what is open grows
 * @is_lagging: it is being recorded, and more may come of the time before the end of the data
 * @from_ns: sane range of the trace; what lies outside is an outlier
 * @to_ns: its end
 *
 * Everything a lane is made from.
 */
typedef struct
{
  guint64 worker;
  const PlLane *base;
  GPtrArray *poll_blocks;
  GPtrArray *park_blocks;
  GArray *detached;
  GArray *joined_polls;
  GArray *joined_parks;
  GArray *open_polls;
  gint64 open_park_ns;
  guint8 open_park_queue;
  gint64 first_ns;
  gint64 frontier_ns;
  gboolean is_watched;
  gboolean is_lagging;
  gint64 from_ns;
  gint64 to_ns;
} PlLaneInput;

PlLane *pl_lane_settle     (const PlLaneInput *input);
PlLane *pl_lane_build      (const PlLaneInput *input);
void    pl_lane_free       (PlLane            *self);
gint64  pl_lane_total_ns   (const PlLane      *self);
gint64  pl_lane_max_ns     (const PlLane      *self);

guint   pl_lane_first_detached_from (const PlLane *self,
                                     gint64        at_ns);

/* Whether any of the poll, or its start if it took no time, lies in [from_ns, to_ns). */
static inline gboolean
pl_poll_touches (const PlPoll *poll, gint64 from_ns, gint64 to_ns)
{
  return poll->start_ns < to_ns && (pl_poll_end_ns (poll) > from_ns || poll->start_ns >= from_ns);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlLane, pl_lane_free)

G_END_DECLS

#endif /* PL_LANE_PRIVATE_H */
