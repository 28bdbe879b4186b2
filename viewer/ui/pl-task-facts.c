/* pl-task-facts.c: what the task of the selected poll did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A task's polls lie all over the trace; they are summed up in a thread. All figures are of the whole session.
 */
#include "config.h"

#include "pl-task-facts.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-fact-row.h"
#include "pl-format.h"
#include "pl-histogram.h"
#include "pl-task-summary.h"

typedef struct
{
  PlTrace *trace;
  guint64 task_id;
  gint64 threshold_ns;
} Query;

struct _PlTaskFacts
{
  GtkWidget parent_instance;

  PlView *view;
  GCancellable *query; /* of the summary that is being made */
  guint64 shown_task;
  PlFactRow *spawned;
  PlFactRow *ended;
  PlFactRow *polls;
  PlFactRow *busy;
  PlFactRow *longest;
  PlHistogram *histogram;
};

G_DEFINE_FINAL_TYPE (PlTaskFacts, pl_task_facts, GTK_TYPE_WIDGET)

static void
query_free (Query *query)
{
  pl_trace_unref (query->trace);
  g_free (query);
}

static void
sum_up_in_thread (GTask        *task,
                  gpointer      source,
                  gpointer      task_data,
                  GCancellable *cancellable)
{
  const Query *query = task_data;
  PlTaskSummary *summary = g_new0 (PlTaskSummary, 1);

  if (pl_task_summary (query->trace, query->task_id, query->threshold_ns, cancellable, summary))
    {
      g_task_return_pointer (task, summary, g_free);
      return;
    }
  g_free (summary);
  g_task_return_pointer (task, NULL, NULL);
}

static void
show_life (PlTaskFacts  *self,
           const PlTask *task)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  g_autofree char *spawn = NULL;
  g_autofree char *end = NULL;

  if (task->has_spawn)
    spawn = pl_format_instant (self->view, task->spawn_ns);
  if (task->has_end)
    end = pl_format_instant (self->view, task->end_ns);

  pl_fact_row_set_value (self->spawned, spawn != NULL ? spawn : _("not recorded"));
  if (end == NULL)
    {
      guint64 spawned;
      guint64 terminated;

      /* A trace without a single end did not record ends; what is missing there says nothing about this task. */
      pl_trace_get_task_events (trace, &spawned, &terminated);
      pl_fact_row_set_value (self->ended, terminated > 0 ? _("still alive at the end") : _("not recorded"));
    }
  else
    pl_fact_row_set_value (self->ended, end);
}

static void
show_polls (PlTaskFacts         *self,
            const PlTaskSummary *summary,
            gint64               threshold_ns)
{
  g_autofree char *polls = pl_format_count (summary->n_polls);
  g_autofree char *busy = pl_duration_format (summary->busy_ns);
  g_autofree char *share = pl_format_share (summary->busy_ns,
                                            pl_range_span (pl_view_get_bounds (self->view)));
  g_autofree char *longest = pl_duration_format (summary->longest.duration_ns);
  g_autofree char *over = pl_format_count (summary->n_over);
  g_autofree char *threshold = pl_duration_format (threshold_ns);
  /* Translators: a duration and its share of the time of the whole session */
  g_autofree char *busy_text = g_strdup_printf (_("%s (%s of the session)"), busy, share);
  /* Translators: the longest poll, then how many polls took at least the second duration */
  g_autofree char *longest_text = g_strdup_printf (_("%s, %s ≥ %s"), longest, over, threshold);

  pl_fact_row_set_value (self->polls, polls);
  pl_fact_row_set_value (self->busy, busy_text);
  pl_fact_row_set_value (self->longest, summary->n_polls > 0 ? longest_text : _("none finished"));
  pl_histogram_set_counts (self->histogram, summary->histogram, threshold_ns);
}

static void
show_unknown (PlTaskFacts *self,
              const char  *text)
{
  static const guint64 nothing[PL_TASK_SUMMARY_N_BUCKETS];

  pl_fact_row_set_value (self->spawned, text);
  pl_fact_row_set_value (self->ended, text);
  pl_fact_row_set_value (self->polls, text);
  pl_fact_row_set_value (self->busy, text);
  pl_fact_row_set_value (self->longest, text);
  pl_histogram_set_counts (self->histogram, nothing, G_MAXINT64);
}

static void
summed_up (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  PlTaskFacts *self = PL_TASK_FACTS (object);
  const Query *query = g_task_get_task_data (G_TASK (result));
  g_autofree PlTaskSummary *summary = g_task_propagate_pointer (G_TASK (result), NULL);

  if (self->view == NULL || g_task_get_cancellable (G_TASK (result)) != self->query)
    return;

  g_clear_object (&self->query);
  self->shown_task = query->task_id;
  if (summary == NULL)
    {
      show_unknown (self, _("unknown"));
      return;
    }
  show_life (self, &summary->task);
  show_polls (self, summary, query->threshold_ns);
}

static void
forget_query (PlTaskFacts *self)
{
  if (self->query != NULL)
    g_cancellable_cancel (self->query);
  g_clear_object (&self->query);
}

static void
update (PlTaskFacts *self)
{
  const PlPoll *poll = pl_view_get_selected (self->view);
  g_autoptr(GTask) task = NULL;
  Query *query;

  forget_query (self);
  if (poll == NULL)
    return;
  if (poll->task_id == 0)
    {
      self->shown_task = 0;
      show_unknown (self, _("unknown"));
      return;
    }
  if (poll->task_id != self->shown_task)
    show_unknown (self, "…");

  query = g_new0 (Query, 1);
  query->trace = pl_trace_ref (pl_view_get_trace (self->view));
  query->task_id = poll->task_id;
  query->threshold_ns = pl_view_get_threshold (self->view);

  self->query = g_cancellable_new ();
  task = g_task_new (self, self->query, summed_up, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_source_tag (task, update);
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  g_task_run_in_thread (task, sum_up_in_thread);
}

static void
pl_task_facts_dispose (GObject *object)
{
  PlTaskFacts *self = PL_TASK_FACTS (object);

  forget_query (self);
  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_TASK_FACTS);

  G_OBJECT_CLASS (pl_task_facts_parent_class)->dispose (object);
}

static void
pl_task_facts_class_init (PlTaskFactsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_task_facts_dispose;
  g_type_ensure (PL_TYPE_FACT_ROW);
  g_type_ensure (PL_TYPE_HISTOGRAM);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-task-facts.ui");
  gtk_widget_class_bind_template_child (widget_class, PlTaskFacts, spawned);
  gtk_widget_class_bind_template_child (widget_class, PlTaskFacts, ended);
  gtk_widget_class_bind_template_child (widget_class, PlTaskFacts, polls);
  gtk_widget_class_bind_template_child (widget_class, PlTaskFacts, busy);
  gtk_widget_class_bind_template_child (widget_class, PlTaskFacts, longest);
  gtk_widget_class_bind_template_child (widget_class, PlTaskFacts, histogram);
}

static void
pl_task_facts_init (PlTaskFacts *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_task_facts_set_view:
 * @self: facts
 * @view: whose selected poll's task to show; set once
 *
 * Gives the widget its state.
 */
void
pl_task_facts_set_view (PlTaskFacts *self,
                        PlView      *view)
{
  g_return_if_fail (PL_IS_TASK_FACTS (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_THRESHOLD, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}
