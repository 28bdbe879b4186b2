/* pl-source.c: the decompressed bytes of a file, whatever it is compressed with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-source-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "pl-trace-error.h"
#include "pl-zstd-frames.h"
#include "recorder/trc.h"

struct _PlSource
{
  PlSourceFile file;
  const PlSourceClass *class; /* NULL: the bytes are read as they are */
  gpointer state;
  guint64 raw_offset;
  guint64 to_skip; /* what the next reads are to leave out */
  GArray *index; /* (nullable): PlSourcePoint, sorted; the first is the start of the file */
};

gssize
pl_source_file_read (PlSourceFile *self, guint8 *buffer, gsize size, GError **error)
{
  gssize n;

  do
    n = pread (self->fd, buffer, size, (off_t) self->offset);
  while (n < 0 && errno == EINTR);

  if (n < 0)
    {
      int code = errno;

      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO, _("%s: cannot be read at byte %" PRIu64 ": %s"),
                   self->path, self->offset, g_strerror (code));
      return -1;
    }
  self->offset += (guint64) n;
  return n;
}

static const PlSourceClass *
detect_class (PlSourceFile *file, GError **error)
{
  guint8 magic[4] = { 0 };
  gssize n = pl_source_file_read (file, magic, sizeof magic, error);

  file->offset = 0;
  if (n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b)
    return &pl_source_gzip_class;
  /* A skippable frame may stand before the first data frame. */
  if (n == 4 && (trc_read_u32 (magic) == ZSTD_MAGICNUMBER || pl_zstd_frames_is_skippable (magic)))
    return &pl_source_zstd_class;
  return NULL;
}

/* (Re)starts the decompressor at the file's place. */
static gboolean
open_class (PlSource *self, GError **error)
{
  gpointer state = self->class->open ();

  if (state == NULL)
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TOO_LARGE,
                   _("%s: cannot be unpacked from byte %" PRIu64 " on: there is no memory for it"),
                   self->file.path, self->file.offset);
      return FALSE;
    }
  if (self->state != NULL)
    self->class->close (self->state);
  self->state = state;
  return TRUE;
}

static gboolean
open_file (PlSourceFile *file, const char *path, GError **error)
{
  struct stat info = { 0 };
  int code = 0;

  /* O_NONBLOCK: opening a FIFO without a writer must not hang; it is refused below. */
  file->fd = open (path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (file->fd < 0 || fstat (file->fd, &info) < 0)
    code = errno;
  /* A socket cannot even be opened. */
  if (code != 0 && code != ENXIO)
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO, _("%s: cannot be opened: %s"), path, g_strerror (code));
      return FALSE;
    }
  if (!S_ISREG (info.st_mode))
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO, _("%s: is not a regular file"), path);
      return FALSE;
    }
  file->path = g_strdup (path);
  file->size = (guint64) info.st_size;
  return TRUE;
}

/**
 * pl_source_open:
 * @path: a regular file
 *
 * Opens a file and finds out by its first bytes, never by its name, how it is compressed.
 *
 * Returns: (transfer full): the source, for one thread at a time; %NULL with %PL_TRACE_ERROR_IO, or with
 *   %PL_TRACE_ERROR_TOO_LARGE when there is no memory to unpack it
 */
PlSource *
pl_source_open (const char *path, GError **error)
{
  g_autoptr(PlSource) self = g_new0 (PlSource, 1);
  g_autoptr(GError) detect_error = NULL;

  self->file.fd = -1;
  if (!open_file (&self->file, path, error))
    return NULL;

  self->class = detect_class (&self->file, &detect_error);
  if (detect_error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&detect_error));
      return NULL;
    }
  if (self->class != NULL && !open_class (self, error))
    return NULL;
  return g_steal_pointer (&self);
}

void
pl_source_free (PlSource *self)
{
  if (self->state != NULL)
    self->class->close (self->state);
  if (self->file.fd >= 0)
    close (self->file.fd);
  g_free (self->file.path);
  g_clear_pointer (&self->index, g_array_unref);
  g_free (self);
}

/**
 * pl_source_read:
 * @buffer: room for @size bytes
 * @size: at least 1
 *
 * Reads the next decompressed bytes. May block on the disk.
 *
 * Returns: how many bytes, 0 at the end, -1 with an error of the domain #PlTraceError
 */
gssize
pl_source_read (PlSource *self, guint8 *buffer, gsize size, GError **error)
{
  gssize n;

  do
    {
      gsize skipped;

      if (self->class == NULL)
        n = pl_source_file_read (&self->file, buffer, size, error);
      else
        n = self->class->read (self->state, &self->file, buffer, size, error);
      if (n <= 0)
        return n;
      skipped = (gsize) MIN (self->to_skip, (guint64) n);
      memmove (buffer, buffer + skipped, (gsize) n - skipped);
      self->to_skip -= skipped;
      self->raw_offset += (guint64) n;
      n -= (gssize) skipped;
    }
  while (n == 0);
  return n;
}

