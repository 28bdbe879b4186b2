/* test-usage.c: disk usage, budget, evictions and verdicts are seen under the overview, and not by colour alone
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#include "pl-usage.h"
#include "test-picture.h"
#include "test-trace.h"

#define SECOND G_GINT64_CONSTANT (1000000000)
#define MB G_GUINT64_CONSTANT (1000000)
#define GUTTER ((int) PL_SCENE_GUTTER_WIDTH)
#define SPAN_S 100
#define SECOND_PX 6
#define WIDTH (GUTTER + SPAN_S * SECOND_PX)
#define HEIGHT ((int) PL_USAGE_HEIGHT)
#define BAND_TOP (HEIGHT - 5)

/* Of what the function below draws: a TestPictureDraw has no room for it. */
static const PlUsage *drawn;

static void
draw (const PlScene *scene, cairo_t *cr, double width, double height)
{
  pl_scene_draw_usage (scene, drawn, cr, width, height);
}

/* A session of a hundred seconds, drawn so that six pixels are a second. */
static TestPicture *
make_picture (PlUsage *usage, PlTheme theme)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 start_ns;
  PlScene scene;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", SECOND, SECOND);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", SPAN_S * SECOND, SECOND);
  trace = test_trace_load (bytes);
  start_ns = pl_trace_get_start_ns (trace);
  g_assert_cmpint (pl_trace_get_end_ns (trace) - start_ns, ==, SPAN_S * SECOND);
  scene = test_scene (trace);
  scene.theme = theme;
  for (guint i = 0; i < usage->n_points; i++)
    ((PlUsagePoint *) usage->points)[i].at_ns += start_ns;
  for (guint i = 0; i < usage->n_spans; i++)
    ((PlUsageSpan *) usage->spans)[i].from_ns += start_ns;
  usage->now_ns += start_ns;
  drawn = usage;
  return test_picture_new (&scene, draw, WIDTH, HEIGHT);
}

static int
to_x (int second)
{
  return GUTTER + second * SECOND_PX;
}

/* The highest row, below the ticks of evictions, in which something is drawn. */
static int
find_top (const TestPicture *picture, int x, PlColor ground)
{
  for (int y = 5; y < HEIGHT; y++)
    if (test_picture_get (picture, x, y) != ground)
      return y;
  return HEIGHT;
}

static void
test_usage_rises_and_falls (gconstpointer data)
{
  PlTheme theme = (PlTheme) GPOINTER_TO_INT (data);
  PlUsagePoint points[] = { { 0, 10 * MB, 0, 0 }, { 30 * SECOND, 40 * MB, 0, 0 }, { 60 * SECOND, 20 * MB, 0, 0 } };
  PlUsage usage = { .points = points, .n_points = 3, .now_ns = SPAN_S * SECOND };
  g_autoptr(TestPicture) picture = make_picture (&usage, theme);
  PlColor ground = pl_palette_get (theme)->ground;
  int low = find_top (picture, to_x (15), ground);
  int high = find_top (picture, to_x (45), ground);
  int middle = find_top (picture, to_x (80), ground);

  g_assert_cmpint (high, <, middle);
  g_assert_cmpint (middle, <, low);
  g_assert_cmpint (low, <, BAND_TOP - 2);
}

static guint
count_changes (const TestPicture *picture, int y, PlColor ground)
{
  guint n = 0;

  for (int x = GUTTER + 1; x < WIDTH; x++)
    n += (test_picture_get (picture, x, y) == ground) != (test_picture_get (picture, x - 1, y) == ground);
  return n;
}

static void
test_budget_is_dashed_above_usage (gconstpointer data)
{
  PlTheme theme = (PlTheme) GPOINTER_TO_INT (data);
  PlUsagePoint points[] = { { 0, 20 * MB, 0, 0 }, { 50 * SECOND, 50 * MB, 0, 0 } };
  PlUsage usage = { .points = points, .n_points = 2, .budget_bytes = 100 * MB, .now_ns = SPAN_S * SECOND };
  PlColor ground = pl_palette_get (theme)->ground;
  g_autoptr(TestPicture) picture = make_picture (&usage, theme);
  g_autoptr(TestPicture) without = NULL;
  int y = find_top (picture, to_x (10), ground);

  for (int x = GUTTER; x < to_x (10); x++)
    y = MIN (y, find_top (picture, x, ground));
  g_assert_cmpint (y, <, HEIGHT / 3);
  g_assert_cmpuint (count_changes (picture, y, ground), >, SPAN_S);
  /* Far off it would press the usage flat, and is told in the gutter alone. */
  usage.budget_bytes = 10000 * MB;
  usage.now_ns = SPAN_S * SECOND;
  for (guint i = 0; i < G_N_ELEMENTS (points); i++)
    points[i].at_ns = i * 50 * SECOND;
  without = make_picture (&usage, theme);
  for (y = 5; y < BAND_TOP; y++)
    g_assert_cmpuint (count_changes (without, y, ground), <=, 4);
}

