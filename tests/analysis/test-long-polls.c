/* test-long-polls.c: lists of long polls, their orders, and the way from one to the next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "pl-long-polls.h"
#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)

/* Random polls of a few durations, tasks and places, so that ties are many. */
static PlTrace *
load_random (GRand *random)
{
  static const char *const places[] = { "b.rs:2:2", "a.rs:1:1", "c.rs:3:3" };
  g_autoptr(TestTrace) bytes = test_trace_new ();
  gint64 at[3] = { 1 * MS, 1 * MS, 1 * MS };

  for (guint i = 0; i < 3000; i++)
    {
      guint worker = (guint) g_rand_int_range (random, 0, 3);
      gint64 duration = g_rand_int_range (random, 0, 6) * MS;

      test_trace_poll (bytes, worker, (guint64) g_rand_int_range (random, 1, 20),
                       places[g_rand_int_range (random, 0, 3)],
                       at[worker], duration);
      at[worker] += duration + g_rand_int_range (random, 1, 1000);
    }
  return test_trace_load (bytes);
}

static int
compare_keys (PlTrace *trace, const PlPoll *a, const PlPoll *b, PlLongPollsOrder order)
{
  switch (order)
    {
    case PL_LONG_POLLS_BY_DURATION:
      return (a->duration_ns > b->duration_ns) - (a->duration_ns < b->duration_ns);
    case PL_LONG_POLLS_BY_WORKER:
      return (a->worker > b->worker) - (a->worker < b->worker);
    case PL_LONG_POLLS_BY_TASK:
      return (a->task_id > b->task_id) - (a->task_id < b->task_id);
    case PL_LONG_POLLS_BY_SPAWN_LOC:
      return strcmp (pl_trace_get_string (trace, a->spawn_loc), pl_trace_get_string (trace, b->spawn_loc));
    case PL_LONG_POLLS_BY_START:
    default:
      return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
    }
}

static void
test_sort (void)
{
  guint32 seed = (guint32) g_test_rand_int ();
  g_autoptr(GRand) random = g_rand_new_with_seed (seed);
  g_autoptr(PlTrace) trace = load_random (random);
  g_autoptr(GArray) polls = pl_long_polls_find (trace, 1 * MS, NULL);
  guint n = polls->len;

  g_test_message ("seed %u", seed);
  g_assert_cmpuint (n, ==, pl_long_polls_count (trace, 0, G_MAXINT64 / 2, 1 * MS, NULL));
  for (guint i = 0; i < 20; i++)
    {
      PlLongPollsOrder order = (PlLongPollsOrder) g_rand_int_range (random, 0, PL_LONG_POLLS_BY_SPAWN_LOC + 1);
      gboolean descending = g_rand_boolean (random);

      GArray *sorted = pl_long_polls_sort (trace, polls, order, descending, NULL);

      g_array_unref (polls);
      polls = sorted;
      g_assert_cmpuint (polls->len, ==, n);
      for (guint j = 1; j < n; j++)
        {
          const PlPoll *a = &g_array_index (polls, PlPoll, j - 1);
          const PlPoll *b = &g_array_index (polls, PlPoll, j);
          int by_key = compare_keys (trace, a, b, order) * (descending ? -1 : 1);

          /* Ties by start and worker, whatever the list was sorted by before. */
          g_assert_cmpint (by_key, <=, 0);
          if (by_key == 0)
            g_assert_true (a->start_ns < b->start_ns || (a->start_ns == b->start_ns && a->worker <= b->worker)
                           || (descending && order == PL_LONG_POLLS_BY_START));
        }
    }
}

static void
test_find_is_longest_first (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (1);
  g_autoptr(PlTrace) trace = load_random (random);
  g_autoptr(GArray) polls = pl_long_polls_find (trace, 3 * MS, NULL);

  g_assert_cmpuint (polls->len, >, 100);
  for (guint i = 0; i < polls->len; i++)
    {
      g_assert_cmpint (g_array_index (polls, PlPoll, i).duration_ns, >=, 3 * MS);
      if (i > 0)
        g_assert_cmpint (g_array_index (polls, PlPoll, i).duration_ns, <=,
                         g_array_index (polls, PlPoll, i - 1).duration_ns);
    }
}

static void
test_count_of_a_range (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 longest;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 10 * MS, 5 * MS);
  test_trace_poll (bytes, 1, 1, "a.rs:1:1", 12 * MS, 9 * MS);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 30 * MS, 2 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpuint (pl_long_polls_count (trace, 14 * MS, 31 * MS, 1 * MS, &longest), ==, 3);
  g_assert_cmpint (longest, ==, 9 * MS);
  g_assert_cmpuint (pl_long_polls_count (trace, 15 * MS, 30 * MS, 1 * MS, &longest), ==, 1);
  g_assert_cmpuint (pl_long_polls_count (trace, 22 * MS, 30 * MS, 1 * MS, &longest), ==, 0);
  g_assert_cmpint (longest, ==, 0);
  g_assert_cmpuint (pl_long_polls_count (trace, 0, 100 * MS, 5 * MS, &longest), ==, 2);
}

