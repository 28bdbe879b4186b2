/* pl-track.c: sorted, disjoint intervals of a worker over the whole session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-track.h"

/**
 * pl_track_init:
 * @blocks: (element-type PlBlock): in time order, none overlapping its neighbours; references are taken
 */
void
pl_track_init (PlTrack *self, GPtrArray *blocks)
{
  guint n = blocks->len;

  self->n_blocks = n;
  self->blocks = g_new (PlBlock *, n);
  self->n_before = g_new0 (guint64, n + 1);
  self->sum_before = g_new0 (gint64, n + 1);
  self->maxima = g_new0 (gint64, n / PL_BLOCK_STRIDE + 1);
  for (guint i = 0; i < n; i++)
    {
      PlBlock *block = g_ptr_array_index (blocks, i);

      self->blocks[i] = pl_block_ref (block);
      self->n_before[i + 1] = self->n_before[i] + block->n;
      self->sum_before[i + 1] = self->sum_before[i] + block->total_ns;
      self->maxima[i / PL_BLOCK_STRIDE] = MAX (self->maxima[i / PL_BLOCK_STRIDE], block->max_ns);
    }
}

void
pl_track_clear (PlTrack *self)
{
  for (guint i = 0; i < self->n_blocks; i++)
    pl_block_unref (self->blocks[i]);
  g_free (self->blocks);
  g_free (self->n_before);
  g_free (self->sum_before);
  g_free (self->maxima);
}

guint64
pl_track_get_n (const PlTrack *self)
{
  return self->n_before[self->n_blocks];
}

gint64
pl_track_get_total (const PlTrack *self)
{
  return self->sum_before[self->n_blocks];
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
  return self->n_blocks > 0 ? self->blocks[self->n_blocks - 1]->end_ns : G_MININT64;
}

/* The first block from the hint on that begins at @at_ns or later. */
static guint
find_block (const PlTrack *self, gint64 at_ns, guint hint)
{
  guint low = hint;
  guint high = self->n_blocks;

  /* Times that grow by a pixel mostly stay in the block of the hint. */
  if (hint + 1 < high && self->blocks[hint + 1]->base_ns >= at_ns)
    high = hint + 1;
  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (self->blocks[middle]->base_ns < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
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
  pos.index = pl_block_first_from (self->blocks[next - 1], at_ns);
  if (pos.index == self->blocks[next - 1]->n)
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
  cursor->index = pl_block_prefetch (self->blocks[cursor->block], at_ns, cursor->index);
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
      pos->index = self->blocks[pos->block]->n - 1;
    }
  else
    return FALSE;
  return TRUE;
}

void
pl_track_step (const PlTrack *self, PlTrackPos *pos)
{
  if (++pos->index == self->blocks[pos->block]->n)
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

  if (pl_track_step_back (self, &before) && pl_block_end (self->blocks[before.block], before.index) > at_ns)
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
  gint64 sum = self->sum_before[at.block];
  PlTrackPos before = at;

  if (at.index > 0)
    sum += pl_block_sum_until (self->blocks[at.block], at.index);
  if (pl_track_step_back (self, &before))
    {
      gint64 end = pl_block_end (self->blocks[before.block], before.index);

      if (end > at_ns)
        sum -= end - at_ns;
    }
  return sum;
}

/* How many intervals lie before pos. */
guint64
pl_track_index (const PlTrack *self, PlTrackPos pos)
{
  return self->n_before[pos.block] + pos.index;
}

static gint64
max_of_blocks (const PlTrack *self, guint from, guint to)
{
  gint64 max = 0;

  for (; from < to && from % PL_BLOCK_STRIDE != 0; from++)
    max = MAX (max, self->blocks[from]->max_ns);
  for (; from + PL_BLOCK_STRIDE <= to; from += PL_BLOCK_STRIDE)
    max = MAX (max, self->maxima[from / PL_BLOCK_STRIDE]);
  for (; from < to; from++)
    max = MAX (max, self->blocks[from]->max_ns);
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
    return from.index < to.index ? pl_block_max_between (self->blocks[from.block], from.index, to.index) : 0;
  max = pl_block_max_between (self->blocks[from.block], from.index, self->blocks[from.block]->n);
  max = MAX (max, max_of_blocks (self, from.block + 1, to.block));
  if (to.index > 0)
    max = MAX (max, pl_block_max_between (self->blocks[to.block], 0, to.index));
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
      guint last = block == to.block ? to.index : self->blocks[block]->n;

      if (first < last)
        max = MAX (max, pl_block_max_queue (self->blocks[block], first, last));
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
      guint last = block == to.block ? to.index : self->blocks[block]->n;
      guint found = self->blocks[block]->max_ns >= min_ns
                    ? pl_block_find_over (self->blocks[block], first, last, min_ns) : last;

      if (found < last)
        {
          *out_pos = (PlTrackPos) { block, found };
          return TRUE;
        }
      block++;
      while (block % PL_BLOCK_STRIDE == 0 && block + PL_BLOCK_STRIDE <= to.block
             && self->maxima[block / PL_BLOCK_STRIDE] < min_ns)
        block += PL_BLOCK_STRIDE;
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
      const PlBlock *candidate = self->blocks[block - 1];
      guint last = block - 1 == to.block ? to.index : candidate->n;
      guint found;

      while (block % PL_BLOCK_STRIDE == 0 && block <= to.block && block > PL_BLOCK_STRIDE
             && self->maxima[block / PL_BLOCK_STRIDE - 1] < min_ns)
        {
          block -= PL_BLOCK_STRIDE;
          candidate = self->blocks[block - 1];
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
