/* test-view.c: zooming, panning, history and selection of a view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <math.h>

#include "pl-view.h"

#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S G_GINT64_CONSTANT (1000000000)

/* Four days: where a float has long lost the nanoseconds. */
#define UPTIME_NS (4 * 24 * 3600 * S)

/* Where the trace of the test begins; the tests count from there. */
static gint64 origin_ns;

static void
count_changes (PlView *view,
               guint  *n_changes)
{
  (*n_changes)++;
}

/* One worker that polls for 1 ms each 10 ms, for 1 s from @start_ns. */
static PlTrace *
load_second (gint64 start_ns)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (int i = 0; i < 100; i++)
    test_trace_poll (bytes, 0, 7, "src/main.rs:1:1", start_ns + i * 10 * MS, MS);
  test_trace_poll (bytes, 0, 7, "src/main.rs:1:1", start_ns + S - MS, MS);
  return test_trace_load (bytes);
}

static PlView *
new_view (gint64 start_ns)
{
  g_autoptr(PlTrace) trace = load_second (start_ns);
  PlView *view = pl_view_new ();

  origin_ns = start_ns;
  pl_view_set_trace (view, trace);
  return view;
}

static PlRange
range (gint64 from_ns,
       gint64 to_ns)
{
  return (PlRange) { origin_ns + from_ns, origin_ns + to_ns };
}

static void
assert_visible (PlView *view,
                gint64  from_ns,
                gint64  to_ns)
{
  PlRange visible = pl_view_get_visible (view);

  g_assert_cmpint (visible.from_ns - origin_ns, ==, from_ns);
  g_assert_cmpint (visible.to_ns - origin_ns, ==, to_ns);
}

static void
test_empty_view_has_a_range_that_can_be_drawn (void)
{
  g_autoptr(PlView) view = pl_view_new ();
  PlRange visible = pl_view_get_visible (view);

  g_assert_null (pl_view_get_trace (view));
  g_assert_cmpint (pl_range_span (visible), >=, PL_RANGE_MIN_NS);
  g_assert_cmpint (pl_view_get_threshold (view), ==, MS);
}

static void
test_new_trace_is_shown_whole (void)
{
  g_autoptr(PlView) view = new_view (UPTIME_NS);

  assert_visible (view, 0, S);
  g_assert_false (pl_view_can_go_back (view));
}

static void
test_zoom_keeps_the_time_under_the_pointer (void)
{
  g_autoptr(PlView) view = new_view (UPTIME_NS);
  gint64 at_ns = UPTIME_NS + S / 4;

  for (int i = 0; i < 40; i++)
    {
      PlRange visible;
      double place;

      pl_view_zoom (view, 1 / 1.3, at_ns, PL_VIEW_CONTINUE);
      visible = pl_view_get_visible (view);
      place = (double) (at_ns - visible.from_ns) / (double) pl_range_span (visible);
      /* Each step rounds by half a nanosecond at most, and a step's share of the view grows by 1.3 with each later
       * one: 0.5 × (1 + 1/1.3 + 1/1.3² …) is below 2.2 in all. */
      g_assert_cmpfloat_with_epsilon (place, 0.25, 2.2 / (double) pl_range_span (visible));
    }
}

static void
test_zoom_ends_at_ten_nanoseconds_after_days_of_uptime (void)
{
  g_autoptr(PlView) view = new_view (UPTIME_NS);
  gint64 at_ns = UPTIME_NS + 123456789;
  PlRange visible;

  for (int i = 0; i < 200; i++)
    pl_view_zoom (view, 0.5, at_ns, PL_VIEW_CONTINUE);
  visible = pl_view_get_visible (view);

  g_assert_cmpint (pl_range_span (visible), ==, 10);
  g_assert_cmpint (visible.from_ns, <=, at_ns);
  g_assert_cmpint (visible.to_ns, >, at_ns);
}

static void
test_small_steps_leave_the_narrowest_view (void)
{
  g_autoptr(PlView) view = new_view (UPTIME_NS);
  gint64 at_ns = UPTIME_NS + S / 2;

  for (int i = 0; i < 200; i++)
    pl_view_zoom (view, 0.5, at_ns, PL_VIEW_CONTINUE);
  for (int i = 0; i < 100; i++)
    pl_view_zoom (view, 1.02, at_ns, PL_VIEW_CONTINUE);

  g_assert_cmpint (pl_range_span (pl_view_get_visible (view)), ==, 72); /* 10 × 1.02¹⁰⁰ */
}

