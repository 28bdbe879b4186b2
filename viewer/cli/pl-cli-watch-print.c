/* pl-cli-watch-print.c: a verdict as a line, for people or for programs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n.h>

#include "pl-cli-watch.h"
#include "pl-cli.h"
#include "pl-cli-json.h"

/**
 * pl_cli_watch_format_time:
 *
 * Returns: (transfer full): RFC 3339 in UTC, to the millisecond
 */
char *
pl_cli_watch_format_time (gint64 wall_ns)
{
  g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc (wall_ns / 1000000000);
  g_autofree char *seconds = time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%S") : g_strdup ("1970-01-01T00:00:00");

  return g_strdup_printf ("%s.%03dZ", seconds, (int) (wall_ns / 1000000 % 1000));
}

static char *
format_local (gint64 wall_ns)
{
  g_autoptr(GDateTime) time = g_date_time_new_from_unix_local (wall_ns / 1000000000);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M:%S") : g_strdup ("");
}

/**
 * pl_cli_watch_print_text:
 *
 * Prints the verdict on one line, with the evidence and what to do.
 */
void
pl_cli_watch_print_text (PlWatch *watch)
{
  const PlWatchStatus *status = pl_watch_get_status (watch);
  g_autofree char *time = format_local (status->at_wall_ns);
  g_autofree char *since = format_local (status->since_wall_ns);
  g_autofree char *name = g_filename_display_name (pl_watch_get_directory (watch));
  g_auto(GStrv) evidence = pl_watch_dup_evidence (watch);
  g_autofree char *sentences = g_strjoinv (" ", evidence);
  g_autofree char *prefix = pl_watch_get_prefix (watch) != NULL ? g_filename_display_name (pl_watch_get_prefix (watch)) : NULL;
  const char *cause = pl_verdict_cause_get_word (status->cause);
  const char *remedy = pl_verdict_get_remedy (status->verdict, status->cause);
  g_autoptr(GString) line = g_string_new (time);

  g_string_append_printf (line, "  %s", name);
  if (prefix != NULL)
    g_string_append_printf (line, "  %s", prefix);
  g_string_append_printf (line, "  %s", pl_verdict_get_word (status->verdict));
  if (cause != NULL)
    g_string_append_printf (line, " (%s)", cause);
  g_string_append_printf (line, _(", since %s."), since);
  if (*sentences != '\0')
    g_string_append_printf (line, " %s", sentences);
  if (remedy != NULL)
    g_string_append_printf (line, " → %s", remedy);
  g_print ("%s\n", line->str);
}

static void
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value != NULL)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
add_int (JsonBuilder *builder, const char *name, guint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, (gint64) MIN (value, (guint64) G_MAXINT64));
}

/**
 * pl_cli_watch_print_json:
 *
 * Prints the verdict as one object on one line.
 */
void
pl_cli_watch_print_json (PlWatch *watch)
{
  g_autoptr(JsonBuilder) builder = json_builder_new ();
  const PlWatchStatus *status = pl_watch_get_status (watch);
  g_autofree char *time = pl_cli_watch_format_time (status->at_wall_ns);
  g_autofree char *since = pl_cli_watch_format_time (status->since_wall_ns);
  g_autofree char *name = g_utf8_make_valid (pl_watch_get_directory (watch), -1);
  g_autofree char *prefix = pl_watch_get_prefix (watch) != NULL ? g_utf8_make_valid (pl_watch_get_prefix (watch), -1) : NULL;

  json_builder_begin_object (builder);
  add_string (builder, "time", time);
  add_string (builder, "dir", name);
  add_string (builder, "prefix", prefix);
  add_string (builder, "verdict", pl_verdict_get_code (status->verdict));
  add_string (builder, "cause", pl_verdict_cause_get_code (status->cause));
  add_string (builder, "since", since);
  add_int (builder, "bytes_written", status->bytes_written);
  add_int (builder, "disk_usage_bytes", status->disk_usage_bytes);
  if (status->budget_bytes > 0)
    add_int (builder, "budget_bytes", status->budget_bytes);
  else
    add_string (builder, "budget_bytes", NULL);
  json_builder_set_member_name (builder, "evidence");
  json_builder_begin_array (builder);
  for (guint i = 0; i < status->n_evidence; i++)
    {
      g_autofree char *text = pl_evidence_describe_plain (&status->evidence[i]);

      json_builder_add_string_value (builder, text);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  pl_cli_print_json (builder);
}
