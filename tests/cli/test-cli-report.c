/* test-cli-report.c: the shape and the content of `parklane-cli report`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli-runner.h"
#include "test-trace.h"

static char *
get_data (const char *name)
{
  return g_build_filename (g_getenv ("PARKLANE_TEST_DATA"), name, NULL);
}

static JsonArray *
get_array (const CliRun *run, const char *name)
{
  return json_object_get_array_member (run->json, name);
}

static void
assert_elements (JsonArray *array, const char *members)
{
  g_assert_cmpuint (json_array_get_length (array), >, 0);
  for (guint i = 0; i < json_array_get_length (array); i++)
    cli_assert_members (json_array_get_object_element (array, i), members);
}

static void
test_shape (void)
{
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("report", "--json", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpstr (run->err, ==, "");
  cli_assert_members (run->json, "threshold_ns:n polls:o workers:a tasks:o long_polls:a spawn_locations:a");
  cli_assert_members (json_object_get_object_member (run->json, "polls"),
                      "count:n open:n unpaired:n total_ns:n max_ns:n p50_ns:n p99_ns:n p999_ns:n at_least:o");
  cli_assert_members (json_object_get_object_member (json_object_get_object_member (run->json, "polls"),
                                                     "at_least"),
                      "1ms:n 5ms:n 100ms:n");
  cli_assert_members (json_object_get_object_member (run->json, "tasks"), "spawned:n terminated:n seen:n");
  assert_elements (get_array (run, "workers"), "id:n polls:n busy_ns:n parked_ns:n unknown_ns:n longest_ns:n");
  assert_elements (get_array (run, "long_polls"), "worker:n start_ns:n duration_ns:n task_id:n spawn_loc:s");
  assert_elements (get_array (run, "spawn_locations"), "spawn_loc:s polls:n total_ns:n max_ns:n over_threshold:n");
  g_assert_true (strchr (run->out, '\n') == run->out + strlen (run->out) - 1);
}

static void
test_figures (void)
{
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("report", "--json", path, NULL);
  JsonObject *worst = json_array_get_object_element (get_array (run, "long_polls"), 0);

  g_assert_cmpint (cli_get_number (run->json, "threshold_ns"), ==, 1000000);
  g_assert_cmpint (cli_get_number (run->json, "polls.count"), ==, 741);
  g_assert_cmpint (cli_get_number (run->json, "polls.total_ns"), ==, 1183377657);
  g_assert_cmpint (cli_get_number (run->json, "polls.max_ns"), ==, 418213695);
  g_assert_cmpint (cli_get_number (run->json, "polls.at_least.5ms"), ==, 28);
  g_assert_cmpint (cli_get_number (run->json, "polls.at_least.100ms"), ==, 2);
  g_assert_cmpint (cli_get_number (run->json, "tasks.spawned"), ==, 29);
  g_assert_cmpint (cli_get_number (run->json, "tasks.terminated"), ==, 31);
  g_assert_cmpuint (json_array_get_length (get_array (run, "long_polls")), ==, 28);
  g_assert_cmpint (cli_get_number (worst, "duration_ns"), ==, 418213695);
  g_assert_cmpint (cli_get_number (worst, "start_ns"), ==, 2477897022528);
  g_assert_cmpint (cli_get_number (worst, "task_id"), ==, 5);
  g_assert_cmpstr (json_object_get_string_member (worst, "spawn_loc"), ==, "src/../../workloads.rs:87:30");
}

/* The sums of the parts are the whole. */
static void
test_sums (void)
{
  g_autofree char *path = get_data ("v057-blockmix/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("report", "--json", "--threshold", "5ms", path, NULL);
  JsonArray *workers = get_array (run, "workers");
  JsonArray *locations = get_array (run, "spawn_locations");
  gint64 by_worker = 0, by_location = 0, busy = 0, total = 0, over = 0;

  for (guint i = 0; i < json_array_get_length (workers); i++)
    {
      by_worker += cli_get_number (json_array_get_object_element (workers, i), "polls");
      busy += cli_get_number (json_array_get_object_element (workers, i), "busy_ns");
    }
  for (guint i = 0; i < json_array_get_length (locations); i++)
    {
      by_location += cli_get_number (json_array_get_object_element (locations, i), "polls");
      total += cli_get_number (json_array_get_object_element (locations, i), "total_ns");
      over += cli_get_number (json_array_get_object_element (locations, i), "over_threshold");
    }
  g_assert_cmpint (by_worker, ==, 123);
  g_assert_cmpint (by_location, ==, 123);
  g_assert_cmpint (busy, ==, cli_get_number (run->json, "polls.total_ns"));
  g_assert_cmpint (total, ==, busy);
  g_assert_cmpint (over, ==, 49);
  g_assert_cmpuint (json_array_get_length (get_array (run, "long_polls")), ==, 49);
}

static void
test_threshold (void)
{
  static const struct { const char *text; gint64 ns; guint n; } table[] = {
    { "5ms", 5000000, 28 }, { "40 ms", 40000000, 8 }, { "0.1 s", 100000000, 2 }, { "100000us", 100000000, 2 },
    { "100000\302\265s", 100000000, 2 }, { "418213695ns", 418213695, 1 }, { "418213696ns", 418213696, 0 },
    { "1min", 60000000000, 0 }, { "0ns", 0, 741 },
  };
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr(CliRun) run = cli_run ("report", "--json", "--threshold", table[i].text, path, NULL);

      g_assert_cmpint (run->status, ==, 0);
      g_assert_cmpint (cli_get_number (run->json, "threshold_ns"), ==, table[i].ns);
      g_assert_cmpuint (json_array_get_length (get_array (run, "long_polls")), ==, table[i].n);
      /* The fixed figures do not follow the threshold. */
      g_assert_cmpint (cli_get_number (run->json, "polls.at_least.5ms"), ==, 28);
    }
}

