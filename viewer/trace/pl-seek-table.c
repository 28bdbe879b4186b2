/* pl-seek-table.c: whether the seek table of a zstd file is true
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nothing here relies on the table: frames are read in order. But other tools do, so who looks at the file is told. The
 * format is that of zstd's contrib/seekable_format: a skippable frame of sizes, which ends in a footer.
 */
#include "config.h"

#include "pl-seek-table.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "pl-trace-error.h"

#define FRAME_MAGIC 0x184d2a5eu
#define FOOTER_MAGIC 0x8f92eab1u
#define HEADER_SIZE 8
#define FOOTER_SIZE 9
#define HAS_CHECKSUMS 0x80

typedef struct
{
  guint64 n_frames;
  guint64 entry_size;
  guint64 from; /* where its frame begins in the file */
} Table;

/* Whether the file ends as one with a seek table does; what is claimed of that is not checked. */
static gboolean
read_footer (GDataInputStream *stream, guint64 file_size, Table *out_table)
{
  guint8 descriptor;

  if (file_size < HEADER_SIZE + FOOTER_SIZE
      || !g_seekable_seek (G_SEEKABLE (stream), (goffset) (file_size - FOOTER_SIZE), G_SEEK_SET, NULL, NULL))
    return FALSE;
  out_table->n_frames = g_data_input_stream_read_uint32 (stream, NULL, NULL);
  descriptor = g_data_input_stream_read_byte (stream, NULL, NULL);
  out_table->entry_size = descriptor & HAS_CHECKSUMS ? 12 : 8;
  return g_data_input_stream_read_uint32 (stream, NULL, NULL) == FOOTER_MAGIC;
}

/* Whether as many entries as are claimed fit, with the head of their frame before them. */
static gboolean
find_frame (GDataInputStream *stream, guint64 file_size, Table *table)
{
  guint64 size = HEADER_SIZE + table->n_frames * table->entry_size + FOOTER_SIZE;

  if (size > file_size)
    return FALSE;
  table->from = file_size - size;
  return g_seekable_seek (G_SEEKABLE (stream), (goffset) table->from, G_SEEK_SET, NULL, NULL)
         && g_data_input_stream_read_uint32 (stream, NULL, NULL) == FRAME_MAGIC
         && g_data_input_stream_read_uint32 (stream, NULL, NULL) == size - HEADER_SIZE;
}

static gboolean
sum_entries (GDataInputStream *stream, const Table *table, guint64 *out_packed, guint64 *out_raw, GError **error)
{
  *out_packed = *out_raw = 0;
  for (guint64 i = 0; i < table->n_frames; i++)
    {
      g_autoptr(GError) fault = NULL;

      *out_packed += g_data_input_stream_read_uint32 (stream, NULL, &fault);
      *out_raw += g_data_input_stream_read_uint32 (stream, NULL, &fault);
      if (fault == NULL && table->entry_size > 8)
        g_data_input_stream_read_uint32 (stream, NULL, &fault);
      if (fault != NULL)
        {
          g_propagate_error (error, g_steal_pointer (&fault));
          return FALSE;
        }
    }
  return TRUE;
}

static gboolean
check_sums (const PlTraceFile *file, const Table *table, guint64 packed, guint64 raw, GError **error)
{
  /* Of several files put together the last table tells of the last file alone. */
  gboolean is_of_all = packed == table->from;

  if (packed > table->from)
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT,
                   _("%s: the seek table is wrong and was not used: its frames would take %" PRIu64 " bytes, and %" PRIu64
                     " bytes lie before it"), file->path, packed, table->from);
      return FALSE;
    }
  if (file->error == NULL && (raw > file->raw_bytes || (is_of_all && raw != file->raw_bytes)))
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT,
                   _("%s: the seek table is wrong and was not used: its frames would hold %" PRIu64 " bytes of events, and %"
                     PRIu64 " were read"), file->path, raw, file->raw_bytes);
      return FALSE;
    }
  return TRUE;
}

/**
 * pl_seek_table_check:
 * @file: of a snapshot that was loaded; one that is not zstd, has no such table or cannot be read is fine here
 *
 * Compares the table with the sizes of file and events. Reads the table, in bounded memory; not on the main thread.
 *
 * Returns: %FALSE with an error when the table lies
 */
gboolean
pl_seek_table_check (const PlTraceFile *file, GError **error)
{
  g_autoptr(GFile) location = g_file_new_for_path (file->path);
  g_autoptr(GFileInputStream) input = NULL;
  g_autoptr(GDataInputStream) stream = NULL;
  Table table = { 0 };
  guint64 packed;
  guint64 raw;

  if (file->format != PL_TRACE_FORMAT_ZSTD || file->is_growing)
    return TRUE;
  input = g_file_read (location, NULL, NULL);
  if (input == NULL)
    return TRUE;
  stream = g_data_input_stream_new (G_INPUT_STREAM (input));
  g_data_input_stream_set_byte_order (stream, G_DATA_STREAM_BYTE_ORDER_LITTLE_ENDIAN);
  if (!read_footer (stream, file->size_bytes, &table))
    return TRUE;
  if (!find_frame (stream, file->size_bytes, &table))
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT,
                   _("%s: the seek table is wrong and was not used: it claims %" PRIu64
                     " frames, which is not what lies before its end"), file->path, table.n_frames);
      return FALSE;
    }
  return sum_entries (stream, &table, &packed, &raw, error) && check_sums (file, &table, packed, raw, error);
}
