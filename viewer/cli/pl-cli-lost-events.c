/* pl-cli-lost-events.c: the gaps of a recording, as the commands tell of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli-lost-events.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#include "pl-cli-json.h"
#include "pl-duration.h"

/* Of more, the first are no better known than the rest. */
#define MAX_ROWS 10

/**
 * pl_cli_print_lost_events:
 *
 * Says on stdout how many events the recorder lost, and what follows for the figures. Nothing when there is no gap.
 */
void
pl_cli_print_lost_events (PlTrace *trace)
{
  guint64 n_lost;
  guint n;

  pl_trace_get_gaps (trace, &n, &n_lost);
  if (n == 0)
    return;
  g_print (ngettext ("the recording has %u gap: what ran meanwhile is in no figure, and a poll counts up to where it begins\n",
                     "the recording has %u gaps: what ran meanwhile is in no figure, and a poll counts up to where one begins\n",
                     n), n);
  if (n_lost > 0)
    g_print (ngettext ("at most %" PRIu64 " event was lost there\n", "at most %" PRIu64 " events were lost there\n",
                       (gulong) n_lost), n_lost);
}

static char *
format_worker (const PlGap *gap)
{
  if (pl_gap_is_of_all (gap))
    return g_strdup (_("all"));
  return gap->worker == TRC_WORKER_NONE ? g_strdup ("-") : g_strdup_printf ("%" PRIu64, gap->worker);
}

/* Width in cells, not in bytes. */
static void
print_cell (const char *text, int width)
{
  glong length = g_utf8_strlen (text, -1);

  g_print ("%*s%s ", (int) MAX (0, width - length), "", text);
}

/**
 * pl_cli_list_gaps:
 *
 * Lists the first gaps on stdout.
 */
void
pl_cli_list_gaps (PlTrace *trace)
{
  guint n;
  const PlGap *gaps = pl_trace_get_gaps (trace, &n, NULL);

  if (n == 0)
    return;
  g_print ("\n%20s %12s %12s %8s %8s  %s\n", _("gap at"), _("length"), _("events lost"), _("worker"), _("thread"),
           _("because"));
  for (guint i = 0; i < MIN (n, MAX_ROWS); i++)
    {
      g_autofree char *from = pl_duration_format_offset (gaps[i].from_ns - pl_trace_get_start_ns (trace), 1000);
      g_autofree char *length = pl_duration_format (gaps[i].to_ns - gaps[i].from_ns);
      g_autofree char *worker = format_worker (&gaps[i]);

      print_cell (from, 20);
      print_cell (length, 12);
      g_print ("%12" PRIu64 " ", gaps[i].n_lost);
      print_cell (worker, 8);
      g_print ("%8u  %s\n", gaps[i].tid, pl_gap_get_cause_text (&gaps[i]));
    }
  if (n > MAX_ROWS)
    g_print (ngettext ("%u more; --json lists it\n", "%u more; --json lists them\n", n - MAX_ROWS), n - MAX_ROWS);
}

/**
 * pl_cli_add_lost_events:
 *
 * Adds to an open JSON object how many events the recorder lost in how many gaps.
 */
void
pl_cli_add_lost_events (JsonBuilder *builder, PlTrace *trace)
{
  guint64 n_lost;
  guint n;

  pl_trace_get_gaps (trace, &n, &n_lost);
  json_builder_set_member_name (builder, "gap_count");
  json_builder_add_int_value (builder, n);
  json_builder_set_member_name (builder, "lost_events");
  json_builder_add_int_value (builder, (gint64) MIN (n_lost, G_MAXINT64));
}

/**
 * pl_cli_append_gap:
 * @user_data: the #PlTrace
 *
 * A #PlCliRowFunc. What is not known is null.
 */
void
pl_cli_append_gap (GString *text, guint i, gpointer user_data)
{
  guint n;
  const PlGap *gap = pl_trace_get_gaps (user_data, &n, NULL) + i;

  g_string_append_printf (text, "{\"from_ns\":%" PRId64 ",\"to_ns\":%" PRId64 ",\"lost\":%" PRIu64 ",", gap->from_ns,
                          gap->to_ns, MIN (gap->n_lost, (guint64) G_MAXINT64));
  if (gap->worker == TRC_WORKER_NONE || gap->worker > G_MAXINT64)
    g_string_append (text, "\"worker\":null,");
  else
    g_string_append_printf (text, "\"worker\":%" PRIu64 ",", gap->worker);
  if (gap->tid == 0)
    g_string_append (text, "\"tid\":null,");
  else
    g_string_append_printf (text, "\"tid\":%u,", gap->tid);
  g_string_append_printf (text, "\"cause\":\"%s\"}", pl_gap_get_cause_name (gap));
}
