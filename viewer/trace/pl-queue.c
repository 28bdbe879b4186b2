/* pl-queue.c: a runtime's global queue over the session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-queue.h"

#include "pl-parts.h"

static void
clear_queue (gpointer data)
{
  PlQueue *self = data;

  g_array_unref (self->parts);
}

static const PlQueueSample *
sample_at (const PlPieceQueue *part, guint i)
{
  return &part->samples[i];
}

static const PlPieceQueue *
get_part (const PlQueue *self, guint i)
{
  return g_array_index (self->parts, PlQueuePart, i).queue;
}

static const PlQueueSample *
last_sample (const PlPieceQueue *part)
{
  return sample_at (part, part->n_samples - 1);
}

static int
compare_parts (gconstpointer a, gconstpointer b)
{
  const PlQueueSample *first = sample_at (((const PlQueuePart *) a)->queue, 0);
  const PlQueueSample *second = sample_at (((const PlQueuePart *) b)->queue, 0);

  return (first->at_ns > second->at_ns) - (first->at_ns < second->at_ns);
}

/* NULL when there are too many already. */
static PlQueue *
find_or_add (GArray *queues, guint32 name)
{
  PlQueue added = { name, NULL, 0, -1 };

  for (guint i = 0; i < queues->len; i++)
    if (g_array_index (queues, PlQueue, i).name == name)
      return &g_array_index (queues, PlQueue, i);
  if (queues->len >= PL_MAX_RUNTIMES)
    return NULL;
  added.parts = g_array_new (FALSE, FALSE, sizeof (PlQueuePart));
  g_array_append_val (queues, added);
  return &g_array_index (queues, PlQueue, queues->len - 1);
}

static void
sort_parts (PlQueue *self)
{
  guint latest = 0;

  g_array_sort (self->parts, compare_parts);
  for (guint i = 0; i < self->parts->len; i++)
    {
      if (last_sample (get_part (self, i))->at_ns >= last_sample (get_part (self, latest))->at_ns)
        latest = i;
      g_array_index (self->parts, PlQueuePart, i).latest = latest;
    }
}

/**
 * pl_queues_build:
 * @pieces: (element-type PlPiece): must outlive the result
 *
 * O(pieces), samples are not looked at.
 *
 * Returns: (transfer full) (element-type PlQueue): one for each runtime name, in order of appearance
 */
GArray *
pl_queues_build (GPtrArray *pieces)
{
  GArray *queues = g_array_new (FALSE, FALSE, sizeof (PlQueue));

  g_array_set_clear_func (queues, clear_queue);
  for (guint i = 0; i < pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (pieces, i);

      for (guint j = 0; j < piece->queues->len; j++)
        {
          PlPieceQueue *part = &g_array_index (piece->queues, PlPieceQueue, j);
          PlQueue *queue = find_or_add (queues, part->name);
          PlQueuePart added = { part, 0 };

          if (queue == NULL)
            continue;
          g_array_append_val (queue->parts, added);
          queue->max_depth = MAX (queue->max_depth, part->max.depth);
          if (part->max.alive != PL_QUEUE_ALIVE_UNKNOWN)
            queue->max_alive = MAX (queue->max_alive, part->max.alive);
        }
    }
  for (guint i = 0; i < queues->len; i++)
    sort_parts (&g_array_index (queues, PlQueue, i));
  return queues;
}

static guint
first_from (const PlPieceQueue *part, gint64 at_ns)
{
  guint low = 0;
  guint high = part->n_samples;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (sample_at (part, middle)->at_ns < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
raise_slice (PlQueueSlice *slice, const PlQueueSample *sample)
{
  slice->max_depth = MAX (slice->max_depth, (gint64) sample->depth);
  if (sample->alive != PL_QUEUE_ALIVE_UNKNOWN)
    slice->max_alive = MAX (slice->max_alive, (gint64) sample->alive);
}

/* Samples [from, to) of a part, whole strides by their maxima. */
static void
raise_by_range (PlQueueSlice *slice, const PlPieceQueue *part, guint from, guint to)
{
  while (from < to && from % PL_QUEUE_STRIDE != 0)
    raise_slice (slice, sample_at (part, from++));
  for (; from + PL_QUEUE_STRIDE <= to; from += PL_QUEUE_STRIDE)
    raise_slice (slice, &g_array_index (part->maxima, PlQueueSample, from / PL_QUEUE_STRIDE));
  while (from < to)
    raise_slice (slice, sample_at (part, from++));
}

/* The last sample of the parts up to @i. */
static const PlQueueSample *
latest_until (const PlQueue *self, guint i)
{
  return last_sample (get_part (self, g_array_index (self->parts, PlQueuePart, i).latest));
}

/* The first part before or in which there is a sample at @at_ns or later. */
static guint
first_part_to (const PlQueue *self, gint64 at_ns)
{
  guint low = 0;
  guint high = self->parts->len;

  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (latest_until (self, middle)->at_ns < at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/* Whether a sample still holds at @to_ns: no other one can have been lost since. */
static gboolean
is_kept (const PlLaneGaps *gaps, const PlQueueSample *sample, gint64 to_ns)
{
  PlGap gap;

  return to_ns <= sample->at_ns + 1 || !pl_lane_gaps_find (gaps, sample->at_ns + 1, to_ns, &gap);
}

/**
 * pl_queue_get_slices:
 * @gaps: those in which samples may be missing
 * @from_ns: start of a stretch
 * @to_ns: its end, after @from_ns
 * @n_slices: into how many parts it is cut
 * @out_slices: (out) (array length=n_slices): the maxima of each; a part without a sample keeps the value before it,
 *   but not from before a gap: then it is -1
 *
 * O(n_slices × log samples + pieces that lie in it).
 */
void
pl_queue_get_slices (const PlQueue *self, const PlLaneGaps *gaps, gint64 from_ns, gint64 to_ns, guint n_slices,
                     PlQueueSlice *out_slices)
{
  const PlParts parts = pl_parts_of (from_ns, to_ns, n_slices);
  guint begin = first_part_to (self, from_ns);
  const PlQueueSample *last = begin > 0 ? latest_until (self, begin - 1) : NULL;

  for (guint i = 0; i < n_slices; i++)
    {
      gint64 left = pl_parts_start (&parts, i);
      gint64 right = MAX (pl_parts_start (&parts, i + 1), left + 1);

      out_slices[i] = (PlQueueSlice) { -1, -1 };
      for (; begin < self->parts->len && latest_until (self, begin)->at_ns < left; begin++)
        if (last == NULL || latest_until (self, begin)->at_ns >= last->at_ns)
          last = latest_until (self, begin);
      for (guint j = begin; j < self->parts->len; j++)
        {
          const PlPieceQueue *part = get_part (self, j);
          guint first;
          guint end;

          if (sample_at (part, 0)->at_ns >= right)
            break;
          first = first_from (part, left);
          end = first_from (part, right);
          raise_by_range (&out_slices[i], part, first, end);
          if (end > 0 && (last == NULL || sample_at (part, end - 1)->at_ns >= last->at_ns))
            last = sample_at (part, end - 1);
        }
      if (out_slices[i].max_depth < 0 && last != NULL && is_kept (gaps, last, right))
        raise_slice (&out_slices[i], last);
    }
}
