/* pl-cli-recover.c: `parklane-cli recover`: writes what killed recorders left in memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli-record.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "parklane-recorder.h"
#include "pl-cli.h"
#include "pl-cli-json.h"

static void
print_message (ParklaneLogLevel level, const char *message, void *data)
{
  g_printerr ("parklane-cli: %s\n", message);
}

static void
print_json (gint64 n_events)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "version");
  json_builder_add_int_value (builder, 1);
  json_builder_set_member_name (builder, "events");
  json_builder_add_int_value (builder, MAX (n_events, 0));
  json_builder_set_member_name (builder, "error");
  if (n_events < 0)
    json_builder_add_string_value (builder, g_strerror ((int) -n_events));
  else
    json_builder_add_null_value (builder);
  json_builder_end_object (builder);
  pl_cli_print_json (builder);
}

static void
print_text (gint64 n_events)
{
  if (n_events == 0)
    g_print ("%s\n", _("nothing was left in memory: no recorder was killed there, what it left is written already, or it lay in "
                       "a container that is gone"));
  else if (n_events > 0)
    g_print (ngettext ("%" PRId64 " event recovered\n", "%" PRId64 " events recovered\n",
                       (gulong) n_events),
             n_events);
}

/**
 * pl_cli_recover:
 *
 * `recover [--json] [--prefix PREFIX] DIR`
 *
 * Returns: the exit status
 */
int
pl_cli_recover (int argc, char **argv)
{
  gboolean json = FALSE;
  g_autofree char *prefix = NULL;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print one JSON object"), NULL },
    { "prefix", 0, 0, G_OPTION_ARG_FILENAME, &prefix, N_("Only the sessions of this prefix"), N_("PREFIX") },
    { NULL },
  };
  gint64 n_events;
  int status;

  if (!pl_cli_parse ("recover", _("DIR"),
                     _("Writes what recorders that were killed left in memory into segments beside their others, as their "
                       "next start would."),
                     entries, &argc, &argv, &status))
    return status;
  if (argc != 2)
    {
      g_printerr ("%s\n", _("parklane-cli recover: give one directory"));
      return PL_CLI_USAGE_ERROR;
    }
  n_events = parklane_recover (argv[1], prefix, print_message, NULL);
  if (n_events < 0)
    g_printerr ("parklane-cli: %s: %s\n", argv[1], g_strerror ((int) -n_events));
  if (json)
    print_json (n_events);
  else
    print_text (n_events);
  return n_events < 0 ? PL_CLI_INPUT_ERROR : PL_CLI_DONE;
}
