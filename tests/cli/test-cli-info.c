/* test-cli-info.c: the shape and the content of `parklane-cli info`
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "cli-runner.h"
#include "test-packing.h"
#include "test-trace.h"

static char *
get_data (const char *name)
{
  return g_build_filename (g_getenv ("PARKLANE_TEST_DATA"), name, NULL);
}

static JsonObject *
get_file (const CliRun *run, guint index)
{
  return json_array_get_object_element (json_object_get_array_member (run->json, "files"), index);
}

static void
test_shape (void)
{
  g_autofree char *path = get_data ("v0315-spans/trace.0.bin.gz");
  g_autoptr(CliRun) run = cli_run ("info", "--json", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpstr (run->err, ==, "");
  cli_assert_members (run->json,
                      "files:a events:o event_count:n workers:a start_ns:n end_ns:n wall_start:s metadata:o");
  cli_assert_members (get_file (run, 0), "path:s format:s bytes:n raw_bytes:n batches:n error:s? warning:s?");
  g_assert_true (json_object_get_null_member (get_file (run, 0), "error"));
  g_assert_cmpstr (json_object_get_string_member (get_file (run, 0), "path"), ==, path);
  g_assert_cmpstr (json_object_get_string_member (get_file (run, 0), "format"), ==, "gzip");
  g_assert_cmpint (cli_get_number (get_file (run, 0), "bytes"), ==, 119361);
  g_assert_cmpint (cli_get_number (get_file (run, 0), "raw_bytes"), ==, 274762);
  g_assert_cmpint (cli_get_number (get_file (run, 0), "batches"), ==, 7);
  g_assert_cmpint (cli_get_number (run->json, "event_count"), ==, 12268);
  g_assert_cmpint (json_object_get_int_member (json_object_get_object_member (run->json, "events"),
                                               "PollStartEvent"), ==, 1130);
  g_assert_cmpint (cli_get_number (run->json, "start_ns"), ==, 2479518713107);
  g_assert_cmpint (cli_get_number (run->json, "end_ns"), ==, 2479965578011);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (run->json, "workers")), ==, 3);
  g_assert_cmpstr (json_object_get_string_member (json_object_get_object_member (run->json, "metadata"),
                                                  "runtime.main"), ==,
                   "0,1,2");
  /* One line, for programs that read lines. */
  g_assert_true (strchr (run->out, '\n') == run->out + strlen (run->out) - 1);
}

static void
test_wall_start (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) run = NULL;
  g_autoptr(GDateTime) time = NULL;

  test_trace_clock_sync (bytes, 5000000000, G_GUINT64_CONSTANT (1700000000123456789));
  path = test_trace_save (bytes, "wall.bin");
  run = cli_run ("info", "--json", path, NULL);

  g_assert_cmpstr (json_object_get_string_member (run->json, "wall_start"), ==, "2023-11-14T22:13:20.123456789Z");
  time = g_date_time_new_from_iso8601 (json_object_get_string_member (run->json, "wall_start"), NULL);
  g_assert_cmpint (g_date_time_to_unix (time), ==, 1700000000);
}

static void
test_no_clock (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) run = NULL;

  test_trace_custom (bytes, "S", 1000);
  path = test_trace_save (bytes, "no-clock.bin");
  run = cli_run ("info", "--json", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (json_object_get_null_member (run->json, "wall_start"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (run->json, "workers")), ==, 0);
}

static char *
save_cut (gsize *out_fault)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000000, 500);
  *out_fault = test_trace_get_size (bytes);
  test_trace_hex (bytes, "02 0000 00");
  return test_trace_save (bytes, "cut.bin");
}

static void
test_damaged_file (void)
{
  gsize fault;
  g_autofree char *path = save_cut (&fault);
  g_autofree char *place = g_strdup_printf ("byte %" G_GSIZE_FORMAT, fault);
  g_autoptr(CliRun) run = cli_run ("info", "--json", path, NULL);
  JsonObject *error = json_object_get_object_member (get_file (run, 0), "error");

  g_assert_cmpint (run->status, ==, 1);
  cli_assert_members (error, "offset:n message:s");
  g_assert_cmpint (cli_get_number (error, "offset"), ==, (gint64) fault);
  g_assert_nonnull (strstr (run->err, path));
  g_assert_nonnull (strstr (run->err, place));
  g_assert_cmpint (cli_get_number (run->json, "event_count"), ==, 2);
}

static void
test_missing_file_beside_a_good_one (void)
{
  g_autofree char *path = get_data ("v057-idle/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("info", "--json", "/nonexistent/x.bin", path, NULL);

  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->err, "/nonexistent/x.bin"));
  g_assert_false (json_object_get_null_member (get_file (run, 0), "error"));
  g_assert_true (json_object_get_null_member (get_file (run, 1), "error"));
  g_assert_cmpint (cli_get_number (run->json, "event_count"), ==, 907);
}

