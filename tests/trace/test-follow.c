/* test-follow.c: a followed session is what a fresh load of the same bytes would show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "follow-world.h"
#include "pl-found-polls.h"
#include "pl-lane-private.h"
#include "pl-load-job.h"
#include "pl-long-polls.h"
#include "pl-report.h"
#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)

#define N_SEEDS 40
#define N_CHANGES 60
#define BUDGET (64 * 1024 * 1024)

static PlFollow *
begin (FollowWorld *world, guint64 budget)
{
  g_autoptr(PlStrings) strings = pl_strings_new ();

  return pl_follow_new ((const char *const[]) { follow_world_get_directory (world), NULL }, strings, budget);
}

/* Loads what there is as the window does, and goes on from there. */
static PlFollow *
begin_loaded (FollowWorld *world, guint64 budget)
{
  PlLoadJob *job
    = pl_load_job_new ((const char *const[]) { follow_world_get_directory (world), NULL }, 2, budget);
  g_autoptr(PlTrace) trace = pl_load_job_run (job, NULL, NULL, NULL, NULL);
  PlFollow *follow = pl_load_job_hand_over (job);

  g_assert_nonnull (trace);
  pl_load_job_free (job);
  return follow;
}

static void
look (PlFollow *follow, FollowWorld *world)
{
  pl_follow_step (follow);
  follow_world_was_seen (world);
}

/* Only who watches them grow lists open polls; see open-poll-grows-while-it-is-watched. */
static void
drop_growing (GArray *polls)
{
  for (guint i = polls->len; i > 0; i--)
    if (g_array_index (polls, PlPoll, i - 1).flags & PL_POLL_GROWING)
      g_array_remove_index (polls, i - 1);
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
  drop_growing (a->long_polls);
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

/* While a stream lags, its lanes' last parks are not known to last; see beyond-the-frontier-nothing-is-known. */
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
assert_same_gaps (PlTrace *a, PlTrace *b)
{
  guint n_first, n_second;
  const PlGap *first = pl_trace_get_gaps (a, &n_first, NULL);
  const PlGap *second = pl_trace_get_gaps (b, &n_second, NULL);

  g_assert_cmpmem (first, n_first * sizeof *first, second, n_second * sizeof *second);
}

static void
assert_same (PlFollow *follow, FollowWorld *world, gboolean is_finished)
{
  g_autoptr(PlTrace) followed = pl_follow_build (follow);
  g_autoptr(PlTrace) fresh = follow_world_load (world);
  g_autoptr(PlReport) followed_report = pl_report_new (followed, 1 * MS);
  g_autoptr(PlReport) fresh_report = pl_report_new (fresh, 1 * MS);

  assert_same_events (followed, fresh);
  assert_same_gaps (followed, fresh);
  assert_same_polls (followed_report, fresh_report);
  assert_same_workers (followed_report, fresh_report, is_finished);
  g_assert_true (!is_finished || follow_world_has_cut_off (world) || !pl_trace_has_losses (followed));
}

/* What is found on from what was found before is what is found at once. */
static void
assert_finds_the_same (PlFollow *follow, PlFoundPolls *found, gint64 threshold_ns)
{
  g_autoptr(PlTrace) trace = pl_follow_build (follow);
  g_autoptr(GArray) all = pl_long_polls_find (trace, threshold_ns, NULL);
  g_autoptr(GArray) polls = pl_found_polls_find (found, trace, threshold_ns, PL_LONG_POLLS_BY_DURATION, TRUE, NULL);

  g_assert_cmpuint (polls->len, ==, all->len);
  for (guint i = 0; i < all->len; i++)
    {
      const PlPoll *first = &g_array_index (all, PlPoll, i);
      const PlPoll *second = &g_array_index (polls, PlPoll, i);

      g_assert_true (pl_poll_same (first, second));
      g_assert_cmpint (first->duration_ns, ==, second->duration_ns);
      g_assert_cmpuint (first->flags, ==, second->flags);
    }
}

/* One life of a session, looked at now and then. */
static void
live_through (const FollowWorldOptions *options)
{
  g_autoptr(FollowWorld) world = follow_world_new (options);
  g_autoptr(PlFoundPolls) found = pl_found_polls_new ();
  g_autoptr(PlFollow) follow = NULL;

  g_test_message ("seed %u", options->seed);
  for (guint i = 0; i < N_CHANGES && options->seed % 3 == 0; i++)
    follow_world_change (world);
  follow_world_hide (world, FALSE);
  follow_world_was_cut_off (world);
  follow = (options->seed % 3 == 0 ? begin_loaded : begin) (world, BUDGET);
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
          assert_finds_the_same (follow, found, 50 * US);
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

/* ---- one thing at a time ---- */

static guint
count_listed (PlTrace *trace)
{
  guint n_files, n = 0;
  const PlTraceFile *files = pl_trace_get_files (trace, &n_files);

  for (guint i = 0; i < n_files; i++)
    n += !files[i].is_gone;
  return n;
}

static void
test_sealing_and_packing (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 1 });
  g_autoptr(PlFollow) follow = begin (world, BUDGET);
  guint64 n_events;

  follow_world_write (world, 1000);
  follow_world_flush (world);
  look (follow, world);
  follow_world_rotate (world);
  pl_follow_scan (follow);
  {
    g_autoptr(PlTrace) sealed = pl_follow_build (follow);

    /* The new segment has not been read. */
    n_events = pl_trace_get_n_events (sealed);
    g_assert_cmpuint (count_listed (sealed), ==, 2);
  }
  follow_world_compress (world, 0, FALSE);
  pl_follow_scan (follow);
  {
    g_autoptr(PlTrace) packed = pl_follow_build (follow);

    g_assert_cmpuint (pl_trace_get_n_events (packed), ==, n_events);
    g_assert_cmpuint (count_listed (packed), ==, 2);
    g_assert_true (g_str_has_suffix (test_trace_get_file (packed, 0)->path, "trace.0.bin.zst"));
    g_assert_cmpint (test_trace_get_file (packed, 0)->format, ==, PL_TRACE_FORMAT_ZSTD);
  }
}

