/* pl-cli-load.c: reads the trace of a command, and says what could not be read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "pl-cli-progress.h"
#include "pl-load-job.h"
#include "pl-one-line.h"
#include "pl-seek-table.h"

/* Of a directory in which every file is damaged nobody wants to read thousands of lines. */
#define MAX_LOSSES 20

static double
get_share (gpointer job)
{
  guint64 read;
  guint64 total;
  guint64 n_events;

  pl_load_job_get_progress (job, &read, &total, &n_events);
  return total > 0 ? (double) read / (double) total : -1;
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
  PlLoadJob *job = pl_load_job_new ((const char *const *) paths, 0, pl_cli_get_memory ());
  PlCliProgress *progress = pl_cli_progress_begin (get_share, job);
  g_autoptr(GError) error = NULL;
  PlTrace *trace = pl_load_job_run_once (job, NULL, &error);

  pl_cli_progress_end (progress);
  pl_load_job_free (job);
  if (trace == NULL)
    {
      g_autofree char *message = pl_one_line (error->message);

      g_printerr ("parklane-cli: %s\n", message);
    }
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
      g_autofree char *message = NULL;

      if (pl_seek_table_check (&files[i], &error))
        continue;
      message = pl_one_line (error->message);
      g_printerr (_("parklane-cli: warning: %s\n"), message);
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
      g_autofree char *message = NULL;

      if (files[i].error == NULL)
        continue;
      status = PL_CLI_INPUT_ERROR;
      if (++n_losses > MAX_LOSSES)
        continue;
      message = pl_one_line (files[i].error->message);
      g_printerr ("parklane-cli: %s", message);
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
