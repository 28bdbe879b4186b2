/* pl-piece.c: what decoding a run of batches gave, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-piece.h"

#include "pl-untangle.h"

/* Recordings are never silent for an hour: the recorders write every second even when nothing happens. */
#define SPAN_GAP_NS (3600 * G_GINT64_CONSTANT (1000000000))

static void
clear_lane (gpointer data)
{
  PlPieceLane *lane = data;

  g_ptr_array_unref (lane->polls);
  g_ptr_array_unref (lane->parks);
  g_array_unref (lane->detached);
}

static void
clear_queue (gpointer data)
{
  PlPieceQueue *queue = data;

  g_clear_pointer (&queue->collected, g_array_unref);
  g_clear_pointer (&queue->memory, g_bytes_unref);
  g_clear_pointer (&queue->maxima, g_array_unref);
}

/**
 * pl_piece_new:
 * @file: index of the file
 * @raw_from: where the piece begins in its decompressed stream
 *
 * Returns: (transfer full): an empty piece for a decoder to fill
 */
PlPiece *
pl_piece_new (guint file, guint64 raw_from)
{
  PlPiece *self = g_new0 (PlPiece, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->file = file;
  self->min_task = G_MAXUINT64;
  self->raw_from = self->raw_to = raw_from;
  self->lanes = g_array_new (FALSE, FALSE, sizeof (PlPieceLane));
  g_array_set_clear_func (self->lanes, clear_lane);
  self->edges = g_array_new (FALSE, FALSE, sizeof (PlRunEdge));
  self->spans = g_array_new (FALSE, FALSE, sizeof (PlTimeSpan));
  self->anchors = g_array_new (FALSE, FALSE, sizeof (PlClockAnchor));
  self->metadata = g_array_new (FALSE, FALSE, sizeof (PlPieceMetadata));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (PlGap));
  self->queues = g_array_new (FALSE, FALSE, sizeof (PlPieceQueue));
  g_array_set_clear_func (self->queues, clear_queue);
  self->counts = g_array_new (FALSE, FALSE, sizeof (PlPieceCount));
  return self;
}

PlPiece *
pl_piece_ref (PlPiece *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
pl_piece_unref (PlPiece *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->summary, pl_piece_unref);
  g_array_unref (self->lanes);
  g_array_unref (self->edges);
  g_array_unref (self->spans);
  g_array_unref (self->anchors);
  g_array_unref (self->metadata);
  g_array_unref (self->gaps);
  g_clear_pointer (&self->spawns, pl_task_events_unref);
  g_clear_pointer (&self->ends, pl_task_events_unref);
  g_array_unref (self->queues);
  g_array_unref (self->counts);
  g_free (self);
}

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const PlQueueSample *first = a;
  const PlQueueSample *second = b;

  return (first->at_ns > second->at_ns) - (first->at_ns < second->at_ns);
}

/* Recorders write samples in order of time. */
static void
sort_samples (GArray *samples)
{
  for (guint i = 1; i < samples->len; i++)
    if (g_array_index (samples, PlQueueSample, i).at_ns < g_array_index (samples, PlQueueSample, i - 1).at_ns)
      {
        g_array_sort (samples, compare_samples);
        return;
      }
}

static void
seal_queue (PlPieceQueue *queue)
{
  if (queue->collected != NULL)
    {
      sort_samples (queue->collected);
      queue->samples = (const PlQueueSample *) queue->collected->data;
      queue->n_samples = queue->collected->len;
    }
  queue->maxima = g_array_new (FALSE, FALSE, sizeof (PlQueueSample));
  for (guint i = 0; i < queue->n_samples; i++)
    {
      const PlQueueSample *sample = &queue->samples[i];

      if (i == 0)
        queue->max = *sample;
      else
        pl_queue_sample_raise (&queue->max, sample);
      if (i % PL_QUEUE_STRIDE == 0)
        g_array_append_val (queue->maxima, *sample);
      else
        pl_queue_sample_raise (&g_array_index (queue->maxima, PlQueueSample, i / PL_QUEUE_STRIDE), sample);
    }
}

