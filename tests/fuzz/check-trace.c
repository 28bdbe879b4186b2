/* check-trace.c: asks a trace everything that window and command line ask
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "check-trace.h"

#include "pl-loader.h"
#include "pl-long-polls.h"
#include "pl-report.h"
#include "pl-task-summary.h"

#define N_SLICES 64

/* Enough to find any fault in how lanes are walked, without letting a file of many workers take all the time. */
#define MAX_LANES 16
#define MAX_STEPS 64

static void
check_slices (const PlLane *lane, gint64 from_ns, gint64 to_ns)
{
  PlLaneSlice slices[N_SLICES];
  PlLaneSlice whole;
  PlLaneSlice sum = { 0 };

  pl_lane_get_slice (lane, from_ns, to_ns, &whole);
  pl_lane_get_slices (lane, from_ns, to_ns, N_SLICES, slices);
  for (guint i = 0; i < N_SLICES; i++)
    {
      sum.polling_ns += slices[i].polling_ns;
      sum.parked_ns += slices[i].parked_ns;
      sum.unknown_ns += slices[i].unknown_ns;
      sum.n_polls += slices[i].n_polls;
      g_assert_cmpint (slices[i].longest_ns, <=, whole.longest_ns);
      g_assert_cmpint (slices[i].polling_ns, >=, 0);
      g_assert_cmpint (slices[i].parked_ns, >=, 0);
      g_assert_cmpint (slices[i].unknown_ns, >=, 0);
    }
  /* Shorter ones overlap: each is a nanosecond wide at least. */
  if (to_ns - from_ns < N_SLICES)
    return;
  g_assert_cmpint (sum.polling_ns, ==, whole.polling_ns);
  g_assert_cmpint (sum.parked_ns, ==, whole.parked_ns);
  g_assert_cmpint (sum.unknown_ns, ==, whole.unknown_ns);
  g_assert_cmpuint (sum.n_polls, ==, whole.n_polls);
}

static gboolean
check_poll (const PlPoll *poll, gpointer user_data)
{
  guint64 *n = user_data;

  g_assert_cmpint (poll->start_ns, >, 0);
  g_assert_cmpint (poll->duration_ns, >=, 0);
  (*n)++;
  return TRUE;
}

static void
check_steps (const PlLane *lane, gint64 start_ns, gint64 end_ns)
{
  gint64 at = start_ns - 1;
  PlPoll poll;
  PlPoll back;

  for (guint i = 0; i < MAX_STEPS && pl_lane_next_poll (lane, at, 0, &poll); i++)
    {
      g_assert_cmpint (poll.start_ns, >, at);
      g_assert_true (pl_lane_previous_poll (lane, poll.start_ns + 1, 0, &back));
      g_assert_cmpint (back.start_ns, ==, poll.start_ns);
      g_assert_true (pl_lane_find_poll (lane, poll.start_ns, 1, &back));
      pl_lane_get_state (lane, poll.start_ns, NULL, NULL);
      pl_lane_get_queue (lane, poll.start_ns);
      at = poll.start_ns;
    }
  pl_lane_get_state (lane, start_ns - 1, NULL, NULL);
  pl_lane_get_state (lane, end_ns + 1, NULL, NULL);
}

/* Of what is held as a summary only long polls are told one by one. */
static void
check_lane (const PlLane *lane, gint64 start_ns, gint64 end_ns, gboolean is_summary)
{
  gint64 middle_ns = start_ns + (end_ns - start_ns) / 2;
  guint64 n = 0;

  check_slices (lane, start_ns, end_ns + 1);
  check_slices (lane, middle_ns, middle_ns + 100);
  check_slices (lane, end_ns, end_ns + 10);
  check_steps (lane, start_ns, end_ns);
  pl_lane_foreach_poll (lane, start_ns, end_ns + 1, 0, check_poll, &n);
  g_assert_cmpuint (n, <=, pl_lane_get_n_polls (lane));
  if (!is_summary)
    g_assert_cmpuint (n, ==, pl_lane_get_n_polls (lane));
}