static void
test_limit (void)
{
  static const struct { const char *limit; guint n; } table[] = { { "0", 0 }, { "3", 3 }, { "28", 28 },
                                                                  { "1000", 28 } };
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      g_autoptr(CliRun) run = cli_run ("report", "--json", "--limit", table[i].limit, path, NULL);

      g_assert_cmpint (run->status, ==, 0);
      g_assert_cmpuint (json_array_get_length (get_array (run, "long_polls")), ==, table[i].n);
      g_assert_cmpint (cli_get_number (run->json, "polls.at_least.1ms"), ==, 28);
      for (guint j = 1; j < table[i].n; j++)
        g_assert_cmpint (cli_get_number (json_array_get_object_element (get_array (run, "long_polls"), j),
                                         "duration_ns"), <=,
                         cli_get_number (json_array_get_object_element (get_array (run, "long_polls"), j - 1),
                                         "duration_ns"));
    }
}

static void
test_sentinels_are_no_workers (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) run = NULL;

  test_trace_poll (bytes, 255, 1, "a.rs:1:1", 1000000, 2000000);
  test_trace_poll (bytes, 254, 1, "a.rs:1:1", 1000000, 2000000);
  test_trace_poll (bytes, 3, 1, "a.rs:1:1", 1000000, 2000000);
  path = test_trace_save (bytes, "sentinels.bin");
  run = cli_run ("report", "--json", path, NULL);

  g_assert_cmpuint (json_array_get_length (get_array (run, "workers")), ==, 1);
  g_assert_cmpint (cli_get_number (json_array_get_object_element (get_array (run, "workers"), 0), "id"), ==, 3);
}

/* H06: what precedes the fault is reported all the same. */
static void
test_damaged_file (void)
{
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");
  g_autofree char *cut = g_build_filename (test_trace_directory (), "cut.bin", NULL);
  g_autofree char *bytes = NULL;
  gsize size;
  FILE *file = fopen (cut, "wb");
  g_autoptr(CliRun) run = NULL;

  g_assert_true (g_file_get_contents (path, &bytes, &size, NULL));
  fwrite (bytes, 1, 20000, file);
  fclose (file);
  run = cli_run ("report", "--json", cut, NULL);

  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpint (cli_get_number (run->json, "polls.count"), >, 100);
  g_assert_nonnull (strstr (run->err, cut));
  g_assert_nonnull (strstr (run->err, "byte 19995"));
  g_assert_nonnull (strstr (run->err, "5 of 20000 bytes were not read"));
}

