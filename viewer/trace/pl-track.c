/* pl-track.c: sorted, disjoint intervals of a worker over the whole session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-track.h"

#include <string.h>

static PlTrackChunk *
chunk_ref (PlTrackChunk *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

static void
chunk_unref (PlTrackChunk *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  for (guint i = 0; i < self->n; i++)
    pl_block_unref (self->entries[i].block);
  g_free (self);
}

static guint
count_chunks (guint n_blocks)
{
  return (n_blocks + PL_TRACK_CHUNK - 1) / PL_TRACK_CHUNK;
}

static PlTrackChunk *
chunk_new (guint n)
{
  PlTrackChunk *self = g_malloc0 (sizeof *self + n * sizeof (PlTrackEntry));

  g_atomic_ref_count_init (&self->ref_count);
  return self;
}

/* Adds a block behind the others. @n_blocks is how many there will be; the last chunk is not shared. */
static void
append (PlTrack *self, PlBlock *block, guint n_blocks)
{
  guint index = self->n_blocks % PL_TRACK_CHUNK;
  PlTrackChunk **chunk = &self->chunks[self->n_blocks / PL_TRACK_CHUNK];
  gint64 *max;

  if (index == 0)
    *chunk = chunk_new (MIN (n_blocks - self->n_blocks, PL_TRACK_CHUNK));
  (*chunk)->entries[index] = (PlTrackEntry) { pl_block_ref (block), self->n, self->total_ns };
  (*chunk)->n = index + 1;
  max = &(*chunk)->maxima[index / PL_TRACK_STRIDE];
  *max = MAX (*max, block->max_ns);
  self->n_blocks++;
  self->n += block->n;
  self->total_ns += block->total_ns;
}

/**
 * pl_track_init_extended:
 * @base: a track
 * @blocks: (element-type PlBlock): behind all of @base in time order, none overlapping its neighbours; references are taken
 *
 * Makes a track of both. O(blocks), and one reference for each %PL_TRACK_CHUNK blocks of @base.
 */
void
pl_track_init_extended (PlTrack *self, const PlTrack *base, GPtrArray *blocks)
{
  guint n_blocks = base->n_blocks + blocks->len;
  guint n_shared = base->n_blocks / PL_TRACK_CHUNK;

  *self = (PlTrack) { .n_blocks = n_shared * PL_TRACK_CHUNK, .n = base->n, .total_ns = base->total_ns };
  self->chunks = g_new (PlTrackChunk *, count_chunks (n_blocks));
  for (guint i = 0; i < n_shared; i++)
    self->chunks[i] = chunk_ref (base->chunks[i]);
  if (self->n_blocks < base->n_blocks)
    {
      self->n = base->chunks[n_shared]->entries[0].n_before;
      self->total_ns = base->chunks[n_shared]->entries[0].sum_before;
    }
  while (self->n_blocks < base->n_blocks)
    append (self, pl_track_block (base, self->n_blocks), n_blocks);
  for (guint i = 0; i < blocks->len; i++)
    append (self, g_ptr_array_index (blocks, i), n_blocks);
}

/**
 * pl_track_init:
 * @blocks: (element-type PlBlock): in time order, none overlapping its neighbours; references are taken
 */
void
pl_track_init (PlTrack *self, GPtrArray *blocks)
{
  pl_track_init_extended (self, &(PlTrack) { 0 }, blocks);
}

