/* pl-window.c: a window on one trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes the view and gives it to the widgets. Actions, layout, loading and dropping are in files of their own.
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>

#include "pl-format.h"
#include "pl-settings.h"

G_DEFINE_FINAL_TYPE (PlWindow, pl_window, GTK_TYPE_APPLICATION_WINDOW)

static const char *const time_formats[] = { "relative", "wall-local", "wall-utc" };

static void
show_count (PlWindow *self)
{
  g_autofree char *count = pl_format_rows (self->model);
  /* Translators: title of a list and how many rows it has */
  g_autofree char *label = g_strdup_printf (_("Long polls %s"), count);

  gtk_label_set_text (self->tab_count, count);
  pl_sheet_set_label (self->sheet, label);
}

static void
remember_threshold (PlView   *view,
                    PlWindow *self)
{
  g_object_set (pl_settings_get_default (), "threshold-ns", pl_view_get_threshold (view), NULL);
}

static void
remember_time_format (PlView   *view,
                      PlWindow *self)
{
  g_object_set (pl_settings_get_default (), "time-format", time_formats[pl_view_get_time_format (view)], NULL);
}

static void
make_view (PlWindow *self)
{
  gint64 threshold_ns;
  g_autofree char *time_format = NULL;

  self->view = pl_view_new ();
  self->model = pl_long_poll_model_new (self->view);

  g_object_get (pl_settings_get_default (), "threshold-ns", &threshold_ns, "time-format", &time_format, NULL);
  pl_view_set_threshold (self->view, threshold_ns);
  for (guint i = 0; i < G_N_ELEMENTS (time_formats); i++)
    if (g_strcmp0 (time_format, time_formats[i]) == 0)
      pl_view_set_time_format (self->view, (PlViewTimeFormat) i);
  g_signal_connect (self->view, "changed::" PL_VIEW_CHANGED_THRESHOLD, G_CALLBACK (remember_threshold), self);
  g_signal_connect (self->view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (remember_time_format), self);
}

static void
show_complaint (PlWindow *self)
{
  g_autofree char *complaint = pl_settings_take_complaint (pl_settings_get_default ());

  if (complaint != NULL)
    pl_error_bar_show_message (self->settings_bar, complaint, NULL);
}

static void
share_view (PlWindow *self)
{
  pl_header_set_view (self->header, self->view, self->model);
  pl_overview_set_view (self->overview, self->view);
  pl_usage_strip_set_view (self->usage, self->view);
  pl_ruler_set_view (self->ruler, self->view);
  pl_timeline_set_view (self->timeline, self->view);
  pl_long_poll_list_set_model (self->list, self->view, self->model);
  pl_details_set_view (self->details, self->view, self->model);
  pl_status_bar_set_view (self->status_bar, self->view, self->model);

  g_signal_connect_object (self->model, "notify::busy", G_CALLBACK (show_count), self, G_CONNECT_SWAPPED);
  show_count (self);
}

static gboolean
pl_window_close_request (GtkWindow *window)
{
  PlWindow *self = PL_WINDOW (window);

  pl_window_save_layout (self);
  return GTK_WINDOW_CLASS (pl_window_parent_class)->close_request (window);
}

static void
pl_window_size_allocate (GtkWidget *widget,
                         int        width,
                         int        height,
                         int        baseline)
{
  pl_window_update_layout (PL_WINDOW (widget), width, height);
  GTK_WIDGET_CLASS (pl_window_parent_class)->size_allocate (widget, width, height, baseline);
}

static void
pl_window_dispose (GObject *object)
{
  PlWindow *self = PL_WINDOW (object);

  pl_window_abandon_load (self);
  pl_window_end_watch (self);
  pl_window_set_detail (self, NULL);
  g_clear_handle_id (&self->layout_id, g_source_remove);
  if (self->view != NULL)
    g_signal_handlers_disconnect_by_data (self->view, self);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_WINDOW);
  g_clear_pointer (&self->notifier, pl_long_poll_notifier_free);
  g_clear_object (&self->model);
  g_clear_object (&self->view);
  g_clear_pointer (&self->request, pl_open_request_free);

  G_OBJECT_CLASS (pl_window_parent_class)->dispose (object);
}

static void
pl_window_class_init (PlWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_window_dispose;
  widget_class->size_allocate = pl_window_size_allocate;
  GTK_WINDOW_CLASS (klass)->close_request = pl_window_close_request;

  g_type_ensure (PL_TYPE_HEADER);
  g_type_ensure (PL_TYPE_LOAD_BAR);
  g_type_ensure (PL_TYPE_ERROR_BAR);
  g_type_ensure (PL_TYPE_STALL_BAR);
  g_type_ensure (PL_TYPE_EMPTY_PAGE);
  g_type_ensure (PL_TYPE_SHEET);
  g_type_ensure (PL_TYPE_OVERVIEW);
  g_type_ensure (PL_TYPE_USAGE_STRIP);
  g_type_ensure (PL_TYPE_RULER);
  g_type_ensure (PL_TYPE_TIMELINE);
  g_type_ensure (PL_TYPE_NOTICE);
  g_type_ensure (PL_TYPE_LONG_POLL_LIST);
  g_type_ensure (PL_TYPE_DETAILS);
  g_type_ensure (PL_TYPE_STATUS_BAR);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-window.ui");
  gtk_widget_class_bind_template_child (widget_class, PlWindow, header);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, load_bar);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, settings_bar);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, error_bar);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, stall_bar);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, across);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, down);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, sheet);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, lanes);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, overview);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, usage);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, ruler);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, timeline);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, notice);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, bottom);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, tabs);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, tab_count);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, list);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, details);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, status_bar);
  gtk_widget_class_bind_template_child (widget_class, PlWindow, drop_hint);
}

static void
pl_window_init (PlWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  make_view (self);
  pl_window_add_layout (self);
  share_view (self);
  pl_window_add_actions (self);
  pl_window_add_detail (self);
  pl_window_add_following (self);
  pl_window_add_drop_target (self);
  pl_window_add_notifications (self);
  pl_window_add_source (self);
  show_complaint (self);
}

/**
 * pl_window_new:
 * @application: the application
 *
 * Creates a window without a trace, in the size of the one that was closed last.
 *
 * Returns: (transfer none): a window
 */
PlWindow *
pl_window_new (GtkApplication *application)
{
  return g_object_new (PL_TYPE_WINDOW, "application", application, NULL);
}

/**
 * pl_window_is_empty:
 * @self: a window
 *
 * Tells whether @self neither shows nor loads a trace.
 */
gboolean
pl_window_is_empty (PlWindow *self)
{
  g_return_val_if_fail (PL_IS_WINDOW (self), FALSE);

  return pl_view_get_trace (self->view) == NULL && self->loader == NULL;
}
