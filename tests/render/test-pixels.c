/* test-pixels.c: what must be seen is seen: long polls at every zoom, states, gaps, open and selected polls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>

#include "pl-rows.h"
#include "pl-scene.h"
#include "test-picture.h"
#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)
#define SECOND (1000 * MS)
#define LOC "src/main.rs:1:2"
#define GUTTER 136
#define LANES_TOP ((int) (PL_SCENE_OVERVIEW_HEIGHT + PL_SCENE_RULER_HEIGHT))
#define BAND_MIDDLE ((int) (PL_BAND_TOP + PL_BAND_HEIGHT / 2.0))

/* One hour of one worker: a poll of 50 µs every 200 ms, parked in between, and at 30 minutes a poll of 2 ms. */
static PlTrace *
make_hour (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (gint64 at_ns = 0; at_ns < 3600 * SECOND; at_ns += 200 * MS)
    {
      test_trace_unpark (bytes, 0, 1, at_ns + SECOND);
      test_trace_poll (bytes, 0, 7, LOC, at_ns + SECOND + US, at_ns == 1800 * SECOND ? 2 * MS : 50 * US);
      test_trace_park (bytes, 0, 1, at_ns + SECOND + 3 * MS);
    }
  return test_trace_load (bytes);
}

/* A mark: the widest line of a triangle, then one pixel less on each side, down to its tip at the bar. */
static void
assert_mark (const TestPicture *picture, int tip_x, int bar_y, PlColor color)
{
  int height = (int) PL_MARK_HEIGHT;

  for (int row = 0; row < height; row++)
    {
      int half = height - 1 - row;
      int y = bar_y - height + row;

      g_assert_cmpuint (test_picture_count (picture, tip_x - half, y, 2 * half + 1, 1, color), ==, 2 * half + 1);
      g_assert_cmphex (test_picture_get (picture, tip_x - half - 1, y), !=, color);
      g_assert_cmphex (test_picture_get (picture, tip_x + half + 1, y), !=, color);
    }
}

/* Promise 4: a 2 ms poll in an hour, fitted to 800 pixels, has a column in its own colour, stands out, and has a mark. */
static void
test_two_ms_in_an_hour (gconstpointer data)
{
  g_autoptr(PlTrace) trace = make_hour ();
  PlScene scene = test_scene (trace);
  PlColor over;
  g_autoptr(TestPicture) picture = NULL;
  int bar_y = LANES_TOP + (int) (PL_BAND_TOP - PL_LONG_OUTSTAND);
  int bar_height = (int) (PL_BAND_HEIGHT + 2 * PL_LONG_OUTSTAND);
  int x;

  scene.theme = (PlTheme) GPOINTER_TO_INT (data);
  over = pl_palette_get (scene.theme)->over;
  picture = test_picture_new (&scene, pl_scene_draw, 800.0, 300.0);

  x = test_picture_find (picture, GUTTER, LANES_TOP + BAND_MIDDLE, over);
  g_assert_cmpint (x, ==, GUTTER + (800 - GUTTER) / 2);
  g_assert_cmpuint (test_picture_count (picture, x, bar_y, 1, bar_height, over), ==, bar_height);
  g_assert_cmpuint (test_picture_count (picture, GUTTER, LANES_TOP + BAND_MIDDLE, 800 - GUTTER, 1, over), ==, 1);
  assert_mark (picture, x, bar_y, over);
}

static void
test_two_ms_in_an_hour_in_the_overview (gconstpointer data)
{
  g_autoptr(PlTrace) trace = make_hour ();
  PlScene scene = test_scene (trace);
  PlColor over;
  g_autoptr(TestPicture) picture = NULL;
  int base = (int) PL_SCENE_OVERVIEW_HEIGHT - 7;
  int x;

  scene.theme = (PlTheme) GPOINTER_TO_INT (data);
  over = pl_palette_get (scene.theme)->over;
  picture = test_picture_new (&scene, pl_scene_draw_overview, 800.0, PL_SCENE_OVERVIEW_HEIGHT);

  x = test_picture_find (picture, GUTTER, base, over);
  g_assert_cmpint (x, ==, GUTTER + (800 - GUTTER) / 2);
  /* The column reaches from the baseline to the mark. */
  for (int y = 10; y < base; y++)
    g_assert_cmphex (test_picture_get (picture, x, y), !=, test_picture_get (picture, x - 6, y));
  assert_mark (picture, x, 10, over);
}

