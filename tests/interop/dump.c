/* dump.c: prints every frame and every value of a stream, one frame a line, as `dial9-peer dump` does
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Values: i -1, f bits in hex, b 0 or 1, s and y quoted bytes, q pool id = string, k pool id = stack, t stack,
 * u unsigned of any width, m string map, l list, h map, - absent.
 */
#include "config.h"

#include <glib.h>
#include <stdio.h>

#include "frame-walk.h"

typedef struct
{
  GString *line;
  GHashTable *strings; /* of the batch: pool id → GBytes */
  GHashTable *stacks;
} Dump;

static void
put_quoted (GString *line, const guint8 *bytes, gsize size)
{
  g_string_append_c (line, '"');
  for (gsize i = 0; i < size; i++)
    if (bytes[i] >= 0x20 && bytes[i] < 0x7f && bytes[i] != '"' && bytes[i] != '\\')
      g_string_append_c (line, (char) bytes[i]);
    else
      g_string_append_printf (line, "\\x%02x", bytes[i]);
  g_string_append_c (line, '"');
}

static void
put_name (GString *line, const FrameName *name)
{
  put_quoted (line, name->bytes, name->length);
}

static void
put_stack (GString *line, const guint8 *frames, gsize n_frames)
{
  g_string_append_c (line, '[');
  for (gsize i = 0; i < n_frames; i++)
    g_string_append_printf (line, "%s%" G_GINT64_MODIFIER "x", i > 0 ? "," : "", trc_read_u64 (frames + 8 * i));
  g_string_append_c (line, ']');
}

static void
put_pooled (Dump *self, guint8 type, guint32 id)
{
  GHashTable *pool = type == TRC_POOLED_STRING ? self->strings : self->stacks;
  GBytes *content = g_hash_table_lookup (pool, GUINT_TO_POINTER (id));
  const guint8 *bytes;
  gsize size;

  g_string_append_printf (self->line, "%c%u=", type == TRC_POOLED_STRING ? 'q' : 'k', id);
  if (content == NULL)
    {
      g_string_append_c (self->line, '?');
      return;
    }
  bytes = g_bytes_get_data (content, &size);
  if (type == TRC_POOLED_STRING)
    put_quoted (self->line, bytes, size);
  else
    put_stack (self->line, bytes, size / 8);
}

static PlWireResult put_value (Dump *self, PlWire *wire, guint8 type);

static PlWireResult
put_string_map (Dump *self, PlWire *wire)
{
  const guint8 *bytes;
  guint32 count;
  guint32 length;

  PL_WIRE_TRY (pl_wire_read_u32 (wire, &count));
  g_string_append (self->line, "m{");
  for (guint32 i = 0; i < count; i++)
    {
      PL_WIRE_TRY (pl_wire_read_bytes (wire, &bytes, &length));
      if (i > 0)
        g_string_append_c (self->line, ',');
      put_quoted (self->line, bytes, length);
      g_string_append_c (self->line, ':');
      PL_WIRE_TRY (pl_wire_read_bytes (wire, &bytes, &length));
      put_quoted (self->line, bytes, length);
    }
  g_string_append_c (self->line, '}');
  return PL_WIRE_OK;
}

static PlWireResult
put_element (Dump *self, PlWire *wire)
{
  guint8 type;

  PL_WIRE_TRY (pl_wire_read_u8 (wire, &type));
  return put_value (self, wire, type);
}

static PlWireResult
put_container (Dump *self, PlWire *wire, guint8 type)
{
  guint32 count;

  PL_WIRE_TRY (pl_wire_read_u32 (wire, &count));
  g_string_append (self->line, type == TRC_LIST ? "l[" : "h{");
  for (guint32 i = 0; i < count; i++)
    {
      if (i > 0)
        g_string_append_c (self->line, ',');
      PL_WIRE_TRY (put_element (self, wire));
      if (type == TRC_LIST)
        continue;
      g_string_append_c (self->line, ':');
      PL_WIRE_TRY (put_element (self, wire));
    }
  g_string_append_c (self->line, type == TRC_LIST ? ']' : '}');
  return PL_WIRE_OK;
}

