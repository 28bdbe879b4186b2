/* test-percentiles.c: percentiles are those of the sorted list of all durations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-percentiles.h"
#include "test-trace.h"

static const double shares[] = { 0, 0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 0.9999, 1 };
/* The same in millionths, for arithmetic without rounding. */
static const guint64 millionths[] = { 0, 1000, 250000, 500000, 900000, 990000, 999000, 999900, 1000000 };

static int
compare (gconstpointer a, gconstpointer b)
{
  return (*(const gint64 *) a > *(const gint64 *) b) - (*(const gint64 *) a < *(const gint64 *) b);
}

/* Nearest rank: the smallest value such that at least the share of all values is not larger. */
static void
assert_percentiles (PlTrace *trace, GArray *durations)
{
  gint64 found[G_N_ELEMENTS (shares)];

  g_array_sort (durations, compare);
  pl_percentiles_of_polls (trace, G_N_ELEMENTS (shares), shares, found);
  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      guint64 rank = MAX ((millionths[i] * durations->len + 999999) / 1000000, 1);

      g_assert_cmpint (found[i], ==, g_array_index (durations, gint64, rank - 1));
    }
}

/* Durations of all sizes: shift a random number by a random number of bits. */
static gint64
random_duration (GRand *random, guint max_bits)
{
  return g_rand_int (random) >> (32 - g_rand_int_range (random, 1, (gint32) max_bits + 1));
}

static void
test_random (gconstpointer data)
{
  const guint n = GPOINTER_TO_UINT (data);
  guint32 seed = (guint32) g_test_rand_int ();
  g_autoptr(GRand) random = g_rand_new_with_seed (seed);
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(PlTrace) trace = NULL;
  gint64 at[4] = { 1000, 1000, 1000, 1000 };

  g_test_message ("seed %u", seed);
  for (guint i = 0; i < n; i++)
    {
      gint64 duration = random_duration (random, 28);

      test_trace_poll (bytes, i % 4, i, "a.rs:1:1", at[i % 4], duration);
      at[i % 4] += duration + 1;
      g_array_append_val (durations, duration);
    }
  /* Neither open polls nor halves count. */
  test_trace_poll_start (bytes, 0, 1, "a.rs:1:1", at[0] + 1);
  test_trace_poll_end (bytes, 9, at[0] + 1);
  trace = test_trace_load (bytes);

  assert_percentiles (trace, durations);
}

static void
test_equal_durations (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(PlTrace) trace = NULL;
  const gint64 duration = 123456;

  for (guint i = 0; i < 1000; i++)
    {
      test_trace_poll (bytes, 0, i, "a.rs:1:1", 1000 + i * 1000000, duration);
      g_array_append_val (durations, duration);
    }
  trace = test_trace_load (bytes);

  assert_percentiles (trace, durations);
}

/* Neighbouring nanoseconds far up share a bucket, and are told apart all the same. */
static void
test_long_neighbours (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(GArray) durations = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(PlTrace) trace = NULL;

  for (guint i = 0; i < 1000; i++)
    {
      gint64 duration = G_GINT64_CONSTANT (1) * 1000000000 + (i * 7919) % 1000;

      test_trace_poll (bytes, i, i, "a.rs:1:1", 1000, duration);
      g_array_append_val (durations, duration);
    }
  trace = test_trace_load (bytes);

  assert_percentiles (trace, durations);
}

static void
test_no_polls (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 found = 4711;

  test_trace_custom (bytes, "S", 1000);
  trace = test_trace_load (bytes);
  pl_percentiles_of_polls (trace, 1, &shares[3], &found);

  g_assert_cmpint (found, ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/analysis/percentiles/of-one-poll", GUINT_TO_POINTER (1), test_random);
  g_test_add_data_func ("/analysis/percentiles/of-two-polls", GUINT_TO_POINTER (2), test_random);
  g_test_add_data_func ("/analysis/percentiles/of-a-hundred-polls", GUINT_TO_POINTER (100), test_random);
  g_test_add_data_func ("/analysis/percentiles/of-999-polls", GUINT_TO_POINTER (999), test_random);
  g_test_add_data_func ("/analysis/percentiles/of-1001-polls", GUINT_TO_POINTER (1001), test_random);
  g_test_add_data_func ("/analysis/percentiles/of-100000-polls", GUINT_TO_POINTER (100000), test_random);
  g_test_add_func ("/analysis/percentiles/of-equal-durations", test_equal_durations);
  g_test_add_func ("/analysis/percentiles/of-long-neighbours", test_long_neighbours);
  g_test_add_func ("/analysis/percentiles/of-no-polls", test_no_polls);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
