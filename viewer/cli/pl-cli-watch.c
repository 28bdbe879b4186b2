/* pl-cli-watch.c: `parklane-cli watch`: says how the writers of session directories are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli-watch.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "pl-cli.h"

#define NS_PER_MS 1000000

/* How long `--once` waits by default: a little more than the longest time until a first verdict. */
#define ONCE_NS (G_GINT64_CONSTANT (50) * 1000 * NS_PER_MS)

/* Where there is no session to wait for, this long is enough. */
#define NOTHING_NS (G_GINT64_CONSTANT (2) * 1000 * NS_PER_MS)

/* Who reads the file does so a few times a minute; writing it waits for the disk. */
#define METRICS_S 5

/* At the end, for commands that still run. */
#define EXEC_END_S 10

typedef struct
{
  gboolean is_json;
  gboolean is_once;
  gint64 for_ns;
  const char *metrics_path;
  GPtrArray *sets; /* PlWatchSet, one for each directory */
  PlCliExec *exec;
  GMainLoop *loop;
  gint64 started_us;
  gboolean is_output_lost;
  gboolean has_metrics_failed;
  int status;
} Session;

/* All sessions of all directories. */
static GPtrArray *
list_watches (Session *self)
{
  GPtrArray *watches = g_ptr_array_new ();

  for (guint i = 0; i < self->sets->len; i++)
    {
      PlWatchSet *set = g_ptr_array_index (self->sets, i);
      guint n = pl_watch_set_get_n (set);

      for (guint j = 0; j < n; j++)
        g_ptr_array_add (watches, pl_watch_set_get (set, j));
    }
  return watches;
}

/* ---- output ---- */

/* A reader that went away ends a command that does nothing else. */
static void
check_output (Session *self)
{
  if (!ferror (stdout) || self->is_output_lost)
    return;
  self->is_output_lost = TRUE;
  if (self->exec == NULL && self->metrics_path == NULL)
    {
      self->status = PL_CLI_INPUT_ERROR;
      g_main_loop_quit (self->loop);
    }
}

static void
print (Session *self, PlWatch *watch)
{
  if (self->is_output_lost)
    return;
  if (self->is_json)
    pl_cli_watch_print_json (watch);
  else
    pl_cli_watch_print_text (watch);
  check_output (self);
}

/* Told once, not every five seconds for months. */
static void
write_metrics (Session *self)
{
  g_autoptr(GPtrArray) watches = list_watches (self);
  g_autoptr(GError) error = NULL;

  if (self->metrics_path == NULL)
    return;
  if (pl_cli_watch_write_metrics (watches, self->metrics_path, &error))
    self->has_metrics_failed = FALSE;
  else if (!self->has_metrics_failed)
    {
      self->has_metrics_failed = TRUE;
      g_printerr (_("parklane-cli watch: --prometheus: %s\n"), error->message);
    }
}

static gboolean
on_metrics_due (gpointer data)
{
  write_metrics (data);
  return G_SOURCE_CONTINUE;
}

/* ---- an end ---- */

/* Who may not look into the directory now will not be allowed to in a moment. */
static gboolean
is_shut (const PlWatchStatus *status)
{
  return status->verdict == PL_VERDICT_UNKNOWN && status->n_evidence > 0
         && status->evidence[0].kind == PL_EVIDENCE_CANNOT_LIST && status->evidence[0].numbers[0] == EACCES;
}

/* There is a verdict, or nothing to wait for. */
static gboolean
is_decided (Session *self, PlWatch *watch)
{
  const PlWatchStatus *status = pl_watch_get_status (watch);
  gint64 watched_ns = (g_get_monotonic_time () - self->started_us) * 1000;

  if (status->at_wall_ns == 0)
    return FALSE;
  return status->verdict != PL_VERDICT_UNKNOWN || status->cause != PL_CAUSE_NONE || is_shut (status)
         || (status->judged_in_ns == PL_WATCH_NOT_KNOWN && watched_ns >= NOTHING_NS);
}

static gboolean
are_all_decided (Session *self)
{
  g_autoptr(GPtrArray) watches = list_watches (self);

  for (guint i = 0; i < self->sets->len; i++)
    if (!pl_watch_set_is_settled (g_ptr_array_index (self->sets, i)))
      return FALSE;
  for (guint i = 0; i < watches->len; i++)
    if (!is_decided (self, g_ptr_array_index (watches, i)))
      return FALSE;
  return TRUE;
}

/* The worst of all sessions; of a directory that does not answer nothing is known. */
static int
find_status (Session *self)
{
  gboolean is_killed = FALSE;
  gboolean is_unknown = FALSE;

  for (guint i = 0; i < self->sets->len; i++)
    {
      PlWatch *worst = pl_watch_set_get_worst (g_ptr_array_index (self->sets, i));
      PlVerdict verdict = worst != NULL ? pl_watch_get_verdict (worst) : PL_VERDICT_UNKNOWN;

      if (verdict == PL_VERDICT_STALLED)
        return PL_CLI_WATCH_STALLED;
      is_killed |= verdict == PL_VERDICT_KILLED;
      is_unknown |= verdict == PL_VERDICT_UNKNOWN;
    }
  if (is_killed)
    return PL_CLI_WATCH_KILLED;
  return is_unknown ? PL_CLI_WATCH_UNKNOWN : PL_CLI_DONE;
}

