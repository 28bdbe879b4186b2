/* pl-window-notify.c: what the window tells the desktop while nobody looks at it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-window-private.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-format.h"
#include "pl-settings.h"
#include "pl-watch-text.h"

static gboolean
is_wanted (PlWindow   *self,
           const char *setting)
{
  gboolean wanted;

  g_object_get (pl_settings_get_default (), setting, &wanted, NULL);
  return wanted && !gtk_window_is_active (GTK_WINDOW (self));
}

/* One notification of each kind for each window: a later one takes the place of the one before. */
static char *
get_id (PlWindow   *self,
        const char *kind)
{
  return g_strdup_printf ("%s-%u", kind, gtk_application_window_get_id (GTK_APPLICATION_WINDOW (self)));
}

static void
send (PlWindow   *self,
      const char *kind,
      const char *title,
      const char *body)
{
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
  g_autoptr(GNotification) notification = g_notification_new (title);
  g_autofree char *id = get_id (self, kind);

  if (application == NULL)
    return;
  g_notification_set_body (notification, body);
  g_notification_set_default_action_and_target (notification, "app.show-window", "u",
                                                gtk_application_window_get_id (GTK_APPLICATION_WINDOW (self)));
  g_application_send_notification (application, id, notification);
}

static void
withdraw (PlWindow   *self,
          const char *kind)
{
  GApplication *application = G_APPLICATION (gtk_window_get_application (GTK_WINDOW (self)));
  g_autofree char *id = get_id (self, kind);

  if (application != NULL)
    g_application_withdraw_notification (application, id);
}

static void
tell_long_poll (PlTrace      *trace,
                const PlPoll *poll,
                guint         n_held,
                gpointer      data)
{
  PlWindow *self = data;
  g_autofree char *duration = pl_format_duration (poll);
  g_autofree char *location = pl_format_location (trace, poll->spawn_loc);
  g_autofree char *worker = pl_format_worker (trace, poll->worker);
  /* Translators: %s is a duration */
  g_autofree char *title = g_strdup_printf (_("Long poll: %s"), duration);
  /* Translators: a place in the source, a worker */
  g_autofree char *place = g_strdup_printf (_("%s on %s"), location, worker);
  g_autofree char *more = n_held > 0 ? g_strdup_printf (ngettext ("%u more since the last notice",
                                                                  "%u more since the last notice", n_held), n_held)
                                     : NULL;
  g_autofree char *body = more != NULL ? g_strdup_printf ("%s\n%s", place, more) : g_strdup (place);

  if (is_wanted (self, "notify-long-polls"))
    send (self, "long-poll", title, body);
}

static void
trace_grown (PlWindow *self)
{
  PlTrace *trace = pl_view_get_trace (self->view);

  if (trace != NULL && self->watch != NULL && self->loader == NULL)
    pl_long_poll_notifier_hear (self->notifier, trace, pl_view_get_threshold (self->view),
                                g_get_monotonic_time () * 1000);
}

static gboolean
is_any_alarm (PlWatchSet *sessions)
{
  PlWatch *worst = pl_watch_set_get_worst (sessions);

  return worst != NULL && pl_watch_text_is_alarm (pl_watch_get_status (worst));
}

static void
verdict_changed (PlWindow   *self,
                 PlWatch    *watch,
                 PlWatchSet *sessions)
{
  const PlWatchStatus *status = pl_watch_get_status (watch);
  const char *remedy = pl_verdict_get_remedy (status->verdict, status->cause);
  g_autofree char *title = pl_watch_text_title (watch);
  g_autofree char *evidence = pl_watch_text_evidence (status);
  g_autofree char *body = g_strdup_printf ("%s\n%s", evidence, remedy != NULL ? remedy : "");

  if (!is_any_alarm (sessions))
    withdraw (self, "stall");
  else if (pl_watch_text_is_alarm (status) && is_wanted (self, "notify-stalls"))
    send (self, "stall", title, body);
}

/**
 * pl_window_notify_of:
 * @self: a window
 * @sessions: (nullable): what it watches now
 *
 * Tells the desktop of stalls of @sessions and of long polls that come from now on.
 */
void
pl_window_notify_of (PlWindow   *self,
                     PlWatchSet *sessions)
{
  pl_long_poll_notifier_reset (self->notifier);
  withdraw (self, "stall");
  if (sessions != NULL)
    g_signal_connect_object (sessions, "changed", G_CALLBACK (verdict_changed), self, G_CONNECT_SWAPPED);
}

/**
 * pl_window_add_notifications:
 * @self: a window with its view
 *
 * Once.
 */
void
pl_window_add_notifications (PlWindow *self)
{
  self->notifier = pl_long_poll_notifier_new (tell_long_poll, self);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (trace_grown), self,
                           G_CONNECT_SWAPPED);
}
