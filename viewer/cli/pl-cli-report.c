/* pl-cli-report.c: `parklane-cli report`: long polls, workers and spawn locations in figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "pl-cli-json.h"
#include "pl-cli-progress.h"
#include "pl-cli-lost-events.h"
#include "pl-duration.h"
#include "pl-one-line.h"
#include "pl-report.h"

#define DEFAULT_THRESHOLD_NS 1000000

#define NO_LIMIT G_MININT

/* Rows of a table for people; a program gets all of them. */
#define DEFAULT_ROWS 20

static void
add_int (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64) value);
}

/* JSON's integers are signed here: a larger id is given as text rather than as another number. */
static void
add_id (JsonBuilder *builder, const char *name, guint64 id)
{
  g_autofree char *text = NULL;

  if (id <= G_MAXINT64)
    {
      add_int (builder, name, id);
      return;
    }
  text = g_strdup_printf ("%" G_GUINT64_FORMAT, id);
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, text);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_polls (JsonBuilder *builder, const PlReport *report)
{
  json_builder_set_member_name (builder, "polls");
  json_builder_begin_object (builder);
  add_int (builder, "count", report->polls.n_polls);
  add_int (builder, "open", report->polls.n_open);
  add_int (builder, "unpaired", report->polls.n_unpaired);
  add_int (builder, "estimated", report->n_estimated);
  add_int (builder, "total_ns", (guint64) report->polls.total_ns);
  add_int (builder, "max_ns", (guint64) report->polls.max_ns);
  add_int (builder, "p50_ns", (guint64) report->p50_ns);
  add_int (builder, "p99_ns", (guint64) report->p99_ns);
  add_int (builder, "p999_ns", (guint64) report->p999_ns);
  json_builder_set_member_name (builder, "at_least");
  json_builder_begin_object (builder);
  add_int (builder, "1ms", report->n_1ms);
  add_int (builder, "5ms", report->n_5ms);
  add_int (builder, "100ms", report->n_100ms);
  json_builder_end_object (builder);
  json_builder_end_object (builder);
}

