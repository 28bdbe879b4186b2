/* pl-window-load.c: how a trace gets into the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is shown stays until the first lanes of the new trace are there, and for good when nothing of it can be read.
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-format.h"
#include "pl-one-line.h"
#include "pl-sandbox.h"
#include "pl-settings.h"

/* Share of the session that is shown around a moment when no span was asked for. */
#define SPAN_AT 0.1

static char *
get_title (PlWindow *self,
           PlTrace  *trace)
{
  guint n_entries;
  const PlMetadata *metadata = pl_trace_get_metadata (trace, &n_entries);
  const char *path = g_ptr_array_index (self->request->paths, 0);
  g_autofree char *absolute = NULL;
  g_autofree char *name = NULL;
  g_autofree char *readable = NULL;

  for (guint i = 0; i < n_entries; i++)
    if (g_str_equal (metadata[i].key, "service") && *metadata[i].value != '\0')
      return pl_one_line (metadata[i].value);

  /* "." names no folder. */
  absolute = g_canonicalize_filename (path, NULL);
  name = g_path_get_basename (absolute);
  readable = g_filename_display_name (name);
  return pl_one_line (readable);
}

static char *
count_events (PlTrace *trace)
{
  guint64 n_events = pl_trace_get_n_events (trace);
  g_autofree char *number = pl_format_count (n_events);
  /* Translators: %s is a number */
  g_autofree char *events = g_strdup_printf (ngettext ("%s event", "%s events", (gulong) n_events), number);
  g_autofree char *lost = NULL;
  guint64 n_lost;
  guint n_gaps;

  pl_trace_get_gaps (trace, &n_gaps, &n_lost);
  if (n_lost == 0)
    return g_steal_pointer (&events);
  lost = pl_format_count (n_lost);
  /* Translators: how many events there are, as "12 events", and a number of more that the recorder lost */
  return g_strdup_printf (_("%s, %s lost"), events, lost);
}

static char *
get_summary (PlTrace    *trace,
             const char *state)
{
  guint n_lanes = pl_trace_get_n_lanes (trace);
  g_autofree char *workers_number = pl_format_count (n_lanes);
  /* Translators: %s is a number */
  g_autofree char *workers = g_strdup_printf (ngettext ("%s worker", "%s workers", n_lanes), workers_number);
  g_autofree char *events = count_events (trace);
  g_autofree char *span = pl_duration_format (MAX (pl_trace_get_end_ns (trace) - pl_trace_get_start_ns (trace), 0));

  /* Before there is anything to count, what is waited for is all that can be said. */
  if (pl_trace_get_n_events (trace) == 0)
    return g_strdup (state);
  /* Translators: what is done with it, as "loading…", number of workers, time that the trace spans, number of events. What
   * does not fit is cut off at the end. */
  return g_strdup_printf (_("%s · %s · %s · %s"), state, workers, span, events);
}

/**
 * pl_window_show_title:
 * @self: a window
 * @trace: what it shows
 * @state: what is done with it, in a word or two
 *
 * Names the trace and sums it up.
 */
void
pl_window_show_title (PlWindow   *self,
                      PlTrace    *trace,
                      const char *state)
{
  g_autofree char *title = get_title (self, trace);
  g_autofree char *summary = get_summary (trace, state);

  pl_header_set_title (self->header, title, summary);
  gtk_window_set_title (GTK_WINDOW (self), title);
}

static char *
list_events (PlTrace *trace)
{
  guint n_counts;
  const PlEventCount *counts = pl_trace_get_event_counts (trace, &n_counts);
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < n_counts; i++)
    {
      g_autofree char *number = pl_format_count (counts[i].count);
      g_autofree char *name = pl_one_line (counts[i].name);

      g_string_append_printf (text, "%s%s %s", i > 0 ? ", " : "", number, name);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/**
 * pl_window_update_notice:
 * @self: a window
 * @trace: what it shows
 *
 * Says why there are no lanes, where there are none.
 */
void
pl_window_update_notice (PlWindow *self,
                         PlTrace  *trace)
{
  g_autofree char *events = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->notice), pl_trace_get_n_lanes (trace) == 0 && self->loader == NULL);
  if (pl_trace_get_n_lanes (trace) > 0 || pl_window_is_waiting (self))
    return;
  if (pl_trace_get_n_events (trace) == 0)
    {
      pl_notice_set_text (self->notice, _("This trace is empty"),
                          _("It is a trace, and nothing has been recorded into it yet."));
      return;
    }

  events = list_events (trace);
  pl_notice_set_text (self->notice, _("No worker events"), events);
}

