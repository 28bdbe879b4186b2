/* test-duration.c: durations as people write and read them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>
#include <string.h>

#include "pl-duration.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)
#define S (1000 * MS)
#define MINUTE (60 * S)
#define HOUR (60 * MINUTE)

static void
test_parse (void)
{
  static const struct { const char *text; gint64 ns; } table[] = {
    { "1ns", 1 }, { "0ns", 0 }, { "0 s", 0 }, { "500us", 500 * US }, { "500 us", 500 * US },
    { "500\302\265s", 500 * US }, { "500 \316\274s", 500 * US }, { "1 ms", 1 * MS }, { "1ms", 1 * MS },
    { "0.4 s", 400 * MS }, { "1.5ms", 1500 * US }, { ".5 ms", 500 * US }, { "5. ms", 5 * MS },
    { "2 min", 2 * MINUTE },
    { "0.1min", 6 * S }, { " 1 ms ", 1 * MS }, { "1\tms", 1 * MS }, { "0.000001 ms", 1 },
    { "1.0000000001 s", 1 * S },
    { "0.3 us", 300 }, { "1.1 ms", 1100 * US }, { "4.35 s", 4350 * MS }, { "0.0000000001 min", 6 },
    { "007 ms", 7 * MS }, { "9223372036854775807 ns", G_MAXINT64 }, { "9223372036.854775807 s", G_MAXINT64 },
    { "153722867 min", 153722867 * MINUTE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr(GError) error = NULL;
      gint64 ns = -1;

      g_test_message ("%s", table[i].text);
      g_assert_true (pl_duration_parse (table[i].text, &ns, &error));
      g_assert_no_error (error);
      g_assert_cmpint (ns, ==, table[i].ns);
    }
}

static void
test_parse_refuses (void)
{
  static const char *const table[] = {
    "", " ", "1", "ms", " ms", "-1ms", "+1ms", "1 lightyear", "1e3 ms", "1e3ms", "1 m s", "1 msx", "1 MS", "1 S",
    "1 h",
    "0x10 ms", "NaN ms", "nan", "inf s", "infinity", "1,5 ms", "1.2.3 ms", ". ms", "..5 ms", "1 ms 2",
    "1 ms 2 ms", "1_000 ns",
    "9223372036854775808 ns", "9223372036.854775808 s", "153722868 min", "99999999999999999999 ns",
    "18446744073709551616 ns", "18446744073709551617 s", "1 \302\265", "1 \302\265m", "1 m\303\251s",
    "\357\274\221 ms", "1 s\n2",
    "ten ms", "1ms;", "--1 ms", "1 ms\302\240", "1 minute", "1 sec", "1 usec",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr(GError) error = NULL;
      gint64 ns = 4711;

      g_test_message ("%s", table[i]);
      g_assert_false (pl_duration_parse (table[i], &ns, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT);
      g_assert_cmpint (ns, ==, 4711);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
}

static void
test_format (void)
{
  static const struct { gint64 ns; const char *text; } table[] = {
    { 0, "0 ns" }, { 1, "1 ns" }, { 850, "850 ns" }, { 999, "999 ns" }, { 1000, "1 µs" }, { 1234, "1.23 µs" },
    { 96600, "96.6 µs" }, { 999499, "999 µs" }, { 999500, "1 ms" }, { 1 * MS, "1 ms" }, { 1500 * US, "1.5 ms" },
    { 9994 * US, "9.99 ms" }, { 9995 * US, "10 ms" }, { 90119140, "90.1 ms" }, { 99949 * US, "99.9 ms" },
    { 99950 * US, "100 ms" }, { 418213695, "418 ms" }, { 999499999, "999 ms" }, { 999500000, "1 s" },
    { 2010 * MS, "2.01 s" }, { 59949 * MS, "59.9 s" }, { 59950 * MS, "1 min 0 s" }, { 250 * S, "4 min 10 s" },
    { 59 * MINUTE + 59 * S + 499 * MS, "59 min 59 s" }, { 59 * MINUTE + 59 * S + 500 * MS, "1 h 0 min" },
    { 108 * MINUTE, "1 h 48 min" }, { 47 * HOUR + 59 * MINUTE, "47 h 59 min" }, { 48 * HOUR, "2 d 0 h" },
    { 99 * HOUR, "4 d 3 h" }, { G_MAXINT64, "106751 d 23 h" }, { -1500 * US, "−1.5 ms" }, { -1, "−1 ns" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *text = pl_duration_format (table[i].ns);

      g_assert_cmpstr (text, ==, table[i].text);
    }
}

static void
test_format_exact (void)
{
  static const struct { gint64 ns; const char *text; } table[] = {
    { 0, "0 ns" }, { 999, "999 ns" }, { 1000, "1.000 µs" }, { 90119140, "90.119140 ms" },
    { 999999999, "999.999999 ms" },
    { 1000000001, "1.000000001 s" }, { G_MAXINT64, "9223372036.854775807 s" }, { -1001, "−1.001 µs" },
    { G_MININT64, "−9223372036.854775808 s" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *text = pl_duration_format_exact (table[i].ns);

      g_assert_cmpstr (text, ==, table[i].text);
    }
}

/* What is shown can be typed in again, and means the same. */
static void
test_exact_text_parses_to_itself (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < 20000; i++)
    {
      gint64 ns = (gint64) (((guint64) g_rand_int (random) << 32 | g_rand_int (random)) >> g_rand_int_range (random, 1, 64));
      g_autofree char *text = pl_duration_format_exact (ns);
      gint64 parsed;

      g_assert_true (pl_duration_parse (text, &parsed, NULL));
      g_assert_cmpint (parsed, ==, ns);
    }
}

