/* pl-session-files.c: paths and directories → the files of a session, in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-session-files.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "pl-trace-error.h"

/* From the form to keep to the one to drop, where a segment lies there in several: the processed forms may be half
 * written while the sealed one is still there. */
static const char *const suffixes[] = { ".bin", ".bin.zst", ".bin.gz", ".bin.active" };

typedef struct
{
  PlSegmentName name;
  guint rank; /* in suffixes */
  char *path;
} Segment;

static void
segment_free (gpointer data)
{
  Segment *self = data;

  pl_segment_name_clear (&self->name);
  g_free (self->path);
  g_free (self);
}

/**
 * pl_segment_name_parse:
 * @name: a file's name without its directory
 * @out_segment: (out): its parts; free with pl_segment_name_clear()
 *
 * Takes `STEM.N.bin`, `.bin.active`, `.bin.gz` and `.bin.zst`, N a decimal number that fits 32 bits. The stem may
 * hold dots.
 *
 * Returns: whether @name is such a name
 */
gboolean
pl_segment_name_parse (const char *name, PlSegmentName *out_segment)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *rest = NULL;
      char *dot;
      guint64 index;

      if (!g_str_has_suffix (name, suffixes[i]))
        continue;
      rest = g_strndup (name, strlen (name) - strlen (suffixes[i]));
      dot = strrchr (rest, '.');
      if (dot == NULL || dot == rest || !g_ascii_string_to_unsigned (dot + 1, 10, 0, G_MAXUINT32, &index, NULL))
        return FALSE;
      out_segment->stem = g_strndup (rest, (gsize) (dot - rest));
      out_segment->index = index;
      out_segment->suffix = suffixes[i];
      return TRUE;
    }
  return FALSE;
}

void
pl_segment_name_clear (PlSegmentName *segment)
{
  g_clear_pointer (&segment->stem, g_free);
}

static int
compare_segments (gconstpointer a, gconstpointer b)
{
  const Segment *first = *(Segment *const *) a;
  const Segment *second = *(Segment *const *) b;
  int by_stem = strcmp (first->name.stem, second->name.stem);

  if (by_stem != 0)
    return by_stem;
  if (first->name.index != second->name.index)
    return first->name.index < second->name.index ? -1 : 1;
  return (first->rank > second->rank) - (first->rank < second->rank);
}

static void
add_segment (GPtrArray *segments, const char *directory, const char *name)
{
  Segment *segment = g_new0 (Segment, 1);

  if (!pl_segment_name_parse (name, &segment->name))
    {
      g_free (segment);
      return;
    }
  while (strcmp (suffixes[segment->rank], segment->name.suffix) != 0)
    segment->rank++;
  segment->path = g_build_filename (directory, name, NULL);
  g_ptr_array_add (segments, segment);
}

static gboolean
has_trace_suffix (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (suffixes); i++)
    if (g_str_has_suffix (name, suffixes[i]))
      return TRUE;
  return FALSE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

/* The segments of a directory; one that holds none, but files with a trace's suffix, gives those. */
static gboolean
list_directory (const char *directory, GPtrArray *files, GCancellable *cancellable, GError **error)
{
  g_autoptr(GDir) dir = NULL;
  g_autoptr(GError) open_error = NULL;
  g_autoptr(GPtrArray) segments = g_ptr_array_new_with_free_func (segment_free);
  g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  const Segment *last = NULL;
  const char *name;

  dir = g_dir_open (directory, 0, &open_error);
  if (dir == NULL)
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO, _("%s: cannot be listed: %s"), directory,
                   open_error->message);
      return FALSE;
    }
  while ((name = g_dir_read_name (dir)) != NULL && !g_cancellable_is_cancelled (cancellable))
    {
      guint n = segments->len;

      add_segment (segments, directory, name);
      if (segments->len == n && has_trace_suffix (name))
        g_ptr_array_add (others, g_build_filename (directory, name, NULL));
    }

  g_ptr_array_sort (segments, compare_segments);
  for (guint i = 0; i < segments->len; i++)
    {
      const Segment *segment = g_ptr_array_index (segments, i);

      if (last == NULL || segment->name.index != last->name.index || strcmp (segment->name.stem, last->name.stem) != 0)
        g_ptr_array_add (files, g_strdup (segment->path));
      last = segment;
    }
  if (segments->len == 0)
    {
      g_ptr_array_sort (others, compare_paths);
      g_ptr_array_extend_and_steal (files, g_steal_pointer (&others));
    }
  return TRUE;
}

/* Keeps the first of several paths to one file: events that are read twice would count twice. */
static void
drop_repeated (GPtrArray *files)
{
  g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  guint kept = 0;

  for (guint i = 0; i < files->len; i++)
    {
      char *path = g_ptr_array_index (files, i);
      char *identity = NULL;
      GStatBuf info;

      if (g_stat (path, &info) == 0)
        identity = g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT, (guint64) info.st_dev,
                                    (guint64) info.st_ino);
      else
        identity = g_strdup (path);
      if (g_hash_table_add (seen, identity))
        files->pdata[kept++] = path;
      else
        g_free (path);
    }
  for (guint i = kept; i < files->len; i++)
    files->pdata[i] = NULL;
  g_ptr_array_set_size (files, (gint) kept);
}

/**
 * pl_session_files_list:
 * @paths: (array zero-terminated=1): files and directories
 * @cancellable: (nullable): a cancellable
 *
 * Files as they were given; of a directory its segments by stem and number. No file twice. May block on the disk.
 *
 * Returns: (transfer full) (element-type filename): the paths; %NULL with an error when a directory cannot be listed,
 *   or when there is nothing to read at all
 */
GPtrArray *
pl_session_files_list (const char *const *paths, GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; paths[i] != NULL; i++)
    {
      if (!g_file_test (paths[i], G_FILE_TEST_IS_DIR))
        g_ptr_array_add (files, g_strdup (paths[i]));
      else if (!list_directory (paths[i], files, cancellable, error))
        return NULL;
    }
  if (g_cancellable_set_error_if_cancelled (cancellable, error))
    return NULL;
  if (files->len == 0)
    {
      g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO,
                   _("%s: holds no trace; files named PREFIX.N.bin, .bin.active, .bin.gz or .bin.zst were expected"),
                   paths[0] != NULL ? paths[0] : "");
      return NULL;
    }
  drop_repeated (files);
  return g_steal_pointer (&files);
}
