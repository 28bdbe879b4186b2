/* test-lane.c: what a lane must say where the data are incomplete, odd or silent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-percentiles.h"
#include "pl-report.h"
#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)
#define S (1000 * MS)

static const PlLane *
get_lane (PlTrace *trace, guint64 worker)
{
  const PlLane *lane = pl_trace_find_lane (trace, worker, NULL);

  g_assert_nonnull (lane);
  return lane;
}

static PlLaneSlice
get_slice (PlTrace *trace, guint64 worker, gint64 from_ns, gint64 to_ns)
{
  PlLaneSlice slice;

  pl_lane_get_slice (get_lane (trace, worker), from_ns, to_ns, &slice);
  return slice;
}

static PlLaneState
get_state (PlTrace *trace, guint64 worker, gint64 at_ns)
{
  return pl_lane_get_state (get_lane (trace, worker), at_ns, NULL, NULL);
}

/* H01: worker 0 begins a poll at 1 ms and says nothing more; worker 1 goes on to 5 s. */
static PlTrace *
load_open_poll (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 1 * MS);
  for (gint64 at = 2 * MS; at < 5 * S; at += 10 * MS)
    test_trace_poll (bytes, 1, 8, "b.rs:2:2", at, 100 * US);
  test_trace_poll (bytes, 1, 8, "b.rs:2:2", 5 * S - 50 * US, 50 * US);
  return test_trace_load (bytes);
}

static void
test_open_poll_is_never_long (void)
{
  g_autoptr(PlTrace) trace = load_open_poll ();
  g_autoptr(PlReport) report = pl_report_new (trace, 1 * MS);
  PlPoll poll;

  g_assert_cmpuint (report->polls.n_open, ==, 1);
  g_assert_cmpuint (report->polls.n_unpaired, ==, 0);
  g_assert_cmpuint (report->polls.n_polls, ==, 501);
  g_assert_cmpint (report->polls.max_ns, ==, 100 * US);
  g_assert_cmpint (report->p999_ns, ==, 100 * US);
  g_assert_cmpuint (report->long_polls->len, ==, 0);
  g_assert_cmpuint (report->n_1ms, ==, 0);
  g_assert_cmpuint (g_array_index (report->workers, PlReportWorker, 0).n_polls, ==, 0);
  g_assert_cmpint (g_array_index (report->workers, PlReportWorker, 0).longest_ns, ==, 0);
  g_assert_false (pl_lane_next_poll (get_lane (trace, 0), 0, 1, &poll));
}

static void
test_open_poll_shows_its_age (void)
{
  g_autoptr(PlTrace) trace = load_open_poll ();
  PlLaneSlice slice = get_slice (trace, 0, 2 * S, 3 * S);
  gint64 since, until;
  PlPoll poll;

  g_assert_cmpint (slice.open_ns, ==, 5 * S - 1 * MS);
  g_assert_cmpint (slice.longest_ns, ==, 0);
  g_assert_cmpint (slice.polling_ns, ==, 1 * S);
  g_assert_cmpint (slice.unknown_ns, ==, 0);
  g_assert_cmpint (pl_lane_get_state (get_lane (trace, 0), 4 * S, &since, &until), ==, PL_LANE_POLLING);
  g_assert_cmpint (since, ==, 1 * MS);
  g_assert_cmpint (until, ==, 5 * S);
  g_assert_true (pl_lane_find_poll (get_lane (trace, 0), 3 * S, 0, &poll));
  g_assert_cmpuint (poll.flags, ==, PL_POLL_OPEN);
  g_assert_cmpint (poll.duration_ns, ==, 5 * S - 1 * MS);
}

/* H02: three polls of 100 us, the second without an end, the third 4 s later. */
static PlTrace *
load_lost_end (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 10 * MS, 100 * US);
  test_trace_poll_start (bytes, 0, 2, "a.rs:1:1", 20 * MS);
  test_trace_poll (bytes, 0, 3, "a.rs:1:1", 4 * S + 20 * MS, 100 * US);
  return test_trace_load (bytes);
}

