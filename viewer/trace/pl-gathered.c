/* pl-gathered.c: what pieces hold together, from which a snapshot is made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-gathered.h"

/* A piece that is in it, and the stretch of segments that it was in then. Found by where it lies, whatever its form. */
typedef struct
{
  PlPiece *piece;
  guint8 stretch;
} Held;

static guint
hash_held (gconstpointer data)
{
  const PlPiece *piece = ((const Held *) data)->piece;

  return g_int64_hash (&piece->raw_from) ^ (piece->file * 2654435761u);
}

static gboolean
is_same_place (gconstpointer a, gconstpointer b)
{
  const PlPiece *first = ((const Held *) a)->piece;
  const PlPiece *second = ((const Held *) b)->piece;

  return first->file == second->file && first->raw_from == second->raw_from;
}

static void
held_free (gpointer data)
{
  Held *self = data;

  pl_piece_unref (self->piece);
  g_free (self);
}

static Held *
find_held (PlGathered *self, PlPiece *piece)
{
  return g_hash_table_lookup (self->pieces, &(Held) { piece, 0 });
}

/**
 * pl_gathered_new:
 * @before: (nullable): what it will be the rest of; must outlive it
 *
 * Returns: (transfer full): nothing yet
 */
PlGathered *
pl_gathered_new (PlGathered *before)
{
  PlGathered *self = g_new0 (PlGathered, 1);

  self->before = before;
  self->pieces = g_hash_table_new_full (hash_held, is_same_place, held_free, NULL);
  self->lanes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) pl_gathered_lane_free);
  self->spans = g_array_new (FALSE, FALSE, sizeof (PlTimeSpan));
  self->metadata = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->counts = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  self->anchors = g_array_new (FALSE, FALSE, sizeof (PlClockAnchor));
  self->gaps = g_array_new (FALSE, FALSE, sizeof (PlGap));
  return self;
}

void
pl_gathered_free (PlGathered *self)
{
  g_hash_table_unref (self->lanes);
  g_array_unref (self->spans);
  g_hash_table_unref (self->metadata);
  g_hash_table_unref (self->counts);
  g_array_unref (self->anchors);
  g_array_unref (self->gaps);
  g_hash_table_unref (self->pieces);
  g_free (self);
}

/**
 * pl_gathered_clear:
 *
 * Forgets everything.
 */
void
pl_gathered_clear (PlGathered *self)
{
  g_hash_table_remove_all (self->lanes);
  g_array_set_size (self->spans, 0);
  g_hash_table_remove_all (self->metadata);
  g_hash_table_remove_all (self->counts);
  g_array_set_size (self->anchors, 0);
  g_array_set_size (self->gaps, 0);
  g_hash_table_remove_all (self->pieces);
  self->legacy_wall_ns = 0;
  self->n_events = self->n_unpaired = self->n_outliers = 0;
  self->is_lagging = self->is_settled = FALSE;
}

static gboolean
is_other_form (const PlPiece *held, const PlPiece *piece)
{
  return held->summary == piece || (piece->summary == held && held->is_summary);
}

static gboolean
exchange (PlGathered *self, Held *held, PlPiece *piece)
{
  if (!is_other_form (held->piece, piece) || held->piece->lanes->len != piece->lanes->len)
    return FALSE;
  for (guint i = 0; i < piece->lanes->len; i++)
    {
      const PlPieceLane *before = &g_array_index (held->piece->lanes, PlPieceLane, i);
      const PlPieceLane *lane = &g_array_index (piece->lanes, PlPieceLane, i);

      if (before->worker != lane->worker
          || !pl_gathered_lane_exchange (pl_gathered_get_lane (self, lane->worker), before, lane))
        return FALSE;
    }
  pl_piece_unref (held->piece);
  held->piece = pl_piece_ref (piece);
  return TRUE;
}

/**
 * pl_gathered_move:
 * @piece: in whatever form it is held
 * @moved: what pl_piece_move() made of @piece
 *
 * Takes one for the other.
 */
void
pl_gathered_move (PlGathered *self, PlPiece *piece, PlPiece *moved)
{
  Held *held = find_held (self, piece);

  /* What is not put right here is gathered anew when the next snapshot is made. */
  if (held == NULL || (held->piece != piece && !exchange (self, held, piece)))
    return;
  g_hash_table_steal (self->pieces, held);
  pl_piece_unref (held->piece);
  held->piece = pl_piece_ref (moved);
  g_hash_table_add (self->pieces, held);
}

