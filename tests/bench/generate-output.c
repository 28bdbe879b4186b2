/* generate-output.c: where a made-up trace goes: one file or several segments, raw or zstd frames
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A thread of its own compresses and writes, block by block, while the next ones are filled.
 */
#include "config.h"

#include "generate-output.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "recorder/trc.h"

/* Also the input of one zstd frame; the frames are independent. */
#define BLOCK_SIZE (1024 * 1024)
#define N_BLOCKS 4
#define ZSTD_LEVEL 3

/* The seek table of zstd's contrib/seekable_format: a skippable frame at the end of the file. */
#define SEEK_TABLE_MAGIC 0x184d2a5eu
#define SEEK_TABLE_FOOTER_MAGIC 0x8f92eab1u

typedef struct
{
  gsize size; /* 0 tells the thread to end */
  guint8 bytes[BLOCK_SIZE];
} Block;

struct _Output
{
  char *path;
  guint64 size_bytes; /* raw, all segments */
  guint n_segments;   /* 0 = the path is the file */
  guint segment;
  guint64 segment_bytes; /* raw, in this one */
  guint64 raw_bytes;
  Block *block; /* being filled */
  GAsyncQueue *empty;
  GAsyncQueue *full;
  GThread *thread; /* of this segment */

  /* the thread's, until it has been joined */
  int fd;
  guint64 disk_bytes;
  GError *error;
  ZSTD_CCtx *zstd; /* NULL for raw */
  guint8 *packed;
  GByteArray *seek_table;
  guint n_frames;
};

/**
 * output_new:
 * @path: a file, or with segments a directory, which is made where it is missing
 * @size_bytes: raw bytes in all that are asked for
 * @n_segments: 0 for one file
 * @is_zstd: compress, in independent frames of 1 MiB, with a seek table
 *
 * Call output_next_segment() before the first byte.
 */
Output *
output_new (const char *path, guint64 size_bytes, guint n_segments, gboolean is_zstd)
{
  Output *self = g_new0 (Output, 1);

  self->path = g_strdup (path);
  self->size_bytes = size_bytes;
  self->n_segments = n_segments;
  self->fd = -1;
  self->block = g_new0 (Block, 1);
  self->full = g_async_queue_new_full (g_free);
  self->empty = g_async_queue_new_full (g_free);
  for (guint i = 1; i < N_BLOCKS; i++)
    g_async_queue_push (self->empty, g_new0 (Block, 1));
  if (is_zstd)
    {
      self->zstd = ZSTD_createCCtx ();
      ZSTD_CCtx_setParameter (self->zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL);
      self->packed = g_malloc (ZSTD_compressBound (BLOCK_SIZE));
      self->seek_table = g_byte_array_new ();
    }
  return self;
}

static gboolean
fail (GError **error, const char *what)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, (int) g_io_error_from_errno (code), "%s: %s", what, g_strerror (code));
  return FALSE;
}

static gboolean
write_to_disk (Output *self, const guint8 *bytes, gsize size, GError **error)
{
  while (size > 0)
    {
      gssize n = write (self->fd, bytes, size);

      if (n < 0)
        return fail (error, self->path);
      bytes += n;
      size -= (gsize) n;
      self->disk_bytes += (guint64) n;
    }
  return TRUE;
}

static void
put_u32 (GByteArray *bytes, guint32 value)
{
  guint8 buffer[4];

  trc_write_u32 (buffer, value);
  g_byte_array_append (bytes, buffer, 4);
}

static gboolean
write_frame (Output *self, const Block *block, GError **error)
{
  gsize packed = ZSTD_compress2 (self->zstd, self->packed, ZSTD_compressBound (BLOCK_SIZE), block->bytes, block->size);

  if (ZSTD_isError (packed))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "zstd: %s", ZSTD_getErrorName (packed));
      return FALSE;
    }
  put_u32 (self->seek_table, (guint32) packed);
  put_u32 (self->seek_table, (guint32) block->size);
  self->n_frames++;
  return write_to_disk (self, self->packed, packed, error);
}

static gboolean
write_seek_table (Output *self, GError **error)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  static const guint8 flags = 0; /* no checksums */

  put_u32 (bytes, SEEK_TABLE_MAGIC);
  put_u32 (bytes, self->seek_table->len + 9);
  g_byte_array_append (bytes, self->seek_table->data, self->seek_table->len);
  put_u32 (bytes, self->n_frames);
  g_byte_array_append (bytes, &flags, 1);
  put_u32 (bytes, SEEK_TABLE_FOOTER_MAGIC);
  g_byte_array_set_size (self->seek_table, 0);
  self->n_frames = 0;
  return write_to_disk (self, bytes->data, bytes->len, error);
}

