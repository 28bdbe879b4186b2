/* test-describe.c: what is said of gaps and of what they cut off
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "pl-describe.h"
#include "pl-format.h"
#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S (1000 * MS)

/* Ten seconds of two workers; the first is in a poll when 1,500 events of it are lost, later both are when recording is
 * paused. */
static PlView *
make_view (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlView *view = pl_view_new ();

  test_trace_metadata (bytes, S, "parklane.stream", "merged");
  test_trace_poll (bytes, 1, 8, "b.rs:2:2", S, MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", S + MS);
  test_trace_gap (bytes, &(PlGap) { 3 * S, 4 * S, 1500, 0, 5, PL_GAP_RING_FULL });
  test_trace_gap (bytes, &(PlGap) { 6 * S, 7 * S, 0, TRC_WORKER_NONE, 0, PL_GAP_PAUSED });
  test_trace_poll (bytes, 1, 8, "b.rs:2:2", 11 * S - MS, MS);
  trace = test_trace_load (bytes);
  pl_view_set_trace (view, trace);
  return view;
}

static void
point_at (PlView *view, guint64 worker, gint64 at_ns)
{
  PlViewPointer pointer = { .at_ns = at_ns, .worker = worker, .has_lane = TRUE };

  pl_view_set_pointer (view, &pointer);
}

static void
assert_says (PlView *view, const char *words, gboolean expected)
{
  g_autofree char *text = pl_describe_pointer (view);

  g_test_message ("%s", text);
  g_assert_cmpint (strstr (text, words) != NULL, ==, expected);
}

static void
test_the_pointer_tells_of_a_gap (void)
{
  g_autoptr(PlView) view = make_view ();

  point_at (view, 0, 3 * S + 500 * MS);
  assert_says (view, "no data   1\xe2\x80\xaf" "500 events lost from +2.0", TRUE);
  assert_says (view, "a thread recorded faster than it was written", TRUE);
  point_at (view, 1, 3 * S + 500 * MS);
  assert_says (view, "lost", FALSE);
  point_at (view, 1, 6 * S + 500 * MS);
  assert_says (view, "nothing recorded from +5.0", TRUE);
  assert_says (view, "recording was paused", TRUE);

  /* A little beside it, where it is still drawn. */
  point_at (view, 0, 4 * S + 5 * MS);
  assert_says (view, "events lost", TRUE);
  point_at (view, 0, 4 * S + 500 * MS);
  assert_says (view, "events lost", FALSE);
}

static void
test_a_lane_tells_of_a_gap_in_view (void)
{
  g_autoptr(PlView) view = make_view ();
  const PlLane *lane = pl_trace_find_lane (pl_view_get_trace (view), 1, NULL);
  const PlRange before = { S, 2 * S };
  const PlRange all = { S, 11 * S };
  g_autofree char *quiet = NULL;
  g_autofree char *text = NULL;
  PlLaneSlice slice;

  pl_lane_get_slice (lane, before.from_ns, before.to_ns, &slice);
  quiet = pl_describe_slice (lane, before, &slice);
  pl_lane_get_slice (lane, all.from_ns, all.to_ns, &slice);
  text = pl_describe_slice (lane, all, &slice);
  g_assert_null (strstr (quiet, "lost"));
  g_assert_true (g_str_has_prefix (text, "events were lost · busy"));
  g_assert_nonnull (strstr (text, "no data"));
}

static void
test_a_poll_without_its_end_took_at_least_so_long (void)
{
  g_autoptr(PlView) view = make_view ();
  g_autofree char *duration = NULL;
  g_autofree char *tooltip = NULL;
  g_autofree char *report = NULL;
  PlPoll poll;

  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (pl_view_get_trace (view), 0, NULL), 0, 0, &poll));
  duration = pl_format_duration (&poll);
  tooltip = pl_describe_tooltip (view, &poll);
  report = pl_describe_report (view, &poll);
  g_assert_true (g_str_has_prefix (duration, "at least 2"));
  g_assert_nonnull (strstr (tooltip, "\nIts end was lost"));
  g_assert_nonnull (strstr (report, "(at least: its end was lost)"));
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/describe/the-pointer-tells-of-a-gap", test_the_pointer_tells_of_a_gap);
  g_test_add_func ("/ui/describe/a-lane-tells-of-a-gap-in-view", test_a_lane_tells_of_a_gap_in_view);
  g_test_add_func ("/ui/describe/a-poll-without-its-end-took-at-least-so-long",
                   test_a_poll_without_its_end_took_at_least_so_long);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
