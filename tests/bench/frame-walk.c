/* frame-walk.c: goes through the frames of a TRC stream, one by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Knows no event by name and builds nothing: for tests that want every value, and for patching recorded streams. It
 * reads with the engine's own cursor, and every schema also with the engine's parser, which must agree.
 */
#include "config.h"

#include "frame-walk.h"

#include <string.h>

#include "pl-schema.h"

struct _FrameWalk
{
  PlWire wire;
  PlSchemas *engine;
  GPtrArray *schemas; /* of all batches: frames point to them */
  guint64 base;
  const FrameSchema *types[65536];
};

static void
schema_free (gpointer data)
{
  FrameSchema *self = data;

  g_free (self->fields);
  g_free (self);
}

/**
 * frame_walk_new:
 * @bytes: a stream; must live as long as the walk
 * @size: its length
 */
FrameWalk *
frame_walk_new (const guint8 *bytes, gsize size)
{
  FrameWalk *self = g_new0 (FrameWalk, 1);

  self->wire.p = bytes;
  self->wire.end = bytes + size;
  self->engine = pl_schemas_new ();
  self->schemas = g_ptr_array_new_with_free_func (schema_free);
  return self;
}

void
frame_walk_free (FrameWalk *self)
{
  pl_schemas_free (self->engine);
  g_ptr_array_unref (self->schemas);
  g_free (self);
}

static PlWireResult
read_name (PlWire *wire, FrameName *out_name)
{
  PL_WIRE_TRY (pl_wire_read_u16 (wire, &out_name->length));
  out_name->bytes = wire->p;
  return pl_wire_skip (wire, out_name->length);
}

static void
check_against_engine (FrameWalk *self, const FrameSchema *schema, const guint8 *begin, const guint8 *end)
{
  PlWire wire = { begin, end };
  PlSchema *other;
  guint16 type_id;

  g_assert_cmpint (pl_schemas_parse (self->engine, &wire, &type_id, &other), ==, PL_WIRE_OK);
  g_assert_true (wire.p == end);
  g_assert_cmpint (other->has_timestamp, ==, schema->has_timestamp);
  g_assert_cmpuint (other->n_fields, ==, schema->n_fields);
  for (guint i = 0; i < schema->n_fields; i++)
    g_assert_cmpuint (other->fields[i].type, ==, schema->fields[i].type);
}

static PlWireResult
read_schema (FrameWalk *self, PlWire *wire, Frame *frame)
{
  const guint8 *begin = wire->p;
  FrameSchema *schema = g_new0 (FrameSchema, 1);
  guint16 type_id;
  guint16 n_fields;
  guint8 has_timestamp;

  g_ptr_array_add (self->schemas, schema);
  PL_WIRE_TRY (pl_wire_read_u16 (wire, &type_id));
  PL_WIRE_TRY (read_name (wire, &schema->name));
  PL_WIRE_TRY (pl_wire_read_u8 (wire, &has_timestamp));
  PL_WIRE_TRY (pl_wire_read_u16 (wire, &n_fields));
  schema->has_timestamp = has_timestamp != 0;
  schema->fields = g_new0 (FrameField, n_fields);
  for (; schema->n_fields < n_fields; schema->n_fields++)
    {
      FrameField *field = &schema->fields[schema->n_fields];

      PL_WIRE_TRY (read_name (wire, &field->name));
      PL_WIRE_TRY (pl_wire_read_u8 (wire, &field->type));
    }
  check_against_engine (self, schema, begin, wire->p);
  frame->type_id = type_id;
  frame->schema = self->types[type_id] = schema;
  return PL_WIRE_OK;
}

