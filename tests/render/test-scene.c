/* test-scene.c: rows of the lane area, and what lies under the pointer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>

#include "pl-scene.h"
#include "test-picture.h"
#include "test-trace.h"

#define MS (G_GINT64_CONSTANT (1000) * 1000)
#define LOC "src/main.rs:1:2"
#define WIDTH 800.0

/* Two runtimes as metadata tells them: workers 0 and 1, worker 2. */
static PlTrace *
make_two_runtimes (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_metadata (bytes, 1000, "runtime.front", "0,1");
  test_trace_metadata (bytes, 1000, "runtime.back", "2");
  for (guint64 worker = 0; worker < 3; worker++)
    test_trace_poll (bytes, worker, 7, LOC, 1 * MS + (gint64) worker, MS / 2);
  test_trace_queue (bytes, "front", 1, 2, 3 * MS);
  return test_trace_load (bytes);
}

static void
test_rows_in_order (void)
{
  g_autoptr(PlTrace) trace = make_two_runtimes ();
  PlScene scene = test_scene (trace);
  static const PlRowKind kinds[] = { PL_ROW_RUNTIME, PL_ROW_LANE, PL_ROW_LANE, PL_ROW_RUNTIME, PL_ROW_LANE,
                                     PL_ROW_QUEUE, PL_ROW_ALIVE };
  double y = 0.0;
  PlRow row;

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_assert_true (pl_scene_row_at (&scene, y, &row));
      g_assert_cmpint (row.kind, ==, kinds[i]);
      g_assert_cmpfloat (row.y, ==, y);
      g_assert_cmpfloat (row.height, >, 20.0);
      y = row.y + row.height;
    }
  g_assert_false (pl_scene_row_at (&scene, y, &row));
  g_assert_cmpint (row.kind, ==, PL_ROW_NONE);
  g_assert_false (pl_scene_row_at (&scene, -1.0, &row));
  g_assert_cmpfloat (pl_scene_get_content_height (&scene), ==, y);
}

static void
test_one_runtime_has_no_header (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlScene scene;
  PlRow row;

  test_trace_poll (bytes, 0, 7, LOC, 1000, 500);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);

  g_assert_true (pl_scene_row_at (&scene, 0.0, &row));
  g_assert_cmpint (row.kind, ==, PL_ROW_LANE);
  g_assert_cmpfloat (row.height, ==, 58.0);
  g_assert_false (pl_scene_find_row (&scene, PL_ROW_RUNTIME, 0, &row));
}

static void
test_folded_lanes_are_no_rows (void)
{
  g_autoptr(PlTrace) trace = make_two_runtimes ();
  const guint8 collapsed[] = { 1, 0 };
  PlScene scene = test_scene (trace);
  double before = pl_scene_get_content_height (&scene);
  PlRow row;

  scene.collapsed = collapsed;

  g_assert_cmpfloat (pl_scene_get_content_height (&scene), ==, before - 2 * 58.0);
  g_assert_false (pl_scene_find_row (&scene, PL_ROW_LANE, 0, &row));
  g_assert_true (pl_scene_find_row (&scene, PL_ROW_LANE, 2, &row));
  g_assert_true (pl_scene_find_row (&scene, PL_ROW_RUNTIME, 0, &row));
}

static void
test_no_trace_has_no_rows (void)
{
  PlScene scene = { .from_ns = 0, .to_ns = 1000, .cursor_ns = G_MININT64, .device_scale = 1.0 };
  g_autoptr(TestPicture) picture = test_picture_new (&scene, pl_scene_draw, 300.0, 200.0);
  PlRow row;
  PlPoll poll;

  g_assert_cmpfloat (pl_scene_get_content_height (&scene), ==, 0.0);
  g_assert_false (pl_scene_row_at (&scene, 0.0, &row));
  g_assert_false (pl_scene_poll_at (&scene, 300.0, 200.0, 10.0, &poll));
  g_assert_cmphex (test_picture_get (picture, 250, 150), ==, pl_palette_get (PL_THEME_LIGHT)->ground);
}

/* Polls of 20 µs every 100 µs for 100 ms, and one of 2 ms at 50 ms. */
static PlTrace *
make_busy_worker (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (gint64 at_ns = MS; at_ns < 100 * MS; at_ns += MS / 10)
    if (at_ns < 50 * MS || at_ns >= 53 * MS)
      test_trace_poll (bytes, 0, 7, LOC, at_ns, MS / 50);
    else if (at_ns == 50 * MS)
      test_trace_poll (bytes, 0, 99, LOC, at_ns, 2 * MS);
  return test_trace_load (bytes);
}