/* Of more workers than the strip has room for only some have a share in it; long polls of all of them are marked. */
static void
test_long_poll_of_one_in_thousands (void)
{
  const guint n_workers = 3001;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;
  int base = (int) PL_SCENE_OVERVIEW_HEIGHT - 7;
  int middle = GUTTER + (800 - GUTTER) / 2;
  PlScene scene;

  for (guint i = 0; i < n_workers; i++)
    {
      test_trace_poll (bytes, i, 7, LOC, SECOND, US);
      test_trace_poll (bytes, i, 7, LOC, 3 * SECOND, US);
    }
  /* One of each three: whichever are drawn, most of these are of others. */
  for (guint i = 0; i < 3; i++)
    test_trace_poll (bytes, 1500 + i, 9, LOC, 2 * SECOND + i * 200 * 1000 * US, 2000 * US);
  trace = test_trace_load (bytes);
  g_assert_cmpuint (pl_trace_get_n_lanes (trace), ==, n_workers - 2); /* 254 and 255 are no workers */
  scene = test_scene (trace);
  picture = test_picture_new (&scene, pl_scene_draw_overview, 800.0, PL_SCENE_OVERVIEW_HEIGHT);

  for (int i = 0; i < 3; i++)
    {
      int x = test_picture_find (picture, middle - 2 + i * (800 - GUTTER) / 10, base, over);

      g_assert_cmpint (ABS (x - (middle + i * (800 - GUTTER) / 10)), <=, 1);
      assert_mark (picture, x, 10, over);
    }
}

/* H35: 1.2 ms among a million polls of 2 µs in ten minutes, 400 pixels wide. */
static void
test_short_but_important (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;
  PlScene scene;
  PlPoll poll;
  int x;

  for (gint64 i = 0; i < 1000 * 1000; i++)
    if (i == 500 * 1000)
      test_trace_poll (bytes, 0, 99, LOC, SECOND + i * 600 * US, 1200 * US);
    else if (i != 500 * 1000 + 1)
      test_trace_poll (bytes, 0, 7, LOC, SECOND + i * 600 * US, 2 * US);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  picture = test_picture_lanes (&scene, 400.0, 60.0, 0.0);

  x = test_picture_find (picture, GUTTER, BAND_MIDDLE, over);
  g_assert_cmpint (x, ==, GUTTER + (400 - GUTTER) / 2);
  g_assert_cmpint (test_picture_find (picture, x + 1, BAND_MIDDLE, over), ==, -1);
  assert_mark (picture, x, (int) (PL_BAND_TOP - PL_LONG_OUTSTAND), over);
  g_assert_true (pl_scene_poll_at (&scene, 400.0, x, 20.0, &poll));
  g_assert_cmpuint (poll.task_id, ==, 99);
}

static void
test_long_polls_show_at_every_zoom (void)
{
  g_autoptr(PlTrace) trace = make_hour ();
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;
  gint64 poll_ns = 1801 * SECOND + US;

  for (gint64 span_ns = 10; span_ns < 3600 * SECOND; span_ns *= 7)
    {
      PlScene scene = test_scene (trace);
      g_autoptr(TestPicture) picture = NULL;

      scene.from_ns = poll_ns + 5 - span_ns / 2;
      scene.to_ns = scene.from_ns + span_ns;
      picture = test_picture_lanes (&scene, 500.0, 60.0, 0.0);
      g_assert_cmpint (test_picture_find (picture, GUTTER, BAND_MIDDLE + 9, over), >=, GUTTER);
    }
}

