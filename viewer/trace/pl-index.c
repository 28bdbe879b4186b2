/* pl-index.c: summaries of files seen before, in the user's cache directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The directory may be deleted at any time. Whoever changes what is written here, or what decoding gives, counts
 * PL_INDEX_MAGIC up.
 */
#include "config.h"

#include "pl-index.h"

#include "pl-index-block.h"
#include "pl-index-check.h"
#include "pl-index-file.h"
#include "pl-source.h"

static void
put_blocks (PlIndexWriter *writer, GPtrArray *blocks)
{
  pl_index_put_u64 (writer, blocks->len);
  for (guint i = 0; i < blocks->len; i++)
    pl_index_put_block (writer, blocks->pdata[i]);
}

/* With which a piece begins. */
#define N_NUMBERS 12

static void
put_piece (PlIndexWriter *writer, PlPiece *piece)
{
  const guint64 numbers[N_NUMBERS] = {
    piece->n_spawns, piece->n_ends, piece->min_task, piece->max_task, piece->raw_from, piece->raw_to,
    (guint64) piece->is_merged, piece->n_events, piece->n_batches, piece->n_unpaired, piece->n_outliers,
    (guint64) piece->legacy_wall_ns,
  };

  pl_index_put_bytes (writer, numbers, sizeof numbers);
  pl_index_put_array (writer, piece->spans);
  pl_index_put_array (writer, piece->anchors);
  pl_index_put_array (writer, piece->gaps);
  pl_index_put_array (writer, piece->edges);
  for (guint i = 0; i < piece->edges->len; i++)
    pl_index_put_string (writer, g_array_index (piece->edges, PlRunEdge, i).open.spawn_loc);
  pl_index_put_u64 (writer, piece->metadata->len);
  for (guint i = 0; i < piece->metadata->len; i++)
    {
      pl_index_put_u64 (writer, g_array_index (piece->metadata, PlPieceMetadata, i).at_ns);
      pl_index_put_string (writer, g_array_index (piece->metadata, PlPieceMetadata, i).key);
      pl_index_put_string (writer, g_array_index (piece->metadata, PlPieceMetadata, i).value);
    }
  pl_index_put_u64 (writer, piece->counts->len);
  for (guint i = 0; i < piece->counts->len; i++)
    {
      pl_index_put_string (writer, g_array_index (piece->counts, PlPieceCount, i).name);
      pl_index_put_u64 (writer, g_array_index (piece->counts, PlPieceCount, i).count);
    }
  pl_index_put_u64 (writer, piece->queues->len);
  for (guint i = 0; i < piece->queues->len; i++)
    {
      pl_index_put_string (writer, g_array_index (piece->queues, PlPieceQueue, i).name);
      pl_index_put_u64 (writer, g_array_index (piece->queues, PlPieceQueue, i).n_samples);
      pl_index_put_bytes (writer, g_array_index (piece->queues, PlPieceQueue, i).samples,
                          g_array_index (piece->queues, PlPieceQueue, i).n_samples * sizeof (PlQueueSample));
    }
  pl_index_put_u64 (writer, piece->lanes->len);
  for (guint i = 0; i < piece->lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (piece->lanes, PlPieceLane, i);

      pl_index_put_u64 (writer, lane->worker);
      put_blocks (writer, lane->polls);
      put_blocks (writer, lane->parks);
      pl_index_put_polls (writer, lane->detached);
    }
}

static GPtrArray *
get_blocks (PlIndexReader *reader)
{
  gsize n = pl_index_get_count (reader, PL_INDEX_MIN_BLOCK_SIZE);
  GPtrArray *blocks = g_ptr_array_new_full ((guint) n, (GDestroyNotify) pl_block_unref);

  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlBlock *block = pl_index_get_block (reader);

      if (block != NULL)
        g_ptr_array_add (blocks, block);
    }
  return blocks;
}

static void
get_names (PlIndexReader *reader, PlPiece *piece)
{
  gsize n = pl_index_get_count (reader, 3 * sizeof (guint64));

  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlPieceMetadata entry = { .at_ns = pl_index_get_u64 (reader) };

      entry.key = pl_index_get_string (reader);
      entry.value = pl_index_get_string (reader);
      g_array_append_val (piece->metadata, entry);
    }
  n = pl_index_get_count (reader, 2 * sizeof (guint64));
  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlPieceCount count = { pl_index_get_string (reader), 0 };

      count.count = pl_index_get_u64 (reader);
      g_array_append_val (piece->counts, count);
    }
  n = pl_index_get_count (reader, 2 * sizeof (guint64));
  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlPieceQueue queue = { .name = pl_index_get_string (reader), .memory = g_bytes_ref (reader->memory) };

      queue.n_samples = (guint) pl_index_get_count (reader, sizeof (PlQueueSample));
      queue.samples = pl_index_get_bytes (reader, queue.n_samples * sizeof (PlQueueSample));
      g_array_append_val (piece->queues, queue);
    }
}