static void
test_poll_under_the_pointer (void)
{
  g_autoptr(PlTrace) trace = make_busy_worker ();
  PlScene scene = test_scene (trace);
  PlPoll poll;
  double x;

  scene.from_ns = 49 * MS;
  scene.to_ns = 53 * MS;

  x = pl_scene_time_to_x (&scene, WIDTH, 51 * MS);
  g_assert_true (pl_scene_poll_at (&scene, WIDTH, x, 20.0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 50 * MS);
  g_assert_cmpint (poll.duration_ns, ==, 2 * MS);

  x = pl_scene_time_to_x (&scene, WIDTH, 49 * MS + MS / 100);
  g_assert_true (pl_scene_poll_at (&scene, WIDTH, x, 20.0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 49 * MS);
  g_assert_cmpint (poll.duration_ns, ==, MS / 50);

  g_assert_false (pl_scene_poll_at (&scene, WIDTH, 20.0, 20.0, &poll));
  g_assert_false (pl_scene_poll_at (&scene, WIDTH, x, 5000.0, &poll));
}

static void
test_near_misses_hit (void)
{
  g_autoptr(PlTrace) trace = make_busy_worker ();
  PlScene scene = test_scene (trace);
  PlPoll poll;
  double x;

  scene.from_ns = 50 * MS;
  scene.to_ns = 60 * MS;

  x = pl_scene_time_to_x (&scene, WIDTH, 52 * MS) + 3.0;
  g_assert_true (pl_scene_poll_at (&scene, WIDTH, x, 20.0, &poll));
  g_assert_cmpuint (poll.task_id, ==, 99);
  g_assert_false (pl_scene_poll_at (&scene, WIDTH, x + 12.0, 20.0, &poll));
}

/* Zoomed out until polls are narrower than a pixel, the long one still is what is hit, at and beside its column (H35). */
static void
test_long_poll_wins_when_polls_are_narrow (void)
{
  g_autoptr(PlTrace) trace = make_busy_worker ();
  PlScene scene = test_scene (trace);
  PlPoll poll;
  double x;

  scene.from_ns = -2000 * MS;
  scene.to_ns = 2000 * MS;
  x = pl_scene_time_to_x (&scene, WIDTH, 51 * MS);

  for (double off = -2.0; off <= 2.0; off += 1.0)
    {
      g_assert_true (pl_scene_poll_at (&scene, WIDTH, x + off, 20.0, &poll));
      g_assert_cmpuint (poll.task_id, ==, 99);
    }
  g_assert_true (pl_scene_poll_at (&scene, WIDTH, x + 4.0, 5.0, &poll));
  g_assert_cmpuint (poll.task_id, ==, 99);
}

/* Every device column that is drawn as long is hit as long, at whole and fractional scales (H33). */
static void
test_hits_what_is_drawn (void)
{
  static const double scales[] = { 1.0, 1.25, 1.5, 1.6667, 2.0 };
  g_autoptr(PlTrace) trace = make_busy_worker ();
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;

  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      PlScene scene = test_scene (trace);
      g_autoptr(TestPicture) picture = NULL;
      guint n_hits = 0;

      scene.device_scale = scales[i];
      scene.from_ns = 45 * MS;
      scene.to_ns = 57 * MS;
      picture = test_picture_lanes (&scene, WIDTH, 60.0, 0.0);

      for (int x = (int) (140.0 * scales[i]); x < picture->width; x++)
        {
          gboolean is_long = test_picture_get (picture, x, (int) (37.0 * scales[i])) == over;
          PlPoll poll;

          if (!is_long)
            continue;
          n_hits++;
          g_assert_true (pl_scene_poll_at (&scene, WIDTH, (x + 0.5) / scales[i], 37.0, &poll));
          g_assert_cmpuint (poll.task_id, ==, 99);
        }
      g_assert_cmpuint (n_hits, >, 50);
    }
}

static void
test_overview_has_its_own_time (void)
{
  g_autoptr(PlTrace) trace = make_busy_worker ();
  PlScene scene = test_scene (trace);

  scene.from_ns = 45 * MS;
  scene.to_ns = 57 * MS;

  g_assert_cmpint (pl_scene_overview_x_to_time (&scene, WIDTH, PL_SCENE_GUTTER_WIDTH), ==,
                   pl_trace_get_start_ns (trace));
  g_assert_cmpfloat_with_epsilon (pl_scene_overview_time_to_x (&scene, WIDTH, pl_trace_get_end_ns (trace)), WIDTH,
                                  1e-6);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/scene/rows-in-order", test_rows_in_order);
  g_test_add_func ("/render/scene/one-runtime-has-no-header", test_one_runtime_has_no_header);
  g_test_add_func ("/render/scene/folded-lanes-are-no-rows", test_folded_lanes_are_no_rows);
  g_test_add_func ("/render/scene/no-trace-has-no-rows", test_no_trace_has_no_rows);
  g_test_add_func ("/render/scene/poll-under-the-pointer", test_poll_under_the_pointer);
  g_test_add_func ("/render/scene/near-misses-hit", test_near_misses_hit);
  g_test_add_func ("/render/scene/long-poll-wins-when-polls-are-narrow", test_long_poll_wins_when_polls_are_narrow);
  g_test_add_func ("/render/scene/hits-what-is-drawn", test_hits_what_is_drawn);
  g_test_add_func ("/render/scene/overview-has-its-own-time", test_overview_has_its_own_time);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
