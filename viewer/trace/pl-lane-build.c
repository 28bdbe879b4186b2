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
build_row (PlTrack *track, const PlTrack *base, GPtrArray *piece_blocks, GArray *joined, const PlLaneInput *input,
           PlBlockKind kind, GArray *detached)
{
  g_autoptr(GPtrArray) sorted = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);
  g_autoptr(GPtrArray) row = NULL;
  PlUntangle untangle = { kind, input->worker, input->from_ns, input->to_ns, detached };

  for (guint i = 0; i < piece_blocks->len; i++)
    g_ptr_array_add (sorted, pl_block_ref (g_ptr_array_index (piece_blocks, i)));
  add_joined (sorted, joined, kind);
  row = pl_untangle (&untangle, sorted);
  pl_track_init_extended (track, base, row);
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

/* Silences from where they have been looked for to the last poll, from the stretches between polls that are long enough to
 * hold one. */
static void
find_silences (PlLane *self, guint first_poll, PlBlockBuilder *unknown)
{
  SilenceSearch search = { self, unknown, self->first_park };

  for (guint i = first_poll; i < self->polls.n_blocks; i++)
    {
      const PlBlock *block = pl_track_block (&self->polls, i);

      if (block->base_ns - self->polled_until_ns > PL_SILENCE_NS)
        add_silences (&search, self->polled_until_ns, block->base_ns);
      for (guint j = 0; j < block->n_silences; j++)
        add_silences (&search, block->base_ns + block->silences[j].from, block->base_ns + block->silences[j].to);
      self->polled_until_ns = MAX (self->polled_until_ns, block->end_ns);
    }
  self->first_park = search.park;
}

/* The silence that the data ends with. */
static void
find_last_silence (const PlLane *self, PlBlockBuilder *unknown)
{
  SilenceSearch search = { self, unknown, self->first_park };

  if (self->frontier_ns - self->polled_until_ns > PL_SILENCE_NS)
    add_silences (&search, self->polled_until_ns, self->frontier_ns);
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
begin_unknown (PlLane *self, const PlLaneInput *input, guint first_poll, PlBlockBuilder *builder)
{
  if (!self->is_begun)
    {
      self->is_begun = TRUE;
      self->polled_until_ns = self->first_ns;
      if (self->first_ns > input->from_ns)
        pl_block_builder_add_park (builder, input->from_ns, self->first_ns - input->from_ns, 0, 0);
    }
  find_silences (self, first_poll, builder);
}

static void
end_unknown (const PlLane *self, const PlLaneInput *input, PlBlockBuilder *builder)
{
  gint64 known_to = MAX (self->frontier_ns, open_until (self));

  find_last_silence (self, builder);
  if (known_to < input->to_ns && !is_parked_last (input))
    pl_block_builder_add_park (builder, known_to, input->to_ns - known_to, 0, 0);
}

/* Frees the builder. */
static void
take_unknown (PlLane *self, const PlLaneInput *input, PlBlockBuilder *builder)
{
  static const PlTrack nothing;
  g_autoptr(GPtrArray) blocks = pl_block_builder_take (builder);

  pl_block_builder_free (builder);
  pl_track_init_extended (&self->unknown, input->base != NULL ? &input->base->unknown : &nothing, blocks);
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

/* @base shared where nothing is added, else a copy with it; @base is %NULL for nothing. */
static GArray *
extend_array (GArray *base, GArray *added)
{
  GArray *array;

  if (base == NULL)
    return g_array_copy (added);
  if (added->len == 0)
    return g_array_ref (base);
  array = g_array_sized_new (FALSE, FALSE, sizeof (PlPoll), base->len + added->len);
  g_array_append_vals (array, base->data, base->len);
  g_array_append_vals (array, added->data, added->len);
  return array;
}

/* Detached polls of base and pieces, and room for those that turn out to be detached. */
static GArray *
begin_detached (const PlLaneInput *input)
{
  GArray *detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));

  for (guint i = 0; i < input->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (input->detached, PlPoll, i);

      if (poll->start_ns >= input->from_ns && pl_poll_end_ns (poll) <= input->to_ns)
        g_array_append_val (detached, *poll);
    }
  return detached;
}

