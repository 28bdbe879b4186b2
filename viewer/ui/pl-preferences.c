/* pl-preferences.c: the window with the preferences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each control is bound to the setting both ways: what is changed counts at once, and there is nothing to confirm.
 */
#include "config.h"

#include "pl-preferences.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-format.h"
#include "pl-sandbox.h"
#include "pl-settings.h"

struct _PlPreferences
{
  GtkWindow parent_instance;

  GtkWidget *threshold;
  GtkLabel *threshold_description;
  GtkWidget *follow;
  GtkWidget *memory;
  GtkWidget *theme;
  GtkWidget *palette;
  GtkWidget *notify_stalls;
  GtkWidget *notify_long_polls;
  GtkWidget *editor;
  GtkLabel *editor_description;
  GtkWidget *source_folder;

  char *threshold_hint;
};

G_DEFINE_FINAL_TYPE (PlPreferences, pl_preferences, GTK_TYPE_WINDOW)

/* In the order of the rows in the template. */
static const char *const themes[] = { "system", "light", "dark", NULL };
static const char *const palettes[] = { "standard", "high-contrast", NULL };

static gboolean
name_to_row (GBinding     *binding,
             const GValue *name,
             GValue       *row,
             gpointer      names)
{
  for (guint i = 0; ((const char *const *) names)[i] != NULL; i++)
    if (g_strcmp0 (((const char *const *) names)[i], g_value_get_string (name)) == 0)
      {
        g_value_set_uint (row, i);
        return TRUE;
      }
  return FALSE;
}

static gboolean
row_to_name (GBinding     *binding,
             const GValue *row,
             GValue       *name,
             gpointer      names)
{
  guint n_names = g_strv_length ((char **) names);

  if (g_value_get_uint (row) >= n_names)
    return FALSE;
  g_value_set_string (name, ((const char *const *) names)[g_value_get_uint (row)]);
  return TRUE;
}

static void
show_threshold (PlPreferences *self)
{
  g_autofree char *text = NULL;
  gint64 threshold_ns;

  g_object_get (pl_settings_get_default (), "threshold-ns", &threshold_ns, NULL);
  text = pl_format_threshold (threshold_ns);
  gtk_editable_set_text (GTK_EDITABLE (self->threshold), text);
}

/* %NULL: what is written is a duration. */
static void
tell_invalid (PlPreferences *self,
              const char    *reason)
{
  if (reason != NULL)
    gtk_widget_add_css_class (self->threshold, "error");
  else
    gtk_widget_remove_css_class (self->threshold, "error");
  gtk_label_set_text (self->threshold_description, reason != NULL ? reason : self->threshold_hint);
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->threshold), GTK_ACCESSIBLE_STATE_INVALID,
                               reason != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static gboolean
apply_threshold (PlPreferences *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->threshold));
  g_autofree char *reason = NULL;
  gint64 threshold_ns;

  if (!pl_duration_parse (text, &threshold_ns, NULL))
    {
      reason = g_strdup_printf (_("“%s” is no duration: write a number and ns, us, ms, s or min"), text);
      tell_invalid (self, reason);
      return FALSE;
    }
  g_object_set (pl_settings_get_default (), "threshold-ns", threshold_ns, NULL);
  return TRUE;
}

static void
threshold_activated (PlPreferences *self)
{
  apply_threshold (self);
}

static void
threshold_edited (PlPreferences *self)
{
  tell_invalid (self, NULL);
}

static void
threshold_left (PlPreferences *self)
{
  /* The entry may lose the focus because the window goes away. */
  if (self->threshold != NULL && !apply_threshold (self))
    show_threshold (self);
}

static void
bind (PlPreferences *self)
{
  GBindingFlags flags = G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL;
  GObject *settings = G_OBJECT (pl_settings_get_default ());

  g_object_bind_property (settings, "follow-by-default", self->follow, "active", flags);
  g_object_bind_property (settings, "memory-budget", gtk_spin_button_get_adjustment (GTK_SPIN_BUTTON (self->memory)),
                          "value", flags);
  g_object_bind_property_full (settings, "theme", self->theme, "selected", flags, name_to_row, row_to_name,
                               (gpointer) themes, NULL);
  g_object_bind_property_full (settings, "palette", self->palette, "selected", flags, name_to_row, row_to_name,
                               (gpointer) palettes, NULL);
  g_object_bind_property (settings, "notify-stalls", self->notify_stalls, "active", flags);
  g_object_bind_property (settings, "notify-long-polls", self->notify_long_polls, "active", flags);
  g_object_bind_property (settings, "editor-command", self->editor, "text", flags);
  g_object_bind_property (settings, "source-folder", self->source_folder, "text", flags);
  g_signal_connect_object (settings, "notify::threshold-ns", G_CALLBACK (show_threshold), self, G_CONNECT_SWAPPED);
}

static void
pl_preferences_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PL_TYPE_PREFERENCES);

  G_OBJECT_CLASS (pl_preferences_parent_class)->dispose (object);
}

static void
pl_preferences_finalize (GObject *object)
{
  g_free (PL_PREFERENCES (object)->threshold_hint);

  G_OBJECT_CLASS (pl_preferences_parent_class)->finalize (object);
}

static void
pl_preferences_class_init (PlPreferencesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_preferences_dispose;
  G_OBJECT_CLASS (klass)->finalize = pl_preferences_finalize;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-preferences.ui");
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, threshold);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, threshold_description);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, follow);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, memory);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, theme);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, palette);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, notify_stalls);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, notify_long_polls);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, editor);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, editor_description);
  gtk_widget_class_bind_template_child (widget_class, PlPreferences, source_folder);
  gtk_widget_class_bind_template_callback (widget_class, threshold_activated);
  gtk_widget_class_bind_template_callback (widget_class, threshold_edited);
  gtk_widget_class_bind_template_callback (widget_class, threshold_left);
}

static void
pl_preferences_init (PlPreferences *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->threshold_hint = g_strdup (gtk_label_get_text (self->threshold_description));
  show_threshold (self);
  bind (self);
  if (pl_sandbox_is_around ())
    {
      gtk_widget_set_sensitive (self->editor, FALSE);
      gtk_widget_set_sensitive (self->source_folder, FALSE);
      gtk_label_set_text (self->editor_description, _("A sandbox lets no editor be started from here"));
    }
}

/**
 * pl_preferences_new:
 * @parent: (nullable): the window that it belongs to
 *
 * Creates the window with the preferences. It is closed by the person, or with @parent.
 *
 * Returns: (transfer none): a window, not shown yet
 */
PlPreferences *
pl_preferences_new (GtkWindow *parent)
{
  return g_object_new (PL_TYPE_PREFERENCES, "transient-for", parent, NULL);
}
