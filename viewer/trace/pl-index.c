/* pl-index.c: summaries of files seen before, in the user's cache directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One file for each trace file, named by its device, inode, size and time of change. All of these stand inside as well,
 * with a checksum over the rest, so that an index which is stale, cut or damaged is not believed. The directory may be
 * deleted at any time.
 */
#include "config.h"

#include "pl-index.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <zlib.h>

#include "pl-index-io.h"
#include "pl-source.h"

/* Changes with every change of what is written, or of what decoding gives. */
#define MAGIC "parklane index 5"

/* What all indices together may take on the disk. */
#define MAX_CACHE_SIZE (G_GUINT64_CONSTANT (1) << 30)

typedef struct
{
  char magic[16];
  guint64 device;
  guint64 inode;
  guint64 size;
  gint64 changed_ns;
  guint64 payload_size;
  guint64 checksum;
} Header;

static gboolean
identify (const char *path, Header *out_header)
{
  GStatBuf info;

  if (g_stat (path, &info) != 0 || !S_ISREG (info.st_mode))
    return FALSE;
  memset (out_header, 0, sizeof *out_header);
  memcpy (out_header->magic, MAGIC, sizeof out_header->magic);
  out_header->device = info.st_dev;
  out_header->inode = info.st_ino;
  out_header->size = (guint64) info.st_size;
  out_header->changed_ns = info.st_mtim.tv_sec * G_GINT64_CONSTANT (1000000000) + info.st_mtim.tv_nsec;
  return TRUE;
}

static char *
index_directory (void)
{
  return g_build_filename (g_get_user_cache_dir (), "parklane", "index", NULL);
}

static char *
index_path (const Header *header)
{
  g_autofree char *directory = index_directory ();
  g_autofree char *name = g_strdup_printf ("%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER "x-%" G_GINT64_MODIFIER
                                           "x-%" G_GINT64_MODIFIER "x", header->device, header->inode, header->size,
                                           (guint64) header->changed_ns);

  return g_build_filename (directory, name, NULL);
}

static void
put_blocks (PlIndexWriter *writer, GPtrArray *blocks)
{
  pl_index_put_u64 (writer, blocks->len);
  for (guint i = 0; i < blocks->len; i++)
    pl_index_put_block (writer, blocks->pdata[i]);
}

static void
put_piece (PlIndexWriter *writer, PlPiece *piece)
{
  const guint64 numbers[] = {
    piece->n_spawns, piece->n_ends, piece->min_task, piece->max_task, piece->raw_from, piece->raw_to,
    (guint64) piece->is_merged, piece->n_events, piece->n_batches, piece->n_unpaired, piece->n_outliers,
    (guint64) piece->legacy_wall_ns,
  };

  pl_index_put_bytes (writer, numbers, sizeof numbers);
  pl_index_put_array (writer, piece->spans);
  pl_index_put_array (writer, piece->anchors);
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
      pl_index_put_array (writer, g_array_index (piece->queues, PlPieceQueue, i).samples);
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
  GPtrArray *blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);
  gsize n = pl_index_get_count (reader, sizeof (guint64));

  for (gsize i = 0; i < n; i++)
    {
      PlBlock *block = pl_index_get_block (reader);

      if (block == NULL)
        break;
      g_ptr_array_add (blocks, block);
    }
  return blocks;
}

static void
get_names (PlIndexReader *reader, PlPiece *piece)
{
  gsize n = pl_index_get_count (reader, 3 * sizeof (guint64));

  for (gsize i = 0; i < n; i++)
    {
      PlPieceMetadata entry = { .at_ns = pl_index_get_u64 (reader) };

      entry.key = pl_index_get_string (reader);
      entry.value = pl_index_get_string (reader);
      g_array_append_val (piece->metadata, entry);
    }
  n = pl_index_get_count (reader, 2 * sizeof (guint64));
  for (gsize i = 0; i < n; i++)
    {
      PlPieceCount count = { pl_index_get_string (reader), 0 };

      count.count = pl_index_get_u64 (reader);
      g_array_append_val (piece->counts, count);
    }
  n = pl_index_get_count (reader, 2 * sizeof (guint64));
  for (gsize i = 0; i < n; i++)
    {
      PlPieceQueue queue = { pl_index_get_string (reader), g_array_new (FALSE, FALSE, sizeof (PlQueueSample)), NULL };

      pl_index_get_array (reader, queue.samples);
      /* A queue exists by its first sample. */
      if (queue.samples->len == 0)
        reader->is_broken = TRUE;
      g_array_append_val (piece->queues, queue);
    }
}

