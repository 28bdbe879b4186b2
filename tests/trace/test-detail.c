/* test-detail.c: a trace over the memory budget tells the same as one within it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pl-detail.h"
#include "pl-loader.h"
#include "pl-report.h"
#include "pl-trace-private.h"
#include "test-trace.h"

#define N_WORKERS 3
#define N_SLICES 400
#define LONG_NS G_GINT64_CONSTANT (4000000000)

/* Workers that poll and park at random, in batches of one worker each, with a long poll now and then. */
static char *
save_random_trace (guint32 seed, guint n_polls)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(GRand) random = g_rand_new_with_seed (seed);
  gint64 at[N_WORKERS] = { 1000000, 1000100, 1000200 };

  test_trace_clock_sync (bytes, 1000000, G_GUINT64_CONSTANT (1700000000000000000));
  for (guint i = 0; i < n_polls; i++)
    {
      guint worker = i / 3000 % N_WORKERS;
      gint64 duration = g_rand_int_range (random, 0, 20000);

      if (i % 3000 == 0)
        test_trace_header (bytes);
      if (g_rand_int_range (random, 0, 500) == 0)
        duration = g_rand_int_range (random, 100000, 30000000);
      test_trace_spawn (bytes, i + 1, "src/main.rs:1:1", at[worker]);
      test_trace_poll (bytes, worker, i + 1, i % 2 ? "a.rs:1:1" : "b.rs:2:2", at[worker], duration);
      at[worker] += duration;
      if (i % 7 == 0)
        {
          test_trace_park (bytes, worker, 100 + worker, at[worker]);
          at[worker] += g_rand_int_range (random, 1000, 500000);
          test_trace_unpark (bytes, worker, 100 + worker, at[worker]);
        }
      at[worker] += g_rand_int_range (random, 0, 3000);
    }
  return test_trace_save (bytes, "random.bin");
}

