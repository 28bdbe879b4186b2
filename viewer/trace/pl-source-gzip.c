/* pl-source-gzip.c: gzip files of any number of members
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-source-private.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <zlib.h>

#include "pl-trace-error.h"

#define INPUT_SIZE (128 * 1024)

typedef struct
{
  z_stream stream;
  gboolean in_member;
  guint8 input[INPUT_SIZE];
} GzipState;

static gpointer
gzip_open (void)
{
  GzipState *self = g_try_new0 (GzipState, 1);

  /* 16: expect a gzip header and check its sum. */
  if (self == NULL || inflateInit2 (&self->stream, 15 + 16) != Z_OK)
    {
      g_free (self);
      return NULL;
    }
  self->in_member = TRUE;
  return self;
}

static void
gzip_close (gpointer state)
{
  GzipState *self = state;

  inflateEnd (&self->stream);
  g_free (self);
}

/* Returns 1 when there is input, 0 at the end of the file, -1 with an error. */
static int
fill (GzipState *self, PlSourceFile *file, GError **error)
{
  gssize n;

  if (self->stream.avail_in > 0)
    return 1;
  n = pl_source_file_read (file, self->input, INPUT_SIZE, error);
  if (n <= 0)
    return (int) n;
  self->stream.next_in = self->input;
  self->stream.avail_in = (uInt) n;
  return 1;
}

static guint64
position (GzipState *self, PlSourceFile *file)
{
  return file->offset - self->stream.avail_in;
}

/* Zeros after the last member are padding, as gzip itself takes them. */
static gboolean
begin_member (GzipState *self)
{
  if (*self->stream.next_in == 0)
    {
      self->stream.next_in++;
      self->stream.avail_in--;
      return FALSE;
    }
  inflateReset (&self->stream);
  self->in_member = TRUE;
  return TRUE;
}

/* zlib reports a fault again at every later call, so one that comes after some output can wait for the next. */
static void
set_error (GzipState *self, PlSourceFile *file, int status, GError **error)
{
  if (status == Z_BUF_ERROR)
    g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED,
                 _("%s: the gzip data break off at byte %" PRIu64 ", a complete member was expected"),
                 file->path, position (self, file));
  else
    g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT,
                 _("%s: the gzip data are damaged at byte %" PRIu64 ": %s"), file->path,
                 position (self, file), self->stream.msg != NULL ? self->stream.msg : "bad stream");
}

static gssize
gzip_read (gpointer state, PlSourceFile *file, guint8 *buffer, gsize size, GError **error)
{
  GzipState *self = state;
  int status;

  self->stream.next_out = buffer;
  self->stream.avail_out = (uInt) MIN (size, G_MAXINT);
  size = self->stream.avail_out;

  while (self->stream.avail_out == size)
    {
      int more = fill (self, file, error);

      if (more < 0)
        return -1;
      if (more == 0 && !self->in_member)
        break;
      if (more > 0 && !self->in_member && !begin_member (self))
        continue;

      /* Also without input: output may be waiting that did not fit the last time. */
      status = inflate (&self->stream, Z_NO_FLUSH);
      if (status == Z_STREAM_END)
        self->in_member = FALSE;
      else if (status == Z_OK || (status == Z_BUF_ERROR && more > 0))
        continue;
      else if (self->stream.avail_out == size)
        {
          set_error (self, file, status, error);
          return -1;
        }
    }
  return (gssize) (size - self->stream.avail_out);
}

const PlSourceClass pl_source_gzip_class = {
  .format = PL_TRACE_FORMAT_GZIP,
  .open = gzip_open,
  .close = gzip_close,
  .read = gzip_read,
};
