/* test-demo.c: what parklane-demo says it did is what its trace says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#include "trace-reader.h"

typedef struct
{
  char *dir;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("parklane-demo-XXXXXX", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->dir);
  g_free (fixture->dir);
}

static char *
get_demo (void)
{
  return g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), "recorder", "demo", "parklane-demo", NULL);
}

/* Runs the demo with @arguments and returns its last line; the exit status goes to @out_status. */
static char *
run_demo (const char *arguments, char **environment, int *out_status)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *demo = get_demo ();
  g_autofree char *command = g_strconcat (demo, " ", arguments, NULL);
  g_autofree char *output = NULL;
  g_autofree char *complaints = NULL;
  g_auto(GStrv) argv = NULL;
  g_auto(GStrv) lines = NULL;

  g_assert_true (g_shell_parse_argv (command, NULL, &argv, &error));
  g_assert_true (g_spawn_sync (NULL, argv, environment, G_SPAWN_DEFAULT, NULL, NULL, &output, &complaints, out_status, &error));
  g_assert_no_error (error);
  if (*complaints != '\0')
    g_test_message ("%s", complaints);
  lines = g_strsplit (g_strchomp (output), "\n", -1);
  return g_strdup (lines[0] == NULL ? "" : lines[g_strv_length (lines) - 1]);
}

/* The number after "NAME": in the demo's line. */
static guint64
get_number (const char *line, const char *name)
{
  g_autofree char *key = g_strdup_printf ("\"%s\":", name);
  const char *at = strstr (line, key);

  g_assert_nonnull (at);
  return g_ascii_strtoull (at + strlen (key), NULL, 10);
}

static void
assert_agrees (const char *line, Trace *trace)
{
  static const char *const limits[] = { "1ms", "5ms", "40ms", "100ms" };
  Polls polls = trace_get_polls (trace);
  const char *per_worker = strstr (line, "\"polls_per_worker\":[");
  guint n_workers = 0;

  g_assert_cmpuint (get_number (line, "dropped_events"), ==, 0);
  g_assert_cmpuint (polls.n_polls, >, 0);
  g_assert_cmpuint (polls.n_unpaired, ==, 0);
  g_assert_cmpuint (get_number (line, "polls"), ==, polls.n_polls);
  g_assert_cmpuint (get_number (line, "longest_poll_ns"), ==, polls.longest_ns);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    g_assert_cmpuint (get_number (line, limits[i]), ==, polls.at_least[i]);
  g_assert_cmpuint (get_number (line, "spawned"), ==, trace_count (trace, "TaskSpawnEvent"));
  g_assert_cmpuint (get_number (line, "terminated"), ==, trace_count (trace, "TaskTerminateEvent"));
  g_assert_cmpuint (get_number (line, "recorded_events"), ==,
                    trace_count (trace, "PollStartEvent") + trace_count (trace, "PollEndEvent")
                      + trace_count (trace, "WorkerParkEvent") + trace_count (trace, "WorkerUnparkEvent")
                      + trace_count (trace, "TaskSpawnEvent") + trace_count (trace, "TaskTerminateEvent")
                      + trace_count (trace, "RuntimeMetricsEvent"));

  g_assert_nonnull (per_worker);
  for (per_worker = strchr (per_worker, '['); *per_worker != ']'; n_workers++)
    g_assert_cmpuint (g_ascii_strtoull (per_worker + 1, (char **) &per_worker, 10), ==, polls.per_worker[n_workers]);
}

static void
test_counts_agree_with_the_trace (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments
    = g_strdup_printf ("--output %s --workers 3 --seconds 0.8 --rate 30000 --long-poll 5ms --long-poll '40 ms' "
                       "--long-poll 0.1s --long-poll 1500us --starve 40ms --idle 100ms --burst 300",
                       fixture->dir);
  g_autofree char *line = NULL;
  g_autoptr(Trace) trace = NULL;
  int status;

  line = run_demo (arguments, NULL, &status);
  trace = trace_read_session (fixture->dir, "parklane-demo");

  g_assert_cmpint (status, ==, 0);
  assert_agrees (line, trace);
  g_assert_cmpuint (get_number (line, "1ms"), >=, 4);
  g_assert_cmpuint (get_number (line, "5ms"), >=, 3);
  g_assert_cmpuint (get_number (line, "40ms"), >=, 2);
  g_assert_cmpuint (get_number (line, "100ms"), >=, 1);
  g_assert_cmpuint (get_number (line, "spawned"), ==, get_number (line, "terminated"));
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "runtime.demo"), ==, "0,1,2");
}

