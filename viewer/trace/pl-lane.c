/* pl-lane.c: what one worker did, asked about a stretch of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-lane-private.h"

#include <string.h>

#include "pl-parts.h"

/**
 * pl_lane_get_worker:
 *
 * Returns: the worker's id
 */
guint64
pl_lane_get_worker (const PlLane *self)
{
  return self->worker;
}

/**
 * pl_lane_get_runtime:
 *
 * Returns: index into pl_trace_get_runtimes()
 */
guint
pl_lane_get_runtime (const PlLane *self)
{
  return self->runtime;
}

/**
 * pl_lane_get_n_polls:
 *
 * Returns: polls with both ends, detached ones included
 */
guint64
pl_lane_get_n_polls (const PlLane *self)
{
  return pl_track_get_n (&self->polls) + self->detached->len;
}

/**
 * pl_lane_has_detached:
 *
 * Returns: whether any poll of the lane lost the worker, also one that is still open: such polls have a row of their own
 */
gboolean
pl_lane_has_detached (const PlLane *self)
{
  for (guint i = 0; i < self->open->len; i++)
    if (g_array_index (self->open, PlPoll, i).flags & PL_POLL_DETACHED)
      return TRUE;
  return self->detached->len > 0;
}

/**
 * pl_lane_get_known_range:
 * @out_first_ns: (optional): time of the first event
 * @out_frontier_ns: (optional): time of the last event; beyond it nothing is known yet
 *
 * Returns: whether the lane has any event in the sane range
 */
gboolean
pl_lane_get_known_range (const PlLane *self, gint64 *out_first_ns, gint64 *out_frontier_ns)
{
  if (out_first_ns != NULL)
    *out_first_ns = self->first_ns;
  if (out_frontier_ns != NULL)
    *out_frontier_ns = self->frontier_ns;
  return self->first_ns <= self->data_end_ns;
}

/* Sum of the durations of all finished polls, detached ones included. */
gint64
pl_lane_total_ns (const PlLane *self)
{
  return pl_track_get_total (&self->polls) + self->detached_total_ns;
}

gint64
pl_lane_max_ns (const PlLane *self)
{
  return MAX (pl_track_get_max (&self->polls), self->detached_max_ns);
}

/* State of the walk over slices: positions at the left border of the next slice. */
typedef struct
{
  const PlLane *lane;
  gint64 at_ns;
  PlTrackPos polls, parks, unknown, lost;
  gint64 polling, parked, without_data;
} Border;

static void
set_border (Border *border, gint64 at_ns, const Border *hint)
{
  const PlLane *lane = border->lane;

  border->at_ns = at_ns;
  border->polls = pl_track_seek (&lane->polls, at_ns, hint != NULL ? hint->polls.block : 0);
  border->parks = pl_track_seek (&lane->parks, at_ns, hint != NULL ? hint->parks.block : 0);
  border->unknown = pl_track_seek (&lane->unknown, at_ns, hint != NULL ? hint->unknown.block : 0);
  border->polling = pl_track_covered_until (&lane->polls, at_ns, border->polls);
  border->parked = pl_track_covered_until (&lane->parks, at_ns, border->parks);
  border->without_data = pl_track_covered_until (&lane->unknown, at_ns, border->unknown);
  if (lane->lost.n_blocks == 0)
    return;
  border->lost = pl_track_seek (&lane->lost, at_ns, hint != NULL ? hint->lost.block : 0);
  border->without_data += pl_track_covered_until (&lane->lost, at_ns, border->lost);
}

/* Index of the first detached poll that starts at at_ns or later. */
guint
pl_lane_first_detached_from (const PlLane *self, gint64 at_ns)
{
  guint low = 0;
  guint high = self->detached->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->detached, PlPoll, middle).start_ns < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
add_detached (const PlLane *self, PlLaneSlice *slice, gint64 from_ns, gint64 to_ns)
{
  for (guint i = pl_lane_first_detached_from (self, from_ns - self->detached_max_ns); i < self->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->detached, PlPoll, i);

      if (poll->start_ns >= to_ns)
        break;
      if (pl_poll_touches (poll, from_ns, to_ns))
        slice->detached_longest_ns = MAX (slice->detached_longest_ns, poll->duration_ns);
      if (poll->start_ns >= from_ns)
        slice->n_polls++;
    }
}

static void
add_open (const PlLane *self, PlLaneSlice *slice, gint64 from_ns, gint64 to_ns)
{
  for (guint i = 0; i < self->open->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->open, PlPoll, i);

      if (!pl_poll_touches (poll, from_ns, to_ns))
        continue;
      slice->open_ns = MAX (slice->open_ns, poll->duration_ns);
      if (poll->flags & PL_POLL_GROWING)
        slice->growing_ns = MAX (slice->growing_ns, poll->duration_ns);
      if (!(poll->flags & PL_POLL_DETACHED))
        slice->polling_ns += MIN (to_ns, pl_poll_end_ns (poll)) - MAX (from_ns, poll->start_ns);
    }
}

