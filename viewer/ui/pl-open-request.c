/* pl-open-request.c: what to open, and how to show it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-open-request.h"

#include <glib/gi18n.h>

/**
 * pl_open_request_new:
 *
 * Returns: (transfer full): a request for nothing yet
 */
PlOpenRequest *
pl_open_request_new (void)
{
  PlOpenRequest *self = g_new0 (PlOpenRequest, 1);

  self->paths = g_ptr_array_new_with_free_func (g_free);
  return self;
}

static gpointer
copy_path (gconstpointer path,
           gpointer      user_data)
{
  return g_strdup (path);
}

/**
 * pl_open_request_copy:
 * @self: a request
 *
 * Returns: (transfer full): the same request
 */
PlOpenRequest *
pl_open_request_copy (const PlOpenRequest *self)
{
  PlOpenRequest *copy = g_new (PlOpenRequest, 1);

  *copy = *self;
  copy->paths = g_ptr_array_copy (self->paths, copy_path, NULL);
  g_ptr_array_set_free_func (copy->paths, g_free);
  return copy;
}

/**
 * pl_open_request_free:
 * @self: (transfer full): a request
 */
void
pl_open_request_free (PlOpenRequest *self)
{
  g_ptr_array_unref (self->paths);
  g_free (self);
}

/**
 * pl_open_request_add_file:
 * @self: a request
 * @file: a file or folder
 * @error: %G_IO_ERROR_NOT_SUPPORTED when @file has no path in the file system
 *
 * Adds to what is opened.
 *
 * Returns: whether it was added
 */
gboolean
pl_open_request_add_file (PlOpenRequest  *self,
                          GFile          *file,
                          GError        **error)
{
  g_autofree char *path = g_file_get_path (file);

  if (path == NULL)
    {
      g_autofree char *name = g_file_get_parse_name (file);

      g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                   _("%s is not on this computer; copy it here to open it"), name);
      return FALSE;
    }
  g_ptr_array_add (self->paths, g_steal_pointer (&path));
  return TRUE;
}