static PlPiece *
get_piece (PlIndexReader *reader, guint file)
{
  g_autoptr(PlPiece) piece = NULL;
  guint64 numbers[12];
  gsize n;

  pl_index_get_bytes (reader, numbers, sizeof numbers);
  piece = pl_piece_new (file, numbers[4]);
  pl_index_get_array (reader, piece->spans);
  pl_index_get_array (reader, piece->anchors);
  pl_index_get_array (reader, piece->edges);
  for (guint i = 0; i < piece->edges->len; i++)
    g_array_index (piece->edges, PlRunEdge, i).open.spawn_loc = pl_index_get_string (reader);
  get_names (reader, piece);
  n = pl_index_get_count (reader, 4 * sizeof (guint64));
  for (gsize i = 0; i < n; i++)
    {
      PlPieceLane lane = { .worker = pl_index_get_u64 (reader) };

      lane.polls = get_blocks (reader);
      lane.parks = get_blocks (reader);
      lane.detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));
      pl_index_get_polls (reader, lane.detached);
      g_array_append_val (piece->lanes, lane);
    }
  pl_piece_seal (piece);
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
  return reader->is_broken ? NULL : g_steal_pointer (&piece);
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
  n = pl_index_get_count (reader, 16 * sizeof (guint64));
  for (gsize i = 0; i < n && !reader->is_broken; i++)
    {
      PlPiece *piece = get_piece (reader, file);

      if (piece != NULL)
        g_ptr_array_add (pieces, piece);
    }
  if (reader->is_broken || format > PL_TRACE_FORMAT_ZSTD || pieces->len == 0)
    return NULL;
  info->format = (PlTraceFormat) format;
  info->raw_bytes = raw_bytes;
  info->n_batches = n_batches;
  info->index = points->len > 0 ? g_array_ref (points) : NULL;
  return g_steal_pointer (&pieces);
}

/**
 * pl_index_load:
 * @info: the file; format, sizes, batches and index are filled in on success
 * @file: its number in the trace
 * @strings: where its strings are interned
 *
 * Looks for the summary of a file that has not changed since it was read. May block on the disk.
 *
 * Returns: (transfer full) (nullable) (element-type PlPiece): its pieces as summaries; %NULL when there is nothing that
 *   can be believed
 */
GPtrArray *
pl_index_load (PlTraceFile *info, guint file, PlStrings *strings)
{
  Header wanted;
  Header found;
  g_autofree char *path = NULL;
  g_autoptr(GMappedFile) mapped = NULL;
  PlIndexReader reader;
  const guint8 *bytes;
  gsize size;
  GPtrArray *pieces;

  if (!identify (info->path, &wanted))
    return NULL;
  path = index_path (&wanted);
  /* Files of this directory are written aside and renamed, never changed in place, so the mapping is safe. */
  mapped = g_mapped_file_new (path, FALSE, NULL);
  if (mapped == NULL || g_mapped_file_get_length (mapped) < sizeof found)
    return NULL;
  bytes = (const guint8 *) g_mapped_file_get_contents (mapped);
  size = g_mapped_file_get_length (mapped) - sizeof found;
  memcpy (&found, bytes, sizeof found);
  bytes += sizeof found;
  wanted.payload_size = size;
  wanted.checksum = crc32_z (0, bytes, size);
  if (memcmp (&found, &wanted, sizeof found) != 0)
    return NULL;

  pl_index_reader_init (&reader, bytes, size, strings);
  pieces = get_pieces (&reader, info, file);
  pl_index_reader_clear (&reader);
  return pieces;
}

typedef struct
{
  char *path;
  gint64 used_s;
  guint64 size;
} Entry;

static void
clear_entry (gpointer data)
{
  g_free (((Entry *) data)->path);
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  const Entry *first = a;
  const Entry *second = b;

  return (first->used_s > second->used_s) - (first->used_s < second->used_s);
}

/**
 * pl_index_prune:
 *
 * Deletes the oldest indices until all together fit. After some were saved, not on the main thread.
 */
void
pl_index_prune (void)
{
  g_autofree char *directory = index_directory ();
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  g_autoptr(GArray) entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  guint64 total = 0;
  const char *name;

  g_array_set_clear_func (entries, clear_entry);
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      Entry entry = { g_build_filename (directory, name, NULL), 0, 0 };
      GStatBuf info;

      if (g_stat (entry.path, &info) == 0)
        {
          entry.used_s = info.st_mtim.tv_sec;
          entry.size = (guint64) info.st_size;
        }
      total += entry.size;
      g_array_append_val (entries, entry);
    }
  g_array_sort (entries, compare_entries);
  for (guint i = 0; i < entries->len && total > MAX_CACHE_SIZE; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (g_unlink (entry->path) == 0)
        total -= entry->size;
    }
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
  Header header;
  g_autofree char *directory = index_directory ();
  g_autofree char *path = NULL;
  PlIndexWriter writer;
  gboolean saved;

  if (!identify (info->path, &header) || header.size != info->size_bytes)
    return TRUE;
  path = index_path (&header);
  pl_index_writer_init (&writer, strings);
  pl_index_put_bytes (&writer, &header, sizeof header);
  pl_index_put_u64 (&writer, info->format);
  pl_index_put_u64 (&writer, info->raw_bytes);
  pl_index_put_u64 (&writer, info->n_batches);
  if (info->index != NULL)
    pl_index_put_array (&writer, info->index);
  else
    pl_index_put_u64 (&writer, 0);
  pl_index_put_u64 (&writer, pieces->len);
  for (guint i = 0; i < pieces->len; i++)
    put_piece (&writer, pl_piece_summarize (pieces->pdata[i]));

  header.payload_size = writer.bytes->len - sizeof header;
  header.checksum = crc32_z (0, writer.bytes->data + sizeof header, header.payload_size);
  memcpy (writer.bytes->data, &header, sizeof header);
  g_mkdir_with_parents (directory, 0700);
  saved = g_file_set_contents_full (path, (const char *) writer.bytes->data, (gssize) writer.bytes->len,
                                    G_FILE_SET_CONTENTS_CONSISTENT, 0600, error);
  pl_index_writer_clear (&writer);
  return saved;
}
