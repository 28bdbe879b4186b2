/* pl-window-follow.c: a window on a session that is being recorded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>

#include "pl-sandbox.h"
#include "pl-settings.h"

/* How much of a session is seen at its end, when it is opened while it is recorded. */
#define FOLLOWED_NS (G_GINT64_CONSTANT (10) * 1000000000)

/* How often a window that is not the one in use looks for growth. */
#define BACKGROUND_PACE_MS 500

#define TITLE_US (1 * G_USEC_PER_SEC)

static gboolean
is_growing (PlTrace *trace)
{
  guint n_files;
  const PlTraceFile *files = pl_trace_get_files (trace, &n_files);

  for (guint i = 0; i < n_files; i++)
    if (files[i].is_growing)
      return TRUE;
  return FALSE;
}

/* The end of what is recorded, if that is what the person wants to see first. */
static void
stick_to_end (PlWindow *self)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  PlRange bounds = pl_view_get_bounds (self->view);
  gboolean is_wanted;

  g_object_get (pl_settings_get_default (), "follow-by-default", &is_wanted, NULL);
  if (!is_wanted || self->request->has_at || !is_growing (trace) || pl_trace_get_n_lanes (trace) == 0)
    return;
  if (!self->request->has_span && pl_range_span (bounds) > FOLLOWED_NS)
    pl_view_show (self->view, (PlRange) { bounds.to_ns - FOLLOWED_NS, bounds.to_ns }, PL_VIEW_STEP);
  pl_view_set_following (self->view, TRUE);
}

static void
show_waiting (PlWindow *self)
{
  const char *path = g_ptr_array_index (self->request->paths, 0);
  g_autofree char *name = g_filename_display_name (path);
  const char *absence = pl_sandbox_explain_absence (path);
  g_autofree char *body = NULL;

  switch (pl_loader_get_state (self->detail))
    {
    case PL_FOLLOW_MISSING:
      /* Translators: %s is a folder */
      body = absence != NULL
               ? g_strdup (absence)
               : g_strdup_printf (_("%s is not there yet. What is recorded into it will be shown."), name);
      break;
    case PL_FOLLOW_EMPTY:
      body = g_strdup_printf (_("Nothing has been recorded into %s yet. What is recorded into it will be shown."), name);
      break;
    case PL_FOLLOW_UNREADABLE:
    default:
      body = g_strdup_printf (_("%s cannot be listed. What is recorded into it will be shown as soon as it can be."),
                              name);
      break;
    }
  pl_notice_set_text (self->notice, _("Waiting for a recording"), body);
}

static gboolean
is_over (PlWatch *watch)
{
  PlVerdict verdict = pl_watch_get_verdict (watch);

  return verdict == PL_VERDICT_FINISHED || verdict == PL_VERDICT_KILLED;
}

static gboolean
is_paused (PlWatch *watch)
{
  return pl_watch_get_cause (watch) == PL_CAUSE_PAUSED;
}

/* Whether something is known of all sessions of the folder. */
static gboolean
are_all (PlWindow *self,
         gboolean (*is_so) (PlWatch *watch))
{
  guint n = self->sessions != NULL ? pl_watch_set_get_n (self->sessions) : 0;

  for (guint i = 0; i < n; i++)
    if (!is_so (pl_watch_set_get (self->sessions, i)))
      return FALSE;
  return n > 0;
}

static const char *
describe_state (PlWindow *self,
                PlTrace  *trace)
{
  switch (pl_loader_get_state (self->detail))
    {
    case PL_FOLLOW_MISSING:
      return _("its folder is gone, waiting for it");
    case PL_FOLLOW_EMPTY:
      return _("its folder is empty, waiting for more");
    case PL_FOLLOW_UNREADABLE:
      return _("its folder cannot be listed, waiting for it");
    case PL_FOLLOW_PRESENT:
    default:
      if (are_all (self, is_over))
        return _("no longer recorded");
      if (are_all (self, is_paused))
        return _("recording is paused");
      return is_growing (trace) ? _("being recorded") : _("waiting for more");
    }
}

