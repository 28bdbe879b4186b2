/* pl-long-poll-list.c: the table of polls at or over the threshold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The selected row is the selected poll of the view, both ways. Clicking a header sorts the model, not the rows of the
 * widget; see pl-column-order.c.
 */
#include "config.h"

#include "pl-long-poll-list.h"

#include <glib/gi18n.h>

#include "pl-column-order.h"
#include "pl-describe.h"
#include "pl-duration.h"
#include "pl-format.h"
#include "pl-notice.h"
#include "pl-poll-item.h"

typedef char *(*CellFunc) (PlView       *view,
                           const PlPoll *poll);

typedef struct
{
  const char *title;
  const char *css_class;
  PlLongPollsOrder order;
  int width;
  CellFunc get_text;
} Column;

struct _PlLongPollList
{
  GtkWidget parent_instance;

  PlView *view;
  PlLongPollModel *model;
  GtkSingleSelection *selection;
  GtkStack *stack;
  GtkColumnView *column_view;
  PlNotice *notice;
  gboolean sticks_to_top; /* while rows are replaced */
  gboolean in_sync; /* while the selection is set from the view or the other way round */
};

G_DEFINE_FINAL_TYPE (PlLongPollList, pl_long_poll_list, GTK_TYPE_WIDGET)

static char *
get_duration_text (PlView       *view,
                   const PlPoll *poll)
{
  g_autofree char *duration = pl_duration_format (poll->duration_ns);

  if (poll->flags & PL_POLL_OPEN)
    /* Translators: an open poll, whose end is not in the data; %s is the least it lasted, as "12 ms" */
    return g_strdup_printf (_("open, ≥ %s"), duration);
  if (poll->flags & PL_POLL_CUT_OFF)
    /* Translators: the end of the poll was lost; %s is the least it lasted, as "12 ms" */
    return g_strdup_printf (_("≥ %s"), duration);
  return g_steal_pointer (&duration);
}

static char *
get_worker_text (PlView       *view,
                 const PlPoll *poll)
{
  return g_strdup_printf ("%" G_GUINT64_FORMAT, poll->worker);
}

static char *
get_start_text (PlView       *view,
                const PlPoll *poll)
{
  return pl_format_instant (view, poll->start_ns);
}

static char *
get_task_text (PlView       *view,
               const PlPoll *poll)
{
  return pl_format_task (poll->task_id);
}

static char *
get_location_text (PlView       *view,
                   const PlPoll *poll)
{
  return pl_format_location (pl_view_get_trace (view), poll->spawn_loc);
}

/* What the label of a spawn location has its full text under. */
#define LOCATION "location"

/* What the label of a cell has its GtkListItem under, which lives as long as the label. */
#define LIST_ITEM "list-item"

/* Widths as in the picture of the window; the last column takes the rest. */
static const Column columns[] = {
  { N_("Duration"), "long-poll", PL_LONG_POLLS_BY_DURATION, 132, get_duration_text },
  { N_("Worker"), NULL, PL_LONG_POLLS_BY_WORKER, 80, get_worker_text },
  { N_("Start"), "monospace", PL_LONG_POLLS_BY_START, 160, get_start_text },
  { N_("Task"), NULL, PL_LONG_POLLS_BY_TASK, 90, get_task_text },
  { N_("Spawn location"), "monospace", PL_LONG_POLLS_BY_SPAWN_LOC, -1, get_location_text },
};

/* To set a tooltip asks the display server where the pointer is: too much for each of hundreds of rows. */
static gboolean
query_location (GtkWidget  *label,
                int         x,
                int         y,
                gboolean    keyboard_tooltip,
                GtkTooltip *tooltip)
{
  const char *location = g_object_get_data (G_OBJECT (label), LOCATION);

  gtk_tooltip_set_text (tooltip, location);
  return location != NULL && *location != '\0';
}

static void
cell_setup (GtkSignalListItemFactory *factory,
            GtkListItem              *list_item,
            const Column             *column)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  if (column->css_class != NULL)
    gtk_widget_add_css_class (label, column->css_class);
  if (column->order == PL_LONG_POLLS_BY_SPAWN_LOC)
    {
      gtk_widget_set_has_tooltip (label, TRUE);
      g_signal_connect (label, "query-tooltip", G_CALLBACK (query_location), NULL);
    }
  g_object_set_data (G_OBJECT (label), LIST_ITEM, list_item);
  gtk_list_item_set_child (list_item, label);
}