static void
test_lost_end_is_unpaired_everywhere (void)
{
  g_autoptr(PlTrace) trace = load_lost_end ();
  g_autoptr(PlReport) report = pl_report_new (trace, 1);
  const PlPollTotals *totals = pl_trace_get_poll_totals (trace);
  PlPoll poll;

  g_assert_cmpuint (totals->n_polls, ==, 2);
  g_assert_cmpuint (totals->n_unpaired, ==, 1);
  g_assert_cmpuint (totals->n_open, ==, 0);
  g_assert_cmpint (totals->max_ns, ==, 100 * US);
  g_assert_cmpint (totals->total_ns, ==, 200 * US);
  g_assert_cmpuint (report->long_polls->len, ==, 2);
  g_assert_cmpint (report->p999_ns, ==, 100 * US);
  g_assert_cmpuint (g_array_index (report->workers, PlReportWorker, 0).n_polls, ==, 2);
  g_assert_cmpint (g_array_index (report->workers, PlReportWorker, 0).busy_ns, ==, 200 * US);
  g_assert_true (pl_lane_next_poll (get_lane (trace, 0), 10 * MS, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 4 * S + 20 * MS);
}

static void
test_lost_end_does_not_swallow_idle_time (void)
{
  g_autoptr(PlTrace) trace = load_lost_end ();
  PlLaneSlice slice = get_slice (trace, 0, 1 * S, 2 * S);
  PlPoll poll;

  g_assert_cmpint (slice.polling_ns, ==, 0);
  g_assert_cmpint (slice.longest_ns, ==, 0);
  g_assert_cmpint (slice.open_ns, ==, 0);
  g_assert_cmpint (slice.unknown_ns, ==, 1 * S);
  g_assert_cmpint (get_state (trace, 0, 1 * S), ==, PL_LANE_UNKNOWN);
  g_assert_false (pl_lane_find_poll (get_lane (trace, 0), 1 * S, 0, &poll));
}

static void
test_orphans_on_both_sides (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll_end (bytes, 0, 1 * MS);
  test_trace_unpark (bytes, 1, 5, 1 * MS);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 2 * MS, 10 * US);
  test_trace_poll_end (bytes, 0, 3 * MS);
  test_trace_poll_start (bytes, 0, 1, "a.rs:1:1", 4 * MS);
  test_trace_park (bytes, 1, 5, 4 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 2);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 10 * US);
}

/* Enough ordinary events that a single odd one stands out. */
static void
write_ordinary (TestTrace *bytes, gint64 from_ns)
{
  for (gint64 at = from_ns; at < from_ns + 5 * S; at += 100 * MS)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", at, 10 * MS);
}

static void
assert_range (PlTrace *trace, gint64 from_ns, gint64 to_ns)
{
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, from_ns);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, to_ns);
  g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 1);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 50);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 10 * MS);
}

/* H07 */
static void
test_time_near_the_end_of_time (void)
{
  static const guint64 insane[] = {
    G_MAXINT64, G_GUINT64_CONSTANT (1) << 63, G_MAXUINT64, G_GUINT64_CONSTANT (1000000000000000000),
  };

  for (gsize i = 0; i < G_N_ELEMENTS (insane); i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;

      write_ordinary (bytes, 100 * S);
      test_trace_custom (bytes, "Odd", (gint64) insane[i]);
      trace = test_trace_load (bytes);

      assert_range (trace, 100 * S, 105 * S - 90 * MS);
      g_assert_cmpuint (test_trace_count (trace, "Odd"), ==, 1);
    }
}

static void
test_time_at_the_beginning_of_time (void)
{
  const gint64 uptime = 4 * 24 * 3600 * S;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_custom (bytes, "Odd", 1);
  write_ordinary (bytes, uptime);
  trace = test_trace_load (bytes);

  assert_range (trace, uptime, uptime + 5 * S - 90 * MS);
}

