/* pl-trace.c: an immutable snapshot of a trace, as far as it has been read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All functions: any thread, no lock. What they return lives as long as the snapshot.
 */
#include "config.h"

#include "pl-trace-private.h"

G_DEFINE_BOXED_TYPE (PlTrace, pl_trace, pl_trace_ref, pl_trace_unref)

PlTrace *
pl_trace_ref (PlTrace *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
pl_trace_unref (PlTrace *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_ptr_array_unref (self->lanes);
  g_ptr_array_unref (self->no_lanes);
  g_clear_pointer (&self->queues, g_array_unref);
  g_ptr_array_unref (self->pieces);
  g_array_unref (self->runtimes);
  g_array_unref (self->anchors);
  g_array_unref (self->gaps);
  g_clear_pointer (&self->gap_index, pl_gap_index_free);
  g_array_unref (self->metadata);
  g_array_unref (self->counts);
  g_array_unref (self->files);
  pl_strings_unref (self->strings);
  g_free (self);
}

/**
 * pl_trace_get_start_ns:
 *
 * Returns: the first sane time, monotonic ns; 0 of a trace without timed events
 */
gint64
pl_trace_get_start_ns (PlTrace *self)
{
  return self->start_ns;
}

/**
 * pl_trace_get_end_ns:
 *
 * Returns: the last sane time, monotonic ns
 */
gint64
pl_trace_get_end_ns (PlTrace *self)
{
  return self->end_ns;
}

/**
 * pl_trace_get_n_outliers:
 *
 * Returns: events at times far from all others, which are counted and not drawn
 */
guint64
pl_trace_get_n_outliers (PlTrace *self)
{
  return self->n_outliers;
}

/**
 * pl_trace_to_wall_ns:
 * @at_ns: monotonic ns
 * @out_wall_ns: (out): ns since the Unix epoch, by the last `ClockSyncEvent` at or before @at_ns
 *
 * Returns: %FALSE when the trace has no clock anchor
 */
gboolean
pl_trace_to_wall_ns (PlTrace *self, gint64 at_ns, gint64 *out_wall_ns)
{
  guint low = 0;
  guint high = self->anchors->len;
  const PlClockAnchor *anchor;

  if (high == 0)
    return FALSE;
  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (self->anchors, PlClockAnchor, middle).at_ns <= at_ns)
        low = middle + 1;
      else
        high = middle;
    }
  anchor = &g_array_index (self->anchors, PlClockAnchor, low > 0 ? low - 1 : 0);
  return !__builtin_add_overflow (anchor->wall_ns, at_ns - anchor->at_ns, out_wall_ns);
}

guint
pl_trace_get_n_lanes (PlTrace *self)
{
  return self->lanes->len;
}

const PlLane *
pl_trace_get_lane (PlTrace *self, guint index)
{
  return g_ptr_array_index (self->lanes, index);
}

/**
 * pl_trace_find_lane:
 * @worker: a worker's id
 * @out_index: (out) (optional): its index
 *
 * Returns: (nullable): the lane; %NULL for ids that have no row, 254 and 255 among them
 */
const PlLane *
pl_trace_find_lane (PlTrace *self, guint64 worker, guint *out_index)
{
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const PlLane *lane = g_ptr_array_index (self->lanes, i);

      if (lane->worker == worker)
        {
          if (out_index != NULL)
            *out_index = i;
          return lane;
        }
    }
  return NULL;
}

guint
pl_trace_get_n_all_lanes (PlTrace *self)
{
  return self->lanes->len + self->no_lanes->len;
}

const PlLane *
pl_trace_get_any_lane (PlTrace *self, guint index)
{
  return index < self->lanes->len ? g_ptr_array_index (self->lanes, index)
                                  : g_ptr_array_index (self->no_lanes, index - self->lanes->len);
}

/**
 * pl_trace_get_runtimes:
 * @out_n: (out): how many
 *
 * Returns: (array length=out_n): the runtimes, by `runtime.NAME` of the metadata; together they hold all lanes
 */
const PlRuntime *
pl_trace_get_runtimes (PlTrace *self, guint *out_n)
{
  *out_n = self->runtimes->len;
  return (const PlRuntime *) self->runtimes->data;
}

/**
 * pl_trace_get_string:
 * @id: a string's number
 *
 * Returns: the string; "" for a string that the trace does not hold
 */
const char *
pl_trace_get_string (PlTrace *self, guint32 id)
{
  return pl_strings_get (self->strings, id);
}

guint64
pl_trace_get_n_events (PlTrace *self)
{
  return self->n_events;
}

/**
 * pl_trace_get_event_counts:
 * @out_n: (out): how many
 *
 * Returns: (array length=out_n): events by schema name, sorted by name
 */