static void
test_view_never_leaves_the_trace (void)
{
  g_autoptr(PlView) view = new_view (UPTIME_NS);
  g_autoptr(GRand) random = g_rand_new_with_seed (1);

  for (int i = 0; i < 10000; i++)
    {
      PlRange visible = pl_view_get_visible (view);

      if (g_rand_boolean (random))
        pl_view_zoom (view, g_rand_double_range (random, 0.2, 4),
                      visible.from_ns + g_rand_int_range (random, 0, 1000000), PL_VIEW_CONTINUE);
      else
        pl_view_pan (view, (gint64) g_rand_double_range (random, -1e9, 1e9), PL_VIEW_CONTINUE);

      visible = pl_view_get_visible (view);
      g_assert_cmpint (visible.from_ns, >=, UPTIME_NS);
      g_assert_cmpint (visible.to_ns, <=, UPTIME_NS + S);
      g_assert_cmpint (pl_range_span (visible), >=, PL_RANGE_MIN_NS);
    }
}

static void
test_pan_keeps_the_span_and_stops_at_the_ends (void)
{
  g_autoptr(PlView) view = new_view (S);

  pl_view_show (view, range (100 * MS, 300 * MS), PL_VIEW_STEP);
  pl_view_pan (view, 50 * MS, PL_VIEW_STEP);
  assert_visible (view, 150 * MS, 350 * MS);
  pl_view_pan (view, G_MAXINT64, PL_VIEW_STEP);
  assert_visible (view, S - 200 * MS, S);
  pl_view_pan (view, G_MININT64, PL_VIEW_STEP);
  assert_visible (view, 0, 200 * MS);
}

static void
test_impossible_ranges_are_made_possible (void)
{
  g_autoptr(PlView) view = new_view (S);

  pl_view_show (view, range (500 * MS, 500 * MS), PL_VIEW_STEP);
  assert_visible (view, 500 * MS, 500 * MS + 10);
  pl_view_show (view, range (600 * MS, 100 * MS), PL_VIEW_STEP);
  assert_visible (view, 600 * MS, 600 * MS + 10);
  pl_view_show (view, (PlRange) { G_MININT64, G_MAXINT64 }, PL_VIEW_STEP);
  assert_visible (view, 0, S);
  pl_view_zoom (view, NAN, 0, PL_VIEW_STEP);
  g_assert_cmpint (pl_range_span (pl_view_get_visible (view)), >=, PL_RANGE_MIN_NS);
}

static void
test_bounds_of_an_instant_at_the_end_of_time_can_be_drawn (void)
{
  PlRange late = pl_range_bounds (G_MAXINT64, G_MAXINT64);
  PlRange all = pl_range_bounds (G_MININT64, G_MAXINT64);

  g_assert_cmpint (pl_range_span (late), ==, PL_RANGE_MIN_NS);
  g_assert_cmpint (pl_range_span (all), ==, G_MAXINT64);
  g_assert_cmpint (all.to_ns, >, all.from_ns);
}

static void
test_back_and_forward_walk_through_steps (void)
{
  g_autoptr(PlView) view = new_view (S);

  pl_view_show (view, range (0, 500 * MS), PL_VIEW_STEP);
  pl_view_show (view, range (0, 100 * MS), PL_VIEW_STEP);

  pl_view_go_back (view);
  assert_visible (view, 0, 500 * MS);
  pl_view_go_back (view);
  assert_visible (view, 0, S);
  g_assert_false (pl_view_can_go_back (view));
  pl_view_go_forward (view);
  pl_view_go_forward (view);
  assert_visible (view, 0, 100 * MS);
  g_assert_false (pl_view_can_go_forward (view));
}

static void
test_a_movement_is_one_step (void)
{
  g_autoptr(PlView) view = new_view (S);

  for (int i = 0; i < 20; i++)
    pl_view_zoom (view, 0.8, S + 300 * MS, PL_VIEW_CONTINUE);
  pl_view_settle (view);
  for (int i = 0; i < 20; i++)
    pl_view_pan (view, MS, PL_VIEW_CONTINUE);

  pl_view_go_back (view);
  pl_view_go_back (view);
  assert_visible (view, 0, S);
  g_assert_false (pl_view_can_go_back (view));
}

