/* pl-window-actions.c: what keys, menus and buttons of the window do
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Single keys are shortcuts in the bubble phase: a text entry that has the focus takes them first.
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "pl-describe.h"
#include "pl-long-polls.h"

#define ZOOM_PER_KEY 1.5
#define PAN_PER_KEY 0.2

typedef struct
{
  const char *trigger;
  const char *action;
} Shortcut;

/* Upper case as well: a locked Caps key is no other key. */
static const Shortcut shortcuts[] = {
  { "w|<Shift>w|Up", "win.zoom-in" },
  { "s|<Shift>s|Down", "win.zoom-out" },
  { "plus|<Control>plus|<Control>equal|KP_Add", "win.zoom-in" },
  { "minus|<Control>minus|KP_Subtract", "win.zoom-out" },
  { "a|Left", "win.pan-left" },
  { "d|Right", "win.pan-right" },
  { "f", "win.zoom-selection" },
  { "Home|<Control>0", "win.fit" },
  { "End", "win.go-to-end" },
  { "z|<Alt>Left", "win.back" },
  { "<Alt>Right|<Shift>z", "win.forward" },
  { "n", "win.next-long" },
  { "p", "win.previous-long" },
  { "period", "win.next-poll" },
  { "comma", "win.previous-poll" },
  { "<Shift>Down", "win.next-lane" },
  { "<Shift>Up", "win.previous-lane" },
  { "question|F1", "win.show-help-overlay" },
  { "Escape", "win.cancel" },
};

static gint64
get_anchor (PlWindow *self)
{
  const PlViewPointer *pointer = pl_view_get_pointer (self->view);
  PlRange visible = pl_view_get_visible (self->view);

  return pointer != NULL ? pointer->at_ns : visible.from_ns + pl_range_span (visible) / 2;
}

static void
zoom_in (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  PlWindow *self = user_data;

  pl_view_zoom (self->view, 1 / ZOOM_PER_KEY, get_anchor (self), PL_VIEW_CONTINUE);
}

static void
zoom_out (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  PlWindow *self = user_data;

  pl_view_zoom (self->view, ZOOM_PER_KEY, get_anchor (self), PL_VIEW_CONTINUE);
}

static void
pan_by (PlWindow *self,
        double    share)
{
  gint64 span_ns = pl_range_span (pl_view_get_visible (self->view));
  gint64 delta_ns = MAX (llround (fabs (share) * (double) span_ns), 1);

  pl_view_pan (self->view, share < 0 ? -delta_ns : delta_ns, PL_VIEW_CONTINUE);
}

static void
pan_left (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  pan_by (user_data, -PAN_PER_KEY);
}

static void
pan_right (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  pan_by (user_data, PAN_PER_KEY);
}

static void
fit (GSimpleAction *action,
     GVariant      *parameter,
     gpointer       user_data)
{
  pl_view_fit (PL_WINDOW (user_data)->view);
}

static void
go_to_end (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  pl_view_set_following (PL_WINDOW (user_data)->view, TRUE);
}

static void
set_following (GSimpleAction *action,
               GVariant      *state,
               gpointer       user_data)
{
  pl_view_set_following (PL_WINDOW (user_data)->view, g_variant_get_boolean (state));
}

static void
zoom_selection (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  PlWindow *self = user_data;
  PlRange range = pl_view_get_range (self->view);
  const PlPoll *selected = pl_view_get_selected (self->view);

  if (!pl_range_is_empty (range))
    pl_view_show (self->view, range, PL_VIEW_STEP);
  else if (selected != NULL)
    pl_view_reveal (self->view, selected);
}

static void
go_back (GSimpleAction *action,
         GVariant      *parameter,
         gpointer       user_data)
{
  pl_view_go_back (PL_WINDOW (user_data)->view);
}

static void
go_forward (GSimpleAction *action,
            GVariant      *parameter,
            gpointer       user_data)
{
  pl_view_go_forward (PL_WINDOW (user_data)->view);
}

static void
next_long (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  PlWindow *self = user_data;
  const PlPoll *selected = pl_view_get_selected (self->view);
  gint64 after_ns = selected != NULL ? selected->start_ns : pl_view_get_visible (self->view).from_ns - 1;
  guint64 after_worker = selected != NULL ? selected->worker : G_MAXUINT64;
  PlPoll poll;

  if (pl_long_polls_next (pl_view_get_trace (self->view), after_ns, after_worker,
                          pl_view_get_threshold (self->view), &poll))
    pl_view_reveal (self->view, &poll);
}

