/* pl-range-facts.c: figures of the selected range, or of the view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The title says which of the two the figures are of. They come from the lanes' sums and cost the same for any range.
 */
#include "config.h"

#include "pl-range-facts.h"

#include <glib/gi18n.h>

#include "pl-describe.h"
#include "pl-duration.h"
#include "pl-fact-row.h"
#include "pl-format.h"

/* While the view moves, text that changes with every frame can be neither read nor laid out in time. */
#define MOVE_INTERVAL_MS 100

/* More than anybody reads from top to bottom; rows of tens of thousands take minutes to make. */
#define MAX_WORKERS 128u

struct _PlRangeFacts
{
  GtkWidget parent_instance;

  PlView *view;
  guint move_id;
  PlLongPollModel *model;
  GtkLabel *title;
  GtkLabel *span;
  PlFactRow *from;
  PlFactRow *to;
  PlFactRow *polls;
  PlFactRow *long_polls;
  PlFactRow *longest;
  GtkLabel *workers_heading;
  GtkBox *workers;
  GPtrArray *worker_rows;
};

G_DEFINE_FINAL_TYPE (PlRangeFacts, pl_range_facts, GTK_TYPE_WIDGET)

static PlFactRow *
get_worker_row (PlRangeFacts *self,
                guint         index,
                guint64       worker)
{
  PlFactRow *row;
  /* Translators: %s is a worker's number */
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, worker);
  g_autofree char *name = g_strdup_printf (_("worker %s"), number);

  if (index == self->worker_rows->len)
    {
      row = g_object_new (PL_TYPE_FACT_ROW, NULL);
      gtk_box_append (self->workers, GTK_WIDGET (row));
      g_ptr_array_add (self->worker_rows, row);
    }
  row = g_ptr_array_index (self->worker_rows, index);
  g_object_set (row, "name-text", name, NULL);
  return row;
}

static void
show_worker (PlRangeFacts      *self,
             guint              index,
             const PlLane      *lane,
             const PlLaneSlice *slice,
             PlRange            range)
{
  PlFactRow *row = get_worker_row (self, index, pl_lane_get_worker (lane));
  g_autofree char *text = pl_describe_slice (lane, range, slice);

  pl_fact_row_set_value (row, text);
}

static void
show_figures (PlRangeFacts *self,
              PlRange       range)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  guint n_lanes = pl_trace_get_n_lanes (trace);
  guint64 n_polls = 0;
  gint64 longest_ns = 0;
  g_autofree char *polls = NULL;
  g_autofree char *longest = NULL;
  g_autofree char *long_polls = NULL;

  for (guint i = 0; i < n_lanes; i++)
    {
      const PlLane *lane = pl_trace_get_lane (trace, i);
      PlLaneSlice slice;

      pl_lane_get_slice (lane, range.from_ns, range.to_ns, &slice);
      n_polls += slice.n_polls;
      longest_ns = MAX (longest_ns, MAX (slice.longest_ns, slice.detached_longest_ns));
      if (i < MAX_WORKERS)
        show_worker (self, i, lane, &slice, range);
    }
  for (guint i = n_lanes; i < self->worker_rows->len; i++)
    pl_fact_row_set_value (g_ptr_array_index (self->worker_rows, i), NULL);

  polls = pl_format_count (n_polls);
  long_polls = pl_format_rows_in (self->model, range);
  longest = pl_duration_format (longest_ns);
  pl_fact_row_set_value (self->polls, polls);
  pl_fact_row_set_value (self->long_polls, long_polls);
  pl_fact_row_set_value (self->longest, longest);
  gtk_widget_set_visible (GTK_WIDGET (self->workers_heading), n_lanes > 0);
}

static void
show_range (PlRangeFacts *self,
            PlRange       range)
{
  g_autofree char *span = pl_duration_format (pl_range_span (range));
  g_autofree char *from = pl_format_instant (self->view, range.from_ns);
  g_autofree char *to = pl_format_instant (self->view, range.to_ns);

  gtk_label_set_text (self->span, span);
  pl_fact_row_set_value (self->from, from);
  pl_fact_row_set_value (self->to, to);
}

static void
show_workers_heading (PlRangeFacts *self,
                      gboolean      is_selected)
{
  guint n_lanes = pl_trace_get_n_lanes (pl_view_get_trace (self->view));
  const char *heading = is_selected ? _("Workers in the selected range") : _("Workers in view");
  g_autofree char *count = pl_format_count (n_lanes);
  g_autofree char *text = NULL;

  if (n_lanes > MAX_WORKERS)
    /* Translators: the first %s is “Workers in view” or “Workers in the selected range”, the last one how many there are */
    text = g_strdup_printf (_("%s: the first %u of %s"), heading, MAX_WORKERS, count);
  gtk_label_set_text (self->workers_heading, text != NULL ? text : heading);
}

static void
update (PlRangeFacts *self)
{
  PlRange range = pl_view_get_range (self->view);
  gboolean selected = !pl_range_is_empty (range);

  if (pl_view_get_trace (self->view) == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  if (!selected)
    range = pl_view_get_visible (self->view);

  gtk_label_set_text (self->title, selected ? _("Selected range") : _("In view"));
  show_workers_heading (self, selected);
  show_range (self, range);
  show_figures (self, range);
}

static gboolean
update_while_moving (gpointer user_data)
{
  PlRangeFacts *self = user_data;

  self->move_id = 0;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
view_moved (PlRangeFacts *self)
{
  if (self->move_id == 0)
    self->move_id = g_timeout_add (MOVE_INTERVAL_MS, update_while_moving, self);
}

static void
pl_range_facts_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (pl_range_facts_parent_class)->map (widget);

  if (PL_RANGE_FACTS (widget)->view != NULL)
    update (PL_RANGE_FACTS (widget));
}

static void
pl_range_facts_dispose (GObject *object)
{
  PlRangeFacts *self = PL_RANGE_FACTS (object);

  g_clear_handle_id (&self->move_id, g_source_remove);
  g_ptr_array_set_size (self->worker_rows, 0);
  g_clear_object (&self->model);
  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_RANGE_FACTS);

  G_OBJECT_CLASS (pl_range_facts_parent_class)->dispose (object);
}

static void
pl_range_facts_finalize (GObject *object)
{
  PlRangeFacts *self = PL_RANGE_FACTS (object);

  g_ptr_array_unref (self->worker_rows);

  G_OBJECT_CLASS (pl_range_facts_parent_class)->finalize (object);
}

static void
pl_range_facts_class_init (PlRangeFactsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = pl_range_facts_dispose;
  object_class->finalize = pl_range_facts_finalize;
  widget_class->map = pl_range_facts_map;
  g_type_ensure (PL_TYPE_FACT_ROW);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-range-facts.ui");
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, title);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, span);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, from);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, to);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, polls);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, long_polls);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, longest);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, workers_heading);
  gtk_widget_class_bind_template_child (widget_class, PlRangeFacts, workers);
}

static void
pl_range_facts_init (PlRangeFacts *self)
{
  self->worker_rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_range_facts_set_view:
 * @self: facts
 * @view: whose range to show
 * @model: the long polls of @view; both are set once
 *
 * Gives the widget its state.
 */
void
pl_range_facts_set_view (PlRangeFacts    *self,
                         PlView          *view,
                         PlLongPollModel *model)
{
  g_return_if_fail (PL_IS_RANGE_FACTS (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  self->model = g_object_ref (model);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_RANGE, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_VISIBLE, G_CALLBACK (view_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_DETAIL, G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "notify::busy", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
}