static void
test_evicted_stays_in_view (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 2 });
  g_autoptr(PlFollow) follow = begin (world, BUDGET);
  g_autoptr(PlTrace) before = NULL;
  g_autoptr(PlTrace) after = NULL;

  follow_world_write (world, 1000);
  follow_world_rotate (world);
  look (follow, world);
  before = pl_follow_build (follow);
  follow_world_evict (world, 0);
  g_assert_true (pl_follow_step (follow));
  after = pl_follow_build (follow);

  g_assert_false (test_trace_get_file (before, 0)->is_gone);
  g_assert_true (test_trace_get_file (after, 0)->is_gone);
  g_assert_cmpuint (pl_trace_get_n_events (after), ==, pl_trace_get_n_events (before));
  assert_same (follow, world, FALSE);
}

static void
test_written_behind_a_removed_name (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 3 });
  g_autoptr(PlFollow) follow = begin (world, BUDGET);

  look (follow, world);
  follow_world_hide (world, TRUE);
  follow_world_write (world, 1000);
  follow_world_flush (world);
  look (follow, world);

  g_assert_cmpint (pl_follow_get_state (follow), ==, PL_FOLLOW_MISSING);
  assert_same (follow, world, FALSE);
  follow_world_hide (world, FALSE);
  look (follow, world);
  g_assert_cmpint (pl_follow_get_state (follow), ==, PL_FOLLOW_PRESENT);
  assert_same (follow, world, FALSE);
}

/* Detail that was given up is read again from the compressed form, whose bytes lie elsewhere. */
static void
test_sums_without_room_for_detail (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 4 });
  g_autoptr(PlFollow) follow = begin (world, 1);

  for (guint i = 0; i < 4; i++)
    {
      follow_world_write (world, 2000);
      follow_world_rotate (world);
      look (follow, world);
      follow_world_compress (world, i, i % 2 == 0);
    }
  follow_world_finish (world);
  look (follow, world);
  {
    g_autoptr(PlTrace) trace = pl_follow_build (follow);

    g_assert_true (pl_trace_is_summary (trace));
  }
  assert_same (follow, world, TRUE);
}

