/* pl-follow-list.c: how the segments of a followed session lie on disk now
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-follow-private.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pl-segment-name.h"
#include "pl-session-files.h"
#include "pl-trace-error.h"

/**
 * pl_follow_entry_init:
 * @out_entry: (out): free with pl_follow_entry_clear()
 * @path: a file
 *
 * Fills in what the path alone tells.
 */
void
pl_follow_entry_init (PlFollowEntry *out_entry, const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *directory = g_path_get_dirname (path);
  PlSegmentName segment;

  *out_entry = (PlFollowEntry) { .path = g_strdup (path) };
  if (!pl_segment_name_parse (name, &segment))
    {
      out_entry->key = g_strdup (path);
      return;
    }
  out_entry->is_active = g_str_has_suffix (segment.suffix, ".active");
  out_entry->is_packed = !out_entry->is_active && strcmp (segment.suffix, ".bin") != 0;
  /* A number has no slash: no stem can pass for another's directory. */
  out_entry->key = g_strdup_printf ("%s//%" G_GUINT64_FORMAT "/%s", directory, segment.index, segment.stem);
  pl_segment_name_clear (&segment);
}

void
pl_follow_entry_clear (PlFollowEntry *entry)
{
  g_free (entry->path);
  g_free (entry->key);
}

static gboolean
describe (const char *path, PlFollowEntry *out_entry)
{
  GStatBuf info;

  /* It may have been renamed since it was listed; the next look will show it. */
  if (g_stat (path, &info) < 0 || !S_ISREG (info.st_mode))
    return FALSE;
  pl_follow_entry_init (out_entry, path);
  out_entry->device = (guint64) info.st_dev;
  out_entry->inode = (guint64) info.st_ino;
  out_entry->size = (guint64) info.st_size;
  out_entry->mtime_ns = (gint64) info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
  return TRUE;
}

static PlFollowState
judge_empty (const char *const *paths)
{
  for (gsize i = 0; paths[i] != NULL; i++)
    if (g_file_test (paths[i], G_FILE_TEST_EXISTS))
      return PL_FOLLOW_EMPTY;
  return PL_FOLLOW_MISSING;
}

/**
 * pl_follow_list:
 * @paths: (array zero-terminated=1): files and directories, there or not
 * @entries: (element-type PlFollowEntry): where the segments are added, in their order
 *
 * May block on the disk.
 *
 * Returns: what was found
 */
PlFollowState
pl_follow_list (const char *const *paths, GArray *entries)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) files = pl_session_files_list (paths, NULL, &error);

  for (guint i = 0; files != NULL && i < files->len; i++)
    {
      PlFollowEntry entry;

      if (describe (files->pdata[i], &entry))
        g_array_append_val (entries, entry);
    }
  if (entries->len > 0)
    return PL_FOLLOW_PRESENT;
  for (gsize i = 0; files == NULL && paths[i] != NULL; i++)
    if (g_file_test (paths[i], G_FILE_TEST_IS_DIR) && g_access (paths[i], R_OK | X_OK) < 0)
      return PL_FOLLOW_UNREADABLE;
  return judge_empty (paths);
}
