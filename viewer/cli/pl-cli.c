/* pl-cli.c: what the commands of parklane-cli share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#include "pl-detail.h"
#include "pl-duration.h"
#include "pl-loader.h"
#include "pl-seek-table.h"

/* Of a directory in which every file is damaged nobody wants to read thousands of lines. */
#define MAX_LOSSES 20

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

/**
 * pl_cli_load:
 * @paths: (array zero-terminated=1): files and directories
 *
 * Returns: (transfer full) (nullable): the trace; %NULL when there is none, which has been said on stderr
 */
PlTrace *
pl_cli_load (char **paths)
{
  g_autoptr(GError) error = NULL;
  PlTrace *trace = pl_loader_load_within ((const char *const *) paths, 0, pl_cli_get_memory (), NULL, &error);

  if (trace == NULL)
    g_printerr ("parklane-cli: %s\n", error->message);
  return trace;
}

/* Of as many files as losses are told of. */
static void
warn_of_seek_tables (const PlTraceFile *files, guint n_files)
{
  guint n_warnings = 0;

  for (guint i = 0; i < n_files && n_warnings < MAX_LOSSES; i++)
    {
      g_autoptr(GError) error = NULL;

      if (pl_seek_table_check (&files[i], &error))
        continue;
      g_printerr (_("parklane-cli: warning: %s\n"), error->message);
      n_warnings++;
    }
}

/**
 * pl_cli_report_losses:
 *
 * Says on stderr what could not be read and how much of it: once for each file, and of very many once for the rest. A
 * seek table that lies is told of as well, and is no loss.
 *
 * Returns: the exit status that follows
 */
int
pl_cli_report_losses (PlTrace *trace)
{
  guint n_files;
  const PlTraceFile *files = pl_trace_get_files (trace, &n_files);
  int status = PL_CLI_DONE;
  guint n_losses = 0;

  warn_of_seek_tables (files, n_files);
  for (guint i = 0; i < n_files; i++)
    {
      if (files[i].error == NULL)
        continue;
      status = PL_CLI_INPUT_ERROR;
      if (++n_losses > MAX_LOSSES)
        continue;
      g_printerr ("parklane-cli: %s", files[i].error->message);
      /* Where nothing was read, the message has said it all. */
      if (files[i].lost_bytes > 0 && files[i].lost_bytes < files[i].raw_bytes)
        g_printerr (_("; %" PRIu64 " of %" PRIu64 " bytes were not read, "
                      "everything before them was"), files[i].lost_bytes, files[i].raw_bytes);
      g_printerr ("\n");
    }
  if (n_losses > MAX_LOSSES)
    g_printerr (_("parklane-cli: %u more files could not be read to their ends; info --json names them\n"),
                n_losses - MAX_LOSSES);
  return status;
}

/**
 * pl_cli_print_gaps:
 *
 * Says on stdout how many segments are not there, and what follows for the figures. Nothing when all are.
 */
void
pl_cli_print_gaps (const PlSegmentGaps *gaps)
{
  if (gaps->n_before > 0)
    g_print (ngettext ("%" PRIu64 " earlier segment is not here, evicted or removed: a poll that ran when it ended may lack "
                       "its start and counts as unpaired then\n",
                       "%" PRIu64 " earlier segments are not here, evicted or removed: a poll that ran when they ended may "
                       "lack its start and counts as unpaired then\n", (gulong) gaps->n_before), gaps->n_before);
  if (gaps->n_between > 0)
    g_print (ngettext ("%" PRIu64 " segment is missing between others: what ran meanwhile is in no figure, and a poll that "
                       "ran at its borders counts as unpaired\n",
                       "%" PRIu64 " segments are missing between others: what ran meanwhile is in no figure, and a poll that "
                       "ran at their borders counts as unpaired\n", (gulong) gaps->n_between), gaps->n_between);
}

/**
 * pl_cli_add_gaps:
 *
 * Adds the same to an open JSON object.
 */
void
pl_cli_add_gaps (JsonBuilder *builder, const PlSegmentGaps *gaps)
{
  json_builder_set_member_name (builder, "evicted_segments");
  json_builder_add_int_value (builder, (gint64) gaps->n_before);
  json_builder_set_member_name (builder, "missing_segments");
  json_builder_add_int_value (builder, (gint64) gaps->n_between);
}
