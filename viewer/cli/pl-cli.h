/* pl-cli.h: what the commands of parklane-cli share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CLI_H
#define PL_CLI_H

#include <gio/gio.h>
#include <json-glib/json-glib.h>

#include "pl-segment-gaps.h"

G_BEGIN_DECLS

/* Exit statuses, fixed: done, something unreadable or lost, wrong usage. */
enum
{
  PL_CLI_DONE = 0,
  PL_CLI_INPUT_ERROR = 1,
  PL_CLI_USAGE_ERROR = 2,
};

int pl_cli_info   (int    argc,
                   char **argv);
int pl_cli_report (int    argc,
                   char **argv);

gboolean  pl_cli_parse           (const char         *command,
                                  const char         *arguments,
                                  const char         *summary,
                                  const GOptionEntry *entries,
                                  int                *argc,
                                  char             ***argv,
                                  int                *out_status);
gboolean  pl_cli_parse_duration  (const char         *command,
                                  const char         *option,
                                  const char         *text,
                                  gint64             *out_ns);
gboolean  pl_cli_parse_size      (const char         *text,
                                  guint64            *out_bytes);
guint64   pl_cli_get_memory      (void);
PlTrace  *pl_cli_load            (char              **paths);
int       pl_cli_report_losses   (PlTrace            *trace);
void      pl_cli_print_gaps      (const PlSegmentGaps *gaps);
void      pl_cli_add_gaps        (JsonBuilder        *builder,
                                  const PlSegmentGaps *gaps);

G_END_DECLS

#endif /* PL_CLI_H */
