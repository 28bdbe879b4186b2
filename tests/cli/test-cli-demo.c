/* test-cli-demo.c: the report of a recorded demo says what the demo counted itself
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

/* Records into a new directory. Returns the demo's own account, its last line. */
static JsonParser *
record (const char *name, const char *options, char **out_directory)
{
  g_autofree char *demo = cli_get_program ("recorder/demo/parklane-demo");
  g_autofree char *command = NULL;
  g_autofree char *output = NULL;
  g_auto(GStrv) lines = NULL;
  JsonParser *parser = json_parser_new ();
  g_autoptr(GError) error = NULL;
  int status;

  *out_directory = g_build_filename (test_trace_directory (), name, NULL);
  command = g_strdup_printf ("'%s' --output '%s' %s", demo, *out_directory, options);
  g_spawn_command_line_sync (command, &output, NULL, &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  lines = g_strsplit (g_strchomp (output), "\n", -1);
  json_parser_load_from_data (parser, lines[g_strv_length (lines) - 1], -1, &error);
  g_assert_no_error (error);
  return parser;
}

static gint64
sum_events (JsonObject *info)
{
  static const char *const recorded[] = {
    "PollStartEvent", "PollEndEvent", "WorkerParkEvent", "WorkerUnparkEvent", "TaskSpawnEvent",
    "TaskTerminateEvent",
    "RuntimeMetricsEvent",
  };
  JsonObject *events = json_object_get_object_member (info, "events");
  gint64 sum = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++)
    sum += json_object_get_int_member_with_default (events, recorded[i], 0);
  return sum;
}

static void
assert_agrees (JsonObject *demo, const char *directory)
{
  g_autoptr(CliRun) report = cli_run ("report", "--json", "--threshold", "40ms", directory, NULL);
  g_autoptr(CliRun) info = cli_run ("info", "--json", directory, NULL);
  JsonArray *per_worker = json_object_get_array_member (demo, "polls_per_worker");
  JsonArray *workers = json_object_get_array_member (report->json, "workers");

  g_assert_cmpint (report->status, ==, 0);
  g_assert_cmpint (cli_get_number (demo, "dropped_events"), ==, 0);
  g_assert_cmpint (cli_get_number (report->json, "polls.count"), ==, cli_get_number (demo, "polls"));
  g_assert_cmpint (cli_get_number (report->json, "polls.max_ns"), ==, cli_get_number (demo, "longest_poll_ns"));
  g_assert_cmpint (cli_get_number (report->json, "polls.unpaired"), ==, 0);
  g_assert_cmpint (cli_get_number (report->json, "polls.at_least.1ms"), ==, cli_get_number (demo, "at_least.1ms"));
  g_assert_cmpint (cli_get_number (report->json, "polls.at_least.5ms"), ==, cli_get_number (demo, "at_least.5ms"));
  g_assert_cmpint (cli_get_number (report->json, "polls.at_least.100ms"), ==,
                   cli_get_number (demo, "at_least.100ms"));
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (report->json, "long_polls")), ==,
                    cli_get_number (demo, "at_least.40ms"));
  g_assert_cmpint (cli_get_number (report->json, "tasks.spawned"), ==, cli_get_number (demo, "spawned"));
  g_assert_cmpint (cli_get_number (report->json, "tasks.terminated"), ==, cli_get_number (demo, "terminated"));
  g_assert_cmpint (sum_events (info->json), ==, cli_get_number (demo, "recorded_events"));
  g_assert_cmpuint (json_array_get_length (workers), ==, json_array_get_length (per_worker));
  for (guint i = 0; i < json_array_get_length (workers); i++)
    g_assert_cmpint (cli_get_number (json_array_get_object_element (workers, i), "polls"), ==,
                     json_array_get_int_element (per_worker, i));
}

static void
test_counts (void)
{
  g_autofree char *directory = NULL;
  g_autoptr(JsonParser) parser = record ("counts", "--workers 3 --seconds 1.5 --rate 20000 --long-poll 5ms "
                                         "--long-poll 40ms --long-poll 0.1s --long-poll 1500us --burst 300 --idle 150ms",
                                         &directory);
  JsonObject *demo = json_node_get_object (json_parser_get_root (parser));

  g_assert_cmpint (cli_get_number (demo, "at_least.100ms"), >=, 1);
  assert_agrees (demo, directory);
}

static guint
count_files (const char *directory)
{
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

/* Many small segments: polls cross their borders. A demo that gets little of the processors takes longer to fill them. */
static void
test_counts_over_many_segments (void)
{
  g_autofree char *directory = NULL;
  g_autoptr(JsonParser) parser = NULL;

  g_setenv ("PARKLANE_MAX_FILE_SIZE", "65536", TRUE);
  g_setenv ("PARKLANE_ROTATION_COUNT", "1000", TRUE);
  for (guint seconds = 1; directory == NULL || count_files (directory) <= 5; seconds *= 2)
    {
      g_autofree char *name = g_strdup_printf ("segments-%u", seconds);
      g_autofree char *options = g_strdup_printf ("--workers 4 --seconds %u --rate 60000 --long-poll 40ms", seconds);

      g_clear_object (&parser);
      g_clear_pointer (&directory, g_free);
      parser = record (name, options, &directory);
    }
  g_unsetenv ("PARKLANE_MAX_FILE_SIZE");
  g_unsetenv ("PARKLANE_ROTATION_COUNT");
  assert_agrees (json_node_get_object (json_parser_get_root (parser)), directory);
}

static gsize
get_size (const char *path)
{
  GStatBuf info;

  return g_stat (path, &info) == 0 ? (gsize) info.st_size : 0;
}

/* After SIGKILL the active segment opens, to its last whole frame. */
static void
test_killed (void)
{
  g_autofree char *demo = cli_get_program ("recorder/demo/parklane-demo");
  g_autofree char *directory = g_build_filename (test_trace_directory (), "killed", NULL);
  g_autofree char *active = g_build_filename (directory, "parklane-demo.0.bin.active", NULL);
  char *argv[] = { demo, (char *) "--output", directory, (char *) "--seconds", (char *) "600", NULL };
  g_autoptr(CliRun) run = NULL;
  GPid pid;

  g_assert_true (g_spawn_async (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL,
                                NULL, &pid, NULL));
  while (get_size (active) < 200000)
    {
      g_assert_cmpint (waitpid (pid, NULL, WNOHANG), ==, 0);
      g_usleep (1000);
    }
  g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  run = cli_run ("report", "--json", directory, NULL);

  /* A write may have been cut, which is a loss of one frame and said. */
  g_assert_cmpint (run->status, <=, 1);
  g_assert_cmpint (run->status == 1, ==, *run->err != '\0');
  g_assert_cmpint (cli_get_number (run->json, "polls.count"), >, 1000);
  g_assert_cmpint (cli_get_number (run->json, "polls.unpaired"), ==, 0);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/demo/counts-agree", test_counts);
  g_test_add_func ("/cli/demo/counts-agree-over-many-segments", test_counts_over_many_segments);
  g_test_add_func ("/cli/demo/killed-session-opens", test_killed);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
