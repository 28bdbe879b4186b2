/* pl-segment-gaps.c: segments that are missing in the folders of a trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-segment-gaps.h"

#include <string.h>

#include "pl-segment-name.h"

/* The folder of @path as it stands in the paths of the files that were found there. */
static gboolean
is_in_folder (const char *file, const char *path)
{
  g_autofree char *inside = g_build_filename (path, "-", NULL);
  g_autofree char *folder = g_path_get_dirname (inside);
  g_autofree char *folder_of_file = g_path_get_dirname (file);

  return g_str_equal (folder, folder_of_file) && g_file_test (path, G_FILE_TEST_IS_DIR);
}

/* Of files that were named one by one nothing is missing: that is what was asked for. */
static gboolean
is_in_any (const char *file, const char *const *paths)
{
  for (gsize i = 0; paths[i] != NULL; i++)
    if (is_in_folder (file, paths[i]))
      return TRUE;
  return FALSE;
}

/**
 * pl_segment_gaps_count:
 * @paths: (array zero-terminated=1): what @trace was loaded from
 *
 * Tells by the numbers in their names which segments are not there. Looks at the disk.
 *
 * Returns: how many
 */
PlSegmentGaps
pl_segment_gaps_count (PlTrace *trace, const char *const *paths)
{
  PlSegmentGaps gaps = { 0, 0 };
  g_autofree char *last = NULL;
  guint64 next = 0;
  guint n;
  const PlTraceFile *files = pl_trace_get_files (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_path_get_basename (files[i].path);
      g_autofree char *folder = NULL;
      g_autofree char *session = NULL;
      PlSegmentName segment;

      if (!is_in_any (files[i].path, paths) || !pl_segment_name_parse (name, &segment))
        continue;
      folder = g_path_get_dirname (files[i].path);
      session = g_build_filename (folder, segment.stem, NULL);
      if (g_strcmp0 (session, last) != 0)
        gaps.n_before += segment.index;
      else if (segment.index > next)
        gaps.n_between += segment.index - next;
      next = segment.index + 1;
      g_free (last);
      last = g_steal_pointer (&session);
      pl_segment_name_clear (&segment);
    }
  return gaps;
}

/* A file by the session that its name tells, and its number there. */
typedef struct
{
  char *session;
  guint64 index;
  guint file;
} Place;

static void
place_clear (gpointer data)
{
  g_free (((Place *) data)->session);
}

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *first = a;
  const Place *second = b;
  int by_session = strcmp (first->session, second->session);

  return by_session != 0 ? by_session : (first->index > second->index) - (first->index < second->index);
}

static GArray *
find_places (GArray *files)
{
  GArray *places = g_array_new (FALSE, FALSE, sizeof (Place));

  g_array_set_clear_func (places, place_clear);
  for (guint i = 0; i < files->len; i++)
    {
      const char *path = g_array_index (files, PlTraceFile, i).path;
      g_autofree char *name = g_path_get_basename (path);
      g_autofree char *folder = g_path_get_dirname (path);
      PlSegmentName segment;
      Place place;

      if (!pl_segment_name_parse (name, &segment))
        continue;
      place = (Place) { g_build_filename (folder, segment.stem, NULL), segment.index, i };
      g_array_append_val (places, place);
      pl_segment_name_clear (&segment);
    }
  g_array_sort (places, compare_places);
  return places;
}

/**
 * pl_segment_gaps_get_stretches:
 * @files: (element-type PlTraceFile): in any order
 *
 * Numbers the stretches of segments without a gap, modulo 256. What has no number in its name is in stretch 0. O(n log n).
 *
 * Returns: (transfer full): the stretch of each file
 */
guint8 *
pl_segment_gaps_get_stretches (GArray *files)
{
  guint8 *stretches = g_new0 (guint8, MAX (files->len, 1));
  g_autoptr(GArray) places = find_places (files);

  for (guint i = 1; i < places->len; i++)
    {
      const Place *place = &g_array_index (places, Place, i);
      const Place *before = place - 1;
      gboolean is_same = g_str_equal (before->session, place->session);

      if (is_same)
        stretches[place->file] = (guint8) (stretches[before->file] + (place->index > before->index + 1));
    }
  return stretches;
}