/**
 * pl_gathered_update:
 * @pieces: (element-type PlPiece): what there is now
 * @stretches: by file
 *
 * Takes over where the pieces have more or less detail than before. O(pieces), where nothing has.
 *
 * Returns: whether all that it holds is still there as it was; if not, it is to be cleared
 */
gboolean
pl_gathered_update (PlGathered *self, GPtrArray *pieces, const guint8 *stretches)
{
  guint n_found = 0;

  for (guint i = 0; i < pieces->len; i++)
    {
      PlPiece *piece = pieces->pdata[i];
      Held *held = find_held (self, piece);

      if (held == NULL)
        continue;
      if (held->stretch != stretches[piece->file] || (held->piece != piece && !exchange (self, held, piece)))
        return FALSE;
      n_found++;
    }
  return n_found == g_hash_table_size (self->pieces);
}

gboolean
pl_gathered_has (PlGathered *self, PlPiece *piece)
{
  return find_held (self, piece) != NULL;
}

/**
 * pl_gathered_get_lane:
 *
 * Returns: (transfer none): the worker's lane, which is added if there is none
 */
PlGatheredLane *
pl_gathered_get_lane (PlGathered *self, guint64 worker)
{
  PlGatheredLane *lane = g_hash_table_lookup (self->lanes, &worker);

  if (lane == NULL)
    {
      lane = pl_gathered_lane_new (worker);
      g_hash_table_insert (self->lanes, g_memdup2 (&worker, sizeof worker), lane);
    }
  return lane;
}

static gboolean
has_lane (PlGathered *self, guint64 worker)
{
  return g_hash_table_contains (self->lanes, &worker) || (self->before != NULL && has_lane (self->before, worker));
}

static void
add_lanes (PlGathered *self, PlPiece *piece, gboolean is_merged, guint8 stretch)
{
  for (guint i = 0; i < piece->lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (piece->lanes, PlPieceLane, i);

      if (lane->polls->len > 0 || lane->parks->len > 0 || lane->detached->len > 0)
        pl_gathered_lane_add_blocks (pl_gathered_get_lane (self, lane->worker), lane);
    }
  for (guint i = 0; i < piece->edges->len; i++)
    {
      PlRunEdge edge = g_array_index (piece->edges, PlRunEdge, i);

      if (edge.is_gap && !has_lane (self, edge.worker))
        continue;
      edge.stretch = stretch;
      pl_gathered_lane_add_edge (pl_gathered_get_lane (self, edge.worker), &edge, is_merged);
    }
}

static void
add_lanes_of (PlGathered *self, PlGathered *before)
{
  GHashTableIter iter;
  gpointer worker;

  g_hash_table_iter_init (&iter, before->lanes);
  while (g_hash_table_iter_next (&iter, &worker, NULL))
    pl_gathered_get_lane (self, *(const guint64 *) worker);
}

/* Whatever was open before the piece is cut off by its first gap of all; for what began in the piece its own edges say so. */
static void
add_gap_of_all (PlGathered *self, PlPiece *piece, gboolean is_merged, guint8 stretch)
{
  PlRunEdge edge = { .is_gap = TRUE, .stretch = stretch, .first_ns = G_MAXINT64 };
  GHashTableIter iter;
  gpointer lane;

  for (guint i = 0; i < piece->gaps->len; i++)
    if (pl_gap_is_of_all (&g_array_index (piece->gaps, PlGap, i)))
      edge.first_ns = MIN (edge.first_ns, g_array_index (piece->gaps, PlGap, i).from_ns);
  if (edge.first_ns == G_MAXINT64)
    return;
  if (self->before != NULL)
    add_lanes_of (self, self->before);
  g_hash_table_iter_init (&iter, self->lanes);
  while (g_hash_table_iter_next (&iter, NULL, &lane))
    pl_gathered_lane_add_edge (lane, &edge, is_merged);
}

/* By time and not by place: files may have been named in any order. */
static void
add_metadata (PlGathered *self, PlPiece *piece)
{
  for (guint i = 0; i < piece->metadata->len; i++)
    {
      const PlPieceMetadata *entry = &g_array_index (piece->metadata, PlPieceMetadata, i);
      const PlPieceMetadata *known = g_hash_table_lookup (self->metadata, GUINT_TO_POINTER (entry->key));

      if (known == NULL || entry->at_ns >= known->at_ns)
        g_hash_table_insert (self->metadata, GUINT_TO_POINTER (entry->key), g_memdup2 (entry, sizeof *entry));
    }
}

