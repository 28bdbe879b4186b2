/* pl-file-load.c: reading one file in chunks, on several threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every chunk but the first begins at a header that was found by its bytes, which a payload may also contain. The
 * chunk before tells: it decodes frame by frame and stops at a header at or after its planned end. If the next chunk
 * began exactly there, it was right. If not, it had started inside a payload, is thrown away, and the stretch is read
 * again from where the chunk before really ended. So no content of a file can lead to a wrong result, only to slower
 * reading.
 */
#include "config.h"

#include "pl-file-load.h"

#include "pl-index.h"
#include "pl-source.h"

/* Small enough that threads end together, large enough that the search for a header does not count. */
#define MIN_CHUNK_SIZE (G_GUINT64_CONSTANT (4) * 1024 * 1024)
#define MAX_CHUNK_SIZE (G_GUINT64_CONSTANT (32) * 1024 * 1024)
#define CHUNKS_PER_THREAD 16

/* A file may be sparse, and say that it is larger than any disk. */
#define MAX_CHUNKS 65536

/* Reading less than this takes no time worth saving, unless there are a thousand files of it. */
#define MIN_INDEXED_SIZE (G_GUINT64_CONSTANT (1024) * 1024)

static void
chunk_free (gpointer data)
{
  pl_chunk_free (data);
}

/**
 * pl_file_load_new:
 * @file: index of the file
 * @path: where it is
 *
 * Returns: (transfer full): a file of which nothing has been read, as one chunk
 */
PlFileLoad *
pl_file_load_new (guint file, const char *path)
{
  PlFileLoad *self = g_new0 (PlFileLoad, 1);

  self->file = file;
  self->info.path = g_strdup (path);
  self->n_chunks = 1;
  self->chunk_size = G_MAXUINT64;
  self->read = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, chunk_free);
  self->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  return self;
}

void
pl_file_load_free (PlFileLoad *self)
{
  g_free (self->info.path);
  g_clear_error (&self->info.error);
  g_clear_pointer (&self->info.index, g_array_unref);
  g_clear_pointer (&self->known.index, g_array_unref);
  g_hash_table_unref (self->read);
  g_ptr_array_unref (self->pieces);
  g_clear_pointer (&self->preview, g_ptr_array_unref);
  g_free (self);
}

/* Where decompression can begin; what the index knows of that need not be found out again. */
static GArray *
find_points (PlFileLoad *self, PlSource *source, guint64 *out_raw_size)
{
  if (self->known.index == NULL)
    return pl_source_make_index (source, out_raw_size);
  *out_raw_size = self->known.raw_bytes;
  return g_array_ref (self->known.index);
}

static void
cut (PlFileLoad *self, GArray *points, guint64 raw_size, guint n_threads, guint64 session_bytes)
{
  self->info.index = points;
  if (points == NULL || raw_size < 2 * MIN_CHUNK_SIZE)
    return;
  self->raw_size = raw_size;
  self->chunk_size = MAX (raw_size, session_bytes) / (n_threads * CHUNKS_PER_THREAD);
  self->chunk_size = CLAMP (self->chunk_size, MIN_CHUNK_SIZE, MAX_CHUNK_SIZE);
  self->chunk_size = MAX (self->chunk_size, raw_size / MAX_CHUNKS);
  self->n_chunks = (guint) ((raw_size + self->chunk_size - 1) / self->chunk_size);
}

/**
 * pl_file_load_plan:
 * @n_threads: how many can read
 * @session_bytes: about how many raw bytes all files have together: of many files none needs small chunks
 * @lock: the owner's, which is not held; is taken to note the plan
 *
 * Cuts a large file into chunks where its format allows that. Chunks can be asked for afterwards.
 */
void
pl_file_load_plan (PlFileLoad *self, guint n_threads, guint64 session_bytes, GMutex *lock)
{
  g_autoptr(PlSource) source = pl_source_open (self->info.path, NULL);
  g_autoptr(GArray) points = NULL;
  guint64 raw_size = 0;

  if (source != NULL && n_threads > 1 && pl_source_get_size (source) >= MIN_CHUNK_SIZE / 4)
    points = find_points (self, source, &raw_size);
  g_mutex_lock (lock);
  cut (self, g_steal_pointer (&points), raw_size, n_threads, session_bytes);
  self->is_planned = TRUE;
  g_mutex_unlock (lock);
}

/**
 * pl_file_load_recall:
 * @is_enough: a summary is all that will be held of this file anyway, so it need not be read
 *
 * Takes what the index knows of the file. Before it is planned; without the owner's lock, while nobody else looks at it.
 */
void
pl_file_load_recall (PlFileLoad *self, PlStrings *strings, gboolean is_enough)
{
  PlTraceFile known = self->info;
  GPtrArray *pieces;

  if (self->info.size_bytes < MIN_INDEXED_SIZE)
    return;
  pieces = pl_index_load (&known, self->file, strings);
  if (pieces == NULL)
    return;
  self->is_remembered = TRUE;
  if (!is_enough)
    {
      self->known = known;
      self->preview = pieces;
      return;
    }
  g_ptr_array_unref (self->pieces);
  self->pieces = pieces;
  self->info = known;
  self->info.is_complete = TRUE;
}

/**
 * pl_file_load_get_shown:
 * @out_info: (out) (transfer none): what is known of the file
 *
 * What there is to see of the file: all of it as the index knows it, until all of it has been read.
 *
 * Returns: (transfer none) (element-type PlPiece): its pieces
 */
