/* cursor.c: bounds-checked steps through the bytes of a trace
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "cursor.h"

bool
plr_cursor_skip_sized (PlrCursor *self, uint64_t unit)
{
  const uint8_t *begin = self->p;
  uint32_t n;

  if (plr_cursor_get_u32 (self, &n) && plr_cursor_skip (self, n * unit))
    return true;
  self->p = begin;
  return false;
}

static PlrFrameResult
skip_varint (PlrCursor *self)
{
  for (unsigned i = 0; i < TRC_MAX_VARINT_SIZE; i++)
    {
      if (!plr_cursor_skip (self, 1))
        return PLR_FRAME_CUT;
      if (self->p[-1] < 0x80)
        return PLR_FRAME_WHOLE;
    }
  return PLR_FRAME_UNKNOWN;
}

PlrFrameResult
plr_cursor_skip_value (PlrCursor *self, uint8_t code)
{
  bool is_whole;
  uint32_t n;

  if (code & TRC_OPTIONAL)
    {
      if (!plr_cursor_skip (self, 1))
        return PLR_FRAME_CUT;
      if (self->p[-1] == 0)
        return PLR_FRAME_WHOLE;
    }

  switch (code & ~TRC_OPTIONAL)
    {
    case TRC_I64:
    case TRC_F64:
      is_whole = plr_cursor_skip (self, 8);
      break;
    case TRC_BOOL:
    case TRC_U8:
      is_whole = plr_cursor_skip (self, 1);
      break;
    case TRC_U16:
      is_whole = plr_cursor_skip (self, 2);
      break;
    case TRC_U32:
    case TRC_POOLED_STACK:
    case TRC_POOLED_STRING:
      is_whole = plr_cursor_skip (self, 4);
      break;
    case TRC_STRING:
    case TRC_BYTES:
      is_whole = plr_cursor_skip_sized (self, 1);
      break;
    case TRC_STACK:
      is_whole = plr_cursor_skip_sized (self, 8);
      break;
    case TRC_VARINT:
      return skip_varint (self);
    case TRC_STRING_MAP:
      is_whole = plr_cursor_get_u32 (self, &n);
      for (; is_whole && n > 0; n--)
        is_whole = plr_cursor_skip_sized (self, 1) && plr_cursor_skip_sized (self, 1);
      break;
    default:
      return PLR_FRAME_UNKNOWN;
    }
  return is_whole ? PLR_FRAME_WHOLE : PLR_FRAME_CUT;
}
