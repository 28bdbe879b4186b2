/* test-task-summary.c: what one task did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-report.h"
#include "pl-task-summary.h"
#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)

static PlTrace *
load_tasks (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_spawn (bytes, 7, "spawn.rs:1:1", 1 * MS);
  test_trace_poll (bytes, 0, 7, "spawn.rs:1:1", 10 * MS, 999);
  test_trace_poll (bytes, 1, 7, "spawn.rs:1:1", 5 * MS, 1 * US);
  test_trace_poll (bytes, 0, 7, "spawn.rs:1:1", 20 * MS, 1 * MS);
  test_trace_poll (bytes, 1, 7, "spawn.rs:1:1", 30 * MS, 2 * MS);
  test_trace_poll (bytes, 0, 8, "poll.rs:2:2", 50 * MS, 2000 * MS);
  test_trace_poll_start (bytes, 1, 8, "poll.rs:2:2", 60 * MS);
  test_trace_terminate (bytes, 7, 40 * MS);
  return test_trace_load (bytes);
}

static void
test_task_with_spawn_and_end (void)
{
  g_autoptr(PlTrace) trace = load_tasks ();
  PlTaskSummary summary;
  static const guint64 histogram[PL_TASK_SUMMARY_N_BUCKETS] = { 1, 1, 0, 0, 2, 0, 0, 0 };

  g_assert_true (pl_task_summary (trace, 7, 1 * MS, NULL, &summary));
  g_assert_true (summary.task.has_spawn && summary.task.has_end);
  g_assert_cmpint (summary.task.spawn_ns, ==, 1 * MS);
  g_assert_cmpint (summary.task.end_ns, ==, 40 * MS);
  g_assert_cmpstr (pl_trace_get_string (trace, summary.task.spawn_loc), ==, "spawn.rs:1:1");
  g_assert_cmpint (summary.first_ns, ==, 5 * MS);
  g_assert_cmpuint (summary.n_polls, ==, 4);
  g_assert_cmpint (summary.busy_ns, ==, 3 * MS + 1999);
  g_assert_cmpint (summary.longest.duration_ns, ==, 2 * MS);
  g_assert_cmpuint (summary.longest.worker, ==, 1);
  g_assert_cmpuint (summary.n_over, ==, 2);
  g_assert_cmpmem (summary.histogram, sizeof summary.histogram, histogram, sizeof histogram);
}

/* A task older than the data is known by its polls; the open one is none of its finished ones. */
static void
test_task_of_polls_alone (void)
{
  g_autoptr(PlTrace) trace = load_tasks ();
  PlTaskSummary summary;

  g_assert_true (pl_task_summary (trace, 8, 1 * MS, NULL, &summary));
  g_assert_false (summary.task.has_spawn || summary.task.has_end);
  g_assert_cmpuint (summary.task.id, ==, 8);
  g_assert_cmpstr (pl_trace_get_string (trace, summary.task.spawn_loc), ==, "poll.rs:2:2");
  g_assert_cmpuint (summary.n_polls, ==, 1);
  g_assert_cmpuint (summary.histogram[7], ==, 1);
}

static void
test_unknown_task (void)
{
  g_autoptr(PlTrace) trace = load_tasks ();
  PlTaskSummary summary;

  g_assert_true (pl_task_summary (trace, 4711, 1 * MS, NULL, &summary));
  g_assert_cmpuint (summary.n_polls, ==, 0);
  g_assert_cmpint (summary.busy_ns, ==, 0);
  g_assert_false (summary.task.has_spawn || summary.task.has_end);
}

static void
test_cancelled (void)
{
  g_autoptr(PlTrace) trace = load_tasks ();
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  PlTaskSummary summary;

  g_cancellable_cancel (cancellable);
  g_assert_false (pl_task_summary (trace, 7, 1 * MS, cancellable, &summary));
}

/* Task ids are 64 bits wide. */
static void
test_large_ids (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlReport) report = NULL;
  PlTaskSummary summary;

  test_trace_poll (bytes, 0, G_MAXUINT64, "a.rs:1:1", 1 * MS, 10 * US);
  test_trace_poll (bytes, 0, G_MAXUINT32, "a.rs:1:1", 2 * MS, 10 * US);
  test_trace_poll (bytes, 0, G_GUINT64_CONSTANT (1) << 32 | 7, "a.rs:1:1", 3 * MS, 10 * US);
  test_trace_poll (bytes, 0, 7, "a.rs:1:1", 4 * MS, 10 * US);
  test_trace_poll (bytes, 0, 0, "a.rs:1:1", 5 * MS, 10 * US);
  trace = test_trace_load (bytes);
  report = pl_report_new (trace, 1);

  g_assert_cmpuint (report->n_seen, ==, 4);
  g_assert_true (pl_task_summary (trace, G_MAXUINT64, 1, NULL, &summary));
  g_assert_cmpuint (summary.n_polls, ==, 1);
  g_assert_true (pl_task_summary (trace, 7, 1, NULL, &summary));
  g_assert_cmpuint (summary.n_polls, ==, 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/task-summary/with-spawn-and-end", test_task_with_spawn_and_end);
  g_test_add_func ("/analysis/task-summary/of-polls-alone", test_task_of_polls_alone);
  g_test_add_func ("/analysis/task-summary/unknown-task", test_unknown_task);
  g_test_add_func ("/analysis/task-summary/cancelled", test_cancelled);
  g_test_add_func ("/analysis/task-summary/large-ids-are-told-apart", test_large_ids);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
