/* pl-source-zstd.c: zstd files of any number of frames, seek tables and other skippable frames passed over
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-source-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <zstd.h>

#include "pl-trace-error.h"

#define INPUT_SIZE (128 * 1024)

/* A frame may ask for as large a window as its header says; 128 MiB is what `zstd -d` allows by default. */
#define MAX_WINDOW_LOG 27

/* While frames are measured: how much is read at a time, and the largest frame that is. */
#define INDEX_STEP (1024 * 1024)
#define MAX_INDEXED_FRAME (64 * 1024 * 1024)

typedef struct
{
  ZSTD_DStream *stream;
  ZSTD_inBuffer in;
  gboolean in_frame;
  gsize fault; /* zstd's code, kept until what was decompressed before it has been handed out */
  guint8 input[INPUT_SIZE];
} ZstdState;

static gpointer
zstd_open (void)
{
  ZstdState *self = g_try_new0 (ZstdState, 1);

  if (self == NULL || (self->stream = ZSTD_createDStream ()) == NULL)
    {
      g_free (self);
      return NULL;
    }
  ZSTD_DCtx_setParameter (self->stream, ZSTD_d_windowLogMax, MAX_WINDOW_LOG);
  self->in.src = self->input;
  return self;
}

static void
zstd_close (gpointer state)
{
  ZstdState *self = state;

  ZSTD_freeDStream (self->stream);
  g_free (self);
}

static void
set_error (ZstdState *self, PlSourceFile *file, GError **error)
{
  guint64 position = file->offset - self->in.size + self->in.pos;

  if (self->fault != 0)
    g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT,
                 _("%s: the zstd data are damaged near byte %" PRIu64 ": %s"), file->path, position,
                 ZSTD_getErrorName (self->fault));
  else
    g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED,
                 _("%s: the zstd data break off at byte %" PRIu64 ", a complete frame was expected"),
                 file->path, position);
}

static gssize
zstd_read (gpointer state, PlSourceFile *file, guint8 *buffer, gsize size, GError **error)
{
  ZstdState *self = state;
  ZSTD_outBuffer out = { buffer, size, 0 };

  while (out.pos == 0)
    {
      gboolean at_end = FALSE;
      gsize status;

      if (self->in.pos == self->in.size)
        {
          gssize n = pl_source_file_read (file, self->input, INPUT_SIZE, error);

          if (n < 0)
            return -1;
          self->in.size = (gsize) n;
          self->in.pos = 0;
          at_end = n == 0;
        }
      if (at_end && !self->in_frame)
        break;

      /* Also without input: output may be waiting that did not fit the last time. */
      status = self->fault != 0 ? self->fault : ZSTD_decompressStream (self->stream, &out, &self->in);
      if (ZSTD_isError (status))
        self->fault = status;
      else
        self->in_frame = status != 0;

      if (out.pos == 0 && (self->fault != 0 || at_end))
        {
          set_error (self, file, error);
          return -1;
        }
    }
  return (gssize) out.pos;
}

/* Bytes of the file, of which those from @at on have not been measured. */
typedef struct
{
  GByteArray *bytes;
  gsize at;
} Frames;

/* Reads more of the file behind what has not been measured. */
static gboolean
fill_frames (PlSourceFile *file, Frames *frames)
{
  guint old = frames->bytes->len - (guint) frames->at;
  gssize n;

  g_byte_array_remove_range (frames->bytes, 0, (guint) frames->at);
  frames->at = 0;
  g_byte_array_set_size (frames->bytes, old + INDEX_STEP);
  n = pl_source_file_read (file, frames->bytes->data + old, INDEX_STEP, NULL);
  g_byte_array_set_size (frames->bytes, old + (guint) MAX (n, 0));
  return n > 0;
}

static gboolean
is_skippable (const guint8 *frame, gsize size)
{
  return size >= 4 && (frame[0] & 0xf0) == 0x50 && frame[1] == 0x2a && frame[2] == 0x4d && frame[3] == 0x18;
}

/* The first frame that has not been measured, read on until it is whole. Returns 0 at the end of the file, or when the
 * frame is damaged or larger than what is worth holding. */
static gsize
measure_frame (PlSourceFile *file, Frames *frames)
{
  while (TRUE)
    {
      gsize left = frames->bytes->len - frames->at;
      gsize size = left > 0 ? ZSTD_findFrameCompressedSize (frames->bytes->data + frames->at, left) : 0;

      if (size > 0 && !ZSTD_isError (size))
        return size;
      if (left >= MAX_INDEXED_FRAME || !fill_frames (file, frames))
        return 0;
    }
}

/* Every frame is a point. The seek table at the end of a seekable file is not asked: it may describe only the last of
 * several files put together, or lie, while the frames themselves cannot. */
static GArray *
zstd_make_index (PlSourceFile *file, guint64 *out_raw_size)
{
  g_autoptr(GArray) points = g_array_new (FALSE, FALSE, sizeof (PlSourcePoint));
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  Frames frames = { bytes, 0 };
  PlSourcePoint point = { 0, 0 };
  guint64 saved = file->offset;
  gsize size;

  file->offset = 0;
  while ((size = measure_frame (file, &frames)) > 0)
    {
      const guint8 *frame = bytes->data + frames.at;
      unsigned long long raw = is_skippable (frame, size) ? 0 : ZSTD_getFrameContentSize (frame, size);

      if (raw == ZSTD_CONTENTSIZE_UNKNOWN || raw == ZSTD_CONTENTSIZE_ERROR || raw > G_MAXINT64 / 2
          || point.raw_offset > G_MAXINT64 / 2)
        break;
      if (raw > 0)
        g_array_append_val (points, point);
      point.raw_offset += raw;
      point.disk_offset += size;
      frames.at += size;
    }
  file->offset = saved;
  *out_raw_size = point.raw_offset;
  return points->len > 1 && point.disk_offset == file->size ? g_steal_pointer (&points) : NULL;
}

const PlSourceClass pl_source_zstd_class = {
  .format = PL_TRACE_FORMAT_ZSTD,
  .open = zstd_open,
  .close = zstd_close,
  .read = zstd_read,
  .make_index = zstd_make_index,
};