/* While it starves, workers are parked and the global queue is not empty. */
static void
test_starving_shows_work_that_waits (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = g_strdup_printf ("--output %s --seconds 0.5 --rate 5000 --starve 100ms", fixture->dir);
  g_autofree char *line = NULL;
  g_autoptr(Trace) trace = NULL;
  guint64 deepest = 0;
  int status;

  line = run_demo (arguments, NULL, &status);
  trace = trace_read_session (fixture->dir, "parklane-demo");
  for (guint i = 0; i < trace_count (trace, "RuntimeMetricsEvent"); i++)
    deepest = MAX (deepest, event_number (trace_find (trace, "RuntimeMetricsEvent", i), "global_queue_depth"));

  assert_agrees (line, trace);
  g_assert_cmpuint (deepest, >=, 20);
}

static void
test_hog_is_a_poll_that_stays_open (Fixture *fixture, gconstpointer data)
{
  g_autofree char *arguments = g_strdup_printf ("--output %s --seconds 0.3 --hog", fixture->dir);
  g_autofree char *line = NULL;
  g_autoptr(Trace) trace = NULL;
  int status;

  line = run_demo (arguments, NULL, &status);
  trace = trace_read_session (fixture->dir, "parklane-demo");

  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (get_number (line, "polls"), ==, trace_get_polls (trace).n_polls);
  g_assert_cmpuint (trace_get_polls (trace).n_open, ==, 1);
  g_assert_cmpuint (get_number (line, "spawned"), ==, get_number (line, "terminated") + 1);
}

static void
test_signal_ends_it_in_order (Fixture *fixture, gconstpointer data)
{
  g_autofree char *demo = get_demo ();
  char *argv[] = { demo, (char *) "--output", fixture->dir, (char *) "--seconds", (char *) "600", NULL };
  g_autofree char *active = g_build_filename (fixture->dir, "parklane-demo.0.bin.active", NULL);
  g_autoptr(GIOChannel) channel = NULL;
  g_autoptr(Trace) trace = NULL;
  g_autofree char *output = NULL;
  gsize size;
  int out;
  int status;
  GPid pid;

  g_assert_true (g_spawn_async_with_pipes (NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL, &out, NULL, NULL));
  for (gsize grown = 0; grown < 100000;)
    {
      GStatBuf st;

      grown = g_stat (active, &st) == 0 ? (gsize) st.st_size : 0;
      g_assert_cmpint (waitpid (pid, NULL, WNOHANG), ==, 0);
      g_usleep (1000);
    }
  kill (pid, SIGTERM);

  channel = g_io_channel_unix_new (out);
  g_io_channel_set_close_on_unref (channel, TRUE);
  g_assert_cmpint (g_io_channel_read_to_end (channel, &output, &size, NULL), ==, G_IO_STATUS_NORMAL);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  trace = trace_read_session (fixture->dir, "parklane-demo");

  g_assert_cmpint (status, ==, 0);
  assert_agrees (output, trace);
}

static gsize
get_size (const char *path)
{
  GStatBuf st;

  return g_stat (path, &st) == 0 ? (gsize) st.st_size : 0;
}

/* Runs and kills the demo again and again in one directory, without a shelter for its rings. Each run's file reads to its last whole frame as
 * the kill left it, and the next run seals exactly that: no event more, none less. */
