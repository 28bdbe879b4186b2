/* pl-notice.c: a state in words, where there is nothing to show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-notice.h"

struct _PlNotice
{
  GtkWidget parent_instance;

  GtkLabel *title;
  GtkLabel *body;
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (PlNotice, pl_notice, GTK_TYPE_WIDGET)

static void
pl_notice_dispose (GObject *object)
{
  gtk_widget_dispose_template (GTK_WIDGET (object), PL_TYPE_NOTICE);

  G_OBJECT_CLASS (pl_notice_parent_class)->dispose (object);
}

static void
pl_notice_class_init (PlNoticeClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_notice_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-notice.ui");
  gtk_widget_class_bind_template_child (widget_class, PlNotice, title);
  gtk_widget_class_bind_template_child (widget_class, PlNotice, body);
  gtk_widget_class_bind_template_child (widget_class, PlNotice, button);
  gtk_widget_class_set_css_name (widget_class, "notice");
}

static void
pl_notice_init (PlNotice *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_notice_set_text:
 * @self: a notice
 * @title: what the state is
 * @body: (nullable): why, or what to do
 *
 * Changes the words. They are plain text, whatever a trace put into them.
 */
void
pl_notice_set_text (PlNotice   *self,
                    const char *title,
                    const char *body)
{
  g_return_if_fail (PL_IS_NOTICE (self));

  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->body, body != NULL ? body : "");
  gtk_widget_set_visible (GTK_WIDGET (self->body), body != NULL);
}

/**
 * pl_notice_set_action:
 * @self: a notice
 * @label: (nullable): text of the button, or %NULL for none
 * @action_name: (nullable): the action it activates
 * @target: (nullable): its parameter; taken over when it is floating
 *
 * Offers a way on.
 */
void
pl_notice_set_action (PlNotice   *self,
                      const char *label,
                      const char *action_name,
                      GVariant   *target)
{
  g_return_if_fail (PL_IS_NOTICE (self));

  gtk_widget_set_visible (self->button, label != NULL);
  if (label == NULL)
    return;
  gtk_button_set_label (GTK_BUTTON (self->button), label);
  /* Neither an action without its parameter, nor one with that of another, may be looked up on the way. */
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), NULL);
  gtk_actionable_set_action_target_value (GTK_ACTIONABLE (self->button), target);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->button), action_name);
}
