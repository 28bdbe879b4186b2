/* test-cli-usage.c: wrong usage is exit 2 with a reason, and nothing on stdout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "cli-runner.h"
#include "test-trace.h"

static void
test_wrong_usage (void)
{
  static const char *const wrong[][6] = {
    { NULL },
    { "nonsense", NULL },
    { "--json", NULL },
    { "info", NULL },
    { "report", NULL },
    { "report", "--json", NULL },
    { "report", "--", NULL },
    { "info", "--nonsense", "x.bin", NULL },
    { "report", "--nonsense", "x.bin", NULL },
    { "report", "--threshold", NULL },
    { "report", "--threshold", "1", "x.bin", NULL },
    { "report", "--threshold", "", "x.bin", NULL },
    { "report", "--threshold", "1 lightyear", "x.bin", NULL },
    { "report", "--threshold", "-1ms", "x.bin", NULL },
    { "report", "--threshold=-1ms", "x.bin", NULL },
    { "report", "--threshold", "1e3 ms", "x.bin", NULL },
    { "report", "--threshold", "nan", "x.bin", NULL },
    { "report", "--limit", "x", "x.bin", NULL },
    { "report", "--limit", "-1", "x.bin", NULL },
    { "report", "--limit", "99999999999", "x.bin", NULL },
    { "info", "--threshold", "1ms", "x.bin", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *line = g_strjoinv (" ", (char **) wrong[i]);
      g_autoptr(CliRun) run = cli_run_argv (wrong[i]);

      g_test_message ("%s", line);
      g_assert_cmpint (run->status, ==, 2);
      g_assert_cmpstr (run->out, ==, "");
      g_assert_nonnull (strstr (run->err, "parklane-cli"));
    }
}

static void
test_help_and_version (void)
{
  static const char *const good[][3] = {
    { "--help", NULL }, { "-h", NULL }, { "--version", NULL }, { "info", "--help", NULL },
    { "report", "--help", NULL },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      g_autoptr(CliRun) run = cli_run_argv (good[i]);

      g_assert_cmpint (run->status, ==, 0);
      g_assert_cmpstr (run->err, ==, "");
      g_assert_nonnull (strstr (run->out, "parklane-cli"));
    }
}

static void
test_missing_input (void)
{
  static const char *const commands[] = { "info", "report" };

  for (gsize i = 0; i < G_N_ELEMENTS (commands); i++)
    {
      g_autoptr(CliRun) missing = cli_run (commands[i], "/nonexistent/x.bin", NULL);
      g_autoptr(CliRun) empty = cli_run (commands[i], "", NULL);

      g_assert_cmpint (missing->status, ==, 1);
      g_assert_nonnull (strstr (missing->err, "/nonexistent/x.bin"));
      g_assert_nonnull (strstr (missing->err, "No such file"));
      g_assert_cmpint (empty->status, ==, 1);
    }
}

static void
test_directory_without_traces (void)
{
  g_autofree char *directory = g_build_filename (test_trace_directory (), "empty", NULL);
  g_autoptr(CliRun) run = NULL;

  g_mkdir (directory, 0700);
  run = cli_run ("info", "--json", directory, NULL);

  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpstr (run->out, ==, "");
  g_assert_nonnull (strstr (run->err, directory));
}

/* Behind "--" everything is a path, also what begins with a dash; "--" itself never is. */
static void
test_separator (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *plain = NULL;
  g_autofree char *saved = NULL;
  g_autofree char *old = g_get_current_dir ();

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  saved = test_trace_save (bytes, "-dash.bin");
  plain = test_trace_save (bytes, "plain.bin");
  g_assert_cmpint (g_chdir (test_trace_directory ()), ==, 0);
  {
    g_autoptr(CliRun) first = cli_run ("report", "--json", "--", "-dash.bin", NULL);
    g_autoptr(CliRun) second = cli_run ("report", "--json", "plain.bin", "--", "-dash.bin", NULL);
    g_autoptr(CliRun) useless = cli_run ("report", "--json", "--", "plain.bin", NULL);
    g_autoptr(CliRun) refused = cli_run ("report", "--json", "-dash.bin", NULL);

    g_assert_cmpint (first->status, ==, 0);
    g_assert_cmpint (cli_get_number (first->json, "polls.count"), ==, 1);
    g_assert_cmpint (second->status, ==, 0);
    g_assert_cmpint (cli_get_number (second->json, "polls.count"), ==, 2);
    g_assert_cmpint (useless->status, ==, 0);
    g_assert_cmpint (refused->status, ==, 2);
  }
  g_assert_cmpint (g_chdir (old), ==, 0);
}

/* As where a disk is full: what comes out is not all, so it must not look as if it were. */
static void
test_full_output (void)
{
  g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_PIPE);
  g_autofree char *program = cli_get_program ("viewer/cli/parklane-cli");
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  g_autofree char *err = NULL;
  g_autoptr(GSubprocess) process = NULL;
  g_autoptr(GError) error = NULL;

  if (!g_file_test ("/dev/full", G_FILE_TEST_EXISTS))
    {
      g_test_skip ("there is no /dev/full");
      return;
    }
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000000, 1000);
  path = test_trace_save (bytes, "sound.bin");
  g_subprocess_launcher_set_stdout_file_path (launcher, "/dev/full");
  process = g_subprocess_launcher_spawn (launcher, &error, program, "report", path, NULL);
  g_assert_no_error (error);
  g_assert_true (g_subprocess_communicate_utf8 (process, NULL, NULL, NULL, &err, &error));
  g_assert_cmpint (g_subprocess_get_exit_status (process), ==, 1);
  g_assert_nonnull (strstr (err, "not all of the output"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/usage/wrong-usage-is-exit-2", test_wrong_usage);
  g_test_add_func ("/cli/usage/help-and-version-are-exit-0", test_help_and_version);
  g_test_add_func ("/cli/usage/missing-input-is-exit-1", test_missing_input);
  g_test_add_func ("/cli/usage/directory-without-traces-is-exit-1", test_directory_without_traces);
  g_test_add_func ("/cli/usage/separator-ends-options", test_separator);
  g_test_add_func ("/cli/usage/output-that-finds-no-place-is-exit-1", test_full_output);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
