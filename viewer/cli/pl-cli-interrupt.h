/* pl-cli-interrupt.h: what a command leaves behind when it is interrupted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_INTERRUPT_H
#define PL_CLI_INTERRUPT_H

#include <glib.h>

G_BEGIN_DECLS

void pl_cli_interrupt_init         (void);
void pl_cli_interrupt_set_partial  (const char *path);
void pl_cli_interrupt_set_has_line (gboolean    has_line);

G_END_DECLS

#endif /* PL_CLI_INTERRUPT_H */
