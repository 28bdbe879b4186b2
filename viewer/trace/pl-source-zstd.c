/* pl-source-zstd.c: zstd files of any number of frames, seek tables and other skippable frames passed over
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-source-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <zstd.h>

#include "pl-trace-error.h"
#include "pl-zstd-frames.h"

/* A frame may ask for as large a window as its header says; 128 MiB is what `zstd -d` allows by default. */
#define MAX_WINDOW_LOG 27

/* How much of the file is read at a time, so that it and what it unpacks to stay in the second-level cache. */
#define INPUT_SIZE (512 * 1024)
#define LEAST_STEP (16 * 1024)
#define STEP_SLACK 16

/* Frames of at most this many bytes, packed and unpacked, are decompressed at once and into the caller's memory, which
 * takes three quarters of the time that it takes through a window. Recorders write frames of 1 MiB. */
#define MAX_WHOLE_FRAME (4 * 1024 * 1024)

/* A context that has grown a larger window than whole frames need is not kept. */
#define MAX_KEPT_CONTEXT (1024 * 1024)

typedef struct
{
  ZSTD_DCtx *context;
  guint8 *input;
  gsize capacity;
  gsize step; /* how much is read at a time */
  ZSTD_inBuffer in;
  gboolean is_streaming; /* the frame at the input's place cannot be had at once, or has begun */
  gboolean in_frame;
  gsize fault; /* zstd's code, kept until what was decompressed before it has been handed out */
} ZstdState;

static void
free_context (gpointer context)
{
  ZSTD_freeDCtx (context);
}

/* A thread's context, for the next file or part of a file that it reads. */
static GPrivate kept_context = G_PRIVATE_INIT (free_context);

static ZSTD_DCtx *
take_context (void)
{
  ZSTD_DCtx *context = g_private_get (&kept_context);

  g_private_set (&kept_context, NULL);
  return context != NULL ? context : ZSTD_createDCtx ();
}

static void
keep_context (ZSTD_DCtx *context)
{
  if (g_private_get (&kept_context) != NULL || ZSTD_sizeof_DCtx (context) > MAX_KEPT_CONTEXT)
    ZSTD_freeDCtx (context);
  else
    g_private_set (&kept_context, context);
}

static gpointer
zstd_open (void)
{
  ZSTD_DCtx *context = take_context ();
  ZstdState *self = g_try_new0 (ZstdState, 1);
  guint8 *input = g_try_malloc (INPUT_SIZE);

  if (context == NULL || self == NULL || input == NULL)
    {
      ZSTD_freeDCtx (context);
      g_free (self);
      g_free (input);
      return NULL;
    }
  ZSTD_DCtx_reset (context, ZSTD_reset_session_only);
  ZSTD_DCtx_setParameter (context, ZSTD_d_windowLogMax, MAX_WINDOW_LOG);
  self->context = context;
  self->capacity = self->step = INPUT_SIZE;
  self->in.src = self->input = input;
  return self;
}

