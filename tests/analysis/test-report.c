/* test-report.c: the figures of a report
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pl-loader.h"
#include "pl-report.h"
#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)

/* Two workers over 200 ms, polls from 0.4 ms to 120 ms of three places. */
static PlTrace *
load_small (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_spawn (bytes, 1, "a.rs:1:1", 9 * MS);
  test_trace_spawn (bytes, 5, "a.rs:1:1", 9 * MS);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 10 * MS, 1 * MS);
  test_trace_poll (bytes, 0, 2, "b.rs:2:2", 20 * MS, 5 * MS);
  test_trace_park (bytes, 0, 1, 25 * MS);
  test_trace_unpark (bytes, 0, 1, 45 * MS);
  test_trace_poll (bytes, 0, 2, "b.rs:2:2", 50 * MS, 120 * MS);
  test_trace_poll (bytes, 0, 3, "c.rs:3:3", 180 * MS, 400 * US);
  test_trace_poll (bytes, 1, 1, "a.rs:1:1", 10 * MS, 1 * MS - 1);
  test_trace_poll_start (bytes, 1, 4, "c.rs:3:3", 210 * MS);
  test_trace_terminate (bytes, 1, 210 * MS);
  return test_trace_load (bytes);
}

static void
test_polls (void)
{
  g_autoptr(PlTrace) trace = load_small ();
  g_autoptr(PlReport) report = pl_report_new (trace, 5 * MS);

  g_assert_cmpint (report->threshold_ns, ==, 5 * MS);
  g_assert_cmpuint (report->polls.n_polls, ==, 5);
  g_assert_cmpuint (report->polls.n_open, ==, 1);
  g_assert_cmpuint (report->polls.n_unpaired, ==, 0);
  g_assert_cmpint (report->polls.total_ns, ==, 126400 * US + 1 * MS - 1);
  g_assert_cmpint (report->polls.max_ns, ==, 120 * MS);
  g_assert_cmpint (report->p50_ns, ==, 1 * MS);
  g_assert_cmpint (report->p99_ns, ==, 120 * MS);
  g_assert_cmpuint (report->n_1ms, ==, 3);
  g_assert_cmpuint (report->n_5ms, ==, 2);
  g_assert_cmpuint (report->n_100ms, ==, 1);
}

static void
test_tasks (void)
{
  g_autoptr(PlTrace) trace = load_small ();
  g_autoptr(PlReport) report = pl_report_new (trace, 1 * MS);

  g_assert_cmpuint (report->n_spawned, ==, 2);
  g_assert_cmpuint (report->n_terminated, ==, 1);
  g_assert_cmpuint (report->n_seen, ==, 5);
}

static void
test_workers (void)
{
  g_autoptr(PlTrace) trace = load_small ();
  g_autoptr(PlReport) report = pl_report_new (trace, 1 * MS);
  const PlReportWorker *first = &g_array_index (report->workers, PlReportWorker, 0);
  const PlReportWorker *second = &g_array_index (report->workers, PlReportWorker, 1);

  g_assert_cmpuint (report->workers->len, ==, 2);
  g_assert_cmpuint (first->id, ==, 0);
  g_assert_cmpuint (first->n_polls, ==, 4);
  g_assert_cmpint (first->busy_ns, ==, 126400 * US);
  g_assert_cmpint (first->parked_ns, ==, 20 * MS);
  g_assert_cmpint (first->longest_ns, ==, 120 * MS);
  g_assert_cmpint (first->unknown_ns, ==, 1 * MS + 29600 * US);
  g_assert_cmpuint (second->id, ==, 1);
  g_assert_cmpuint (second->n_polls, ==, 1);
  g_assert_cmpint (second->longest_ns, ==, 1 * MS - 1);
  /* Silent for longer than 100 ms between its two polls. */
  g_assert_cmpint (second->unknown_ns, ==, 1 * MS + 199 * MS + 1);
}

