/* test-calibration.c: a cycle counter is steered after the clock, or given up
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>

#include "calibration.h"
#include "clock.h"

#define MS G_GUINT64_CONSTANT (1000000)

/* A counter of 2.5 GHz that began at some value. */
static guint64
ticks_at (guint64 ns)
{
  return 987654321 + ns * 5 / 2;
}

static guint64
map (const PlrCalibration *calibration, guint64 ticks)
{
  const PlrMapping *m = &calibration->mapping;

  return plr_mapping_convert (m->base_ticks, m->base_ns, m->ns_per_tick, ticks);
}

static guint64
get_deviation (const PlrCalibration *calibration, guint64 ticks, guint64 ns)
{
  gint64 deviation = (gint64) (map (calibration, ticks) - ns);

  return (guint64) ABS (deviation);
}

static void
test_steady_counter_keeps_within_nanoseconds (void)
{
  PlrCalibration calibration = { 0 };
  guint64 start = 5000 * MS;
  guint64 ns;

  for (ns = start; ns < start + 90 * MS; ns += 10 * MS)
    g_assert_false (plr_calibration_add (&calibration, ticks_at (ns), ns));
  for (; ns < start + 20000 * MS; ns += 10 * MS)
    {
      guint64 noise = g_test_rand_int_range (0, 60); /* of the reading */

      plr_calibration_add (&calibration, ticks_at (ns), ns + noise);
      if (calibration.is_ready)
        g_assert_cmpuint (get_deviation (&calibration, ticks_at (ns + 5 * MS), ns + 5 * MS), <, 150);
    }
  g_assert_true (calibration.is_ready);
  g_assert_cmpuint (calibration.error_ns, <, 200);
}

/* Also where pieces join, and while the clock is steered by 500 ppm this way and that. */
static void
test_never_goes_back_and_follows_the_clock (void)
{
  PlrCalibration calibration = { 0 };
  guint64 real = 1000 * MS; /* what the counter follows */
  guint64 clock = 77777 * MS;
  guint64 last = 0;

  for (guint i = 0; i < 5000; i++)
    {
      gint64 rate_ppm = i / 500 % 2 == 0 ? 500 : -500;

      if (plr_calibration_add (&calibration, ticks_at (real), clock))
        for (guint k = 0; k < 10; k++)
          {
            guint64 now = map (&calibration, ticks_at (real + k * MS));

            g_assert_cmpuint (now, >=, last);
            last = now;
          }
      if (calibration.is_ready)
        g_assert_cmpuint (get_deviation (&calibration, ticks_at (real), clock), <, 200000);
      real += 10 * MS;
      clock += 10 * MS + (guint64) (10 * (gint64) MS / 1000000 * rate_ppm);
    }
  g_assert_true (calibration.is_ready);
}

static void
test_counter_that_jumps_is_given_up_for_good (void)
{
  PlrCalibration calibration = { 0 };
  guint64 ns;

  for (ns = 0; ns < 1000 * MS; ns += 10 * MS)
    plr_calibration_add (&calibration, ticks_at (ns), ns);
  g_assert_true (calibration.is_ready);

  g_assert_false (plr_calibration_add (&calibration, ticks_at (ns) + 1000000000, ns));
  g_assert_true (calibration.is_ready); /* one bad sample may be an accident */
  ns += 10 * MS;
  g_assert_false (plr_calibration_add (&calibration, ticks_at (ns) + 1000000000, ns));
  ns += 10 * MS;
  g_assert_true (plr_calibration_add (&calibration, ticks_at (ns) + 1000000000, ns));
  g_assert_true (calibration.is_distrusted);
  g_assert_false (calibration.is_ready);
  for (; ns < 3000 * MS; ns += 10 * MS)
    g_assert_false (plr_calibration_add (&calibration, ticks_at (ns), ns));
  g_assert_false (calibration.is_ready);
}

static void
test_counter_that_changes_its_rate_is_given_up (void)
{
  PlrCalibration calibration = { 0 };
  guint64 ns;

  for (ns = 0; ns < 1000 * MS; ns += 10 * MS)
    plr_calibration_add (&calibration, ticks_at (ns), ns);
  for (; ns < 1500 * MS; ns += 10 * MS) /* the processor clocks down by a fifth */
    plr_calibration_add (&calibration, ticks_at (1000 * MS) + (ns - 1000 * MS) * 2, ns);
  g_assert_true (calibration.is_distrusted);
}

static void
test_counter_that_stands_is_none (void)
{
  PlrCalibration calibration = { 0 };

  for (guint64 ns = 0; ns < 300 * MS; ns += 10 * MS)
    plr_calibration_add (&calibration, 42, ns);
  g_assert_true (calibration.is_distrusted);
  g_assert_false (calibration.is_ready);
}

/* The real thing, as far as this machine has it. */
static void
test_this_machines_clock_is_monotonic_and_close (void)
{
  guint64 until_ns;
  guint64 last_ns = 0;

  plr_clock_start (true);
  until_ns = plr_clock_read_system () + 300 * MS;
  while (plr_clock_read_system () < until_ns)
    {
      guint64 before_ns = plr_clock_read_system ();
      guint64 now_ns = plr_clock_now ();
      guint64 after_ns = plr_clock_read_system ();

      g_assert_cmpuint (now_ns + 50000, >=, before_ns);
      g_assert_cmpuint (now_ns, <=, after_ns + 50000);
      g_assert_cmpuint (now_ns + 1000, >=, last_ns);
      last_ns = now_ns;
      plr_clock_tick ();
    }
  g_test_message ("clock %s, largest deviation %" G_GUINT64_FORMAT " ns", plr_clock_get_name (), plr_clock_get_error_ns ());
  plr_clock_stop ();
  g_assert_cmpstr (plr_clock_get_name (), ==, "monotonic");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/calibration/steady-counter-keeps-within-nanoseconds",
                   test_steady_counter_keeps_within_nanoseconds);
  g_test_add_func ("/recorder/calibration/never-goes-back-and-follows-the-clock", test_never_goes_back_and_follows_the_clock);
  g_test_add_func ("/recorder/calibration/counter-that-jumps-is-given-up-for-good",
                   test_counter_that_jumps_is_given_up_for_good);
  g_test_add_func ("/recorder/calibration/counter-that-changes-its-rate-is-given-up",
                   test_counter_that_changes_its_rate_is_given_up);
  g_test_add_func ("/recorder/calibration/counter-that-stands-is-none", test_counter_that_stands_is_none);
  g_test_add_func ("/recorder/clock/this-machines-clock-is-monotonic-and-close",
                   test_this_machines_clock_is_monotonic_and_close);
  return g_test_run ();
}