static void
zstd_close (gpointer state)
{
  ZstdState *self = state;

  keep_context (self->context);
  g_free (self->input);
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

/* Reads more of the file behind what has not been decompressed. Returns how much, -1 with an error. */
static gssize
fill_input (ZstdState *self, PlSourceFile *file, GError **error)
{
  gsize left = self->in.size - self->in.pos;
  gssize n;

  memmove (self->input, self->input + self->in.pos, left);
  if (left == self->capacity)
    {
      self->capacity *= 2;
      self->in.src = self->input = g_realloc (self->input, self->capacity);
    }
  self->in.pos = 0;
  self->in.size = left;
  n = pl_source_file_read (file, self->input + left, MIN (self->capacity - left, self->step), error);
  self->in.size += (gsize) MAX (n, 0);
  return n;
}

static const guint8 *
next_frame (const ZstdState *self, gsize *out_left)
{
  *out_left = self->in.size - self->in.pos;
  return self->input + self->in.pos;
}

/* What the frame that begins at the input's place unpacks to; 0 when that is not known or more than is had at once. */
static gsize
get_whole_size (const ZstdState *self)
{
  gsize left;
  const guint8 *frame = next_frame (self, &left);
  unsigned long long raw = ZSTD_getFrameContentSize (frame, left);

  return raw > 0 && raw <= MAX_WHOLE_FRAME ? (gsize) raw : 0;
}

static gsize
zstd_get_read_size (gpointer state, PlSourceFile *file)
{
  ZstdState *self = state;

  if (self->is_streaming || self->fault != 0)
    return 1;
  /* A fault is met again by the read. */
  if (self->in.size - self->in.pos < PL_ZSTD_MAX_FRAME_HEADER)
    fill_input (self, file, NULL);
  return MAX (get_whole_size (self), 1);
}

/* Reads on until the frame at the input's place is whole. Returns its size, 0 when it is none that is had at once. */
static gsize
fetch_frame (ZstdState *self, PlSourceFile *file)
{
  while (TRUE)
    {
      gsize left;
      const guint8 *frame = next_frame (self, &left);
      gsize size = left > 0 ? ZSTD_findFrameCompressedSize (frame, left) : 0;

      if (size > 0 && !ZSTD_isError (size))
        return size;
      if (left >= MAX_WHOLE_FRAME || fill_input (self, file, NULL) <= 0)
        return 0;
    }
}

/* Decompresses the next frame, if it is whole, sound and fits. Returns 0 otherwise: then it is to be streamed, which
 * gives what a broken frame still holds. */
static gsize
read_whole_frame (ZstdState *self, PlSourceFile *file, guint8 *buffer, gsize size)
{
  gsize raw;
  gsize packed;
  gsize n;

  if (self->in.pos == self->in.size)
    fill_input (self, file, NULL);
  raw = get_whole_size (self);
  if (raw == 0 || raw > size)
    return 0;
  packed = fetch_frame (self, file);
  if (packed == 0)
    return 0;
  n = ZSTD_decompressDCtx (self->context, buffer, size, self->input + self->in.pos, packed);
  if (ZSTD_isError (n))
    {
      ZSTD_DCtx_reset (self->context, ZSTD_reset_session_only);
      return 0;
    }
  self->in.pos += packed;
  /* The next frame will be about as large: what is read beyond it has to be moved. */
  self->step = CLAMP (packed + packed / STEP_SLACK, LEAST_STEP, INPUT_SIZE);
  return n;
}

static gssize
stream (ZstdState *self, PlSourceFile *file, guint8 *buffer, gsize size, GError **error)
{
  ZSTD_outBuffer out = { buffer, size, 0 };

  while (out.pos == 0)
    {
      gboolean at_end = FALSE;
      gsize status;

      if (self->in.pos == self->in.size)
        {
          gssize n = fill_input (self, file, error);

          if (n < 0)
            return -1;
          at_end = n == 0;
        }
      if (at_end && !self->in_frame)
        break;

      /* Also without input: output may be waiting that did not fit the last time. */
      status = self->fault != 0 ? self->fault : ZSTD_decompressStream (self->context, &out, &self->in);
      if (ZSTD_isError (status))
        self->fault = status;
      else
        self->in_frame = status != 0;

      if (out.pos == 0 && (self->fault != 0 || at_end))
        {
          set_error (self, file, error);
          return -1;
        }
      if (!self->in_frame && self->fault == 0)
        break;
    }
  self->is_streaming = self->in_frame || self->fault != 0;
  return (gssize) out.pos;
}

static gssize
zstd_read (gpointer state, PlSourceFile *file, guint8 *buffer, gsize size, GError **error)
{
  ZstdState *self = state;
  gboolean is_at_end = FALSE;
  gssize n = 0;

  /* Of skippable and empty frames nothing comes. */
  while (n == 0 && !is_at_end)
    {
      if (!self->is_streaming)
        n = (gssize) read_whole_frame (self, file, buffer, size);
      if (n == 0)
        {
          guint64 position = file->offset - self->in.size + self->in.pos;

          n = stream (self, file, buffer, size, error);
          is_at_end = file->offset - self->in.size + self->in.pos == position;
        }
    }
  return n;
}

const PlSourceClass pl_source_zstd_class = {
  .format = PL_TRACE_FORMAT_ZSTD,
  .open = zstd_open,
  .close = zstd_close,
  .read = zstd_read,
  .get_read_size = zstd_get_read_size,
  .make_index = pl_zstd_frames_find_points,
};
