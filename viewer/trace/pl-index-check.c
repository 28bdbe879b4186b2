/* pl-index-check.c: whether what an index says may be true
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A checksum tells that an index is as it was written, not who wrote it. What is believed must be such that decoding could
 * have given it: the engine relies on that. Blocks are checked one by one as they are read.
 */
#include "config.h"

#include "pl-index-check.h"

#include "pl-source.h"

/* An event takes at least its tag and its type. */
#define MIN_EVENT_SIZE 3

static gboolean
is_time (gint64 at_ns)
{
  return at_ns > 0 && at_ns <= PL_MAX_NS;
}

static gboolean
are_spans_sound (GArray *spans)
{
  gint64 end_ns = 0;

  for (guint i = 0; i < spans->len; i++)
    {
      const PlTimeSpan *span = &g_array_index (spans, PlTimeSpan, i);

      if (span->from_ns <= end_ns || span->to_ns < span->from_ns || !is_time (span->to_ns))
        return FALSE;
      end_ns = span->to_ns;
    }
  return spans->len <= PL_MAX_TIME_SPANS;
}

static gboolean
are_anchors_sound (GArray *anchors)
{
  for (guint i = 0; i < anchors->len; i++)
    if (!is_time (g_array_index (anchors, PlClockAnchor, i).at_ns)
        || g_array_index (anchors, PlClockAnchor, i).wall_ns < 0)
      return FALSE;
  return TRUE;
}

static gboolean
are_gaps_sound (GArray *gaps)
{
  for (guint i = 0; i < gaps->len; i++)
    {
      const PlGap *gap = &g_array_index (gaps, PlGap, i);

      if (!is_time (gap->from_ns) || gap->to_ns < gap->from_ns || !is_time (gap->to_ns) || gap->cause >= PL_N_GAP_CAUSES)
        return FALSE;
    }
  return TRUE;
}

/* What is there has a time not before the first; what is not there is left alone. */
static gboolean
may_be_at (gboolean is_there, gint64 at_ns, gint64 first_ns)
{
  return !is_there || (is_time (at_ns) && at_ns >= first_ns);
}

static gboolean
is_edge_sound (const PlRunEdge *edge)
{
  if (!is_time (edge->first_ns))
    return FALSE;
  if (edge->is_gap)
    return TRUE;
  return may_be_at (TRUE, edge->last_ns, edge->first_ns) && may_be_at (TRUE, edge->known_to_ns, edge->first_ns)
         && may_be_at (edge->has_leading_end, edge->leading_end_ns, edge->first_ns)
         && may_be_at (edge->has_leading_unpark, edge->leading_unpark_ns, edge->first_ns)
         && may_be_at (edge->has_open_poll, edge->open.start_ns, edge->first_ns)
         && may_be_at (edge->has_open_park, edge->park_ns, edge->first_ns)
         && edge->open.duration_ns == 0 && edge->open.worker == edge->worker && edge->open.flags == PL_POLL_OPEN;
}

static gboolean
are_edges_sound (GArray *edges)
{
  for (guint i = 0; i < edges->len; i++)
    if (!is_edge_sound (&g_array_index (edges, PlRunEdge, i)))
      return FALSE;
  return TRUE;
}

/* Sealed queues: in order of time. One exists by its first sample. */
static gboolean
are_queues_sound (GArray *queues)
{
  for (guint i = 0; i < queues->len; i++)
    {
      const PlPieceQueue *queue = &g_array_index (queues, PlPieceQueue, i);
      gint64 last_ns = 1;

      if (queue->n_samples == 0 || !is_time (queue->samples[queue->n_samples - 1].at_ns))
        return FALSE;
      for (guint j = 0; j < queue->n_samples; j++)
        {
          if (queue->samples[j].at_ns < last_ns)
            return FALSE;
          last_ns = queue->samples[j].at_ns;
        }
    }
  return queues->len <= PL_MAX_RUNTIMES;
}

static gboolean
is_row_sound (GPtrArray *blocks, gboolean are_parks)
{
  gint64 end_ns = 0;

  for (guint i = 0; i < blocks->len; i++)
    {
      const PlBlock *block = blocks->pdata[i];

      if (block->base_ns < end_ns || (are_parks && block->over != NULL)
          || (pl_block_is_detailed (block) && (block->queue_end != NULL) != are_parks))
        return FALSE;
      end_ns = block->end_ns;
    }
  return TRUE;
}

/* From the first event of a worker in a piece to the last. */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
} Known;

static GHashTable *
find_known (GArray *edges)
{
  GHashTable *known = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_free);

  for (guint i = 0; i < edges->len; i++)
    {
      PlRunEdge *edge = &g_array_index (edges, PlRunEdge, i);
      Known *range = g_hash_table_lookup (known, &edge->worker);

      if (edge->is_gap)
        continue;
      if (range == NULL)
        {
          range = g_memdup2 (&(Known) { edge->first_ns, edge->last_ns }, sizeof *range);
          g_hash_table_insert (known, &edge->worker, range);
        }
      range->from_ns = MIN (range->from_ns, edge->first_ns);
      range->to_ns = MAX (range->to_ns, edge->last_ns);
    }
  return known;
}

