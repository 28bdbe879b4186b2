/* pl-chunk.c: a stretch of a file → its pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-chunk.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>

#include "pl-decoder.h"
#include "pl-source.h"
#include "pl-trace-error.h"

/* Read through a buffer that stays in the second-level cache, instead of touching fresh pages for every byte. */
#define BUFFER_SIZE (256 * 1024)

/* At the planned end of a chunk this much tells whether a batch begins there. In a compressed file all of what follows
 * would take a millisecond. */
#define PEEK_SIZE 512

/* One that a large frame has grown larger than this is not kept. */
#define MAX_KEPT_BUFFER (2 * 1024 * 1024)

/* A frame may be of any size; one that does not fit here is taken for damage. */
#define MAX_FRAME_SIZE (G_GUINT64_CONSTANT (1024) * 1024 * 1024)

/* In a compressed file also one that is larger than this and than the whole file on disk: a few kilobytes may claim
 * gigabytes. */
#define MAX_UNPACKED_FRAME_SIZE (G_GUINT64_CONSTANT (64) * 1024 * 1024)

/* The first piece is small, so that lanes appear at once. The others are what is decoded again where a view comes to: a
 * hundredth of a second, and several of them on as many processors. */
#define FIRST_PIECE_SIZE (2 * 1024 * 1024)
#define PIECE_SIZE (8 * 1024 * 1024)

typedef struct
{
  const PlChunkRequest *request;
  const PlChunkClient *client;
  gpointer user_data;
  PlChunk *chunk;
  PlSource *source;
  PlDecoder *decoder;
  guint8 *buffer;
  gsize allocated; /* without the padding */
  gsize capacity;  /* of it, what is used */
  gsize n;         /* valid bytes */
  guint64 told_disk_bytes;
  guint64 told_events;
} Reader;

typedef struct
{
  guint8 *buffer;
  gsize allocated;
} KeptBuffer;

static const char *
guess_content (const guint8 *bytes, gsize n)
{
  if (n >= 4 && memcmp (bytes, "PK\003\004", 4) == 0)
    return _("a zip archive");
  if (n >= 4 && memcmp (bytes, "\177ELF", 4) == 0)
    return _("a program");
  if (n >= 8 && memcmp (bytes, "\211PNG\r\n\032\n", 8) == 0)
    return _("a picture");
  if (n >= 6 && memcmp (bytes, "\375" "7zXZ", 5) == 0)
    return _("an xz archive");
  if (g_utf8_validate ((const char *) bytes, (gssize) MIN (n, 512), NULL)
      || (n > 512 && g_utf8_validate ((const char *) bytes, 508, NULL)))
    return _("text");
  return NULL;
}

static GError *
not_a_trace (Reader *self)
{
  const char *guess;

  if (self->n >= 8 && memcmp (self->buffer, "TOKIOTRC", 8) == 0)
    return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_UNSUPPORTED,
                        _("%s: a trace in the format of dial9 0.1, which was replaced in 0.2 and is not read; byte 0"),
                        self->request->path);
  if (self->n >= 5 && memcmp (self->buffer, TRC_MAGIC, TRC_MAGIC_SIZE) == 0)
    return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_UNSUPPORTED,
                        _("%s: a trace of format version %u at byte 4, version 1 was expected; a newer Parklane may "
                          "read it"), self->request->path, self->buffer[4]);
  guess = guess_content (self->buffer, self->n);
  if (guess == NULL)
    return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_NOT_A_TRACE,
                        _("%s: not a dial9 trace: “TRC” was expected at byte 0"), self->request->path);
  return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_NOT_A_TRACE,
                      /* Translators: the second %s is what it looks like, such as “a picture” */
                      _("%s: not a dial9 trace: “TRC” was expected at byte 0, this looks like %s"), self->request->path,
                      guess);
}

static GError *
describe_fault (Reader *self, PlWireResult result)
{
  g_autofree char *text = NULL;
  guint64 offset = pl_decoder_get_offset (self->decoder);
  PlTraceError code = PL_TRACE_ERROR_CORRUPT;

  if (offset == 0 && result != PL_WIRE_MORE)
    return not_a_trace (self);
  if (offset == 0 && result == PL_WIRE_MORE && self->n < TRC_HEADER_SIZE)
    return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED,
                        _("%s: the file ends inside its header, 5 bytes were expected at byte 0"), self->request->path);
  if (result == PL_WIRE_MORE)
    code = PL_TRACE_ERROR_TRUNCATED;
  else if (result == PL_WIRE_BAD_VERSION)
    code = PL_TRACE_ERROR_UNSUPPORTED;
  else if (result == PL_WIRE_TOO_LARGE)
    code = PL_TRACE_ERROR_TOO_LARGE;
  text = pl_decoder_describe (self->decoder, result, self->buffer, self->n);
  return g_error_new (PL_TRACE_ERROR, code, _("%s: at byte %" PRIu64 " %s"), self->request->path, offset, text);
}

