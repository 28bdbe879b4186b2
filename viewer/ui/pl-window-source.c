/* pl-window-source.c: from the selected poll to where its task was spawned, in the person's editor
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>

#include "pl-editor.h"
#include "pl-sandbox.h"
#include "pl-settings.h"

static const char *
get_location (PlWindow *self)
{
  const PlPoll *poll = pl_view_get_selected (self->view);

  return poll != NULL ? pl_trace_get_string (pl_view_get_trace (self->view), poll->spawn_loc) : "";
}

static void
open_source (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  PlWindow *self = user_data;
  g_autoptr(GError) error = NULL;

  if (!pl_editor_open (get_location (self), &error))
    pl_error_bar_show_message (self->error_bar, error->message,
                               _("The editor was not started; Preferences say how it is."));
}

static void
update (PlWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "open-source");
  g_autofree char *command = NULL;

  g_object_get (pl_settings_get_default (), "editor-command", &command, NULL);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action),
                               *command != '\0' && !pl_sandbox_is_around () && *get_location (self) != '\0');
}

/**
 * pl_window_add_source:
 * @self: a window with its view
 *
 * Adds the action "win.open-source". Once.
 */
void
pl_window_add_source (PlWindow *self)
{
  static const GActionEntry entry = { "open-source", open_source, NULL, NULL, NULL, { 0 } };

  g_action_map_add_action_entries (G_ACTION_MAP (self), &entry, 1, self);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (pl_settings_get_default (), "notify::editor-command", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
}