static void
previous_long (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  PlWindow *self = user_data;
  const PlPoll *selected = pl_view_get_selected (self->view);
  gint64 before_ns = selected != NULL ? selected->start_ns : pl_view_get_visible (self->view).to_ns;
  guint64 before_worker = selected != NULL ? selected->worker : 0;
  PlPoll poll;

  if (pl_long_polls_previous (pl_view_get_trace (self->view), before_ns, before_worker,
                              pl_view_get_threshold (self->view), &poll))
    pl_view_reveal (self->view, &poll);
}

static const PlLane *
get_walked_lane (PlWindow *self,
                 guint    *out_index)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  const PlPoll *selected = pl_view_get_selected (self->view);
  const PlLane *lane = NULL;

  if (selected != NULL)
    lane = pl_trace_find_lane (trace, selected->worker, out_index);
  if (lane == NULL && pl_trace_get_n_lanes (trace) > 0)
    {
      *out_index = 0;
      lane = pl_trace_get_lane (trace, 0);
    }
  return lane;
}

static void
walk (PlWindow *self,
      gboolean  forward)
{
  const PlPoll *selected = pl_view_get_selected (self->view);
  PlRange visible = pl_view_get_visible (self->view);
  guint index;
  const PlLane *lane = get_walked_lane (self, &index);
  PlPoll poll;
  gboolean found;

  if (lane == NULL)
    return;
  if (forward)
    found = pl_lane_next_poll (lane, selected != NULL ? selected->start_ns : visible.from_ns - 1, 0, &poll);
  else
    found = pl_lane_previous_poll (lane, selected != NULL ? selected->start_ns : visible.to_ns, 0, &poll);
  if (found)
    pl_view_select_nearby (self->view, &poll);
}

static void
next_poll (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  walk (user_data, TRUE);
}

static void
previous_poll (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  walk (user_data, FALSE);
}

/* Selects the poll of another lane that is nearest in time to where one is; lanes without polls are passed over. */
static void
change_lane (PlWindow *self,
             int       step)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  const PlPoll *selected = pl_view_get_selected (self->view);
  gint64 at_ns = selected != NULL ? selected->start_ns : pl_view_get_visible (self->view).from_ns;
  guint index;
  PlPoll poll;

  if (get_walked_lane (self, &index) == NULL)
    return;
  if (selected == NULL)
    index -= (guint) step;
  for (index += (guint) step; index < pl_trace_get_n_lanes (trace); index += (guint) step)
    {
      const PlLane *lane = pl_trace_get_lane (trace, index);

      if (pl_lane_next_poll (lane, at_ns - 1, 0, &poll) || pl_lane_previous_poll (lane, at_ns, 0, &poll))
        {
          pl_view_select_nearby (self->view, &poll);
          return;
        }
    }
}

static void
next_lane (GSimpleAction *action,
           GVariant      *parameter,
           gpointer       user_data)
{
  change_lane (user_data, 1);
}

static void
previous_lane (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  change_lane (user_data, -1);
}

static void
cancel (GSimpleAction *action,
        GVariant      *parameter,
        gpointer       user_data)
{
  PlWindow *self = user_data;

  if (pl_window_cancel_load (self))
    return;
  if (!pl_range_is_empty (pl_view_get_range (self->view)))
    pl_view_set_range (self->view, (PlRange) { 0, 0 });
  else
    pl_view_select (self->view, NULL);
}

static void
cancel_load (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  pl_window_cancel_load (user_data);
}

static void
close_details (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  pl_window_close_details (user_data);
}

static void
focus_timeline (GSimpleAction *action,
                GVariant      *parameter,
                gpointer       user_data)
{
  gtk_widget_grab_focus (GTK_WIDGET (PL_WINDOW (user_data)->timeline));
}

static void
set_threshold (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  pl_view_set_threshold (PL_WINDOW (user_data)->view, MAX (g_variant_get_int64 (parameter), 0));
}

static void
set_time_format (GSimpleAction *action,
                 GVariant      *state,
                 gpointer       user_data)
{
  PlWindow *self = user_data;
  const char *name = g_variant_get_string (state, NULL);
  PlViewTimeFormat format = PL_VIEW_RELATIVE;

  if (g_strcmp0 (name, "wall-local") == 0)
    format = PL_VIEW_WALL_LOCAL;
  else if (g_strcmp0 (name, "wall-utc") == 0)
    format = PL_VIEW_WALL_UTC;
  pl_view_set_time_format (self->view, format);
  g_simple_action_set_state (action, state);
}

static void
copy_report (GSimpleAction *action,
             GVariant      *parameter,
             gpointer       user_data)
{
  PlWindow *self = user_data;
  const PlPoll *selected = pl_view_get_selected (self->view);
  g_autofree char *report = NULL;

  if (selected == NULL)
    return;
  report = pl_describe_report (self->view, selected);
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), report);
}

static void
choose_files (GSimpleAction *action,
              GVariant      *parameter,
              gpointer       user_data)
{
  pl_window_choose_files (user_data, FALSE);
}

