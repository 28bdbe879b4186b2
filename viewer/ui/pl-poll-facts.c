/* pl-poll-facts.c: the facts of the selected poll
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-poll-facts.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-fact-row.h"
#include "pl-format.h"
#include "pl-settings.h"

struct _PlPollFacts
{
  GtkWidget parent_instance;

  PlView *view;
  GtkLabel *title;
  GtkLabel *duration;
  GtkLabel *verdict;
  PlFactRow *exact;
  PlFactRow *worker;
  PlFactRow *started;
  PlFactRow *wall;
  PlFactRow *queue;
  PlFactRow *row;
  PlFactRow *location;
  GtkWidget *open_source;
};

G_DEFINE_FINAL_TYPE (PlPollFacts, pl_poll_facts, GTK_TYPE_WIDGET)

static char *
compare_with_threshold (gint64 duration_ns,
                        gint64 threshold_ns)
{
  g_autofree char *threshold = pl_duration_format (threshold_ns);
  g_autofree char *number = NULL;
  double times = threshold_ns > 0 ? (double) duration_ns / (double) threshold_ns : 0;

  if (duration_ns < threshold_ns)
    /* Translators: %s is a duration */
    return g_strdup_printf (_("below the threshold of %s"), threshold);
  if (threshold_ns == 0)
    return g_strdup (_("the threshold is 0"));

  if (times >= 10)
    number = pl_format_count ((guint64) times);
  else
    number = g_strdup_printf ("%.2g", times);
  /* Translators: %s is a number: how many times as long as the threshold */
  return g_strdup_printf (_("%s × the threshold"), number);
}

static char *
get_verdict (PlView       *view,
             const PlPoll *poll)
{
  g_autofree char *comparison = NULL;

  if (poll->flags & PL_POLL_GROWING)
    return g_strdup (_("still running"));
  if (poll->flags & PL_POLL_OPEN)
    return g_strdup (_("still running where the data end"));
  if (poll->flags & PL_POLL_CUT_OFF)
    return g_strdup (_("its end was lost, with other events"));

  comparison = compare_with_threshold (poll->duration_ns, pl_view_get_threshold (view));
  if (poll->duration_ns != pl_trace_get_poll_totals (pl_view_get_trace (view))->max_ns)
    return g_steal_pointer (&comparison);
  return g_strdup_printf ("%s · %s", comparison, _("longest of the session"));
}

static void
show_duration (PlPollFacts  *self,
               const PlPoll *poll)
{
  g_autofree char *duration = pl_format_duration (poll);
  g_autofree char *exact = pl_duration_format_exact (poll->duration_ns);
  g_autofree char *verdict = get_verdict (self->view, poll);
  gboolean is_long = pl_poll_is_long (poll, pl_view_get_threshold (self->view));

  gtk_label_set_text (self->duration, duration);
  gtk_label_set_text (self->verdict, verdict);
  pl_fact_row_set_value (self->exact, exact);
  if (is_long)
    gtk_widget_add_css_class (GTK_WIDGET (self->duration), "long-poll");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->duration), "long-poll");
}

static void
show_start (PlPollFacts  *self,
            const PlPoll *poll)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  gboolean utc = pl_view_get_time_format (self->view) == PL_VIEW_WALL_UTC;
  g_autofree char *relative = pl_format_relative (trace, poll->start_ns, pl_format_resolution (self->view));
  g_autofree char *exact = pl_format_relative (trace, poll->start_ns, 1);
  g_autofree char *wall = pl_format_wall (trace, poll->start_ns, utc);

  pl_fact_row_set_value (self->started, relative);
  pl_fact_row_set_copy (self->started, exact);
  pl_fact_row_set_value (self->wall, wall != NULL ? wall : _("not recorded"));
}

static void
show_place (PlPollFacts  *self,
            const PlPoll *poll)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  g_autofree char *task = pl_format_task (poll->task_id);
  /* Translators: %s is the id of a task */
  g_autofree char *title = g_strdup_printf (_("Poll of task %s"), task);
  g_autofree char *worker = pl_format_worker (trace, poll->worker);
  /* Translators: %u is a number of tasks */
  g_autofree char *queue = g_strdup_printf (_("%u at the start"), poll->local_queue);
  g_autofree char *location = g_utf8_make_valid (pl_trace_get_string (trace, poll->spawn_loc), -1);

  gtk_label_set_text (self->title, title);
  pl_fact_row_set_value (self->worker, worker);
  pl_fact_row_set_value (self->queue, queue);
  pl_fact_row_set_value (self->row, poll->flags & PL_POLL_DETACHED
                                        ? _("its thread gave the worker away while it ran")
                                        : NULL);
  pl_fact_row_set_value (self->location, *location != '\0' ? location : _("not recorded"));
}

static void
update (PlPollFacts *self)
{
  const PlPoll *poll = pl_view_get_selected (self->view);

  if (poll == NULL)
    return;
  show_duration (self, poll);
  show_start (self, poll);
  show_place (self, poll);
}

/* Nothing is offered to those who have named no editor. */
static gboolean
is_command (GBinding     *binding,
            const GValue *command,
            GValue       *is_named,
            gpointer      user_data)
{
  g_value_set_boolean (is_named, *g_value_get_string (command) != '\0');
  return TRUE;
}

static void
pl_poll_facts_dispose (GObject *object)
{
  PlPollFacts *self = PL_POLL_FACTS (object);

  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_POLL_FACTS);

  G_OBJECT_CLASS (pl_poll_facts_parent_class)->dispose (object);
}

static void
pl_poll_facts_class_init (PlPollFactsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_poll_facts_dispose;
  g_type_ensure (PL_TYPE_FACT_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-poll-facts.ui");
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, title);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, duration);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, verdict);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, exact);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, worker);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, started);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, wall);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, queue);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, row);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, location);
  gtk_widget_class_bind_template_child (widget_class, PlPollFacts, open_source);
}

static void
pl_poll_facts_init (PlPollFacts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_object_bind_property_full (pl_settings_get_default (), "editor-command", self->open_source, "visible",
                               G_BINDING_SYNC_CREATE, is_command, NULL, NULL, NULL);
}

/**
 * pl_poll_facts_set_view:
 * @self: facts
 * @view: whose selected poll to show; set once
 *
 * Gives the widget its state.
 */
void
pl_poll_facts_set_view (PlPollFacts *self,
                        PlView      *view)
{
  g_return_if_fail (PL_IS_POLL_FACTS (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_THRESHOLD, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}
