/* pl-zstd-frames.c: where the frames of a zstd file begin, without reading it through
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * libzstd tells where a frame ends of one that is whole in memory. To find the frames of a file it is enough to go from
 * the head of one block to the next, a few bytes for every hundred kilobytes; on a slow disk that is the difference
 * between lanes at once and lanes when all has been read. The numbers are those of RFC 8878, section 3.1.
 */
#include "config.h"

#include "pl-zstd-frames.h"

#include <zstd.h>

#include "recorder/trc.h"

#define SKIPPABLE_HEADER 8

/* A bit of the byte behind the magic number, and what it says to be there. */
#define HAS_CHECKSUM 4
#define CHECKSUM_SIZE 4

#define BLOCK_HEADER 3

/* What is passed over with one look has to be this large on the whole, else reading in order is the faster way. */
#define LEAST_STEP 4096
#define FREE_LOOKS 1024

enum
{
  RAW_BLOCK,
  REPEATED_BYTE_BLOCK,
  COMPRESSED_BLOCK,
  RESERVED_BLOCK,
};

typedef struct
{
  PlSourceFile *file;
  guint64 looks_left;
} Walk;

/* Returns whether there are so many bytes at @at, and it is worth going on. */
static gboolean
look (Walk *walk, guint64 at, guint8 *bytes, gsize size)
{
  if (walk->looks_left == 0)
    return FALSE;
  walk->looks_left--;
  walk->file->offset = at;
  return pl_source_file_read (walk->file, bytes, size, NULL) == (gssize) size;
}

/* By the byte behind the magic number. */
static guint
get_header_size (guint8 descriptor)
{
  static const guint8 content_sizes[] = { 0, 2, 4, 8 };
  static const guint8 dictionary_sizes[] = { 0, 1, 2, 4 };
  gboolean is_single_segment = (descriptor & 0x20) != 0;
  guint content_size = content_sizes[descriptor >> 6];

  if (descriptor >> 6 == 0 && is_single_segment)
    content_size = 1;
  return 4 + 1 + !is_single_segment + dictionary_sizes[descriptor & 3] + content_size;
}

/* Where the last of the blocks that begin at @at ends; 0 when it is not in the file. */
static guint64
pass_blocks (Walk *walk, guint64 at)
{
  guint8 bytes[BLOCK_HEADER + 1] = { 0 };

  while (look (walk, at, bytes, BLOCK_HEADER))
    {
      guint32 header = trc_read_u32 (bytes);
      guint type = header >> 1 & 3;

      if (type == RESERVED_BLOCK)
        return 0;
      at += BLOCK_HEADER + (type == REPEATED_BYTE_BLOCK ? 1 : header >> 3);
      if ((header & 1) != 0)
        return at;
    }
  return 0;
}

/**
 * pl_zstd_frames_is_skippable:
 * @bytes: the first four bytes of a frame
 *
 * Returns: whether its content is none of the stream's
 */
gboolean
pl_zstd_frames_is_skippable (const guint8 *bytes)
{
  return (trc_read_u32 (bytes) & ZSTD_MAGIC_SKIPPABLE_MASK) == ZSTD_MAGIC_SKIPPABLE_START;
}

/* Where the frame that begins at @at ends; 0 when none is there that is whole and says what it unpacks to. */
static guint64
pass_frame (Walk *walk, guint64 at, guint64 *out_raw)
{
  guint8 header[PL_ZSTD_MAX_FRAME_HEADER] = { 0 };
  gsize n = (gsize) MIN (walk->file->size - MIN (at, walk->file->size), sizeof header);
  unsigned long long raw;
  guint64 end;

  *out_raw = 0;
  if (n < SKIPPABLE_HEADER || !look (walk, at, header, n))
    return 0;
  if (pl_zstd_frames_is_skippable (header))
    return at + SKIPPABLE_HEADER + trc_read_u32 (header + 4);

  raw = ZSTD_getFrameContentSize (header, n);
  if (raw == ZSTD_CONTENTSIZE_UNKNOWN || raw == ZSTD_CONTENTSIZE_ERROR)
    return 0;
  *out_raw = raw;
  end = pass_blocks (walk, at + get_header_size (header[4]));
  return end > 0 && (header[4] & HAS_CHECKSUM) != 0 ? end + CHECKSUM_SIZE : end;
}

/**
 * pl_zstd_frames_find_points:
 * @out_raw_size: (out): what all frames unpack to
 *
 * Implements pl_source_make_index(): every frame that holds something is a point. The seek table at the end of a seekable
 * file is not asked: it may describe only the last of several files put together, or lie, while the frames themselves
 * cannot.
 *
 * Returns: (transfer full) (nullable) (element-type PlSourcePoint): %NULL for a single frame, for damage, for frames that
 *   do not say what they unpack to, and for many small ones
 */
GArray *
pl_zstd_frames_find_points (PlSourceFile *file, guint64 *out_raw_size)
{
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (PlSourcePoint));
  Walk walk = { file, FREE_LOOKS + file->size / LEAST_STEP };
  PlSourcePoint point = { 0, 0 };
  guint64 saved = file->offset;
  guint64 raw;
  guint64 end;

  while ((end = pass_frame (&walk, point.disk_offset, &raw)) > 0)
    {
      /* What a frame says of itself may be more than it can hold. */
      if (raw / PL_SOURCE_MAX_RATIO > end - point.disk_offset)
        break;
      if (raw > 0)
        g_array_append_val (points, point);
      point.raw_offset += raw;
      point.disk_offset = end;
    }
  file->offset = saved;
  *out_raw_size = point.raw_offset;
  return points->len > 1 && point.disk_offset == file->size ? g_steal_pointer (&points) : NULL;
}
