/* cli-runner.h: runs parklane-cli and looks at what it printed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CLI_RUNNER_H
#define CLI_RUNNER_H

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * CliRun:
 * @status: exit status
 * @out: what it printed
 * @err: what it said on stderr
 * @json: (nullable): @out as an object, if it is one
 */
typedef struct
{
  int status;
  char *out;
  char *err;
  JsonParser *parser;
  JsonObject *json;
} CliRun;

CliRun *cli_run             (const char  *first,
                             ...) G_GNUC_NULL_TERMINATED;
CliRun *cli_run_argv        (const char *const *arguments);
void    cli_run_free        (CliRun      *self);
char   *cli_get_program     (const char  *in_build_dir);

/* Whether the programs are built with a sanitizer, which needs addresses without a limit and has to be the first library. */
gboolean cli_is_sanitized   (void);

/* Each word of @members is NAME:TYPE; the type n for an integer, s for a string, o for an object, a for an array, and a
 * trailing ? where it may be null. All of them must be there. */
void    cli_assert_members  (JsonObject  *object,
                             const char  *members);
gint64  cli_get_number      (JsonObject  *object,
                             const char  *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (CliRun, cli_run_free)

G_END_DECLS

#endif /* CLI_RUNNER_H */
