/* pl-cli-progress.h: how far a command is, for who waits at a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_PROGRESS_H
#define PL_CLI_PROGRESS_H

#include <glib.h>

G_BEGIN_DECLS

/* Makes a line of progress empty, whatever stands in it. */
#define PL_CLI_PROGRESS_CLEAR "\r                    \r"

typedef struct _PlCliProgress PlCliProgress;

/**
 * PlCliShareFunc:
 * Returns: how much of the work is done, 0 to 1; any other number where that is not known. Called on a thread of its own
 */
typedef double (*PlCliShareFunc) (gpointer user_data);

PlCliProgress *pl_cli_progress_begin  (PlCliShareFunc  share,
                                       gpointer        user_data);
void           pl_cli_progress_end    (PlCliProgress  *self);

G_END_DECLS

#endif /* PL_CLI_PROGRESS_H */
