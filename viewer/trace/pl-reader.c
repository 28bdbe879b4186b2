/* pl-reader.c: one file → its pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-reader.h"

#include <string.h>

#include "pl-decoder.h"
#include "pl-source.h"
#include "pl-trace-error.h"

/* Read through a buffer that stays in the second-level cache, instead of touching fresh pages for every byte. */
#define BUFFER_SIZE (256 * 1024)

/* A frame may be of any size; one that does not fit here is taken for damage. */
#define MAX_FRAME_SIZE (1024 * 1024 * 1024)

/* The first piece is small, so that lanes appear at once. */
#define FIRST_PIECE_SIZE (2 * 1024 * 1024)
#define PIECE_SIZE (64 * 1024 * 1024)

typedef struct
{
  PlTraceFile *info;
  guint file;
  PlSource *source;
  PlDecoder *decoder;
  const PlReaderClient *client;
  gpointer user_data;
  guint8 *buffer;
  gsize capacity; /* without the padding */
  gsize n;        /* valid bytes */
} Reader;

static const char *
guess_content (const guint8 *bytes, gsize n)
{
  if (n >= 4 && memcmp (bytes, "PK\003\004", 4) == 0)
    return "a zip archive";
  if (n >= 4 && memcmp (bytes, "\177ELF", 4) == 0)
    return "a program";
  if (n >= 8 && memcmp (bytes, "\211PNG\r\n\032\n", 8) == 0)
    return "a picture";
  if (n >= 6 && memcmp (bytes, "\375" "7zXZ", 5) == 0)
    return "an xz archive";
  if (g_utf8_validate ((const char *) bytes, (gssize) MIN (n, 512), NULL)
      || (n > 512 && g_utf8_validate ((const char *) bytes, 508, NULL)))
    return "text";
  return NULL;
}

static GError *
not_a_trace (Reader *self)
{
  const char *guess;

  if (self->n >= 8 && memcmp (self->buffer, "TOKIOTRC", 8) == 0)
    return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_UNSUPPORTED,
                        "%s: a trace in the format of dial9 0.1, which was replaced in 0.2 and is not read; byte 0",
                        self->info->path);
  if (self->n >= 5 && memcmp (self->buffer, TRC_MAGIC, TRC_MAGIC_SIZE) == 0)
    return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_UNSUPPORTED,
                        "%s: a trace of format version %u at byte 4, version 1 was expected; a newer Parklane may "
                        "read it", self->info->path, self->buffer[4]);
  guess = guess_content (self->buffer, self->n);
  return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_NOT_A_TRACE,
                      "%s: not a dial9 trace: “TRC” was expected at byte 0%s%s", self->info->path,
                      guess != NULL ? ", this looks like " : "", guess != NULL ? guess : "");
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
                        "%s: the file ends inside its header, 5 bytes were expected at byte 0", self->info->path);
  if (result == PL_WIRE_MORE)
    code = PL_TRACE_ERROR_TRUNCATED;
  else if (result == PL_WIRE_BAD_VERSION)
    code = PL_TRACE_ERROR_UNSUPPORTED;
  text = pl_decoder_describe (self->decoder, result, self->buffer, self->n);
  return g_error_new (PL_TRACE_ERROR, code, "%s: at byte %" G_GUINT64_FORMAT " %s", self->info->path, offset, text);
}

/* How much lies behind a fault: in a compressed file only reading on tells. */
static void
count_lost (Reader *self, GCancellable *cancellable)
{
  guint64 lost = self->n;
  gssize n;

  if (self->info->format == PL_TRACE_FORMAT_RAW)
    {
      guint64 offset = pl_decoder_get_offset (self->decoder);
      guint64 size = MAX (pl_source_get_size (self->source), offset + self->n);

      self->info->lost_bytes = size - offset;
      self->info->raw_bytes = size;
      return;
    }
  while (!g_cancellable_is_cancelled (cancellable)
         && (n = pl_source_read (self->source, self->buffer, self->capacity, NULL)) > 0)
    lost += (guint64) n;
  self->info->lost_bytes = lost;
  self->info->raw_bytes = pl_decoder_get_offset (self->decoder) + lost;
}

static void
set_fault (Reader *self, GError *error, GCancellable *cancellable)
{
  self->info->error = error;
  self->info->error_offset = pl_decoder_get_offset (self->decoder);
  count_lost (self, cancellable);
}

static void
make_room (Reader *self)
{
  if (self->n < self->capacity)
    return;
  self->capacity *= 2;
  self->buffer = g_realloc (self->buffer, self->capacity + PL_WIRE_PADDING);
  memset (self->buffer + self->n, 0, self->capacity + PL_WIRE_PADDING - self->n);
}

