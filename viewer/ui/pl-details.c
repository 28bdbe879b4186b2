/* pl-details.c: the pane that shows what is selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selected range comes first, then the selected poll and its task; with neither, the figures of the view.
 */
#include "config.h"

#include "pl-details.h"

#include <glib/gi18n.h>

#include "pl-poll-facts.h"
#include "pl-range-facts.h"
#include "pl-task-facts.h"

struct _PlDetails
{
  GtkWidget parent_instance;

  PlView *view;
  PlRangeFacts *range_facts;
  PlPollFacts *poll_facts;
  PlTaskFacts *task_facts;
  GtkWidget *hint;
  GtkWidget *close;
};

G_DEFINE_FINAL_TYPE (PlDetails, pl_details, GTK_TYPE_WIDGET)

static void
update (PlDetails *self)
{
  gboolean has_poll = pl_view_get_selected (self->view) != NULL;
  gboolean has_range = !pl_range_is_empty (pl_view_get_range (self->view));

  gtk_widget_set_visible (GTK_WIDGET (self->range_facts), has_range || !has_poll);
  gtk_widget_set_visible (GTK_WIDGET (self->poll_facts), has_poll);
  gtk_widget_set_visible (self->hint, !has_poll);
}

static void
pl_details_dispose (GObject *object)
{
  PlDetails *self = PL_DETAILS (object);

  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_DETAILS);

  G_OBJECT_CLASS (pl_details_parent_class)->dispose (object);
}

static void
pl_details_class_init (PlDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_details_dispose;
  g_type_ensure (PL_TYPE_RANGE_FACTS);
  g_type_ensure (PL_TYPE_POLL_FACTS);
  g_type_ensure (PL_TYPE_TASK_FACTS);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-details.ui");
  gtk_widget_class_bind_template_child (widget_class, PlDetails, range_facts);
  gtk_widget_class_bind_template_child (widget_class, PlDetails, poll_facts);
  gtk_widget_class_bind_template_child (widget_class, PlDetails, task_facts);
  gtk_widget_class_bind_template_child (widget_class, PlDetails, hint);
  gtk_widget_class_bind_template_child (widget_class, PlDetails, close);
  gtk_widget_class_set_css_name (widget_class, "details");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pl_details_init (PlDetails *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Details"), -1);
}

/**
 * pl_details_set_view:
 * @self: a pane
 * @view: whose selection to show
 * @model: the long polls of @view; both are set once
 *
 * Gives the pane its state.
 */
void
pl_details_set_view (PlDetails       *self,
                     PlView          *view,
                     PlLongPollModel *model)
{
  g_return_if_fail (PL_IS_DETAILS (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  pl_range_facts_set_view (self->range_facts, view, model);
  pl_poll_facts_set_view (self->poll_facts, view);
  pl_task_facts_set_view (self->task_facts, view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_RANGE, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

/**
 * pl_details_set_closable:
 * @self: a pane
 * @closable: whether it covers something and has a button that closes it
 */
void
pl_details_set_closable (PlDetails *self,
                         gboolean   closable)
{
  g_return_if_fail (PL_IS_DETAILS (self));

  gtk_widget_set_visible (self->close, closable);
}