static void
write_block (Output *self, const Block *block)
{
  if (self->zstd != NULL)
    write_frame (self, block, &self->error);
  else
    write_to_disk (self, block->bytes, block->size, &self->error);
}

/* After an error the rest is taken and dropped, so that the other thread does not wait for blocks. */
static gpointer
write_blocks (gpointer data)
{
  Output *self = data;
  Block *block;
  gboolean is_last;

  do
    {
      block = g_async_queue_pop (self->full);
      is_last = block->size == 0;
      if (self->error == NULL && !is_last)
        write_block (self, block);
      block->size = 0;
      g_async_queue_push (self->empty, block);
    }
  while (!is_last);
  return NULL;
}

static void
pass_on (Output *self)
{
  g_async_queue_push (self->full, self->block);
  self->block = g_async_queue_pop (self->empty);
}

static void
end_thread (Output *self)
{
  if (self->thread == NULL)
    return;
  if (self->block->size > 0)
    pass_on (self);
  pass_on (self);
  g_thread_join (g_steal_pointer (&self->thread));
}

void
output_free (Output *self)
{
  end_thread (self);
  if (self->fd >= 0)
    g_close (self->fd, NULL);
  if (self->zstd != NULL)
    {
      ZSTD_freeCCtx (self->zstd);
      g_byte_array_unref (self->seek_table);
    }
  g_async_queue_unref (self->full);
  g_async_queue_unref (self->empty);
  g_clear_error (&self->error);
  g_free (self->block);
  g_free (self->packed);
  g_free (self->path);
  g_free (self);
}

/**
 * output_close:
 *
 * Ends the file or the segment.
 */
gboolean
output_close (Output *self, GError **error)
{
  gboolean is_ok;

  if (self->fd < 0)
    return TRUE;
  end_thread (self);
  is_ok = self->error == NULL;
  if (!is_ok)
    g_propagate_error (error, g_steal_pointer (&self->error));
  else if (self->zstd != NULL)
    is_ok = write_seek_table (self, error);
  if (close (self->fd) < 0 && is_ok)
    is_ok = fail (error, self->path);
  self->fd = -1;
  return is_ok;
}

/**
 * output_next_segment:
 *
 * Ends the segment and begins the next one, or the only file.
 */
gboolean
output_next_segment (Output *self, GError **error)
{
  g_autofree char *path = NULL;

  if (!output_close (self, error))
    return FALSE;
  if (self->n_segments == 0)
    path = g_strdup (self->path);
  else
    {
      if (g_mkdir_with_parents (self->path, 0755) < 0)
        return fail (error, self->path);
      path = g_strdup_printf ("%s/trace.%u.bin%s", self->path, self->segment, self->zstd != NULL ? ".zst" : "");
    }
  self->fd = open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (self->fd < 0)
    return fail (error, path);
  self->thread = g_thread_new ("writer", write_blocks, self);
  self->segment++;
  self->segment_bytes = 0;
  return TRUE;
}

/**
 * output_get_left:
 *
 * Returns: raw bytes still to be written to this segment; 0 when it is full
 */
guint64
output_get_left (Output *self)
{
  guint n_segments = MAX (self->n_segments, 1);
  guint64 size = self->size_bytes / n_segments;

  return self->segment_bytes < size ? size - self->segment_bytes : 0;
}

/* Raw bytes to the segment. What goes wrong in the background, output_close() reports. */
void
output_write (Output *self, const guint8 *bytes, gsize size)
{
  self->raw_bytes += size;
  self->segment_bytes += size;
  while (size > 0)
    {
      gsize n = MIN (size, BLOCK_SIZE - self->block->size);

      memcpy (self->block->bytes + self->block->size, bytes, n);
      self->block->size += n;
      bytes += n;
      size -= n;
      if (self->block->size == BLOCK_SIZE)
        pass_on (self);
    }
}

guint64
output_get_raw (Output *self)
{
  return self->raw_bytes;
}

/* After output_close(). */
guint64
output_get_disk (Output *self)
{
  return self->disk_bytes;
}