static void
test_long_polls (void)
{
  g_autoptr(PlTrace) trace = load_small ();
  g_autoptr(PlReport) report = pl_report_new (trace, 1 * MS);
  static const gint64 durations[] = { 120 * 1000000, 5 * 1000000, 1 * 1000000 };

  g_assert_cmpuint (report->long_polls->len, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (g_array_index (report->long_polls, PlPoll, i).duration_ns, ==, durations[i]);
}

static void
assert_location (const PlReport *report, guint index, const char *name, guint64 n_polls, gint64 total_ns,
                 gint64 max_ns, guint64 n_over)
{
  const PlReportLocation *location = &g_array_index (report->locations, PlReportLocation, index);

  g_assert_cmpstr (location->spawn_loc, ==, name);
  g_assert_cmpuint (location->n_polls, ==, n_polls);
  g_assert_cmpint (location->total_ns, ==, total_ns);
  g_assert_cmpint (location->max_ns, ==, max_ns);
  g_assert_cmpuint (location->n_over, ==, n_over);
}

static void
test_locations (void)
{
  g_autoptr(PlTrace) trace = load_small ();
  g_autoptr(PlReport) report = pl_report_new (trace, 1 * MS);

  g_assert_cmpuint (report->locations->len, ==, 3);
  assert_location (report, 0, "b.rs:2:2", 2, 125 * MS, 120 * MS, 2);
  assert_location (report, 1, "a.rs:1:1", 2, 2 * MS - 1, 1 * MS, 1);
  assert_location (report, 2, "c.rs:3:3", 1, 400 * US, 400 * US, 0);
}

/* A place named in several batches and files is one place. */
static void
test_location_of_many_batches (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlReport) report = NULL;

  for (gint64 i = 0; i < 5; i++)
    {
      test_trace_header (bytes);
      test_trace_poll (bytes, 0, 1, i % 2 ? "other.rs:2:2" : "a.rs:1:1", (1 + i) * MS, 10 * US);
      test_trace_poll (bytes, 0, 1, "a.rs:1:1", (1 + i) * MS + 20 * US, 10 * US);
    }
  trace = test_trace_load (bytes);
  report = pl_report_new (trace, 1 * MS);

  g_assert_cmpuint (report->locations->len, ==, 2);
  assert_location (report, 0, "a.rs:1:1", 8, 80 * US, 10 * US, 0);
}

static void
test_threshold_at_the_edge (void)
{
  g_autoptr(PlTrace) trace = load_small ();
  g_autoptr(PlReport) equal = pl_report_new (trace, 120 * MS);
  g_autoptr(PlReport) above = pl_report_new (trace, 120 * MS + 1);
  g_autoptr(PlReport) all = pl_report_new (trace, 0);

  g_assert_cmpuint (equal->long_polls->len, ==, 1);
  g_assert_cmpuint (above->long_polls->len, ==, 0);
  g_assert_cmpuint (all->long_polls->len, ==, 5);
}

/* A trace that is held as a summary is read again for a report; of what is not there any more it says so. */
static void
test_estimated (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlReport) whole = NULL;
  g_autoptr(PlReport) rest = NULL;

  for (guint i = 0; i < 100; i++)
    test_trace_poll (bytes, 0, i, "a.rs:1:1", (i + 1) * 10 * MS, i % 10 == 0 ? 1 * MS : 1 * US);
  path = test_trace_save (bytes, "estimated.bin");
  trace = pl_loader_load_within ((const char *const[]) { path, NULL }, 1, 0, NULL, NULL);
  whole = pl_report_new (trace, 1 * MS);
  g_assert_cmpuint (whole->n_estimated, ==, 0);
  g_assert_cmpint (g_remove (path), ==, 0);
  rest = pl_report_new (trace, 1 * MS);
  g_assert_cmpuint (rest->n_estimated, ==, 90);
  g_assert_cmpuint (rest->n_long_polls, ==, 10);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/report/polls", test_polls);
  g_test_add_func ("/analysis/report/tasks", test_tasks);
  g_test_add_func ("/analysis/report/workers", test_workers);
  g_test_add_func ("/analysis/report/long-polls-longest-first", test_long_polls);
  g_test_add_func ("/analysis/report/locations-worst-first", test_locations);
  g_test_add_func ("/analysis/report/location-of-many-batches-is-one", test_location_of_many_batches);
  g_test_add_func ("/analysis/report/what-could-not-be-read-again-is-counted", test_estimated);
  g_test_add_func ("/analysis/report/poll-of-the-threshold-is-long", test_threshold_at_the_edge);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