/* An unsigned number of any width; a pool id. */
static PlWireResult
read_unsigned (PlWire *wire, guint8 type, guint64 *out_number)
{
  guint32 word;
  guint16 half;
  guint8 byte;

  switch (type)
    {
    case TRC_VARINT:
      return pl_wire_read_varint (wire, out_number);
    case TRC_U8:
    case TRC_BOOL:
      PL_WIRE_TRY (pl_wire_read_u8 (wire, &byte));
      *out_number = byte;
      return PL_WIRE_OK;
    case TRC_U16:
      PL_WIRE_TRY (pl_wire_read_u16 (wire, &half));
      *out_number = half;
      return PL_WIRE_OK;
    default:
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &word));
      *out_number = word;
      return PL_WIRE_OK;
    }
}

static PlWireResult
put_value (Dump *self, PlWire *wire, guint8 type)
{
  const guint8 *bytes = wire->p;
  guint64 number;
  guint32 length;

  switch (type)
    {
    case TRC_I64:
      PL_WIRE_TRY (pl_wire_skip (wire, 8));
      g_string_append_printf (self->line, "i%" G_GINT64_FORMAT, (gint64) trc_read_u64 (bytes));
      return PL_WIRE_OK;
    case TRC_F64:
      PL_WIRE_TRY (pl_wire_skip (wire, 8));
      g_string_append_printf (self->line, "f%016" G_GINT64_MODIFIER "x", trc_read_u64 (bytes));
      return PL_WIRE_OK;
    case TRC_BOOL:
      PL_WIRE_TRY (read_unsigned (wire, type, &number));
      g_string_append (self->line, number != 0 ? "b1" : "b0");
      return PL_WIRE_OK;
    case TRC_STRING:
    case TRC_BYTES:
      PL_WIRE_TRY (pl_wire_read_bytes (wire, &bytes, &length));
      g_string_append_c (self->line, type == TRC_STRING ? 's' : 'y');
      put_quoted (self->line, bytes, length);
      return PL_WIRE_OK;
    case TRC_POOLED_STACK:
    case TRC_POOLED_STRING:
      PL_WIRE_TRY (read_unsigned (wire, type, &number));
      put_pooled (self, type, (guint32) number);
      return PL_WIRE_OK;
    case TRC_STACK:
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &length));
      bytes = wire->p;
      PL_WIRE_TRY (pl_wire_skip (wire, (guint64) length * 8));
      g_string_append_c (self->line, 't');
      put_stack (self->line, bytes, length);
      return PL_WIRE_OK;
    case TRC_STRING_MAP:
      return put_string_map (self, wire);
    case TRC_LIST:
    case TRC_MAP:
      return put_container (self, wire, type);
    case TRC_VARINT:
    case TRC_U8:
    case TRC_U16:
    case TRC_U32:
      PL_WIRE_TRY (read_unsigned (wire, type, &number));
      g_string_append_printf (self->line, "u%" G_GUINT64_FORMAT, number);
      return PL_WIRE_OK;
    default:
      return PL_WIRE_BAD_TYPE;
    }
}

/* The engine's way over the values is to end where reading them ends. */
static void
put_event (Dump *self, const Frame *frame)
{
  PlWire wire = { frame->body, frame->end };

  g_string_append_printf (self->line, "event %u ", (guint) frame->type_id);
  put_name (self->line, &frame->schema->name);
  g_string_append_printf (self->line, " %" G_GUINT64_FORMAT, frame->at_ns);
  for (guint i = 0; i < frame->schema->n_fields; i++)
    {
      guint8 type = frame->schema->fields[i].type;
      guint8 is_present = 1;

      g_string_append_c (self->line, ' ');
      put_name (self->line, &frame->schema->fields[i].name);
      g_string_append_c (self->line, '=');
      if (type & TRC_OPTIONAL)
        g_assert_cmpint (pl_wire_read_u8 (&wire, &is_present), ==, PL_WIRE_OK);
      if (is_present)
        g_assert_cmpint (put_value (self, &wire, type & (guint8) ~TRC_OPTIONAL), ==, PL_WIRE_OK);
      else
        g_string_append_c (self->line, '-');
    }
  g_assert_true (wire.p == frame->end);
}