static void
check_report (PlTrace *trace)
{
  const gint64 threshold_ns = 1000;
  g_autoptr(PlReport) report = pl_report_new (trace, threshold_ns);
  const PlPollTotals *totals = pl_trace_get_poll_totals (trace);
  guint64 n_polls = 0;

  for (guint i = 0; i < report->locations->len; i++)
    n_polls += g_array_index (report->locations, PlReportLocation, i).n_polls;
  g_assert_cmpuint (n_polls, ==, totals->n_polls);
  g_assert_cmpint (report->p50_ns, <=, report->p99_ns);
  g_assert_cmpint (report->p99_ns, <=, report->p999_ns);
  g_assert_cmpint (report->p999_ns, <=, totals->max_ns);
  g_assert_cmpuint (report->n_100ms, <=, report->n_5ms);
  if (report->long_polls->len > 0)
    {
      const PlPoll *longest = &g_array_index (report->long_polls, PlPoll, 0);
      PlTaskSummary summary;

      g_assert_cmpint (longest->duration_ns, ==, totals->max_ns);
      g_assert_true (pl_task_summary (trace, longest->task_id, threshold_ns, NULL, &summary));
      g_assert_cmpint (summary.longest.duration_ns, ==, totals->max_ns);
    }
}

void
check_snapshot (PlTrace *trace)
{
  gint64 start_ns = pl_trace_get_start_ns (trace);
  gint64 end_ns = pl_trace_get_end_ns (trace);
  PlQueueSlice queue[N_SLICES];
  gint64 wall_ns;
  guint n;

  g_assert_true (pl_trace_is_complete (trace));
  g_assert_cmpint (start_ns, >=, 0);
  g_assert_cmpint (end_ns, >=, start_ns);
  for (guint i = 0; i < MIN (pl_trace_get_n_lanes (trace), MAX_LANES); i++)
    check_lane (pl_trace_get_lane (trace, i), start_ns, end_ns, pl_trace_is_summary (trace));
  for (guint i = 0; i < MIN (pl_trace_get_n_queues (trace), MAX_LANES); i++)
    pl_trace_get_queue_slices (trace, i, start_ns, end_ns + 1, N_SLICES, queue);
  pl_trace_to_wall_ns (trace, start_ns, &wall_ns);
  pl_trace_get_metadata (trace, &n);
  pl_trace_get_event_counts (trace, &n);
  pl_trace_get_runtimes (trace, &n);
}

/* What is held only as a summary has the same figures, and slices that add up. */
static void
check_summary (PlTrace *trace, const char *const *paths)
{
  g_autoptr(PlTrace) summary = pl_loader_load_within (paths, 1, 0, NULL, NULL);
  const PlPollTotals *expected = pl_trace_get_poll_totals (trace);
  const PlPollTotals *found = pl_trace_get_poll_totals (summary);

  g_assert_cmpuint (found->n_polls, ==, expected->n_polls);
  g_assert_cmpuint (found->n_open, ==, expected->n_open);
  g_assert_cmpuint (found->n_unpaired, ==, expected->n_unpaired);
  g_assert_cmpint (found->total_ns, ==, expected->total_ns);
  g_assert_cmpint (found->max_ns, ==, expected->max_ns);
  for (guint i = 0; i < MIN (pl_trace_get_n_lanes (summary), MAX_LANES); i++)
    check_slices (pl_trace_get_lane (summary, i), pl_trace_get_start_ns (summary), pl_trace_get_end_ns (summary) + 1);
  check_report (summary);
}

PlTrace *
check_load (const char *const *paths, guint n_threads)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load (paths, n_threads, NULL, &error);

  if (trace == NULL)
    {
      g_assert_nonnull (error);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
      return NULL;
    }
  check_snapshot (trace);
  check_report (trace);
  check_summary (trace, paths);
  return g_steal_pointer (&trace);
}