/* Depth carried into a stretch: that of the latest value before it. */
static int
queue_before (const PlLane *self, PlTrackPos polls, PlTrackPos parks, gint64 at_ns)
{
  gint64 poll_ns = G_MININT64;
  gint64 park_ns = G_MININT64;
  int poll_queue = -1;
  int park_queue = -1;

  if (pl_track_step_back (&self->polls, &polls))
    {
      poll_ns = pl_block_start (pl_track_block (&self->polls, polls.block), polls.index);
      poll_queue = pl_block_queue (pl_track_block (&self->polls, polls.block), polls.index);
    }
  if (pl_track_step_back (&self->parks, &parks))
    {
      const PlBlock *block = pl_track_block (&self->parks, parks.block);

      park_ns = pl_block_end (block, parks.index);
      park_queue = pl_block_queue_end (block, parks.index);
      if (park_ns >= at_ns)
        {
          park_ns = pl_block_start (block, parks.index);
          park_queue = pl_block_queue (block, parks.index);
        }
    }
  return poll_ns > park_ns ? poll_queue : park_queue;
}

/* Largest depth at a park or unpark between the borders: one that began before may end there, and the last one that
 * begins there may end later. */
static int
max_park_queue (const PlLane *self, const Border *left, const Border *right)
{
  PlTrackPos before = left->parks;
  PlTrackPos end = right->parks;
  PlTrackPos last = end;
  int max = -1;

  if (pl_track_step_back (&self->parks, &before))
    {
      const PlBlock *block = pl_track_block (&self->parks, before.block);
      gint64 unpark_ns = pl_block_end (block, before.index);

      if (unpark_ns >= left->at_ns && unpark_ns < right->at_ns)
        max = pl_block_queue_end (block, before.index);
    }
  if (pl_track_pos_before (left->parks, end) && pl_track_step_back (&self->parks, &last)
      && pl_block_end (pl_track_block (&self->parks, last.block), last.index) >= right->at_ns)
    {
      max = MAX (max, pl_block_queue (pl_track_block (&self->parks, last.block), last.index));
      end = last;
    }
  return MAX (max, pl_track_max_queue (&self->parks, left->parks, end));
}

static void
fill_slice (const Border *left, const Border *right, PlLaneSlice *slice)
{
  const PlLane *self = left->lane;
  gint64 from = left->at_ns;
  gint64 to = right->at_ns;

  memset (slice, 0, sizeof *slice);
  slice->polling_ns = right->polling - left->polling;
  slice->parked_ns = right->parked - left->parked;
  slice->unknown_ns = right->without_data - left->without_data;
  slice->n_polls = pl_track_index (&self->polls, right->polls) - pl_track_index (&self->polls, left->polls);
  slice->longest_ns = pl_track_max_between (&self->polls, pl_track_first_touching (&self->polls, from, left->polls),
                                            right->polls);
  slice->max_queue = MAX (queue_before (self, left->polls, left->parks, from),
                          MAX (pl_track_max_queue (&self->polls, left->polls, right->polls),
                               max_park_queue (self, left, right)));
  slice->is_estimated = pl_track_is_summary (&self->polls, left->polls, right->polls)
                        || pl_track_is_summary (&self->parks, left->parks, right->parks);
  if (self->detached->len > 0)
    add_detached (self, slice, from, to);
  if (self->open->len > 0)
    add_open (self, slice, from, to);

  /* Outside of the session there are no data either. */
  if (from < self->data_start_ns)
    slice->unknown_ns += MIN (to, self->data_start_ns) - from;
  if (to > self->data_end_ns)
    slice->unknown_ns += to - MAX (from, self->data_end_ns);
}

/* Far apart, borders lie in memory that no cache holds: to wait for that of several borders at once takes little longer
 * than to wait for that of one. */
#define N_AHEAD 16

static void
prefetch_borders (const PlLane *self, const PlParts *parts, guint first, PlTrackPos *polls, PlTrackPos *parks)
{
  for (guint i = first; i < MIN (first + N_AHEAD, parts->n); i++)
    {
      pl_track_prefetch (&self->polls, pl_parts_start (parts, i + 1), polls);
      pl_track_prefetch (&self->parks, pl_parts_start (parts, i + 1), parks);
    }
}

/**
 * pl_lane_get_slices:
 * @from_ns: start of the stretch
 * @to_ns: end of the stretch, after @from_ns
 * @n_slices: into how many equal parts it is cut; a part may be shorter than a nanosecond
 * @out_slices: (out) (array length=n_slices): one each
 *
 * What the pixel columns of a lane show. O(n_slices × log polls), whatever the number of polls.
 */