/* The row is GTK's own, two levels up from what a column puts into it. */
static void
name_row (GtkWidget    *label,
          PlView       *view,
          const PlPoll *poll)
{
  GtkWidget *cell = gtk_widget_get_parent (label);
  GtkWidget *row = cell != NULL ? gtk_widget_get_parent (cell) : NULL;
  g_autofree char *description = NULL;

  if (row == NULL)
    return;
  description = pl_describe_poll (view, poll);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, description, -1);
}

static void
fill_cell (GtkWidget    *label,
           const Column *column,
           PlView       *view,
           const PlPoll *poll)
{
  g_autofree char *text = column->get_text (view, poll);

  gtk_label_set_text (GTK_LABEL (label), text);
  if (column->order == PL_LONG_POLLS_BY_START)
    name_row (label, view, poll);
  if (column->order == PL_LONG_POLLS_BY_SPAWN_LOC)
    {
      g_autofree char *location = g_utf8_make_valid (pl_trace_get_string (pl_view_get_trace (view),
                                                                          poll->spawn_loc), -1);

      g_object_set_data_full (G_OBJECT (label), LOCATION, g_steal_pointer (&location), g_free);
    }
}

/* A cell that is shown, and what it shows. */
typedef struct
{
  GtkWidget *label;
  const Column *column;
  PlView *view;
} Cell;

static void
poll_changed (PlPollItem *item,
              Cell       *cell)
{
  fill_cell (cell->label, cell->column, cell->view, pl_poll_item_get_poll (item));
}

static void
cell_free (gpointer  cell,
           GClosure *closure)
{
  g_free (cell);
}

static void
cell_bind (GtkSignalListItemFactory *factory,
           GtkListItem              *list_item,
           const Column             *column)
{
  PlPollItem *item = gtk_list_item_get_item (list_item);
  Cell *cell = g_new (Cell, 1);
  gulong handler;

  *cell = (Cell) { gtk_list_item_get_child (list_item), column, g_object_get_data (G_OBJECT (factory), "view") };
  poll_changed (item, cell);
  handler = g_signal_connect_data (item, "changed", G_CALLBACK (poll_changed), cell, cell_free, 0);
  g_object_set_data (G_OBJECT (list_item), "handler", GSIZE_TO_POINTER (handler));
}

static void
cell_unbind (GtkSignalListItemFactory *factory,
             GtkListItem              *list_item,
             const Column             *column)
{
  g_signal_handler_disconnect (gtk_list_item_get_item (list_item),
                               GPOINTER_TO_SIZE (g_object_get_data (G_OBJECT (list_item), "handler")));
}

static GtkListItemFactory *
make_factory (PlLongPollList *self,
              const Column   *column)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();

  g_object_set_data (G_OBJECT (factory), "view", self->view);
  g_signal_connect (factory, "setup", G_CALLBACK (cell_setup), (gpointer) column);
  g_signal_connect (factory, "bind", G_CALLBACK (cell_bind), (gpointer) column);
  g_signal_connect (factory, "unbind", G_CALLBACK (cell_unbind), (gpointer) column);
  return factory;
}

static void
add_columns (PlLongPollList *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    {
      g_autoptr(GtkColumnViewColumn) column = NULL;
      g_autoptr(GtkSorter) sorter = pl_column_order_new (i);

      column = gtk_column_view_column_new (_(columns[i].title), make_factory (self, &columns[i]));
      gtk_column_view_column_set_sorter (column, sorter);
      gtk_column_view_column_set_resizable (column, TRUE);
      if (columns[i].width > 0)
        gtk_column_view_column_set_fixed_width (column, columns[i].width);
      else
        gtk_column_view_column_set_expand (column, TRUE);
      gtk_column_view_append_column (self->column_view, column);
    }
}

static GtkColumnViewColumn *
get_column (PlLongPollList *self,
            guint           index)
{
  g_autoptr(GtkColumnViewColumn) column
      = g_list_model_get_item (gtk_column_view_get_columns (self->column_view), index);

  return column; /* the view keeps it */
}

static void
sorter_changed (GtkSorter       *sorter,
                GtkSorterChange  change,
                PlLongPollList  *self)
{
  guint column = 0;
  gboolean descending = TRUE;

  pl_column_order_read (sorter, G_N_ELEMENTS (columns), &column, &descending);
  pl_long_poll_model_set_order (self->model, columns[column].order, descending);
}

