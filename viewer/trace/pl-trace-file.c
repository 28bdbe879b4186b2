/* pl-trace-file.c: lists of files that own their parts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-trace-file.h"

static void
clear_file (gpointer data)
{
  PlTraceFile *file = data;

  g_free (file->path);
  g_clear_error (&file->error);
  g_clear_pointer (&file->index, g_array_unref);
}

/**
 * pl_trace_files_new:
 *
 * Returns: (transfer full) (element-type PlTraceFile): an empty list
 */
GArray *
pl_trace_files_new (void)
{
  GArray *files = g_array_new (FALSE, FALSE, sizeof (PlTraceFile));

  g_array_set_clear_func (files, clear_file);
  return files;
}

/**
 * pl_trace_files_add:
 * @file: is copied
 */
void
pl_trace_files_add (GArray *files, const PlTraceFile *file)
{
  PlTraceFile copy = *file;

  copy.path = g_strdup (file->path);
  copy.error = file->error != NULL ? g_error_copy (file->error) : NULL;
  copy.index = file->index != NULL ? g_array_ref (file->index) : NULL;
  g_array_append_val (files, copy);
}
