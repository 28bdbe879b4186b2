/* test-cli-refused.c: whatever the system refuses, parklane-cli does without or says so
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "cli-runner.h"
#include "test-packing.h"
#include "test-trace.h"

/* Several pieces, which are read again where they are held as summaries. */
#define N_POLLS 120000

/* Calls of one kind in a run, at most: after the last nothing is refused. */
#define MAX_CALLS 16
#define N_RUNS 6

static char *paths[2];

static void
save_traces (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(GByteArray) packed = g_byte_array_new ();
  g_autoptr(GError) error = NULL;
  const guint8 *raw;
  gsize size;

  for (guint i = 0; i < N_POLLS; i++)
    {
      if (i % 20000 == 0)
        test_trace_header (bytes);
      test_trace_poll (bytes, i % 4, i % 100 + 1, "a.rs:1:1", 1000000 + i * G_GINT64_CONSTANT (11000),
                       i % 1000 == 0 ? 1000000 : 700);
    }
  paths[0] = test_trace_save (bytes, "refused.bin");
  raw = test_trace_get_bytes (bytes);
  size = test_trace_get_size (bytes);
  for (gsize at = 0; at < size; at += 1024 * 1024)
    test_packing_append_zstd (packed, raw + at, MIN (size - at, 1024 * 1024));
  paths[1] = g_build_filename (test_trace_directory (), "refused.bin.zst", NULL);
  g_file_set_contents (paths[1], (const char *) packed->data, (gssize) packed->len, &error);
  g_assert_no_error (error);
}

static CliRun *
run_refusing (const char *what, guint from, const char *const *arguments)
{
  g_autofree char *library = cli_get_program ("tests/cli/librefuse.so");
  g_autofree char *number = g_strdup_printf ("%u", from);
  CliRun *run;

  g_setenv ("LD_PRELOAD", library, TRUE);
  g_setenv ("PARKLANE_REFUSE", what, TRUE);
  g_setenv ("PARKLANE_REFUSE_FROM", number, TRUE);
  run = cli_run_argv (arguments);
  g_unsetenv ("LD_PRELOAD");
  g_unsetenv ("PARKLANE_REFUSE");
  return run;
}

/* The same answer as ever, or none but a sentence. cli_run_argv() fails when the program dies of a signal. */
static gboolean
assert_done_or_said (const CliRun *run, const CliRun *expected)
{
  gboolean is_estimate = run->json != NULL && json_object_has_member (run->json, "polls")
                         && cli_get_number (run->json, "polls.estimated") > 0;

  if (run->status == 0)
    {
      g_assert_false (is_estimate);
      g_assert_cmpstr (run->out, ==, expected->out);
      g_assert_cmpstr (run->err, ==, "");
      return TRUE;
    }
  g_test_message ("%s", run->err);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_true (g_str_has_prefix (run->err, "parklane-cli"));
  g_assert_true (g_str_has_suffix (run->err, "\n"));
  return FALSE;
}

/* Runs a command once for each call that is the first to be refused. Returns how often it was done all the same. */
static guint
refuse_each (const char *what, const char *const *arguments)
{
  g_autoptr(CliRun) expected = cli_run_argv (arguments);
  guint n_done = 0;

  g_assert_cmpint (expected->status, ==, 0);
  for (guint i = 0; i < N_RUNS; i++)
    {
      guint from = i < 4 ? i + 1 : i * MAX_CALLS / (N_RUNS - 1);
      g_autoptr(CliRun) run = run_refusing (what, from, arguments);

      n_done += assert_done_or_said (run, expected);
    }
  return n_done;
}

static void
test_refused (gconstpointer data)
{
  const char *what = data;
  g_autofree char *picture = g_build_filename (test_trace_directory (), "picture.png", NULL);

  if (cli_is_sanitized ())
    {
      g_test_skip ("a sanitizer has to be the first library of all");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (paths); i++)
    {
      const char *const info[] = { "info", "--json", paths[i], NULL };
      const char *const report[] = { "report", "--json", "--threshold=500us", "--memory=1KiB", paths[i], NULL };
      const char *const render[] = { "render", "-o", picture, "--memory=1KiB", paths[i], NULL };
      guint n_done = refuse_each (what, info) + refuse_each (what, report);
      guint n_drawn = refuse_each (what, render);

      g_test_message ("%s, %s: %u done, %u drawn", what, paths[i], n_done, n_drawn);
      /* One thread can do everything; only Pango insists on one of its own. */
      if (g_str_equal (what, "threads") || g_str_equal (what, "aligned"))
        g_assert_cmpuint (n_done, ==, 2 * N_RUNS);
    }
}

/* The first decompressor: there is no way around it. A later one is wanted for what is read again, without which the report
 * is none of everything. */
static void
test_said (void)
{
  const char *const arguments[] = { "info", paths[1], NULL };
  const char *const again[] = { "report", "--json", "--memory=1KiB", paths[1], NULL };
  g_autoptr(CliRun) run = NULL;
  guint n_estimated = 0;

  if (cli_is_sanitized ())
    {
      g_test_skip ("a sanitizer has to be the first library of all");
      return;
    }
  run = run_refusing ("contexts", 1, arguments);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_nonnull (strstr (run->err, "refused.bin.zst: cannot be unpacked from byte 0 on: there is no memory for it"));
  for (guint from = 2; from <= MAX_CALLS; from++)
    {
      g_autoptr(CliRun) report = run_refusing ("contexts", from, again);
      gboolean is_estimated = report->json != NULL && cli_get_number (report->json, "polls.estimated") > 0;

      g_assert_cmpint (strstr (report->err, "could not be read again") != NULL, ==, is_estimated);
      if (is_estimated)
        g_assert_cmpint (report->status, ==, 1);
      n_estimated += is_estimated;
    }
  g_assert_cmpuint (n_estimated, >, 0);
}

int
main (int argc, char **argv)
{
  static const char *const kinds[] = { "threads", "contexts", "mappings", "large", "aligned" };
  int status;

  g_test_init (&argc, &argv, NULL);
  save_traces ();
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    {
      g_autofree char *name = g_strconcat ("/cli/refused/", kinds[i], NULL);

      g_test_add_data_func (name, kinds[i], test_refused);
    }
  g_test_add_func ("/cli/refused/no-decompressor-is-said", test_said);
  status = g_test_run ();
  test_trace_cleanup ();
  g_free (paths[0]);
  g_free (paths[1]);
  return status;
}
