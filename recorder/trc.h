/* trc.h: constants and byte access of the TRC version 1 stream, shared by recorder and viewer
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The format is dial9's public one: a header, then frames without length fields. All integers are
 * little-endian and unaligned; a varint is unsigned LEB128. Source of every number here: the
 * trace-format description of dial9-trace-format 0.5, sections 2 to 5 and 10.
 */
#ifndef PARKLANE_TRC_H
#define PARKLANE_TRC_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#define TRC_MAGIC "TRC"          /* four bytes with its terminating NUL */
#define TRC_MAGIC_SIZE 4
#define TRC_HEADER_SIZE 5        /* magic and version */
#define TRC_VERSION 1
#define TRC_MAX_DELTA 0xffffffu  /* ns an event's u24 can bridge; a wider step needs a reset frame */
#define TRC_MAX_VARINT_SIZE 10
#define TRC_MAX_NESTING 32       /* containers in containers; dial9 0.5 reads as many */

/* Frame tags. A header in the middle of the stream begins with the magic's 'T' (0x54). */
enum
{
  TRC_TAG_SCHEMA = 0x01,
  TRC_TAG_EVENT = 0x02,
  TRC_TAG_STRING_POOL = 0x03,
  TRC_TAG_STACK_POOL = 0x04,
  TRC_TAG_RESET = 0x05,
  TRC_TAG_ANNOTATIONS = 0x06,
  TRC_TAG_HEADER = 0x54,
};

/* Field types. TRC_OPTIONAL may be set on a schema field's type: a presence byte precedes the value. */
enum
{
  TRC_I64 = 1,
  TRC_F64 = 2,
  TRC_BOOL = 3,
  TRC_STRING = 4,
  TRC_BYTES = 5,
  TRC_POOLED_STACK = 6,
  TRC_POOLED_STRING = 7,
  TRC_STACK = 8,
  TRC_VARINT = 9,
  TRC_STRING_MAP = 10,
  TRC_U8 = 11,
  TRC_U16 = 12,
  TRC_U32 = 13,
  TRC_LIST = 14,
  TRC_MAP = 15,
  TRC_OPTIONAL = 0x80,
};

/* Worker ids that are not workers: blocking-pool thread, unknown thread. */
#define TRC_WORKER_BLOCKING 254
#define TRC_WORKER_NONE 255

/* Unaligned little-endian access. The caller has checked that the bytes are there. */

static inline uint16_t
trc_read_u16 (const uint8_t *p)
{
  return (uint16_t) (p[0] | p[1] << 8);
}

static inline uint32_t
trc_read_u24 (const uint8_t *p)
{
  return (uint32_t) p[0] | (uint32_t) p[1] << 8 | (uint32_t) p[2] << 16;
}

static inline uint32_t
trc_read_u32 (const uint8_t *p)
{
  uint32_t v;

  memcpy (&v, p, sizeof v);
  return le32toh (v);
}

static inline uint64_t
trc_read_u64 (const uint8_t *p)
{
  uint64_t v;

  memcpy (&v, p, sizeof v);
  return le64toh (v);
}

/* One store each; of bytes that are shifted out one by one, compilers make as many. */

static inline uint8_t *
trc_write_u16 (uint8_t *p, uint16_t v)
{
  v = htole16 (v);
  memcpy (p, &v, sizeof v);
  return p + sizeof v;
}

static inline uint8_t *
trc_write_u24 (uint8_t *p, uint32_t v)
{
  p = trc_write_u16 (p, (uint16_t) v);
  *p++ = (uint8_t) (v >> 16);
  return p;
}

static inline uint8_t *
trc_write_u32 (uint8_t *p, uint32_t v)
{
  v = htole32 (v);
  memcpy (p, &v, sizeof v);
  return p + sizeof v;
}

static inline uint8_t *
trc_write_u64 (uint8_t *p, uint64_t v)
{
  v = htole64 (v);
  memcpy (p, &v, sizeof v);
  return p + sizeof v;
}

/* Writes 1 to TRC_MAX_VARINT_SIZE bytes and returns the position after them. */
static inline uint8_t *
trc_write_varint (uint8_t *p, uint64_t v)
{
  while (v >= 0x80)
    {
      *p++ = (uint8_t) (v | 0x80);
      v >>= 7;
    }
  *p++ = (uint8_t) v;
  return p;
}

/* Reads a varint from [p, end). Returns the position after it, or NULL when the bytes end first or the
 * value exceeds 64 bits; overlong forms of up to ten bytes are accepted. */
static inline const uint8_t *
trc_read_varint (const uint8_t *p, const uint8_t *end, uint64_t *out_value)
{
  uint64_t value = 0;

  for (unsigned shift = 0; shift < 70 && p < end; shift += 7)
    {
      uint8_t byte = *p++;

      if (shift == 63 && byte > 1)
        return NULL;
      value |= (uint64_t) (byte & 0x7f) << shift;
      if (byte < 0x80)
        {
          *out_value = value;
          return p;
        }
    }
  return NULL;
}

#endif /* PARKLANE_TRC_H */