static void
test_zero_length_polls_show (void)
{
  static const gint64 spans[] = { 10, 3000, 40 * MS };
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const PlPalette *palette = pl_palette_get (PL_THEME_LIGHT);

  test_trace_unpark (bytes, 0, 1, MS);
  test_trace_poll (bytes, 0, 7, LOC, 20 * MS, 0);
  test_trace_park (bytes, 0, 1, 21 * MS);
  test_trace_unpark (bytes, 0, 1, 60 * MS);
  trace = test_trace_load (bytes);

  for (gsize i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      PlScene scene = test_scene (trace);
      g_autoptr(TestPicture) picture = NULL;
      int n_ticks = 0;
      int x;

      scene.from_ns = 20 * MS - spans[i] / 4;
      scene.to_ns = scene.from_ns + spans[i];
      x = (int) pl_scene_time_to_x (&scene, 800.0, 20 * MS);
      picture = test_picture_lanes (&scene, 800.0, 60.0, 0.0);

      for (int column = x - 2; column <= x + 3; column++)
        {
          PlColor color = test_picture_get (picture, column, BAND_MIDDLE);

          n_ticks += color != palette->active && color != palette->parked && color != palette->ground;
        }
      g_assert_cmpint (n_ticks, >=, 1);
      g_assert_cmpint (n_ticks, <=, 2);
    }
}

static void
test_states_are_told_apart (gconstpointer data)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  const PlPalette *palette = pl_palette_get ((PlTheme) GPOINTER_TO_INT (data));
  PlScene scene;

  /* Worker 1 begins late: until then there are no data of it. */
  test_trace_unpark (bytes, 0, 1, 10 * MS);
  test_trace_poll (bytes, 0, 7, LOC, 12 * MS, MS / 2);
  test_trace_park (bytes, 0, 1, 14 * MS);
  test_trace_unpark (bytes, 0, 1, 18 * MS);
  test_trace_poll (bytes, 1, 7, LOC, 19 * MS, MS / 2);
  test_trace_poll (bytes, 0, 7, LOC, 19 * MS, MS);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  scene.theme = (PlTheme) GPOINTER_TO_INT (data);
  scene.threshold_ns = SECOND;
  picture = test_picture_lanes (&scene, 800.0, 180.0, 0.0);

#define COLOR_AT(at_ns, y) test_picture_get (picture, (int) pl_scene_time_to_x (&scene, 800.0, at_ns), y)
  g_assert_cmphex (COLOR_AT (11 * MS, BAND_MIDDLE), ==, palette->active);
  g_assert_cmphex (COLOR_AT (12 * MS + MS / 4, BAND_MIDDLE), ==, palette->poll);
  g_assert_cmphex (COLOR_AT (16 * MS, BAND_MIDDLE), ==, palette->parked);
#undef COLOR_AT

  /* Hatched: strokes and ground in turn. */
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 100, 58 + BAND_MIDDLE, 60, 1, palette->no_data), ==, 20);
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 100, 58 + BAND_MIDDLE, 60, 1, palette->ground), ==, 40);
}

static void
test_open_poll_is_never_long (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  const PlPalette *palette = pl_palette_get (PL_THEME_LIGHT);
  PlScene scene;
  int n_changes = 0;

  test_trace_unpark (bytes, 0, 1, 10 * MS);
  test_trace_poll_start (bytes, 0, 7, LOC, 20 * MS);
  test_trace_unpark (bytes, 1, 2, 400 * MS);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  scene.to_ns = 500 * MS;
  picture = test_picture_new (&scene, pl_scene_draw, 800.0, 300.0);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
  g_assert_cmpuint (test_picture_count (picture, 0, 0, 800, 300, palette->over), ==, 0);
  g_assert_cmpuint (test_picture_count (picture, 0, 0, 800, 300, palette->text_over), ==, 0);

  /* Its right edge is dashed: down the edge the colour changes again and again. */
  {
    int x = (int) pl_scene_time_to_x (&scene, 800.0, 400 * MS) - 1;

    for (int y = LANES_TOP + (int) PL_BAND_TOP; y < LANES_TOP + (int) (PL_BAND_TOP + PL_BAND_HEIGHT) - 1; y++)
      n_changes += test_picture_get (picture, x, y) != test_picture_get (picture, x, y + 1);
  }
  g_assert_cmpint (n_changes, >=, 4);
}