static void
choose_folder (GSimpleAction *action,
               GVariant      *parameter,
               gpointer       user_data)
{
  pl_window_choose_files (user_data, TRUE);
}

static void
open_uri (GSimpleAction *action,
          GVariant      *parameter,
          gpointer       user_data)
{
  g_autoptr(GFile) file = g_file_new_for_uri (g_variant_get_string (parameter, NULL));

  pl_window_open_file (user_data, file);
}

static const GActionEntry entries[] = {
  { "open", choose_files, NULL, NULL, NULL, { 0 } },
  { "open-folder", choose_folder, NULL, NULL, NULL, { 0 } },
  { "open-uri", open_uri, "s", NULL, NULL, { 0 } },
  { "cancel", cancel, NULL, NULL, NULL, { 0 } },
  { "cancel-load", cancel_load, NULL, NULL, NULL, { 0 } },
  { "close-details", close_details, NULL, NULL, NULL, { 0 } },
  { "focus-timeline", focus_timeline, NULL, NULL, NULL, { 0 } },
  { "threshold", set_threshold, "x", NULL, NULL, { 0 } },
  { "time-format", NULL, "s", "'relative'", set_time_format, { 0 } },
};

/* These need a trace. */
static const GActionEntry trace_entries[] = {
  { "zoom-in", zoom_in, NULL, NULL, NULL, { 0 } },
  { "zoom-out", zoom_out, NULL, NULL, NULL, { 0 } },
  { "zoom-selection", zoom_selection, NULL, NULL, NULL, { 0 } },
  { "fit", fit, NULL, NULL, NULL, { 0 } },
  { "go-to-end", go_to_end, NULL, NULL, NULL, { 0 } },
  { "follow", NULL, NULL, "false", set_following, { 0 } },
  { "pan-left", pan_left, NULL, NULL, NULL, { 0 } },
  { "pan-right", pan_right, NULL, NULL, NULL, { 0 } },
  { "back", go_back, NULL, NULL, NULL, { 0 } },
  { "forward", go_forward, NULL, NULL, NULL, { 0 } },
  { "next-long", next_long, NULL, NULL, NULL, { 0 } },
  { "previous-long", previous_long, NULL, NULL, NULL, { 0 } },
  { "next-poll", next_poll, NULL, NULL, NULL, { 0 } },
  { "previous-poll", previous_poll, NULL, NULL, NULL, { 0 } },
  { "next-lane", next_lane, NULL, NULL, NULL, { 0 } },
  { "previous-lane", previous_lane, NULL, NULL, NULL, { 0 } },
  { "copy-report", copy_report, NULL, NULL, NULL, { 0 } },
};

static void
set_enabled (PlWindow   *self,
             const char *name,
             gboolean    enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
update_enabled (PlWindow *self)
{
  gboolean has_trace = pl_view_get_trace (self->view) != NULL;

  for (guint i = 0; i < G_N_ELEMENTS (trace_entries); i++)
    set_enabled (self, trace_entries[i].name, has_trace);
  set_enabled (self, "back", has_trace && pl_view_can_go_back (self->view));
  set_enabled (self, "forward", has_trace && pl_view_can_go_forward (self->view));
}

static void
show_time_format (PlWindow *self)
{
  static const char *const names[] = { "relative", "wall-local", "wall-utc" };
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "time-format");

  g_simple_action_set_state (G_SIMPLE_ACTION (action),
                             g_variant_new_string (names[pl_view_get_time_format (self->view)]));
}

static void
show_following (PlWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "follow");

  g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (pl_view_is_following (self->view)));
}

static void
add_shortcuts (PlWindow *self)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_BUBBLE);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller),
                                          gtk_shortcut_new (gtk_shortcut_trigger_parse_string (shortcuts[i].trigger),
                                                            gtk_named_action_new (shortcuts[i].action)));
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

static void
add_help (PlWindow *self)
{
  g_autoptr(GtkBuilder) builder = gtk_builder_new_from_resource ("/org/parklane/Parklane/ui/pl-help-overlay.ui");

  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                           GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay")));
}

/**
 * pl_window_add_actions:
 * @self: a window that is being made
 *
 * Adds the actions "win.…", their keys and the help that lists them.
 */
void
pl_window_add_actions (PlWindow *self)
{
  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
  g_action_map_add_action_entries (G_ACTION_MAP (self), trace_entries, G_N_ELEMENTS (trace_entries), self);
  add_shortcuts (self);
  add_help (self);

  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update_enabled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_VISIBLE, G_CALLBACK (update_enabled), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (show_time_format), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_FOLLOWING, G_CALLBACK (show_following), self,
                           G_CONNECT_SWAPPED);
  update_enabled (self);
  show_time_format (self);
}
