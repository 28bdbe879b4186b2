/* pl-report.c: a trace in figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-report.h"

#include <string.h>

#include "pl-detail.h"
#include "pl-long-polls.h"
#include "pl-percentiles.h"
#include "pl-trace-private.h"

#define MS G_GINT64_CONSTANT (1000000)

typedef struct
{
  PlTrace *trace;
  gint64 threshold_ns;
  GHashTable *by_loc; /* string number → PlReportLocation */
  PlPercentiles *durations;
} Collect;

static void
add_to_location (Collect *collect, const PlPoll *poll)
{
  PlReportLocation *location = g_hash_table_lookup (collect->by_loc, GUINT_TO_POINTER (poll->spawn_loc));

  if (location == NULL)
    {
      location = g_new0 (PlReportLocation, 1);
      location->spawn_loc = pl_trace_get_string (collect->trace, poll->spawn_loc);
      g_hash_table_insert (collect->by_loc, GUINT_TO_POINTER (poll->spawn_loc), location);
    }
  location->n_polls++;
  location->total_ns += poll->duration_ns;
  location->max_ns = MAX (location->max_ns, poll->duration_ns);
  location->n_over += poll->duration_ns >= collect->threshold_ns;
}

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  Collect *collect = user_data;

  add_to_location (collect, poll);
  pl_percentiles_add (collect->durations, poll->duration_ns);
  return TRUE;
}

static int
compare_locations (gconstpointer a, gconstpointer b)
{
  const PlReportLocation *first = a;
  const PlReportLocation *second = b;

  if (first->n_over != second->n_over)
    return first->n_over > second->n_over ? -1 : 1;
  if (first->total_ns != second->total_ns)
    return first->total_ns > second->total_ns ? -1 : 1;
  return strcmp (first->spawn_loc, second->spawn_loc);
}

/* All that every single poll counts for, in one walk: where detail does not fit into memory, a walk reads the files. */
static void
collect_polls (PlReport *self, PlTrace *trace)
{
  static const double shares[] = { 0.5, 0.99, 0.999 };
  GArray *locations = g_array_new (FALSE, FALSE, sizeof (PlReportLocation));
  g_autoptr(GHashTable) by_loc = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autofree PlPercentiles *durations = pl_percentiles_new ();
  Collect collect = { trace, self->threshold_ns, by_loc, durations };
  gint64 percentiles[G_N_ELEMENTS (shares)];
  GHashTableIter iter;
  gpointer value;

  pl_detail_foreach_poll (trace, 0, add_poll, &collect, NULL);
  pl_percentiles_finish (durations, trace, G_N_ELEMENTS (shares), shares, percentiles);
  self->p50_ns = percentiles[0];
  self->p99_ns = percentiles[1];
  self->p999_ns = percentiles[2];
  g_hash_table_iter_init (&iter, by_loc);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_array_append_val (locations, *(PlReportLocation *) value);
  g_array_sort (locations, compare_locations);
  self->locations = locations;
}

static GArray *
collect_workers (PlTrace *trace)
{
  GArray *workers = g_array_new (FALSE, FALSE, sizeof (PlReportWorker));

  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    {
      const PlLane *lane = pl_trace_get_lane (trace, i);
      PlReportWorker worker = {
        .id = pl_lane_get_worker (lane),
        .n_polls = pl_lane_get_n_polls (lane),
        .busy_ns = pl_lane_total_ns (lane),
        .parked_ns = pl_track_get_total (&lane->parks),
        .unknown_ns = pl_track_get_total (&lane->unknown),
        .longest_ns = pl_lane_max_ns (lane),
      };

      g_array_append_val (workers, worker);
    }
  return workers;
}

static guint64
count_over (PlTrace *trace, gint64 threshold_ns)
{
  return pl_long_polls_count (trace, G_MININT64 / 2, G_MAXINT64 / 2, threshold_ns, NULL);
}

/**
 * pl_report_new:
 * @threshold_ns: a poll of this duration or more is long
 *
 * O(polls); not on the main thread. The same figures as the window's.
 *
 * Returns: (transfer full): the report, valid as long as @trace
 */
PlReport *
pl_report_new (PlTrace *trace, gint64 threshold_ns)
{
  PlReport *self = g_new0 (PlReport, 1);

  self->threshold_ns = threshold_ns;
  self->polls = *pl_trace_get_poll_totals (trace);
  self->n_1ms = count_over (trace, 1 * MS);
  self->n_5ms = count_over (trace, 5 * MS);
  self->n_100ms = count_over (trace, 100 * MS);
  pl_trace_get_task_totals (trace, &self->n_spawned, &self->n_terminated, &self->n_seen);
  self->workers = collect_workers (trace);
  self->long_polls = pl_long_polls_find (trace, threshold_ns, NULL);
  collect_polls (self, trace);
  return self;
}

void
pl_report_free (PlReport *self)
{
  g_array_unref (self->workers);
  g_array_unref (self->long_polls);
  g_array_unref (self->locations);
  g_free (self);
}