/* H03, H08 and the rest for people: units they read, columns under each other. */
static void
test_text_is_aligned (void)
{
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("report", path, NULL);
  g_auto(GStrv) lines = g_strsplit (run->out, "\n", -1);
  const char *header = NULL;

  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (g_utf8_validate (run->out, -1, NULL));
  g_assert_nonnull (strstr (run->out, "741 polls, 1.18 s in all"));
  g_assert_nonnull (strstr (run->out, "µs"));
  for (gsize i = 0; lines[i] != NULL; i++)
    {
      if (g_str_has_prefix (lines[i], "  worker "))
        header = lines[i];
      else if (*lines[i] == '\0')
        header = NULL;
      else if (header != NULL)
        g_assert_cmpint (g_utf8_strlen (lines[i], -1), ==, g_utf8_strlen (header, -1));
    }
  g_assert_cmpuint (g_strv_length (lines), >, 20);
}

static void
test_text_without_workers (void)
{
  g_autofree char *path = get_data ("v0315-killed/trace.0.bin.active");
  g_autoptr(CliRun) run = cli_run ("report", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_nonnull (strstr (run->out, "no worker events"));
}

static void
test_text_says_how_many_more (void)
{
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("report", "--limit", "3", path, NULL);

  g_assert_nonnull (strstr (run->out, "25 more"));
}

static void
copy_segment (const char *from, const char *folder, const char *name)
{
  g_autofree char *from_path = get_data (from);
  g_autofree char *to_path = g_build_filename (folder, name, NULL);
  g_autoptr(GFile) source = g_file_new_for_path (from_path);
  g_autoptr(GFile) target = g_file_new_for_path (to_path);

  g_assert_true (g_file_copy (source, target, G_FILE_COPY_OVERWRITE, NULL, NULL, NULL, NULL));
}

/* Segments 0 to 4 were evicted, and somebody removed 6. */
static void
test_evicted_segments (void)
{
  g_autofree char *folder = g_build_filename (test_trace_directory (), "evicted", NULL);
  g_autofree char *segment = g_build_filename (folder, "trace.5.bin", NULL);
  g_autofree char *whole = get_data ("v057-killrot");
  g_autoptr(CliRun) json = NULL;
  g_autoptr(CliRun) text = NULL;
  g_autoptr(CliRun) info = NULL;
  g_autoptr(CliRun) info_text = NULL;
  g_autoptr(CliRun) one = NULL;
  g_autoptr(CliRun) all = cli_run ("report", "--json", whole, NULL);

  g_mkdir_with_parents (folder, 0700);
  copy_segment ("v057-killrot/trace.0.bin", folder, "trace.5.bin");
  copy_segment ("v057-killrot/trace.2.bin", folder, "trace.7.bin");
  json = cli_run ("report", "--json", folder, NULL);
  text = cli_run ("report", folder, NULL);
  info = cli_run ("info", "--json", folder, NULL);
  info_text = cli_run ("info", folder, NULL);
  one = cli_run ("report", "--json", segment, NULL);

  g_assert_cmpint (cli_get_number (json->json, "evicted_segments"), ==, 5);
  g_assert_cmpint (cli_get_number (json->json, "missing_segments"), ==, 1);
  g_assert_cmpint (cli_get_number (info->json, "evicted_segments"), ==, 5);
  g_assert_cmpint (cli_get_number (info->json, "missing_segments"), ==, 1);
  g_assert_nonnull (strstr (text->out, "\n5 earlier segments are not here"));
  g_assert_nonnull (strstr (text->out, "\n1 segment is missing between others"));
  g_assert_nonnull (strstr (info_text->out, "\n5 earlier segments are not here"));
  g_assert_cmpint (cli_get_number (one->json, "evicted_segments"), ==, 0);
  g_assert_cmpint (cli_get_number (all->json, "evicted_segments"), ==, 0);
  g_assert_cmpint (cli_get_number (all->json, "missing_segments"), ==, 0);
}

/* H03: 250,000 ns are 250 µs as text, as a threshold and in JSON. */
static void
test_nanoseconds (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) text = NULL;
  g_autoptr(CliRun) at_it = NULL;
  g_autoptr(CliRun) over_it = NULL;
  JsonObject *poll;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000000, 250000);
  path = test_trace_save (bytes, "nanoseconds.bin");
  text = cli_run ("report", "--threshold", "0.25ms", path, NULL);
  at_it = cli_run ("report", "--json", "--threshold", "250us", path, NULL);
  over_it = cli_run ("report", "--json", "--threshold", "250001ns", path, NULL);
  poll = json_array_get_object_element (get_array (at_it, "long_polls"), 0);

  g_assert_nonnull (strstr (text->out, "1 polls, 250 µs in all"));
  g_assert_nonnull (strstr (text->out, "longest 250 µs\n1 polls of 250 µs or more"));
  g_assert_cmpint (cli_get_number (at_it->json, "polls.max_ns"), ==, 250000);
  g_assert_cmpint (cli_get_number (poll, "start_ns"), ==, 1000000);
  g_assert_cmpint (cli_get_number (poll, "duration_ns"), ==, 250000);
  g_assert_cmpuint (json_array_get_length (get_array (over_it, "long_polls")), ==, 0);
}

