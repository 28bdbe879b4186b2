/* pl-cli-info.c: `parklane-cli info`: what files hold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "pl-cli-json.h"
#include "pl-cli-lost-events.h"
#include "pl-duration.h"
#include "pl-one-line.h"
#include "pl-seek-table.h"

static const char *const format_names[] = {
  [PL_TRACE_FORMAT_RAW] = "raw",
  [PL_TRACE_FORMAT_GZIP] = "gzip",
  [PL_TRACE_FORMAT_ZSTD] = "zstd",
};

/* RFC 3339 with nanoseconds, in UTC. NULL when the trace has no clock anchor. */
static char *
format_wall (PlTrace *trace, gint64 at_ns)
{
  g_autoptr(GDateTime) time = NULL;
  g_autofree char *seconds = NULL;
  gint64 wall_ns;

  if (!pl_trace_to_wall_ns (trace, at_ns, &wall_ns))
    return NULL;
  time = g_date_time_new_from_unix_utc (wall_ns / 1000000000);
  if (time == NULL)
    return NULL;
  seconds = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
  return g_strdup_printf ("%s.%09" G_GINT64_FORMAT "Z", seconds, wall_ns % 1000000000);
}

/* A file's name may hold any bytes; JSON may not. */
static void
add_name (JsonBuilder *builder, const char *name)
{
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  json_builder_add_string_value (builder, valid);
}

/* What is wrong with the file and costs nothing. */
static void
add_warning (JsonBuilder *builder, const PlTraceFile *file)
{
  g_autoptr(GError) error = NULL;

  json_builder_set_member_name (builder, "warning");
  if (pl_seek_table_check (file, &error))
    json_builder_add_null_value (builder);
  else
    add_name (builder, error->message);
}

static void
add_file (JsonBuilder *builder, const PlTraceFile *file)
{
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "path");
  add_name (builder, file->path);
  json_builder_set_member_name (builder, "format");
  json_builder_add_string_value (builder, format_names[file->format]);
  json_builder_set_member_name (builder, "bytes");
  json_builder_add_int_value (builder, (gint64) file->size_bytes);
  json_builder_set_member_name (builder, "raw_bytes");
  json_builder_add_int_value (builder, (gint64) file->raw_bytes);
  json_builder_set_member_name (builder, "batches");
  json_builder_add_int_value (builder, (gint64) file->n_batches);
  json_builder_set_member_name (builder, "error");
  if (file->error == NULL)
    json_builder_add_null_value (builder);
  else
    {
      json_builder_begin_object (builder);
      json_builder_set_member_name (builder, "offset");
      json_builder_add_int_value (builder, (gint64) file->error_offset);
      json_builder_set_member_name (builder, "message");
      add_name (builder, file->error->message);
      json_builder_set_member_name (builder, "lost_bytes");
      json_builder_add_int_value (builder, (gint64) file->lost_bytes);
      json_builder_end_object (builder);
    }
  add_warning (builder, file);
  json_builder_end_object (builder);
}

static void
add_totals (JsonBuilder *builder, PlTrace *trace)
{
  g_autofree char *wall = format_wall (trace, pl_trace_get_start_ns (trace));

  json_builder_set_member_name (builder, "event_count");
  json_builder_add_int_value (builder, (gint64) pl_trace_get_n_events (trace));
  json_builder_set_member_name (builder, "workers");
  json_builder_begin_array (builder);
  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    json_builder_add_int_value (builder, (gint64) pl_lane_get_worker (pl_trace_get_lane (trace, i)));
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "start_ns");
  json_builder_add_int_value (builder, pl_trace_get_start_ns (trace));
  json_builder_set_member_name (builder, "end_ns");
  json_builder_add_int_value (builder, pl_trace_get_end_ns (trace));
  json_builder_set_member_name (builder, "outliers");
  json_builder_add_int_value (builder, (gint64) pl_trace_get_n_outliers (trace));
  json_builder_set_member_name (builder, "wall_start");
  if (wall != NULL)
    json_builder_add_string_value (builder, wall);
  else
    json_builder_add_null_value (builder);
}