/* H34: neighbouring ticks of a ruler always differ, at any zoom and however far from the start. */
static void
test_offsets_differ_at_their_resolution (void)
{
  static const gint64 steps[] = { 1, 2, 5, 10, 20, 50, 500, 1 * US, 20 * US, 1 * MS, 5 * MS, 1 * S, 60 * S,
                                  1 * HOUR };
  static const gint64 starts[] = {
    0, 1, 999, 1 * US, 999 * US, 1 * MS, 999 * MS, 1 * S, 59 * S, 1 * MINUTE, 1 * HOUR, 4 * 24 * HOUR + 123456789,
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++)
    for (gsize j = 0; j < G_N_ELEMENTS (starts); j++)
      {
        g_autoptr(GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

        for (gint64 n = -20; n < 20; n++)
          {
            char *text = pl_duration_format_offset (starts[j] + n * steps[i], steps[i]);

            g_assert_true (g_utf8_validate (text, -1, NULL));
            g_assert_true (g_hash_table_add (seen, text));
          }
      }
}

static void
test_offset (void)
{
  static const struct { gint64 ns, resolution; const char *text; } table[] = {
    { 0, 1, "0" }, { 100796 * US, 1 * US, "+100.796 ms" }, { 1 * S, 1 * S, "+1 s" },
    { 1500 * MS, 100 * MS, "+1.5 s" },
    { -1500 * MS, 100 * MS, "−1.5 s" }, { 1234567890, 1, "+1.234567890 s" }, { 5, 1, "+5 ns" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autofree char *text = pl_duration_format_offset (table[i].ns, table[i].resolution);

      g_assert_cmpstr (text, ==, table[i].text);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/duration/parse", test_parse);
  g_test_add_func ("/trace/duration/parse-refuses-all-else", test_parse_refuses);
  g_test_add_func ("/trace/duration/format", test_format);
  g_test_add_func ("/trace/duration/format-exact", test_format_exact);
  g_test_add_func ("/trace/duration/exact-text-parses-to-itself", test_exact_text_parses_to_itself);
  g_test_add_func ("/trace/duration/offset", test_offset);
  g_test_add_func ("/trace/duration/offsets-differ-at-their-resolution", test_offsets_differ_at_their_resolution);
  return g_test_run ();
}