/* The first block from the hint on that begins at @at_ns or later. */
static guint
find_block (const PlTrack *self, gint64 at_ns, guint hint)
{
  guint low = hint;
  guint high = self->n_blocks;

  /* Times that grow by a pixel mostly stay in the block of the hint. */
  if (hint + 1 < high && pl_track_block (self, hint + 1)->base_ns >= at_ns)
    high = hint + 1;
  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (pl_track_block (self, middle)->base_ns < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* A chunk of the same blocks that nobody else has. */
static PlTrackChunk *
chunk_copy (const PlTrackChunk *self)
{
  PlTrackChunk *copy = chunk_new (self->n);

  copy->n = self->n;
  memcpy (copy->maxima, self->maxima, sizeof copy->maxima);
  memcpy (copy->entries, self->entries, self->n * sizeof (PlTrackEntry));
  for (guint i = 0; i < self->n; i++)
    pl_block_ref (copy->entries[i].block);
  return copy;
}

/**
 * pl_track_exchange:
 * @held: a block
 * @block: the same intervals, of which more or less is known
 *
 * Puts a block in the place of another; tracks that share it keep the other.
 *
 * Returns: whether the track has @held
 */
gboolean
pl_track_exchange (PlTrack *self, const PlBlock *held, PlBlock *block)
{
  guint i = find_block (self, held->base_ns, 0);
  PlTrackChunk **chunk;

  /* A block that takes no time may begin with the next one. */
  while (i < self->n_blocks && pl_track_block (self, i) != held && pl_track_block (self, i)->base_ns == held->base_ns)
    i++;
  if (i >= self->n_blocks || pl_track_block (self, i) != held)
    return FALSE;
  chunk = &self->chunks[i / PL_TRACK_CHUNK];
  if (!g_atomic_ref_count_compare (&(*chunk)->ref_count, 1))
    {
      PlTrackChunk *copy = chunk_copy (*chunk);

      chunk_unref (*chunk);
      *chunk = copy;
    }
  pl_block_ref (block);
  pl_block_unref ((*chunk)->entries[i % PL_TRACK_CHUNK].block);
  (*chunk)->entries[i % PL_TRACK_CHUNK].block = block;
  return TRUE;
}

void
pl_track_clear (PlTrack *self)
{
  for (guint i = 0; i < count_chunks (self->n_blocks); i++)
    chunk_unref (self->chunks[i]);
  g_free (self->chunks);
  *self = (PlTrack) { 0 };
}

static const PlTrackEntry *
get_entry (const PlTrack *self, guint block)
{
  return &self->chunks[block / PL_TRACK_CHUNK]->entries[block % PL_TRACK_CHUNK];
}

static guint64
n_before (const PlTrack *self, guint block)
{
  return block < self->n_blocks ? get_entry (self, block)->n_before : self->n;
}

static gint64
sum_before (const PlTrack *self, guint block)
{
  return block < self->n_blocks ? get_entry (self, block)->sum_before : self->total_ns;
}

/* Maximum of the stride that begins with @block. */
static gint64
stride_max (const PlTrack *self, guint block)
{
  return self->chunks[block / PL_TRACK_CHUNK]->maxima[block % PL_TRACK_CHUNK / PL_TRACK_STRIDE];
}

guint64
pl_track_get_n (const PlTrack *self)
{
  return self->n;
}

gint64
pl_track_get_total (const PlTrack *self)
{
  return self->total_ns;
}

gint64
pl_track_get_max (const PlTrack *self)
{
  return pl_track_max_between (self, (PlTrackPos) { 0, 0 }, pl_track_end (self));
}

/* Latest end, G_MININT64 of an empty track. */
gint64
pl_track_get_end (const PlTrack *self)
{
  return self->n_blocks > 0 ? pl_track_block (self, self->n_blocks - 1)->end_ns : G_MININT64;
}

/**
 * pl_track_seek:
 * @at_ns: a time
 * @hint: block to begin the search at; the one of the last answer when times only grow, else 0
 *
 * Returns: the first interval that starts at @at_ns or later
 */
PlTrackPos
pl_track_seek (const PlTrack *self, gint64 at_ns, guint hint)
{
  guint next = find_block (self, at_ns, hint);
  PlTrackPos pos;

  if (next == 0)
    return (PlTrackPos) { 0, 0 };

  pos.block = next - 1;
  pos.index = pl_block_first_from (pl_track_block (self, next - 1), at_ns);
  if (pos.index == pl_track_block (self, next - 1)->n)
    pos = (PlTrackPos) { next, 0 };
  return pos;
}

/**
 * pl_track_prefetch:
 * @at_ns: a time, not before that of the last call
 * @cursor: (inout): begins as { 0, 0 }; block and stride that the last call came to
 *
 * Begins to fetch from memory what a pl_track_seek() of @at_ns and questions about the answer will look at.
 */
void
pl_track_prefetch (const PlTrack *self, gint64 at_ns, PlTrackPos *cursor)
{
  guint next = find_block (self, at_ns, cursor->block);

  if (next == 0)
    return;
  if (next - 1 != cursor->block)
    *cursor = (PlTrackPos) { next - 1, 0 };
  cursor->index = pl_block_prefetch (pl_track_block (self, cursor->block), at_ns, cursor->index);
}

/* FALSE, and no step, at the first interval. */
gboolean
pl_track_step_back (const PlTrack *self, PlTrackPos *pos)
{
  if (pos->index > 0)
    pos->index--;
  else if (pos->block > 0)
    {
      pos->block--;
      pos->index = pl_track_block (self, pos->block)->n - 1;
    }
  else
    return FALSE;
  return TRUE;
}

void
pl_track_step (const PlTrack *self, PlTrackPos *pos)
{
  if (++pos->index == pl_track_block (self, pos->block)->n)
    *pos = (PlTrackPos) { pos->block + 1, 0 };
}

/**
 * pl_track_first_touching:
 * @at_ns: a time
 * @at: pl_track_seek() of it
 *
 * Returns: the first interval that ends after @at_ns, which may have started before it
 */
PlTrackPos
pl_track_first_touching (const PlTrack *self, gint64 at_ns, PlTrackPos at)
{
  PlTrackPos before = at;

  if (pl_track_step_back (self, &before) && pl_block_end (pl_track_block (self, before.block), before.index) > at_ns)
    return before;
  return at;
}

/**
 * pl_track_covered_until:
 * @at_ns: a time
 * @at: pl_track_seek() of it
 *
 * Returns: how much time before @at_ns lies inside intervals, ns
 */
gint64
pl_track_covered_until (const PlTrack *self, gint64 at_ns, PlTrackPos at)
{
  gint64 sum = sum_before (self, at.block);
  PlTrackPos before = at;

  if (at.index > 0)
    sum += pl_block_sum_until (pl_track_block (self, at.block), at.index);
  if (pl_track_step_back (self, &before))
    {
      gint64 end = pl_block_end (pl_track_block (self, before.block), before.index);

      if (end > at_ns)
        sum -= end - at_ns;
    }
  return sum;
}

/* How many intervals lie before pos. */
guint64
pl_track_index (const PlTrack *self, PlTrackPos pos)
{
  return n_before (self, pos.block) + pos.index;
}

static gint64
max_of_blocks (const PlTrack *self, guint from, guint to)
{
  gint64 max = 0;

  for (; from < to && from % PL_TRACK_STRIDE != 0; from++)
    max = MAX (max, pl_track_block (self, from)->max_ns);
  for (; from + PL_TRACK_STRIDE <= to; from += PL_TRACK_STRIDE)
    max = MAX (max, stride_max (self, from));
  for (; from < to; from++)
    max = MAX (max, pl_track_block (self, from)->max_ns);
  return max;
}

/**
 * pl_track_max_between:
 *
 * Returns: the longest duration of the intervals [@from, @to), 0 when that is empty
 */
gint64
pl_track_max_between (const PlTrack *self, PlTrackPos from, PlTrackPos to)
{
  gint64 max;

  if (from.block == to.block)
    return from.index < to.index ? pl_block_max_between (pl_track_block (self, from.block), from.index, to.index) : 0;
  max = pl_block_max_between (pl_track_block (self, from.block), from.index, pl_track_block (self, from.block)->n);
  max = MAX (max, max_of_blocks (self, from.block + 1, to.block));
  if (to.index > 0)
    max = MAX (max, pl_block_max_between (pl_track_block (self, to.block), 0, to.index));
  return max;
}

/**
 * pl_track_max_queue:
 *
 * Returns: the largest local queue depth that the intervals [@from, @to) carry, -1 when that is empty
 */
int
pl_track_max_queue (const PlTrack *self, PlTrackPos from, PlTrackPos to)
{
  int max = -1;

  if (!pl_track_pos_before (from, to))
    return max;
  for (guint block = from.block; block <= to.block && block < self->n_blocks; block++)
    {
      guint first = block == from.block ? from.index : 0;
      guint last = block == to.block ? to.index : pl_track_block (self, block)->n;

      if (first < last)
        max = MAX (max, pl_block_max_queue (pl_track_block (self, block), first, last));
    }
  return max;
}

/**
 * pl_track_find_over:
 * @min_ns: a duration
 * @out_pos: the first interval in [@from, @to) of that duration or more
 *
 * Skips blocks by their maxima: O(log n) for each one found.
 *
 * Returns: whether there is one
 */
gboolean
pl_track_find_over (const PlTrack *self, PlTrackPos from, PlTrackPos to, gint64 min_ns, PlTrackPos *out_pos)
{
  guint block = from.block;

  while (block < self->n_blocks && block <= to.block)
    {
      guint first = block == from.block ? from.index : 0;
      guint last = block == to.block ? to.index : pl_track_block (self, block)->n;
      guint found = pl_track_block (self, block)->max_ns >= min_ns
                    ? pl_block_find_over (pl_track_block (self, block), first, last, min_ns) : last;

      if (found < last)
        {
          *out_pos = (PlTrackPos) { block, found };
          return TRUE;
        }
      block++;
      while (block % PL_TRACK_STRIDE == 0 && block + PL_TRACK_STRIDE <= to.block
             && stride_max (self, block) < min_ns)
        block += PL_TRACK_STRIDE;
    }
  return FALSE;
}

/**
 * pl_track_find_over_back:
 *
 * Like pl_track_find_over(), the last interval before @to.
 *
 * Returns: whether there is one
 */
gboolean
pl_track_find_over_back (const PlTrack *self, PlTrackPos to, gint64 min_ns, PlTrackPos *out_pos)
{
  for (guint block = MIN (to.block + 1, self->n_blocks); block > 0; block--)
    {
      const PlBlock *candidate = pl_track_block (self, block - 1);
      guint last = block - 1 == to.block ? to.index : candidate->n;
      guint found;

      while (block % PL_TRACK_STRIDE == 0 && block <= to.block && block > PL_TRACK_STRIDE
             && stride_max (self, block - PL_TRACK_STRIDE) < min_ns)
        {
          block -= PL_TRACK_STRIDE;
          candidate = pl_track_block (self, block - 1);
          last = candidate->n;
        }
      found = candidate->max_ns >= min_ns ? pl_block_find_over_back (candidate, 0, last, min_ns) : last;
      if (found < last)
        {
          *out_pos = (PlTrackPos) { block - 1, found };
          return TRUE;
        }
    }
  return FALSE;
}
