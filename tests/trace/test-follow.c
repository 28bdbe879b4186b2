/* test-follow.c: a followed session is what a fresh load of the same bytes would show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>

#include "follow-world.h"
#include "pl-detail.h"
#include "pl-follow.h"
#include "pl-report.h"
#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)

#define N_SEEDS 40
#define N_CHANGES 60
#define BUDGET (64 * 1024 * 1024)

static PlFollow *
begin (FollowWorld *world, guint64 budget)
{
  g_autoptr(PlStrings) strings = pl_strings_new ();

  return pl_follow_new ((const char *const[]) { follow_world_get_directory (world), NULL }, strings, budget);
}

static void
look (PlFollow *follow, FollowWorld *world)
{
  pl_follow_step (follow);
  follow_world_was_seen (world);
}

static void
assert_same_polls (PlReport *a, PlReport *b)
{
  g_assert_cmpuint (a->polls.n_polls, ==, b->polls.n_polls);
  g_assert_cmpuint (a->polls.n_open, ==, b->polls.n_open);
  g_assert_cmpuint (a->polls.n_unpaired, ==, b->polls.n_unpaired);
  g_assert_cmpint (a->polls.total_ns, ==, b->polls.total_ns);
  g_assert_cmpint (a->polls.max_ns, ==, b->polls.max_ns);
  g_assert_cmpint (a->p50_ns, ==, b->p50_ns);
  g_assert_cmpint (a->p99_ns, ==, b->p99_ns);
  g_assert_cmpuint (a->n_spawned, ==, b->n_spawned);
  g_assert_cmpuint (a->n_terminated, ==, b->n_terminated);
  g_assert_cmpuint (a->n_seen, ==, b->n_seen);
  g_assert_cmpuint (a->long_polls->len, ==, b->long_polls->len);
  for (guint i = 0; i < a->long_polls->len; i++)
    {
      const PlPoll *first = &g_array_index (a->long_polls, PlPoll, i);
      const PlPoll *second = &g_array_index (b->long_polls, PlPoll, i);

      g_assert_true (pl_poll_same (first, second));
      g_assert_cmpint (first->duration_ns, ==, second->duration_ns);
      g_assert_cmpuint (first->task_id, ==, second->task_id);
    }
}

/* While a stream lags, its lanes' last parks are not known to last; see is-beyond-its-frontier-not-known. */
static void
assert_same_workers (PlReport *a, PlReport *b, gboolean is_finished)
{
  g_assert_cmpuint (a->workers->len, ==, b->workers->len);
  for (guint i = 0; i < a->workers->len; i++)
    {
      const PlReportWorker *first = &g_array_index (a->workers, PlReportWorker, i);
      const PlReportWorker *second = &g_array_index (b->workers, PlReportWorker, i);

      g_assert_cmpuint (first->id, ==, second->id);
      g_assert_cmpuint (first->n_polls, ==, second->n_polls);
      g_assert_cmpint (first->busy_ns, ==, second->busy_ns);
      g_assert_cmpint (first->longest_ns, ==, second->longest_ns);
      g_assert_cmpint (is_finished ? first->parked_ns : 0, ==, is_finished ? second->parked_ns : 0);
      g_assert_cmpint (is_finished ? first->unknown_ns : 0, ==, is_finished ? second->unknown_ns : 0);
    }
}

static void
assert_same_events (PlTrace *a, PlTrace *b)
{
  guint n_first, n_second;
  const PlEventCount *first = pl_trace_get_event_counts (a, &n_first);
  const PlEventCount *second = pl_trace_get_event_counts (b, &n_second);

  g_assert_cmpuint (pl_trace_get_n_events (a), ==, pl_trace_get_n_events (b));
  g_assert_cmpint (pl_trace_get_start_ns (a), ==, pl_trace_get_start_ns (b));
  g_assert_cmpint (pl_trace_get_end_ns (a), ==, pl_trace_get_end_ns (b));
  g_assert_cmpuint (n_first, ==, n_second);
  for (guint i = 0; i < n_first; i++)
    {
      g_assert_cmpstr (first[i].name, ==, second[i].name);
      g_assert_cmpuint (first[i].count, ==, second[i].count);
    }
}

static void
assert_same (PlFollow *follow, FollowWorld *world, gboolean is_finished)
{
  g_autoptr(PlTrace) followed = pl_follow_build (follow);
  g_autoptr(PlTrace) fresh = follow_world_load (world);
  g_autoptr(PlReport) followed_report = pl_report_new (followed, 1 * MS);
  g_autoptr(PlReport) fresh_report = pl_report_new (fresh, 1 * MS);

  assert_same_events (followed, fresh);
  assert_same_polls (followed_report, fresh_report);
  assert_same_workers (followed_report, fresh_report, is_finished);
  g_assert_true (!is_finished || !pl_trace_has_losses (followed));
}

/* One life of a session, looked at now and then. */
static void
live_through (const FollowWorldOptions *options)
{
  g_autoptr(FollowWorld) world = follow_world_new (options);
  g_autoptr(PlFollow) follow = begin (world, BUDGET);

  g_test_message ("seed %u", options->seed);
  look (follow, world);
  for (guint i = 0; i < N_CHANGES; i++)
    {
      follow_world_change (world);
      if (follow_world_was_cut_off (world) || i % 3 == 0)
        look (follow, world);
      if (i % 12 == 0)
        {
          look (follow, world);
          assert_same (follow, world, FALSE);
        }
    }
  follow_world_finish (world);
  look (follow, world);
  assert_same (follow, world, TRUE);
}

static void
test_random_lives (void)
{
  for (guint32 seed = 1; seed <= N_SEEDS; seed++)
    live_through (&(FollowWorldOptions) { seed, seed % 2 == 0, FALSE, seed % 4 < 2 });
}

static void
test_random_lives_unsorted (void)
{
  for (guint32 seed = 1; seed <= N_SEEDS / 4; seed++)
    live_through (&(FollowWorldOptions) { seed, seed % 2 == 0, TRUE, TRUE });
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/follow/is-what-a-fresh-load-shows", test_random_lives);
  g_test_add_func ("/trace/follow/is-what-a-fresh-load-shows-of-unsorted-streams", test_random_lives_unsorted);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
