/* pl-block-check.c: whether a block that comes from a file can be asked anything
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The questions to a block rely on its columns agreeing with each other. Decoding makes them so; a file need not.
 */
#include "config.h"

#include "pl-block.h"

/* In order of time, apart, and in what the intervals leave. */
static gboolean
are_silences_sound (const PlBlock *self)
{
  gint64 left = self->end_ns - self->base_ns - self->total_ns;
  gint64 end = 0;

  for (guint i = 0; i < self->n_silences; i++)
    {
      const PlSilence *silence = &self->silences[i];

      if (silence->from < end || silence->to < silence->from || silence->to > self->end_ns - self->base_ns)
        return FALSE;
      end = silence->to;
      left -= silence->to - silence->from;
    }
  return left >= 0;
}

/* Whether sum, maxima and start of a stride are those of its intervals. */
static gboolean
is_stride_sound (const PlBlock *self, guint stride, gint64 sum)
{
  guint from = stride * PL_BLOCK_STRIDE;
  guint to = MIN (from + PL_BLOCK_STRIDE, self->n);
  guint8 queue = pl_column_max_u8 (self->queue + from, to - from);
  guint8 queue_end = self->queue_end != NULL ? pl_column_max_u8 (self->queue_end + from, to - from) : 0;
  gint64 max = 0;

  for (guint i = from; i < to; i++)
    {
      gint64 duration = pl_block_duration (self, i);

      max = MAX (max, duration);
    }
  return self->sums[stride] == sum && self->stride_start[stride] == self->start[from]
         && self->maxima[stride] == MIN (max, G_MAXUINT32) && self->queue_maxima[stride] == MAX (queue, queue_end);
}

static gboolean
is_detail_sound (const PlBlock *self)
{
  gint64 end = 0;
  gint64 total = 0;
  gint64 max = 0;

  if (self->start[0] != 0)
    return FALSE;
  for (guint i = 0; i < self->n; i++)
    {
      gint64 duration = pl_block_duration (self, i);

      if (self->start[i] < end || duration < 0 || duration > PL_MAX_NS
          || (i % PL_BLOCK_STRIDE == 0 && !is_stride_sound (self, i / PL_BLOCK_STRIDE, total)))
        return FALSE;
      end = self->start[i] + duration;
      total += duration;
      max = MAX (max, duration);
    }
  return self->end_ns == self->base_ns + end && self->total_ns == total && self->max_ns == max;
}

static gint64
stride_end (const PlBlock *self, guint stride)
{
  return (stride + 1) * PL_SUMMARY_STRIDE < self->n ? self->stride_start[stride + 1] : self->end_ns - self->base_ns;
}

static gint64
stride_sum (const PlBlock *self, guint stride)
{
  gint64 end = (stride + 1) * PL_SUMMARY_STRIDE < self->n ? self->sums[stride + 1] : self->total_ns;

  return end - self->sums[stride];
}

/* What of the intervals over the floor lies in a stride fits into it, and leaves something for each of the others or
 * nothing where there are none. @over is the first of them; moved behind the last. */
static gboolean
is_over_sound (const PlBlock *self, guint stride, guint *over)
{
  guint first = stride * PL_SUMMARY_STRIDE;
  guint n = MIN (self->n - first, PL_SUMMARY_STRIDE);
  gint64 from = self->base_ns + self->stride_start[stride];
  gint64 to = self->base_ns + stride_end (self, stride);
  gint64 rest = stride_sum (self, stride);
  guint n_rest = n;

  for (; *over < self->over->n && self->over_index[*over] < first + n; (*over)++)
    {
      gint64 start = pl_block_start (self->over, *over);
      gint64 duration = pl_block_duration (self->over, *over);

      if (self->over_index[*over] < first || start < from || start + duration > to || duration < PL_SUMMARY_FLOOR_NS
          || (*over > 0 && self->over_index[*over] <= self->over_index[*over - 1])
          || (self->over_index[*over] == first && start != from))
        return FALSE;
      rest -= duration;
      n_rest--;
    }
  return rest >= 0 && (n_rest > 0 || rest == 0);
}

static gboolean
is_summary_sound (const PlBlock *self)
{
  gint64 max = self->over != NULL ? self->over->max_ns : 0;
  guint over = 0;

  if (self->sums[0] != 0 || self->stride_start[0] != 0)
    return FALSE;
  for (guint i = 0; i * PL_SUMMARY_STRIDE < self->n; i++)
    {
      gint64 sum = stride_sum (self, i);

      if (sum < 0 || stride_end (self, i) - self->stride_start[i] < sum || self->maxima[i] > sum
          || (self->over != NULL && !is_over_sound (self, i, &over)))
        return FALSE;
      max = MAX (max, self->maxima[i]);
    }
  return (self->over == NULL || over == self->over->n)
         && (self->max_ns == max || (max == G_MAXUINT32 && self->max_ns > max && self->max_ns <= self->total_ns));
}

/* One interval may take any time, alone in its block. Others start and end within 32 bits of what is before them. */
static gboolean
is_length_sound (const PlBlock *self)
{
  return self->n == 1 || self->end_ns - self->base_ns <= 2 * (gint64) G_MAXUINT32;
}

/**
 * pl_block_is_sound:
 *
 * Checks what the questions to a block rely on, for one that comes from a file: that its intervals are sorted and disjoint
 * and that sums and maxima are theirs, as far as it has them. What intervals over the floor a summary has were checked.
 *
 * Returns: whether anything can be asked
 */
gboolean
pl_block_is_sound (const PlBlock *self)
{
  if (self->n == 0 || self->n > PL_BLOCK_CAPACITY || self->base_ns <= 0 || self->end_ns < self->base_ns
      || self->end_ns > PL_MAX_NS || self->total_ns < 0 || self->total_ns > self->end_ns - self->base_ns
      || !is_length_sound (self))
    return FALSE;
  return (pl_block_is_detailed (self) ? is_detail_sound (self) : is_summary_sound (self)) && are_silences_sound (self);
}