static PlTrace *
load_within (const char *path, guint64 budget)
{
  const char *const paths[] = { path, NULL };
  g_autoptr(GError) error = NULL;
  PlTrace *trace = pl_loader_load_within (paths, 2, budget, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

typedef struct
{
  guint64 n;
  gint64 total_ns;
  guint64 tasks;
} Sum;

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  Sum *sum = user_data;

  sum->n++;
  sum->total_ns += poll->duration_ns;
  sum->tasks += poll->task_id;
  return TRUE;
}

static Sum
sum_polls (PlTrace *trace, gint64 min_ns)
{
  Sum sum = { 0 };

  g_assert_true (pl_detail_foreach_poll (trace, min_ns, add_poll, &sum, NULL));
  return sum;
}

static void
assert_same_sum (Sum a, Sum b)
{
  g_assert_cmpuint (a.n, ==, b.n);
  g_assert_cmpint (a.total_ns, ==, b.total_ns);
  g_assert_cmpuint (a.tasks, ==, b.tasks);
}

static void
test_figures (void)
{
  g_autofree char *path = save_random_trace (1, 60000);
  g_autoptr(PlTrace) whole = load_within (path, G_MAXUINT64);
  g_autoptr(PlTrace) summary = load_within (path, 0);
  const PlPollTotals *a = pl_trace_get_poll_totals (whole);
  const PlPollTotals *b = pl_trace_get_poll_totals (summary);
  g_autoptr(PlReport) whole_report = pl_report_new (whole, 100000);
  g_autoptr(PlReport) summary_report = pl_report_new (summary, 100000);
  g_autoptr(PlReport) longest = pl_report_new_full (summary, 0, 100, NULL, NULL);

  g_assert_false (pl_trace_is_summary (whole));
  g_assert_true (pl_trace_is_summary (summary));
  g_assert_cmpuint (a->n_polls, ==, 60000);
  g_assert_cmpmem (a, sizeof *a, b, sizeof *b);
  g_assert_cmpuint (pl_trace_get_n_events (whole), ==, pl_trace_get_n_events (summary));
  assert_same_sum (sum_polls (whole, 0), sum_polls (summary, 0));
  assert_same_sum (sum_polls (whole, 5000), sum_polls (summary, 5000));
  g_assert_cmpuint (whole_report->n_seen, ==, summary_report->n_seen);
  g_assert_cmpint (whole_report->p99_ns, ==, summary_report->p99_ns);
  g_assert_cmpuint (longest->n_long_polls, ==, 60000);
}

/* Without a look at the file: it is gone. */
static void
test_long_polls (void)
{
  g_autofree char *path = save_random_trace (2, 60000);
  g_autoptr(PlTrace) whole = load_within (path, G_MAXUINT64);
  g_autoptr(PlTrace) summary = load_within (path, 0);

  g_assert_cmpint (g_remove (path), ==, 0);
  assert_same_sum (sum_polls (whole, 100000), sum_polls (summary, 100000));
  for (guint i = 0; i < pl_trace_get_n_lanes (whole); i++)
    {
      const PlLane *a = pl_trace_get_lane (whole, i);
      const PlLane *b = pl_trace_get_lane (summary, i);
      gint64 at = G_MININT64;
      PlPoll expected;
      PlPoll found;
      guint n = 0;

      while (pl_lane_next_poll (a, at, 1000000, &expected))
        {
          g_assert_true (pl_lane_next_poll (b, at, 1000000, &found));
          g_assert_cmpmem (&found, sizeof found, &expected, sizeof expected);
          g_assert_true (pl_lane_previous_poll (b, expected.start_ns + 1, 1000000, &found));
          g_assert_cmpint (found.start_ns, ==, expected.start_ns);
          at = expected.start_ns;
          n++;
        }
      g_assert_cmpuint (n, >, 10);
      g_assert_false (pl_lane_next_poll (b, at, 1000000, &found));
    }
}

/* The long poll is in the same columns, and what is estimated is right in sum. */
static void
test_estimates (void)
{
  g_autofree char *path = save_random_trace (3, 60000);
  g_autoptr(PlTrace) whole = load_within (path, G_MAXUINT64);
  g_autoptr(PlTrace) summary = load_within (path, 0);
  gint64 from = pl_trace_get_start_ns (whole);
  gint64 to = pl_trace_get_end_ns (whole);
  PlLaneSlice a[N_SLICES];
  PlLaneSlice b[N_SLICES];

  for (guint i = 0; i < pl_trace_get_n_lanes (whole); i++)
    {
      gint64 sum_a = 0;
      gint64 sum_b = 0;

      pl_lane_get_slices (pl_trace_get_lane (whole, i), from, to, N_SLICES, a);
      pl_lane_get_slices (pl_trace_get_lane (summary, i), from, to, N_SLICES, b);
      for (guint j = 0; j < N_SLICES; j++)
        {
          sum_a += a[j].polling_ns;
          sum_b += b[j].polling_ns;
          if (a[j].longest_ns >= 100000)
            g_assert_cmpint (b[j].longest_ns, ==, a[j].longest_ns);
          else
            g_assert_cmpint (b[j].longest_ns, <, 100000);
          g_assert_cmpint (b[j].polling_ns, >=, 0);
          g_assert_false (a[j].is_estimated);
        }
      g_assert_cmpint (sum_a, ==, sum_b);
    }
}

static void
test_sharpen (void)
{
  g_autofree char *path = save_random_trace (4, 60000);
  g_autoptr(PlTrace) whole = load_within (path, G_MAXUINT64);
  g_autoptr(PlTrace) summary = load_within (path, 0);
  gint64 middle = (pl_trace_get_start_ns (whole) + pl_trace_get_end_ns (whole)) / 2;
  gint64 from = middle - 1000000;
  gint64 to = middle + 1000000;
  g_autoptr(PlTrace) sharp = NULL;
  PlLaneSlice a[N_SLICES];
  PlLaneSlice b[N_SLICES];

  g_assert_false (pl_detail_is_sharp (summary, from, to, N_SLICES));
  sharp = pl_detail_sharpen (summary, from, to, N_SLICES, G_MAXUINT64, NULL);
  g_assert_true (pl_detail_is_sharp (sharp, from, to, N_SLICES));
  for (guint i = 0; i < pl_trace_get_n_lanes (whole); i++)
    {
      pl_lane_get_slices (pl_trace_get_lane (whole, i), from, to, N_SLICES, a);
      pl_lane_get_slices (pl_trace_get_lane (sharp, i), from, to, N_SLICES, b);
      for (guint j = 0; j < N_SLICES; j++)
        g_assert_cmpmem (&a[j], sizeof a[j], &b[j], sizeof b[j]);
    }
}

/* A file that is replaced after it was read: the summary stays, nothing wrong takes its place. */
static void
test_file_replaced (void)
{
  g_autofree char *path = save_random_trace (5, 60000);
  g_autoptr(PlTrace) summary = load_within (path, 0);
  g_autoptr(TestTrace) other = test_trace_new ();
  g_autoptr(PlTrace) still = NULL;
  gint64 from = pl_trace_get_start_ns (summary);

  test_trace_poll (other, 0, 1, "c.rs:1:1", 5000000, 10);
  g_assert_true (g_file_set_contents (path, (const char *) test_trace_get_bytes (other),
                                      (gssize) test_trace_get_size (other), NULL));
  still = pl_detail_sharpen (summary, from, from + 1000, N_SLICES, G_MAXUINT64, NULL);
  g_assert_true (pl_trace_is_summary (still));
  g_assert_cmpuint (pl_trace_get_poll_totals (still)->n_polls, ==, 60000);
}

/* A thread keeps its poll while another takes the worker; the poll's end stands in a batch of its own, so the polls
 * that it overlaps are only found when the batches are joined. */
static void
test_hand_over (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) whole = NULL;
  g_autoptr(PlTrace) summary = NULL;
  g_autofree char *path = NULL;

  test_trace_park (bytes, 0, 11, 1000);
  test_trace_unpark (bytes, 0, 11, 2000);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 3000, 1);
  test_trace_poll_start (bytes, 0, 2, "a.rs:1:1", 4000);
  test_trace_header (bytes);
  test_trace_park (bytes, 0, 12, 5000);
  test_trace_unpark (bytes, 0, 12, 6000);
  test_trace_poll (bytes, 0, 3, "a.rs:1:1", 7000, 1000);
  test_trace_poll (bytes, 0, 4, "a.rs:1:1", 9000, 50000);
  test_trace_header (bytes);
  test_trace_poll_end (bytes, 0, 8500);
  test_trace_park (bytes, 0, 11, 8600);
  path = test_trace_save (bytes, "hand-over.bin");
  whole = load_within (path, G_MAXUINT64);
  summary = load_within (path, 1);

  g_assert_cmpint (pl_lane_total_ns (pl_trace_get_lane (whole, 0)), ==, 55501);
  g_assert_cmpint (pl_lane_total_ns (pl_trace_get_lane (summary, 0)), ==, 55501);
  g_assert_cmpint (pl_lane_max_ns (pl_trace_get_lane (summary, 0)), ==, 50000);
}