static void
test_evictions_are_ticks (gconstpointer data)
{
  PlTheme theme = (PlTheme) GPOINTER_TO_INT (data);
  PlUsagePoint points[SPAN_S];
  PlUsage usage = { .points = points, .n_points = SPAN_S, .now_ns = SPAN_S * SECOND };
  PlColor tick = pl_palette_get (theme)->text_dim;
  g_autoptr(TestPicture) picture = NULL;

  for (guint i = 0; i < SPAN_S; i++)
    points[i] = (PlUsagePoint) { i * SECOND, 30 * MB, i * MB, i >= 70 ? 2 * MB : i >= 40 ? MB : 0 };
  picture = make_picture (&usage, theme);
  g_assert_cmpuint (test_picture_count (picture, to_x (40), 0, 1, 4, tick), ==, 4);
  g_assert_cmpuint (test_picture_count (picture, to_x (70), 0, 1, 4, tick), ==, 4);
  g_assert_cmpuint (test_picture_count (picture, GUTTER, 0, WIDTH - GUTTER, 1, tick), ==, 2);
}

/* Which of the last rows have something in them, and whether all of it has: what is left without any colour. */
static void
read_form (const TestPicture *picture, int from_x, int to_x, PlColor ground, char form[16])
{
  for (int row = 0; row < 8; row++)
    {
      int y = HEIGHT - 9 + row;
      guint n_empty = test_picture_count (picture, from_x, y, to_x - from_x, 1, ground);

      form[row] = n_empty == (guint) (to_x - from_x) ? ' ' : n_empty == 0 ? '#' : '/';
    }
  form[8] = test_picture_get (picture, from_x + 6, 1) != test_picture_get (picture, to_x - 6, 1) ? 'v' : ' ';
  form[9] = '\0';
}

static void
test_verdicts_differ_in_form (gconstpointer data)
{
  PlTheme theme = (PlTheme) GPOINTER_TO_INT (data);
  PlUsagePoint points[] = { { 0, MB, 0, 0 }, { SPAN_S * SECOND, MB, 0, 0 } };
  PlUsageSpan spans[] = { { 0, PL_USAGE_UNKNOWN }, { 20 * SECOND, PL_USAGE_FINE }, { 40 * SECOND, PL_USAGE_QUIET },
                          { 60 * SECOND, PL_USAGE_OVER }, { 80 * SECOND, PL_USAGE_ALARM } };
  PlUsage usage = { points, 2, spans, G_N_ELEMENTS (spans), 0, SPAN_S * SECOND };
  g_autoptr(TestPicture) picture = make_picture (&usage, theme);
  PlColor ground = pl_palette_get (theme)->ground;
  char forms[G_N_ELEMENTS (spans)][16];

  for (guint i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      read_form (picture, to_x (20 * (int) i), to_x (20 * (int) i + 20), ground, forms[i]);
      g_test_message ("%s", forms[i]);
      for (guint j = 0; j < i; j++)
        g_assert_cmpstr (forms[i], !=, forms[j]);
    }
}

static void
test_stall_has_a_mark_however_short (gconstpointer data)
{
  PlTheme theme = (PlTheme) GPOINTER_TO_INT (data);
  PlUsagePoint points[] = { { 0, MB, 0, 0 }, { SPAN_S * SECOND, MB, 0, 0 } };
  PlUsageSpan spans[] = { { 0, PL_USAGE_FINE }, { 50 * SECOND, PL_USAGE_ALARM }, { 50 * SECOND + 1, PL_USAGE_FINE } };
  PlUsage usage = { points, 2, spans, G_N_ELEMENTS (spans), 0, SPAN_S * SECOND };
  g_autoptr(TestPicture) picture = make_picture (&usage, theme);
  PlColor over = pl_palette_get (theme)->over;

  for (int row = 0; row < 5; row++)
    g_assert_cmpuint (test_picture_count (picture, GUTTER, row, WIDTH - GUTTER, 1, over), ==, 12 - 2 * row - 2);
  g_assert_cmpint (test_picture_find (picture, GUTTER, 1, over), >=, to_x (50));
}

static void
add (const char *name, GTestDataFunc function)
{
  const struct
  {
    const char *name;
    PlTheme theme;
  } themes[] = { { "light", PL_THEME_LIGHT }, { "dark", PL_THEME_DARK } };

  for (guint i = 0; i < G_N_ELEMENTS (themes); i++)
    {
      g_autofree char *path = g_strdup_printf ("/render/usage/%s/%s", name, themes[i].name);

      g_test_add_data_func (path, GINT_TO_POINTER (themes[i].theme), function);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("usage-rises-and-falls", test_usage_rises_and_falls);
  add ("budget-is-dashed-above-usage", test_budget_is_dashed_above_usage);
  add ("evictions-are-ticks", test_evictions_are_ticks);
  add ("verdicts-differ-in-form", test_verdicts_differ_in_form);
  add ("stall-has-a-mark-however-short", test_stall_has_a_mark_however_short);
  return g_test_run ();
}
