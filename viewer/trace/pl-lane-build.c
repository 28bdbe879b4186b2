/* pl-lane-build.c: blocks of all pieces → one lane
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 */
#include "config.h"

#include "pl-lane-private.h"

#include "pl-block-builder.h"
#include "pl-untangle.h"

/* Each joined interval gets a block of its own, to stand between the blocks of its two batches. */
static void
add_joined (GPtrArray *blocks, GArray *joined, PlBlockKind kind)
{
  PlBlockBuilder *builder = pl_block_builder_new (kind);
  g_autoptr(GPtrArray) made = NULL;

  for (guint i = 0; i < joined->len; i++)
    {
      const PlPoll *poll = &g_array_index (joined, PlPoll, i);

      if (kind == PL_BLOCK_POLLS)
        pl_block_builder_add_poll (builder, poll->start_ns, poll->duration_ns, poll->task_id, poll->spawn_loc,
                                   poll->local_queue);
      else
        pl_block_builder_add_park (builder, poll->start_ns, poll->duration_ns, poll->local_queue, poll->flags);
      pl_block_builder_seal (builder);
    }
  made = pl_block_builder_take (builder);
  for (guint i = 0; i < made->len; i++)
    g_ptr_array_add (blocks, pl_block_ref (g_ptr_array_index (made, i)));
  pl_block_builder_free (builder);
}

static void
build_row (PlTrack *track, GPtrArray *piece_blocks, GArray *joined, const PlLaneInput *input, PlBlockKind kind,
           GArray *detached)
{
  g_autoptr(GPtrArray) sorted = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);
  g_autoptr(GPtrArray) row = NULL;
  PlUntangle untangle = { kind, input->worker, input->from_ns, input->to_ns, detached };

  for (guint i = 0; i < piece_blocks->len; i++)
    g_ptr_array_add (sorted, pl_block_ref (g_ptr_array_index (piece_blocks, i)));
  add_joined (sorted, joined, kind);
  row = pl_untangle (&untangle, sorted);
  pl_track_init (track, row);
}

static void
add_silence (PlBlockBuilder *unknown, gint64 from_ns, gint64 to_ns)
{
  if (to_ns - from_ns > PL_SILENCE_NS)
    pl_block_builder_add_park (unknown, from_ns, to_ns - from_ns, 0, 0);
}

/* Where to go on among the parks: stretches to look for silences in come in order of time. */
typedef struct
{
  const PlLane *lane;
  PlBlockBuilder *unknown;
  guint park; /* the first block that does not end before the stretch */
} SilenceSearch;

/* Adds the parts of [from, to) that are silent for longer than PL_SILENCE_NS between parks. A block of parks knows its
 * own silences, also as a summary. */
static void
add_silences (SilenceSearch *self, gint64 from_ns, gint64 to_ns)
{
  const PlTrack *parks = &self->lane->parks;
  gint64 at = from_ns;

  while (self->park < parks->n_blocks && pl_track_block (parks, self->park)->end_ns <= from_ns)
    self->park++;
  for (guint i = self->park; i < parks->n_blocks && pl_track_block (parks, i)->base_ns < to_ns; i++)
    {
      const PlBlock *block = pl_track_block (parks, i);

      add_silence (self->unknown, at, block->base_ns);
      for (guint j = 0; j < block->n_silences; j++)
        add_silence (self->unknown, MAX (from_ns, block->base_ns + block->silences[j].from),
                     MIN (to_ns, block->base_ns + block->silences[j].to));
      at = MAX (at, block->end_ns);
    }
  add_silence (self->unknown, at, to_ns);
}

/* Silences between first event and frontier, from the stretches between polls that are long enough to hold one. */
static void
find_silences (const PlLane *self, PlBlockBuilder *unknown)
{
  SilenceSearch search = { self, unknown, 0 };
  gint64 at = self->first_ns;

  for (guint i = 0; i < self->polls.n_blocks; i++)
    {
      const PlBlock *block = pl_track_block (&self->polls, i);

      if (block->base_ns - at > PL_SILENCE_NS)
        add_silences (&search, at, block->base_ns);
      for (guint j = 0; j < block->n_silences; j++)
        add_silences (&search, block->base_ns + block->silences[j].from, block->base_ns + block->silences[j].to);
      at = MAX (at, block->end_ns);
    }
  if (self->frontier_ns - at > PL_SILENCE_NS)
    add_silences (&search, at, self->frontier_ns);
}

/* Until when the lane is known to have been in an open poll; G_MININT64 without one that holds the worker. */
static gint64
open_until (const PlLane *self)
{
  for (guint i = 0; i < self->open->len; i++)
    if (!(g_array_index (self->open, PlPoll, i).flags & PL_POLL_DETACHED))
      return pl_poll_end_ns (&g_array_index (self->open, PlPoll, i));
  return G_MININT64;
}

