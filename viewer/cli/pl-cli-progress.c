/* pl-cli-progress.c: how far a command is, for who waits at a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One line that is written over and is gone when the command goes on. Not through g_printerr(), which lets no control
 * character pass.
 */
#include "config.h"

#include "pl-cli-progress.h"

#include <stdio.h>
#include <unistd.h>

/* What is done sooner needs no progress. */
#define BEGIN_US (500 * 1000)
#define INTERVAL_US (100 * 1000)

/**
 * pl_cli_progress_update:
 * @done: how much is done
 * @all: of how much
 * @progress: a #PlCliProgress
 *
 * Prints the share now and then, if stderr is a terminal. From one thread at a time.
 */
void
pl_cli_progress_update (guint done, guint all, gpointer progress)
{
  PlCliProgress *self = progress;
  gint64 now_us = g_get_monotonic_time ();

  if (self->next_us == 0)
    self->next_us = now_us + BEGIN_US;
  if (now_us < self->next_us || all == 0 || !isatty (STDERR_FILENO))
    return;
  fprintf (stderr, "\r%3.0f %%", 100.0 * done / all);
  fflush (stderr);
  self->is_shown = TRUE;
  self->next_us = now_us + INTERVAL_US;
}

/**
 * pl_cli_progress_end:
 *
 * Takes the line away again.
 */
void
pl_cli_progress_end (PlCliProgress *self)
{
  if (!self->is_shown)
    return;
  fputs ("\r     \r", stderr);
  fflush (stderr);
  self->is_shown = FALSE;
}
