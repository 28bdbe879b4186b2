/* pl-cli-memory.h: what happens where the system refuses memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_MEMORY_H
#define PL_CLI_MEMORY_H

void pl_cli_memory_init (void);

#endif /* PL_CLI_MEMORY_H */
