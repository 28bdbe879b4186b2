/* pl-segment-gaps.c: segments that are missing in the folders of a trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-segment-gaps.h"

#include "pl-session-files.h"

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