static gboolean
is_row_known (GPtrArray *blocks, const Known *known)
{
  return blocks->len == 0
         || (known != NULL && ((const PlBlock *) blocks->pdata[0])->base_ns >= known->from_ns
             && ((const PlBlock *) blocks->pdata[blocks->len - 1])->end_ns <= known->to_ns);
}

static gboolean
are_detached_sound (const PlPieceLane *lane)
{
  for (guint i = 0; i < lane->detached->len; i++)
    {
      const PlPoll *poll = &g_array_index (lane->detached, PlPoll, i);

      if (!is_time (poll->start_ns) || poll->duration_ns < 0 || poll->duration_ns > PL_MAX_NS
          || poll->worker != lane->worker || poll->flags != PL_POLL_DETACHED)
        return FALSE;
    }
  return TRUE;
}

/* Edges say of each worker since when and until when something is known of it. */
static gboolean
are_lanes_sound (GArray *lanes, GArray *edges)
{
  g_autoptr(GHashTable) known = find_known (edges);

  for (guint i = 0; i < lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (lanes, PlPieceLane, i);
      const Known *range = g_hash_table_lookup (known, &lane->worker);

      if (!is_row_sound (lane->polls, FALSE) || !is_row_sound (lane->parks, TRUE) || !are_detached_sound (lane)
          || !is_row_known (lane->polls, range) || !is_row_known (lane->parks, range))
        return FALSE;
    }
  return TRUE;
}

/* None of the numbers is more than the bytes of the piece can hold. */
static gboolean
are_numbers_sound (const PlPiece *piece)
{
  guint64 max = (piece->raw_to - piece->raw_from) / MIN_EVENT_SIZE;

  for (guint i = 0; i < piece->counts->len; i++)
    if (g_array_index (piece->counts, PlPieceCount, i).count > max)
      return FALSE;
  for (guint i = 0; i < piece->spans->len; i++)
    if (g_array_index (piece->spans, PlTimeSpan, i).n_events > piece->raw_to / MIN_EVENT_SIZE)
      return FALSE;
  return piece->n_events <= max && piece->n_batches <= max && piece->n_unpaired <= max && piece->n_outliers <= max
         && piece->n_spawns <= max && piece->n_ends <= max && piece->legacy_wall_ns >= 0;
}

/**
 * pl_index_piece_is_sound:
 * @piece: as it was read from an index, its strings resolved
 *
 * Returns: whether decoding can have given it
 */
gboolean
pl_index_piece_is_sound (const PlPiece *piece)
{
  return piece->raw_from < piece->raw_to && are_numbers_sound (piece) && are_spans_sound (piece->spans)
         && are_anchors_sound (piece->anchors) && are_gaps_sound (piece->gaps) && are_edges_sound (piece->edges)
         && are_queues_sound (piece->queues) && are_lanes_sound (piece->lanes, piece->edges);
}

static gboolean
are_points_sound (const PlTraceFile *info)
{
  PlSourcePoint last = { 0, 0 };

  for (guint i = 0; info->index != NULL && i < info->index->len; i++)
    {
      const PlSourcePoint *point = &g_array_index (info->index, PlSourcePoint, i);

      if (point->disk_offset >= info->size_bytes || point->raw_offset >= info->raw_bytes
          || (i == 0 && point->raw_offset != 0)
          || (i > 0 && (point->disk_offset <= last.disk_offset || point->raw_offset <= last.raw_offset)))
        return FALSE;
      last = *point;
    }
  return info->index == NULL || info->index->len == 0 || info->format == PL_TRACE_FORMAT_ZSTD;
}

/**
 * pl_index_file_is_sound:
 * @info: a file, with its size on the disk and what its index says of it
 * @pieces: (element-type PlPiece): sound ones
 *
 * Returns: whether they may be all of the file
 */
gboolean
pl_index_file_is_sound (const PlTraceFile *info, GPtrArray *pieces)
{
  guint64 n_batches = 0;
  guint64 at = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      const PlPiece *piece = pieces->pdata[i];

      if (piece->raw_from != at)
        return FALSE;
      at = piece->raw_to;
      n_batches += piece->n_batches;
    }
  if (info->format == PL_TRACE_FORMAT_RAW && info->raw_bytes != info->size_bytes)
    return FALSE;
  return at > 0 && at == info->raw_bytes && info->raw_bytes / PL_SOURCE_MAX_RATIO <= info->size_bytes
         && n_batches == info->n_batches && are_points_sound (info);
}
