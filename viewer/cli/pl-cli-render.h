/* pl-cli-render.h: `parklane-cli render`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_RENDER_H
#define PL_CLI_RENDER_H

int pl_cli_render (int    argc,
                   char **argv);

#endif /* PL_CLI_RENDER_H */