/* Unpacking this much takes a second; a file of a few megabytes may hold a thousand times as much. */
#define MAX_COUNTED (G_GUINT64_CONSTANT (1024) * 1024 * 1024)

/* How much lies behind a fault: in a compressed file only reading on tells, which is given up when it takes too long. */
static guint64
count_lost (Reader *self)
{
  guint64 lost = self->n;
  gssize n;

  if (self->chunk->format == PL_TRACE_FORMAT_RAW)
    {
      guint64 size = pl_source_get_size (self->source);

      return MAX (size, self->chunk->to) - self->chunk->to;
    }
  while (lost < MAX_COUNTED && !g_cancellable_is_cancelled (self->request->cancellable)
         && (n = pl_source_read (self->source, self->buffer, self->capacity, NULL)) > 0)
    lost += (guint64) n;
  return lost;
}

static guint64
max_frame_size (Reader *self)
{
  return CLAMP (pl_source_get_size (self->source), MAX_UNPACKED_FRAME_SIZE, MAX_FRAME_SIZE);
}

static gsize
read_size (const Reader *self)
{
  gboolean is_at_planned_end = self->n == 0 && self->decoder != NULL
                               && pl_decoder_get_offset (self->decoder) == self->request->to;

  return is_at_planned_end ? PEEK_SIZE : self->capacity - self->n;
}

/* Reads into the free part of the buffer: once, or as often as there is room. Returns 1 for some bytes, 0 at the end, -1
 * with an error. */
static gssize
fill_buffer (Reader *self, gboolean to_the_end, GError **error)
{
  gssize n = pl_source_read (self->source, self->buffer + self->n, read_size (self), error);

  if (n <= 0)
    return n;
  self->n += (gsize) n;
  while (to_the_end && self->capacity - self->n >= pl_source_get_read_size (self->source))
    {
      /* A fault behind these bytes is met again at the next read. */
      n = pl_source_read (self->source, self->buffer + self->n, self->capacity - self->n, NULL);
      if (n <= 0)
        break;
      self->n += (gsize) n;
    }
  return 1;
}

/* A frame may be as large as it says: what it asks for may be refused. */
static gboolean
allocate (Reader *self, gsize size, GError **error)
{
  guint8 *buffer;

  if (size <= self->allocated)
    return TRUE;
  buffer = g_try_realloc (self->buffer, size + PL_WIRE_PADDING);
  if (buffer == NULL)
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TOO_LARGE,
                   _("%s: the frame at byte %" PRIu64 " needs more than %zu bytes, for which "
                     "there is no memory"), self->request->path,
                   self->decoder != NULL ? pl_decoder_get_offset (self->decoder) : self->request->from, self->capacity);
      return FALSE;
    }
  self->buffer = buffer;
  self->allocated = size;
  return TRUE;
}

/* The buffer grows by what the next read should have, and twofold once a part of a frame takes up half of it. */
static gboolean
make_room (Reader *self, GError **error)
{
  gsize capacity = self->n + pl_source_get_read_size (self->source);

  if (capacity <= self->capacity)
    return TRUE;
  capacity = (capacity + BUFFER_SIZE - 1) / BUFFER_SIZE * BUFFER_SIZE;
  if (self->n > self->capacity / 2)
    capacity = MAX (capacity, 2 * self->capacity);
  if (!allocate (self, capacity, error))
    return FALSE;
  self->capacity = capacity;
  return TRUE;
}

static void
free_kept (gpointer data)
{
  KeptBuffer *kept = data;

  g_free (kept->buffer);
  g_free (kept);
}

/* A thread's buffer, for the next chunk that it reads: its pages are there already. */
static GPrivate kept_buffer = G_PRIVATE_INIT (free_kept);

static void
take_buffer (Reader *self)
{
  KeptBuffer *kept = g_private_get (&kept_buffer);

  self->capacity = BUFFER_SIZE;
  if (kept != NULL && kept->buffer != NULL)
    {
      self->buffer = g_steal_pointer (&kept->buffer);
      self->allocated = kept->allocated;
      return;
    }
  self->allocated = BUFFER_SIZE;
  self->buffer = g_malloc (self->allocated + PL_WIRE_PADDING);
}

static void
keep_buffer (Reader *self)
{
  KeptBuffer *kept = g_private_get (&kept_buffer);

  if (self->allocated > MAX_KEPT_BUFFER)
    {
      g_free (self->buffer);
      return;
    }
  if (kept == NULL)
    {
      kept = g_new0 (KeptBuffer, 1);
      g_private_set (&kept_buffer, kept);
    }
  g_free (kept->buffer);
  *kept = (KeptBuffer) { self->buffer, self->allocated };
}