static void
update_title (PlWindow *self,
              PlTrace  *trace)
{
  gint64 now = g_get_monotonic_time ();

  if (now - self->titled_us < TITLE_US)
    return;
  self->titled_us = now;
  pl_window_show_title (self, trace, describe_state (self, trace));
}

static void
set_pace (PlWindow *self)
{
  if (self->detail != NULL)
    pl_loader_set_pace (self->detail, gtk_window_is_active (GTK_WINDOW (self)) ? 0 : BACKGROUND_PACE_MS);
}

static void
state_changed (PlWindow *self)
{
  g_autoptr(PlTrace) trace = pl_loader_dup_trace (self->detail);

  self->titled_us = 0;
  update_title (self, trace);
  pl_window_update_notice (self, trace);
}

/**
 * pl_window_say_whether_recorded:
 * @self: a window
 *
 * Says in the header what a changed verdict makes of the session, if it is said there.
 */
void
pl_window_say_whether_recorded (PlWindow *self)
{
  if (self->titled_us != 0 && self->detail != NULL && pl_loader_is_following (self->detail))
    state_changed (self);
}

/**
 * pl_window_is_waiting:
 * @self: a window that shows no lanes
 *
 * Says what it waits for, if it waits for something to be recorded.
 *
 * Returns: whether it does
 */
gboolean
pl_window_is_waiting (PlWindow *self)
{
  if (self->detail == NULL || !pl_loader_is_following (self->detail)
      || pl_loader_get_state (self->detail) == PL_FOLLOW_PRESENT)
    return FALSE;
  show_waiting (self);
  return TRUE;
}

/**
 * pl_window_extend_trace:
 * @self: a window that follows a session
 * @trace: the newest snapshot of it
 *
 * Shows what has been recorded.
 */
void
pl_window_extend_trace (PlWindow *self,
                        PlTrace  *trace)
{
  guint n_lanes_before;

  /* Of what was there at first nothing could be read. */
  if (!self->shows_request)
    {
      if (pl_trace_get_n_lanes (trace) == 0)
        return;
      pl_window_show_snapshot (self, trace);
      pl_window_begin_following (self);
      return;
    }

  n_lanes_before = pl_trace_get_n_lanes (pl_view_get_trace (self->view));
  if (n_lanes_before == 0)
    pl_view_set_trace (self->view, trace);
  else
    pl_view_extend_trace (self->view, trace);
  if (n_lanes_before == 0 || pl_trace_get_n_lanes (trace) == 0)
    {
      pl_window_update_notice (self, trace);
      stick_to_end (self);
    }
  pl_error_bar_update_losses (self->error_bar, trace);
  update_title (self, trace);
}

/**
 * pl_window_begin_following:
 * @self: a window that has loaded a trace
 *
 * Goes on with what is recorded, if the trace is a session in a folder.
 */
void
pl_window_begin_following (PlWindow *self)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  gboolean is_followed = pl_loader_is_following (self->detail) && self->shows_request;

  pl_header_set_followed (self->header, is_followed);
  if (!is_followed)
    return;
  g_signal_connect_object (self->detail, "notify::state", G_CALLBACK (state_changed), self, G_CONNECT_SWAPPED);
  set_pace (self);
  pl_window_update_notice (self, trace);
  stick_to_end (self);
  self->titled_us = 0;
  if (is_growing (trace) || pl_loader_get_state (self->detail) != PL_FOLLOW_PRESENT)
    update_title (self, trace);
}

/**
 * pl_window_add_following:
 * @self: a window with its view
 *
 * Lets the window look for growth less often while it is not in use. Once.
 */
void
pl_window_add_following (PlWindow *self)
{
  g_signal_connect (self, "notify::is-active", G_CALLBACK (set_pace), NULL);
}
