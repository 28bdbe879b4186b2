/* pl-cli-watch.h: what the parts of `parklane-cli watch` share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_WATCH_H
#define PL_CLI_WATCH_H

#include "pl-watch-set.h"

G_BEGIN_DECLS

/* Exit statuses of `watch --once`, fixed, beside those of all commands. */
enum
{
  PL_CLI_WATCH_STALLED = 3,
  PL_CLI_WATCH_KILLED = 4,
  PL_CLI_WATCH_UNKNOWN = 5,
};

int       pl_cli_watch               (int          argc,
                                      char       **argv);

void      pl_cli_watch_print_text    (PlWatch     *watch);
void      pl_cli_watch_print_json    (PlWatch     *watch);
char     *pl_cli_watch_format_time   (gint64       wall_ns);
gboolean  pl_cli_watch_write_metrics (GPtrArray   *watches,
                                      const char  *path,
                                      GError     **error);

/* Runs a command at each change, one at a time for each session. */
typedef struct _PlCliExec PlCliExec;

PlCliExec *pl_cli_exec_new           (const char  *command);
void       pl_cli_exec_free          (PlCliExec   *self);
void       pl_cli_exec_tell          (PlCliExec   *self,
                                      PlWatch     *watch);
gboolean   pl_cli_exec_is_busy       (PlCliExec   *self);

G_END_DECLS

#endif /* PL_CLI_WATCH_H */