/* In one pixel column: a thousand ordinary polls and a long one. The long one shows; selected, an ordinary one does. */
static void
test_order_ordinary_long_selected (void)
{
  g_autoptr(PlTrace) trace = make_hour ();
  g_autoptr(TestPicture) unselected = NULL;
  g_autoptr(TestPicture) selected = NULL;
  const PlPalette *palette = pl_palette_get (PL_THEME_LIGHT);
  PlScene scene = test_scene (trace);
  PlPoll poll;
  int x = GUTTER + (800 - GUTTER) / 2;

  unselected = test_picture_lanes (&scene, 800.0, 60.0, 0.0);
  g_assert_cmphex (test_picture_get (unselected, x, BAND_MIDDLE), ==, palette->over);

  g_assert_true (pl_lane_next_poll (pl_trace_get_lane (trace, 0), 1801 * SECOND + MS, 0, &poll));
  g_assert_cmpint (poll.duration_ns, ==, 50 * US);
  scene.selected = &poll;
  selected = test_picture_lanes (&scene, 800.0, 60.0, 0.0);
  g_assert_cmphex (test_picture_get (selected, x, BAND_MIDDLE), ==, palette->poll);
  /* The outline is two pixels wide and stands left and right of it. */
  g_assert_cmphex (test_picture_get (selected, x - 1, BAND_MIDDLE), ==, palette->selection);
  g_assert_cmphex (test_picture_get (selected, x - 2, BAND_MIDDLE), ==, palette->selection);
  g_assert_cmphex (test_picture_get (selected, x + 2, BAND_MIDDLE), ==, palette->selection);
}

static void
test_edges_are_sharp_at_fractional_scales (void)
{
  static const double scales[] = { 1.25, 1.5, 1.6667, 2.0 };
  g_autoptr(PlTrace) trace = make_hour ();
  const PlPalette *palette = pl_palette_get (PL_THEME_LIGHT);

  for (gsize i = 0; i < G_N_ELEMENTS (scales); i++)
    {
      PlScene scene = test_scene (trace);
      g_autoptr(TestPicture) picture = NULL;
      int x;

      scene.device_scale = scales[i];
      scene.from_ns = 1801 * SECOND - 5 * MS;
      scene.to_ns = 1801 * SECOND + 5 * MS;
      picture = test_picture_lanes (&scene, 700.0, 58.0, 0.0);
      x = (int) (pl_scene_time_to_x (&scene, 700.0, 1801 * SECOND + 2 * MS - MS / 50) * scales[i]);

      /* Down through the bar no pixel is a blend of two colours. */
      for (int y = 0; y < picture->height; y++)
        {
          PlColor color = test_picture_get (picture, x, y);

          g_assert_true (color == palette->ground || color == palette->over || color == palette->line
                         || color == palette->queue);
        }
    }
}

/* H32: two thousand lanes are 116,000 units high, more than any surface can be; what is visible is drawn. */
static void
test_no_surface_by_content_size (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;
  PlScene scene;
  PlRow row;

  for (guint64 worker = 0; worker < 2100; worker++)
    if (worker != 254 && worker != 255)
      test_trace_poll (bytes, worker, 7, LOC, SECOND + (gint64) worker * US, worker == 2099 ? 2 * MS : 5 * US);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);

  g_assert_cmpfloat (pl_scene_get_content_height (&scene), >, 100000.0);
  g_assert_true (pl_scene_find_row (&scene, PL_ROW_LANE, pl_trace_get_n_lanes (trace) - 1, &row));
  picture = test_picture_lanes (&scene, 800.0, 600.0, row.y);
  g_assert_cmpint (test_picture_find (picture, GUTTER, BAND_MIDDLE, over), >=, GUTTER);
}