static void
test_outliers (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) json = NULL;
  g_autoptr(CliRun) text = NULL;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000000, 2000000);
  test_trace_poll_start (bytes, 0, 1, "a.rs:1:1", G_MAXINT64);
  path = test_trace_save (bytes, "outliers.bin");
  json = cli_run ("report", "--json", path, NULL);
  text = cli_run ("report", path, NULL);

  g_assert_cmpint (cli_get_number (json->json, "outliers"), ==, 1);
  g_assert_nonnull (strstr (text->out, "\n1 events at impossible times are left out\n"));
}

/* JSON-GLib's integers are signed: a larger id is text, and never a negative number. */
static void
test_largest_ids_are_text (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) run = NULL;
  JsonObject *worst;

  test_trace_poll (bytes, 0, G_MAXUINT64, "a.rs:1:1", 1000000, 9000000);
  path = test_trace_save (bytes, "ids.bin");
  run = cli_run ("report", "--json", path, NULL);
  worst = json_array_get_object_element (get_array (run, "long_polls"), 0);

  g_assert_cmpstr (json_object_get_string_member (worst, "task_id"), ==, "18446744073709551615");
  g_assert_cmpint (json_object_get_int_member (worst, "worker"), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/report/json-has-the-fixed-shape", test_shape);
  g_test_add_func ("/cli/report/figures", test_figures);
  g_test_add_func ("/cli/report/sums-of-the-parts-are-the-whole", test_sums);
  g_test_add_func ("/cli/report/threshold-in-any-unit", test_threshold);
  g_test_add_func ("/cli/report/limit-cuts-the-list-alone", test_limit);
  g_test_add_func ("/cli/report/sentinels-are-no-workers", test_sentinels_are_no_workers);
  g_test_add_func ("/cli/report/evicted-and-missing-segments-are-told", test_evicted_segments);
  g_test_add_func ("/cli/report/h03-nanoseconds-stay-nanoseconds", test_nanoseconds);
  g_test_add_func ("/cli/report/h07-events-at-impossible-times-are-told", test_outliers);
  g_test_add_func ("/cli/report/h06-damaged-file-is-exit-1-with-figures", test_damaged_file);
  g_test_add_func ("/cli/report/text-is-aligned", test_text_is_aligned);
  g_test_add_func ("/cli/report/h08-text-without-workers-says-so", test_text_without_workers);
  g_test_add_func ("/cli/report/text-says-how-many-more", test_text_says_how_many_more);
  g_test_add_func ("/cli/report/largest-ids-are-text", test_largest_ids_are_text);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
