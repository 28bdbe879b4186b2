/* pl-fact-row.c: a name and a value that can be copied
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-fact-row.h"

#include <glib/gi18n.h>

/* How long the tick says that the value was copied. */
#define TICK_MS 800

struct _PlFactRow
{
  GtkWidget parent_instance;

  GtkLabel *name;
  GtkLabel *value;
  GtkWidget *copy;
  char *copied_text;
  guint tick_id;
};

enum
{
  PROP_0,
  PROP_NAME_TEXT,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (PlFactRow, pl_fact_row, GTK_TYPE_WIDGET)

static gboolean
end_tick (gpointer user_data)
{
  PlFactRow *self = user_data;

  self->tick_id = 0;
  gtk_button_set_icon_name (GTK_BUTTON (self->copy), "edit-copy-symbolic");
  return G_SOURCE_REMOVE;
}

static void
copy_clicked (PlFactRow *self)
{
  const char *text = self->copied_text != NULL ? self->copied_text : gtk_label_get_text (self->value);

  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  gtk_button_set_icon_name (GTK_BUTTON (self->copy), "object-select-symbolic");
  g_clear_handle_id (&self->tick_id, g_source_remove);
  self->tick_id = g_timeout_add (TICK_MS, end_tick, self);
}

static void
tell_fact (PlFactRow *self)
{
  g_autofree char *fact
      = g_strdup_printf ("%s: %s", gtk_label_get_text (self->name), gtk_label_get_text (self->value));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, fact, -1);
}

static void
set_name_text (PlFactRow  *self,
               const char *name)
{
  g_autofree char *copy_label = NULL;

  if (name == NULL)
    return;
  /* Translators: %s is the name of a value, such as "Worker" */
  copy_label = g_strdup_printf (_("Copy: %s"), name);
  gtk_label_set_text (self->name, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->copy), GTK_ACCESSIBLE_PROPERTY_LABEL, copy_label, -1);
  tell_fact (self);
}

static void
pl_fact_row_get_property (GObject    *object,
                          guint       prop_id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  PlFactRow *self = PL_FACT_ROW (object);

  if (prop_id == PROP_NAME_TEXT)
    g_value_set_string (value, gtk_label_get_text (self->name));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
pl_fact_row_set_property (GObject      *object,
                          guint         prop_id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  PlFactRow *self = PL_FACT_ROW (object);

  if (prop_id == PROP_NAME_TEXT)
    set_name_text (self, g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
pl_fact_row_dispose (GObject *object)
{
  PlFactRow *self = PL_FACT_ROW (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_FACT_ROW);

  G_OBJECT_CLASS (pl_fact_row_parent_class)->dispose (object);
}

static void
pl_fact_row_finalize (GObject *object)
{
  PlFactRow *self = PL_FACT_ROW (object);

  g_free (self->copied_text);

  G_OBJECT_CLASS (pl_fact_row_parent_class)->finalize (object);
}

static void
pl_fact_row_class_init (PlFactRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = pl_fact_row_get_property;
  object_class->set_property = pl_fact_row_set_property;
  object_class->dispose = pl_fact_row_dispose;
  object_class->finalize = pl_fact_row_finalize;

  properties[PROP_NAME_TEXT] = g_param_spec_string ("name-text", NULL, NULL, NULL,
                                                    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-fact-row.ui");
  gtk_widget_class_bind_template_child (widget_class, PlFactRow, name);
  gtk_widget_class_bind_template_child (widget_class, PlFactRow, value);
  gtk_widget_class_bind_template_child (widget_class, PlFactRow, copy);
  gtk_widget_class_bind_template_callback (widget_class, copy_clicked);
  gtk_widget_class_set_css_name (widget_class, "fact");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pl_fact_row_init (PlFactRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_fact_row_set_value:
 * @self: a row
 * @value: (nullable): the value, or %NULL to hide the row
 *
 * Changes the value that is shown and copied.
 */
void
pl_fact_row_set_value (PlFactRow  *self,
                       const char *value)
{
  g_return_if_fail (PL_IS_FACT_ROW (self));

  gtk_widget_set_visible (GTK_WIDGET (self), value != NULL);
  gtk_label_set_text (self->value, value != NULL ? value : "");
  g_clear_pointer (&self->copied_text, g_free);
  tell_fact (self);
}

/**
 * pl_fact_row_set_copy:
 * @self: a row
 * @copy: what to copy instead of the value, as with all digits of it; until the value changes
 */
void
pl_fact_row_set_copy (PlFactRow  *self,
                      const char *copy)
{
  g_return_if_fail (PL_IS_FACT_ROW (self));

  g_free (self->copied_text);
  self->copied_text = g_strdup (copy);
}
