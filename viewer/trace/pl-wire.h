/* pl-wire.h: a bounds-checked cursor over bytes of a TRC stream
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WIRE_H
#define PL_WIRE_H

#include <glib.h>

#include "recorder/trc.h"

G_BEGIN_DECLS

/* Every buffer that is decoded has this many readable bytes behind its end, so that an event of a frequent layout
 * is read without checks and its length is checked once, afterwards: 6 bytes of head, 4 varints, 6 fixed. */
#define PL_WIRE_PADDING 64

/**
 * PlWireResult:
 * @PL_WIRE_MORE: the bytes end inside the frame
 * @PL_WIRE_TOO_LARGE: the frame is larger than what is kept of a file at a time
 */
typedef enum
{
  PL_WIRE_OK,
  PL_WIRE_MORE,
  PL_WIRE_BAD_VARINT,
  PL_WIRE_BAD_TYPE,
  PL_WIRE_BAD_TAG,
  PL_WIRE_BAD_VERSION,
  PL_WIRE_TOO_LARGE,
  PL_WIRE_TOO_DEEP,
  PL_WIRE_UNKNOWN_TYPE_ID,
  PL_WIRE_SCHEMA_CONFLICT,
  PL_WIRE_TIME_OVERFLOW,
} PlWireResult;

typedef struct
{
  const guint8 *p;
  const guint8 *end;
} PlWire;

PlWireResult pl_wire_read_varint (PlWire        *self,
                                  guint64       *out_value);
PlWireResult pl_wire_read_bytes  (PlWire        *self,
                                  const guint8 **out_bytes,
                                  guint32       *out_length);
PlWireResult pl_wire_skip_value  (PlWire        *self,
                                  guint8         type,
                                  guint          depth);

static inline gboolean
pl_wire_has (const PlWire *self, gsize n)
{
  return (gsize) (self->end - self->p) >= n;
}

static inline PlWireResult
pl_wire_skip (PlWire *self, guint64 n)
{
  if ((guint64) (self->end - self->p) < n)
    return PL_WIRE_MORE;
  self->p += n;
  return PL_WIRE_OK;
}

static inline PlWireResult
pl_wire_read_u8 (PlWire *self, guint8 *out_value)
{
  if (!pl_wire_has (self, 1))
    return PL_WIRE_MORE;
  *out_value = *self->p++;
  return PL_WIRE_OK;
}

static inline PlWireResult
pl_wire_read_u16 (PlWire *self, guint16 *out_value)
{
  if (!pl_wire_has (self, 2))
    return PL_WIRE_MORE;
  *out_value = trc_read_u16 (self->p);
  self->p += 2;
  return PL_WIRE_OK;
}

static inline PlWireResult
pl_wire_read_u32 (PlWire *self, guint32 *out_value)
{
  if (!pl_wire_has (self, 4))
    return PL_WIRE_MORE;
  *out_value = trc_read_u32 (self->p);
  self->p += 4;
  return PL_WIRE_OK;
}

/* Leaves the calling function with what is not PL_WIRE_OK. */
#define PL_WIRE_TRY(expression) \
  G_STMT_START { \
    PlWireResult wire_result = (expression); \
    if (G_UNLIKELY (wire_result != PL_WIRE_OK)) \
      return wire_result; \
  } G_STMT_END

G_END_DECLS

#endif /* PL_WIRE_H */
