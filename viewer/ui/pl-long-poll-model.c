/* pl-long-poll-model.c: the polls at or over the threshold, as a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Rows are plain polls in one array, found and sorted in a thread; objects exist only for rows that are looked at. A
 * result replaces the one before, as a whole or row by row. What a person changes (threshold, order) cancels a search that still
 * runs; a growing trace does not, or a quickly growing one would never have rows: it asks for another search after it.
 */
#include "config.h"

#include "pl-long-poll-model.h"

#include "pl-long-poll-rows.h"
#include "pl-long-poll-steps.h"
#include "pl-poll-item.h"

typedef struct
{
  PlFoundPolls *found;
  PlTrace *trace;
  gint64 threshold_ns;
  PlLongPollsOrder order;
  gboolean descending;
} Query;

struct _PlLongPollModel
{
  GObject parent_instance;

  PlView *view;
  PlLongPollsOrder order;
  gboolean descending;
  gboolean is_reordered; /* what comes next has another order than @rows */

  PlFoundPolls *found; /* by searches before */
  PlLongPollRows *rows;
  PlLongPollSteps *steps; /* while "replacing" is told */
  GPtrArray *open_items; /* PlPollItem, unowned: rows that are looked at, of polls that had not ended when they were made */
  GCancellable *search; /* of the search that runs, if one does */
  gboolean search_again;
};

enum
{
  PROP_0,
  PROP_BUSY,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

enum
{
  REPLACING,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

static void start_search (PlLongPollModel *self);

static void
query_free (Query *query)
{
  pl_found_polls_unref (query->found);
  g_clear_pointer (&query->trace, pl_trace_unref);
  g_free (query);
}

static void
search_in_thread (GTask        *task,
                  gpointer      source,
                  gpointer      task_data,
                  GCancellable *cancellable)
{
  const Query *query = task_data;

  g_task_return_pointer (task,
                         pl_long_poll_rows_find (query->found, query->trace, query->threshold_ns, query->order,
                                                 query->descending, cancellable),
                         (GDestroyNotify) pl_long_poll_rows_free);
}

static void
forget_item (gpointer  data,
             GObject  *item)
{
  g_ptr_array_remove_fast (data, item);
}

/* A poll that was open has become longer meanwhile, or has ended. */
static void
update_open_items (PlLongPollModel *self)
{
  for (guint i = 0; i < self->open_items->len; i++)
    {
      PlPollItem *item = g_ptr_array_index (self->open_items, i);
      guint position;

      if (pl_long_poll_model_find (self, pl_poll_item_get_poll (item), &position))
        pl_poll_item_update (item, &g_array_index (self->rows->polls, PlPoll, position));
    }
}

static void
replace_rows (PlLongPollModel *self,
              PlLongPollRows  *rows)
{
  guint n_old = self->rows->polls->len;
  gboolean is_told;

  self->steps = pl_long_poll_steps_new (self->rows, rows);
  g_signal_emit (self, signals[REPLACING], 0);
  is_told = pl_long_poll_steps_take (self->steps, G_LIST_MODEL (self));
  g_clear_pointer (&self->steps, pl_long_poll_steps_free);
  pl_long_poll_rows_free (self->rows);
  self->rows = rows;
  if (!is_told)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, n_old, rows->polls->len);
}

static void
take_rows (PlLongPollModel *self,
           PlLongPollRows  *rows)
{
  if (pl_long_poll_steps_needed (self->rows, rows))
    replace_rows (self, rows);
  else
    {
      pl_long_poll_rows_free (self->rows);
      self->rows = rows;
    }
  self->is_reordered = FALSE;
  update_open_items (self);
}

static void
search_done (GObject      *object,
             GAsyncResult *result,
             gpointer      user_data)
{
  PlLongPollModel *self = PL_LONG_POLL_MODEL (object);
  GCancellable *cancellable = g_task_get_cancellable (G_TASK (result));
  PlLongPollRows *rows = g_task_propagate_pointer (G_TASK (result), NULL);

  if (cancellable != self->search)
    {
      /* Cancelled: a newer search is under way, whose result will be the right one. */
      g_clear_pointer (&rows, pl_long_poll_rows_free);
      return;
    }

  g_clear_object (&self->search);
  if (rows != NULL)
    take_rows (self, rows);
  if (self->search_again)
    start_search (self);
  else
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
start_search (PlLongPollModel *self)
{
  g_autoptr(GTask) task = NULL;
  PlTrace *trace = pl_view_get_trace (self->view);
  Query *query;

  if (self->search != NULL)
    g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
  self->search_again = FALSE;

  if (trace == NULL)
    {
      take_rows (self, pl_long_poll_rows_new (pl_view_get_threshold (self->view)));
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
      return;
    }

  query = g_new0 (Query, 1);
  query->found = pl_found_polls_ref (self->found);
  query->trace = pl_trace_ref (trace);
  query->threshold_ns = pl_view_get_threshold (self->view);
  query->order = self->order;
  query->descending = self->descending;

  self->search = g_cancellable_new ();
  task = g_task_new (self, self->search, search_done, NULL);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_source_tag (task, start_search);
  g_task_set_task_data (task, query, (GDestroyNotify) query_free);
  g_task_run_in_thread (task, search_in_thread);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_BUSY]);
}