/* A poll whose end is insane is left out of a summary too, and takes nothing with it. */
static void
test_insane_end (void)
{
  const gint64 uptime = G_GINT64_CONSTANT (24 * 3600) * 1000000000;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(PlTrace) whole = NULL;
  g_autoptr(PlTrace) summary = NULL;

  for (guint i = 0; i < 1000; i++)
    test_trace_poll (bytes, 0, i, "a.rs:1:1", uptime + i * 1000, 500);
  test_trace_poll (bytes, 0, 1, "b.rs:2:2", uptime + 1000 * 1000, G_GINT64_CONSTANT (1000000000000000000));
  for (guint i = 0; i < 1000; i++)
    test_trace_poll (bytes, 1, i, "a.rs:1:1", uptime + i * 1000, 500);
  path = test_trace_save (bytes, "insane.bin");
  whole = load_within (path, G_MAXUINT64);
  summary = load_within (path, 0);

  g_assert_cmpuint (pl_trace_get_poll_totals (whole)->n_polls, ==, 2000);
  g_assert_cmpmem (pl_trace_get_poll_totals (whole), sizeof (PlPollTotals), pl_trace_get_poll_totals (summary),
                   sizeof (PlPollTotals));
}

/* Three files that tell of the same workers at the same time: all of their blocks have to be taken apart, in full and as
 * summaries, whose polls are estimates between the long ones. */