static void
consume (Reader *self, gsize n)
{
  memmove (self->buffer, self->buffer + n, self->n - n);
  self->n -= n;
}

/* Hands over the piece; one with events out of order is read once more instead. Returns FALSE when that failed. */
static gboolean
end_piece (Reader *self, GError **error)
{
  guint64 from;
  PlPiece *piece;

  if (pl_decoder_is_unsorted (self->decoder))
    {
      pl_decoder_rewind_sorted (self->decoder);
      from = pl_decoder_get_offset (self->decoder);
      self->n = 0;
      return pl_source_seek (self->source, from, error);
    }
  piece = pl_decoder_take_piece (self->decoder);
  self->info->n_batches += piece->n_batches;
  self->client->piece (piece, self->user_data);
  pl_decoder_set_cut (self->decoder, PIECE_SIZE);
  return TRUE;
}

static PlWireResult
decode_buffer (Reader *self, GError **error)
{
  PlWireResult result;
  gsize done = 0;

  do
    {
      gsize consumed;

      result = pl_decoder_feed (self->decoder, self->buffer + done, self->n - done, &consumed);
      done += consumed;
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
  self->client->progress (self->file, pl_source_get_disk_offset (self->source),
                          pl_decoder_get_offset (self->decoder), pl_decoder_get_n_events (self->decoder),
                          self->user_data);
}

/* Reads to the end or a fault. Returns the result of the last frame; @error is set when reading itself failed. */
static PlWireResult
read_all (Reader *self, GCancellable *cancellable, GError **error)
{
  PlWireResult result = PL_WIRE_OK;
  gssize n;

  while (!g_cancellable_set_error_if_cancelled (cancellable, error))
    {
      GError *read_error = NULL;

      if (self->capacity > MAX_FRAME_SIZE)
        return PL_WIRE_BAD_TYPE;
      make_room (self);
      n = pl_source_read (self->source, self->buffer + self->n, self->capacity - self->n, &read_error);
      if (n > 0)
        {
          self->n += (gsize) n;
          result = decode_buffer (self, &read_error);
          report (self);
        }
      if (read_error != NULL)
        {
          g_propagate_error (error, read_error);
          break;
        }
      if (n == 0 && pl_decoder_is_unsorted (self->decoder))
        {
          if (!end_piece (self, error))
            break;
          continue;
        }
      if (n == 0 || (result != PL_WIRE_OK && result != PL_WIRE_MORE))
        break;
    }
  return result;
}

static void
read_source (Reader *self, GCancellable *cancellable)
{
  g_autoptr(GError) error = NULL;
  PlWireResult result = read_all (self, cancellable, &error);

  /* A fault in a piece whose events are out of order: decode what precedes it again, up to the same fault. */
  while (error == NULL && pl_decoder_is_unsorted (self->decoder) && end_piece (self, &error))
    result = read_all (self, cancellable, &error);

  self->info->raw_bytes = pl_decoder_get_offset (self->decoder);
  if (error == NULL && result != PL_WIRE_OK)
    error = describe_fault (self, result);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    set_fault (self, g_steal_pointer (&error), cancellable);
  self->info->is_complete = error == NULL;
  end_piece (self, &error);
}

/**
 * pl_reader_read_file:
 * @info: path set, the rest zero; filled in
 * @file: the file's index
 * @cancellable: (nullable): stops after at most 256 KiB; what was decoded is handed over all the same
 * @client: gets the pieces and the progress
 *
 * Reads and decodes a file on the calling thread. A fault ends the reading and stands in @info; everything before it
 * is in the pieces.
 */
void
pl_reader_read_file (PlTraceFile *info, guint file, PlStrings *strings, GCancellable *cancellable,
                     const PlReaderClient *client, gpointer user_data)
{
  g_autoptr(PlSource) source = pl_source_open (info->path, &info->error);
  g_autoptr(PlDecoder) decoder = NULL;
  Reader self = { .info = info, .file = file, .source = source, .client = client, .user_data = user_data };

  if (source == NULL)
    {
      info->is_complete = TRUE;
      return;
    }
  info->format = pl_source_get_format (source);
  info->size_bytes = pl_source_get_size (source);

  self.decoder = decoder = pl_decoder_new (strings, file, 0);
  pl_decoder_set_cut (decoder, FIRST_PIECE_SIZE);
  self.capacity = BUFFER_SIZE;
  self.buffer = g_malloc0 (self.capacity + PL_WIRE_PADDING);
  read_source (&self, cancellable);
  g_free (self.buffer);
}
