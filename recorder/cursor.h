/* cursor.h: bounds-checked steps through the bytes of a trace
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_CURSOR_H
#define PLR_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "trc.h"

typedef enum
{
  PLR_FRAME_WHOLE,
  PLR_FRAME_CUT,     /* the bytes end inside it */
  PLR_FRAME_UNKNOWN, /* not understood */
} PlrFrameResult;

/* Bytes that remain to be read. The functions that return bool leave it as it is where they fail. */
typedef struct
{
  const uint8_t *p;
  const uint8_t *end;
} PlrCursor;

static inline bool
plr_cursor_skip (PlrCursor *self, uint64_t n)
{
  if ((uint64_t) (self->end - self->p) < n)
    return false;
  self->p += n;
  return true;
}

static inline bool
plr_cursor_get_u16 (PlrCursor *self, uint16_t *out)
{
  if (self->end - self->p < 2)
    return false;
  *out = trc_read_u16 (self->p);
  self->p += 2;
  return true;
}

static inline bool
plr_cursor_get_u32 (PlrCursor *self, uint32_t *out)
{
  if (self->end - self->p < 4)
    return false;
  *out = trc_read_u32 (self->p);
  self->p += 4;
  return true;
}

/* Passes over a u32 count and as many units. */
bool plr_cursor_skip_sized (PlrCursor *self, uint64_t unit);

/* Passes over a field's value of type @code. */
PlrFrameResult plr_cursor_skip_value (PlrCursor *self, uint8_t code);

#endif /* PLR_CURSOR_H */