/* The end of a poll at an insane time is no poll, and lets the ones around it be. */
static void
test_insane_end_of_a_poll (void)
{
  static const gint64 insane[] = { G_MAXINT64, G_GINT64_CONSTANT (1000000000000000000), 1 };
  const gint64 uptime = 24 * 3600 * S;

  for (gsize i = 0; i < G_N_ELEMENTS (insane); i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;

      write_ordinary (bytes, uptime);
      test_trace_poll_start (bytes, 0, 2, "b.rs:2:2", uptime + 6 * S);
      test_trace_poll_end (bytes, 0, insane[i]);
      test_trace_poll (bytes, 0, 3, "c.rs:3:3", uptime + 7 * S, 10 * MS);
      trace = test_trace_load (bytes);

      g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 51);
      g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 10 * MS);
      g_assert_cmpint (pl_trace_get_start_ns (trace), ==, uptime);
      g_assert_cmpint (pl_trace_get_end_ns (trace), ==, uptime + 7 * S + 10 * MS);
      g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 1);
      g_assert_cmpint (get_slice (trace, 0, uptime, uptime + 8 * S).polling_ns, ==, 510 * MS);
    }
}

/* An hourly job of a few polls, in a service that did much when it started and slept in between. */
static void
test_hourly_work (void)
{
  const gint64 hour = 3600 * S;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  for (guint i = 0; i < 3000; i++)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * S + i * MS, 100);
  for (guint i = 2; i < 30; i += 2)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", i * hour, 40 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 0);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 3014);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, 28 * hour + 40 * MS);
}

/* Little work long after much of it: a service that paused, or an earlier run of it in the same directory. */
static void
test_work_after_a_long_pause (void)
{
  const gint64 later = 24 * 3600 * S;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  for (guint i = 0; i < 3000; i++)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * S + i * MS, 100);
  for (guint i = 0; i < 100; i++)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", later + i * 10 * MS, 5 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 0);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 3100);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 5 * MS);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1 * S);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, later + 995 * MS);
}

/* H08: metadata, clock and custom events alone. */
static void
test_trace_without_workers (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlReport) report = NULL;

  test_trace_metadata (bytes, 1 * S, "service", "x");
  test_trace_clock_sync (bytes, 1 * S, 1700000000000000000);
  test_trace_custom (bytes, "RequestDone", 3 * S);
  trace = test_trace_load (bytes);
  report = pl_report_new (trace, 1 * MS);

  g_assert_cmpuint (pl_trace_get_n_lanes (trace), ==, 0);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1 * S);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, 3 * S);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 3);
  g_assert_cmpint (report->p50_ns, ==, 0);
  g_assert_cmpuint (report->workers->len, ==, 0);
}

static void
test_sentinels_are_no_lanes (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlReport) report = NULL;

  test_trace_poll (bytes, 255, 1, "a.rs:1:1", 1 * MS, 2 * MS);
  test_trace_poll (bytes, 254, 1, "a.rs:1:1", 1 * MS, 3 * MS);
  test_trace_poll (bytes, 253, 1, "a.rs:1:1", 1 * MS, 1 * MS);
  test_trace_poll (bytes, 256, 1, "a.rs:1:1", 1 * MS, 1 * MS);
  trace = test_trace_load (bytes);
  report = pl_report_new (trace, 1 * MS);

  g_assert_cmpuint (pl_trace_get_n_lanes (trace), ==, 2);
  g_assert_null (pl_trace_find_lane (trace, 254, NULL));
  g_assert_null (pl_trace_find_lane (trace, 255, NULL));
  g_assert_cmpuint (report->workers->len, ==, 2);
  g_assert_cmpuint (report->polls.n_polls, ==, 4);
}

