/* pl-lane-lost.c: what is not known of a lane because events of it were lost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-lane-lost.h"

#include "pl-block-builder.h"

/* Events of another thread of the worker may lie in a gap. What lies between more than so many of them counts as known. */
#define MAX_PARTS 64

/* What may be known within a gap, and the stretches without data that need not be told twice. */
#define N_TRACKS 3

static int
compare_holes (gconstpointer a, gconstpointer b)
{
  const PlHole *first = a;
  const PlHole *second = b;

  return (first->from_ns > second->from_ns) - (first->from_ns < second->from_ns);
}

static void
add_gaps (GArray *holes, const PlGap *gaps, guint n)
{
  for (guint i = 0; i < n; i++)
    {
      PlHole hole = { gaps[i].from_ns, gaps[i].to_ns };

      g_array_append_val (holes, hole);
    }
}

/* Until when something is known without a break that holds at_ns; at_ns if nothing does. */
static gint64
known_until (const PlLane *self, const PlTrack *const *tracks, gint64 at_ns)
{
  for (guint i = 0; i < N_TRACKS; i++)
    {
      PlTrackPos pos = pl_track_seek (tracks[i], at_ns + 1, 0);

      if (pl_track_step_back (tracks[i], &pos))
        at_ns = MAX (at_ns, pl_block_end (pl_track_block (tracks[i], pos.block), pos.index));
    }
  for (guint i = 0; i < self->open->len; i++)
    {
      const PlPoll *poll = &g_array_index (self->open, PlPoll, i);

      if ((poll->flags & PL_POLL_DETACHED) == 0 && poll->start_ns <= at_ns)
        at_ns = MAX (at_ns, pl_poll_end_ns (poll));
    }
  return at_ns;
}

static gint64
next_start (const PlTrack *const *tracks, gint64 after_ns, gint64 limit_ns)
{
  for (guint i = 0; i < N_TRACKS; i++)
    {
      PlTrackPos pos = pl_track_seek (tracks[i], after_ns + 1, 0);

      if (!pl_track_is_end (tracks[i], pos))
        limit_ns = MIN (limit_ns, pl_block_start (pl_track_block (tracks[i], pos.block), pos.index));
    }
  return limit_ns;
}

static void
add_hole (const PlLane *self, PlBlockBuilder *builder, gint64 from_ns, gint64 to_ns)
{
  const PlTrack *const tracks[N_TRACKS] = { &self->polls, &self->parks, &self->unknown };

  for (guint i = 0; i < MAX_PARTS && from_ns < to_ns; i++)
    {
      gint64 known_ns = known_until (self, tracks, from_ns);
      gint64 end_ns;

      if (known_ns > from_ns)
        {
          from_ns = known_ns;
          continue;
        }
      end_ns = next_start (tracks, from_ns, to_ns);
      pl_block_builder_add_park (builder, from_ns, end_ns - from_ns, 0, 0);
      from_ns = end_ns;
    }
}

/**
 * pl_lane_build_lost:
 * @gaps: those of the lane, which must outlive it
 * @holes: (element-type PlHole): what else is not known behind a gap
 *
 * Completes a lane that was built from everything else. O(gaps × log polls), with those of all lanes bounded
 */
void
pl_lane_build_lost (PlLane *self, PlLaneGaps gaps, GArray *holes)
{
  g_autoptr(GArray) all = g_array_copy (holes);
  g_autoptr(GPtrArray) blocks = NULL;
  PlBlockBuilder *builder;
  gint64 known_ns = self->data_start_ns;

  self->gaps = gaps;
  if (pl_lane_gaps_is_empty (&gaps))
    return;
  g_array_append_vals (all, gaps.holes, gaps.n_holes);
  add_gaps (all, gaps.own, gaps.n_own);
  g_array_sort (all, compare_holes);
  builder = pl_block_builder_new (PL_BLOCK_PARKS);
  for (guint i = 0; i < all->len; i++)
    {
      const PlHole *hole = &g_array_index (all, PlHole, i);

      add_hole (self, builder, MAX (hole->from_ns, known_ns), MIN (hole->to_ns, self->data_end_ns));
      known_ns = MAX (known_ns, hole->to_ns);
    }
  blocks = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
  pl_track_clear (&self->lost);
  pl_track_init (&self->lost, blocks);
}