/* A folded runtime keeps its long polls in sight. */
static void
test_folded_runtime_shows_long_polls (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  const guint8 collapsed[] = { 1, 1 };
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;
  PlScene scene;

  test_trace_metadata (bytes, MS, "runtime.front", "0");
  test_trace_metadata (bytes, MS, "runtime.back", "1");
  test_trace_poll (bytes, 0, 7, LOC, 2 * MS, US);
  test_trace_poll (bytes, 1, 7, LOC, 3 * MS, 2 * MS);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  scene.collapsed = collapsed;
  picture = test_picture_lanes (&scene, 800.0, 100.0, 0.0);

  g_assert_cmpint (test_picture_find (picture, GUTTER, 12, over), ==, -1);
  g_assert_cmpint (test_picture_find (picture, GUTTER, 36, over), >=, GUTTER);
}

static void
test_missing_queues_are_said (void)
{
  g_autoptr(PlTrace) trace = make_hour ();
  PlScene scene = test_scene (trace);
  g_autoptr(TestPicture) picture = test_picture_lanes (&scene, 800.0, 150.0, 0.0);
  const PlPalette *palette = pl_palette_get (PL_THEME_LIGHT);

  /* A sentence right of the gutter, in both tracks. */
  g_assert_cmpuint (test_picture_count (picture, GUTTER, 60, 400, 40, palette->text_dim), >, 20);
  g_assert_cmpuint (test_picture_count (picture, GUTTER, 104, 400, 40, palette->text_dim), >, 20);
}

static void
test_queue_tracks_have_area_and_baseline (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  const PlPalette *palette = pl_palette_get (PL_THEME_LIGHT);
  PlScene scene;
  int zero_x, full_x;

  test_trace_poll (bytes, 0, 7, LOC, MS, US);
  for (gint64 at_ns = MS; at_ns < 100 * MS; at_ns += 10 * MS)
    test_trace_queue (bytes, "", at_ns < 50 * MS ? 0 : 40, 3, at_ns);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  picture = test_picture_lanes (&scene, 800.0, 150.0, 0.0);
  zero_x = (int) pl_scene_time_to_x (&scene, 800.0, 30 * MS);
  full_x = (int) pl_scene_time_to_x (&scene, 800.0, 70 * MS);

  g_assert_cmphex (test_picture_get (picture, zero_x, 58 + 30), ==, palette->ground);
  g_assert_cmphex (test_picture_get (picture, zero_x, 58 + 38), ==, palette->line);
  g_assert_cmphex (test_picture_get (picture, full_x, 58 + 30), ==,
                   pl_color_mix (palette->ground, palette->queue, 0.3));
  g_assert_cmphex (test_picture_get (picture, full_x, 58 + 38), ==, palette->line);
}

static void
assert_same_picture (const PlScene *scene, PlSceneCache *cache)
{
  PlScene cached = *scene;
  g_autoptr(TestPicture) fresh = test_picture_new (scene, pl_scene_draw, 700.0, 500.0);
  g_autoptr(TestPicture) kept = NULL;

  cached.cache = cache;
  kept = test_picture_new (&cached, pl_scene_draw, 700.0, 500.0);
  for (int y = 0; y < fresh->height; y++)
    g_assert_cmpmem (&fresh->pixels[y * fresh->stride], (gsize) fresh->width * 4, &kept->pixels[y * kept->stride],
                     (gsize) kept->width * 4);
}