static void
test_memory_of_what_is_gone (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 5 });
  const guint64 budget = 512 * 1024;
  g_autoptr(PlFollow) follow = begin (world, budget);
  g_autoptr(PlTrace) trace = NULL;
  guint n_files;

  for (guint i = 0; i < 60; i++)
    {
      follow_world_write (world, 2000);
      follow_world_rotate (world);
      look (follow, world);
      follow_world_evict (world, i);
      look (follow, world);
      g_assert_cmpuint (pl_follow_get_bytes (follow), <, 2 * budget);
    }
  trace = pl_follow_build (follow);
  pl_trace_get_files (trace, &n_files);
  g_assert_cmpuint (n_files, <, 50);
  g_assert_cmpuint (pl_trace_get_n_events (trace), >, 0);
}

/* What is settled is not made again for each snapshot: it is the same memory. */
static void
test_snapshots_share (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 8, .is_merged = TRUE });
  g_autoptr(PlFollow) follow = begin (world, BUDGET);
  g_autoptr(PlTrace) before = NULL;
  g_autoptr(PlTrace) after = NULL;
  guint n_shared = 0;

  for (guint i = 0; i < PL_TRACK_CHUNK + 20; i++)
    {
      g_autoptr(PlTrace) snapshot = NULL;

      follow_world_write (world, 100);
      follow_world_rotate (world);
      look (follow, world);
      snapshot = pl_follow_build (follow);
    }
  before = pl_follow_build (follow);
  follow_world_write (world, 1000);
  follow_world_flush (world);
  look (follow, world);
  after = pl_follow_build (follow);

  g_assert_cmpuint (pl_trace_get_n_events (after), >, pl_trace_get_n_events (before));
  for (guint i = 0; i < pl_trace_get_n_lanes (after); i++)
    {
      const PlTrack *first = &pl_trace_get_lane (before, i)->polls;
      const PlTrack *second = &pl_trace_get_lane (after, i)->polls;

      g_assert_cmpuint (first->n_blocks, >, 0);
      n_shared += first->n_blocks > PL_TRACK_CHUNK && first->chunks[0] == second->chunks[0];
    }
  g_assert_cmpuint (n_shared, ==, pl_trace_get_n_lanes (after));
}

static void
test_pieces_are_searched_once (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 9, .is_merged = TRUE });
  g_autoptr(PlFollow) follow = begin (world, 1);
  g_autoptr(PlFoundPolls) found = pl_found_polls_new ();
  guint64 n_searched;

  for (guint i = 0; i < 20; i++)
    {
      follow_world_write (world, 500);
      follow_world_rotate (world);
      look (follow, world);
      if (i == 10)
        follow_world_compress (world, 5, FALSE);
    }
  assert_finds_the_same (follow, found, 50 * US);
  n_searched = pl_found_polls_get_n_searched (found);
  g_assert_cmpuint (n_searched, >=, 20);
  follow_world_write (world, 500);
  follow_world_rotate (world);
  look (follow, world);
  assert_finds_the_same (follow, found, 50 * US);
  g_assert_cmpuint (pl_found_polls_get_n_searched (found), <=, n_searched + 2);

  /* Another threshold is another question. */
  assert_finds_the_same (follow, found, 1 * MS);
  g_assert_cmpuint (pl_found_polls_get_n_searched (found), >=, 2 * n_searched);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/follow/is-what-a-fresh-load-shows", test_random_lives);
  g_test_add_func ("/trace/follow/is-what-a-fresh-load-shows-of-unsorted-streams", test_random_lives_unsorted);
  g_test_add_func ("/trace/follow/h25-sealing-and-packing-neither-double-nor-lose", test_sealing_and_packing);
  g_test_add_func ("/trace/follow/what-was-evicted-stays-in-view", test_evicted_stays_in_view);
  g_test_add_func ("/trace/follow/h25-what-is-written-behind-a-removed-name-is-seen", test_written_behind_a_removed_name);
  g_test_add_func ("/trace/follow/sums-are-right-without-room-for-detail", test_sums_without_room_for_detail);
  g_test_add_func ("/trace/follow/h30-memory-of-what-is-gone-is-bounded", test_memory_of_what_is_gone);
  g_test_add_func ("/trace/follow/snapshots-share-what-is-settled", test_snapshots_share);
  g_test_add_func ("/trace/follow/long-polls-are-sought-once-in-each-piece", test_pieces_are_searched_once);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
