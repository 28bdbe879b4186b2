/* pl-window-watch.c: the watch on the sessions of the directory that the window shows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file has no writer to look after, so only a directory that was opened by itself is watched.
 */
#include "config.h"

#include "pl-window-private.h"

#include "pl-segment-name.h"

static void
share_watch (PlWindow *self)
{
  pl_header_set_watch (self->header, self->sessions, self->watch);
  pl_stall_bar_set_watch (self->stall_bar, self->watch);
  pl_usage_strip_set_watch (self->usage, self->watch);
}

/* Shown is the session that is worst, with its name as soon as there is another. */
static void
session_changed (PlWindow *self)
{
  PlWatch *worst = pl_watch_set_get_worst (self->sessions);
  gboolean has_company = pl_watch_has_company (worst);

  pl_window_say_whether_recorded (self);
  if (worst == self->watch && has_company == self->names_session)
    return;
  g_set_object (&self->watch, worst);
  self->names_session = has_company;
  share_watch (self);
}

/* A folder that is not there yet is waited for; what is named as a segment would be a file. */
static gboolean
may_become_directory (GFile *file)
{
  g_autofree char *name = g_file_get_basename (file);
  PlSegmentName segment;

  if (!pl_segment_name_parse (name, &segment))
    return TRUE;
  pl_segment_name_clear (&segment);
  return FALSE;
}

static gboolean
is_to_be_watched (GFile     *file,
                  GFileInfo *info,
                  GError    *error)
{
  if (info == NULL)
    return g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND) && may_become_directory (file);
  return g_file_info_get_file_type (info) == G_FILE_TYPE_DIRECTORY;
}

static void
type_known (GObject      *object,
            GAsyncResult *result,
            gpointer      user_data)
{
  g_autoptr(PlWindow) self = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(GFileInfo) info = g_file_query_info_finish (G_FILE (object), result, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->probing);
  if (!is_to_be_watched (G_FILE (object), info, error))
    return;

  self->sessions = pl_watch_set_new (g_file_peek_path (G_FILE (object)), NULL);
  g_signal_connect_object (self->sessions, "changed", G_CALLBACK (session_changed), self, G_CONNECT_SWAPPED);
  pl_window_notify_of (self, self->sessions);
  pl_watch_set_start (self->sessions);
}

/**
 * pl_window_end_watch:
 * @self: a window
 *
 * Shows nothing of a writer any more.
 */
void
pl_window_end_watch (PlWindow *self)
{
  if (self->probing != NULL)
    g_cancellable_cancel (self->probing);
  g_clear_object (&self->probing);
  if (self->sessions == NULL)
    return;
  pl_watch_set_stop (self->sessions);
  g_clear_object (&self->watch);
  g_clear_object (&self->sessions);
  share_watch (self);
  pl_window_notify_of (self, NULL);
}

/**
 * pl_window_begin_watch:
 * @self: a window with a request
 *
 * Watches what the request names if that is one directory; what was watched before is not any more.
 */
void
pl_window_begin_watch (PlWindow *self)
{
  g_autoptr(GFile) file = NULL;

  pl_window_end_watch (self);
  if (self->request->paths->len != 1)
    return;
  file = g_file_new_for_path (g_ptr_array_index (self->request->paths, 0));
  self->probing = g_cancellable_new ();
  g_file_query_info_async (file, G_FILE_ATTRIBUTE_STANDARD_TYPE, G_FILE_QUERY_INFO_NONE, G_PRIORITY_DEFAULT,
                           self->probing, type_known, g_object_ref (self));
}