/* A cache makes pictures faster, never different: after a change of view, threshold, theme, scale or trace. */
static void
test_cached_pictures_are_the_same (void)
{
  g_autoptr(PlSceneCache) cache = pl_scene_cache_new ();
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlTrace) hour = make_hour ();
  PlScene scene;

  for (gint64 i = 0; i < 600; i++)
    test_trace_poll (bytes, (guint64) i % 6, 7, LOC, SECOND + i * MS, (i % 5 + 1) * MS / 2);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);

  assert_same_picture (&scene, cache);
  assert_same_picture (&scene, cache);
  scene.from_ns += 100 * MS;
  assert_same_picture (&scene, cache);
  scene.to_ns -= 300 * MS;
  assert_same_picture (&scene, cache);
  scene.threshold_ns = 2 * MS;
  assert_same_picture (&scene, cache);
  scene.theme = PL_THEME_DARK;
  assert_same_picture (&scene, cache);
  scene.device_scale = 1.5;
  assert_same_picture (&scene, cache);
  scene = test_scene (hour);
  assert_same_picture (&scene, cache);
}

static void
add_for_both (const char *path, GTestDataFunc func)
{
  g_autofree char *light = g_strconcat (path, "/light", NULL);
  g_autofree char *dark = g_strconcat (path, "/dark", NULL);

  g_test_add_data_func (light, GINT_TO_POINTER (PL_THEME_LIGHT), func);
  g_test_add_data_func (dark, GINT_TO_POINTER (PL_THEME_DARK), func);
}

/* A worker with gaps of a tenth of the view and of a nanosecond, beside one without. */
static void
test_gaps_show_at_any_length (gconstpointer data)
{
  const PlPalette *palette = pl_palette_get ((PlTheme) GPOINTER_TO_INT (data));
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  g_autoptr(TestPicture) overview = NULL;
  int base = (int) PL_SCENE_OVERVIEW_HEIGHT - 6;
  int below = (int) (PL_BAND_TOP + PL_BAND_HEIGHT) + 3;
  PlScene scene;

  test_trace_metadata (bytes, SECOND, "parklane.stream", "merged");
  for (guint worker = 0; worker < 2; worker++)
    test_trace_poll (bytes, worker, 7, LOC, SECOND, 10 * US);
  test_trace_gap (bytes, &(PlGap) { SECOND + 200 * MS, SECOND + 300 * MS, 9, 0, 5, PL_GAP_RING_FULL });
  test_trace_gap (bytes, &(PlGap) { SECOND + 600 * MS, SECOND + 600 * MS + 1, 9, 0, 5, PL_GAP_RING_FULL });
  for (guint worker = 0; worker < 2; worker++)
    test_trace_poll (bytes, worker, 7, LOC, 2 * SECOND - 10 * US, 10 * US);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  scene.theme = (PlTheme) GPOINTER_TO_INT (data);
  picture = test_picture_lanes (&scene, GUTTER + 1000.0, 116.0, 0.0);
  overview = test_picture_new (&scene, pl_scene_draw_overview, GUTTER + 1000.0, PL_SCENE_OVERVIEW_HEIGHT);

  /* Edges of the long one, half of each in dashes, and strokes of both directions between. */
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 200, (int) PL_BAND_TOP, 1, (int) PL_BAND_HEIGHT, palette->text),
                    ==, 14);
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 299, (int) PL_BAND_TOP, 1, (int) PL_BAND_HEIGHT, palette->text),
                    ==, 14);
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 205, BAND_MIDDLE, 90, 1, palette->tick), >, 45);
  g_assert_cmphex (test_picture_get (picture, GUTTER + 190, BAND_MIDDLE), !=, palette->tick);

  /* The short one is wide enough to be seen, and has a cross below like the other. */
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 599, (int) PL_BAND_TOP, 3, (int) PL_BAND_HEIGHT, palette->text),
                    ==, 28);
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 247, below, 7, 7, palette->text), ==, 13);
  g_assert_cmpuint (test_picture_count (picture, GUTTER + 597, below, 7, 7, palette->text), ==, 13);

  /* The other worker lost nothing; the overview tells of all. */
  g_assert_cmpuint (test_picture_count (picture, GUTTER, 58 + (int) PL_BAND_TOP, 1000, 36, palette->text), ==, 0);
  g_assert_cmpuint (test_picture_count (overview, GUTTER + 205, base - 6, 90, 6, palette->tick), >, 90);
  g_assert_cmpuint (test_picture_count (overview, GUTTER + 598, base - 6, 5, 6, palette->text), >, 0);
}

