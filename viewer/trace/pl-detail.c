/* pl-detail.c: detail of a trace that does not fit into memory, where it is looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A trace over the budget keeps most pieces as summaries. Their detail is decoded again from the file when a view
 * comes there, into a new snapshot of the same trace, on the caller's thread: the window calls this off its main thread
 * and goes on drawing the old snapshot meanwhile.
 */
#include "config.h"

#include "pl-detail-private.h"

#include "pl-chunk.h"
#include "pl-parallel.h"
#include "pl-slab.h"
#include "pl-trace-private.h"

/* Where a stride of a summary is wider than this many pixel columns, its estimate would show. */
#define MAX_COLUMNS_PER_STRIDE 1.0

/* Raw bytes of a piece → bytes of its columns, from traces of dial9: 0.48 to 0.55. */
#define DETAIL_SHARE 0.6

/* The old snapshot is drawn while the new one is made, and both may hold detail of different places. */
#define N_SNAPSHOTS 2

static const PlChunkClient client = { NULL, NULL };

/**
 * pl_detail_decode_piece:
 *
 * Reads a piece again from its file. Any thread but the main one.
 *
 * Returns: (transfer full) (nullable): the piece with its detail; %NULL when it is not there any more, or not what it was
 */
PlPiece *
pl_detail_decode_piece (PlTrace *trace, PlPiece *piece, GCancellable *cancellable)
{
  const PlTraceFile *file = &g_array_index (trace->files, PlTraceFile, piece->file);
  /* All of it in one piece, of whatever size it is: loading and following cut at other places. */
  g_autoptr(GArray) batches = g_array_new (FALSE, FALSE, sizeof (guint64));
  PlChunkRequest request = {
    .path = file->path,
    .file = piece->file,
    .index = file->index,
    .strings = trace->strings,
    .cancellable = cancellable,
    .from = piece->raw_from,
    .to = piece->raw_to,
    .is_exact = TRUE,
    .batches = batches,
  };
  g_autoptr(PlChunk) chunk = pl_chunk_read (&request, &client, NULL);
  PlPiece *decoded = chunk->pieces->len > 0 ? chunk->pieces->pdata[0] : NULL;

  /* Detail that was read for a view goes piece by piece. */
  pl_slab_end ();
  if (decoded == NULL || decoded->n_events != piece->n_events || decoded->raw_to != piece->raw_to)
    return NULL;
  if (decoded->summary == NULL)
    decoded->summary = pl_piece_ref (piece);
  return pl_piece_ref (decoded);
}

/* How many columns the widest stride of the piece takes up: those of its lane with most polls or parks are the
 * narrowest. What is no longer on disk cannot be had sharper. */
static gboolean
is_coarse (PlTrace *trace, PlPiece *piece, gint64 from_ns, gint64 to_ns, guint n_columns)
{
  gint64 piece_from;
  gint64 piece_to;
  guint64 n_strides = 1;
  double columns;

  if (!piece->is_summary || !pl_piece_get_range (piece, &piece_from, &piece_to) || piece_from >= to_ns
      || piece_to <= from_ns || g_array_index (trace->files, PlTraceFile, piece->file).is_gone)
    return FALSE;
  for (guint i = 0; i < piece->lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (piece->lanes, PlPieceLane, i);
      guint64 n = 0;

      for (guint j = 0; j < lane->polls->len; j++)
        n += ((PlBlock *) lane->polls->pdata[j])->n;
      n_strides = MAX (n_strides, n / PL_SUMMARY_STRIDE);
    }
  columns = (double) (piece_to - piece_from) / (double) (to_ns - from_ns) * n_columns;
  return columns / (double) n_strides > MAX_COLUMNS_PER_STRIDE;
}

/**
 * pl_detail_is_sharp:
 * @from_ns: start of the view
 * @to_ns: its end
 * @n_columns: pixel columns that it is drawn in
 *
 * Any thread; O(blocks in summary).
 *
 * Returns: whether the snapshot holds all detail that the view shows
 */
gboolean
pl_detail_is_sharp (PlTrace *trace, gint64 from_ns, gint64 to_ns, guint n_columns)
{
  for (guint i = 0; i < trace->pieces->len; i++)
    if (is_coarse (trace, trace->pieces->pdata[i], from_ns, to_ns, n_columns))
      return FALSE;
  return TRUE;
}

