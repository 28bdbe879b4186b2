/* pl-decoder-peek.c: what a decoder has so far, without ending anything
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-decoder-private.h"

#include <string.h>

static void
copy_array (GArray **to, GArray *from)
{
  g_array_append_vals (*to, from->data, from->len);
}

static void
copy_queues (PlPiece *copy, const PlPiece *piece)
{
  for (guint i = 0; i < piece->queues->len; i++)
    {
      const PlPieceQueue *queue = &g_array_index (piece->queues, PlPieceQueue, i);
      PlPieceQueue made = { .name = queue->name, .collected = g_array_copy (queue->collected) };

      g_array_append_val (copy->queues, made);
    }
}

static void
copy_counts (PlPiece *copy, PlDecoder *self)
{
  for (guint i = 0; i < pl_schemas_get_n (self->schemas); i++)
    {
      const PlSchema *schema = pl_schemas_get (self->schemas, i);
      PlPieceCount count = { pl_strings_intern (self->strings, schema->name, strlen (schema->name)),
                             schema->n_events };

      copy->n_events += schema->n_events;
      if (count.count > 0)
        g_array_append_val (copy->counts, count);
    }
}

/**
 * pl_decoder_peek_piece:
 *
 * What pl_decoder_take_piece() would give if the stream ended here, while the decoder goes on with the same piece and
 * batch. Costs copies of what is not in blocks yet: cut pieces often where this is called often.
 *
 * Returns: (transfer full): what was decoded since the last piece
 */
PlPiece *
pl_decoder_peek_piece (PlDecoder *self)
{
  const PlPiece *piece = self->piece;
  PlPiece *copy = pl_piece_new (piece->file, piece->raw_from);

  copy->may_grow = TRUE;
  copy->paused_ns = self->paused_ns != 0 ? self->paused_ns : G_MAXINT64;
  copy->raw_to = self->offset;
  copy->is_merged = piece->is_merged;
  copy->n_batches = piece->n_batches;
  copy->n_outliers = piece->n_outliers;
  copy->legacy_wall_ns = piece->legacy_wall_ns;
  copy_array (&copy->edges, piece->edges);
  copy_array (&copy->spans, piece->spans);
  copy_array (&copy->anchors, piece->anchors);
  copy_array (&copy->metadata, piece->metadata);
  copy_array (&copy->gaps, piece->gaps);
  pl_piece_set_tasks (copy, self->spawns, self->ends, FALSE);
  copy_queues (copy, piece);
  copy_counts (copy, self);
  if (self->span_from != 0 && self->base >= self->span_from && self->base < PL_TIME_LIMIT_NS)
    pl_time_spans_add (copy->spans, (gint64) self->span_from, (gint64) self->base,
                       self->n_events - self->span_n_events);
  copy->n_unpaired = pl_runs_peek (self->runs, copy->lanes, copy->edges);
  pl_piece_seal (copy);
  return copy;
}
