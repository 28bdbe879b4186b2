/* pl-empty-page.c: a window without a trace: what to do next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-empty-page.h"

#include <glib/gi18n.h>

#define MAX_RECENT 8
#define APPLICATION "parklane"

struct _PlEmptyPage
{
  GtkWidget parent_instance;

  GtkWidget *recent;
  GtkBox *recent_items;
};

G_DEFINE_FINAL_TYPE (PlEmptyPage, pl_empty_page, GTK_TYPE_WIDGET)

static int
compare_visits (gconstpointer a,
                gconstpointer b)
{
  GDateTime *first = gtk_recent_info_get_visited ((GtkRecentInfo *) a);
  GDateTime *second = gtk_recent_info_get_visited ((GtkRecentInfo *) b);

  return g_date_time_compare (second, first);
}

static void
add_recent (PlEmptyPage   *self,
            GtkRecentInfo *info)
{
  g_autoptr(GFile) file = g_file_new_for_uri (gtk_recent_info_get_uri (info));
  g_autofree char *path = g_file_get_parse_name (file);
  GtkWidget *button = gtk_button_new ();
  GtkWidget *label = gtk_label_new (path);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_START);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 60);
  gtk_button_set_child (GTK_BUTTON (button), label);
  gtk_button_set_has_frame (GTK_BUTTON (button), FALSE);
  gtk_widget_set_tooltip_text (button, path);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, path, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.open-uri");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", gtk_recent_info_get_uri (info));
  gtk_box_append (self->recent_items, button);
}

static void
show_recent (PlEmptyPage *self)
{
  GList *infos = g_list_sort (gtk_recent_manager_get_items (gtk_recent_manager_get_default ()), compare_visits);
  GtkWidget *child;
  guint n_shown = 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->recent_items))) != NULL)
    gtk_box_remove (self->recent_items, child);

  for (GList *l = infos; l != NULL && n_shown < MAX_RECENT; l = l->next)
    if (gtk_recent_info_has_application (l->data, APPLICATION))
      {
        add_recent (self, l->data);
        n_shown++;
      }
  gtk_widget_set_visible (self->recent, n_shown > 0);
  g_list_free_full (infos, (GDestroyNotify) gtk_recent_info_unref);
}

static void
pl_empty_page_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PL_TYPE_EMPTY_PAGE);

  G_OBJECT_CLASS (pl_empty_page_parent_class)->dispose (object);
}

static void
pl_empty_page_class_init (PlEmptyPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_empty_page_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-empty-page.ui");
  gtk_widget_class_bind_template_child (widget_class, PlEmptyPage, recent);
  gtk_widget_class_bind_template_child (widget_class, PlEmptyPage, recent_items);
  gtk_widget_class_set_css_name (widget_class, "emptypage");
}

static void
pl_empty_page_init (PlEmptyPage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect_object (gtk_recent_manager_get_default (), "changed", G_CALLBACK (show_recent), self,
                           G_CONNECT_SWAPPED);
  show_recent (self);
}

/**
 * pl_empty_page_remember:
 * @file: a file or folder that was opened
 *
 * Adds @file to the recent files that every empty page offers. Main thread only.
 */
void
pl_empty_page_remember (GFile *file)
{
  g_autofree char *uri = g_file_get_uri (file);
  char *groups[] = { NULL };
  char *app_name = (char *) APPLICATION;
  char *app_exec = (char *) APPLICATION " %u";
  char *mime_type = (char *) "application/octet-stream";
  GtkRecentData data = { .mime_type = mime_type, .app_name = app_name, .app_exec = app_exec, .groups = groups };

  gtk_recent_manager_add_full (gtk_recent_manager_get_default (), uri, &data);
}