static void
untangle_lane (PlPieceLane *lane)
{
  PlUntangle polls = { PL_BLOCK_POLLS, lane->worker, 0, G_MAXINT64, lane->detached };
  PlUntangle parks = { PL_BLOCK_PARKS, lane->worker, 0, G_MAXINT64, NULL };
  GPtrArray *row;

  row = pl_untangle (&polls, lane->polls);
  g_ptr_array_unref (lane->polls);
  lane->polls = row;
  row = pl_untangle (&parks, lane->parks);
  g_ptr_array_unref (lane->parks);
  lane->parks = row;
}

static void
note_tasks (PlPiece *self, GArray *events)
{
  for (guint i = 0; i < events->len; i++)
    {
      guint64 id = g_array_index (events, PlTaskEvent, i).task_id;

      self->min_task = MIN (self->min_task, id);
      self->max_task = MAX (self->max_task, id);
    }
}

/**
 * pl_piece_set_tasks:
 * @spawns: (element-type PlTaskEvent): in the order of the stream
 * @ends: (element-type PlTaskEvent): the same
 * @in_slab: as for pl_task_events_new()
 *
 * Copies what decoding found of tasks into the piece; once, before it is sealed.
 */
void
pl_piece_set_tasks (PlPiece *self, GArray *spawns, GArray *ends, gboolean in_slab)
{
  self->spawns = pl_task_events_new (spawns, in_slab);
  self->ends = pl_task_events_new (ends, in_slab);
  self->n_spawns = spawns->len;
  self->n_ends = ends->len;
  note_tasks (self, spawns);
  note_tasks (self, ends);
}

/**
 * pl_piece_note_range:
 *
 * Notes the range of polls and parks. For who fills in lanes after sealing.
 */
void
pl_piece_note_range (PlPiece *self)
{
  self->from_ns = G_MAXINT64;
  self->to_ns = G_MININT64;
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (self->lanes, PlPieceLane, i);

      for (guint j = 0; j < 2; j++)
        {
          GPtrArray *blocks = j == 0 ? lane->polls : lane->parks;

          if (blocks->len == 0)
            continue;
          self->from_ns = MIN (self->from_ns, ((PlBlock *) blocks->pdata[0])->base_ns);
          self->to_ns = MAX (self->to_ns, ((PlBlock *) blocks->pdata[blocks->len - 1])->end_ns);
        }
    }
}

/**
 * pl_piece_seal:
 *
 * Ends the filling: from here on the piece is immutable.
 */
void
pl_piece_seal (PlPiece *self)
{
  for (guint i = 0; i < self->lanes->len; i++)
    untangle_lane (&g_array_index (self->lanes, PlPieceLane, i));
  pl_piece_note_range (self);
  for (guint i = 0; i < self->queues->len; i++)
    seal_queue (&g_array_index (self->queues, PlPieceQueue, i));
}

static gsize
blocks_memory (GPtrArray *blocks)
{
  gsize bytes = blocks->len * sizeof (gpointer);

  for (guint i = 0; i < blocks->len; i++)
    bytes += pl_block_get_memory (g_ptr_array_index (blocks, i));
  return bytes;
}

/**
 * pl_piece_get_memory:
 *
 * Returns: bytes that the piece holds, without strings
 */
gsize
pl_piece_get_memory (PlPiece *self)
{
  gsize bytes = sizeof *self;

  for (guint i = 0; i < self->lanes->len; i++)
    {
      PlPieceLane *lane = &g_array_index (self->lanes, PlPieceLane, i);

      bytes += blocks_memory (lane->polls) + blocks_memory (lane->parks) + lane->detached->len * sizeof (PlPoll);
    }
  for (guint i = 0; i < self->queues->len; i++)
    bytes += g_array_index (self->queues, PlPieceQueue, i).n_samples * sizeof (PlQueueSample);
  bytes += self->edges->len * sizeof (PlRunEdge) + self->gaps->len * sizeof (PlGap);
  bytes += pl_task_events_get_memory (self->spawns) + pl_task_events_get_memory (self->ends);
  return bytes;
}

