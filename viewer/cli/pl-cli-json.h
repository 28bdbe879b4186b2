/* pl-cli-json.h: JSON on stdout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_JSON_H
#define PL_CLI_JSON_H

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * PlCliRowFunc:
 * @text: what to add row @i to, as one JSON value
 */
typedef void (*PlCliRowFunc) (GString *text,
                              guint    i,
                              gpointer user_data);

void   pl_cli_print_json      (JsonBuilder *builder);
void   pl_cli_print_json_rows (JsonBuilder *builder,
                               const char  *name,
                               guint        n,
                               PlCliRowFunc func,
                               gpointer     user_data);
char  *pl_cli_quote_json      (const char  *string);

G_END_DECLS

#endif /* PL_CLI_JSON_H */
