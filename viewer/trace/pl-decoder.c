/* pl-decoder.c: bytes of a TRC stream → pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A push decoder: it consumes whole frames and leaves a partial one to be fed again with more bytes. A frame changes
 * state only once it has been read to its end, so a truncated one leaves no trace.
 */
#include "config.h"

#include "pl-decoder-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

static void
forget_heads (PlDecoder *self)
{
  for (guint i = 0; i < PL_N_LAYOUTS; i++)
    self->heads[i] = PL_NO_HEAD;
}

/**
 * pl_decoder_new:
 * @strings: where strings are interned
 * @file: index of the file, for the pieces
 * @raw_offset: where the bytes begin in its decompressed stream; must be at a header
 *
 * Returns: (transfer full): a decoder, for one thread at a time
 */
PlDecoder *
pl_decoder_new (PlStrings *strings, guint file, guint64 raw_offset)
{
  PlDecoder *self = g_new0 (PlDecoder, 1);

  self->strings = pl_strings_ref (strings);
  self->schemas = pl_schemas_new ();
  self->runs = pl_runs_new (FALSE);
  pl_pool_init (&self->pool, self->strings);
  self->piece = pl_piece_new (file, raw_offset);
  self->spawns = g_array_new (FALSE, FALSE, sizeof (PlTaskEvent));
  self->ends = g_array_new (FALSE, FALSE, sizeof (PlTaskEvent));
  self->queues = g_hash_table_new (NULL, NULL);
  self->type_ids = g_array_new (FALSE, FALSE, sizeof (guint16));
  self->offset = raw_offset;
  self->cut = self->cut_batches = G_MAXUINT64;
  forget_heads (self);
  return self;
}

void
pl_decoder_free (PlDecoder *self)
{
  pl_schemas_free (self->schemas);
  pl_runs_free (self->runs);
  pl_pool_clear (&self->pool);
  pl_piece_unref (self->piece);
  g_array_unref (self->spawns);
  g_array_unref (self->ends);
  g_hash_table_unref (self->queues);
  g_array_unref (self->type_ids);
  pl_strings_unref (self->strings);
  g_free (self->recorder_version);
  g_free (self);
}

/* Between two resets time only grows, so the stretch is known from its first event and the base. */
static void
end_span (PlDecoder *self)
{
  if (self->span_from == 0)
    return;
  if (self->base >= self->span_from && self->base < PL_TIME_LIMIT_NS)
    pl_time_spans_add (self->piece->spans, (gint64) self->span_from, (gint64) self->base,
                       self->n_events - self->span_n_events);
  self->span_n_events = self->n_events;
  self->span_from = 0;
}

static void
end_batch (PlDecoder *self)
{
  end_span (self);
  pl_runs_end_batch (self->runs, self->piece->edges);
  for (guint i = 0; i < self->type_ids->len; i++)
    self->types[g_array_index (self->type_ids, guint16, i)] = NULL;
  g_array_set_size (self->type_ids, 0);
  forget_heads (self);
  pl_pool_reset (&self->pool);
  self->base = 0;
}

static PlWireResult
parse_header (PlDecoder *self, PlWire *wire)
{
  gsize available = (gsize) (wire->end - wire->p);

  if (memcmp (wire->p, TRC_MAGIC, MIN (available, TRC_MAGIC_SIZE)) != 0)
    return PL_WIRE_BAD_TAG;
  if (available < TRC_HEADER_SIZE)
    return PL_WIRE_MORE;
  if (wire->p[TRC_MAGIC_SIZE] != TRC_VERSION)
    return PL_WIRE_BAD_VERSION;

  end_batch (self);
  if (self->is_started && (self->offset >= self->cut || self->piece->n_batches >= self->cut_batches))
    {
      self->is_at_cut = TRUE;
      return PL_WIRE_OK;
    }
  self->is_started = TRUE;
  self->piece->n_batches++;
  wire->p += TRC_HEADER_SIZE;
  return PL_WIRE_OK;
}