static GPtrArray *
summarize_blocks (GPtrArray *blocks)
{
  GPtrArray *summaries = g_ptr_array_new_full (blocks->len, (GDestroyNotify) pl_block_unref);

  for (guint i = 0; i < blocks->len; i++)
    g_ptr_array_add (summaries, pl_block_summarize (g_ptr_array_index (blocks, i)));
  return summaries;
}

/* The workers that passed from thread to thread, as far as the thread ids of the batches tell. */
static GHashTable *
find_hand_overs (PlPiece *self)
{
  g_autoptr(GHashTable) threads = g_hash_table_new (g_int64_hash, g_int64_equal);
  GHashTable *workers = g_hash_table_new (g_int64_hash, g_int64_equal);

  for (guint i = 0; i < self->edges->len; i++)
    {
      PlRunEdge *edge = &g_array_index (self->edges, PlRunEdge, i);
      guint32 tid = GPOINTER_TO_UINT (g_hash_table_lookup (threads, &edge->worker));

      if (edge->tid != 0 && tid != 0 && tid != edge->tid)
        g_hash_table_add (workers, &edge->worker);
      else if (edge->tid != 0)
        g_hash_table_insert (threads, &edge->worker, GUINT_TO_POINTER (edge->tid));
    }
  return workers;
}

/* Blocks of different threads of one worker may turn out to alternate, with a poll that another piece ends or with
 * another piece's blocks, and are then needed in full. */
static gboolean
needs_detail (const PlPieceLane *lane, GHashTable *hand_overs)
{
  return lane->detached->len > 0 || g_hash_table_contains (hand_overs, &lane->worker);
}

/* Another piece with the same arrays; no summary of it is known. */
static PlPiece *
copy (PlPiece *self)
{
  PlPiece *piece = g_memdup2 (self, sizeof *self);

  g_atomic_ref_count_init (&piece->ref_count);
  piece->summary = NULL;
  g_array_ref (piece->lanes);
  g_array_ref (piece->edges);
  g_array_ref (piece->spans);
  g_array_ref (piece->anchors);
  g_array_ref (piece->metadata);
  g_array_ref (piece->gaps);
  if (piece->spawns != NULL)
    pl_task_events_ref (piece->spawns);
  if (piece->ends != NULL)
    pl_task_events_ref (piece->ends);
  g_array_ref (piece->queues);
  g_array_ref (piece->counts);
  return piece;
}

/**
 * pl_piece_move:
 * @raw_from: where its bytes begin now
 * @raw_to: where they end
 *
 * Makes the piece as it would be, had it been read from another place. Both share what they hold. Any thread.
 *
 * Returns: (transfer full): the other one; its summary is that of @self, moved as well
 */
PlPiece *
pl_piece_move (PlPiece *self, guint64 raw_from, guint64 raw_to)
{
  PlPiece *summary = g_atomic_pointer_get (&self->summary);
  PlPiece *moved = copy (self);

  moved->raw_from = raw_from;
  moved->raw_to = raw_to;
  if (summary != NULL)
    moved->summary = pl_piece_move (summary, raw_from, raw_to);
  return moved;
}

/**
 * pl_piece_summarize:
 *
 * Makes the piece without its detail, or gives the one that was made before. Any thread.
 *
 * Returns: (transfer none): the summary, which @self keeps
 */
