/* test-follow-unfinished.c: what is known of polls and parks that are not over
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>

#include "pl-follow.h"
#include "pl-long-polls.h"
#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)

#define BUDGET (64 * 1024 * 1024)

/* One file that is being written, with a worker in a poll, one that parked, and one that goes on. */
static PlTrace *
follow_unfinished (gboolean is_merged, const char *health)
{
  g_autofree char *directory = g_dir_make_tmp ("parklane-follow-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "trace.0.bin.active", NULL);
  g_autoptr(PlStrings) strings = pl_strings_new ();
  g_autoptr(PlFollow) follow = pl_follow_new ((const char *const[]) { directory, NULL }, strings, BUDGET);
  g_autoptr(TestTrace) bytes = test_trace_new ();
  PlTrace *trace;

  if (is_merged)
    test_trace_metadata (bytes, 1 * MS, "parklane.stream", "merged");
  test_trace_unpark (bytes, 0, 100, 1 * MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 2 * MS);
  test_trace_header (bytes);
  test_trace_unpark (bytes, 1, 101, 1 * MS);
  test_trace_park (bytes, 1, 101, 3 * MS);
  test_trace_header (bytes);
  test_trace_poll (bytes, 2, 8, "b.rs:1:1", 1 * MS, 1 * MS);
  test_trace_poll (bytes, 2, 9, "b.rs:1:1", 500 * MS, 2 * MS);
  if (health != NULL)
    test_trace_heartbeat (bytes, health, 1002 * MS);
  g_assert_true (g_file_set_contents (path, (const char *) test_trace_get_bytes (bytes),
                                      (gssize) test_trace_get_size (bytes), NULL));
  pl_follow_step (follow);
  trace = pl_follow_build (follow);
  g_assert_true (test_trace_get_file (trace, 0)->is_growing);
  g_unlink (path);
  g_rmdir (directory);
  return trace;
}

static void
test_open_poll_grows (void)
{
  g_autoptr(PlTrace) trace = follow_unfinished (TRUE, "ok");
  g_autoptr(GArray) polls = pl_long_polls_find (trace, 100 * MS, NULL);
  g_autoptr(GArray) none = pl_long_polls_find (trace, 1001 * MS, NULL);
  const PlPoll *poll = &g_array_index (polls, PlPoll, 0);
  PlLaneSlice slice;

  g_assert_cmpuint (polls->len, ==, 1);
  g_assert_cmpuint (poll->task_id, ==, 7);
  g_assert_cmpint (poll->duration_ns, ==, 1000 * MS);
  g_assert_cmpuint (poll->flags, ==, PL_POLL_OPEN | PL_POLL_GROWING);
  g_assert_cmpuint (none->len, ==, 0);
  pl_lane_get_slice (pl_trace_find_lane (trace, 0, NULL), 400 * MS, 401 * MS, &slice);
  g_assert_cmpint (slice.growing_ns, ==, 1000 * MS);
  g_assert_cmpint (slice.polling_ns, ==, 1 * MS);
  pl_lane_get_slice (pl_trace_find_lane (trace, 1, NULL), 400 * MS, 401 * MS, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 1 * MS);
}

/* Neither idle nor a long poll: each worker's events may come any time later. */
static void
test_beyond_the_frontier (void)
{
  g_autoptr(PlTrace) trace = follow_unfinished (FALSE, NULL);
  g_autoptr(GArray) polls = pl_long_polls_find (trace, 1, NULL);
  PlLaneSlice slice;

  g_assert_cmpuint (polls->len, ==, 2);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
  for (guint64 worker = 0; worker < 2; worker++)
    {
      const PlLane *lane = pl_trace_find_lane (trace, worker, NULL);

      pl_lane_get_slice (lane, 400 * MS, 401 * MS, &slice);
      g_assert_cmpint (slice.unknown_ns, ==, 1 * MS);
      g_assert_cmpint (slice.polling_ns + slice.parked_ns, ==, 0);
      g_assert_cmpint (slice.growing_ns, ==, 0);
      g_assert_cmpint (pl_lane_get_state (lane, 400 * MS, NULL, NULL), ==, PL_LANE_UNKNOWN);
    }
}

/* Neither is anything known of a time in which nobody records: what was open lasted until then at least. */
static void
test_while_paused (void)
{
  g_autoptr(PlTrace) trace = follow_unfinished (TRUE, "paused");
  g_autoptr(GArray) polls = pl_long_polls_find (trace, 100 * MS, NULL);
  const PlPoll *poll = &g_array_index (polls, PlPoll, 0);
  PlLaneSlice slice;

  g_assert_cmpuint (polls->len, ==, 1);
  g_assert_cmpint (poll->duration_ns, ==, 500 * MS);
  g_assert_cmpuint (poll->flags, ==, PL_POLL_CUT_OFF);
  for (guint64 worker = 0; worker < 3; worker++)
    {
      const PlLane *lane = pl_trace_find_lane (trace, worker, NULL);

      pl_lane_get_slice (lane, 800 * MS, 801 * MS, &slice);
      g_assert_cmpint (slice.unknown_ns, ==, 1 * MS);
      g_assert_cmpint (slice.polling_ns + slice.parked_ns + slice.growing_ns, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/follow/open-poll-grows-while-it-is-watched", test_open_poll_grows);
  g_test_add_func ("/trace/follow/beyond-the-frontier-nothing-is-known", test_beyond_the_frontier);
  g_test_add_func ("/trace/follow/while-recording-is-paused-nothing-is-known", test_while_paused);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