static PlWireResult
parse_schema (PlDecoder *self, PlWire *wire)
{
  PlWire cursor = *wire;
  PlSchema *schema;
  guint16 type_id;

  PL_WIRE_TRY (pl_schemas_parse (self->schemas, &cursor, &type_id, &schema));
  if (self->types[type_id] != NULL && self->types[type_id] != schema)
    return PL_WIRE_SCHEMA_CONFLICT;
  if (self->types[type_id] == NULL)
    g_array_append_val (self->type_ids, type_id);
  self->types[type_id] = schema;
  if (schema->layout != PL_LAYOUT_ANY && self->heads[schema->layout] == PL_NO_HEAD)
    self->heads[schema->layout] = TRC_TAG_EVENT | (guint32) type_id << 8;
  *wire = cursor;
  return PL_WIRE_OK;
}

/* With @define unset it only checks that the entries are whole. */
static PlWireResult
read_string_pool (PlDecoder *self, PlWire *wire, gboolean define)
{
  const guint8 *bytes;
  guint32 count;
  guint32 length;
  guint32 id;

  PL_WIRE_TRY (pl_wire_read_u32 (wire, &count));
  for (; count > 0; count--)
    {
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &id));
      PL_WIRE_TRY (pl_wire_read_bytes (wire, &bytes, &length));
      if (define)
        pl_pool_define (&self->pool, id, bytes, length);
    }
  return PL_WIRE_OK;
}

static PlWireResult
parse_string_pool (PlDecoder *self, PlWire *wire)
{
  PlWire check = *wire;

  PL_WIRE_TRY (read_string_pool (self, &check, FALSE));
  return read_string_pool (self, wire, TRUE);
}

static PlWireResult
parse_stack_pool (PlWire *wire)
{
  PlWire cursor = *wire;
  guint32 count;
  guint32 id;
  guint32 n_frames;

  PL_WIRE_TRY (pl_wire_read_u32 (&cursor, &count));
  for (; count > 0; count--)
    {
      PL_WIRE_TRY (pl_wire_read_u32 (&cursor, &id));
      PL_WIRE_TRY (pl_wire_read_u32 (&cursor, &n_frames));
      PL_WIRE_TRY (pl_wire_skip (&cursor, (guint64) n_frames * 8));
    }
  *wire = cursor;
  return PL_WIRE_OK;
}

static PlWireResult
parse_reset (PlDecoder *self, PlWire *wire)
{
  if (!pl_wire_has (wire, 8))
    return PL_WIRE_MORE;
  end_span (self);
  self->base = trc_read_u64 (wire->p);
  wire->p += 8;
  return PL_WIRE_OK;
}

static PlWireResult
parse_annotations (PlWire *wire)
{
  PlWire cursor = *wire;
  const guint8 *bytes;
  guint64 type_id;
  guint32 value_length;
  guint16 count;
  guint16 number;

  PL_WIRE_TRY (pl_wire_read_varint (&cursor, &type_id));
  PL_WIRE_TRY (pl_wire_read_u16 (&cursor, &count));
  for (; count > 0; count--)
    {
      PL_WIRE_TRY (pl_wire_read_u16 (&cursor, &number)); /* field index */
      PL_WIRE_TRY (pl_wire_read_u16 (&cursor, &number)); /* key length */
      PL_WIRE_TRY (pl_wire_skip (&cursor, number));
      PL_WIRE_TRY (pl_wire_read_bytes (&cursor, &bytes, &value_length));
    }
  *wire = cursor;
  return PL_WIRE_OK;
}

static PlWireResult
parse_frame (PlDecoder *self, PlWire *wire)
{
  PlWire cursor = *wire;
  guint8 tag = *cursor.p++;
  PlWireResult result;

  switch (tag)
    {
    case TRC_TAG_SCHEMA:
      result = parse_schema (self, &cursor);
      break;
    case TRC_TAG_EVENT:
      result = pl_decoder_event (self, &cursor);
      break;
    case TRC_TAG_STRING_POOL:
      result = parse_string_pool (self, &cursor);
      break;
    case TRC_TAG_STACK_POOL:
      result = parse_stack_pool (&cursor);
      break;
    case TRC_TAG_RESET:
      result = parse_reset (self, &cursor);
      break;
    case TRC_TAG_ANNOTATIONS:
      result = parse_annotations (&cursor);
      break;
    case TRC_TAG_HEADER:
      return parse_header (self, wire);
    default:
      return PL_WIRE_BAD_TAG;
    }
  if (result == PL_WIRE_OK)
    wire->p = cursor.p;
  return result;
}

