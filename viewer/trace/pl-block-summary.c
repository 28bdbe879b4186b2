/* pl-block-summary.c: a block without its columns
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Indices stay those of the whole block. Intervals over the floor are exact; the others are known only by the start,
 * the sum and the maximum of their stride, and are taken to lie evenly in it.
 */
#include "config.h"

#include "pl-block-builder.h"

#include <string.h>

/* First one of the intervals over the floor whose index is @i or more; their number when there is none. */
static guint
first_over (const PlBlock *self, guint i)
{
  return pl_column_find_index (self->over_index, self->over != NULL ? self->over->n : 0, i);
}

static gboolean
is_over (const PlBlock *self, guint i, guint *out_over)
{
  *out_over = first_over (self, i);
  return self->over != NULL && *out_over < self->over->n && self->over_index[*out_over] == i;
}

static guint
stride_length (const PlBlock *self, guint stride)
{
  return MIN (self->n - stride * PL_SUMMARY_STRIDE, PL_SUMMARY_STRIDE);
}

/* Where the next stride begins, or the block ends. */
static gint64
stride_end (const PlBlock *self, guint stride)
{
  return (stride + 1) * PL_SUMMARY_STRIDE < self->n ? self->base_ns + self->stride_start[stride + 1] : self->end_ns;
}

static gint64
stride_sum (const PlBlock *self, guint stride)
{
  gint64 end = (stride + 1) * PL_SUMMARY_STRIDE < self->n ? self->sums[stride + 1] : self->total_ns;

  return end - self->sums[stride];
}

gint64
pl_summary_start (const PlBlock *self, guint i)
{
  guint stride = i / PL_SUMMARY_STRIDE;
  gint64 from = self->base_ns + self->stride_start[stride];
  guint over;

  if (is_over (self, i, &over))
    return pl_block_start (self->over, over);
  return from + (stride_end (self, stride) - from) * (i % PL_SUMMARY_STRIDE) / stride_length (self, stride);
}

/* The mean of what the stride leaves for an interval under the floor. */
gint64
pl_summary_duration (const PlBlock *self, guint i)
{
  guint stride = i / PL_SUMMARY_STRIDE;
  guint first = first_over (self, stride * PL_SUMMARY_STRIDE);
  guint last = first_over (self, (stride + 1) * PL_SUMMARY_STRIDE);
  gint64 rest = stride_sum (self, stride);
  guint over;

  if (is_over (self, i, &over))
    return pl_block_duration (self->over, over);
  if (self->over != NULL)
    rest -= pl_block_sum_until (self->over, last) - pl_block_sum_until (self->over, first);
  return rest / (gint64) (stride_length (self, stride) - (last - first));
}