static void
put_schema (Dump *self, const FrameSchema *schema)
{
  g_string_append (self->line, "schema ");
  put_name (self->line, &schema->name);
  for (guint i = 0; i < schema->n_fields; i++)
    {
      g_string_append_c (self->line, ' ');
      put_name (self->line, &schema->fields[i].name);
      g_string_append_printf (self->line, ":%02x", schema->fields[i].type);
    }
}

/* The walk has checked the bounds of pools and annotations. */
static void
put_pool (Dump *self, const Frame *frame)
{
  gboolean is_strings = frame->tag == TRC_TAG_STRING_POOL;
  guint32 count = trc_read_u32 (frame->body);
  const guint8 *p = frame->body + 4;

  g_string_append (self->line, is_strings ? "strings" : "stacks");
  for (; count > 0; count--)
    {
      guint32 id = trc_read_u32 (p);
      guint32 length = trc_read_u32 (p + 4);
      gsize size = is_strings ? length : (gsize) length * 8;

      g_string_append_printf (self->line, " %u=", id);
      if (is_strings)
        put_quoted (self->line, p + 8, size);
      else
        put_stack (self->line, p + 8, length);
      g_hash_table_replace (is_strings ? self->strings : self->stacks, GUINT_TO_POINTER (id),
                            g_bytes_new (p + 8, size));
      p += 8 + size;
    }
}

static void
put_annotations (Dump *self, const Frame *frame)
{
  PlWire wire = { frame->body, frame->end };
  guint64 type_id;
  guint16 count = 0;

  g_assert_cmpint (pl_wire_read_varint (&wire, &type_id), ==, PL_WIRE_OK);
  g_assert_cmpint (pl_wire_read_u16 (&wire, &count), ==, PL_WIRE_OK);
  g_string_append_printf (self->line, "annotations %" G_GUINT64_FORMAT, type_id);
  for (; count > 0; count--)
    {
      guint16 index = trc_read_u16 (wire.p);
      guint16 key_length = trc_read_u16 (wire.p + 2);
      const guint8 *value = wire.p + 4 + key_length;

      g_string_append_printf (self->line, " %u:", index);
      put_quoted (self->line, wire.p + 4, key_length);
      g_string_append_c (self->line, '=');
      put_quoted (self->line, value + 4, trc_read_u32 (value));
      wire.p = value + 4 + trc_read_u32 (value);
    }
}

/* Headers and resets are shown by what they do to the frames behind them. */
static void
put_frame (Dump *self, const Frame *frame)
{
  g_string_truncate (self->line, 0);
  switch (frame->tag)
    {
    case TRC_TAG_HEADER:
      g_hash_table_remove_all (self->strings);
      g_hash_table_remove_all (self->stacks);
      return;
    case TRC_TAG_SCHEMA:
      put_schema (self, frame->schema);
      break;
    case TRC_TAG_EVENT:
      put_event (self, frame);
      break;
    case TRC_TAG_STRING_POOL:
    case TRC_TAG_STACK_POOL:
      put_pool (self, frame);
      break;
    case TRC_TAG_ANNOTATIONS:
      put_annotations (self, frame);
      break;
    default:
      return;
    }
  g_string_append_c (self->line, '\n');
  fwrite (self->line->str, 1, self->line->len, stdout);
}

int
main (int argc, char **argv)
{
  g_autoptr(GString) line = g_string_new (NULL);
  g_autoptr(GHashTable) strings = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  g_autoptr(GHashTable) stacks = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_bytes_unref);
  g_autoptr(FrameWalk) walk = NULL;
  g_autoptr(GError) error = NULL;
  g_autofree char *contents = NULL;
  Dump self = { line, strings, stacks };
  const guint8 *end;
  Frame frame;
  gsize size;

  if (argc != 2)
    {
      g_printerr ("usage: dump FILE\n");
      return 2;
    }
  if (!g_file_get_contents (argv[1], &contents, &size, &error))
    {
      g_printerr ("dump: %s\n", error->message);
      return 1;
    }
  end = (const guint8 *) contents;
  walk = frame_walk_new (end, size);
  while (frame_walk_next (walk, &frame))
    {
      put_frame (&self, &frame);
      end = frame.end;
    }
  printf ("end %" G_GSIZE_FORMAT "\n", (gsize) (end - (const guint8 *) contents));
  return 0;
}
