/* dir-files.c: the files of a session directory, as a look finds them, changed by hand
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "dir-files.h"

static int
compare (gconstpointer a, gconstpointer b)
{
  const PlDirFile *first = a;
  const PlDirFile *second = b;

  return first->index != second->index ? (first->index > second->index) - (first->index < second->index)
                                       : (int) first->form - (int) second->form;
}

PlDirFile *
dir_files_find (GArray *files, guint64 index, PlForm form)
{
  for (guint i = 0; i < files->len; i++)
    {
      PlDirFile *file = &g_array_index (files, PlDirFile, i);

      if (file->index == index && file->form == form)
        return file;
    }
  return NULL;
}

void
dir_files_put (GArray *files, const PlDirFile *file)
{
  PlDirFile *found = dir_files_find (files, file->index, file->form);

  if (found != NULL)
    *found = *file;
  else
    g_array_append_vals (files, file, 1);
  g_array_sort (files, compare);
}

void
dir_files_drop (GArray *files, guint64 index, PlForm form)
{
  PlDirFile *file = dir_files_find (files, index, form);

  g_array_remove_index (files, (guint) (file - (PlDirFile *) (void *) files->data));
}