const PlEventCount *
pl_trace_get_event_counts (PlTrace *self, guint *out_n)
{
  *out_n = self->counts->len;
  return (const PlEventCount *) self->counts->data;
}

/**
 * pl_trace_get_metadata:
 * @out_n: (out): how many
 *
 * Returns: (array length=out_n): segment metadata sorted by key, the latest of each key
 */
const PlMetadata *
pl_trace_get_metadata (PlTrace *self, guint *out_n)
{
  *out_n = self->metadata->len;
  return (const PlMetadata *) self->metadata->data;
}

/**
 * pl_trace_get_files:
 * @out_n: (out): how many
 *
 * Returns: (array length=out_n): the files in the order in which they were read
 */
const PlTraceFile *
pl_trace_get_files (PlTrace *self, guint *out_n)
{
  *out_n = self->files->len;
  return (const PlTraceFile *) self->files->data;
}

const PlPollTotals *
pl_trace_get_poll_totals (PlTrace *self)
{
  return &self->totals;
}

/**
 * pl_trace_get_gaps:
 * @out_n: (out): how many
 * @out_n_lost: (out) (optional): events that are missing in all of them, at most
 *
 * Returns: (array length=out_n): the stretches from which the recorder says that events are missing, by start; those of
 *   different threads overlap
 */
const PlGap *
pl_trace_get_gaps (PlTrace *self, guint *out_n, guint64 *out_n_lost)
{
  *out_n = self->gaps->len;
  if (out_n_lost != NULL)
    *out_n_lost = self->n_lost;
  return (const PlGap *) self->gaps->data;
}

/**
 * pl_trace_find_gap:
 * @from_ns: start of a stretch
 * @to_ns: its end, after @from_ns
 * @out_gap: (out): the gap; where several overlap they are one
 *
 * Finds the first gap, of whomever, that touches a stretch of time. O(log n)
 *
 * Returns: whether there is one
 */
gboolean
pl_trace_find_gap (PlTrace *self, gint64 from_ns, gint64 to_ns, PlGap *out_gap)
{
  PlLaneGaps gaps = pl_gap_index_get_any (self->gap_index);

  return pl_lane_gaps_find (&gaps, from_ns, to_ns, out_gap);
}

guint
pl_trace_get_n_queues (PlTrace *self)
{
  return self->queues->len;
}

/**
 * pl_trace_get_queue_name:
 *
 * Returns: the runtime's name; "" for samples that name none
 */
const char *
pl_trace_get_queue_name (PlTrace *self, guint index)
{
  return pl_strings_get (self->strings, g_array_index (self->queues, PlQueue, index).name);
}

/**
 * pl_trace_get_queue_slices:
 *
 * See pl_queue_get_slices().
 */
void
pl_trace_get_queue_slices (PlTrace *self, guint index, gint64 from_ns, gint64 to_ns, guint n_slices,
                           PlQueueSlice *out_slices)
{
  PlLaneGaps gaps = pl_gap_index_get_of_queues (self->gap_index);

  pl_queue_get_slices (&g_array_index (self->queues, PlQueue, index), &gaps, from_ns, to_ns, n_slices, out_slices);
}

/**
 * pl_trace_get_queue_maxima:
 * @out_max_depth: (out): largest depth of the session
 * @out_max_alive: (out): most tasks alive, -1 when that was not recorded
 */
void
pl_trace_get_queue_maxima (PlTrace *self, guint index, gint64 *out_max_depth, gint64 *out_max_alive)
{
  const PlQueue *queue = &g_array_index (self->queues, PlQueue, index);

  *out_max_depth = queue->max_depth;
  *out_max_alive = queue->max_alive;
}

/**
 * pl_trace_is_summary:
 *
 * Returns: whether some of the trace is held as summaries, because all of it would exceed the memory budget
 */
gboolean
pl_trace_is_summary (PlTrace *self)
{
  for (guint i = 0; i < self->pieces->len; i++)
    if (((PlPiece *) self->pieces->pdata[i])->is_summary)
      return TRUE;
  return FALSE;
}

/**
 * pl_trace_is_complete:
 *
 * Returns: whether every file was read to its end or to a fault
 */
gboolean
pl_trace_is_complete (PlTrace *self)
{
  for (guint i = 0; i < self->files->len; i++)
    if (!g_array_index (self->files, PlTraceFile, i).is_complete)
      return FALSE;
  return TRUE;
}

/**
 * pl_trace_has_losses:
 *
 * Returns: whether a file could not be read to its end
 */
gboolean
pl_trace_has_losses (PlTrace *self)
{
  for (guint i = 0; i < self->files->len; i++)
    if (g_array_index (self->files, PlTraceFile, i).error != NULL)
      return TRUE;
  return FALSE;
}
