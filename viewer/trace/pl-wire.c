/* pl-wire.c: a bounds-checked cursor over bytes of a TRC stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-wire.h"

PlWireResult
pl_wire_read_varint (PlWire *self, guint64 *out_value)
{
  const guint8 *p = trc_read_varint (self->p, self->end, out_value);

  if (p == NULL)
    return self->end - self->p < TRC_MAX_VARINT_SIZE ? PL_WIRE_MORE : PL_WIRE_BAD_VARINT;
  self->p = p;
  return PL_WIRE_OK;
}

/**
 * pl_wire_read_bytes:
 * @out_bytes: into the buffer
 *
 * Reads a u32 length and that many bytes.
 */
PlWireResult
pl_wire_read_bytes (PlWire *self, const guint8 **out_bytes, guint32 *out_length)
{
  PlWire wire = *self;

  PL_WIRE_TRY (pl_wire_read_u32 (&wire, out_length));
  *out_bytes = wire.p;
  PL_WIRE_TRY (pl_wire_skip (&wire, *out_length));
  *self = wire;
  return PL_WIRE_OK;
}

static PlWireResult
skip_string_map (PlWire *self)
{
  const guint8 *bytes;
  guint32 count;
  guint32 length;

  PL_WIRE_TRY (pl_wire_read_u32 (self, &count));
  for (guint64 i = 0; i < (guint64) count * 2; i++)
    PL_WIRE_TRY (pl_wire_read_bytes (self, &bytes, &length));
  return PL_WIRE_OK;
}

/* Inside a container each value carries its own type, and the optional bit has no agreed meaning. */
static PlWireResult
skip_container (PlWire *self, guint values_per_entry, guint depth)
{
  guint32 count;
  guint8 type;

  PL_WIRE_TRY (pl_wire_read_u32 (self, &count));
  if (depth >= TRC_MAX_NESTING && count > 0)
    return PL_WIRE_TOO_DEEP;
  for (guint64 i = 0; i < (guint64) count * values_per_entry; i++)
    {
      PL_WIRE_TRY (pl_wire_read_u8 (self, &type));
      if (type & TRC_OPTIONAL)
        return PL_WIRE_BAD_TYPE;
      PL_WIRE_TRY (pl_wire_skip_value (self, type, depth + 1));
    }
  return PL_WIRE_OK;
}

/**
 * pl_wire_skip_value:
 * @type: a field type without the optional bit
 * @depth: containers around the value
 *
 * Passes over one value.
 */
PlWireResult
pl_wire_skip_value (PlWire *self, guint8 type, guint depth)
{
  const guint8 *bytes;
  guint64 value;
  guint32 count;

  switch (type)
    {
    case TRC_BOOL:
    case TRC_U8:
      return pl_wire_skip (self, 1);
    case TRC_U16:
      return pl_wire_skip (self, 2);
    case TRC_U32:
    case TRC_POOLED_STACK:
    case TRC_POOLED_STRING:
      return pl_wire_skip (self, 4);
    case TRC_I64:
    case TRC_F64:
      return pl_wire_skip (self, 8);
    case TRC_VARINT:
      return pl_wire_read_varint (self, &value);
    case TRC_STRING:
    case TRC_BYTES:
      return pl_wire_read_bytes (self, &bytes, &count);
    case TRC_STACK:
      PL_WIRE_TRY (pl_wire_read_u32 (self, &count));
      return pl_wire_skip (self, (guint64) count * 8);
    case TRC_STRING_MAP:
      return skip_string_map (self);
    case TRC_LIST:
      return skip_container (self, 1, depth);
    case TRC_MAP:
      return skip_container (self, 2, depth);
    default:
      return PL_WIRE_BAD_TYPE;
    }
}