static void
test_a_step_forgets_what_lay_ahead (void)
{
  g_autoptr(PlView) view = new_view (S);

  pl_view_show (view, range (0, 500 * MS), PL_VIEW_STEP);
  pl_view_go_back (view);
  g_assert_true (pl_view_can_go_forward (view));
  pl_view_show (view, range (0, 100 * MS), PL_VIEW_STEP);
  g_assert_false (pl_view_can_go_forward (view));
}

static void
test_reveal_puts_the_event_at_thirty_percent (void)
{
  g_autoptr(PlView) view = new_view (S);
  const PlPoll poll = { .worker = 0, .start_ns = S + 500 * MS, .duration_ns = 10 * MS };

  pl_view_reveal (view, &poll);
  assert_visible (view, 485 * MS, 535 * MS);
  g_assert_true (pl_poll_same (pl_view_get_selected (view), &poll));
}

static void
test_reveal_of_an_instant_shows_a_millisecond (void)
{
  g_autoptr(PlView) view = new_view (S);
  const PlPoll poll = { .worker = 0, .start_ns = S + 500 * MS, .duration_ns = 0 };

  pl_view_reveal (view, &poll);
  assert_visible (view, 500 * MS - 300000, 501 * MS - 300000);
}

static void
test_selecting_out_of_sight_moves_without_zooming (void)
{
  g_autoptr(PlView) view = new_view (S);
  const PlPoll poll = { .worker = 0, .start_ns = S + 700 * MS, .duration_ns = MS };

  pl_view_show (view, range (0, 100 * MS), PL_VIEW_STEP);
  pl_view_select_nearby (view, &poll);
  assert_visible (view, 650 * MS, 750 * MS);
}

static void
test_growth_keeps_a_whole_view_whole_and_others_in_place (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) early = NULL;
  g_autoptr(PlTrace) late = NULL;
  g_autoptr(PlView) view = pl_view_new ();

  test_trace_poll (bytes, 0, 7, "a", S, 100 * MS);
  early = test_trace_load (bytes);
  test_trace_poll (bytes, 0, 7, "a", S + 900 * MS, 100 * MS);
  late = test_trace_load (bytes);

  origin_ns = S;
  pl_view_set_trace (view, early);
  pl_view_grow_trace (view, late);
  assert_visible (view, 0, S);
  pl_view_set_trace (view, early);
  pl_view_show (view, range (10 * MS, 20 * MS), PL_VIEW_STEP);
  pl_view_grow_trace (view, late);
  assert_visible (view, 10 * MS, 20 * MS);
}

static void
test_another_trace_forgets_the_selection_and_a_threshold_does_not (void)
{
  g_autoptr(PlTrace) other = load_second (2 * S);
  g_autoptr(PlView) view = new_view (S);
  const PlPoll poll = { .worker = 0, .start_ns = S + 500 * MS, .duration_ns = MS };

  pl_view_select (view, &poll);
  pl_view_set_range (view, range (0, MS));
  pl_view_set_threshold (view, 5 * MS);
  g_assert_nonnull (pl_view_get_selected (view));

  pl_view_set_trace (view, other);
  g_assert_null (pl_view_get_selected (view));
  g_assert_true (pl_range_is_empty (pl_view_get_range (view)));
  g_assert_cmpint (pl_view_get_threshold (view), ==, 5 * MS);
}

static void
test_selected_range_is_cut_to_the_trace (void)
{
  g_autoptr(PlView) view = new_view (S);

  pl_view_set_range (view, range (-S, 100 * MS));
  g_assert_cmpint (pl_view_get_range (view).from_ns, ==, S);
  g_assert_cmpint (pl_view_get_range (view).to_ns, ==, S + 100 * MS);
  pl_view_set_range (view, range (5, 5));
  g_assert_true (pl_range_is_empty (pl_view_get_range (view)));
}

static void
test_changes_are_told_once_and_only_when_something_changed (void)
{
  g_autoptr(PlView) view = new_view (S);
  guint n_thresholds = 0;
  guint n_visible = 0;

  g_signal_connect (view, "changed::threshold", G_CALLBACK (count_changes), &n_thresholds);
  g_signal_connect (view, "changed::visible", G_CALLBACK (count_changes), &n_visible);

  pl_view_set_threshold (view, 2 * MS);
  pl_view_set_threshold (view, 2 * MS);
  pl_view_fit (view);
  g_assert_cmpuint (n_thresholds, ==, 1);
  g_assert_cmpuint (n_visible, ==, 0);
}

