/* test-cli-memory.c: parklane-cli does with the memory that it gets, or says that it is too little
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>
#include <sys/resource.h>

#include "cli-runner.h"
#include "test-trace.h"

#define MIB (1024 * 1024)

/* In full it takes some 20 MiB. */
#define N_POLLS 1200000

/* One of so many takes 10 µs, all others less. */
#define LONG_INTERVAL 8

static char *
save_trace (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (guint i = 0; i < N_POLLS; i++)
    {
      if (i % 20000 == 0)
        test_trace_header (bytes);
      test_trace_poll (bytes, i % 4, i % 100 + 1, "a.rs:1:1", 1000000 + i * G_GINT64_CONSTANT (11000),
                       i % LONG_INTERVAL == 0 ? 10000 : 700);
    }
  return test_trace_save (bytes, "large.bin");
}

/* @option: one with its value */
static CliRun *
run_within (const char *command, const char *option, const char *path, guint limit_mib)
{
  const char *json = g_str_equal (command, "render") ? NULL : "--json";
  struct rlimit saved;
  struct rlimit limit;
  CliRun *run;

  g_assert_cmpint (getrlimit (RLIMIT_AS, &saved), ==, 0);
  limit = saved;
  limit.rlim_cur = (rlim_t) limit_mib * MIB;
  g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
  run = cli_run (command, option, path, json, NULL);
  g_assert_cmpint (setrlimit (RLIMIT_AS, &saved), ==, 0);
  return run;
}

static void
assert_said (const CliRun *run)
{
  g_test_message ("%s", run->err);
  g_assert_cmpint (run->status, ==, 1);
  g_assert_cmpstr (run->out, ==, "");
  g_assert_true (strstr (run->err, "too little memory") != NULL);
}

/* cli_run() fails when the program dies of a signal, as GLib lets one do that is refused memory. */
static void
test_too_little (void)
{
  g_autofree char *picture = g_build_filename (test_trace_directory (), "picture.png", NULL);
  g_autofree char *output = g_strconcat ("--output=", picture, NULL);
  const struct { const char *command; const char *option; } runs[] = {
    { "info", "--memory=512MiB" }, { "report", "--memory=512MiB" }, { "render", output },
  };
  g_autofree char *path = save_trace ();

  if (cli_is_sanitized ())
    {
      g_test_skip ("a sanitizer needs addresses without a limit");
      return;
    }
  for (gsize i = 0; i < G_N_ELEMENTS (runs); i++)
    {
      g_autoptr(CliRun) none = run_within (runs[i].command, runs[i].option, path, 48);
      g_autoptr(CliRun) ample = run_within (runs[i].command, runs[i].option, path, 2048);

      assert_said (none);
      g_assert_cmpint (ample->status, ==, 0);
      for (guint limit = 60; limit <= 220; limit += 20)
        {
          g_autoptr(CliRun) run = run_within (runs[i].command, runs[i].option, path, limit);

          if (run->status == 0)
            g_assert_cmpstr (run->out, ==, ample->out);
          else
            assert_said (run);
        }
    }
}

/* A tree of all rows would take over 200 MiB. */
static void
test_rows (void)
{
  g_autofree char *path = save_trace ();
  g_autoptr(CliRun) run = NULL;

  if (cli_is_sanitized ())
    {
      g_test_skip ("a sanitizer needs addresses without a limit");
      return;
    }
  run = run_within ("report", "--threshold=10us", path, 260);
  g_assert_cmpint (run->status, ==, 0);
  g_assert_nonnull (run->json);
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (run->json, "long_polls")), ==,
                    N_POLLS / LONG_INTERVAL);
  g_assert_cmpint (cli_get_number (run->json, "polls.count"), ==, N_POLLS);
}

/* The list of all polls, which the engine does not bound, takes 50 MiB. */
static void
test_list (void)
{
  g_autofree char *path = save_trace ();
  g_autoptr(CliRun) run = NULL;

  if (cli_is_sanitized ())
    {
      g_test_skip ("a sanitizer needs addresses without a limit");
      return;
    }
  run = run_within ("report", "--threshold=0ns", path, 110);
  assert_said (run);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cli/memory/too-little-is-said-and-never-a-crash", test_too_little);
  g_test_add_func ("/cli/memory/too-long-a-list-is-said", test_list);
  g_test_add_func ("/cli/memory/rows-by-the-million-are-no-tree", test_rows);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