static guint64
estimate_detail (const PlPiece *piece)
{
  return (guint64) ((double) (piece->raw_to - piece->raw_from) * DETAIL_SHARE);
}

/* What is to be decoded, and where the results go. */
typedef struct
{
  PlTrace *trace;
  GArray *coarse; /* numbers of pieces */
  GCancellable *cancellable;
  GPtrArray *pieces; /* of the new snapshot */
} Sharpen;

static void
sharpen_piece (guint n, gpointer user_data)
{
  Sharpen *sharpen = user_data;
  guint i = g_array_index (sharpen->coarse, guint, n);
  PlPiece *decoded = pl_detail_decode_piece (sharpen->trace, sharpen->pieces->pdata[i], sharpen->cancellable);

  if (decoded == NULL)
    return;
  pl_piece_unref (sharpen->pieces->pdata[i]);
  sharpen->pieces->pdata[i] = decoded;
}

/* How far a piece lies from the view, ns; 0 inside it. */
static gint64
distance (PlPiece *piece, gint64 from_ns, gint64 to_ns)
{
  gint64 piece_from;
  gint64 piece_to;

  if (!pl_piece_get_range (piece, &piece_from, &piece_to))
    return 0;
  return MAX (0, MAX (piece_from - to_ns, from_ns - piece_to));
}

/* Gives up detail that is farthest from the view, until there is room for @wanted bytes more. */
static void
make_room (GPtrArray *pieces, gint64 from_ns, gint64 to_ns, guint64 wanted, guint64 budget)
{
  guint64 held = 0;

  for (guint i = 0; i < pieces->len; i++)
    if (!((PlPiece *) pieces->pdata[i])->is_summary)
      held += estimate_detail (pieces->pdata[i]);
  while (held + wanted > budget)
    {
      gint64 farthest = 0;
      guint found = pieces->len;

      for (guint i = 0; i < pieces->len; i++)
        {
          PlPiece *piece = pieces->pdata[i];
          gint64 away = piece->is_summary ? 0 : distance (piece, from_ns, to_ns);

          if (away > farthest)
            {
              farthest = away;
              found = i;
            }
        }
      if (found == pieces->len)
        break;
      held -= MIN (held, estimate_detail (pieces->pdata[found]));
      {
        PlPiece *piece = pieces->pdata[found];

        pieces->pdata[found] = pl_piece_ref (pl_piece_summarize (piece));
        pl_piece_unref (piece);
      }
    }
}

/**
 * pl_detail_sharpen:
 * @from_ns: start of the view
 * @to_ns: its end
 * @n_columns: pixel columns that it is drawn in
 * @budget_bytes: how much detail the snapshot may hold; that of other places is given up for it
 * @cancellable: (nullable): a cancellable
 *
 * Makes a snapshot with the detail that a view shows. Blocks on the disk; decodes on all processors. One call at a
 * time for all snapshots of one trace.
 *
 * Returns: (transfer full): the snapshot; another reference to @trace when there is nothing to add
 */
PlTrace *
pl_detail_sharpen (PlTrace *trace, gint64 from_ns, gint64 to_ns, guint n_columns, guint64 budget_bytes,
                   GCancellable *cancellable)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  g_autoptr(GArray) coarse = g_array_new (FALSE, FALSE, sizeof (guint));
  Sharpen sharpen = { trace, coarse, cancellable, pieces };
  guint64 budget = budget_bytes / N_SNAPSHOTS;
  guint64 wanted = 0;

  for (guint i = 0; i < trace->pieces->len; i++)
    {
      PlPiece *piece = trace->pieces->pdata[i];

      g_ptr_array_add (pieces, pl_piece_ref (piece));
      if (is_coarse (trace, piece, from_ns, to_ns, n_columns) && wanted + estimate_detail (piece) <= budget)
        {
          wanted += estimate_detail (piece);
          g_array_append_val (coarse, i);
        }
    }
  if (coarse->len == 0)
    return pl_trace_ref (trace);

  make_room (pieces, from_ns, to_ns, wanted, budget);
  pl_parallel_foreach (coarse->len, 0, sharpen_piece, &sharpen);
  if (g_cancellable_is_cancelled (cancellable))
    return pl_trace_ref (trace);
  return pl_trace_build (pieces, trace->files, trace->strings);
}