static void
end_once (Session *self)
{
  g_autoptr(GPtrArray) watches = list_watches (self);

  g_ptr_array_foreach (self->sets, (GFunc) (void (*) (void)) pl_watch_set_stop, NULL);
  for (guint i = 0; i < watches->len; i++)
    {
      PlWatch *watch = g_ptr_array_index (watches, i);

      print (self, watch);
      if (self->exec != NULL)
        pl_cli_exec_tell (self->exec, watch);
    }
  self->status = find_status (self);
  g_main_loop_quit (self->loop);
}

static gboolean
on_time_over (gpointer data)
{
  Session *self = data;

  if (self->is_once)
    end_once (self);
  else
    g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

static gboolean
on_signal (gpointer data)
{
  Session *self = data;

  if (self->is_once)
    self->status = PL_CLI_WATCH_UNKNOWN;
  g_main_loop_quit (self->loop);
  return G_SOURCE_CONTINUE;
}

static void
on_sampled (PlWatchSet *set, PlWatch *watch, gpointer data)
{
  Session *self = data;

  if (self->is_once && are_all_decided (self))
    end_once (self);
}

static void
on_changed (PlWatchSet *set, PlWatch *watch, gpointer data)
{
  Session *self = data;

  if (self->is_once)
    return;
  print (self, watch);
  if (self->exec != NULL)
    pl_cli_exec_tell (self->exec, watch);
  write_metrics (self);
}

/* ---- a run ---- */

static gboolean
on_exec_patience_over (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
await_exec (Session *self)
{
  gboolean is_over = FALSE;
  guint timer = g_timeout_add_seconds (EXEC_END_S, on_exec_patience_over, &is_over);

  while (!is_over && pl_cli_exec_is_busy (self->exec))
    g_main_context_iteration (NULL, TRUE);
  if (!is_over)
    g_source_remove (timer);
}

static void
add_directory (Session *self, const char *directory, const char *prefix)
{
  PlWatchSet *set = pl_watch_set_new (directory, prefix);

  g_signal_connect (set, "sampled", G_CALLBACK (on_sampled), self);
  g_signal_connect (set, "changed", G_CALLBACK (on_changed), self);
  g_ptr_array_add (self->sets, set);
}

static int
run (Session *self)
{
  gint64 for_ns = self->for_ns > 0 || !self->is_once ? self->for_ns : ONCE_NS;

  signal (SIGPIPE, SIG_IGN);
  self->loop = g_main_loop_new (NULL, FALSE);
  self->started_us = g_get_monotonic_time ();
  g_unix_signal_add (SIGINT, on_signal, self);
  g_unix_signal_add (SIGTERM, on_signal, self);
  if (for_ns > 0)
    g_timeout_add ((guint) MIN (for_ns / NS_PER_MS + 1, G_MAXUINT), on_time_over, self);
  if (self->metrics_path != NULL && !self->is_once)
    g_timeout_add_seconds (METRICS_S, on_metrics_due, self);

  g_ptr_array_foreach (self->sets, (GFunc) (void (*) (void)) pl_watch_set_start, NULL);
  g_main_loop_run (self->loop);
  g_ptr_array_foreach (self->sets, (GFunc) (void (*) (void)) pl_watch_set_stop, NULL);
  write_metrics (self);
  if (self->exec != NULL)
    await_exec (self);
  g_main_loop_unref (self->loop);
  return self->status;
}

/**
 * pl_cli_watch:
 *
 * `watch [--json] [--once] [--for DUR] [--prefix S] [--prometheus FILE] [--exec CMD] DIR…`
 *
 * Returns: the exit status
 */
int
pl_cli_watch (int argc, char **argv)
{
  Session self = { .sets = g_ptr_array_new_with_free_func (g_object_unref) };
  g_autofree char *duration = NULL;
  g_autofree char *metrics = NULL;
  g_autofree char *command = NULL;
  g_autofree char *prefix = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &self.is_json, N_("Print one JSON object a line"), NULL },
    { "once", 0, 0, G_OPTION_ARG_NONE, &self.is_once,
      N_("Print each verdict once and exit: 0 all is well, 3 stalled, 4 killed, 5 not known"), NULL },
    { "for", 0, 0, G_OPTION_ARG_STRING, &duration, N_("Watch no longer than this, as in 30s or 5min"), N_("DURATION") },
    { "prefix", 0, 0, G_OPTION_ARG_FILENAME, &prefix, N_("Watch the session of this prefix alone"), N_("PREFIX") },
    { "prometheus", 0, 0, G_OPTION_ARG_FILENAME, &metrics, N_("Keep a Prometheus textfile up to date"), N_("FILE") },
    { "exec", 0, 0, G_OPTION_ARG_STRING, &command,
      N_("Run this shell command at each change, with the verdict in PARKLANE_VERDICT, _CAUSE, _DIR…"), N_("COMMAND") },
    { NULL },
  };
  int status;

  if (!pl_cli_parse ("watch", _("DIR…"),
                     _("Says whether sessions are being recorded, and if not, since when and why.\n\n"
                       "The evidence also counts the events that a writer had to drop. parklane-cli info lists the gaps "
                       "that they left."),
                     entries, &argc, &argv, &status)
      || !pl_cli_parse_duration ("watch", "--for", duration, &self.for_ns))
    {
      g_ptr_array_unref (self.sets);
      return PL_CLI_USAGE_ERROR;
    }
  for (int i = 1; i < argc; i++)
    add_directory (&self, argv[i], prefix);
  self.metrics_path = metrics;
  if (command != NULL)
    self.exec = pl_cli_exec_new (command);
  status = run (&self);
  g_clear_pointer (&self.exec, pl_cli_exec_free);
  g_ptr_array_unref (self.sets);
  return status;
}
