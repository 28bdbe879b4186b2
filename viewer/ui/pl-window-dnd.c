/* pl-window-dnd.c: files dropped on the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>

static GdkDragAction
drag_entered (GtkDropTarget *target,
              double         x,
              double         y,
              PlWindow      *self)
{
  gboolean replaces = pl_view_get_trace (self->view) != NULL;

  gtk_label_set_text (GTK_LABEL (self->drop_hint),
                      replaces ? _("Drop to open in place of this trace") : _("Drop to open"));
  gtk_widget_set_visible (self->drop_hint, TRUE);
  return GDK_ACTION_COPY;
}

static void
drag_left (GtkDropTarget *target,
           PlWindow      *self)
{
  gtk_widget_set_visible (self->drop_hint, FALSE);
}

static gboolean
dropped (GtkDropTarget *target,
         const GValue  *value,
         double         x,
         double         y,
         PlWindow      *self)
{
  g_autoptr(GListStore) files = g_list_store_new (G_TYPE_FILE);

  gtk_widget_set_visible (self->drop_hint, FALSE);
  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    g_list_store_append (files, l->data);
  pl_window_open_files (self, G_LIST_MODEL (files));
  return TRUE;
}

/**
 * pl_window_add_drop_target:
 * @self: a window that is being made
 *
 * Opens whatever files and folders are dropped anywhere on @self, all together as one session.
 */
void
pl_window_add_drop_target (PlWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect (target, "enter", G_CALLBACK (drag_entered), self);
  g_signal_connect (target, "leave", G_CALLBACK (drag_left), self);
  g_signal_connect (target, "drop", G_CALLBACK (dropped), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
