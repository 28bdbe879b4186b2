/* pl-cli-watch-exec.c: runs a command at each change of a verdict
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n.h>

#include "pl-cli-watch.h"

/* Under which a watch keeps its Run. */
#define RUN_KEY "parklane-cli-watch-exec"

/* One session: while its command runs, only the last change is kept. */
typedef struct
{
  PlCliExec *exec;
  PlWatch *watch;
  gboolean is_running;
  gboolean is_due;
  PlVerdict told;
} Run;

struct _PlCliExec
{
  char *command;
  guint n_running;
};

/**
 * pl_cli_exec_new:
 * @command: for the shell
 *
 * Returns: (transfer full): what runs it in the main loop
 */
PlCliExec *
pl_cli_exec_new (const char *command)
{
  PlCliExec *self = g_new0 (PlCliExec, 1);

  self->command = g_strdup (command);
  return self;
}

/**
 * pl_cli_exec_free:
 *
 * Not while pl_cli_exec_is_busy() and the main loop runs.
 */
void
pl_cli_exec_free (PlCliExec *self)
{
  g_free (self->command);
  g_free (self);
}

static char **
make_environment (const Run *run)
{
  const PlWatchStatus *status = pl_watch_get_status (run->watch);
  const char *cause = pl_verdict_cause_get_code (status->cause);
  const char *prefix = pl_watch_get_prefix (run->watch);
  g_autofree char *since = pl_cli_watch_format_time (status->since_wall_ns);
  g_autofree char *written = g_strdup_printf ("%" G_GUINT64_FORMAT, status->bytes_written);
  g_autofree char *usage = g_strdup_printf ("%" G_GUINT64_FORMAT, status->disk_usage_bytes);
  g_auto(GStrv) sentences = pl_watch_dup_evidence (run->watch);
  g_autofree char *evidence = g_strjoinv ("\n", sentences);
  char **environment = g_get_environ ();

  environment = g_environ_setenv (environment, "PARKLANE_DIR", pl_watch_get_directory (run->watch), TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_PREFIX", prefix != NULL ? prefix : "", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_VERDICT", pl_verdict_get_code (status->verdict), TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_PREVIOUS_VERDICT", pl_verdict_get_code (run->told), TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_CAUSE", cause != NULL ? cause : "", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_SINCE", since, TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_BYTES_WRITTEN", written, TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_DISK_USAGE_BYTES", usage, TRUE);
  return g_environ_setenv (environment, "PARKLANE_EVIDENCE", evidence, TRUE);
}

static void start (Run *run);

static void
on_command_ended (GPid pid, int wait_status, gpointer data)
{
  Run *run = data;

  g_spawn_close_pid (pid);
  run->is_running = FALSE;
  run->exec->n_running--;
  if (run->is_due)
    start (run);
  g_object_unref (run->watch);
}

static void
start (Run *run)
{
  char *argv[] = { (char *) "/bin/sh", (char *) "-c", run->exec->command, NULL };
  g_auto(GStrv) environment = make_environment (run);
  g_autoptr(GError) error = NULL;
  GPid pid;

  run->is_due = FALSE;
  run->told = pl_watch_get_verdict (run->watch);
  if (!g_spawn_async (NULL, argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, &error))
    {
      g_printerr (_("parklane-cli watch: --exec: %s\n"), error->message);
      return;
    }
  g_object_ref (run->watch);
  run->is_running = TRUE;
  run->exec->n_running++;
  g_child_watch_add (pid, on_command_ended, run);
}

/**
 * pl_cli_exec_tell:
 * @watch: whose verdict has changed
 *
 * Runs the command with the verdict in its environment, once the one before has ended.
 */
void
pl_cli_exec_tell (PlCliExec *self, PlWatch *watch)
{
  Run *run = g_object_get_data (G_OBJECT (watch), RUN_KEY);

  if (run == NULL)
    {
      run = g_new0 (Run, 1);
      run->exec = self;
      run->watch = watch;
      g_object_set_data_full (G_OBJECT (watch), RUN_KEY, run, g_free);
    }
  if (run->is_running)
    run->is_due = TRUE;
  else
    start (run);
}

gboolean
pl_cli_exec_is_busy (PlCliExec *self)
{
  return self->n_running > 0;
}