/* The fast path neither notes where a stretch of time begins nor checks for impossible times. */
static gboolean
can_go_fast (const PlDecoder *self)
{
  return self->span_from != 0 && self->base < PL_TIME_LIMIT_NS;
}

/**
 * pl_decoder_feed:
 * @bytes: the stream from pl_decoder_get_offset() on, with %PL_WIRE_PADDING readable bytes behind them
 * @size: how many
 * @out_consumed: bytes of whole frames, which need not be fed again
 *
 * Decodes frames until the bytes end, a fault, or the header at which the piece is to be cut.
 *
 * Returns: %PL_WIRE_OK when all bytes were consumed or pl_decoder_is_at_cut(), %PL_WIRE_MORE when a partial frame is
 *   left, else what is wrong with the frame at the new offset
 */
PlWireResult
pl_decoder_feed (PlDecoder *self, const guint8 *bytes, gsize size, gsize *out_consumed)
{
  PlWire wire = { bytes, bytes + size };
  PlWireResult result = PL_WIRE_OK;
  const guint8 *begin = bytes;

  self->is_at_cut = FALSE;
  while (wire.p < wire.end && result == PL_WIRE_OK && !self->is_at_cut)
    {
      if (can_go_fast (self))
        wire.p = pl_decoder_fast_events (self, wire.p, wire.end);
      self->offset += (guint64) (wire.p - begin);
      begin = wire.p;
      if (wire.p < wire.end)
        {
          PlWire frame = wire;

          if (!self->is_started && *wire.p != TRC_TAG_HEADER)
            result = PL_WIRE_BAD_TAG;
          else
            result = parse_frame (self, &frame);
          wire.p = frame.p;
          self->offset += (guint64) (wire.p - begin);
          begin = wire.p;
        }
    }
  *out_consumed = (gsize) (wire.p - bytes);
  return result;
}

/**
 * pl_decoder_set_cut:
 * @raw_offset: the piece ends at the first header at or after this place
 */
void
pl_decoder_set_cut (PlDecoder *self, guint64 raw_offset)
{
  self->cut = raw_offset;
}

/**
 * pl_decoder_set_cut_batches:
 * @n_batches: the piece ends also at the header behind so many batches
 */
void
pl_decoder_set_cut_batches (PlDecoder *self, guint64 n_batches)
{
  self->cut_batches = n_batches;
}

gboolean
pl_decoder_is_at_cut (PlDecoder *self)
{
  return self->is_at_cut;
}

/**
 * pl_decoder_is_unsorted:
 *
 * Returns: whether the piece holds a scheduler event that came before its predecessor of the same run, so that its
 *   pairs are not to be believed
 */
gboolean
pl_decoder_is_unsorted (PlDecoder *self)
{
  return self->runs->is_unsorted;
}

static void
forget_tasks (PlDecoder *self)
{
  g_array_set_size (self->spawns, 0);
  g_array_set_size (self->ends, 0);
}

/**
 * pl_decoder_take_piece:
 *
 * Ends the piece, and with it the current batch, and begins the next one at the current offset.
 *
 * Returns: (transfer full): what was decoded since the last piece
 */
PlPiece *
pl_decoder_take_piece (PlDecoder *self)
{
  PlPiece *piece = self->piece;

  end_batch (self);
  pl_runs_take_lanes (self->runs, piece->lanes);
  pl_piece_set_tasks (piece, self->spawns, self->ends, TRUE);
  forget_tasks (self);
  pl_piece_seal (piece);
  for (guint i = 0; i < pl_schemas_get_n (self->schemas); i++)
    {
      PlSchema *schema = pl_schemas_get (self->schemas, i);
      PlPieceCount count = { pl_strings_intern (self->strings, schema->name, strlen (schema->name)),
                             schema->n_events };

      piece->n_events += schema->n_events;
      if (count.count > 0)
        g_array_append_val (piece->counts, count);
      schema->n_events = 0;
    }
  piece->raw_to = self->offset;
  piece->n_unpaired = self->runs->n_unpaired;
  self->runs->n_unpaired = 0;
  self->runs->is_unsorted = FALSE;
  g_hash_table_remove_all (self->queues);
  self->piece = pl_piece_new (piece->file, self->offset);
  return piece;
}

