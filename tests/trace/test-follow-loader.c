/* test-follow-loader.c: the loader goes on with a session, beside a main loop
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "follow-world.h"
#include "pl-loader.h"
#include "test-trace.h"

static void
on_loaded (GObject *object, GAsyncResult *result, gpointer user_data)
{
  PlTrace **trace = user_data;
  g_autoptr(GError) error = NULL;

  *trace = pl_loader_load_finish (PL_LOADER (object), result, &error);
  g_assert_no_error (error);
}

static PlLoader *
load_and_follow (const char *path)
{
  PlLoader *loader = pl_loader_new ((const char *const[]) { path, NULL });
  g_autoptr(PlTrace) trace = NULL;

  pl_loader_set_follow (loader, TRUE);
  pl_loader_load_async (loader, NULL, on_loaded, &trace);
  while (trace == NULL)
    g_main_context_iteration (NULL, TRUE);
  return loader;
}

static void
await_events (PlLoader *loader, guint64 n_events)
{
  guint64 seen = 0;

  while (seen < n_events)
    {
      g_autoptr(PlTrace) trace = pl_loader_dup_trace (loader);

      seen = pl_trace_get_n_events (trace);
      if (seen < n_events)
        g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpuint (seen, ==, n_events);
}

static void
test_loader_goes_on (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 6 });
  g_autoptr(PlLoader) loader = NULL;

  follow_world_write (world, 500);
  loader = load_and_follow (follow_world_get_directory (world));
  g_assert_true (pl_loader_is_following (loader));
  follow_world_was_seen (world);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr(PlTrace) expected = NULL;

      follow_world_write (world, 500);
      follow_world_rotate (world);
      follow_world_was_seen (world);
      expected = follow_world_load (world);
      await_events (loader, pl_trace_get_n_events (expected));
    }
}

static void
test_loader_waits (void)
{
  g_autoptr(FollowWorld) world = follow_world_new (&(FollowWorldOptions) { .seed = 7 });
  g_autoptr(PlLoader) loader = NULL;
  g_autoptr(PlTrace) expected = NULL;

  follow_world_write (world, 500);
  follow_world_hide (world, TRUE);
  loader = load_and_follow (follow_world_get_directory (world));
  g_assert_cmpint (pl_loader_get_state (loader), ==, PL_FOLLOW_MISSING);
  follow_world_hide (world, FALSE);
  follow_world_was_seen (world);
  expected = follow_world_load (world);
  await_events (loader, pl_trace_get_n_events (expected));
  g_assert_cmpint (pl_loader_get_state (loader), ==, PL_FOLLOW_PRESENT);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/follow/loader-goes-on-after-loading", test_loader_goes_on);
  g_test_add_func ("/trace/follow/loader-waits-for-what-is-not-there", test_loader_waits);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
