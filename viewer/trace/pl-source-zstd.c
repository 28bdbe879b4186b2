/* pl-source-zstd.c: zstd files of any number of frames, seek tables and other skippable frames passed over
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-source-private.h"

#include <zstd.h>

#include "pl-trace-error.h"

#define INPUT_SIZE (128 * 1024)

/* A frame may ask for as large a window as its header says; 128 MiB is what `zstd -d` allows by default. */
#define MAX_WINDOW_LOG 27

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
  ZstdState *self = g_new0 (ZstdState, 1);

  self->stream = ZSTD_createDStream ();
  if (self->stream == NULL)
    g_error ("zstd refuses to start: out of memory");
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
                 "%s: the zstd data are damaged near byte %" G_GUINT64_FORMAT ": %s", file->path, position,
                 ZSTD_getErrorName (self->fault));
  else
    g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED,
                 "%s: the zstd data break off at byte %" G_GUINT64_FORMAT ", a complete frame was expected",
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

const PlSourceClass pl_source_zstd_class = {
  .format = PL_TRACE_FORMAT_ZSTD,
  .open = zstd_open,
  .close = zstd_close,
  .read = zstd_read,
};