guint64
pl_decoder_get_offset (PlDecoder *self)
{
  return self->offset;
}

/**
 * pl_decoder_rewind_sorted:
 *
 * Goes back to the start of the piece, to decode it again with the scheduler events of each batch sorted by time.
 */
void
pl_decoder_rewind_sorted (PlDecoder *self)
{
  PlPiece *piece = pl_piece_new (self->piece->file, self->piece->raw_from);
  guint64 n_events = 0;

  end_batch (self);
  for (guint i = 0; i < pl_schemas_get_n (self->schemas); i++)
    {
      n_events += pl_schemas_get (self->schemas, i)->n_events;
      pl_schemas_get (self->schemas, i)->n_events = 0;
    }
  self->n_events -= n_events;
  self->span_n_events = self->n_events;
  pl_runs_free (self->runs);
  self->runs = pl_runs_new (TRUE);
  g_hash_table_remove_all (self->queues);
  forget_tasks (self);
  pl_piece_unref (self->piece);
  self->piece = piece;
  self->offset = piece->raw_from;
  self->is_started = FALSE;
}

/**
 * pl_decoder_get_n_events:
 *
 * Returns: events decoded so far, those of pieces already taken included
 */
guint64
pl_decoder_get_n_events (PlDecoder *self)
{
  return self->n_events;
}

/**
 * pl_decoder_get_writer_facts:
 *
 * Returns: (transfer none): what the stream has said of its writer so far, pieces already taken included
 */
const PlWriterFacts *
pl_decoder_get_writer_facts (PlDecoder *self)
{
  return &self->facts;
}

/**
 * pl_decoder_describe:
 * @result: what pl_decoder_feed() returned, not %PL_WIRE_OK
 * @bytes: those that it did not consume
 * @size: how many
 *
 * Says what is wrong at the current offset and what was expected there.
 *
 * Returns: (transfer full): a clause without the file's name
 */
char *
pl_decoder_describe (PlDecoder *self, PlWireResult result, const guint8 *bytes, gsize size)
{
  guint tag = size > 0 ? bytes[0] : 0;
  guint type_id = size >= 3 ? trc_read_u16 (bytes + 1) : 0;

  switch (result)
    {
    case PL_WIRE_MORE:
      return g_strdup (_("the data end inside a frame, its remaining bytes were expected"));
    case PL_WIRE_BAD_VARINT:
      return g_strdup (_("a number does not fit 64 bits, a varint of at most 10 bytes was expected"));
    case PL_WIRE_BAD_TYPE:
      return g_strdup (_("a value has an undefined type, one of 1 to 15 was expected"));
    case PL_WIRE_BAD_VERSION:
      return g_strdup_printf (_("the batch is of format version %u, version 1 was expected"), size >= 5 ? bytes[4] : 0);
    case PL_WIRE_TOO_LARGE:
      return g_strdup_printf (_("a frame is larger than %zu MiB, a smaller one was expected"),
                              size / (1024 * 1024));
    case PL_WIRE_TOO_DEEP:
      return g_strdup (_("lists are nested too deeply, at most 32 levels were expected"));
    case PL_WIRE_UNKNOWN_TYPE_ID:
      return g_strdup_printf (_("an event has type %u, whose schema was expected before it"), type_id);
    case PL_WIRE_SCHEMA_CONFLICT:
      return g_strdup_printf (_("a second, different schema for type %u, the same one was expected"), type_id);
    case PL_WIRE_TIME_OVERFLOW:
      return g_strdup (_("a time stamp does not fit 64 bits, a time in the range of the session was expected"));
    case PL_WIRE_OK:
    case PL_WIRE_BAD_TAG:
    default:
      if (tag >= 0x07 && tag <= 0x1f && self->recorder_version != NULL)
        return g_strdup_printf (_("unknown frame tag 0x%02x, written by recorder version %s; a tag from 1 to 6 was "
                                "expected: a newer Parklane may know it"), tag, self->recorder_version);
      return g_strdup_printf (_("unknown frame tag 0x%02x, a tag from 1 to 6 or a header was expected"), tag);
    }
}