static void
show_requested_view (PlWindow *self)
{
  const PlOpenRequest *request = self->request;
  PlTrace *trace = pl_view_get_trace (self->view);
  PlRange bounds = pl_view_get_bounds (self->view);
  gint64 span_ns = request->has_span ? request->span_ns : (gint64) (SPAN_AT * (double) pl_range_span (bounds));
  gint64 from_ns = bounds.from_ns;
  gint64 at_ns;

  if ((!request->has_at && !request->has_span) || pl_view_can_go_back (self->view))
    return;

  span_ns = CLAMP (span_ns, PL_RANGE_MIN_NS, pl_range_span (bounds));
  if (request->has_at)
    {
      if (!pl_instant_resolve (&request->at, trace, &at_ns))
        {
          pl_error_bar_show_message (self->error_bar, _("The trace does not tell wall-clock time"),
                                     _("The whole trace is shown instead of the moment that was asked for."));
          return;
        }
      from_ns = CLAMP (at_ns, bounds.from_ns, bounds.to_ns) - span_ns / 2;
    }
  pl_view_show (self->view, (PlRange) { from_ns, from_ns + span_ns }, PL_VIEW_STEP);
}

/**
 * pl_window_show_snapshot:
 * @self: a window with a request
 * @trace: a snapshot of what was requested
 *
 * Shows it in place of the one before, or of another trace.
 */
void
pl_window_show_snapshot (PlWindow *self,
                         PlTrace  *trace)
{
  if (self->shows_request)
    {
      pl_view_grow_trace (self->view, trace);
      return;
    }

  self->shows_request = TRUE;
  pl_view_set_trace (self->view, trace);
  gtk_stack_set_visible_child_name (self->stack, "trace");
  gtk_widget_grab_focus (GTK_WIDGET (self->timeline));
}

static void
snapshot_arrived (PlWindow *self)
{
  g_autoptr(PlTrace) trace = pl_loader_dup_trace (self->loader);

  if (trace == NULL || pl_trace_get_n_lanes (trace) == 0)
    return;
  pl_window_show_snapshot (self, trace);
  pl_window_show_title (self, trace, _("loading…"));
  pl_window_update_notice (self, trace);
}

static void
forget_loader (PlWindow *self)
{
  g_clear_signal_handler (&self->trace_handler, self->loader);
  g_clear_object (&self->loader);
  g_clear_object (&self->loading);
  pl_load_bar_set_loader (self->load_bar, NULL);
}

static void
remember_files (PlWindow *self)
{
  for (guint i = 0; i < self->request->paths->len; i++)
    {
      g_autoptr(GFile) file = g_file_new_for_path (g_ptr_array_index (self->request->paths, i));

      pl_empty_page_remember (file);
    }
}

/* In a session that is followed, files may be gone or in another form by now: the snapshots that follow tell of faults. */
static void
tell_losses (PlWindow *self,
             PlLoader *loader,
             PlTrace  *trace)
{
  if (!pl_loader_is_following (loader) || pl_trace_get_n_events (trace) == 0)
    pl_error_bar_show_losses (self->error_bar, trace);
}

static void
load_ended (PlWindow *self,
            PlTrace  *trace,
            gint64    elapsed_us)
{
  g_autofree char *elapsed = pl_duration_format (MAX (elapsed_us, 1000) / 1000 * 1000000);
  /* Translators: %s is how long it took */
  g_autofree char *state = g_strdup_printf (_("loaded in %s"), elapsed);

  tell_losses (self, self->loader, trace);
  forget_loader (self);
  if (!self->shows_request && pl_trace_get_n_events (trace) == 0 && pl_trace_has_losses (trace))
    return;

  pl_window_show_snapshot (self, trace);
  pl_window_show_title (self, trace, state);
  pl_window_update_notice (self, trace);
  show_requested_view (self);
  remember_files (self);
}