/* Mostly they are in order, and there may be millions where two streams tell of the same worker. */
static void
sort_polls (GArray *polls)
{
  for (guint i = 1; i < polls->len; i++)
    if (pl_poll_compare (&g_array_index (polls, PlPoll, i - 1), &g_array_index (polls, PlPoll, i)) > 0)
      {
        g_array_sort (polls, pl_poll_compare);
        return;
      }
}

static void
end_detached (PlLane *self, const PlLane *base, GArray *added)
{
  self->detached_max_ns = base->detached_max_ns;
  self->detached_total_ns = base->detached_total_ns;
  for (guint i = 0; i < added->len; i++)
    {
      gint64 duration_ns = g_array_index (added, PlPoll, i).duration_ns;

      self->detached_max_ns = MAX (self->detached_max_ns, duration_ns);
      self->detached_total_ns += duration_ns;
    }
  self->detached = extend_array (base->detached, added);
  if (self->detached != base->detached)
    sort_polls (self->detached);
}

/* The rows, and silences as far as polls reach. */
static PlLane *
extend (const PlLaneInput *input, PlBlockBuilder *unknown)
{
  static const PlLane nothing;
  const PlLane *base = input->base != NULL ? input->base : &nothing;
  g_autoptr(GArray) detached = begin_detached (input);
  PlLane *self = g_new0 (PlLane, 1);

  self->worker = input->worker;
  self->first_ns = MAX (input->first_ns, input->from_ns);
  self->frontier_ns = CLAMP (input->frontier_ns, self->first_ns, MAX (input->to_ns, self->first_ns));
  self->data_start_ns = input->from_ns;
  self->data_end_ns = input->to_ns;
  self->is_begun = base->is_begun;
  self->polled_until_ns = base->polled_until_ns;
  self->first_park = base->first_park;
  self->joined = extend_array (base->joined, input->joined_polls);
  build_row (&self->polls, &base->polls, input->poll_blocks, input->joined_polls, input, PL_BLOCK_POLLS, detached);
  end_detached (self, base, detached);
  begin_parks_with_data (input->joined_parks, input->from_ns);
  build_row (&self->parks, &base->parks, input->park_blocks, input->joined_parks, input, PL_BLOCK_PARKS, NULL);
  begin_unknown (self, input, base->polls.n_blocks, unknown);
  return self;
}

/**
 * pl_lane_settle:
 * @input: what the lane is made longer by; of what is open nothing is asked
 *
 * Makes a lane that others are based on.
 *
 * Returns: (transfer full): the lane, without an end
 */
PlLane *
pl_lane_settle (const PlLaneInput *input)
{
  PlBlockBuilder *unknown = pl_block_builder_new (PL_BLOCK_PARKS);
  PlLane *self = extend (input, unknown);

  self->open = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  take_unknown (self, input, unknown);
  return self;
}

/**
 * pl_lane_build:
 * @input: what the lane is made from; nothing is kept of it but references to blocks
 *
 * O(blocks log blocks), without those of the base; only tangled blocks are looked into.
 *
 * Returns: (transfer full): the lane
 */
PlLane *
pl_lane_build (const PlLaneInput *input)
{
  PlBlockBuilder *unknown = pl_block_builder_new (PL_BLOCK_PARKS);
  PlLane *self;

  if (is_parked_last (input))
    {
      PlPoll park = { .start_ns = input->open_park_ns, .duration_ns = input->to_ns - input->open_park_ns,
                      .local_queue = input->open_park_queue, .flags = input->open_park_queue };

      g_array_append_val (input->joined_parks, park);
    }
  self = extend (input, unknown);
  build_open (self, input);
  end_unknown (self, input, unknown);
  take_unknown (self, input, unknown);
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
