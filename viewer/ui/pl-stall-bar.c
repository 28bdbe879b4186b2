/* pl-stall-bar.c: that nothing is recorded any more, why, and what to do about it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hidden by hand it stays away until there is another stall, or another cause of this one.
 */
#include "config.h"

#include "pl-stall-bar.h"

#include "pl-watch-text.h"

struct _PlStallBar
{
  GtkWidget parent_instance;

  PlWatch *watch;
  GtkLabel *title;
  GtkLabel *evidence;
  GtkLabel *remedy;
};

G_DEFINE_FINAL_TYPE (PlStallBar, pl_stall_bar, GTK_TYPE_WIDGET)

static void
show_evidence (PlStallBar *self)
{
  const PlWatchStatus *status = pl_watch_get_status (self->watch);
  g_autofree char *evidence = pl_watch_text_evidence (status);

  g_strdelimit (evidence, "\n", ' ');
  gtk_label_set_text (self->evidence, evidence);
}

static void
sampled (PlStallBar *self)
{
  if (gtk_widget_get_visible (GTK_WIDGET (self)))
    show_evidence (self);
}

static void
verdict_changed (PlStallBar *self)
{
  const PlWatchStatus *status = pl_watch_get_status (self->watch);
  const char *remedy = pl_verdict_get_remedy (status->verdict, status->cause);
  g_autofree char *title = NULL;
  g_autofree char *since = NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self), pl_watch_text_is_alarm (status));
  if (!pl_watch_text_is_alarm (status))
    return;
  title = pl_watch_text_title (self->watch);
  since = pl_watch_text_since (status);
  text = g_strdup_printf ("%s, %s", title, since);
  gtk_label_set_text (self->title, text);
  gtk_label_set_text (self->remedy, remedy != NULL ? remedy : "");
  gtk_widget_set_visible (GTK_WIDGET (self->remedy), remedy != NULL);
  show_evidence (self);
}

static void
hide (PlStallBar *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
pl_stall_bar_dispose (GObject *object)
{
  PlStallBar *self = PL_STALL_BAR (object);

  pl_stall_bar_set_watch (self, NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_STALL_BAR);

  G_OBJECT_CLASS (pl_stall_bar_parent_class)->dispose (object);
}

static void
pl_stall_bar_class_init (PlStallBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_stall_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-stall-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PlStallBar, title);
  gtk_widget_class_bind_template_child (widget_class, PlStallBar, evidence);
  gtk_widget_class_bind_template_child (widget_class, PlStallBar, remedy);
  gtk_widget_class_bind_template_callback (widget_class, hide);
  gtk_widget_class_set_css_name (widget_class, "stallbar");
}

static void
pl_stall_bar_init (PlStallBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_stall_bar_set_watch:
 * @self: a bar
 * @watch: (nullable): whose stalls to tell
 */
void
pl_stall_bar_set_watch (PlStallBar *self,
                        PlWatch    *watch)
{
  g_return_if_fail (PL_IS_STALL_BAR (self));

  if (self->watch != NULL)
    g_signal_handlers_disconnect_by_data (self->watch, self);
  g_set_object (&self->watch, watch);
  hide (self);
  if (watch == NULL)
    return;
  g_signal_connect_object (watch, "sampled", G_CALLBACK (sampled), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (watch, "changed", G_CALLBACK (verdict_changed), self, G_CONNECT_SWAPPED);
  if (pl_watch_get_status (watch)->at_wall_ns != 0)
    verdict_changed (self);
}