static void
consume (Reader *self, gsize n)
{
  memmove (self->buffer, self->buffer + n, self->n - n);
  self->n -= n;
}

static void
restart_buffer (Reader *self)
{
  self->n = 0;
}

/* Where the piece that begins at @from is to end. */
static void
set_next_cut (Reader *self, guint64 from, guint64 size)
{
  const GArray *batches = self->request->batches;
  guint n = self->chunk->pieces->len;

  pl_decoder_set_cut (self->decoder, batches != NULL ? self->request->to : MIN (from + size, self->request->to));
  if (batches != NULL)
    pl_decoder_set_cut_batches (self->decoder, n < batches->len ? g_array_index (batches, guint64, n) : G_MAXUINT64);
}

/* Hands over the piece; one with events out of order is read once more instead. Returns FALSE when that failed. */
static gboolean
end_piece (Reader *self, GError **error)
{
  PlPiece *piece;

  if (pl_decoder_is_unsorted (self->decoder))
    {
      pl_decoder_rewind_sorted (self->decoder);
      restart_buffer (self);
      return pl_source_seek (self->source, pl_decoder_get_offset (self->decoder), self->request->cancellable, error);
    }
  piece = pl_decoder_take_piece (self->decoder);
  if (self->client->piece != NULL)
    piece = self->client->piece (piece, self->user_data);
  g_ptr_array_add (self->chunk->pieces, piece);
  set_next_cut (self, pl_decoder_get_offset (self->decoder), PIECE_SIZE);
  return TRUE;
}

static gboolean
is_at_end_of_chunk (Reader *self)
{
  return pl_decoder_is_at_cut (self->decoder) && pl_decoder_get_offset (self->decoder) >= self->request->to;
}

/* Decodes what is in the buffer. Pieces end on the way; at the end of the chunk it stops. */
static PlWireResult
decode_buffer (Reader *self, GError **error)
{
  PlWireResult result;
  gsize done = 0;

  memset (self->buffer + self->n, 0, PL_WIRE_PADDING);
  do
    {
      gsize consumed;

      result = pl_decoder_feed (self->decoder, self->buffer + done, self->n - done, &consumed);
      done += consumed;
      if (is_at_end_of_chunk (self))
        break;
      if (pl_decoder_is_at_cut (self->decoder))
        {
          consume (self, done);
          done = 0;
          if (!end_piece (self, error))
            return result;
        }
    }
  while (result == PL_WIRE_OK && done < self->n);
  consume (self, done);
  return result;
}

static void
report (Reader *self)
{
  guint64 disk_bytes = pl_source_get_disk_offset (self->source);
  guint64 n_events = pl_decoder_get_n_events (self->decoder);

  /* Both go back when a piece is read once more. */
  if (disk_bytes > self->told_disk_bytes && n_events >= self->told_events)
    {
      if (self->client->progress != NULL)
        self->client->progress (disk_bytes - self->told_disk_bytes, n_events - self->told_events, self->user_data);
      self->told_disk_bytes = disk_bytes;
      self->told_events = n_events;
    }
}

/* Reads to the end of the chunk or of the file, or to a fault, beginning with what the buffer holds. Returns the result of
 * the last frame; @error is set when reading itself failed. */
static PlWireResult
read_all (Reader *self, GError **error)
{
  PlWireResult result = PL_WIRE_OK;
  gssize n = (gssize) self->n;

  while (!g_cancellable_set_error_if_cancelled (self->request->cancellable, error))
    {
      GError *read_error = NULL;

      if (n == 0)
        {
          if (self->n >= max_frame_size (self))
            return PL_WIRE_TOO_LARGE;
          if (!make_room (self, error))
            break;
          /* With a part of a frame at hand a full buffer comes first: trying again after each few bytes would take the
           * square of a large frame's size. */
          n = fill_buffer (self, result == PL_WIRE_MORE, &read_error);
        }
      if (n > 0)
        result = decode_buffer (self, &read_error);
      report (self);
      if (read_error != NULL)
        {
          g_propagate_error (error, read_error);
          break;
        }
      if (n == 0 || is_at_end_of_chunk (self) || (result != PL_WIRE_OK && result != PL_WIRE_MORE))
        break;
      n = 0;
    }
  return result;
}

/* Goes back to the start of a piece whose events are out of order. Returns FALSE when it is to be left as it is; if its
 * beginning cannot be had again, nothing of it is. */
static gboolean
goes_back (Reader *self, GError **error)
{
  GError *seek_error = NULL;

  if (!pl_decoder_is_unsorted (self->decoder))
    return FALSE;
  if (end_piece (self, &seek_error))
    return TRUE;
  g_clear_error (error);
  g_propagate_error (error, seek_error);
  self->chunk->is_at_end = TRUE;
  self->chunk->to = pl_decoder_get_offset (self->decoder);
  return FALSE;
}