static void
add_counts (PlGathered *self, PlPiece *piece)
{
  for (guint i = 0; i < piece->counts->len; i++)
    {
      const PlPieceCount *count = &g_array_index (piece->counts, PlPieceCount, i);
      guint64 *sum = g_hash_table_lookup (self->counts, GUINT_TO_POINTER (count->name));

      if (sum == NULL)
        {
          sum = g_new0 (guint64, 1);
          g_hash_table_insert (self->counts, GUINT_TO_POINTER (count->name), sum);
        }
      *sum += count->count;
    }
}

static int
compare_anchors (gconstpointer a, gconstpointer b)
{
  const PlClockAnchor *first = a;
  const PlClockAnchor *second = b;

  return (first->at_ns > second->at_ns) - (first->at_ns < second->at_ns);
}

static int
compare_gaps (gconstpointer a, gconstpointer b)
{
  const PlGap *first = a;
  const PlGap *second = b;

  if (first->from_ns != second->from_ns)
    return first->from_ns > second->from_ns ? 1 : -1;
  if (first->to_ns != second->to_ns)
    return first->to_ns > second->to_ns ? 1 : -1;
  return (first->tid > second->tid) - (first->tid < second->tid);
}

/* What comes is mostly later than what is there. */
static void
sort (GArray *array, GCompareFunc compare)
{
  guint size = g_array_get_element_size (array);

  for (guint i = 1; i < array->len; i++)
    if (compare (array->data + (gsize) (i - 1) * size, array->data + (gsize) i * size) > 0)
      {
        g_array_sort (array, compare);
        return;
      }
}

/**
 * pl_gathered_sort:
 * @anchors: (element-type PlClockAnchor): in any order
 * @gaps: (element-type PlGap): likewise
 *
 * Puts both in order of time. O(n) where they are.
 */
void
pl_gathered_sort (GArray *anchors, GArray *gaps)
{
  sort (anchors, compare_anchors);
  sort (gaps, compare_gaps);
}

/**
 * pl_gathered_add:
 * @piece: one that is not in it; a reference is taken
 * @is_merged: all threads of its file share one stream
 * @stretch: of its file
 */
void
pl_gathered_add (PlGathered *self, PlPiece *piece, gboolean is_merged, guint8 stretch)
{
  Held held = { pl_piece_ref (piece), stretch };

  g_hash_table_add (self->pieces, g_memdup2 (&held, sizeof held));
  add_lanes (self, piece, is_merged, stretch);
  add_gap_of_all (self, piece, is_merged, stretch);
  add_metadata (self, piece);
  add_counts (self, piece);
  for (guint i = 0; i < piece->spans->len; i++)
    {
      const PlTimeSpan *span = &g_array_index (piece->spans, PlTimeSpan, i);

      pl_time_spans_add (self->spans, span->from_ns, span->to_ns, span->n_events);
    }
  g_array_append_vals (self->anchors, piece->anchors->data, piece->anchors->len);
  g_array_append_vals (self->gaps, piece->gaps->data, piece->gaps->len);
  self->is_lagging |= !is_merged;
  if (self->legacy_wall_ns == 0)
    self->legacy_wall_ns = piece->legacy_wall_ns;
  self->n_events += piece->n_events;
  self->n_unpaired += piece->n_unpaired;
  self->n_outliers += piece->n_outliers;
}

/**
 * pl_gathered_settle:
 * @range: of the trace
 *
 * Settles the lanes as far as there is nothing more to be expected.
 *
 * Returns: whether all that it holds fits to what is settled; if not, it is to be cleared
 */
gboolean
pl_gathered_settle (PlGathered *self, const PlLaneRange *range)
{
  GHashTableIter iter;
  gpointer lane;

  if (self->is_settled && (self->from_ns != range->from_ns || self->to_ns > range->to_ns))
    return FALSE;
  self->is_settled = TRUE;
  self->from_ns = range->from_ns;
  self->to_ns = range->to_ns;
  pl_gathered_sort (self->anchors, self->gaps);
  g_hash_table_iter_init (&iter, self->lanes);
  while (g_hash_table_iter_next (&iter, NULL, &lane))
    if (!pl_gathered_lane_settle (lane, range))
      return FALSE;
  return TRUE;
}
