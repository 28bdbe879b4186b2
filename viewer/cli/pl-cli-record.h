/* pl-cli-record.h: `parklane-cli record` and `parklane-cli recover`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_RECORD_H
#define PL_CLI_RECORD_H

int pl_cli_record  (int    argc,
                    char **argv);
int pl_cli_recover (int    argc,
                    char **argv);

#endif /* PL_CLI_RECORD_H */
