/* pl-report.c: a trace in figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-report.h"

#include <string.h>

#include "pl-detail-private.h"
#include "pl-long-polls.h"
#include "pl-percentiles.h"
#include "pl-task-set.h"
#include "pl-trace-private.h"

#define MS G_GINT64_CONSTANT (1000000)

/* A list of long polls that has become twice as long as is wanted, and at least so long, is cut. */
#define LEAST_TO_CUT 65536

typedef struct
{
  PlReport *report;
  PlTrace *trace;
  guint max_long_polls;
  PlReportFunc progress;
  gpointer user_data;
  guint n_pieces; /* so far */
  GHashTable *by_loc; /* string number → PlReportLocation */
  PlPercentiles *durations;
  PlTaskSet *tasks;
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
  location->n_over += poll->duration_ns >= collect->report->threshold_ns;
}

/* Leaves the longest that are wanted. */
static void
cut_long_polls (Collect *collect)
{
  g_autoptr(GArray) polls = g_steal_pointer (&collect->report->long_polls);
  GArray *sorted = pl_long_polls_sort (collect->trace, polls, PL_LONG_POLLS_BY_DURATION, TRUE, NULL);

  g_array_set_size (sorted, MIN (sorted->len, collect->max_long_polls));
  collect->report->long_polls = sorted;
}

static void
add_long_poll (Collect *collect, const PlPoll *poll)
{
  GArray *polls = collect->report->long_polls;

  collect->report->n_long_polls++;
  g_array_append_val (polls, *poll);
  if (polls->len >= LEAST_TO_CUT && polls->len / 2 >= collect->max_long_polls)
    cut_long_polls (collect);
}

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  Collect *collect = user_data;

  add_to_location (collect, poll);
  pl_percentiles_add (collect->durations, poll->duration_ns);
  pl_task_set_add (collect->tasks, poll->task_id);
  if (poll->duration_ns >= collect->report->threshold_ns)
    add_long_poll (collect, poll);
  return TRUE;
}

static void
add_tasks_of_events (PlTaskSet *tasks, const PlTaskEvents *events)
{
  for (guint i = 0; i < pl_task_events_get_n (events); i++)
    pl_task_set_add (tasks, pl_task_events_get (events, i).task_id);
}

static void
add_tasks_of_polls (PlTaskSet *tasks, GArray *polls)
{
  for (guint i = 0; i < polls->len; i++)
    pl_task_set_add (tasks, g_array_index (polls, PlPoll, i).task_id);
}

/* Polls of which a piece holds no more than that they were there. */
static guint64
count_estimated (PlPiece *piece)
{
  guint64 n = 0;

  for (guint i = 0; i < piece->lanes->len; i++)
    {
      GPtrArray *polls = g_array_index (piece->lanes, PlPieceLane, i).polls;

      for (guint j = 0; j < polls->len; j++)
        {
          const PlBlock *block = polls->pdata[j];

          if (!pl_block_is_detailed (block))
            n += block->n - (block->over != NULL ? block->over->n : 0);
        }
    }
  return n;
}

static gboolean
add_piece (PlPiece *piece, gpointer user_data)
{
  Collect *collect = user_data;

  collect->report->n_estimated += count_estimated (piece);
  add_tasks_of_events (collect->tasks, piece->spawns);
  add_tasks_of_events (collect->tasks, piece->ends);
  pl_detail_foreach_poll_of_piece (collect->trace, piece, 0, add_poll, collect);
  if (collect->progress != NULL)
    collect->progress (++collect->n_pieces, collect->trace->pieces->len, collect->user_data);
  return TRUE;
}

/* What lies in no piece, or not at a sane time. */
static void
add_lanes (Collect *collect)
{
  pl_detail_foreach_joined_poll (collect->trace, 0, add_poll, collect);
  for (guint i = 0; i < pl_trace_get_n_all_lanes (collect->trace); i++)
    {
      const PlLane *lane = pl_trace_get_any_lane (collect->trace, i);

      add_tasks_of_polls (collect->tasks, lane->joined);
      add_tasks_of_polls (collect->tasks, lane->open);
    }
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

static GArray *
sort_locations (GHashTable *by_loc)
{
  GArray *locations = g_array_new (FALSE, FALSE, sizeof (PlReportLocation));
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, by_loc);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    g_array_append_val (locations, *(PlReportLocation *) value);
  g_array_sort (locations, compare_locations);
  return locations;
}

/* All that every single poll counts for, in one walk: where detail does not fit into memory, a walk reads the files. */
static void
collect_polls (PlReport *self, PlTrace *trace, guint max_long_polls, PlReportFunc progress, gpointer user_data)
{
  static const double shares[] = { 0.5, 0.99, 0.999 };
  g_autoptr(GHashTable) by_loc = g_hash_table_new_full (NULL, NULL, NULL, g_free);
  g_autofree PlPercentiles *durations = pl_percentiles_new ();
  g_autoptr(PlTaskSet) tasks = pl_task_set_new ();
  Collect collect = { self, trace, max_long_polls, progress, user_data, 0, by_loc, durations, tasks };
  gint64 percentiles[G_N_ELEMENTS (shares)];
  guint n_finished;

  self->long_polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  add_lanes (&collect);
  pl_detail_foreach_piece (trace, NULL, add_piece, &collect, NULL);
  n_finished = self->long_polls->len;
  pl_long_polls_add_growing (trace, self->threshold_ns, self->long_polls);
  self->n_long_polls += self->long_polls->len - n_finished;
  cut_long_polls (&collect);
  pl_percentiles_finish (durations, trace, G_N_ELEMENTS (shares), shares, percentiles);
  self->p50_ns = percentiles[0];
  self->p99_ns = percentiles[1];
  self->p999_ns = percentiles[2];
  self->n_seen = pl_task_set_get_n (tasks);
  self->locations = sort_locations (by_loc);
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
 * pl_report_new_full:
 * @threshold_ns: a poll of this duration or more is long
 * @max_long_polls: how many of the long polls to list, the longest; all are counted
 * @progress: (nullable): told of each piece that was walked through, on any thread but never twice at a time
 *
 * O(polls); not on the main thread. The same figures as the window's.
 *
 * Returns: (transfer full): the report, valid as long as @trace
 */
PlReport *
pl_report_new_full (PlTrace *trace, gint64 threshold_ns, guint max_long_polls, PlReportFunc progress, gpointer user_data)
{
  PlReport *self = g_new0 (PlReport, 1);

  self->threshold_ns = threshold_ns;
  self->polls = *pl_trace_get_poll_totals (trace);
  self->n_1ms = count_over (trace, 1 * MS);
  self->n_5ms = count_over (trace, 5 * MS);
  self->n_100ms = count_over (trace, 100 * MS);
  pl_trace_get_task_events (trace, &self->n_spawned, &self->n_terminated);
  self->workers = collect_workers (trace);
  collect_polls (self, trace, max_long_polls, progress, user_data);
  return self;
}

/**
 * pl_report_new:
 *
 * pl_report_new_full() with all long polls.
 *
 * Returns: (transfer full): the report, valid as long as @trace
 */
PlReport *
pl_report_new (PlTrace *trace, gint64 threshold_ns)
{
  return pl_report_new_full (trace, threshold_ns, G_MAXUINT, NULL, NULL);
}

void
pl_report_free (PlReport *self)
{
  g_array_unref (self->workers);
  g_array_unref (self->long_polls);
  g_array_unref (self->locations);
  g_free (self);
}