static void
add_workers (JsonBuilder *builder, const PlReport *report)
{
  json_builder_set_member_name (builder, "workers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < report->workers->len; i++)
    {
      const PlReportWorker *worker = &g_array_index (report->workers, PlReportWorker, i);

      json_builder_begin_object (builder);
      add_id (builder, "id", worker->id);
      add_int (builder, "polls", worker->n_polls);
      add_int (builder, "busy_ns", (guint64) worker->busy_ns);
      add_int (builder, "parked_ns", (guint64) worker->parked_ns);
      add_int (builder, "unknown_ns", (guint64) worker->unknown_ns);
      add_int (builder, "longest_ns", (guint64) worker->longest_ns);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

typedef struct
{
  PlTrace *trace;
  GArray *polls;
  GHashTable *places; /* string number → the spawn location in quotes */
} Rows;

static void
append_id (GString *text, const char *name, guint64 id)
{
  const char *quote = id <= G_MAXINT64 ? "" : "\"";

  g_string_append_printf (text, "\"%s\":%s%" PRIu64 "%s", name, quote, id, quote);
}

static const char *
quote_place (Rows *rows, guint32 spawn_loc)
{
  char *place = g_hash_table_lookup (rows->places, GUINT_TO_POINTER (spawn_loc));

  if (place == NULL)
    {
      place = pl_cli_quote_json (pl_trace_get_string (rows->trace, spawn_loc));
      g_hash_table_insert (rows->places, GUINT_TO_POINTER (spawn_loc), place);
    }
  return place;
}

static void
append_long_poll (GString *text, guint i, gpointer user_data)
{
  Rows *rows = user_data;
  const PlPoll *poll = &g_array_index (rows->polls, PlPoll, i);

  g_string_append_c (text, '{');
  append_id (text, "worker", poll->worker);
  g_string_append_printf (text, ",\"start_ns\":%" PRId64 ",\"duration_ns\":%" PRId64 ",", poll->start_ns,
                          poll->duration_ns);
  append_id (text, "task_id", poll->task_id);
  g_string_append_printf (text, ",\"spawn_loc\":%s}", quote_place (rows, poll->spawn_loc));
}

static void
add_locations (JsonBuilder *builder, const PlReport *report)
{
  json_builder_set_member_name (builder, "spawn_locations");
  json_builder_begin_array (builder);
  for (guint i = 0; i < report->locations->len; i++)
    {
      const PlReportLocation *location = &g_array_index (report->locations, PlReportLocation, i);

      json_builder_begin_object (builder);
      add_string (builder, "spawn_loc", location->spawn_loc);
      add_int (builder, "polls", location->n_polls);
      add_int (builder, "total_ns", (guint64) location->total_ns);
      add_int (builder, "max_ns", (guint64) location->max_ns);
      add_int (builder, "over_threshold", location->n_over);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
print_json (PlTrace *trace, const PlReport *report, const PlSegmentGaps *gaps)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  g_autoptr(GHashTable) places = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  Rows rows = { trace, report->long_polls, places };

  json_builder_begin_object (builder);
  add_int (builder, "threshold_ns", (guint64) report->threshold_ns);
  add_int (builder, "outliers", pl_trace_get_n_outliers (trace));
  pl_cli_add_gaps (builder, gaps);
  pl_cli_add_lost_events (builder, trace);
  add_polls (builder, report);
  add_workers (builder, report);
  json_builder_set_member_name (builder, "tasks");
  json_builder_begin_object (builder);
  add_int (builder, "spawned", report->n_spawned);
  add_int (builder, "terminated", report->n_terminated);
  add_int (builder, "seen", report->n_seen);
  json_builder_end_object (builder);
  json_builder_set_member_name (builder, "long_polls");
  json_builder_begin_array (builder);
  json_builder_end_array (builder);
  add_locations (builder, report);
  json_builder_end_object (builder);
  pl_cli_print_json_rows (builder, "long_polls", report->long_polls->len, append_long_poll, &rows);
}

/* One aligned column of a duration; the units have different widths in bytes and in cells. */
static void
print_duration (gint64 ns)
{
  g_autofree char *text = pl_duration_format (ns);
  glong width = g_utf8_strlen (text, -1);

  g_print ("%*s%s", (int) MAX (0, 12 - width), "", text);
}

static void
print_summary (PlTrace *trace, const PlReport *report)
{
  g_autofree char *threshold = pl_duration_format (report->threshold_ns);
  g_autofree char *p50 = pl_duration_format (report->p50_ns);
  g_autofree char *p99 = pl_duration_format (report->p99_ns);
  g_autofree char *p999 = pl_duration_format (report->p999_ns);
  g_autofree char *max = pl_duration_format (report->polls.max_ns);
  g_autofree char *total = pl_duration_format (report->polls.total_ns);

  g_print (_("%" PRIu64 " polls, %s in all, %" PRIu64 " open, %" PRIu64 " unpaired\n"),
           report->polls.n_polls, total, report->polls.n_open, report->polls.n_unpaired);
  g_print (_("median %s, 99 %% %s, 99.9 %% %s, longest %s\n"), p50, p99, p999, max);
  g_print (_("%" PRIu64 " polls of %s or more; %" PRIu64 " of 1 ms, %" PRIu64 " of 5 ms, %"
             PRIu64 " of 100 ms\n"), report->n_long_polls, threshold, report->n_1ms, report->n_5ms,
           report->n_100ms);
  g_print (_("tasks: %" PRIu64 " spawned, %" PRIu64 " terminated, %" PRIu64 " seen\n"),
           report->n_spawned, report->n_terminated, report->n_seen);
  if (pl_trace_get_n_outliers (trace) > 0)
    g_print (_("%" PRIu64 " events at impossible times are left out\n"), pl_trace_get_n_outliers (trace));
}

static void
print_workers (const PlReport *report)
{
  if (report->workers->len == 0)
    {
      g_print ("\n%s\n", _("no worker events: nothing polled, parked or unparked"));
      return;
    }
  g_print ("\n%8s %12s %12s %12s %12s %12s\n", _("worker"), _("polls"), _("busy"), _("parked"), _("no data"),
           _("longest"));
  for (guint i = 0; i < report->workers->len; i++)
    {
      const PlReportWorker *worker = &g_array_index (report->workers, PlReportWorker, i);

      g_print ("%8" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT " ", worker->id, worker->n_polls);
      print_duration (worker->busy_ns);
      g_print (" ");
      print_duration (worker->parked_ns);
      g_print (" ");
      print_duration (worker->unknown_ns);
      g_print (" ");
      print_duration (worker->longest_ns);
      g_print ("\n");
    }
}

/* Returns: (transfer full) */
static char *
format_place (const char *spawn_loc)
{
  return *spawn_loc != '\0' ? pl_one_line (spawn_loc) : g_strdup (_("(unknown)"));
}

static void
print_long_polls (PlTrace *trace, const PlReport *report)
{
  if (report->long_polls->len == 0)
    return;
  g_print ("\n%12s %8s %20s %12s  %s\n", _("long poll"), _("worker"), _("start"), _("task"), _("spawned at"));
  for (guint i = 0; i < report->long_polls->len; i++)
    {
      const PlPoll *poll = &g_array_index (report->long_polls, PlPoll, i);
      g_autofree char *start = pl_duration_format_offset (poll->start_ns - pl_trace_get_start_ns (trace), 1000);
      g_autofree char *place = format_place (pl_trace_get_string (trace, poll->spawn_loc));
      glong width = g_utf8_strlen (start, -1);

      print_duration (poll->duration_ns);
      g_print (" %8" G_GUINT64_FORMAT " %*s%s %12" G_GUINT64_FORMAT "  %s\n", poll->worker,
               (int) MAX (0, 20 - width), "", start, poll->task_id, place);
    }
  if (report->long_polls->len < report->n_long_polls)
    g_print (_("%" PRIu64 " more; --limit shows them\n"), report->n_long_polls - report->long_polls->len);
}

static void
print_locations (const PlReport *report, guint limit)
{
  guint n = MIN (report->locations->len, limit);

  if (n == 0)
    return;
  g_print ("\n%12s %12s %12s %12s  %s\n", _("long polls"), _("polls"), _("total"), _("longest"), _("spawned at"));
  for (guint i = 0; i < n; i++)
    {
      const PlReportLocation *location = &g_array_index (report->locations, PlReportLocation, i);
      g_autofree char *place = format_place (location->spawn_loc);

      g_print ("%12" G_GUINT64_FORMAT " %12" G_GUINT64_FORMAT " ", location->n_over, location->n_polls);
      print_duration (location->total_ns);
      g_print (" ");
      print_duration (location->max_ns);
      g_print ("  %s\n", place);
    }
}

/* Says on stderr what the figures do not hold. Returns the exit status that follows. */
static int
report_estimates (const PlReport *report)
{
  if (report->n_estimated == 0)
    return PL_CLI_DONE;
  g_printerr (ngettext ("parklane-cli: %" PRIu64 " poll could not be read again from its file: its place and task are not known, "
                        "and its duration is an estimate\n",
                        "parklane-cli: %" PRIu64 " polls could not be read again from their files: their places and tasks are not "
                        "known, and their durations are estimates\n", (gulong) report->n_estimated), report->n_estimated);
  return PL_CLI_INPUT_ERROR;
}

/* Of what is walked through in thousandths; all of it while there is only sorting left. */
static void
note_share (guint done, guint all, gpointer share)
{
  g_atomic_int_set ((gint *) share, all > 0 ? (gint) (done * G_GUINT64_CONSTANT (1000) / all) : 0);
}

static double
get_share (gpointer share)
{
  return g_atomic_int_get ((gint *) share) / 1000.0;
}

/**
 * pl_cli_report:
 *
 * `report [--json] [--threshold DUR] [--limit N] PATH…`
 *
 * Returns: the exit status
 */
int
pl_cli_report (int argc, char **argv)
{
  gboolean json = FALSE;
  g_autofree char *threshold = NULL;
  int limit = NO_LIMIT;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print one JSON object"), NULL },
    { "threshold", 0, 0, G_OPTION_ARG_STRING, &threshold, N_("Shortest long poll, 1 ms by default"), N_("DUR") },
    { "limit", 0, 0, G_OPTION_ARG_INT, &limit, N_("How many long polls to list"), N_("N") },
    { NULL },
  };
  gint64 threshold_ns = DEFAULT_THRESHOLD_NS;
  g_autoptr(PlTrace) trace = NULL;
  PlSegmentGaps gaps;
  gint share = 0;
  PlCliProgress *progress;
  g_autoptr(PlReport) report = NULL;
  guint n_rows;
  int status;

  if (!pl_cli_parse ("report", _("PATH…"), _("Reports long polls, workers and spawn locations."), entries, &argc,
                     &argv, &status)
      || !pl_cli_parse_duration ("report", "--threshold", threshold, &threshold_ns))
    return PL_CLI_USAGE_ERROR;
  if (limit < 0 && limit != NO_LIMIT)
    {
      g_printerr (_("parklane-cli report: --limit: a number of 0 or more was expected\n"));
      return PL_CLI_USAGE_ERROR;
    }

  trace = pl_cli_load (argv + 1);
  if (trace == NULL)
    return PL_CLI_INPUT_ERROR;
  gaps = pl_segment_gaps_count (trace, (const char *const *) argv + 1);
  if (limit == NO_LIMIT)
    n_rows = json ? G_MAXUINT : DEFAULT_ROWS;
  else
    n_rows = (guint) limit;
  progress = pl_cli_progress_begin (get_share, &share);
  report = pl_report_new_full (trace, threshold_ns, n_rows, note_share, &share);
  pl_cli_progress_end (progress);
  if (json)
    print_json (trace, report, &gaps);
  else
    {
      print_summary (trace, report);
      pl_cli_print_gaps (&gaps);
      pl_cli_print_lost_events (trace);
      print_workers (report);
      print_long_polls (trace, report);
      print_locations (report, DEFAULT_ROWS);
    }
  status = report_estimates (report);
  return pl_cli_report_losses (trace) == PL_CLI_DONE ? status : PL_CLI_INPUT_ERROR;
}
