/* pl-session-files.c: paths and directories → the files of a session, in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-session-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pl-dir-names.h"
#include "pl-segment-name.h"
#include "pl-trace-error.h"

typedef struct
{
  PlSegmentName name;
  guint rank; /* in pl_segment_suffixes */
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

static gboolean
add_segment (GPtrArray *segments, const char *directory, const char *name)
{
  Segment *segment = g_new0 (Segment, 1);

  if (!pl_segment_name_parse (name, &segment->name))
    {
      g_free (segment);
      return FALSE;
    }
  while (strcmp (pl_segment_suffixes[segment->rank], segment->name.suffix) != 0)
    segment->rank++;
  segment->path = g_build_filename (directory, name, NULL);
  g_ptr_array_add (segments, segment);
  return TRUE;
}

static int
compare_paths (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static GPtrArray *
read_names (const char *directory, GCancellable *cancellable, GError **error)
{
  int fd = open (directory, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
  GPtrArray *names = fd >= 0 ? pl_dir_names_list (fd, cancellable) : NULL;
  int saved_errno = errno;

  if (fd >= 0)
    close (fd);
  if (names == NULL && !g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO, _("%s: cannot be listed: %s"), directory,
                 g_strerror (saved_errno));
  return names;
}

/* The segments of a directory; one that holds none, but files with a trace's suffix, gives those. */
static gboolean
list_directory (const char *directory, GPtrArray *files, GCancellable *cancellable, GError **error)
{
  g_autoptr(GPtrArray) names = read_names (directory, cancellable, error);
  g_autoptr(GPtrArray) segments = g_ptr_array_new_with_free_func (segment_free);
  g_autoptr(GPtrArray) others = g_ptr_array_new_with_free_func (g_free);
  const Segment *last = NULL;

  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < names->len; i++)
    {
      const char *name = g_ptr_array_index (names, i);

      if (!add_segment (segments, directory, name))
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