/* Neither parked nor in a poll, and nothing said for long: no data, not idleness. */
static void
test_silence_is_a_gap (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * S, 1 * MS);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * S + 50 * MS, 1 * MS);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 5 * S, 1 * MS);
  test_trace_park (bytes, 0, 1, 5 * S + 2 * MS);
  test_trace_unpark (bytes, 0, 1, 9 * S);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 9 * S, 1 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpint (get_state (trace, 0, 1 * S + 20 * MS), ==, PL_LANE_ACTIVE);
  g_assert_cmpint (get_state (trace, 0, 3 * S), ==, PL_LANE_UNKNOWN);
  g_assert_cmpint (get_state (trace, 0, 7 * S), ==, PL_LANE_PARKED);
  g_assert_cmpint (get_state (trace, 0, 9 * S), ==, PL_LANE_POLLING);
  g_assert_cmpint (get_slice (trace, 0, 1 * S, 10 * S).unknown_ns, ==, 4 * S - 51 * MS + 1 * S - 1 * MS);
}

static void
test_worker_that_parked_last_is_parked_to_the_end (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * S, 1 * MS);
  test_trace_park (bytes, 0, 1, 2 * S);
  test_trace_custom (bytes, "Later", 10 * S);
  trace = test_trace_load (bytes);

  g_assert_cmpint (get_state (trace, 0, 9 * S), ==, PL_LANE_PARKED);
  g_assert_cmpint (get_slice (trace, 0, 2 * S, 10 * S).parked_ns, ==, 8 * S);
  g_assert_cmpint (get_slice (trace, 0, 2 * S, 10 * S).unknown_ns, ==, 0);
}

static void
test_worker_unknown_outside_its_events (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_custom (bytes, "Earlier", 1 * S);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 2 * S, 1 * S);
  test_trace_custom (bytes, "Later", 10 * S);
  trace = test_trace_load (bytes);

  g_assert_cmpint (get_state (trace, 0, 1 * S + 1), ==, PL_LANE_UNKNOWN);
  g_assert_cmpint (get_state (trace, 0, 4 * S), ==, PL_LANE_UNKNOWN);
  g_assert_cmpint (get_slice (trace, 0, 1 * S, 10 * S).unknown_ns, ==, 8 * S);
}

static void
test_queue_depth_is_carried (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const PlLane *lane;

  test_trace_local_queue (bytes, 3);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * MS, 10);
  test_trace_local_queue (bytes, 9);
  test_trace_park (bytes, 0, 1, 2 * MS);
  test_trace_local_queue (bytes, 5);
  test_trace_unpark (bytes, 0, 1, 3 * MS);
  test_trace_local_queue (bytes, 0);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 4 * MS, 10);
  trace = test_trace_load (bytes);
  lane = get_lane (trace, 0);

  g_assert_cmpint (pl_lane_get_queue (lane, 1 * MS - 1), ==, -1);
  g_assert_cmpint (pl_lane_get_queue (lane, 1 * MS), ==, 3);
  g_assert_cmpint (pl_lane_get_queue (lane, 2 * MS), ==, 9);
  g_assert_cmpint (pl_lane_get_queue (lane, 3 * MS - 1), ==, 9);
  g_assert_cmpint (pl_lane_get_queue (lane, 3 * MS), ==, 5);
  g_assert_cmpint (pl_lane_get_queue (lane, 4 * MS), ==, 0);
  g_assert_cmpint (get_slice (trace, 0, 1 * MS, 2 * MS).max_queue, ==, 3);
  g_assert_cmpint (get_slice (trace, 0, 2 * MS + 1, 2 * MS + 2).max_queue, ==, 9);
  g_assert_cmpint (get_slice (trace, 0, 3 * MS + 1, 4 * MS + 1).max_queue, ==, 5);
}

static void
test_queue_depth_of_the_last_park (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1 * MS, 10);
  test_trace_local_queue (bytes, 6);
  test_trace_park (bytes, 0, 1, 2 * MS);
  test_trace_custom (bytes, "Later", 9 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpint (pl_lane_get_queue (get_lane (trace, 0), 5 * MS), ==, 6);
  g_assert_cmpint (get_slice (trace, 0, 4 * MS, 5 * MS).max_queue, ==, 6);
}