guint
pl_summary_first_from (const PlBlock *self, gint64 at_ns)
{
  guint low = 0;
  guint high = (self->n + PL_SUMMARY_STRIDE - 1) / PL_SUMMARY_STRIDE;
  gint64 from;
  gint64 to;
  guint index;
  guint over;

  /* The last stride that begins before at_ns, and the share of it that lies before. */
  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (self->base_ns + self->stride_start[middle] < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  if (low == 0)
    return 0;
  from = self->base_ns + self->stride_start[low - 1];
  to = stride_end (self, low - 1);
  index = (low - 1) * PL_SUMMARY_STRIDE;
  if (to > from)
    index += (guint) (MIN (at_ns - from, to - from) * stride_length (self, low - 1) / (to - from));
  index = MIN (MAX (index, (low - 1) * PL_SUMMARY_STRIDE + 1), self->n);

  /* The intervals over the floor are exact, so the answer must agree with them. */
  if (self->over != NULL)
    {
      over = pl_block_first_from (self->over, at_ns);
      if (over > 0 && pl_block_end (self->over, over - 1) > at_ns)
        return self->over_index[over - 1] + 1u;
      if (over > 0)
        index = MAX (index, self->over_index[over - 1] + 1u);
      if (over < self->over->n)
        index = MIN (index, self->over_index[over]);
    }
  return index;
}

gint64
pl_summary_sum_until (const PlBlock *self, guint n)
{
  guint stride = n / PL_SUMMARY_STRIDE;
  guint first = first_over (self, stride * PL_SUMMARY_STRIDE);
  guint here = first_over (self, n);
  guint last = first_over (self, (stride + 1) * PL_SUMMARY_STRIDE);
  gint64 over_before = 0;
  gint64 over_in_stride = 0;
  gint64 rest;
  guint n_rest;

  if (self->over != NULL)
    {
      over_before = pl_block_sum_until (self->over, here) - pl_block_sum_until (self->over, first);
      over_in_stride = pl_block_sum_until (self->over, last) - pl_block_sum_until (self->over, first);
    }
  rest = stride_sum (self, stride) - over_in_stride;
  n_rest = stride_length (self, stride) - (last - first);
  if (n_rest > 0)
    rest = rest * (n % PL_SUMMARY_STRIDE - (here - first)) / n_rest;
  return self->sums[stride] + over_before + rest;
}

gint64
pl_summary_max_between (const PlBlock *self, guint from, guint to)
{
  gint64 max = 0;

  if (from >= to)
    return 0;
  if (self->over != NULL)
    max = pl_block_max_between (self->over, first_over (self, from), first_over (self, to));
  for (guint stride = from / PL_SUMMARY_STRIDE; stride * PL_SUMMARY_STRIDE < to; stride++)
    max = MAX (max, self->maxima[stride]);
  return max;
}

/* Only intervals over the floor are found: nothing is known of any other one. */
guint
pl_summary_find_over (const PlBlock *self, guint from, guint to, gint64 min_ns, gboolean is_last)
{
  guint first = first_over (self, from);
  guint last = first_over (self, to);
  guint found;

  if (self->over == NULL || first == last)
    return to;
  found = is_last ? pl_block_find_over_back (self->over, first, last, min_ns)
                  : pl_block_find_over (self->over, first, last, min_ns);
  return found < last ? self->over_index[found] : to;
}

/* Task and location are known of intervals over the floor only. */
void
pl_summary_get_poll (const PlBlock *self, guint i, guint64 worker, PlPoll *out_poll)
{
  guint over;

  if (is_over (self, i, &over))
    pl_block_get_poll (self->over, over, worker, out_poll);
  else
    *out_poll = (PlPoll) {
      .start_ns = pl_summary_start (self, i),
      .duration_ns = pl_summary_duration (self, i),
      .worker = worker,
      .local_queue = pl_block_queue (self, i),
    };
}

/* The intervals over the floor as a block of their own; NULL when there are none. Parks have none: no park is an
 * alarm. */
static PlBlock *
make_over (const PlBlock *self, guint16 *indices)
{
  PlBlockBuilder *builder;
  g_autoptr(GPtrArray) blocks = NULL;
  PlBlock *over = NULL;

  if (self->queue_end != NULL || self->max_ns < PL_SUMMARY_FLOOR_NS)
    return NULL;
  builder = pl_block_builder_new (PL_BLOCK_POLLS);
  for (guint i = pl_block_find_over (self, 0, self->n, PL_SUMMARY_FLOOR_NS); i < self->n;
       i = pl_block_find_over (self, i + 1, self->n, PL_SUMMARY_FLOOR_NS))
    {
      PlPoll poll;

      pl_block_get_poll (self, i, 0, &poll);
      indices[builder->n] = (guint16) i;
      pl_block_builder_add_poll (builder, poll.start_ns, poll.duration_ns, poll.task_id, poll.spawn_loc,
                                 poll.local_queue);
    }
  blocks = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
  over = pl_block_ref (g_ptr_array_index (blocks, 0));
  return over;
}

static guint32
max_under_floor (const PlBlock *self, guint from, guint to)
{
  gint64 max = 0;

  for (guint i = from; i < to; i++)
    {
      gint64 duration = pl_block_duration (self, i);

      if (duration < PL_SUMMARY_FLOOR_NS || self->queue_end != NULL)
        max = MAX (max, duration);
    }
  return (guint32) MIN (max, G_MAXUINT32);
}

/**
 * pl_block_summarize:
 *
 * Makes a block of the same intervals without their columns: about a fortieth of the memory.
 *
 * Returns: (transfer full): the summary
 */
PlBlock *
pl_block_summarize (const PlBlock *self)
{
  guint16 indices[PL_BLOCK_CAPACITY];
  PlBlock *over = make_over (self, indices);
  gsize n_over = over != NULL ? over->n : 0;
  gsize n_strides = (self->n + PL_SUMMARY_STRIDE - 1) / PL_SUMMARY_STRIDE;
  PlBlock *block = g_malloc (sizeof *block + self->n_silences * sizeof (PlSilence) + 3 * n_strides * sizeof (guint32)
                             + n_over * sizeof (guint16) + n_strides);
  PlSilence *silences = (PlSilence *) (block + 1);
  guint32 *sums = (guint32 *) (silences + self->n_silences);
  guint32 *maxima = sums + n_strides;
  guint32 *starts = maxima + n_strides;
  guint16 *over_index = (guint16 *) (starts + n_strides);
  guint8 *queue_maxima = (guint8 *) (over_index + n_over);

  *block = (PlBlock) {
    .n = self->n, .n_silences = self->n_silences, .base_ns = self->base_ns, .end_ns = self->end_ns,
    .total_ns = self->total_ns, .max_ns = self->max_ns, .sums = sums, .maxima = maxima, .stride_start = starts,
    .queue_maxima = queue_maxima, .silences = silences, .over = over, .over_index = over_index,
  };
  g_atomic_ref_count_init (&block->ref_count);
  memcpy (silences, self->silences, self->n_silences * sizeof *silences);
  memcpy (over_index, indices, n_over * sizeof *over_index);
  for (guint from = 0, i = 0; from < self->n; from += PL_SUMMARY_STRIDE, i++)
    {
      guint to = MIN (from + PL_SUMMARY_STRIDE, self->n);

      starts[i] = self->start[from];
      sums[i] = (guint32) pl_block_sum_until (self, from);
      maxima[i] = max_under_floor (self, from, to);
      queue_maxima[i] = pl_block_max_queue (self, from, to);
      block->max_queue = MAX (block->max_queue, queue_maxima[i]);
    }
  return block;
}
