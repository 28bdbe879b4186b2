/* pl-cli-progress.h: how far a command is, for who waits at a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlCliProgress:
 *
 * Zeroed before it is used.
 */
typedef struct
{
  gint64 next_us; /* when to print again; 0 = not begun */
  gboolean is_shown;
} PlCliProgress;

void pl_cli_progress_update (guint          done,
                             guint          all,
                             gpointer       progress);
void pl_cli_progress_end    (PlCliProgress *self);

G_END_DECLS

#endif /* PL_CLI_PROGRESS_H */