/* H34: at four days of uptime every nanosecond is told from its neighbours. */
static void
test_single_nanoseconds_at_four_days (void)
{
  const gint64 t = 4 * 24 * 3600 * S + 123456789;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slices[20];

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", t + 3, 4);
  test_trace_poll (bytes, 0, 2, "a.rs:1:1", t + 9, 0);
  test_trace_poll (bytes, 0, 3, "a.rs:1:1", t + 10, 1);
  trace = test_trace_load (bytes);
  pl_lane_get_slices (get_lane (trace, 0), t, t + 20, 20, slices);

  for (gint64 i = 0; i < 20; i++)
    {
      g_assert_cmpint (slices[i].polling_ns, ==, (i >= 3 && i < 7) || i == 10);
      g_assert_cmpint (slices[i].longest_ns, ==, i >= 3 && i < 7 ? 4 : i == 10);
      g_assert_cmpuint (slices[i].n_polls, ==, i == 3 || i == 9 || i == 10);
    }
  g_assert_cmpint (get_state (trace, 0, t + 6), ==, PL_LANE_POLLING);
  g_assert_cmpint (get_state (trace, 0, t + 7), ==, PL_LANE_ACTIVE);
}

/* H35: one long poll among very many short ones is in the slice that it starts in, however wide that is. */
static void
test_long_poll_is_seen_from_afar (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slices[400];
  guint n_long = 0;

  for (guint i = 0; i < 100000; i++)
    test_trace_poll (bytes, 0, i, "a.rs:1:1", 1 * S + i * 6 * MS, i == 77777 ? 1200 * US : 2 * US);
  trace = test_trace_load (bytes);
  pl_lane_get_slices (get_lane (trace, 0), pl_trace_get_start_ns (trace), pl_trace_get_end_ns (trace), 400, slices);

  for (guint i = 0; i < 400; i++)
    n_long += slices[i].longest_ns >= 1 * MS;
  g_assert_cmpuint (n_long, ==, 1);
  g_assert_cmpint (slices[77777 / 250].longest_ns, ==, 1200 * US);
}

/* H36: a list asked for a range tells of that range. */
static gboolean
add_duration (const PlPoll *poll, gpointer user_data)
{
  *(gint64 *) user_data += poll->duration_ns;
  return TRUE;
}

static void
test_figures_follow_the_range (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 sum = 0;

  for (gint64 i = 0; i < 30; i++)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", (10 + i) * S, (i + 1) * MS);
  trace = test_trace_load (bytes);
  pl_lane_foreach_poll (get_lane (trace, 0), 14 * S, 16 * S, 0, add_duration, &sum);

  g_assert_cmpint (sum, ==, (5 + 6) * MS);
  g_assert_cmpuint (get_slice (trace, 0, 14 * S, 16 * S).n_polls, ==, 2);
  g_assert_cmpint (get_slice (trace, 0, 14 * S, 16 * S).longest_ns, ==, 6 * MS);
}

/* A poll whose thread lost the worker and that never ended needs its row as well. */
static void
test_open_detached (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_park (bytes, 0, 1, 900);
  test_trace_unpark (bytes, 0, 1, 950);
  test_trace_poll_start (bytes, 0, 1, "a.rs:1:1", 1000);
  test_trace_header (bytes);
  test_trace_park (bytes, 0, 2, 1500);
  test_trace_unpark (bytes, 0, 2, 1600);
  test_trace_poll (bytes, 0, 2, "b.rs:1:1", 2000, 100);

  trace = test_trace_load (bytes);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
  g_assert_true (pl_lane_has_detached (pl_trace_get_lane (trace, 0)));
}

static PlLaneState
state_at (PlTrace *trace, gint64 at_ns)
{
  return pl_lane_get_state (pl_trace_get_lane (trace, 0), at_ns, NULL, NULL);
}

/* A buffer of one thread ends long before the session: nothing is known of its poll from there on. Where all threads share
 * the stream, the poll was running until the end. */
