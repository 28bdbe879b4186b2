/* test-ticks.c: steps, places and names of the ruler's ticks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib.h>

#include "pl-ticks.h"

#define SECOND_NS (G_GINT64_CONSTANT (1000) * 1000 * 1000)
#define UPTIME_NS (4 * PL_TICKS_DAY_NS + 12345)
#define NOON_NS (G_GINT64_CONSTANT (1764676800) * 1000 * 1000 * 1000) /* 2 December 2025, 12:00 UTC */

static void
test_steps_are_1_2_5 (void)
{
  static const struct
  {
    gint64 span_ns;
    gint64 step_ns;
  } cases[] = {
    { 1, 1 },
    { 10, 1 },
    { 11, 2 },
    { 30, 5 },
    { 210 * 1000 * 1000, 50 * 1000 * 1000 },
    { 10 * SECOND_NS, SECOND_NS },
    { 600 * SECOND_NS, 60 * SECOND_NS },
    { 3 * 3600 * SECOND_NS, 1800 * SECOND_NS },
    { PL_TICKS_DAY_NS, 6 * 3600 * SECOND_NS },
    { 40 * PL_TICKS_DAY_NS, 5 * PL_TICKS_DAY_NS },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (pl_ticks_get_step (cases[i].span_ns, 10.0), ==, cases[i].step_ns);
}

static void
test_steps_grow_with_the_span (void)
{
  gint64 last_ns = 1;

  for (gint64 span_ns = 1; span_ns < G_MAXINT64 / 3; span_ns *= 3)
    {
      gint64 step_ns = pl_ticks_get_step (span_ns, 14.0);

      g_assert_cmpint (step_ns, >=, last_ns);
      g_assert_cmpfloat ((double) span_ns / (double) step_ns, <=, 14.0);
      last_ns = step_ns;
    }
}

static void
test_minor_steps_divide (void)
{
  for (gint64 span_ns = 10; span_ns < 400 * PL_TICKS_DAY_NS; span_ns *= 2)
    {
      gint64 step_ns = pl_ticks_get_step (span_ns, 12.0);
      gint64 minor_ns = pl_ticks_get_minor_step (step_ns);

      if (step_ns == 1)
        {
          g_assert_cmpint (minor_ns, ==, 0);
          continue;
        }
      g_assert_cmpint (minor_ns, >, 0);
      g_assert_cmpint (step_ns % minor_ns, ==, 0);
      g_assert_cmpint (step_ns / minor_ns, >=, 2);
      g_assert_cmpint (step_ns / minor_ns, <=, 6);
    }
}

static void
test_first_tick_is_at_or_after_the_edge (void)
{
  gint64 at_ns;

  g_assert_true (pl_ticks_get_first (1000, 1000, 50, &at_ns));
  g_assert_cmpint (at_ns, ==, 1000);
  g_assert_true (pl_ticks_get_first (1001, 1000, 50, &at_ns));
  g_assert_cmpint (at_ns, ==, 1050);
  g_assert_true (pl_ticks_get_first (999, 1000, 50, &at_ns));
  g_assert_cmpint (at_ns, ==, 1000);
  g_assert_true (pl_ticks_get_first (930, 1000, 50, &at_ns));
  g_assert_cmpint (at_ns, ==, 950);
  g_assert_false (pl_ticks_get_first (G_MAXINT64 - 1, 0, 1000, &at_ns));
  g_assert_false (pl_ticks_get_first (G_MAXINT64, -10, 1000, &at_ns));
}

/* At every zoom from 10 ns on, early in a session and four days into it (H34). */
static void
test_neighbouring_offsets_differ (void)
{
  static const gint64 starts[] = { 0, 999 * 1000, 59 * SECOND_NS, UPTIME_NS };

  for (gsize i = 0; i < G_N_ELEMENTS (starts); i++)
    for (gint64 span_ns = 10; span_ns < 10 * PL_TICKS_DAY_NS; span_ns *= 3)
      {
        gint64 step_ns = pl_ticks_get_step (span_ns, 14.0);
        g_autofree char *last = NULL;
        gint64 at_ns;

        g_assert_true (pl_ticks_get_first (starts[i], 0, step_ns, &at_ns));
        for (int n = 0; n < 14; n++, at_ns += step_ns)
          {
            char *label = pl_ticks_format_offset (at_ns, step_ns);

            g_assert_cmpstr (label, !=, last);
            g_free (last);
            last = label;
          }
      }
}

static void
test_neighbouring_clocks_differ (void)
{
  for (gint64 span_ns = 10; span_ns < 10 * PL_TICKS_DAY_NS; span_ns *= 3)
    {
      gint64 step_ns = pl_ticks_get_step (span_ns, 10.0);
      g_autofree char *last = NULL;
      gint64 at_ns;

      g_assert_true (pl_ticks_get_first (NOON_NS + UPTIME_NS, 0, step_ns, &at_ns));
      for (int n = 0; n < 10; n++, at_ns += step_ns)
        {
          char *label = pl_ticks_format_clock (at_ns, step_ns, FALSE);

          g_assert_cmpstr (label, !=, last);
          g_free (last);
          last = label;
        }
    }
}

static void
test_offsets_as_people_write_them (void)
{
  static const struct
  {
    gint64 offset_ns;
    gint64 step_ns;
    const char *text;
  } cases[] = {
    { 0, 1, "0" },
    { 80 * 1000 * 1000, 20 * 1000 * 1000, "+80 ms" },
    { 1500 * 1000 * 1000, 500 * 1000 * 1000, "+1.5 s" },
    { 90 * SECOND_NS, 30 * SECOND_NS, "+90 s" },
    { 5400 * SECOND_NS, 1800 * SECOND_NS, "+1 h 30 min" },
    { 4 * PL_TICKS_DAY_NS, 6 * 3600 * SECOND_NS, "+4 d" },
    { 4 * PL_TICKS_DAY_NS + 3600 * SECOND_NS, 3600 * SECOND_NS, "+4 d 1 h" },
    { -120 * SECOND_NS, 60 * SECOND_NS, "−2 min" },
    { 4 * PL_TICKS_DAY_NS + 7, 1, "+345600.000000007 s" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = pl_ticks_format_offset (cases[i].offset_ns, cases[i].step_ns);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_clock_shows_the_day_and_needed_digits (void)
{
  static const struct
  {
    gint64 local_ns;
    gint64 step_ns;
    gboolean with_day;
    const char *text;
  } cases[] = {
    { NOON_NS, 60 * SECOND_NS, FALSE, "12:00" },
    { NOON_NS, 60 * SECOND_NS, TRUE, "2 Dec 12:00" },
    { NOON_NS + SECOND_NS, SECOND_NS, FALSE, "12:00:01" },
    { NOON_NS + 118 * 1000 * 1000, 2 * 1000 * 1000, FALSE, "12:00:00.118" },
    { NOON_NS + 7, 1, FALSE, "12:00:00.000000007" },
    { NOON_NS + PL_TICKS_DAY_NS, PL_TICKS_DAY_NS, FALSE, "3 Dec" },
    { -1, 1, FALSE, "23:59:59.999999999" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = pl_ticks_format_clock (cases[i].local_ns, cases[i].step_ns, cases[i].with_day);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/render/ticks/steps-are-1-2-5", test_steps_are_1_2_5);
  g_test_add_func ("/render/ticks/steps-grow-with-the-span", test_steps_grow_with_the_span);
  g_test_add_func ("/render/ticks/minor-steps-divide", test_minor_steps_divide);
  g_test_add_func ("/render/ticks/first-tick-is-at-or-after-the-edge", test_first_tick_is_at_or_after_the_edge);
  g_test_add_func ("/render/ticks/neighbouring-offsets-differ", test_neighbouring_offsets_differ);
  g_test_add_func ("/render/ticks/neighbouring-clocks-differ", test_neighbouring_clocks_differ);
  g_test_add_func ("/render/ticks/offsets-as-people-write-them", test_offsets_as_people_write_them);
  g_test_add_func ("/render/ticks/clock-shows-the-day-and-needed-digits", test_clock_shows_the_day_and_needed_digits);
  return g_test_run ();
}