static void
trace_changed (PlView          *view,
               PlLongPollModel *self)
{
  if (self->search != NULL)
    self->search_again = TRUE;
  else
    start_search (self);
}

static void
threshold_changed (PlView          *view,
                   PlLongPollModel *self)
{
  start_search (self);
}

static GType
pl_long_poll_model_get_item_type (GListModel *model)
{
  return PL_TYPE_POLL_ITEM;
}

static guint
pl_long_poll_model_get_n_items (GListModel *model)
{
  return PL_LONG_POLL_MODEL (model)->rows->polls->len;
}

static gpointer
pl_long_poll_model_get_item (GListModel *model,
                             guint       position)
{
  PlLongPollModel *self = PL_LONG_POLL_MODEL (model);
  GArray *polls = self->rows->polls;
  PlPollItem *item;

  if (position >= polls->len)
    return NULL;
  item = pl_poll_item_new (&g_array_index (polls, PlPoll, position));
  if (g_array_index (polls, PlPoll, position).flags & PL_POLL_OPEN)
    {
      g_ptr_array_add (self->open_items, item);
      g_object_weak_ref (G_OBJECT (item), forget_item, self->open_items);
    }
  return item;
}

static void
pl_long_poll_model_list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = pl_long_poll_model_get_item_type;
  iface->get_n_items = pl_long_poll_model_get_n_items;
  iface->get_item = pl_long_poll_model_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (PlLongPollModel, pl_long_poll_model, G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, pl_long_poll_model_list_model_init))