/* Everything is text, also the name of a file that is none. */
static void
test_names_that_are_no_text (void)
{
  g_autofree char *path = g_build_filename (test_trace_directory (), "odd\xff\".bin", NULL);
  FILE *file = fopen (path, "wb");
  g_autoptr(CliRun) run = NULL;

  fputs ("no trace", file);
  fclose (file);
  run = cli_run ("info", "--json", path, NULL);

  g_assert_cmpint (run->status, ==, 1);
  g_assert_true (g_utf8_validate (run->out, -1, NULL));
  g_assert_nonnull (run->json);
  g_assert_true (g_str_has_suffix (json_object_get_string_member (get_file (run, 0), "path"),
                                   "odd\xef\xbf\xbd\".bin"));
}

/* H05: nothing is lost by a table that lies, which other tools will trip over. */
static void
test_seek_table_that_lies (void)
{
  static const guint8 table[] = "\x5e\x2a\x4d\x18\x09\0\0\0" "\xff\xff\xff\xff\0\xb1\xea\x92\x8f";
  g_autofree char *path = g_build_filename (test_trace_directory (), "table.bin.zst", NULL);
  g_autoptr(TestTrace) trace = test_trace_new ();
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(CliRun) run = NULL;

  test_trace_poll (trace, 0, 1, "a.rs:1:1", 1000, 500);
  test_packing_append_zstd (bytes, test_trace_get_bytes (trace), test_trace_get_size (trace));
  g_byte_array_append (bytes, table, sizeof table - 1);
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, bytes->len, NULL));
  run = cli_run ("info", "--json", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_true (json_object_get_null_member (get_file (run, 0), "error"));
  g_assert_nonnull (strstr (json_object_get_string_member (get_file (run, 0), "warning"), "4294967295"));
  g_assert_nonnull (strstr (run->err, path));
}

static void
test_text (void)
{
  g_autofree char *path = get_data ("v0315-blocking/trace.0.bin");
  g_autoptr(CliRun) run = cli_run ("info", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_nonnull (strstr (run->out, "3499 events over 1.63 s, 2 workers"));
  g_assert_nonnull (strstr (run->out, "         741  PollStartEvent\n"));
  g_assert_nonnull (strstr (run->out, "service = workload-blocking\n"));
}

static void
test_directory (void)
{
  g_autofree char *path = get_data ("v057-killrot");
  g_autoptr(CliRun) run = cli_run ("info", "--json", path, NULL);

  g_assert_cmpint (run->status, ==, 0);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (run->json, "files")), ==, 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("/trace.%u.bin", i);

      g_assert_nonnull (strstr (json_object_get_string_member (get_file (run, i), "path"), name));
    }
}

/* H31: one summary of very many damaged files. */
static void
test_very_many_losses (void)
{
  g_autofree char *directory = g_build_filename (test_trace_directory (), "losses", NULL);
  g_autoptr(CliRun) run = NULL;
  g_auto(GStrv) lines = NULL;

  g_mkdir_with_parents (directory, 0700);
  for (guint i = 0; i < 1000; i++)
    {
      g_autofree char *path = g_strdup_printf ("%s/t.%u.bin", directory, i);
      FILE *file = fopen (path, "wb");

      fputs ("TRC", file);
      fclose (file);
    }
  run = cli_run ("info", directory, NULL);
  lines = g_strsplit (run->err, "\n", -1);

  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpuint (g_strv_length (lines), <, 50);
  g_assert_nonnull (strstr (run->err, "980 more files"));
}

/* A trace may hold anything where a terminal would obey: escape, bell, and the one-character form of escape and “[”. */
static void
test_control_characters (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) info = NULL;
  g_autoptr(CliRun) report = NULL;

  test_trace_custom (bytes, "Ev\x1b[31mil", 1000000);
  test_trace_metadata (bytes, 1000000, "ke\ay", "va\xc2\x9b" "lue é");
  test_trace_poll (bytes, 0, 1, "a\x1b]0;x\x07.rs:1:1", 1000000, 2000000);
  path = test_trace_save (bytes, "controls.bin");
  info = cli_run ("info", path, NULL);
  report = cli_run ("report", path, NULL);

  g_assert_nonnull (strstr (info->out, "Ev?[31mil\n"));
  g_assert_nonnull (strstr (info->out, "ke?y = va?lue é\n"));
  g_assert_nonnull (strstr (report->out, "a?]0;x?.rs:1:1\n"));
  g_assert_null (strchr (report->out, '\x1b'));
}