static void
test_kills_at_any_moment_lose_nothing_written (Fixture *fixture, gconstpointer data)
{
  const guint n_kills = 12;
  g_autofree char *demo = get_demo ();
  char *argv[] = { demo, (char *) "--output", fixture->dir, (char *) "--rate", (char *) "200000", (char *) "--seconds",
                   (char *) "600", NULL };
  g_auto(GStrv) environment = g_environ_setenv (g_get_environ (), "PARKLANE_CRASH_SAFE", "false", TRUE);
  guint n_events[12];
  gsize sizes[12];

  environment = g_environ_setenv (environment, "PARKLANE_COMPRESS", "none", TRUE);
  for (guint i = 0; i < n_kills; i++)
    {
      g_autofree char *active = g_strdup_printf ("%s/parklane-demo.%u.bin.active", fixture->dir, i);
      gsize enough = (gsize) g_test_rand_int_range (20000, 400000);
      g_autoptr(Trace) trace = NULL;
      GPid pid;

      g_assert_true (g_spawn_async (NULL, argv, environment, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid, NULL));
      while (get_size (active) < enough)
        {
          g_assert_cmpint (waitpid (pid, NULL, WNOHANG), ==, 0);
          g_usleep (200);
        }
      kill (pid, SIGKILL);
      waitpid (pid, NULL, 0);

      trace = trace_read_file (active, TRUE);
      n_events[i] = trace->events->len;
      sizes[i] = trace->end;
      g_assert_cmpuint (sizes[i], >=, enough - 100); /* but for a frame that the look caught in the making */
    }

  {
    g_autofree char *arguments = g_strdup_printf ("--output %s --seconds 0.05", fixture->dir);
    g_autofree char *line = NULL;
    int status;

    line = run_demo (arguments, environment, &status);
    g_assert_cmpint (status, ==, 0);
  }
  for (guint i = 0; i < n_kills; i++)
    {
      g_autofree char *sealed = g_strdup_printf ("%s/parklane-demo.%u.bin", fixture->dir, i);
      g_autoptr(Trace) trace = trace_read_file (sealed, FALSE);

      g_assert_cmpuint (trace->events->len, ==, n_events[i]);
      g_assert_cmpuint (trace->end, ==, sizes[i]);
    }
}

static void
test_environment_sets_the_session (Fixture *fixture, gconstpointer data)
{
  g_auto(GStrv) environment = g_get_environ ();
  g_autofree char *line = NULL;
  g_autofree char *files = NULL;
  int status;

  environment = g_environ_setenv (environment, "PARKLANE_OUTPUT_DIR", fixture->dir, TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_FILE_PREFIX", "from-env", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_MAX_FILE_SIZE", "65536", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_ROTATION_COUNT", "2", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_COMPRESS", "none", TRUE);
  line = run_demo ("--seconds 0.5 --rate 40000", environment, &status);
  g_assert_cmpint (status, ==, 0);
  files = list_directory (fixture->dir);
  g_assert_true (g_str_has_prefix (files, "from-env."));
  g_assert_null (strstr (files, "from-env.0.bin"));

  g_free (line);
  environment = g_environ_setenv (environment, "PARKLANE_ENABLED", "false", TRUE);
  line = run_demo ("--seconds 0.05", environment, &status);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpuint (get_number (line, "recorded_events"), ==, 0);
  g_assert_cmpuint (get_number (line, "polls"), >, 0);
}

static void
test_wrong_usage_is_exit_2 (Fixture *fixture, gconstpointer data)
{
  static const char *const wrong[] = {
    "--seconds 1", "--output /tmp/x --long-poll 5", "--output /tmp/x --long-poll 5m", "--output /tmp/x --idle '5  ms'",
    "--output /tmp/x --idle -5ms", "--output /tmp/x --workers 0", "--output /tmp/x --workers x", "--output /tmp/x --rate 1e3",
    "--output /tmp/x --nonsense", "--output /tmp/x extra", "--output /tmp/x --starve nan", "--output /tmp/x --seconds inf",
  };

  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++)
    {
      g_autofree char *line = NULL;
      int status;

      line = run_demo (wrong[i], NULL, &status);
      g_assert_true (WIFEXITED (status));
      g_assert_cmpint (WEXITSTATUS (status), ==, 2);
    }
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/demo/counts-agree-with-the-trace", test_counts_agree_with_the_trace);
  ADD ("/recorder/demo/starving-shows-work-that-waits", test_starving_shows_work_that_waits);
  ADD ("/recorder/demo/hog-is-a-poll-that-stays-open", test_hog_is_a_poll_that_stays_open);
  ADD ("/recorder/demo/signal-ends-it-in-order", test_signal_ends_it_in_order);
  ADD ("/recorder/demo/kills-at-any-moment-lose-nothing-written", test_kills_at_any_moment_lose_nothing_written);
  ADD ("/recorder/demo/environment-sets-the-session", test_environment_sets_the_session);
  ADD ("/recorder/demo/wrong-usage-is-exit-2", test_wrong_usage_is_exit_2);
  return g_test_run ();
}