/* A long poll is never hidden by a gap that shares its column. */
static void
test_a_gap_hides_no_long_poll (void)
{
  PlColor over = pl_palette_get (PL_THEME_LIGHT)->over;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(TestPicture) picture = NULL;
  PlScene scene;
  int x;

  test_trace_metadata (bytes, SECOND, "parklane.stream", "merged");
  test_trace_poll (bytes, 0, 7, LOC, SECOND, 10 * US);
  test_trace_poll (bytes, 0, 8, LOC, 1800 * SECOND, 2 * MS);
  test_trace_gap (bytes, &(PlGap) { 1800 * SECOND + 3 * MS, 1800 * SECOND + 4 * MS, 9, 0, 5, PL_GAP_RING_FULL });
  test_trace_poll (bytes, 0, 7, LOC, 3601 * SECOND, 10 * US);
  trace = test_trace_load (bytes);
  scene = test_scene (trace);
  picture = test_picture_lanes (&scene, 800.0, 58.0, 0.0);

  x = test_picture_find (picture, GUTTER, BAND_MIDDLE, over);
  g_assert_cmpint (x, >, GUTTER);
  assert_mark (picture, x, (int) (PL_BAND_TOP - PL_LONG_OUTSTAND), over);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  add_for_both ("/render/pixels/two-ms-in-an-hour", test_two_ms_in_an_hour);
  add_for_both ("/render/pixels/two-ms-in-an-hour-in-the-overview", test_two_ms_in_an_hour_in_the_overview);
  g_test_add_func ("/render/pixels/long-poll-of-one-in-thousands-in-the-overview", test_long_poll_of_one_in_thousands);
  g_test_add_func ("/render/pixels/short-but-important", test_short_but_important);
  g_test_add_func ("/render/pixels/long-polls-show-at-every-zoom", test_long_polls_show_at_every_zoom);
  g_test_add_func ("/render/pixels/zero-length-polls-show", test_zero_length_polls_show);
  add_for_both ("/render/pixels/states-are-told-apart", test_states_are_told_apart);
  g_test_add_func ("/render/pixels/open-poll-is-never-long", test_open_poll_is_never_long);
  g_test_add_func ("/render/pixels/order-ordinary-long-selected", test_order_ordinary_long_selected);
  g_test_add_func ("/render/pixels/edges-are-sharp-at-fractional-scales", test_edges_are_sharp_at_fractional_scales);
  g_test_add_func ("/render/pixels/no-surface-by-content-size", test_no_surface_by_content_size);
  g_test_add_func ("/render/pixels/folded-runtime-shows-long-polls", test_folded_runtime_shows_long_polls);
  g_test_add_func ("/render/pixels/missing-queues-are-said", test_missing_queues_are_said);
  g_test_add_func ("/render/pixels/queue-tracks-have-area-and-baseline", test_queue_tracks_have_area_and_baseline);
  g_test_add_func ("/render/pixels/cached-pictures-are-the-same", test_cached_pictures_are_the_same);
  g_test_add_data_func ("/render/pixels/gaps-show-at-any-length/light", GINT_TO_POINTER (PL_THEME_LIGHT),
                        test_gaps_show_at_any_length);
  g_test_add_data_func ("/render/pixels/gaps-show-at-any-length/dark", GINT_TO_POINTER (PL_THEME_DARK),
                        test_gaps_show_at_any_length);
  g_test_add_func ("/render/pixels/a-gap-hides-no-long-poll", test_a_gap_hides_no_long_poll);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