/* Reads everything, and ends the last piece; one with events out of order is read once more, up to the same end. */
static void
read_chunk (Reader *self)
{
  g_autoptr(GError) error = NULL;
  PlWireResult result;

  do
    {
      g_clear_error (&error);
      result = read_all (self, &error);
      if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        break;
      self->chunk->is_at_end = !is_at_end_of_chunk (self);
      self->chunk->to = pl_decoder_get_offset (self->decoder);
      if (error == NULL && result != PL_WIRE_OK)
        error = describe_fault (self, result);
      if (error != NULL)
        self->chunk->lost_bytes = count_lost (self);
    }
  while (goes_back (self, &error));

  end_piece (self, NULL);
  self->chunk->error = g_steal_pointer (&error);
}

/* Finds the first header in the buffer that a known frame, or another header, follows. Returns NULL without one. */
static const guint8 *
search_buffer (Reader *self)
{
  const guint8 *p = self->buffer;
  const guint8 *end = self->buffer + self->n;

  while (end - p > TRC_HEADER_SIZE
         && (p = memchr (p, TRC_TAG_HEADER, (gsize) (end - p) - TRC_HEADER_SIZE)) != NULL)
    {
      guint8 next = p[TRC_HEADER_SIZE];

      if (memcmp (p, TRC_MAGIC, TRC_MAGIC_SIZE) == 0 && p[TRC_MAGIC_SIZE] == TRC_VERSION
          && ((next >= TRC_TAG_SCHEMA && next <= TRC_TAG_ANNOTATIONS) || next == TRC_TAG_HEADER))
        return p;
      p++;
    }
  return NULL;
}

/* Reads on to the first header in [from, to), with which the buffer then begins. Returns whether there is one. */
static gboolean
find_header (Reader *self, guint64 *out_offset)
{
  guint64 at = self->request->from;

  while (at < self->request->to)
    {
      const guint8 *found;

      if (!make_room (self, NULL) || fill_buffer (self, FALSE, NULL) <= 0)
        break;
      found = search_buffer (self);
      if (found != NULL)
        {
          *out_offset = at + (guint64) (found - self->buffer);
          consume (self, (gsize) (found - self->buffer));
          return *out_offset < self->request->to;
        }
      if (self->n > TRC_HEADER_SIZE)
        {
          at += self->n - TRC_HEADER_SIZE;
          consume (self, self->n - TRC_HEADER_SIZE);
        }
    }
  return FALSE;
}

static gboolean
go_to_start (Reader *self)
{
  const PlChunkRequest *request = self->request;
  guint64 from = request->from;

  if (!pl_source_seek (self->source, from, request->cancellable, request->is_exact ? &self->chunk->error : NULL))
    return FALSE;
  self->told_disk_bytes = pl_source_get_disk_offset (self->source);
  if (!request->is_exact && !find_header (self, &from))
    return FALSE;
  self->chunk->from = self->chunk->to = from;
  return TRUE;
}

/**
 * pl_chunk_read:
 * @request: what to read
 * @client: is told of progress
 *
 * Reads and decodes a stretch of a file on the calling thread. A fault ends the reading and stands in the result;
 * everything before it is in the pieces. Cancelling stops after at most 256 KiB.
 *
 * Returns: (transfer full): what was found
 */
PlChunk *
pl_chunk_read (const PlChunkRequest *request, const PlChunkClient *client, gpointer user_data)
{
  PlChunk *chunk = g_new0 (PlChunk, 1);
  g_autoptr(PlSource) source = NULL;
  g_autoptr(PlDecoder) decoder = NULL;
  Reader self = { .request = request, .client = client, .user_data = user_data, .chunk = chunk };

  chunk->from = chunk->to = request->is_exact ? request->from : G_MAXUINT64;
  chunk->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  self.source = source = pl_source_open (request->path, &chunk->error);
  if (source == NULL)
    {
      chunk->is_at_end = TRUE;
      return chunk;
    }
  chunk->format = pl_source_get_format (source);
  pl_source_set_index (source, request->index);

  take_buffer (&self);
  if (go_to_start (&self))
    {
      self.decoder = decoder = pl_decoder_new (request->strings, request->file, chunk->from);
      set_next_cut (&self, chunk->from, chunk->from == 0 ? FIRST_PIECE_SIZE : PIECE_SIZE);
      read_chunk (&self);
    }
  else
    chunk->is_at_end = chunk->error != NULL;
  keep_buffer (&self);
  return chunk;
}

void
pl_chunk_free (PlChunk *self)
{
  g_ptr_array_unref (self->pieces);
  g_clear_error (&self->error);
  g_free (self);
}