static PlWireResult
read_event (FrameWalk *self, PlWire *wire, Frame *frame)
{
  const FrameSchema *schema;
  guint64 at_ns = self->base;
  guint16 type_id;

  PL_WIRE_TRY (pl_wire_read_u16 (wire, &type_id));
  schema = self->types[type_id];
  if (schema == NULL)
    return PL_WIRE_UNKNOWN_TYPE_ID;
  if (schema->has_timestamp)
    {
      const guint8 *delta = wire->p;

      PL_WIRE_TRY (pl_wire_skip (wire, 3));
      at_ns += trc_read_u24 (delta);
    }
  frame->body = wire->p;
  for (guint i = 0; i < schema->n_fields; i++)
    {
      guint8 is_present = 1;

      if (schema->fields[i].type & TRC_OPTIONAL)
        PL_WIRE_TRY (pl_wire_read_u8 (wire, &is_present));
      if (is_present)
        PL_WIRE_TRY (pl_wire_skip_value (wire, schema->fields[i].type & (guint8) ~TRC_OPTIONAL, 0));
    }
  frame->type_id = type_id;
  frame->schema = schema;
  frame->at_ns = self->base = at_ns;
  return PL_WIRE_OK;
}

static PlWireResult
read_pool (PlWire *wire, guint unit)
{
  guint32 count;
  guint32 id;
  guint32 length;

  PL_WIRE_TRY (pl_wire_read_u32 (wire, &count));
  for (; count > 0; count--)
    {
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &id));
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &length));
      PL_WIRE_TRY (pl_wire_skip (wire, (guint64) length * unit));
    }
  return PL_WIRE_OK;
}

static PlWireResult
read_annotations (PlWire *wire, Frame *frame)
{
  const guint8 *bytes;
  guint32 value_length;
  guint16 count;
  guint16 number;

  PL_WIRE_TRY (pl_wire_read_varint (wire, &frame->type_id));
  PL_WIRE_TRY (pl_wire_read_u16 (wire, &count));
  for (; count > 0; count--)
    {
      PL_WIRE_TRY (pl_wire_read_u16 (wire, &number)); /* field index */
      PL_WIRE_TRY (pl_wire_read_u16 (wire, &number)); /* length of the key */
      PL_WIRE_TRY (pl_wire_skip (wire, number));
      PL_WIRE_TRY (pl_wire_read_bytes (wire, &bytes, &value_length));
    }
  return PL_WIRE_OK;
}

static PlWireResult
read_header (FrameWalk *self, PlWire *wire)
{
  const guint8 *begin = wire->p - 1;

  PL_WIRE_TRY (pl_wire_skip (wire, TRC_HEADER_SIZE - 1));
  if (memcmp (begin, TRC_MAGIC, TRC_MAGIC_SIZE) != 0)
    return PL_WIRE_BAD_TAG;
  memset (self->types, 0, sizeof self->types);
  self->base = 0;
  return PL_WIRE_OK;
}

static PlWireResult
read_frame (FrameWalk *self, PlWire *wire, Frame *frame)
{
  switch (frame->tag)
    {
    case TRC_TAG_SCHEMA:
      return read_schema (self, wire, frame);
    case TRC_TAG_EVENT:
      return read_event (self, wire, frame);
    case TRC_TAG_STRING_POOL:
      return read_pool (wire, 1);
    case TRC_TAG_STACK_POOL:
      return read_pool (wire, 8);
    case TRC_TAG_RESET:
      PL_WIRE_TRY (pl_wire_skip (wire, 8));
      frame->at_ns = self->base = trc_read_u64 (frame->body);
      return PL_WIRE_OK;
    case TRC_TAG_ANNOTATIONS:
      return read_annotations (wire, frame);
    case TRC_TAG_HEADER:
      return read_header (self, wire);
    default:
      return PL_WIRE_BAD_TAG;
    }
}

/**
 * frame_walk_next:
 * @out_frame: (out): the next frame
 *
 * Returns: %FALSE at the end, and where the bytes are no whole frame
 */
gboolean
frame_walk_next (FrameWalk *self, Frame *out_frame)
{
  PlWire wire = self->wire;

  if (wire.p == wire.end)
    return FALSE;
  memset (out_frame, 0, sizeof *out_frame);
  out_frame->begin = wire.p;
  out_frame->tag = *wire.p++;
  out_frame->body = wire.p;
  if (read_frame (self, &wire, out_frame) != PL_WIRE_OK)
    return FALSE;
  out_frame->end = self->wire.p = wire.p;
  return TRUE;
}

gboolean
frame_name_equals (const FrameName *self, const char *text)
{
  return strlen (text) == self->length && memcmp (self->bytes, text, self->length) == 0;
}