/**
 * pl_source_get_read_size:
 *
 * Tells how much room the next read should have: a frame of zstd that fits is decompressed at once and in place. May
 * block on the disk.
 *
 * Returns: bytes, 1 when it does not matter
 */
gsize
pl_source_get_read_size (PlSource *self)
{
  if (self->class == NULL || self->class->get_read_size == NULL)
    return 1;
  return self->class->get_read_size (self->state, &self->file);
}

/* The last point of the index at or before a place. */
static PlSourcePoint
find_point (PlSource *self, guint64 raw_offset)
{
  PlSourcePoint point = { 0, 0 };

  for (guint i = 0; self->index != NULL && i < self->index->len; i++)
    {
      const PlSourcePoint *candidate = &g_array_index (self->index, PlSourcePoint, i);

      if (candidate->raw_offset > raw_offset)
        break;
      point = *candidate;
    }
  return point;
}

/* Decompresses until less than @step is left before @raw_offset, which the next read is to leave out. */
static gboolean
skip_until (PlSource *self, guint64 raw_offset, gsize step, GCancellable *cancellable, GError **error)
{
  g_autofree guint8 *skipped = raw_offset - self->raw_offset >= step ? g_malloc (step) : NULL;

  while (raw_offset - self->raw_offset >= step)
    {
      gssize n;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      n = pl_source_read (self, skipped, step, error);
      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
    }
  self->to_skip = raw_offset - self->raw_offset;
  return TRUE;
}

/**
 * pl_source_seek:
 * @raw_offset: decompressed bytes from the start
 * @cancellable: (nullable): ends the decompressing, with %G_IO_ERROR_CANCELLED
 *
 * Goes to a place; in a compressed file by decompressing from the nearest point of the index before it. After an error
 * @self is anywhere.
 *
 * Returns: %FALSE with an error when the file cannot be read up to there, or it was cancelled
 */
gboolean
pl_source_seek (PlSource *self, guint64 raw_offset, GCancellable *cancellable, GError **error)
{
  const gsize step = 2 * 1024 * 1024; /* larger than a frame of any recorder */
  PlSourcePoint point;

  self->to_skip = 0;
  if (self->class == NULL)
    {
      self->file.offset = self->raw_offset = raw_offset;
      return TRUE;
    }

  point = find_point (self, raw_offset);
  if (raw_offset < self->raw_offset || point.raw_offset > self->raw_offset)
    {
      self->file.offset = point.disk_offset;
      self->raw_offset = point.raw_offset;
      if (!open_class (self, error))
        return FALSE;
    }
  return skip_until (self, raw_offset, step, cancellable, error);
}

/**
 * pl_source_make_index:
 * @out_raw_size: (out): decompressed size of the file
 *
 * Finds out where in the file decompression can begin, so that several threads can read it. Of a compressed file that
 * takes one small read for each of its blocks.
 *
 * Returns: (transfer full) (nullable) (element-type PlSourcePoint): the points, for other sources of the same file;
 *   %NULL when the file can only be read from its start
 */
GArray *
pl_source_make_index (PlSource *self, guint64 *out_raw_size)
{
  if (self->class == NULL)
    {
      *out_raw_size = self->file.size;
      return g_array_new (FALSE, FALSE, sizeof (PlSourcePoint));
    }
  return self->class->make_index != NULL ? self->class->make_index (&self->file, out_raw_size) : NULL;
}

/**
 * pl_source_set_index:
 * @index: (nullable) (element-type PlSourcePoint): from pl_source_make_index() on the same file; a reference is taken
 */
void
pl_source_set_index (PlSource *self, GArray *index)
{
  g_clear_pointer (&self->index, g_array_unref);
  self->index = index != NULL ? g_array_ref (index) : NULL;
}

PlTraceFormat
pl_source_get_format (PlSource *self)
{
  return self->class != NULL ? self->class->format : PL_TRACE_FORMAT_RAW;
}

/**
 * pl_source_get_size:
 *
 * Returns: bytes on disk when it was opened
 */
guint64
pl_source_get_size (PlSource *self)
{
  return self->file.size;
}

/**
 * pl_source_get_disk_offset:
 *
 * Returns: how many bytes of the file on disk have been read, for progress
 */
guint64
pl_source_get_disk_offset (PlSource *self)
{
  return self->file.offset;
}