static void
pl_long_poll_model_get_property (GObject    *object,
                                 guint       prop_id,
                                 GValue     *value,
                                 GParamSpec *pspec)
{
  if (prop_id == PROP_BUSY)
    g_value_set_boolean (value, pl_long_poll_model_is_busy (PL_LONG_POLL_MODEL (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
pl_long_poll_model_finalize (GObject *object)
{
  PlLongPollModel *self = PL_LONG_POLL_MODEL (object);

  g_clear_object (&self->view);
  g_clear_object (&self->search);
  g_clear_pointer (&self->rows, pl_long_poll_rows_free);
  pl_found_polls_unref (self->found);
  for (guint i = 0; i < self->open_items->len; i++)
    g_object_weak_unref (g_ptr_array_index (self->open_items, i), forget_item, self->open_items);
  g_ptr_array_unref (self->open_items);

  G_OBJECT_CLASS (pl_long_poll_model_parent_class)->finalize (object);
}

static void
pl_long_poll_model_class_init (PlLongPollModelClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = pl_long_poll_model_get_property;
  object_class->finalize = pl_long_poll_model_finalize;

  properties[PROP_BUSY] = g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                                                G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  /**
   * PlLongPollModel::replacing:
   *
   * Rows are about to be replaced. Whoever shows them says here which are to stay, see pl_long_poll_model_keep().
   */
  signals[REPLACING] = g_signal_new ("replacing", PL_TYPE_LONG_POLL_MODEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 0);
}

static void
pl_long_poll_model_init (PlLongPollModel *self)
{
  self->descending = TRUE;
  self->open_items = g_ptr_array_new ();
  self->found = pl_found_polls_new ();
  self->rows = pl_long_poll_rows_new (0);
}

/**
 * pl_long_poll_model_new:
 * @view: whose trace and threshold to follow
 *
 * Creates the list of the long polls of @view, longest first. Main thread only; rows arrive later.
 *
 * Returns: (transfer full): a list model
 */
PlLongPollModel *
pl_long_poll_model_new (PlView *view)
{
  PlLongPollModel *self = g_object_new (PL_TYPE_LONG_POLL_MODEL, NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (trace_changed), self, 0);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_THRESHOLD, G_CALLBACK (threshold_changed), self, 0);
  if (pl_view_get_trace (view) != NULL)
    start_search (self);
  return self;
}

/**
 * pl_long_poll_model_set_order:
 * @self: a list
 * @order: what to sort by
 * @descending: largest first
 *
 * Sorts the rows, in a thread: the present rows stay until it is done.
 */
void
pl_long_poll_model_set_order (PlLongPollModel  *self,
                              PlLongPollsOrder  order,
                              gboolean          descending)
{
  g_return_if_fail (PL_IS_LONG_POLL_MODEL (self));

  if (self->order == order && self->descending == descending)
    return;
  self->order = order;
  self->descending = descending;
  self->is_reordered = TRUE;
  start_search (self);
}

/**
 * pl_long_poll_model_is_busy:
 * @self: a list
 *
 * Tells whether newer rows are being found.
 */
gboolean
pl_long_poll_model_is_busy (PlLongPollModel *self)
{
  return self->search != NULL;
}

/**
 * pl_long_poll_model_is_current:
 * @self: a list
 *
 * Tells whether the rows are those of the present threshold; while they are not, their number means nothing.
 */
gboolean
pl_long_poll_model_is_current (PlLongPollModel *self)
{
  return self->rows->threshold_ns == pl_view_get_threshold (self->view);
}

/**
 * pl_long_poll_model_find:
 * @self: a list
 * @poll: a poll of the trace
 * @out_position: (out): its row; untouched when there is none
 *
 * Looks for the row of @poll. O(rows).
 *
 * Returns: whether there is one
 */
gboolean
pl_long_poll_model_find (PlLongPollModel *self,
                         const PlPoll    *poll,
                         guint           *out_position)
{
  return pl_long_poll_rows_find_poll (self->rows, poll, out_position);
}

/**
 * pl_long_poll_model_keep:
 * @self: a list whose rows are about to be replaced
 * @poll: a poll of the trace
 *
 * Asks that the row of @poll stays, with its widget, and so with the focus in it. To be called while "replacing" is told,
 * first for the row that matters most: of two that change places only one can stay. O(rows).
 *
 * Returns: whether the row stays; it does not where the order is another, or where the poll has no row before or after
 */
gboolean
pl_long_poll_model_keep (PlLongPollModel *self,
                         const PlPoll    *poll)
{
  g_return_val_if_fail (self->steps != NULL, FALSE);

  return !self->is_reordered && pl_long_poll_steps_keep (self->steps, poll);
}

/**
 * pl_long_poll_model_count_in:
 * @self: a list
 * @range: a range of time
 *
 * Counts the rows whose polls touch @range. O(log rows).
 */
guint
pl_long_poll_model_count_in (PlLongPollModel *self,
                             PlRange          range)
{
  return pl_range_is_empty (range) ? 0 : pl_long_poll_rows_count_in (self->rows, range.from_ns, range.to_ns);
}

/**
 * pl_long_poll_model_get_longest:
 * @self: a list
 *
 * Returns: the longest finished poll of the whole trace, long or not, in ns; 0 when there is none
 */
gint64
pl_long_poll_model_get_longest (PlLongPollModel *self)
{
  return self->rows->longest_ns;
}