PlPiece *
pl_piece_summarize (PlPiece *self)
{
  g_autoptr(GHashTable) hand_overs = NULL;
  PlPiece *summary;

  if (self->is_summary)
    return self;
  summary = g_atomic_pointer_get (&self->summary);
  if (summary != NULL)
    return summary;

  hand_overs = find_hand_overs (self);
  summary = copy (self);
  summary->is_summary = TRUE;
  g_array_unref (summary->lanes);
  summary->lanes = g_array_new (FALSE, FALSE, sizeof (PlPieceLane));
  g_array_set_clear_func (summary->lanes, clear_lane);
  for (guint i = 0; i < self->lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (self->lanes, PlPieceLane, i);
      gboolean keep = needs_detail (lane, hand_overs);
      PlPieceLane made = {
        lane->worker,
        keep ? g_ptr_array_ref (lane->polls) : summarize_blocks (lane->polls),
        keep ? g_ptr_array_ref (lane->parks) : summarize_blocks (lane->parks),
        g_array_ref (lane->detached),
      };

      g_array_append_val (summary->lanes, made);
    }
  g_clear_pointer (&summary->spawns, pl_task_events_unref);
  g_clear_pointer (&summary->ends, pl_task_events_unref);
  /* Two threads may have made one at the same time: the first one is kept. */
  if (!g_atomic_pointer_compare_and_exchange (&self->summary, NULL, summary))
    {
      pl_piece_unref (summary);
      summary = g_atomic_pointer_get (&self->summary);
    }
  return summary;
}

/**
 * pl_piece_get_range:
 * @out_from_ns: (out): earliest start of its polls and parks
 * @out_to_ns: (out): latest end
 *
 * Returns: whether it has any
 */
gboolean
pl_piece_get_range (PlPiece *self, gint64 *out_from_ns, gint64 *out_to_ns)
{
  *out_from_ns = self->from_ns;
  *out_to_ns = self->to_ns;
  return self->from_ns <= self->to_ns;
}

static gint64
gap_between (const PlTimeSpan *a, const PlTimeSpan *b)
{
  return b->from_ns - a->to_ns;
}

static void
merge_with_next (GArray *spans, guint index)
{
  PlTimeSpan *span = &g_array_index (spans, PlTimeSpan, index);
  const PlTimeSpan *next = span + 1;

  span->to_ns = MAX (span->to_ns, next->to_ns);
  span->n_events += next->n_events;
  g_array_remove_index (spans, index + 1);
}

/* Joins the two neighbours that are nearest to each other, so that the list stays short whatever the input. */
static void
merge_nearest (GArray *spans)
{
  guint nearest = 0;

  for (guint i = 1; i + 1 < spans->len; i++)
    if (gap_between (&g_array_index (spans, PlTimeSpan, i), &g_array_index (spans, PlTimeSpan, i + 1))
        < gap_between (&g_array_index (spans, PlTimeSpan, nearest), &g_array_index (spans, PlTimeSpan, nearest + 1)))
      nearest = i;
  merge_with_next (spans, nearest);
}

/**
 * pl_time_spans_add:
 * @spans: (element-type PlTimeSpan): sorted, at most 64 of them
 * @from_ns: first time, at least 1
 * @to_ns: last time
 * @n_events: how many events lie between
 *
 * Adds a stretch of time. Stretches less than an hour apart become one: what stays apart are outliers.
 */
void
pl_time_spans_add (GArray *spans, gint64 from_ns, gint64 to_ns, guint64 n_events)
{
  PlTimeSpan added = { from_ns, to_ns, n_events };
  guint i = 0;

  while (i < spans->len && g_array_index (spans, PlTimeSpan, i).to_ns < from_ns - SPAN_GAP_NS)
    i++;
  if (i < spans->len && g_array_index (spans, PlTimeSpan, i).from_ns <= to_ns + SPAN_GAP_NS)
    {
      PlTimeSpan *span = &g_array_index (spans, PlTimeSpan, i);

      span->from_ns = MIN (span->from_ns, from_ns);
      span->to_ns = MAX (span->to_ns, to_ns);
      span->n_events += n_events;
      while (i + 1 < spans->len
             && gap_between (&g_array_index (spans, PlTimeSpan, i), &g_array_index (spans, PlTimeSpan, i + 1))
                <= SPAN_GAP_NS)
        merge_with_next (spans, i);
      return;
    }
  g_array_insert_val (spans, i, added);
  if (spans->len > PL_MAX_TIME_SPANS)
    merge_nearest (spans);
}
