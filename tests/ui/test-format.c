/* test-format.c: what numbers and moments look like, and how moments are named
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>

#include "pl-format.h"
#include "pl-instant.h"

#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S G_GINT64_CONSTANT (1000000000)
#define NARROW "\xe2\x80\xaf"

/* 2026-01-31T12:34:56Z */
#define WALL_S G_GINT64_CONSTANT (1769862896)

/* From 10 s of uptime on, at WALL_S; a poll of 1 ms. */
static PlTrace *
load_clocked (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_clock_sync (bytes, 10 * S, (guint64) (WALL_S * S));
  test_trace_metadata (bytes, 10 * S, "runtime.front", "3");
  test_trace_poll (bytes, 3, 7, "src/net/echo.rs:48:17", 10 * S + 500 * MS, MS);
  return test_trace_load (bytes);
}

static void
test_counts_are_grouped_by_three (void)
{
  g_autofree char *small = pl_format_count (999);
  g_autofree char *large = pl_format_count (1234567);

  g_assert_cmpstr (small, ==, "999");
  g_assert_cmpstr (large, ==, "1" NARROW "234" NARROW "567");
}

static void
test_a_small_share_is_not_zero (void)
{
  g_autofree char *some = pl_format_share (1, 1000);
  g_autofree char *none = pl_format_share (0, 1000);
  g_autofree char *most = pl_format_share (600, 1000);
  g_autofree char *nothing_of_nothing = pl_format_share (0, 0);

  g_assert_cmpstr (some, ==, "< 1 %");
  g_assert_cmpstr (none, ==, "0 %");
  g_assert_cmpstr (most, ==, "60 %");
  g_assert_cmpstr (nothing_of_nothing, ==, "0 %");
}

static void
test_wall_time_is_told_with_its_zone (void)
{
  g_autoptr(PlTrace) trace = load_clocked ();
  g_autofree char *text = pl_format_wall (trace, 10 * S + 402500 * 1000, TRUE);

  g_assert_cmpstr (text, ==, "12:34:56.402" NARROW "500 (UTC)");
}

static void
test_without_a_clock_there_is_no_wall_time (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlView) view = pl_view_new ();
  g_autofree char *text = NULL;

  test_trace_poll (bytes, 0, 7, "a", S, MS);
  trace = test_trace_load (bytes);
  pl_view_set_trace (view, trace);
  pl_view_set_time_format (view, PL_VIEW_WALL_UTC);

  g_assert_null (pl_format_wall (trace, S, TRUE));
  text = pl_format_instant (view, S + MS / 2);
  g_assert_true (g_str_has_prefix (text, "+500"));
}

static void
test_ends_of_a_narrow_view_differ (void)
{
  g_autoptr(PlTrace) trace = load_clocked ();
  g_autoptr(PlView) view = pl_view_new ();
  g_autofree char *wide = NULL;
  g_autofree char *from = NULL;
  g_autofree char *to = NULL;

  pl_view_set_trace (view, trace);
  wide = pl_format_instant (view, pl_trace_get_start_ns (trace) + 123456789);
  pl_view_zoom (view, 1e-9, pl_trace_get_start_ns (trace) + 123456789, PL_VIEW_STEP);
  from = pl_format_instant (view, pl_view_get_visible (view).from_ns);
  to = pl_format_instant (view, pl_view_get_visible (view).to_ns);

  g_assert_cmpstr (wide, ==, "+123.456 ms");
  g_assert_cmpstr (from, !=, to);
}

static void
test_names_of_places_are_short_and_complete (void)
{
  g_autoptr(PlTrace) trace = load_clocked ();
  PlPoll poll;
  g_autofree char *location = NULL;
  g_autofree char *worker = pl_format_worker (trace, 3);

  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 3, NULL), 0, 0, &poll));
  location = pl_format_location (trace, poll.spawn_loc);
  g_assert_cmpstr (location, ==, "echo.rs:48:17");
  g_assert_cmpstr (worker, ==, "3 · runtime front");
}

static void
test_names_that_break_lines_do_not (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlPoll poll;
  g_autofree char *location = NULL;
  g_autofree char *worker = NULL;

  test_trace_metadata (bytes, S, "runtime.fr\nont", "3");
  test_trace_poll (bytes, 3, 7, "src/ec\nho\xe2\x80\xae.rs:1:1", S, MS);
  trace = test_trace_load (bytes);
  worker = pl_format_worker (trace, 3);
  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 3, NULL), 0, 0, &poll));
  location = pl_format_location (trace, poll.spawn_loc);

  g_assert_cmpstr (location, ==, "ec?ho?.rs:1:1");
  g_assert_cmpstr (worker, ==, "3 · runtime fr?ont");
}

static gint64
resolve (PlTrace    *trace,
         const char *text)
{
  g_autoptr(GError) error = NULL;
  PlInstant instant;
  gint64 at_ns = -1;

  pl_instant_parse (text, &instant, &error);
  g_assert_no_error (error);
  g_assert_true (pl_instant_resolve (&instant, trace, &at_ns));
  return at_ns;
}

static void
test_moments_are_named_in_every_way (void)
{
  g_autoptr(PlTrace) trace = load_clocked ();

  g_assert_cmpint (resolve (trace, "+250ms"), ==, 10 * S + 250 * MS);
  g_assert_cmpint (resolve (trace, "1.5 ms"), ==, 10 * S + 1500000);
  g_assert_cmpint (resolve (trace, "10500000000"), ==, 10 * S + 500 * MS);
  g_assert_cmpint (resolve (trace, "12:34:56.25"), ==, 10 * S + 250 * MS);
  g_assert_cmpint (resolve (trace, "12:35"), ==, 14 * S);
  g_assert_cmpint (resolve (trace, "2026-01-31T12:34:57Z"), ==, 11 * S);
  g_assert_cmpint (resolve (trace, "2026-01-31T13:34:57+01:00"), ==, 11 * S);
}

static void
test_what_names_no_moment_is_refused (void)
{
  static const char *const wrong[] = { "", "+", "soon", "12:", "12:34:56.", "1.5", "+5", "99 parsecs", "12:34:5",
                                       "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autoptr(GError) error = NULL;
      PlInstant instant = { PL_INSTANT_RAW, 77 };

      g_assert_false (pl_instant_parse (wrong[i], &instant, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_assert_cmpint (instant.ns, ==, 77);
    }
}

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ui/format/counts-are-grouped-by-three", test_counts_are_grouped_by_three);
  g_test_add_func ("/ui/format/a-small-share-is-not-zero", test_a_small_share_is_not_zero);
  g_test_add_func ("/ui/format/wall-time-is-told-with-its-zone", test_wall_time_is_told_with_its_zone);
  g_test_add_func ("/ui/format/without-a-clock-there-is-no-wall-time", test_without_a_clock_there_is_no_wall_time);
  g_test_add_func ("/ui/format/ends-of-a-narrow-view-differ", test_ends_of_a_narrow_view_differ);
  g_test_add_func ("/ui/format/names-of-places-are-short-and-complete",
                   test_names_of_places_are_short_and_complete);
  g_test_add_func ("/ui/format/names-that-break-lines-do-not", test_names_that_break_lines_do_not);
  g_test_add_func ("/ui/instant/moments-are-named-in-every-way", test_moments_are_named_in_every_way);
  g_test_add_func ("/ui/instant/what-names-no-moment-is-refused", test_what_names_no_moment_is_refused);

  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
