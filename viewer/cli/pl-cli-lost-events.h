/* pl-cli-lost-events.h: the gaps of a recording, as the commands tell of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_LOST_EVENTS_H
#define PL_CLI_LOST_EVENTS_H

#include <json-glib/json-glib.h>

#include "pl-trace.h"

G_BEGIN_DECLS

void pl_cli_print_lost_events (PlTrace     *trace);
void pl_cli_list_gaps         (PlTrace     *trace);
void pl_cli_add_lost_events   (JsonBuilder *builder,
                               PlTrace     *trace);
void pl_cli_append_gap        (GString     *text,
                               guint        i,
                               gpointer     user_data);

G_END_DECLS

#endif /* PL_CLI_LOST_EVENTS_H */
