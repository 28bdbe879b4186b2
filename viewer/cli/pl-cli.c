/* pl-cli.c: what the commands of parklane-cli share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli.h"

#include <glib/gi18n.h>
#include <string.h>

#include "pl-detail.h"
#include "pl-duration.h"

/* Options that every command has. */
static char *memory;

static const GOptionEntry common_entries[] = {
  { "memory", 0, 0, G_OPTION_ARG_STRING, &memory,
    N_("Memory for the detail of traces that are larger, 512 MiB by default"), N_("SIZE") },
  { NULL },
};

/**
 * pl_cli_parse_size:
 * @text: a number with `KiB`, `MiB` or `GiB`
 * @out_bytes: (out): what it means; undefined when it means nothing
 *
 * Returns: whether @text is a size that fits 64 bits
 */
gboolean
pl_cli_parse_size (const char *text, guint64 *out_bytes)
{
  static const struct { const char *suffix; guint64 bytes; } units[] = {
    { "KiB", 1 << 10 }, { "MiB", 1 << 20 }, { "GiB", 1 << 30 },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    {
      g_autofree char *number = NULL;

      if (!g_str_has_suffix (text, units[i].suffix))
        continue;
      number = g_strstrip (g_strndup (text, strlen (text) - strlen (units[i].suffix)));
      if (!g_ascii_string_to_unsigned (number, 10, 0, G_MAXUINT64 / units[i].bytes, out_bytes, NULL))
        return FALSE;
      *out_bytes *= units[i].bytes;
      return TRUE;
    }
  return FALSE;
}

/**
 * pl_cli_get_memory:
 *
 * Returns: bytes of detail to hold, as `--memory` said; it has been checked by pl_cli_parse()
 */
guint64
pl_cli_get_memory (void)
{
  guint64 bytes = PL_DETAIL_DEFAULT_BUDGET;

  if (memory != NULL)
    pl_cli_parse_size (memory, &bytes);
  return bytes;
}

/* GOption leaves "--" in place where a path stands before it or a "-" begins one behind it. */
static void
drop_separator (int *argc, char **argv)
{
  for (int i = 1; i < *argc; i++)
    if (strcmp (argv[i], "--") == 0)
      {
        memmove (argv + i, argv + i + 1, (gsize) (*argc - i) * sizeof *argv);
        (*argc)--;
        return;
      }
}

/**
 * pl_cli_parse:
 * @command: the command's name
 * @arguments: what follows the options, for the help
 * @summary: one sentence on what it does
 * @entries: its options
 * @argc: (inout): arguments, the command itself first; options are removed
 * @argv: (inout): see @argc
 * @out_status: (out): exit status when there is nothing to do
 *
 * Reads the options of a command that takes at least one path.
 *
 * Returns: %FALSE when the usage is wrong, which has been said on stderr
 */
gboolean
pl_cli_parse (const char *command, const char *arguments, const char *summary, const GOptionEntry *entries, int *argc,
              char ***argv, int *out_status)
{
  g_autoptr(GOptionContext) context = g_option_context_new (arguments);
  g_autoptr(GError) error = NULL;
  g_autofree char *program = g_strdup_printf ("parklane-cli %s", command);
  guint64 bytes;

  g_set_prgname (program);
  g_option_context_set_summary (context, summary);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, common_entries, GETTEXT_PACKAGE);
  *out_status = PL_CLI_USAGE_ERROR;
  if (!g_option_context_parse (context, argc, argv, &error))
    {
      g_printerr ("%s: %s\n", program, error->message);
      return FALSE;
    }
  drop_separator (argc, *argv);
  if (memory != NULL && !pl_cli_parse_size (memory, &bytes))
    {
      g_printerr (_("%s: --memory: “%s” is not a size; write a number and KiB, MiB or GiB: 512MiB\n"), program, memory);
      return FALSE;
    }
  if (*argc < 2)
    {
      g_printerr (_("%s: a file or a directory to read is missing; see --help\n"), program);
      return FALSE;
    }
  return TRUE;
}

/**
 * pl_cli_parse_duration:
 * @option: the option that @text was given to
 * @text: (nullable): its value; %NULL leaves @out_ns as it is
 *
 * Returns: %FALSE when it is no duration, which has been said on stderr
 */
gboolean
pl_cli_parse_duration (const char *command, const char *option, const char *text, gint64 *out_ns)
{
  g_autoptr(GError) error = NULL;

  if (text == NULL || pl_duration_parse (text, out_ns, &error))
    return TRUE;
  g_printerr ("parklane-cli %s: %s: %s\n", command, option, error->message);
  return FALSE;
}