GPtrArray *
pl_file_load_get_shown (const PlFileLoad *self, const PlTraceFile **out_info)
{
  *out_info = pl_file_load_is_previewed (self) ? &self->known : &self->info;
  return pl_file_load_is_previewed (self) ? self->preview : self->pieces;
}

gboolean
pl_file_load_is_previewed (const PlFileLoad *self)
{
  return self->preview != NULL && !self->info.is_complete;
}

/* The first place at or after @raw_offset where reading can begin without decompressing what lies before. */
static guint64
round_up (PlFileLoad *self, guint64 raw_offset)
{
  GArray *points = self->info.index;
  guint low = 0;
  guint high = points != NULL ? points->len : 0;

  if (high == 0)
    return raw_offset;
  while (low < high)
    {
      guint middle = (low + high) / 2;

      if (g_array_index (points, PlSourcePoint, middle).raw_offset < raw_offset)
        low = middle + 1;
      else
        high = middle;
    }
  return low < points->len ? g_array_index (points, PlSourcePoint, low).raw_offset : self->raw_size;
}

/* Where the nth chunk is planned to begin. */
static guint64
planned_start (PlFileLoad *self, guint n)
{
  return round_up (self, n * self->chunk_size);
}

/* A frame of a compressed file may be longer than a chunk. */
static gboolean
is_empty_chunk (PlFileLoad *self, guint n)
{
  return planned_start (self, n) >= (n + 1 < self->n_chunks ? planned_start (self, n + 1) : self->raw_size);
}

static gboolean
is_complete (PlFileLoad *self)
{
  return self->info.is_complete;
}

/* The planned end of a chunk that begins at @from; the last one reaches to the end of the file, which may grow. */
static guint64
planned_end (PlFileLoad *self, guint64 from)
{
  guint64 n = self->n_chunks > 1 ? from / self->chunk_size + 1 : 1;

  return n >= self->n_chunks ? G_MAXUINT64 : planned_start (self, (guint) n);
}

/**
 * pl_file_load_next:
 * @out_request: (out): path, file, index, from, to and is_exact of the next chunk to read
 *
 * Returns: %FALSE when there is nothing (more) to begin
 */
gboolean
pl_file_load_next (PlFileLoad *self, PlChunkRequest *out_request)
{
  guint64 from;
  gboolean is_exact;

  if (!self->is_planned || is_complete (self))
    return FALSE;
  while (self->n_begun > 0 && self->n_begun < self->n_chunks && is_empty_chunk (self, self->n_begun))
    self->n_begun++;
  if (self->n_begun < self->n_chunks)
    {
      from = self->n_begun == 0 ? 0 : planned_start (self, self->n_begun);
      is_exact = self->n_begun == 0;
      self->n_begun++;
    }
  else if (self->n_busy == 0)
    {
      /* All have been read, and they do not join up: read on from the last certain place. */
      from = self->certain_to;
      is_exact = TRUE;
    }
  else
    return FALSE;

  self->n_busy++;
  out_request->path = self->info.path;
  out_request->file = self->file;
  out_request->index = self->info.index;
  out_request->from = from;
  out_request->to = planned_end (self, from);
  out_request->is_exact = is_exact;
  return TRUE;
}

static void
accept (PlFileLoad *self, PlChunk *chunk)
{
  for (guint i = 0; i < chunk->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (chunk->pieces, i);

      self->info.n_batches += piece->n_batches;
      g_ptr_array_add (self->pieces, pl_piece_ref (piece));
    }
  self->info.raw_bytes = self->certain_to = chunk->to;
  if (!chunk->is_at_end)
    return;
  self->info.is_complete = TRUE;
  if (chunk->error != NULL)
    {
      self->info.error = g_steal_pointer (&chunk->error);
      self->info.error_offset = chunk->to;
      self->info.lost_bytes = chunk->lost_bytes;
      self->info.raw_bytes += chunk->lost_bytes;
    }
}

/**
 * pl_file_load_remember:
 *
 * Writes what was read of the file to the index, if it is worth it. Not on the main thread.
 */
void
pl_file_load_remember (PlFileLoad *self, PlStrings *strings)
{
  g_autoptr(GError) error = NULL;

  if (self->info.size_bytes < MIN_INDEXED_SIZE || self->info.error != NULL || self->is_remembered
      || !is_complete (self))
    return;
  /* Without an index the next time only takes longer: no disk and no permission are no reason to bother anybody. */
  if (!pl_index_save (&self->info, self->pieces, strings, &error))
    g_debug ("%s", error->message);
}

/**
 * pl_file_load_finished:
 * @chunk: (transfer full): what one of the requests gave
 *
 * Joins it up with the others as far as that goes.
 */
void
pl_file_load_finished (PlFileLoad *self, PlChunk *chunk)
{
  PlChunk *next;

  self->n_busy--;
  self->info.format = chunk->format;
  if (chunk->from == G_MAXUINT64 || is_complete (self))
    {
      pl_chunk_free (chunk);
      return;
    }
  g_hash_table_replace (self->read, &chunk->from, chunk);
  while (!is_complete (self) && (next = g_hash_table_lookup (self->read, &self->certain_to)) != NULL)
    {
      guint64 from = next->from;

      accept (self, next);
      g_hash_table_remove (self->read, &from);
      /* A chunk without a single frame leads nowhere; it cannot be read again and again. */
      if (self->certain_to == from)
        self->info.is_complete = TRUE;
    }
  if (is_complete (self))
    {
      g_hash_table_remove_all (self->read);
      g_clear_pointer (&self->preview, g_ptr_array_unref);
    }
}
