/* pl-lane-polls.c: the single polls of a lane
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-lane-private.h"

static void
get_poll (const PlLane *self, PlTrackPos pos, PlPoll *out_poll)
{
  PlGap gap;

  pl_block_get_poll (pl_track_block (&self->polls, pos.block), pos.index, self->worker, out_poll);
  if (pl_lane_gaps_next (&self->gaps, pl_poll_end_ns (out_poll), &gap) && gap.from_ns == pl_poll_end_ns (out_poll))
    out_poll->flags |= PL_POLL_CUT_OFF;
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
  for (guint i = pl_lane_first_detached_from (self, from - self->detached_max_ns); i < self->detached->len; i++)
    {
      const PlPoll *candidate = &g_array_index (self->detached, PlPoll, i);

      if (candidate->start_ns >= to)
        break;
      if (pl_poll_touches (candidate, from, to))
        keep_longer (candidate, out_poll, &found);
    }
  for (guint i = 0; i < self->open->len; i++)
    if (pl_poll_touches (&g_array_index (self->open, PlPoll, i), from, to))
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
  for (guint i = pl_lane_first_detached_from (self, after_ns + 1); i < self->detached->len; i++)
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
  for (guint i = pl_lane_first_detached_from (self, before_ns); i > 0; i--)
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
  for (guint i = pl_lane_first_detached_from (self, from_ns - self->detached_max_ns); i < self->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->detached, PlPoll, i);

      if (poll->start_ns >= to_ns)
        break;
      if (poll->duration_ns >= min_duration_ns && pl_poll_touches (poll, from_ns, to_ns) && !func (poll, user_data))
        return FALSE;
    }
  return TRUE;
}
