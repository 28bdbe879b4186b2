/* pl-threshold-entry.c: the entry for the duration from which on a poll is long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is typed counts when it is confirmed or the entry is left. Text that is no duration stays, marked and with the
 * reason, and the threshold stays as it was.
 */
#include "config.h"

#include "pl-threshold-entry.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-format.h"

struct _PlThresholdEntry
{
  GtkWidget parent_instance;

  PlView *view;
  GtkWidget *text;
  GtkWidget *button;
  GtkWidget *message;
  GtkLabel *message_label;
};

static const gint64 presets_ns[] = { 10000,    100000,   500000,    1000000,   2000000,   5000000,
                                     10000000, 40000000, 100000000, 400000000, 1000000000 };

G_DEFINE_FINAL_TYPE (PlThresholdEntry, pl_threshold_entry, GTK_TYPE_WIDGET)

static void
set_invalid (PlThresholdEntry *self,
             const char       *reason)
{
  if (reason == NULL)
    {
      gtk_widget_remove_css_class (GTK_WIDGET (self), "error");
      gtk_popover_popdown (GTK_POPOVER (self->message));
    }
  else
    {
      gtk_widget_add_css_class (GTK_WIDGET (self), "error");
      gtk_label_set_text (self->message_label, reason);
      gtk_popover_popup (GTK_POPOVER (self->message));
    }

  gtk_accessible_update_state (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_STATE_INVALID,
                               reason != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->text), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  reason != NULL ? reason : "", -1);
}

static void
show_threshold (PlThresholdEntry *self)
{
  g_autofree char *text = pl_format_threshold (pl_view_get_threshold (self->view));

  gtk_editable_set_text (GTK_EDITABLE (self->text), text);
  set_invalid (self, NULL);
}

static gboolean
apply (PlThresholdEntry *self)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->text));
  g_autofree char *reason = NULL;
  gint64 threshold_ns;

  if (!pl_duration_parse (text, &threshold_ns, NULL))
    {
      reason = g_strdup_printf (_("“%s” is no duration: write a number and ns, us, ms, s or min"), text);
      set_invalid (self, reason);
      return FALSE;
    }

  pl_view_set_threshold (self->view, threshold_ns);
  show_threshold (self);
  return TRUE;
}

static void
text_activated (PlThresholdEntry *self)
{
  apply (self);
}

static void
text_left (PlThresholdEntry *self)
{
  /* An invalid text that is left is given up, or the header would go on showing a threshold that does not count. */
  if (self->view != NULL && !apply (self))
    show_threshold (self);
}

static void
text_changed (PlThresholdEntry *self)
{
  if (gtk_widget_has_css_class (GTK_WIDGET (self), "error"))
    set_invalid (self, NULL);
}

static void
step (PlThresholdEntry *self,
      gboolean          up)
{
  gint64 threshold_ns = pl_view_get_threshold (self->view);
  gint64 next_ns = threshold_ns;

  for (guint i = 0; i < G_N_ELEMENTS (presets_ns); i++)
    {
      guint at = up ? i : G_N_ELEMENTS (presets_ns) - 1 - i;

      if (up ? presets_ns[at] > threshold_ns : presets_ns[at] < threshold_ns)
        {
          next_ns = presets_ns[at];
          break;
        }
    }
  pl_view_set_threshold (self->view, next_ns);
}

static gboolean
key_pressed (GtkEventControllerKey *controller,
             guint                  keyval,
             guint                  keycode,
             GdkModifierType        state,
             PlThresholdEntry      *self)
{
  if (self->view == NULL)
    return GDK_EVENT_PROPAGATE;

  switch (keyval)
    {
    case GDK_KEY_Escape:
      show_threshold (self);
      gtk_widget_activate_action (GTK_WIDGET (self), "win.focus-timeline", NULL);
      return GDK_EVENT_STOP;
    case GDK_KEY_Up:
    case GDK_KEY_Down:
      step (self, keyval == GDK_KEY_Up);
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; i < G_N_ELEMENTS (presets_ns); i++)
    {
      g_autofree char *label = pl_duration_format (presets_ns[i]);
      g_autoptr(GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, "win.threshold", "x", presets_ns[i]);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

static void
pl_threshold_entry_dispose (GObject *object)
{
  PlThresholdEntry *self = PL_THRESHOLD_ENTRY (object);

  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_THRESHOLD_ENTRY);

  G_OBJECT_CLASS (pl_threshold_entry_parent_class)->dispose (object);
}

static void
pl_threshold_entry_class_init (PlThresholdEntryClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_threshold_entry_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-threshold-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, PlThresholdEntry, text);
  gtk_widget_class_bind_template_child (widget_class, PlThresholdEntry, button);
  gtk_widget_class_bind_template_child (widget_class, PlThresholdEntry, message);
  gtk_widget_class_bind_template_child (widget_class, PlThresholdEntry, message_label);
  gtk_widget_class_bind_template_callback (widget_class, text_activated);
  gtk_widget_class_bind_template_callback (widget_class, text_changed);
  gtk_widget_class_bind_template_callback (widget_class, text_left);
  gtk_widget_class_bind_template_callback (widget_class, key_pressed);
  gtk_widget_class_set_css_name (widget_class, "threshold");
}

static void
pl_threshold_entry_init (PlThresholdEntry *self)
{
  g_autoptr(GMenuModel) menu = make_menu ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), menu);
}

/**
 * pl_threshold_entry_set_view:
 * @self: an entry
 * @view: whose threshold to show and change; set once
 *
 * Gives the entry its state.
 */
void
pl_threshold_entry_set_view (PlThresholdEntry *self,
                             PlView           *view)
{
  g_return_if_fail (PL_IS_THRESHOLD_ENTRY (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_THRESHOLD, G_CALLBACK (show_threshold), self,
                           G_CONNECT_SWAPPED);
  show_threshold (self);
}