static void
load_failed (PlWindow     *self,
             const GError *error)
{
  PlTrace *shown = pl_view_get_trace (self->view);

  forget_loader (self);
  if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    pl_error_bar_show_message (self->error_bar, error->message,
                               pl_sandbox_explain_absence (g_ptr_array_index (self->request->paths, 0)));
  else if (self->shows_request)
    pl_error_bar_show_message (self->error_bar, _("Loading was stopped"),
                               _("What was read until then is shown; all figures are of that part."));
  if (shown != NULL && self->shows_request)
    {
      pl_window_show_title (self, shown, _("stopped loading"));
      pl_window_update_notice (self, shown);
    }
}

static void
load_done (GObject      *object,
           GAsyncResult *result,
           gpointer      user_data)
{
  g_autoptr(PlWindow) self = user_data;
  PlLoader *loader = PL_LOADER (object);
  gint64 elapsed_us = pl_loader_get_elapsed_us (loader);
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load_finish (loader, result, &error);

  /* Another load has taken over, or the window is closed. */
  if (loader != self->loader)
    return;
  if (trace != NULL)
    {
      load_ended (self, trace, elapsed_us);
      pl_window_set_detail (self, loader);
      pl_window_begin_following (self);
    }
  else
    load_failed (self, error);
}

/**
 * pl_window_open:
 * @self: a window
 * @request: what to open; at least one path
 *
 * Loads a trace in the background and shows it in place of what @self shows now.
 */
void
pl_window_open (PlWindow            *self,
                const PlOpenRequest *request)
{
  g_autoptr(GStrvBuilder) paths = g_strv_builder_new ();
  g_auto(GStrv) path_list = NULL;
  PlOpenRequest *copy;
  int memory_budget_mib;

  g_return_if_fail (PL_IS_WINDOW (self));
  g_return_if_fail (request->paths->len > 0);

  pl_window_abandon_load (self);
  pl_window_set_detail (self, NULL);
  pl_header_set_followed (self->header, FALSE);
  pl_error_bar_forget (self->error_bar);

  copy = pl_open_request_copy (request);
  g_clear_pointer (&self->request, pl_open_request_free);
  self->request = copy;
  self->shows_request = FALSE;
  pl_window_begin_watch (self);
  if (copy->has_threshold)
    pl_view_set_threshold (self->view, copy->threshold_ns);

  for (guint i = 0; i < copy->paths->len; i++)
    g_strv_builder_add (paths, g_ptr_array_index (copy->paths, i));
  path_list = g_strv_builder_end (paths);

  self->loader = pl_loader_new ((const char *const *) path_list);
  g_object_get (pl_settings_get_default (), "memory-budget", &memory_budget_mib, NULL);
  pl_loader_set_memory_budget (self->loader, (guint64) memory_budget_mib * 1024 * 1024);
  pl_loader_set_follow (self->loader, TRUE);
  self->loading = g_cancellable_new ();
  self->trace_handler = g_signal_connect_swapped (self->loader, "notify::trace", G_CALLBACK (snapshot_arrived), self);
  pl_load_bar_set_loader (self->load_bar, self->loader);
  pl_loader_load_async (self->loader, self->loading, load_done, g_object_ref (self));
}

/**
 * pl_window_open_files:
 * @self: a window
 * @files: (element-type GFile): files and folders
 *
 * Opens @files as one session.
 */
