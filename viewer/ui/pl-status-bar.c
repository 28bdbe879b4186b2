/* pl-status-bar.c: what lies under the pointer, and what is in view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Without a pointer on the time axis the sentence is about the selected poll, so that a keyboard reaches it as well.
 */
#include "config.h"

#include "pl-status-bar.h"

#include <glib/gi18n.h>

#include "pl-describe.h"
#include "pl-detail.h"
#include "pl-duration.h"
#include "pl-format.h"

struct _PlStatusBar
{
  GtkWidget parent_instance;

  PlView *view;
  PlLongPollModel *model;
  GtkLabel *pointer;
  GtkLabel *in_view;
};

G_DEFINE_FINAL_TYPE (PlStatusBar, pl_status_bar, GTK_TYPE_WIDGET)

static void
update_pointer (PlStatusBar *self)
{
  const PlPoll *selected = pl_view_get_selected (self->view);
  g_autofree char *text = pl_describe_pointer (self->view);

  if (text == NULL && selected != NULL)
    text = pl_describe_poll (self->view, selected);
  gtk_label_set_text (self->pointer, text != NULL ? text : "");
}

static char *
describe_in_view (PlStatusBar *self)
{
  PlRange visible = pl_view_get_visible (self->view);
  guint n_rows = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  g_autofree char *span = pl_duration_format (pl_range_span (visible));
  g_autofree char *n_in_view = pl_format_rows_in (self->model, visible);
  g_autofree char *n_all = pl_format_rows (self->model);
  g_autofree char *text = NULL;

  /* Translators: how much time is on screen; how many of how many long polls are on screen */
  text = g_strdup_printf (ngettext ("view %s · %s of %s long poll in view", "view %s · %s of %s long polls in view",
                                    n_rows),
                          span, n_in_view, n_all);
  if (pl_detail_is_sharp (pl_view_get_trace (self->view), visible.from_ns, visible.to_ns,
                          (guint) MAX (gtk_widget_get_width (GTK_WIDGET (self)), 1)))
    return g_steal_pointer (&text);
  /* Translators: what is on screen is estimated from a summary until its detail has been read from the file */
  return g_strdup_printf (_("estimated while detail is read · %s"), text);
}

static void
update_in_view (PlStatusBar *self)
{
  g_autofree char *text = NULL;

  if (pl_view_get_trace (self->view) != NULL)
    text = describe_in_view (self);
  gtk_label_set_text (self->in_view, text != NULL ? text : "");
}

static void
pl_status_bar_dispose (GObject *object)
{
  PlStatusBar *self = PL_STATUS_BAR (object);

  g_clear_object (&self->model);
  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_STATUS_BAR);

  G_OBJECT_CLASS (pl_status_bar_parent_class)->dispose (object);
}

static void
pl_status_bar_class_init (PlStatusBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_status_bar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-status-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, PlStatusBar, pointer);
  gtk_widget_class_bind_template_child (widget_class, PlStatusBar, in_view);
  gtk_widget_class_set_css_name (widget_class, "statusline");
}

static void
pl_status_bar_init (PlStatusBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_status_bar_set_view:
 * @self: a status bar
 * @view: what to tell about
 * @model: the long polls of @view; both are set once
 *
 * Gives the bar its state.
 */
void
pl_status_bar_set_view (PlStatusBar     *self,
                        PlView          *view,
                        PlLongPollModel *model)
{
  g_return_if_fail (PL_IS_STATUS_BAR (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  self->model = g_object_ref (model);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_POINTER, G_CALLBACK (update_pointer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (update_pointer), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_VISIBLE, G_CALLBACK (update_in_view), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update_in_view), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_DETAIL, G_CALLBACK (update_in_view), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "notify::busy", G_CALLBACK (update_in_view), self, G_CONNECT_SWAPPED);
}