static void
test_open_is_known_as_far_as_its_stream (void)
{
  for (guint merged = 0; merged < 2; merged++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;

      test_trace_metadata (bytes, 500, "parklane.stream", merged ? "merged" : "threads");
      test_trace_header (bytes);
      test_trace_park (bytes, 0, 1, 900);
      test_trace_unpark (bytes, 0, 1, 950);
      test_trace_poll_start (bytes, 0, 1, "a.rs:1:1", 1000);
      test_trace_header (bytes);
      test_trace_park (bytes, 1, 2, 1500);
      test_trace_unpark (bytes, 1, 2, 9000);

      trace = test_trace_load (bytes);
      g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
      g_assert_cmpint (state_at (trace, 5000), ==, merged ? PL_LANE_POLLING : PL_LANE_UNKNOWN);
    }
}

/* The first string of a pool may be empty: no bytes have been stored by then. */
static void
test_empty_first_string (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlPoll poll;

  test_trace_poll (bytes, 0, 1, "", 1000, 100);
  trace = test_trace_load (bytes);
  g_assert_true (pl_lane_next_poll (pl_trace_get_lane (trace, 0), 0, 0, &poll));
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, "");
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/lane/open-poll-is-never-long", test_open_poll_is_never_long);
  g_test_add_func ("/trace/lane/open-poll-without-worker-has-a-row", test_open_detached);
  g_test_add_func ("/trace/lane/open-poll-is-known-as-far-as-its-stream", test_open_is_known_as_far_as_its_stream);
  g_test_add_func ("/trace/lane/empty-first-string-of-a-pool", test_empty_first_string);
  g_test_add_func ("/trace/lane/open-poll-shows-its-age", test_open_poll_shows_its_age);
  g_test_add_func ("/trace/lane/lost-end-is-unpaired-everywhere", test_lost_end_is_unpaired_everywhere);
  g_test_add_func ("/trace/lane/lost-end-does-not-swallow-idle-time", test_lost_end_does_not_swallow_idle_time);
  g_test_add_func ("/trace/lane/orphans-on-both-sides-are-unpaired-or-open", test_orphans_on_both_sides);
  g_test_add_func ("/trace/lane/h07-time-near-the-end-of-time-is-an-outlier", test_time_near_the_end_of_time);
  g_test_add_func ("/trace/lane/h07-time-at-the-beginning-of-time-is-an-outlier", test_time_at_the_beginning_of_time);
  g_test_add_func ("/trace/lane/h07-work-after-a-long-pause-is-no-outlier", test_work_after_a_long_pause);
  g_test_add_func ("/trace/lane/h07-few-polls-an-hour-are-no-outliers", test_hourly_work);
  g_test_add_func ("/trace/lane/h07-insane-end-of-a-poll-is-an-outlier", test_insane_end_of_a_poll);
  g_test_add_func ("/trace/lane/h08-trace-without-workers-has-a-range", test_trace_without_workers);
  g_test_add_func ("/trace/lane/sentinels-are-no-lanes", test_sentinels_are_no_lanes);
  g_test_add_func ("/trace/lane/silence-is-a-gap", test_silence_is_a_gap);
  g_test_add_func ("/trace/lane/parked-last-is-parked-to-the-end", test_worker_that_parked_last_is_parked_to_the_end);
  g_test_add_func ("/trace/lane/unknown-outside-its-events", test_worker_unknown_outside_its_events);
  g_test_add_func ("/trace/lane/queue-depth-is-carried", test_queue_depth_is_carried);
  g_test_add_func ("/trace/lane/queue-depth-of-the-last-park", test_queue_depth_of_the_last_park);
  g_test_add_func ("/trace/lane/single-nanoseconds-at-four-days", test_single_nanoseconds_at_four_days);
  g_test_add_func ("/trace/lane/long-poll-is-seen-from-afar", test_long_poll_is_seen_from_afar);
  g_test_add_func ("/trace/lane/figures-follow-the-range", test_figures_follow_the_range);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
