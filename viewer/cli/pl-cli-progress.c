/* pl-cli-progress.c: how far a command is, for who waits at a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line that is written over and is gone when the command goes on. It comes from a thread of its own, so that time
 * passes on it also while nothing can be said of how much is done. Not through g_printerr(), which lets no control character
 * pass.
 */
#include "config.h"

#include "pl-cli-progress.h"

#include <stdio.h>
#include <unistd.h>

#include "pl-cli-interrupt.h"

/* What is done sooner needs no progress. */
#define BEGIN_US (500 * 1000)
#define INTERVAL_US (100 * 1000)

struct _PlCliProgress
{
  PlCliShareFunc share;
  gpointer user_data;
  gint64 began_us;
  GThread *thread;
  GMutex lock;
  GCond ended;
  gboolean is_ended;
};

static void
print_line (PlCliProgress *self)
{
  gint64 seconds = (g_get_monotonic_time () - self->began_us) / G_USEC_PER_SEC;
  double share = self->share != NULL ? self->share (self->user_data) : -1;

  pl_cli_interrupt_set_has_line (TRUE);
  if (share >= 0 && share < 1)
    fprintf (stderr, "\r%3d %%  %" G_GINT64_FORMAT " s", (int) (100 * share), seconds);
  else
    fprintf (stderr, "\r       %" G_GINT64_FORMAT " s", seconds);
  fflush (stderr);
}

static gpointer
run (gpointer data)
{
  PlCliProgress *self = data;
  gint64 next_us = self->began_us + BEGIN_US;
  gboolean is_shown = FALSE;

  g_mutex_lock (&self->lock);
  while (!self->is_ended)
    {
      if (g_cond_wait_until (&self->ended, &self->lock, next_us) || self->is_ended)
        continue;
      print_line (self);
      is_shown = TRUE;
      next_us = g_get_monotonic_time () + INTERVAL_US;
    }
  g_mutex_unlock (&self->lock);
  if (!is_shown)
    return NULL;
  fputs (PL_CLI_PROGRESS_CLEAR, stderr);
  fflush (stderr);
  pl_cli_interrupt_set_has_line (FALSE);
  return NULL;
}

/**
 * pl_cli_progress_begin:
 * @share: (nullable): says how much is done; %NULL where nothing can be said but how long it takes
 * @user_data: for @share, valid until the end
 *
 * Shows progress from now on, if stderr is a terminal. While it is shown nothing else is to be printed. Without a thread
 * there is none, and no other harm.
 *
 * Returns: (transfer full): to be ended
 */
PlCliProgress *
pl_cli_progress_begin (PlCliShareFunc share, gpointer user_data)
{
  PlCliProgress *self = g_new0 (PlCliProgress, 1);

  self->share = share;
  self->user_data = user_data;
  self->began_us = g_get_monotonic_time ();
  g_mutex_init (&self->lock);
  g_cond_init (&self->ended);
  if (isatty (STDERR_FILENO))
    self->thread = g_thread_try_new ("progress", run, self, NULL);
  return self;
}

/**
 * pl_cli_progress_end:
 * @self: (transfer full): what was begun
 *
 * Takes the line away again.
 */
void
pl_cli_progress_end (PlCliProgress *self)
{
  g_mutex_lock (&self->lock);
  self->is_ended = TRUE;
  g_cond_signal (&self->ended);
  g_mutex_unlock (&self->lock);
  if (self->thread != NULL)
    g_thread_join (self->thread);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->ended);
  g_free (self);
}