static void
print_json (PlTrace *trace, const PlSegmentGaps *gaps)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  guint n;
  const PlTraceFile *files;
  const PlEventCount *counts;
  const PlMetadata *metadata;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "files");
  json_builder_begin_array (builder);
  files = pl_trace_get_files (trace, &n);
  for (guint i = 0; i < n; i++)
    add_file (builder, &files[i]);
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "events");
  json_builder_begin_object (builder);
  counts = pl_trace_get_event_counts (trace, &n);
  for (guint i = 0; i < n; i++)
    {
      json_builder_set_member_name (builder, counts[i].name);
      json_builder_add_int_value (builder, (gint64) counts[i].count);
    }
  json_builder_end_object (builder);
  add_totals (builder, trace);
  pl_cli_add_gaps (builder, gaps);
  pl_cli_add_lost_events (builder, trace);
  json_builder_set_member_name (builder, "gaps");
  json_builder_begin_array (builder);
  json_builder_end_array (builder);

  json_builder_set_member_name (builder, "metadata");
  json_builder_begin_object (builder);
  metadata = pl_trace_get_metadata (trace, &n);
  for (guint i = 0; i < n; i++)
    {
      json_builder_set_member_name (builder, metadata[i].key);
      json_builder_add_string_value (builder, metadata[i].value);
    }
  json_builder_end_object (builder);
  json_builder_end_object (builder);
  pl_trace_get_gaps (trace, &n, NULL);
  pl_cli_print_json_rows (builder, "gaps", n, pl_cli_append_gap, trace);
}

static void
print_files (PlTrace *trace)
{
  guint n;
  const PlTraceFile *files = pl_trace_get_files (trace, &n);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *size = g_format_size (files[i].size_bytes);
      g_autofree char *raw = g_format_size (files[i].raw_bytes);
      g_autofree char *path = pl_one_line (files[i].path);

      g_print (_("%s: %s, %s on disk, %s of events in %" PRIu64 " batches\n"), path,
               format_names[files[i].format], size, raw, files[i].n_batches);
    }
}

static void
print_text (PlTrace *trace, const PlSegmentGaps *gaps)
{
  g_autofree char *wall = format_wall (trace, pl_trace_get_start_ns (trace));
  g_autofree char *span = pl_duration_format (pl_trace_get_end_ns (trace) - pl_trace_get_start_ns (trace));
  guint n;
  const PlEventCount *counts;
  const PlMetadata *metadata;

  print_files (trace);
  g_print (_("\n%" PRIu64 " events over %s, %u workers, starting %s\n"), pl_trace_get_n_events (trace),
           span, pl_trace_get_n_lanes (trace), wall != NULL ? wall : _("at an unknown wall-clock time"));
  if (pl_trace_get_n_outliers (trace) > 0)
    g_print (_("%" PRIu64 " events at impossible times are left out of the range\n"),
             pl_trace_get_n_outliers (trace));
  pl_cli_print_gaps (gaps);
  pl_cli_print_lost_events (trace);
  if (pl_trace_get_n_lanes (trace) == 0)
    g_print ("%s\n", _("no worker events: nothing polled, parked or unparked"));

  counts = pl_trace_get_event_counts (trace, &n);
  g_print ("\n");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = pl_one_line (counts[i].name);

      g_print ("%12" G_GUINT64_FORMAT "  %s\n", counts[i].count, name);
    }
  pl_cli_list_gaps (trace);
  metadata = pl_trace_get_metadata (trace, &n);
  if (n > 0)
    g_print ("\n");
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *key = pl_one_line (metadata[i].key);
      g_autofree char *value = pl_one_line (metadata[i].value);

      g_print ("%s = %s\n", key, value);
    }
}

/**
 * pl_cli_info:
 *
 * `info [--json] PATH…`
 *
 * Returns: the exit status
 */
int
pl_cli_info (int argc, char **argv)
{
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_("Print one JSON object"), NULL },
    { NULL },
  };
  g_autoptr(PlTrace) trace = NULL;
  PlSegmentGaps gaps;
  int status;

  if (!pl_cli_parse ("info", _("PATH…"), _("Says what files or directories of segments hold."), entries, &argc, &argv,
                     &status))
    return status;
  trace = pl_cli_load (argv + 1);
  if (trace == NULL)
    return PL_CLI_INPUT_ERROR;
  gaps = pl_segment_gaps_count (trace, (const char *const *) argv + 1);
  if (json)
    print_json (trace, &gaps);
  else
    print_text (trace, &gaps);
  return pl_cli_report_losses (trace);
}