/* Going to the next one from each visits all of them, in the order of their starts, and back. */
static void
test_next_and_previous_visit_all (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (7);
  g_autoptr(PlTrace) trace = load_random (random);
  g_autoptr(GArray) longest_first = pl_long_polls_find (trace, 4 * MS, NULL);
  g_autoptr(GArray) polls = pl_long_polls_sort (trace, longest_first, PL_LONG_POLLS_BY_START, FALSE, NULL);
  gint64 at = pl_trace_get_start_ns (trace) - 1;
  guint64 worker = G_MAXUINT64;
  guint n = 0;
  PlPoll poll;

  for (; pl_long_polls_next (trace, at, worker, 4 * MS, &poll); n++)
    {
      const PlPoll *expected = &g_array_index (polls, PlPoll, n);

      g_assert_cmpuint (n, <, polls->len);
      g_assert_cmpint (poll.start_ns, ==, expected->start_ns);
      g_assert_cmpuint (poll.worker, ==, expected->worker);
      at = poll.start_ns;
      worker = poll.worker;
    }
  g_assert_cmpuint (n, ==, polls->len);
  at++;
  for (worker = 0; pl_long_polls_previous (trace, at, worker, 4 * MS, &poll); n--)
    {
      g_assert_cmpuint (n, >, 0);
      g_assert_cmpint (poll.start_ns, ==, g_array_index (polls, PlPoll, n - 1).start_ns);
      g_assert_cmpuint (poll.worker, ==, g_array_index (polls, PlPoll, n - 1).worker);
      at = poll.start_ns;
      worker = poll.worker;
    }
  g_assert_cmpuint (n, ==, 0);
}

/* Two workers stall in the same nanosecond, as they do for a lock: each is visited. */
static void
test_stepping_visits_polls_of_one_moment (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlPoll poll;

  test_trace_poll_start (bytes, 0, 1, "a.rs:1:1", 10 * MS);
  test_trace_poll_start (bytes, 1, 2, "a.rs:1:1", 10 * MS);
  test_trace_poll_end (bytes, 1, 20 * MS);
  test_trace_poll_end (bytes, 0, 20 * MS);
  trace = test_trace_load (bytes);

  g_assert_true (pl_long_polls_next (trace, 0, G_MAXUINT64, MS, &poll));
  g_assert_cmpuint (poll.worker, ==, 0);
  g_assert_true (pl_long_polls_next (trace, 10 * MS, 0, MS, &poll));
  g_assert_cmpuint (poll.worker, ==, 1);
  g_assert_false (pl_long_polls_next (trace, 10 * MS, 1, MS, &poll));
  g_assert_true (pl_long_polls_previous (trace, 10 * MS, 1, MS, &poll));
  g_assert_cmpuint (poll.worker, ==, 0);
  g_assert_false (pl_long_polls_previous (trace, 10 * MS, 0, MS, &poll));
}

/* An open poll is never long; stepping through does not stop at it. */
static void
test_open_poll_is_not_listed (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(GArray) polls = NULL;
  PlPoll poll;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 10 * MS, 5 * MS);
  test_trace_poll_start (bytes, 0, 2, "a.rs:1:1", 20 * MS);
  test_trace_custom (bytes, "Later", 1000 * MS);
  trace = test_trace_load (bytes);
  polls = pl_long_polls_find (trace, 0, NULL);

  g_assert_cmpuint (polls->len, ==, 1);
  g_assert_false (pl_long_polls_next (trace, 10 * MS, 0, 0, &poll));
  g_assert_false (pl_long_polls_next (trace, 10 * MS, 0, 1 * MS, &poll));
  g_assert_true (pl_long_polls_previous (trace, 500 * MS, 0, 1 * MS, &poll));
  g_assert_cmpint (poll.start_ns, ==, 10 * MS);
}

static void
test_cancelled_search_ends_early (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(GArray) polls = NULL;

  for (guint i = 0; i < 50000; i++)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000 + i * 100, 50);
  trace = test_trace_load (bytes);
  g_cancellable_cancel (cancellable);
  polls = pl_long_polls_find (trace, 0, cancellable);

  g_assert_cmpuint (polls->len, <, 50000);
}

static void
test_cancelled_sort_gives_nothing (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (1);
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  g_autoptr(PlTrace) trace = load_random (random);
  g_autoptr(GArray) polls = pl_long_polls_find (trace, 1 * MS, NULL);
  g_autoptr(GArray) sorted = NULL;

  g_cancellable_cancel (cancellable);
  sorted = pl_long_polls_sort (trace, polls, PL_LONG_POLLS_BY_TASK, FALSE, cancellable);
  g_assert_cmpuint (polls->len, >, 0);
  g_assert_cmpuint (sorted->len, ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/analysis/long-polls/sort-by-any-column-with-ties-in-time", test_sort);
  g_test_add_func ("/analysis/long-polls/find-is-longest-first", test_find_is_longest_first);
  g_test_add_func ("/analysis/long-polls/count-of-a-range", test_count_of_a_range);
  g_test_add_func ("/analysis/long-polls/next-and-previous-visit-all", test_next_and_previous_visit_all);
  g_test_add_func ("/analysis/long-polls/stepping-visits-polls-of-one-moment", test_stepping_visits_polls_of_one_moment);
  g_test_add_func ("/analysis/long-polls/open-poll-is-not-listed", test_open_poll_is_not_listed);
  g_test_add_func ("/analysis/long-polls/cancelled-search-ends-early", test_cancelled_search_ends_early);
  g_test_add_func ("/analysis/long-polls/cancelled-sort-gives-nothing", test_cancelled_sort_gives_nothing);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
