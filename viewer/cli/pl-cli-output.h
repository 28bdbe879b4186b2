/* pl-cli-output.h: a file that is written as a whole or not at all
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_OUTPUT_H
#define PL_CLI_OUTPUT_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _PlCliOutput PlCliOutput;

PlCliOutput *pl_cli_output_open    (const char   *path,
                                    GError      **error);
gboolean     pl_cli_output_write   (PlCliOutput  *self,
                                    const void   *bytes,
                                    gsize         size,
                                    GError      **error);
gboolean     pl_cli_output_finish  (PlCliOutput  *self,
                                    GError      **error);
void         pl_cli_output_free    (PlCliOutput  *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlCliOutput, pl_cli_output_free)

G_END_DECLS

#endif /* PL_CLI_OUTPUT_H */