void
pl_window_open_files (PlWindow   *self,
                      GListModel *files)
{
  g_autoptr(PlOpenRequest) request = pl_open_request_new ();
  g_autoptr(GError) error = NULL;

  for (guint i = 0; i < g_list_model_get_n_items (files); i++)
    {
      g_autoptr(GFile) file = g_list_model_get_item (files, i);

      if (!pl_open_request_add_file (request, file, &error))
        {
          pl_error_bar_show_message (self->error_bar, error->message, NULL);
          return;
        }
    }
  if (request->paths->len > 0)
    pl_window_open (self, request);
}

/**
 * pl_window_open_file:
 * @self: a window
 * @file: a file or folder
 *
 * Opens @file.
 */
void
pl_window_open_file (PlWindow *self,
                     GFile    *file)
{
  g_autoptr(GListStore) files = g_list_store_new (G_TYPE_FILE);

  g_list_store_append (files, file);
  pl_window_open_files (self, G_LIST_MODEL (files));
}

static void
remember_folder (GtkFileChooser *chooser)
{
  g_autoptr(GFile) folder = gtk_file_chooser_get_current_folder (chooser);
  g_autofree char *uri = folder != NULL ? g_file_get_uri (folder) : NULL;

  if (uri != NULL)
    g_object_set (pl_settings_get_default (), "last-folder", uri, NULL);
}

static void
begin_in_last_folder (GtkFileChooser *chooser)
{
  g_autofree char *uri = NULL;
  g_autoptr(GFile) folder = NULL;

  g_object_get (pl_settings_get_default (), "last-folder", &uri, NULL);
  if (*uri == '\0')
    return;
  folder = g_file_new_for_uri (uri);
  /* Where it is gone, the chooser begins wherever it begins. */
  gtk_file_chooser_set_current_folder (chooser, folder, NULL);
}

static void
files_chosen (GtkNativeDialog *dialog,
              int              response,
              PlWindow        *self)
{
  g_autoptr(GListModel) files = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    {
      files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
      remember_folder (GTK_FILE_CHOOSER (dialog));
      pl_window_open_files (self, files);
    }
  g_object_unref (dialog);
}

static void
add_filters (GtkFileChooser *chooser)
{
  static const char *const patterns[] = { "*.bin", "*.bin.active", "*.bin.gz", "*.bin.zst" };
  g_autoptr(GtkFileFilter) traces = gtk_file_filter_new ();
  g_autoptr(GtkFileFilter) all = gtk_file_filter_new ();

  gtk_file_filter_set_name (traces, _("Traces"));
  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    gtk_file_filter_add_pattern (traces, patterns[i]);
  gtk_file_filter_set_name (all, _("All files"));
  gtk_file_filter_add_pattern (all, "*");
  gtk_file_chooser_add_filter (chooser, traces);
  gtk_file_chooser_add_filter (chooser, all);
}

/**
 * pl_window_choose_files:
 * @self: a window
 * @folder: folders instead of files
 *
 * Lets a person choose what to open.
 */
void
pl_window_choose_files (PlWindow *self,
                        gboolean  folder)
{
  GtkFileChooserNative *dialog
      = gtk_file_chooser_native_new (folder ? _("Open a Session Folder") : _("Open Traces"), GTK_WINDOW (self),
                                     folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN,
                                     _("_Open"), NULL);

  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (dialog), TRUE);
  if (!folder)
    add_filters (GTK_FILE_CHOOSER (dialog));
  begin_in_last_folder (GTK_FILE_CHOOSER (dialog));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (dialog), TRUE);
  g_signal_connect_object (dialog, "response", G_CALLBACK (files_chosen), self, 0);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (dialog));
}

/**
 * pl_window_cancel_load:
 * @self: a window
 *
 * Stops loading; what was read until then stays.
 *
 * Returns: whether something was loading
 */
gboolean
pl_window_cancel_load (PlWindow *self)
{
  if (self->loading == NULL)
    return FALSE;
  g_cancellable_cancel (self->loading);
  return TRUE;
}

/**
 * pl_window_abandon_load:
 * @self: a window
 *
 * Stops loading and takes no notice of what is still on its way, as for another trace or a window that is closed.
 */
void
pl_window_abandon_load (PlWindow *self)
{
  if (pl_window_cancel_load (self))
    forget_loader (self);
}