static void
test_overlapping_files (void)
{
  char *paths[4] = { NULL };
  guint64 n_polls = 0;
  gint64 total_ns = 0;

  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *random = save_random_trace (20 + i, 30000);
      g_autoptr(PlTrace) alone = load_within (random, G_MAXUINT64);
      g_autofree char *name = g_strdup_printf ("overlapping.%u.bin", i);

      paths[i] = g_build_filename (test_trace_directory (), name, NULL);
      g_assert_cmpint (g_rename (random, paths[i]), ==, 0);
      n_polls += pl_trace_get_poll_totals (alone)->n_polls;
      total_ns += pl_trace_get_poll_totals (alone)->total_ns;
    }
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(PlTrace) trace = pl_loader_load_within ((const char *const *) paths, 2, i == 0 ? G_MAXUINT64 : 0, NULL, NULL);
      guint64 n_listed = 0;

      g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, n_polls);
      if (i == 0)
        g_assert_cmpint (pl_trace_get_poll_totals (trace)->total_ns, ==, total_ns);
      for (guint j = 0; j < pl_trace_get_n_lanes (trace); j++)
        {
          PlLaneSlice slices[N_SLICES];

          pl_lane_get_slices (pl_trace_get_lane (trace, j), pl_trace_get_start_ns (trace), pl_trace_get_end_ns (trace) + 1,
                              N_SLICES, slices);
          for (guint k = 0; k < N_SLICES; k++)
            {
              g_assert_cmpint (slices[k].polling_ns, >=, 0);
              g_assert_cmpint (slices[k].parked_ns, >=, 0);
              n_listed += slices[k].n_polls;
            }
        }
      g_assert_cmpuint (n_listed, ==, n_polls);
    }
  for (guint i = 0; i < 3; i++)
    g_free (paths[i]);
}

/* A worker parks for an instant many times, and in the end for seconds: where a summary takes the last parks to lie no start
 * can be told in 32 bits. */
static void
test_long_last_park (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(PlTrace) summary = NULL;
  PlLaneSlice slices[N_SLICES];
  gint64 sum_ns = 0;

  for (guint i = 0; i < 100; i++)
    {
      test_trace_park (bytes, 1, 7, 1000000 + i * G_GINT64_CONSTANT (40000000));
      test_trace_unpark (bytes, 1, 7, 1000100 + i * G_GINT64_CONSTANT (40000000) + (i == 99 ? LONG_NS : 0));
    }
  path = test_trace_save (bytes, "last-park.bin");
  summary = load_within (path, 0);
  pl_lane_get_slices (pl_trace_get_lane (summary, 0), pl_trace_get_start_ns (summary), pl_trace_get_end_ns (summary) + 1,
                      N_SLICES, slices);
  for (guint i = 0; i < N_SLICES; i++)
    {
      g_assert_cmpint (slices[i].parked_ns, >=, 0);
      sum_ns += slices[i].parked_ns;
    }
  g_assert_cmpint (sum_ns, ==, 100 * 100 + LONG_NS);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/detail/figures-do-not-depend-on-the-budget", test_figures);
  g_test_add_func ("/trace/detail/long-polls-do-not-need-the-file", test_long_polls);
  g_test_add_func ("/trace/detail/estimates-keep-long-polls-and-sums", test_estimates);
  g_test_add_func ("/trace/detail/sharpened-view-equals-the-whole", test_sharpen);
  g_test_add_func ("/trace/detail/hand-over-to-another-thread", test_hand_over);
  g_test_add_func ("/trace/detail/insane-end-takes-nothing-with-it", test_insane_end);
  g_test_add_func ("/trace/detail/overlapping-files-lose-no-poll", test_overlapping_files);
  g_test_add_func ("/trace/detail/long-last-park-of-a-summary-adds-up", test_long_last_park);
  g_test_add_func ("/trace/detail/replaced-file-leaves-the-summary", test_file_replaced);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
