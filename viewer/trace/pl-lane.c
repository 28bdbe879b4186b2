/* pl-lane.c: what one worker did, asked about a stretch of time
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-lane-private.h"

#include <string.h>

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
  gint64 total = pl_track_get_total (&self->polls);

  for (guint i = 0; i < self->detached->len; i++)
    total += g_array_index (self->detached, PlPoll, i).duration_ns;
  return total;
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
  PlTrackPos polls, parks, unknown;
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
}

/* Index of the first detached poll that starts at at_ns or later. */
static guint
first_detached_from (const PlLane *self, gint64 at_ns)
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

static gboolean
touches (const PlPoll *poll, gint64 from_ns, gint64 to_ns)
{
  return poll->start_ns < to_ns && (pl_poll_end_ns (poll) > from_ns || poll->start_ns >= from_ns);
}

static void
add_detached (const PlLane *self, PlLaneSlice *slice, gint64 from_ns, gint64 to_ns)
{
  for (guint i = first_detached_from (self, from_ns - self->detached_max_ns); i < self->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->detached, PlPoll, i);

      if (poll->start_ns >= to_ns)
        break;
      if (touches (poll, from_ns, to_ns))
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

      if (!touches (poll, from_ns, to_ns))
        continue;
      slice->open_ns = MAX (slice->open_ns, poll->duration_ns);
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
      poll_ns = pl_block_start (self->polls.blocks[polls.block], polls.index);
      poll_queue = pl_block_queue (self->polls.blocks[polls.block], polls.index);
    }
  if (pl_track_step_back (&self->parks, &parks))
    {
      const PlBlock *block = self->parks.blocks[parks.block];

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
      const PlBlock *block = self->parks.blocks[before.block];
      gint64 unpark_ns = pl_block_end (block, before.index);

      if (unpark_ns >= left->at_ns && unpark_ns < right->at_ns)
        max = pl_block_queue_end (block, before.index);
    }
  if (pl_track_pos_before (left->parks, end) && pl_track_step_back (&self->parks, &last)
      && pl_block_end (self->parks.blocks[last.block], last.index) >= right->at_ns)
    {
      max = MAX (max, pl_block_queue (self->parks.blocks[last.block], last.index));
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

/* A stretch of time in equal parts. */
typedef struct
{
  gint64 from_ns;
  gint64 step;
  gint64 rest;
  guint n;
} Parts;

static gint64
part_start (const Parts *self, guint i)
{
  return self->from_ns + self->step * i + self->rest * (gint64) i / self->n;
}

/* Far apart, borders lie in memory that no cache holds: to wait for that of several borders at once takes little longer
 * than to wait for that of one. */
#define N_AHEAD 16

static void
prefetch_borders (const PlLane *self, const Parts *parts, guint first, PlTrackPos *polls, PlTrackPos *parks)
{
  for (guint i = first; i < MIN (first + N_AHEAD, parts->n); i++)
    {
      pl_track_prefetch (&self->polls, part_start (parts, i + 1), polls);
      pl_track_prefetch (&self->parks, part_start (parts, i + 1), parks);
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
  const Parts parts = { from_ns, (to_ns - from_ns) / n_slices, (to_ns - from_ns) % n_slices, n_slices };
  PlTrackPos polls = { 0, 0 };
  PlTrackPos parks = { 0, 0 };
  Border left = { .lane = self };
  Border right = { .lane = self };

  set_border (&left, from_ns, NULL);
  polls.block = left.polls.block;
  parks.block = left.parks.block;
  for (guint i = 0; i < n_slices; i++)
    {
      gint64 to = part_start (&parts, i + 1);

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
      const PlBlock *block = track->blocks[before.block];

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
    *until_ns = MIN (*until_ns, pl_block_start (track->blocks[next.block], next.index));
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
  else if (narrow (&self->unknown, at_ns, &since, &until) || at_ns > self->data_end_ns || at_ns < self->first_ns)
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

static void
get_poll (const PlLane *self, PlTrackPos pos, PlPoll *out_poll)
{
  pl_block_get_poll (self->polls.blocks[pos.block], pos.index, self->worker, out_poll);
}

static void
keep_longer (const PlPoll *candidate, PlPoll *best, gboolean *has_best)
{
  if (!*has_best || candidate->duration_ns > best->duration_ns)
    *best = *candidate;
  *has_best = TRUE;
}

/**
 * pl_lane_find_poll:
 * @at_ns: an instant
 * @tolerance_ns: how far a poll may be away from it, 0 or more
 * @out_poll: (out): the poll
 *
 * Finds the poll that somebody points at: the one that holds @at_ns if it is wider than the tolerance, else the
 * longest one within the tolerance, since that is the one that is drawn there.
 *
 * Returns: whether there is one
 */
gboolean
pl_lane_find_poll (const PlLane *self, gint64 at_ns, gint64 tolerance_ns, PlPoll *out_poll)
{
  gint64 from = at_ns - tolerance_ns;
  gint64 to = at_ns + tolerance_ns + 1;
  PlTrackPos first = pl_track_first_touching (&self->polls, at_ns, pl_track_seek (&self->polls, at_ns, 0));
  PlTrackPos last;
  gboolean found = FALSE;
  PlPoll poll;

  if (!pl_track_is_end (&self->polls, first))
    {
      get_poll (self, first, out_poll);
      if (out_poll->start_ns <= at_ns && out_poll->duration_ns > tolerance_ns)
        return TRUE;
    }

  first = pl_track_first_touching (&self->polls, from, pl_track_seek (&self->polls, from, 0));
  last = pl_track_seek (&self->polls, to, 0);
  if (pl_track_pos_before (first, last)
      && pl_track_find_over (&self->polls, first, last, pl_track_max_between (&self->polls, first, last), &first))
    {
      get_poll (self, first, &poll);
      keep_longer (&poll, out_poll, &found);
    }
  for (guint i = first_detached_from (self, from - self->detached_max_ns); i < self->detached->len; i++)
    {
      const PlPoll *candidate = &g_array_index (self->detached, PlPoll, i);

      if (candidate->start_ns >= to)
        break;
      if (touches (candidate, from, to))
        keep_longer (candidate, out_poll, &found);
    }
  for (guint i = 0; i < self->open->len; i++)
    if (touches (&g_array_index (self->open, PlPoll, i), from, to))
      keep_longer (&g_array_index (self->open, PlPoll, i), out_poll, &found);
  return found;
}

/**
 * pl_lane_next_poll:
 * @after_ns: a time
 * @min_duration_ns: shortest poll to stop at; at 0 or less open polls count as well
 * @out_poll: (out): the poll
 *
 * Finds the first poll that starts after @after_ns.
 *
 * Returns: whether there is one
 */
gboolean
pl_lane_next_poll (const PlLane *self, gint64 after_ns, gint64 min_duration_ns, PlPoll *out_poll)
{
  PlTrackPos pos;
  gboolean found;

  if (after_ns == G_MAXINT64)
    return FALSE;
  found = pl_track_find_over (&self->polls, pl_track_seek (&self->polls, after_ns + 1, 0), pl_track_end (&self->polls),
                              min_duration_ns, &pos);
  if (found)
    get_poll (self, pos, out_poll);
  for (guint i = first_detached_from (self, after_ns + 1); i < self->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->detached, PlPoll, i);

      if (found && poll->start_ns >= out_poll->start_ns)
        break;
      if (poll->duration_ns >= min_duration_ns)
        {
          *out_poll = *poll;
          return TRUE;
        }
    }
  for (guint i = 0; i < self->open->len && min_duration_ns <= 0; i++)
    {
      const PlPoll *poll = &g_array_index (self->open, PlPoll, i);

      if (poll->start_ns > after_ns && (!found || poll->start_ns < out_poll->start_ns))
        {
          *out_poll = *poll;
          found = TRUE;
        }
    }
  return found;
}

/**
 * pl_lane_previous_poll:
 * @before_ns: a time
 * @min_duration_ns: shortest poll to stop at; at 0 or less open polls count as well
 * @out_poll: (out): the poll
 *
 * Finds the last poll that starts before @before_ns.
 *
 * Returns: whether there is one
 */
gboolean
pl_lane_previous_poll (const PlLane *self, gint64 before_ns, gint64 min_duration_ns, PlPoll *out_poll)
{
  PlTrackPos pos;
  gboolean found = pl_track_find_over_back (&self->polls, pl_track_seek (&self->polls, before_ns, 0), min_duration_ns,
                                            &pos);

  if (found)
    get_poll (self, pos, out_poll);
  for (guint i = first_detached_from (self, before_ns); i > 0; i--)
    {
      const PlPoll *poll = &g_array_index (self->detached, PlPoll, i - 1);

      if (found && poll->start_ns <= out_poll->start_ns)
        break;
      if (poll->duration_ns >= min_duration_ns)
        {
          *out_poll = *poll;
          found = TRUE;
          break;
        }
    }
  for (guint i = 0; i < self->open->len && min_duration_ns <= 0; i++)
    {
      const PlPoll *poll = &g_array_index (self->open, PlPoll, i);

      if (poll->start_ns < before_ns && (!found || poll->start_ns > out_poll->start_ns))
        {
          *out_poll = *poll;
          found = TRUE;
        }
    }
  return found;
}

/**
 * pl_lane_foreach_poll:
 * @from_ns: start of a stretch
 * @to_ns: its end
 * @min_duration_ns: shortest poll to report
 * @func: called for each finished poll that touches the stretch, first those of the main row in time order, then the
 *   detached ones
 *
 * O(log n) for each poll that is reported.
 *
 * Returns: %FALSE when @func ended it
 */
gboolean
pl_lane_foreach_poll (const PlLane *self, gint64 from_ns, gint64 to_ns, gint64 min_duration_ns, PlPollFunc func,
                      gpointer user_data)
{
  PlTrackPos pos = pl_track_first_touching (&self->polls, from_ns, pl_track_seek (&self->polls, from_ns, 0));
  PlTrackPos end = pl_track_seek (&self->polls, to_ns, 0);

  while (pl_track_pos_before (pos, end) && pl_track_find_over (&self->polls, pos, end, min_duration_ns, &pos))
    {
      PlPoll poll;

      get_poll (self, pos, &poll);
      if (!func (&poll, user_data))
        return FALSE;
      pl_track_step (&self->polls, &pos);
    }
  for (guint i = first_detached_from (self, from_ns - self->detached_max_ns); i < self->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->detached, PlPoll, i);

      if (poll->start_ns >= to_ns)
        break;
      if (poll->duration_ns >= min_duration_ns && touches (poll, from_ns, to_ns) && !func (poll, user_data))
        return FALSE;
    }
  return TRUE;
}