/* A second, recorded on for half a second. */
static void
test_following_sticks_to_the_end_until_the_view_is_moved (void)
{
  g_autoptr(PlView) view = new_view (S);
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) longer = NULL;

  test_trace_poll (bytes, 0, 7, "src/main.rs:1:1", S, MS);
  test_trace_poll (bytes, 0, 7, "src/main.rs:1:1", 2 * S + 499 * MS, MS);
  longer = test_trace_load (bytes);

  pl_view_show (view, (PlRange) { S + 100 * MS, S + 300 * MS }, PL_VIEW_STEP);
  pl_view_set_following (view, TRUE);
  g_assert_true (pl_view_is_following (view));
  g_assert_cmpint (pl_view_get_visible (view).to_ns, ==, 2 * S);
  g_assert_cmpint (pl_range_span (pl_view_get_visible (view)), ==, 200 * MS);

  pl_view_extend_trace (view, longer);
  g_assert_cmpint (pl_view_get_visible (view).to_ns, ==, 2 * S + 500 * MS);
  g_assert_cmpint (pl_range_span (pl_view_get_visible (view)), ==, 200 * MS);

  pl_view_zoom (view, 0.5, S, PL_VIEW_STEP);
  g_assert_true (pl_view_is_following (view));
  g_assert_cmpint (pl_view_get_visible (view).to_ns, ==, 2 * S + 500 * MS);
  g_assert_cmpint (pl_range_span (pl_view_get_visible (view)), ==, 100 * MS);

  pl_view_pan (view, -MS, PL_VIEW_STEP);
  g_assert_false (pl_view_is_following (view));
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/view/empty-view-has-a-range-that-can-be-drawn",
                   test_empty_view_has_a_range_that_can_be_drawn);
  g_test_add_func ("/ui/view/new-trace-is-shown-whole", test_new_trace_is_shown_whole);
  g_test_add_func ("/ui/view/zoom-keeps-the-time-under-the-pointer", test_zoom_keeps_the_time_under_the_pointer);
  g_test_add_func ("/ui/view/zoom-ends-at-ten-nanoseconds-after-days-of-uptime",
                   test_zoom_ends_at_ten_nanoseconds_after_days_of_uptime);
  g_test_add_func ("/ui/view/small-steps-leave-the-narrowest-view", test_small_steps_leave_the_narrowest_view);
  g_test_add_func ("/ui/view/never-leaves-the-trace", test_view_never_leaves_the_trace);
  g_test_add_func ("/ui/view/pan-keeps-the-span-and-stops-at-the-ends",
                   test_pan_keeps_the_span_and_stops_at_the_ends);
  g_test_add_func ("/ui/view/impossible-ranges-are-made-possible", test_impossible_ranges_are_made_possible);
  g_test_add_func ("/ui/view/bounds-of-an-instant-at-the-end-of-time-can-be-drawn",
                   test_bounds_of_an_instant_at_the_end_of_time_can_be_drawn);
  g_test_add_func ("/ui/view/back-and-forward-walk-through-steps", test_back_and_forward_walk_through_steps);
  g_test_add_func ("/ui/view/a-movement-is-one-step", test_a_movement_is_one_step);
  g_test_add_func ("/ui/view/a-step-forgets-what-lay-ahead", test_a_step_forgets_what_lay_ahead);
  g_test_add_func ("/ui/view/reveal-puts-the-event-at-thirty-percent",
                   test_reveal_puts_the_event_at_thirty_percent);
  g_test_add_func ("/ui/view/reveal-of-an-instant-shows-a-millisecond",
                   test_reveal_of_an_instant_shows_a_millisecond);
  g_test_add_func ("/ui/view/selecting-out-of-sight-moves-without-zooming",
                   test_selecting_out_of_sight_moves_without_zooming);
  g_test_add_func ("/ui/view/growth-keeps-a-whole-view-whole-and-others-in-place",
                   test_growth_keeps_a_whole_view_whole_and_others_in_place);
  g_test_add_func ("/ui/view/following-sticks-to-the-end-until-the-view-is-moved",
                   test_following_sticks_to_the_end_until_the_view_is_moved);
  g_test_add_func ("/ui/view/another-trace-forgets-the-selection-and-a-threshold-does-not",
                   test_another_trace_forgets_the_selection_and_a_threshold_does_not);
  g_test_add_func ("/ui/view/selected-range-is-cut-to-the-trace", test_selected_range_is_cut_to_the_trace);
  g_test_add_func ("/ui/view/changes-are-told-once-and-only-when-something-changed",
                   test_changes_are_told_once_and_only_when_something_changed);

  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