/* The rows are an inner list of the column view. */
static GtkWidget *
get_rows (PlLongPollList *self)
{
  return gtk_widget_get_last_child (GTK_WIDGET (self->column_view));
}

/* Tab leaves the rows, through which arrow keys go: what comes behind a million of them is to be reached as well. */
static gboolean
pl_long_poll_list_focus (GtkWidget        *widget,
                         GtkDirectionType  direction)
{
  GtkWidget *rows = get_rows (PL_LONG_POLL_LIST (widget));

  if ((direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD) && gtk_widget_get_focus_child (rows) != NULL
      && gtk_widget_get_focus_child (widget) != NULL)
    return FALSE;
  return GTK_WIDGET_CLASS (pl_long_poll_list_parent_class)->focus (widget, direction);
}

static void
scroll_to (PlLongPollList *self,
           guint           position)
{
  gtk_widget_activate_action (get_rows (self), "list.scroll-to-item", "u", position);
}

static void
select_row (PlLongPollList *self,
            gboolean        scroll)
{
  const PlPoll *selected = pl_view_get_selected (self->view);
  guint position = GTK_INVALID_LIST_POSITION;

  if (self->in_sync)
    return;

  if (selected != NULL && selected->duration_ns >= pl_view_get_threshold (self->view))
    pl_long_poll_model_find (self->model, selected, &position);

  self->in_sync = TRUE;
  gtk_single_selection_set_selected (self->selection, position);
  self->in_sync = FALSE;
  if (scroll && position != GTK_INVALID_LIST_POSITION)
    scroll_to (self, position);
}

static void
show_selected (PlLongPollList *self)
{
  select_row (self, TRUE);
}

static gboolean
is_at_top (PlLongPollList *self)
{
  GtkAdjustment *adjustment = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->column_view));

  return gtk_adjustment_get_value (adjustment) <= gtk_adjustment_get_lower (adjustment);
}

static void
row_selected (PlLongPollList *self)
{
  PlPollItem *item = gtk_single_selection_get_selected_item (self->selection);
  const PlPoll *selected;

  if (self->in_sync || item == NULL)
    return;
  /* The row has another place now and is the same poll. */
  selected = pl_view_get_selected (self->view);
  if (selected != NULL && pl_poll_same (selected, pl_poll_item_get_poll (item)))
    return;

  self->in_sync = TRUE;
  pl_view_select_nearby (self->view, pl_poll_item_get_poll (item));
  self->in_sync = FALSE;
}

static void
row_activated (PlLongPollList *self,
               guint           position)
{
  g_autoptr(PlPollItem) item = g_list_model_get_item (G_LIST_MODEL (self->model), position);

  if (item != NULL)
    pl_view_reveal (self->view, pl_poll_item_get_poll (item));
}

static void
explain_empty (PlLongPollList *self)
{
  gint64 longest_ns = pl_long_poll_model_get_longest (self->model);
  g_autofree char *threshold = pl_duration_format (pl_view_get_threshold (self->view));
  g_autofree char *longest = pl_duration_format (longest_ns);
  g_autofree char *text = NULL;
  g_autofree char *label = NULL;

  if (longest_ns <= 0)
    {
      pl_notice_set_text (self->notice, _("No polls were recorded"), NULL);
      pl_notice_set_action (self->notice, NULL, NULL, NULL);
      return;
    }

  /* Translators: both are durations */
  text = g_strdup_printf (_("No polls at or above %s; the longest is %s"), threshold, longest);
  label = g_strdup_printf (_("Lower the Threshold to %s"), longest);
  pl_notice_set_text (self->notice, text, NULL);
  pl_notice_set_action (self->notice, label, "win.threshold", g_variant_new_int64 (longest_ns));
}

static void
update_page (PlLongPollList *self)
{
  gboolean empty = g_list_model_get_n_items (G_LIST_MODEL (self->model)) == 0;

  /* While rows are being found it is not known yet that there are none. */
  if (empty && pl_long_poll_model_is_busy (self->model))
    return;
  if (empty)
    explain_empty (self);
  gtk_stack_set_visible_child_name (self->stack, empty ? "empty" : "rows");
}

/* The row that has the focus, or is being pressed, need not be the selected one. Rows are GTK's own, two levels up from what
 * a column puts into them. */
