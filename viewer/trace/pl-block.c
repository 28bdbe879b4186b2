/* pl-block.c: up to 4,096 intervals of one worker as columns, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-block.h"

static guint
n_strides (const PlBlock *self)
{
  guint stride = pl_block_is_detailed (self) ? PL_BLOCK_STRIDE : PL_SUMMARY_STRIDE;

  return (self->n + stride - 1) / stride;
}

PlBlock *
pl_block_ref (PlBlock *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
pl_block_unref (PlBlock *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->over, pl_block_unref);
  if (self->memory != NULL)
    g_bytes_unref (self->memory);
  else
    g_free (self);
}

/**
 * pl_block_get_memory:
 *
 * Returns: bytes the block takes
 */
gsize
pl_block_get_memory (const PlBlock *self)
{
  gsize per_interval = sizeof (guint32) + 1
                       + (self->near_duration != NULL ? sizeof (guint16)
                          : self->duration != NULL ? sizeof (guint32) : sizeof (gint64));
  gsize bytes = sizeof *self + self->n_silences * sizeof (PlSilence)
                + n_strides (self) * (3 * sizeof (guint32) + 1);

  if (!pl_block_is_detailed (self))
    return bytes
           + (self->over != NULL ? pl_block_get_memory (self->over) + self->over->n * sizeof (guint16) : 0);
  if (self->queue_end != NULL)
    per_interval += 1;
  else
    per_interval += self->task.width + self->loc.width;
  return bytes + self->n * per_interval + self->n_far * (sizeof (guint32) + sizeof (guint16));
}

/* The last stride from @hint on that begins before the offset, or @hint. */
static guint
find_stride (const PlBlock *self, guint32 wanted, guint hint)
{
  guint low = hint;
  guint high = n_strides (self);

  while (high - low > 1)
    {
      guint middle = (low + high) / 2;

      if (self->stride_start[middle] < wanted)
        low = middle;
      else
        high = middle;
    }
  return low;
}

/* Behind its starts a block has only the end of its last interval; a summary takes them to lie anywhere. */
static gboolean
is_within (const PlBlock *self, gint64 at_ns)
{
  return at_ns > self->base_ns && at_ns <= self->end_ns
         && (at_ns - self->base_ns <= G_MAXUINT32 || !pl_block_is_detailed (self));
}

/**
 * pl_block_first_from:
 * @at_ns: a time
 *
 * Returns: index of the first interval that starts at @at_ns or later; the number of intervals when none does.
 *   O(log n)
 */
guint
pl_block_first_from (const PlBlock *self, gint64 at_ns)
{
  guint32 wanted;
  guint index;
  guint end;
  guint n_before = 0;

  if (!is_within (self, at_ns))
    return at_ns <= self->base_ns ? 0 : self->n;
  if (!pl_block_is_detailed (self))
    return pl_summary_first_from (self, at_ns);

  /* Within a stride all are compared: without a branch that may go either way that is faster than another search. */
  wanted = (guint32) (at_ns - self->base_ns);
  index = find_stride (self, wanted, 0) * PL_BLOCK_STRIDE;
  end = MIN (index + PL_BLOCK_STRIDE, self->n);
  for (guint i = index; i < end; i++)
    n_before += self->start[i] < wanted;
  return index + n_before;
}

/**
 * pl_block_prefetch:
 * @at_ns: a time
 * @hint: what this returned for an earlier time, else 0
 *
 * Begins to fetch from memory what a question about @at_ns will look at. Asked for several times before the first of
 * them is answered, the memory's latencies overlap.
 *
 * Returns: the hint for later times
 */
guint
pl_block_prefetch (const PlBlock *self, gint64 at_ns, guint hint)
{
  guint stride;
  guint first;

  if (!pl_block_is_detailed (self) || !is_within (self, at_ns))
    return hint;

  stride = find_stride (self, (guint32) (at_ns - self->base_ns), hint);
  first = stride * PL_BLOCK_STRIDE;
  /* A stride of 32-bit columns is 64 bytes that may lie across two cache lines. */
  __builtin_prefetch (&self->start[first]);
  __builtin_prefetch (&self->start[first + PL_BLOCK_STRIDE - 1]);
  if (self->near_duration != NULL)
    __builtin_prefetch (&self->near_duration[first]);
  else if (self->duration != NULL)
    {
      __builtin_prefetch (&self->duration[first]);
      __builtin_prefetch (&self->duration[first + PL_BLOCK_STRIDE - 1]);
    }
  __builtin_prefetch (&self->queue[first]);
  if (self->queue_end != NULL)
    __builtin_prefetch (&self->queue_end[first]);
  __builtin_prefetch (&self->sums[stride]);
  __builtin_prefetch (&self->maxima[stride]);
  return stride;
}

/**
 * pl_block_far_duration:
 * @i: of an interval whose duration stands apart
 *
 * Returns: its duration, ns
 */
gint64
pl_block_far_duration (const PlBlock *self, guint i)
{
  return self->far_duration[pl_column_find_index (self->far_index, self->n_far, i)];
}

/**
 * pl_block_sum_until:
 * @n: number of intervals, from the first
 *
 * Returns: the sum of their durations, ns
 */
