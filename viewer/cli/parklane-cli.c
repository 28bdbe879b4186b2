/* parklane-cli.c: parklane-cli, the engine without a window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "pl-cli.h"
#include "pl-cli-interrupt.h"
#include "pl-cli-memory.h"
#include "pl-cli-record.h"
#include "pl-cli-render.h"
#include "pl-cli-terminal.h"
#include "pl-cli-watch.h"
#include "pl-installation.h"

typedef struct
{
  const char *name;
  int (*run) (int argc, char **argv);
  const char *summary;
  gboolean ends_at_once; /* when it is interrupted */
} Command;

static const Command commands[] = {
  { "info", pl_cli_info, N_("what files or directories of segments hold"), TRUE },
  { "report", pl_cli_report, N_("long polls, workers and spawn locations in figures"), TRUE },
  { "watch", pl_cli_watch, N_("whether sessions are being recorded, and if not, why"), FALSE },
  { "render", pl_cli_render, N_("the timeline as a picture"), TRUE },
  { "record", pl_cli_record, N_("asks and steers a running recorder"), FALSE },
  { "recover", pl_cli_recover, N_("writes what killed recorders left in memory"), FALSE },
};

static void
print_usage (void (*print) (const char *format, ...) G_GNUC_PRINTF (1, 2))
{
  print (_("Usage: parklane-cli COMMAND [OPTION…] PATH…\n\n"));
  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    print ("  %-8s %s\n", commands[i].name, _(commands[i].summary));
  print (_("\nparklane-cli COMMAND --help says more. PATH is a trace or a directory of segments.\n"));
}

int
main (int argc, char **argv)
{
  pl_installation_start_translation ();
  pl_cli_memory_init ();
  pl_cli_terminal_init ();

  if (argc > 1 && strcmp (argv[1], "--version") == 0)
    {
      g_print ("parklane-cli %s\n", PARKLANE_VERSION);
      return PL_CLI_DONE;
    }
  if (argc > 1 && (strcmp (argv[1], "--help") == 0 || strcmp (argv[1], "-h") == 0))
    {
      print_usage (g_print);
      return PL_CLI_DONE;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (commands) && argc > 1; i++)
    if (strcmp (argv[1], commands[i].name) == 0)
      {
        if (commands[i].ends_at_once)
          pl_cli_interrupt_init ();
        return pl_cli_terminal_finish (commands[i].run (argc - 1, argv + 1));
      }

  if (argc > 1)
    g_printerr (_("parklane-cli: there is no command “%s”\n"), argv[1]);
  print_usage (g_printerr);
  return PL_CLI_USAGE_ERROR;
}