void
pl_lane_get_slices (const PlLane *self, gint64 from_ns, gint64 to_ns, guint n_slices, PlLaneSlice *out_slices)
{
  const PlParts parts = pl_parts_of (from_ns, to_ns, n_slices);
  PlTrackPos polls = { 0, 0 };
  PlTrackPos parks = { 0, 0 };
  Border left = { .lane = self };
  Border right = { .lane = self };

  set_border (&left, from_ns, NULL);
  polls.block = left.polls.block;
  parks.block = left.parks.block;
  for (guint i = 0; i < n_slices; i++)
    {
      gint64 to = pl_parts_start (&parts, i + 1);

      if (i % N_AHEAD == 0)
        prefetch_borders (self, &parts, i, &polls, &parks);
      /* Below one nanosecond a slice is the nanosecond that it lies in. */
      if (to <= left.at_ns)
        {
          set_border (&right, left.at_ns + 1, &left);
          fill_slice (&left, &right, &out_slices[i]);
          continue;
        }
      set_border (&right, to, &left);
      fill_slice (&left, &right, &out_slices[i]);
      left = right;
    }
}

/**
 * pl_lane_get_slice:
 * @from_ns: start of the stretch
 * @to_ns: its end, after @from_ns
 * @out_slice: (out): what happened in it
 */
void
pl_lane_get_slice (const PlLane *self, gint64 from_ns, gint64 to_ns, PlLaneSlice *out_slice)
{
  pl_lane_get_slices (self, from_ns, to_ns, 1, out_slice);
}

/* Whether an interval of the track holds at_ns; narrows [since, until) to it, or to the hole that at_ns lies in. */
static gboolean
narrow (const PlTrack *track, gint64 at_ns, gint64 *since_ns, gint64 *until_ns)
{
  PlTrackPos next = pl_track_seek (track, at_ns + 1, 0);
  PlTrackPos before = next;
  gint64 end;

  if (pl_track_step_back (track, &before))
    {
      const PlBlock *block = pl_track_block (track, before.block);

      end = pl_block_end (block, before.index);
      if (end > at_ns)
        {
          *since_ns = pl_block_start (block, before.index);
          *until_ns = end;
          return TRUE;
        }
      *since_ns = MAX (*since_ns, end);
    }
  if (!pl_track_is_end (track, next))
    *until_ns = MIN (*until_ns, pl_block_start (pl_track_block (track, next.block), next.index));
  return FALSE;
}

/**
 * pl_lane_get_state:
 * @at_ns: an instant
 * @out_since_ns: (optional): since when the worker has been in that state
 * @out_until_ns: (optional): until when
 *
 * Returns: what the worker is known to have been doing
 */
PlLaneState
pl_lane_get_state (const PlLane *self, gint64 at_ns, gint64 *out_since_ns, gint64 *out_until_ns)
{
  gint64 since = self->first_ns;
  gint64 until = self->data_end_ns;
  PlLaneState state = PL_LANE_ACTIVE;

  if (narrow (&self->polls, at_ns, &since, &until))
    state = PL_LANE_POLLING;
  else if (narrow (&self->parks, at_ns, &since, &until))
    state = PL_LANE_PARKED;
  else if (narrow (&self->unknown, at_ns, &since, &until) || narrow (&self->lost, at_ns, &since, &until)
           || at_ns > self->data_end_ns || at_ns < self->first_ns)
    state = PL_LANE_UNKNOWN;
  for (guint i = 0; i < self->open->len && state != PL_LANE_POLLING; i++)
    {
      const PlPoll *poll = &g_array_index (self->open, PlPoll, i);

      if (!(poll->flags & PL_POLL_DETACHED) && poll->start_ns <= at_ns && at_ns <= pl_poll_end_ns (poll))
        {
          state = PL_LANE_POLLING;
          since = poll->start_ns;
          until = pl_poll_end_ns (poll);
        }
    }
  if (out_since_ns != NULL)
    *out_since_ns = since;
  if (out_until_ns != NULL)
    *out_until_ns = until;
  return state;
}

/**
 * pl_lane_find_gap:
 * @from_ns: start of a stretch
 * @to_ns: its end, after @from_ns
 * @out_gap: (out): the gap; where several overlap they are one
 *
 * Finds a gap that touches a stretch of time and in which events of the worker may be missing. O(log n)
 *
 * Returns: whether there is one
 */
gboolean
pl_lane_find_gap (const PlLane *self, gint64 from_ns, gint64 to_ns, PlGap *out_gap)
{
  return pl_lane_gaps_find (&self->gaps, from_ns, to_ns, out_gap);
}

/**
 * pl_lane_get_queue:
 * @at_ns: an instant
 *
 * Returns: the local queue depth at the latest poll start, park or unpark up to @at_ns, modulo 256; -1 before any
 */
int
pl_lane_get_queue (const PlLane *self, gint64 at_ns)
{
  return queue_before (self, pl_track_seek (&self->polls, at_ns + 1, 0), pl_track_seek (&self->parks, at_ns + 1, 0),
                       at_ns + 1);
}