gint64
pl_block_sum_until (const PlBlock *self, guint n)
{
  guint stride = n / PL_BLOCK_STRIDE;
  gint64 sum;

  if (n == self->n)
    return self->total_ns;
  if (!pl_block_is_detailed (self))
    return pl_summary_sum_until (self, n);

  sum = self->sums[stride];
  if (self->near_duration != NULL && self->maxima[stride] < PL_FAR_NS)
    for (guint i = stride * PL_BLOCK_STRIDE; i < n; i++)
      sum += self->near_duration[i];
  else
    for (guint i = stride * PL_BLOCK_STRIDE; i < n; i++)
      sum += pl_block_duration (self, i);
  return sum;
}

/**
 * pl_block_max_between:
 * @from: index
 * @to: index, not included
 *
 * Returns: the longest duration among [@from, @to), 0 when that is empty
 */
gint64
pl_block_max_between (const PlBlock *self, guint from, guint to)
{
  gint64 max = 0;

  if (from == 0 && to == self->n)
    return self->max_ns;
  if (!pl_block_is_detailed (self))
    return pl_summary_max_between (self, from, to);
  for (; from < to && from % PL_BLOCK_STRIDE != 0; from++)
    max = MAX (max, pl_block_duration (self, from));
  for (; from + PL_BLOCK_STRIDE <= to; from += PL_BLOCK_STRIDE)
    max = MAX (max, self->maxima[from / PL_BLOCK_STRIDE]);
  for (; from < to; from++)
    max = MAX (max, pl_block_duration (self, from));
  return max;
}

/**
 * pl_block_find_over:
 * @from: index to begin at
 * @to: index to end before
 * @min_ns: a duration
 *
 * Returns: the first index in [@from, @to) whose duration is @min_ns or more, @to when there is none
 */
guint
pl_block_find_over (const PlBlock *self, guint from, guint to, gint64 min_ns)
{
  if (!pl_block_is_detailed (self))
    return pl_summary_find_over (self, from, to, min_ns, FALSE);
  for (guint i = from; i < to; i++)
    {
      if (i % PL_BLOCK_STRIDE == 0)
        while (i + PL_BLOCK_STRIDE <= to && self->maxima[i / PL_BLOCK_STRIDE] < min_ns)
          i += PL_BLOCK_STRIDE;
      if (i < to && pl_block_duration (self, i) >= min_ns)
        return i;
    }
  return to;
}

/**
 * pl_block_find_over_back:
 *
 * Like pl_block_find_over(), the last one instead of the first.
 *
 * Returns: the index, @to when there is none
 */
guint
pl_block_find_over_back (const PlBlock *self, guint from, guint to, gint64 min_ns)
{
  if (!pl_block_is_detailed (self))
    return pl_summary_find_over (self, from, to, min_ns, TRUE);
  for (guint i = to; i > from; i--)
    {
      if (i % PL_BLOCK_STRIDE == 0)
        while (i >= from + PL_BLOCK_STRIDE && self->maxima[i / PL_BLOCK_STRIDE - 1] < min_ns)
          i -= PL_BLOCK_STRIDE;
      if (i == from)
        break;
      if (pl_block_duration (self, i - 1) >= min_ns)
        return i - 1;
    }
  return to;
}

static guint8
max_queue_of (const PlBlock *self, guint from, guint to)
{
  guint8 max = pl_column_max_u8 (self->queue + from, to - from);
  guint8 max_end = self->queue_end != NULL ? pl_column_max_u8 (self->queue_end + from, to - from) : 0;

  return MAX (max, max_end);
}

static guint8
max_of_strides (const PlBlock *self, guint first, guint last)
{
  return pl_column_max_u8 (self->queue_maxima + first, last - first);
}

/**
 * pl_block_max_queue:
 *
 * Returns: the largest queue depth among the intervals [@from, @to), at their starts and ends
 */
guint8
pl_block_max_queue (const PlBlock *self, guint from, guint to)
{
  guint first = (from + PL_BLOCK_STRIDE - 1) / PL_BLOCK_STRIDE;
  guint last = to / PL_BLOCK_STRIDE;
  guint8 max;
  guint8 rest;

  if (from == 0 && to == self->n)
    return self->max_queue;
  if (!pl_block_is_detailed (self))
    return from < to ? max_of_strides (self, from / PL_SUMMARY_STRIDE, (to - 1) / PL_SUMMARY_STRIDE + 1) : 0;
  if (first >= last)
    return max_queue_of (self, from, to);

  /* Whole strides, then the ends, but only where their strides hold more. */
  max = max_of_strides (self, first, last);
  if (from < first * PL_BLOCK_STRIDE && self->queue_maxima[first - 1] > max)
    {
      rest = max_queue_of (self, from, first * PL_BLOCK_STRIDE);
      max = MAX (max, rest);
    }
  if (last * PL_BLOCK_STRIDE < to && self->queue_maxima[last] > max)
    {
      rest = max_queue_of (self, last * PL_BLOCK_STRIDE, to);
      max = MAX (max, rest);
    }
  return max;
}

void
pl_block_get_poll (const PlBlock *self, guint i, guint64 worker, PlPoll *out_poll)
{
  if (!pl_block_is_detailed (self))
    {
      pl_summary_get_poll (self, i, worker, out_poll);
      return;
    }
  *out_poll = (PlPoll) {
    .start_ns = pl_block_start (self, i),
    .duration_ns = pl_block_duration (self, i),
    .task_id = pl_block_task (self, i),
    .worker = worker,
    .spawn_loc = pl_block_loc (self, i),
    .local_queue = self->queue[i],
  };
}