/* What a line is made of may end none, or a table has rows that nobody counted. */
static void
test_one_line_each (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autofree char *missing = NULL;
  g_autoptr(CliRun) info = NULL;
  g_autoptr(CliRun) report = NULL;
  g_autoptr(CliRun) failed = NULL;

  test_trace_metadata (bytes, 1000000, "key", "one\nevents = 9");
  test_trace_poll (bytes, 0, 1, "a\n     9 s\xe2\x80\xae.rs:1:1", 1000000, 2000000);
  test_trace_poll (bytes, 0, 2, "", 5000000, 2000000);
  path = test_trace_save (bytes, "lines\n.bin");
  missing = g_strconcat (path, "-missing", NULL);
  info = cli_run ("info", path, NULL);
  report = cli_run ("report", path, NULL);
  failed = cli_run ("info", missing, NULL);

  g_assert_nonnull (strstr (info->out, "lines?.bin: raw"));
  g_assert_nonnull (strstr (info->out, "key = one?events = 9\n"));
  g_assert_null (strstr (report->out, "\n     9 s"));
  g_assert_nonnull (strstr (report->out, "  a?     9 s?.rs:1:1\n"));
  g_assert_nonnull (strstr (report->out, "           2  (unknown)\n"));
  g_assert_nonnull (strstr (failed->err, "lines?.bin-missing: "));
}

/* Two gaps: one of a worker's thread, and one while recording was paused, in which nobody counted. */
static void
test_lost_events (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autoptr(CliRun) json = NULL;
  g_autoptr(CliRun) text = NULL;
  g_autoptr(CliRun) report = NULL;
  g_autoptr(CliRun) report_text = NULL;
  JsonArray *gaps;
  JsonObject *gap;

  test_trace_metadata (bytes, 1000000, "parklane.stream", "merged");
  test_trace_poll (bytes, 3, 1, "a.rs:1:1", 1000000, 1000);
  test_trace_gap (bytes, &(PlGap) { 2000000, 2500000, 42, 3, 77, PL_GAP_RING_FULL });
  test_trace_gap (bytes, &(PlGap) { 3000000, 4000000, 0, TRC_WORKER_NONE, 0, PL_GAP_PAUSED });
  test_trace_poll (bytes, 3, 2, "a.rs:1:1", 5000000, 1000);
  path = test_trace_save (bytes, "lost.bin");
  json = cli_run ("info", "--json", path, NULL);
  text = cli_run ("info", path, NULL);
  report = cli_run ("report", "--json", path, NULL);
  report_text = cli_run ("report", path, NULL);

  g_assert_cmpint (json->status, ==, 0);
  g_assert_cmpint (cli_get_number (json->json, "gap_count"), ==, 2);
  g_assert_cmpint (cli_get_number (json->json, "lost_events"), ==, 42);
  g_assert_cmpint (cli_get_number (report->json, "gap_count"), ==, 2);
  g_assert_cmpint (cli_get_number (report->json, "lost_events"), ==, 42);
  gaps = json_object_get_array_member (json->json, "gaps");
  g_assert_cmpuint (json_array_get_length (gaps), ==, 2);
  gap = json_array_get_object_element (gaps, 0);
  g_assert_cmpint (cli_get_number (gap, "from_ns"), ==, 2000000);
  g_assert_cmpint (cli_get_number (gap, "to_ns"), ==, 2500000);
  g_assert_cmpint (cli_get_number (gap, "lost"), ==, 42);
  g_assert_cmpint (cli_get_number (gap, "worker"), ==, 3);
  g_assert_cmpint (cli_get_number (gap, "tid"), ==, 77);
  g_assert_cmpstr (json_object_get_string_member (gap, "cause"), ==, "ring full");
  gap = json_array_get_object_element (gaps, 1);
  g_assert_true (json_object_get_null_member (gap, "worker"));
  g_assert_true (json_object_get_null_member (gap, "tid"));
  g_assert_cmpstr (json_object_get_string_member (gap, "cause"), ==, "paused");

  g_assert_nonnull (strstr (text->out, "\nthe recording has 2 gaps"));
  g_assert_nonnull (strstr (text->out, "\nat most 42 events were lost there\n"));
  g_assert_nonnull (strstr (text->out, "42        3       77  a thread recorded faster than it was written\n"));
  g_assert_nonnull (strstr (text->out, "all        0  recording was paused\n"));
  g_assert_nonnull (strstr (report_text->out, "\nat most 42 events were lost there\n"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/info/json-has-the-fixed-shape", test_shape);
  g_test_add_func ("/cli/info/wall-start-is-rfc-3339", test_wall_start);
  g_test_add_func ("/cli/info/no-clock-is-null", test_no_clock);
  g_test_add_func ("/cli/info/damaged-file-is-exit-1-with-offset", test_damaged_file);
  g_test_add_func ("/cli/info/missing-file-takes-nothing-from-others", test_missing_file_beside_a_good_one);
  g_test_add_func ("/cli/info/names-that-are-no-text", test_names_that_are_no_text);
  g_test_add_func ("/cli/info/h05-seek-table-that-lies-is-told-of", test_seek_table_that_lies);
  g_test_add_func ("/cli/info/text", test_text);
  g_test_add_func ("/cli/info/no-control-characters-on-a-terminal", test_control_characters);
  g_test_add_func ("/cli/info/one-line-each", test_one_line_each);
  g_test_add_func ("/cli/info/directory-in-order", test_directory);
  g_test_add_func ("/cli/info/very-many-losses-in-a-few-lines", test_very_many_losses);
  g_test_add_func ("/cli/info/events-that-the-recorder-lost", test_lost_events);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