static PlPiece *
get_piece (PlIndexReader *reader, guint file)
{
  g_autoptr(PlPiece) piece = NULL;
  const guint64 *numbers = pl_index_get_bytes (reader, N_NUMBERS * sizeof *numbers);
  gsize n;

  if (numbers == NULL)
    return NULL;
  piece = pl_piece_new (file, numbers[4]);
  pl_index_get_array (reader, piece->spans);
  pl_index_get_array (reader, piece->anchors);
  pl_index_get_array (reader, piece->gaps);
  pl_index_get_array (reader, piece->edges);
  for (guint i = 0; i < piece->edges->len; i++)
    g_array_index (piece->edges, PlRunEdge, i).open.spawn_loc = pl_index_get_string (reader);
  get_names (reader, piece);
  /* Only queues are left to be sealed: rows are, and are checked to be. */
  pl_piece_seal (piece);
  n = pl_index_get_count (reader, 4 * sizeof (guint64));
  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlPieceLane lane = { .worker = pl_index_get_u64 (reader) };

      lane.polls = get_blocks (reader);
      lane.parks = get_blocks (reader);
      lane.detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));
      pl_index_get_polls (reader, lane.detached);
      g_array_append_val (piece->lanes, lane);
    }
  pl_piece_note_range (piece);
  piece->is_summary = TRUE;
  piece->n_spawns = numbers[0];
  piece->n_ends = numbers[1];
  piece->min_task = numbers[2];
  piece->max_task = numbers[3];
  piece->raw_to = numbers[5];
  piece->is_merged = numbers[6] != 0;
  piece->n_events = numbers[7];
  piece->n_batches = numbers[8];
  piece->n_unpaired = numbers[9];
  piece->n_outliers = numbers[10];
  piece->legacy_wall_ns = (gint64) numbers[11];
  return !reader->is_broken && pl_index_piece_is_sound (piece) ? g_steal_pointer (&piece) : NULL;
}

static GPtrArray *
get_pieces (PlIndexReader *reader, PlTraceFile *info, guint file)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (PlSourcePoint));
  guint64 format = pl_index_get_u64 (reader);
  guint64 raw_bytes = pl_index_get_u64 (reader);
  guint64 n_batches = pl_index_get_u64 (reader);
  gsize n;

  pl_index_get_array (reader, points);
  n = pl_index_get_count (reader, N_NUMBERS * sizeof (guint64));
  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlPiece *piece = get_piece (reader, file);

      if (piece == NULL)
        return NULL;
      g_ptr_array_add (pieces, piece);
    }
  if (!pl_index_reader_is_done (reader) || format > PL_TRACE_FORMAT_ZSTD)
    return NULL;
  info->format = (PlTraceFormat) format;
  info->raw_bytes = raw_bytes;
  info->n_batches = n_batches;
  info->index = points->len > 0 ? g_array_ref (points) : NULL;
  if (pl_index_file_is_sound (info, pieces))
    return g_steal_pointer (&pieces);
  g_clear_pointer (&info->index, g_array_unref);
  return NULL;
}

/**
 * pl_index_load:
 * @info: the file; format, sizes, batches and index are filled in on success
 * @file: its number in the trace
 * @strings: where its strings are interned
 *
 * Looks for the summary of a file that has not changed since it was read. May block on the disk. Any thread.
 *
 * Returns: (transfer full) (nullable) (element-type PlPiece): its pieces as summaries; %NULL when there is nothing that
 *   can be believed
 */
GPtrArray *
pl_index_load (PlTraceFile *info, guint file, PlStrings *strings)
{
  PlIndexHeader header;
  g_autoptr(GBytes) memory = pl_index_file_read (info->path, &header);
  PlIndexReader reader;
  GPtrArray *pieces;

  if (memory == NULL)
    return NULL;
  info->size_bytes = header.size;
  pl_index_reader_init (&reader, memory, header.payload_size, header.n_blocks, strings);
  pieces = get_pieces (&reader, info, file);
  pl_index_reader_clear (&reader);
  return pieces;
}

static gboolean
is_small_enough (const PlIndexWriter *writer)
{
  return (gsize) writer->texts->len + writer->bytes->len + sizeof (guint64) <= PL_INDEX_MAX_SIZE;
}

/**
 * pl_index_save:
 * @info: a file that was read to its end without a fault
 * @pieces: (element-type PlPiece): all of it
 * @strings: the strings of the pieces
 *
 * Writes the summary of a file for the next time. Not on the main thread. A file that has changed since it was read
 * gets none.
 *
 * Returns: %FALSE with an error when it could not be written
 */
gboolean
pl_index_save (const PlTraceFile *info, GPtrArray *pieces, PlStrings *strings, GError **error)
{
  PlIndexHeader header;
  PlIndexWriter writer;
  gboolean saved;

  if (!pl_index_file_identify (info->path, &header) || header.size != info->size_bytes)
    return TRUE;
  pl_index_writer_init (&writer, strings);
  pl_index_put_u64 (&writer, info->format);
  pl_index_put_u64 (&writer, info->raw_bytes);
  pl_index_put_u64 (&writer, info->n_batches);
  if (info->index != NULL)
    pl_index_put_array (&writer, info->index);
  else
    pl_index_put_u64 (&writer, 0);
  pl_index_put_u64 (&writer, pieces->len);
  for (guint i = 0; i < pieces->len && is_small_enough (&writer); i++)
    put_piece (&writer, pl_piece_summarize (pieces->pdata[i]));
  saved = !is_small_enough (&writer) || pl_index_file_write (&header, &writer, error);
  pl_index_writer_clear (&writer);
  return saved;
}
