/* test-cli-record.c: parklane-cli steers a demo that runs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "cli-runner.h"
#include "test-trace.h"

static GPid
start_demo (const char *dir, const char *prefix)
{
  g_autofree char *demo = cli_get_program ("recorder/demo/parklane-demo");
  const char *argv[] = { demo, "--output", dir, "--prefix", prefix, "--seconds", "600", NULL };
  g_auto(GStrv) environment = g_environ_setenv (g_get_environ (), "PARKLANE_CONTROL", "1", TRUE);
  g_autofree char *name = g_strconcat (prefix, ".sock", NULL);
  g_autofree char *path = g_build_filename (dir, name, NULL);
  g_autoptr(GError) error = NULL;
  GPid pid;

  g_spawn_async (NULL, (char **) argv, environment, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
                 &pid, &error);
  g_assert_no_error (error);
  while (!g_file_test (path, G_FILE_TEST_EXISTS))
    {
      g_assert_cmpint (waitpid (pid, NULL, WNOHANG), ==, 0);
      g_usleep (1000);
    }
  return pid;
}

static void
end_demo (GPid pid, int signal_number)
{
  kill (pid, signal_number);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
}

/* The @nth session of the answer to a request that must succeed. */
static JsonObject *
get_session (const CliRun *run, guint nth)
{
  g_assert_cmpint (run->status, ==, 0);
  return json_array_get_object_element (json_object_get_array_member (run->json, "sessions"), nth);
}

static void
test_steers_a_running_demo (void)
{
  g_autofree char *dir = g_build_filename (test_trace_directory (), "steered", NULL);
  GPid pid = start_demo (dir, "one");
  g_autoptr(CliRun) status = cli_run ("record", "--json", "status", dir, NULL);
  g_autoptr(CliRun) paused = cli_run ("record", "--json", "pause", dir, NULL);
  g_autoptr(CliRun) resumed = cli_run ("record", "--json", "resume", dir, NULL);
  g_autoptr(CliRun) rotated = cli_run ("record", "rotate", dir, NULL);
  g_autoptr(CliRun) stopped = cli_run ("record", "--json", "stop", dir, NULL);
  g_autoptr(CliRun) refused = cli_run ("record", "--json", "pause", dir, NULL);

  end_demo (pid, SIGTERM);
  cli_assert_members (get_session (status, 0),
                      "session:s error:s? state:s health:s health_since_unix_ns:n events:n dropped_events:n bytes_written:n "
                      "segment:n pid:n");
  g_assert_cmpstr (json_object_get_string_member (get_session (status, 0), "state"), ==, "recording");
  g_assert_cmpint (json_object_get_int_member (get_session (status, 0), "pid"), ==, pid);
  g_assert_cmpstr (json_object_get_string_member (get_session (paused, 0), "state"), ==, "paused");
  g_assert_cmpstr (json_object_get_string_member (get_session (resumed, 0), "state"), ==, "recording");
  g_assert_cmpint (rotated->status, ==, 0);
  g_assert_nonnull (strstr (rotated->out, "recording"));
  g_assert_cmpstr (json_object_get_string_member (get_session (stopped, 0), "state"), ==, "stopped");
  g_assert_cmpint (refused->status, ==, 1);
}

static void
test_sessions_of_a_directory_are_told_apart (void)
{
  g_autofree char *dir = g_build_filename (test_trace_directory (), "several", NULL);
  GPid first = start_demo (dir, "one");
  GPid second = start_demo (dir, "two");
  g_autoptr(CliRun) all = cli_run ("record", "--json", "status", dir, NULL);
  g_autoptr(CliRun) which = cli_run ("record", "pause", dir, NULL);
  g_autoptr(CliRun) one = cli_run ("record", "--json", "--prefix", "two", "pause", dir, NULL);
  g_autoptr(CliRun) dead = NULL;
  g_autoptr(CliRun) recovered = NULL;

  end_demo (first, SIGKILL);
  dead = cli_run ("record", "--prefix", "one", "status", dir, NULL);
  recovered = cli_run ("recover", dir, NULL);
  end_demo (second, SIGTERM);
  g_assert_cmpstr (json_object_get_string_member (get_session (all, 0), "session"), ==, "one");
  g_assert_cmpstr (json_object_get_string_member (get_session (all, 1), "session"), ==, "two");
  g_assert_cmpint (which->status, ==, 1);
  g_assert_nonnull (strstr (which->err, "one, two"));
  g_assert_cmpint (json_object_get_int_member (get_session (one, 0), "pid"), ==, second);
  g_assert_cmpstr (json_object_get_string_member (get_session (one, 0), "state"), ==, "paused");
  g_assert_cmpint (dead->status, ==, 1);
  g_assert_cmpint (recovered->status, ==, 0);
  g_assert_nonnull (strstr (dead->err, "gone"));
}

static void
test_recovers_what_a_kill_left (void)
{
  g_autofree char *dir = g_build_filename (test_trace_directory (), "killed", NULL);
  GPid pid = start_demo (dir, "one");
  g_autoptr(CliRun) busy = NULL;
  g_autoptr(CliRun) first = NULL;
  g_autoptr(CliRun) second = NULL;

  for (;;)
    {
      g_autoptr(CliRun) status = cli_run ("record", "--json", "status", dir, NULL);

      if (json_object_get_int_member (get_session (status, 0), "events") > 1000)
        break;
    }
  busy = cli_run ("recover", "--json", dir, NULL); /* a living session's memory is not looked at */
  end_demo (pid, SIGKILL);
  first = cli_run ("recover", "--json", dir, NULL);
  second = cli_run ("recover", "--json", dir, NULL);

  g_assert_cmpint (cli_get_number (busy->json, "events"), ==, 0);
  g_assert_cmpint (first->status, ==, 0);
  cli_assert_members (first->json, "version:n events:n error:s?");
  g_assert_cmpint (cli_get_number (first->json, "events"), >=, 0);
  g_assert_cmpint (cli_get_number (second->json, "events"), ==, 0);
}

static void
test_wrong_usage_is_exit_2 (void)
{
  g_autoptr(CliRun) none = cli_run ("record", "status", NULL);
  g_autoptr(CliRun) verb = cli_run ("record", "burn", "/tmp", NULL);
  g_autoptr(CliRun) prefix = cli_run ("record", "--prefix", "../x", "status", "/tmp", NULL);
  g_autoptr(CliRun) missing = cli_run ("record", "status", "/nowhere/at/all", NULL);

  g_assert_cmpint (none->status, ==, 2);
  g_assert_cmpint (verb->status, ==, 2);
  g_assert_cmpint (prefix->status, ==, 2);
  g_assert_cmpint (missing->status, ==, 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/record/steers-a-running-demo", test_steers_a_running_demo);
  g_test_add_func ("/cli/record/sessions-of-a-directory-are-told-apart", test_sessions_of_a_directory_are_told_apart);
  g_test_add_func ("/cli/record/recovers-what-a-kill-left", test_recovers_what_a_kill_left);
  g_test_add_func ("/cli/record/wrong-usage-is-exit-2", test_wrong_usage_is_exit_2);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