/* A worker that parked last is parked to the end of the data, unless it may have written what is not there yet. */
static gboolean
is_parked_last (const PlLaneInput *input)
{
  return !input->is_lagging && input->open_park_ns != G_MININT64 && input->open_park_ns == input->frontier_ns
         && input->open_park_ns <= input->to_ns;
}

/* Parks that began before the data does are known from where it begins. */
static void
begin_parks_with_data (GArray *parks, gint64 from_ns)
{
  for (guint i = 0; i < parks->len; i++)
    {
      PlPoll *park = &g_array_index (parks, PlPoll, i);
      gint64 end_ns = pl_poll_end_ns (park);

      if (park->start_ns >= from_ns || end_ns <= from_ns)
        continue;
      park->start_ns = from_ns;
      park->duration_ns = end_ns - from_ns;
    }
}

static void
build_unknown (PlLane *self, const PlLaneInput *input)
{
  PlBlockBuilder *builder = pl_block_builder_new (PL_BLOCK_PARKS);
  g_autoptr(GPtrArray) blocks = NULL;
  gint64 known_to = MAX (self->frontier_ns, open_until (self));

  if (self->first_ns > input->from_ns)
    pl_block_builder_add_park (builder, input->from_ns, self->first_ns - input->from_ns, 0, 0);
  find_silences (self, builder);
  if (known_to < input->to_ns && !is_parked_last (input))
    pl_block_builder_add_park (builder, known_to, input->to_ns - known_to, 0, 0);
  blocks = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
  pl_track_init (&self->unknown, blocks);
}

/* An open poll holds the worker unless the worker is known to have gone on without it. */
static void
build_open (PlLane *self, const PlLaneInput *input)
{
  self->open = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  g_array_append_vals (self->open, input->open_polls->data, input->open_polls->len);
  g_array_sort (self->open, pl_poll_compare);
  for (guint i = self->open->len; i > 0; i--)
    {
      PlPoll *poll = &g_array_index (self->open, PlPoll, i - 1);

      if (poll->start_ns < input->from_ns || poll->start_ns > input->to_ns)
        {
          g_array_remove_index (self->open, i - 1);
          continue;
        }
      poll->flags = PL_POLL_OPEN;
      poll->duration_ns = MIN (poll->duration_ns, input->to_ns - poll->start_ns);
      if (i < self->open->len || poll->start_ns < pl_track_get_end (&self->polls))
        poll->flags |= PL_POLL_DETACHED;
      else if (input->is_watched)
        poll->flags |= PL_POLL_GROWING;
    }
}

/**
 * pl_lane_build:
 * @input: what the lane is made from; nothing is kept of it but references to blocks
 *
 * O(blocks log blocks); only tangled blocks are looked into.
 *
 * Returns: (transfer full): the lane
 */
PlLane *
pl_lane_build (const PlLaneInput *input)
{
  PlLane *self = g_new0 (PlLane, 1);

  self->worker = input->worker;
  self->first_ns = MAX (input->first_ns, input->from_ns);
  self->frontier_ns = CLAMP (input->frontier_ns, self->first_ns, MAX (input->to_ns, self->first_ns));
  self->data_start_ns = input->from_ns;
  self->data_end_ns = input->to_ns;
  self->joined = g_array_copy (input->joined_polls);
  self->detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  for (guint i = 0; i < input->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (input->detached, PlPoll, i);

      if (poll->start_ns >= input->from_ns && pl_poll_end_ns (poll) <= input->to_ns)
        g_array_append_val (self->detached, *poll);
    }

  build_row (&self->polls, input->poll_blocks, input->joined_polls, input, PL_BLOCK_POLLS, self->detached);
  g_array_sort (self->detached, pl_poll_compare);
  for (guint i = 0; i < self->detached->len; i++)
    self->detached_max_ns = MAX (self->detached_max_ns, g_array_index (self->detached, PlPoll, i).duration_ns);

  if (is_parked_last (input))
    {
      PlPoll park = { .start_ns = input->open_park_ns, .duration_ns = input->to_ns - input->open_park_ns,
                      .local_queue = input->open_park_queue, .flags = input->open_park_queue };

      g_array_append_val (input->joined_parks, park);
    }
  begin_parks_with_data (input->joined_parks, input->from_ns);
  build_row (&self->parks, input->park_blocks, input->joined_parks, input, PL_BLOCK_PARKS, NULL);
  build_open (self, input);
  build_unknown (self, input);
  return self;
}

void
pl_lane_free (PlLane *self)
{
  pl_track_clear (&self->polls);
  pl_track_clear (&self->parks);
  pl_track_clear (&self->unknown);
  pl_track_clear (&self->lost);
  g_array_unref (self->detached);
  g_array_unref (self->open);
  g_array_unref (self->joined);
  g_free (self);
}
