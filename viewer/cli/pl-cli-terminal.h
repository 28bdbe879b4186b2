/* pl-cli-terminal.h: text from traces on its way to a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_TERMINAL_H
#define PL_CLI_TERMINAL_H

#include <glib.h>

G_BEGIN_DECLS

void pl_cli_terminal_init   (void);
int  pl_cli_terminal_finish (int status);

G_END_DECLS

#endif /* PL_CLI_TERMINAL_H */