static PlPollItem *
get_focused (PlLongPollList *self)
{
  GtkWidget *rows = get_rows (self);
  GtkRoot *root = gtk_widget_get_root (rows);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  GtkWidget *cell;
  GtkWidget *label;
  GtkListItem *list_item;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, rows))
    return NULL;
  cell = gtk_widget_get_first_child (gtk_widget_get_focus_child (rows));
  label = cell != NULL ? gtk_widget_get_first_child (cell) : NULL;
  list_item = label != NULL ? g_object_get_data (G_OBJECT (label), LIST_ITEM) : NULL;
  return list_item != NULL ? gtk_list_item_get_item (list_item) : NULL;
}

static void
rows_replacing (PlLongPollList *self)
{
  PlPollItem *focused = get_focused (self);
  const PlPoll *selected = pl_view_get_selected (self->view);

  self->sticks_to_top = is_at_top (self) && focused == NULL && selected == NULL;
  if (focused != NULL)
    pl_long_poll_model_keep (self->model, pl_poll_item_get_poll (focused));
  if (selected != NULL && pl_long_poll_model_keep (self->model, selected))
    return;
  /* GtkSingleSelection would look for its row among the new ones by making an object for each. */
  self->in_sync = TRUE;
  gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
  self->in_sync = FALSE;
}

/* Rows that come one by one, as polls are recorded, move neither a list that is seen from its top nor one that somebody has
 * scrolled. */
static void
items_changed (GListModel     *model,
               guint           position,
               guint           removed,
               guint           added,
               PlLongPollList *self)
{
  update_page (self);
  select_row (self, added == g_list_model_get_n_items (model));
  if (self->sticks_to_top && g_list_model_get_n_items (model) > 0)
    scroll_to (self, 0);
}

static void
time_format_changed (PlLongPollList *self)
{
  /* A new factory makes the visible rows anew, which nothing else does while they stay the same polls. */
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    if (columns[i].order == PL_LONG_POLLS_BY_START)
      {
        g_autoptr(GtkListItemFactory) factory = make_factory (self, &columns[i]);

        gtk_column_view_column_set_factory (get_column (self, i), factory);
      }
}

static void
pl_long_poll_list_dispose (GObject *object)
{
  PlLongPollList *self = PL_LONG_POLL_LIST (object);

  /* Columns that go change the order once more. */
  if (self->column_view != NULL)
    g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (self->column_view), self);
  g_clear_object (&self->selection);
  g_clear_object (&self->model);
  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_LONG_POLL_LIST);

  G_OBJECT_CLASS (pl_long_poll_list_parent_class)->dispose (object);
}

static void
pl_long_poll_list_class_init (PlLongPollListClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_long_poll_list_dispose;
  widget_class->focus = pl_long_poll_list_focus;
  g_type_ensure (PL_TYPE_NOTICE);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-long-poll-list.ui");
  gtk_widget_class_bind_template_child (widget_class, PlLongPollList, stack);
  gtk_widget_class_bind_template_child (widget_class, PlLongPollList, column_view);
  gtk_widget_class_bind_template_child (widget_class, PlLongPollList, notice);
  gtk_widget_class_bind_template_callback (widget_class, row_activated);
}

static void
pl_long_poll_list_init (PlLongPollList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_long_poll_list_set_model:
 * @self: a list
 * @view: whose selection to share
 * @model: the rows; both are set once
 *
 * Gives the list its state.
 */
void
pl_long_poll_list_set_model (PlLongPollList  *self,
                             PlView          *view,
                             PlLongPollModel *model)
{
  GtkSorter *sorter;

  g_return_if_fail (PL_IS_LONG_POLL_LIST (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  self->model = g_object_ref (model);
  self->selection = g_object_new (GTK_TYPE_SINGLE_SELECTION, "autoselect", FALSE, "can-unselect", TRUE,
                                  "model", model, NULL);
  add_columns (self);
  gtk_column_view_set_model (self->column_view, GTK_SELECTION_MODEL (self->selection));

  sorter = gtk_column_view_get_sorter (self->column_view);
  g_signal_connect_object (sorter, "changed", G_CALLBACK (sorter_changed), self, 0);
  gtk_column_view_sort_by_column (self->column_view, get_column (self, 0), GTK_SORT_DESCENDING);

  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (row_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "replacing", G_CALLBACK (rows_replacing), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (model, "items-changed", G_CALLBACK (items_changed), self, G_CONNECT_AFTER);
  g_signal_connect_object (model, "notify::busy", G_CALLBACK (update_page), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (show_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (time_format_changed), self,
                           G_CONNECT_SWAPPED);
  update_page (self);
}
