/* test-axis.c: instants and pixel columns, at any uptime, zoom and scale
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>
#include <math.h>

#include "pl-axis.h"
#include "pl-scene.h"

#define UPTIME_NS (G_GINT64_CONSTANT (4) * 86400 * 1000 * 1000 * 1000)

static const double scales[] = { 1.0, 1.25, 1.5, 1.6667, 2.0 };

/* Four days of uptime, a view of 10 ns: every nanosecond has a place of its own, there and back (H34). */
static void
test_nanoseconds_apart_after_days (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      PlScene scene = { .from_ns = UPTIME_NS + 3, .to_ns = UPTIME_NS + 13, .device_scale = scales[i] };
      double last_x = 0.0;

      for (gint64 at_ns = scene.from_ns; at_ns < scene.to_ns; at_ns++)
        {
          double x = pl_scene_time_to_x (&scene, 1600.0, at_ns);

          g_assert_cmpfloat (x, >, last_x + 100.0);
          g_assert_cmpint (pl_scene_x_to_time (&scene, 1600.0, x), ==, at_ns);
          g_assert_cmpint (pl_scene_x_to_time (&scene, 1600.0, x + 100.0), ==, at_ns);
          last_x = x;
        }
    }
}

static void
test_there_and_back_over_a_session (void)
{
  PlScene scene = { .from_ns = UPTIME_NS, .to_ns = 2 * UPTIME_NS, .device_scale = 1.0 };
  gint64 pixel_ns = UPTIME_NS / 1464;

  for (double x = PL_SCENE_GUTTER_WIDTH; x <= 1600.0; x += 13.0)
    {
      gint64 at_ns = pl_scene_x_to_time (&scene, 1600.0, x);

      g_assert_cmpfloat_with_epsilon (pl_scene_time_to_x (&scene, 1600.0, at_ns), x, 1e-6);
      g_assert_cmpint (at_ns, >=, scene.from_ns);
      g_assert_cmpint (at_ns, <=, scene.to_ns);
    }
  g_assert_cmpint (pl_scene_x_to_time (&scene, 1600.0, PL_SCENE_GUTTER_WIDTH - 1.0), >=,
                   scene.from_ns - pixel_ns - 1);
}

static void
test_edges_lie_on_device_pixels (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      PlScene scene = { .from_ns = 0, .to_ns = 1000, .device_scale = scales[i] };
      double left = pl_scene_time_to_x (&scene, 801.0, 0) * scales[i];
      double right = pl_scene_time_to_x (&scene, 801.0, 1000) * scales[i];

      g_assert_cmpfloat_with_epsilon (left, round (left), 1e-6);
      g_assert_cmpfloat_with_epsilon (right, round (right), 1e-6);
      g_assert_cmpfloat (fabs (left / scales[i] - PL_SCENE_GUTTER_WIDTH), <=, 0.5);
      g_assert_cmpfloat (right / scales[i], <=, 801.0 + 1e-6);
    }
}

/* Columns, slices and instants agree, with more and with less than a nanosecond for a column. */
static void
test_columns_are_where_their_slices_are (void)
{
  static const gint64 spans[] = { 1, 10, 333, 664, 1000, 77777, UPTIME_NS };

  for (gsize i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      PlAxis axis;

      pl_axis_init (&axis, 800.0, 1.0, UPTIME_NS, UPTIME_NS + spans[i]);
      g_assert_cmpint (axis.n_columns, ==, 664);
      g_assert_cmpint (pl_axis_slice_start (&axis, axis.n_slices), ==, UPTIME_NS + spans[i]);
      for (int column = 0; column < axis.n_columns; column++)
        {
          int slice = pl_axis_get_slice (&axis, column);
          gint64 from_ns = pl_axis_slice_start (&axis, slice);
          gint64 last_ns = pl_axis_slice_start (&axis, slice + 1) - 1;
          int first = pl_axis_time_to_column (&axis, from_ns);

          g_assert_cmpint (first, <=, column);
          g_assert_cmpint (pl_axis_get_slice (&axis, first), ==, slice);
          g_assert_cmpint (pl_axis_time_to_column (&axis, last_ns), ==, first);
          g_assert_cmpint (pl_axis_end_to_column (&axis, last_ns + 1), >, column);
        }
    }
}

static void
test_outside_of_the_axis (void)
{
  PlAxis axis;

  pl_axis_init (&axis, 800.0, 1.0, 1000, 2000);
  g_assert_cmpint (pl_axis_time_to_column (&axis, 999), ==, -1);
  g_assert_cmpint (pl_axis_time_to_column (&axis, 2000), ==, axis.n_columns);
  g_assert_cmpint (pl_axis_time_to_column (&axis, G_MAXINT64), ==, axis.n_columns);
  g_assert_cmpint (pl_axis_time_to_column (&axis, G_MININT64), ==, -1);
  g_assert_cmpint (pl_axis_end_to_column (&axis, 1000), ==, 0);
  g_assert_cmpint (pl_axis_end_to_column (&axis, 5000), ==, axis.n_columns);
  g_assert_cmpint (pl_axis_x_to_time (&axis, 1e300), >, G_GINT64_CONSTANT (1) << 62);
  g_assert_cmpint (pl_axis_x_to_time (&axis, -1e300), <, -(G_GINT64_CONSTANT (1) << 62));
}

static void
test_an_axis_always_has_a_length (void)
{
  PlAxis axis;

  pl_axis_init (&axis, 800.0, 1.0, 5000, 5000);
  g_assert_cmpint (axis.span_ns, ==, 1);
  pl_axis_init (&axis, 800.0, 1.0, 5000, 4000);
  g_assert_cmpint (axis.span_ns, ==, 1);
  pl_axis_init (&axis, 0.0, 0.0, G_MAXINT64, G_MAXINT64);
  g_assert_cmpint (axis.span_ns, ==, 1);
  g_assert_cmpint (axis.n_columns, ==, 1);
  g_assert_cmpint (axis.from_ns + axis.span_ns, ==, G_MAXINT64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/axis/nanoseconds-apart-after-days", test_nanoseconds_apart_after_days);
  g_test_add_func ("/render/axis/there-and-back-over-a-session", test_there_and_back_over_a_session);
  g_test_add_func ("/render/axis/edges-lie-on-device-pixels", test_edges_lie_on_device_pixels);
  g_test_add_func ("/render/axis/columns-are-where-their-slices-are", test_columns_are_where_their_slices_are);
  g_test_add_func ("/render/axis/outside-of-the-axis", test_outside_of_the_axis);
  g_test_add_func ("/render/axis/an-axis-always-has-a-length", test_an_axis_always_has_a_length);
  return g_test_run ();
}
