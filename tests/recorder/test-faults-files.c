/* test-faults-files.c: directory and segment are removed, replaced, moved and cut under a session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "fault-session.h"

static void
test_directory_removed (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  record (fixture, 50);
  while (!g_file_test (fixture->dir, G_FILE_TEST_IS_DIR))
    g_usleep (1000);
  await_health (1);
  record (fixture, 30);
  flush (fixture);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200); /* the deleted file's, and they alone */
}

static void
test_directory_removed_and_made_again (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  g_assert_cmpint (g_mkdir (fixture->dir, 0750), ==, 0);
  record (fixture, 50);
  flush (fixture);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

static void
test_directory_moved_away (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *moved = g_build_filename (fixture->top, "moved", NULL);
  g_autoptr(Trace) trace = NULL;

  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (g_rename (fixture->dir, moved), ==, 0);
  while (!g_file_test (fixture->dir, G_FILE_TEST_IS_DIR))
    g_usleep (1000);
  await_health (1);
  record (fixture, 50);
  stop (fixture);

  trace = trace_read_session (moved, "app");
  fixture->n_deleted = trace_count (trace, "PollStartEvent") + trace_count (trace, "PollEndEvent");
  g_assert_cmpuint (fixture->n_deleted, >=, 200);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_directory_replaced_by_file (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  g_assert_true (g_file_set_contents (fixture->dir, "file", 4, NULL));
  await_health (0);
  record (fixture, 50);
  g_assert_cmpint (g_unlink (fixture->dir), ==, 0);
  await_health (1);
  record (fixture, 30);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

static void
test_directory_replaced_by_link (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *elsewhere = g_build_filename (fixture->top, "elsewhere", NULL);
  g_autofree char *files = NULL;

  g_assert_cmpint (g_mkdir (elsewhere, 0750), ==, 0);
  record (fixture, 100);
  flush (fixture);
  remove_tree (fixture->dir);
  g_assert_cmpint (symlink (elsewhere, fixture->dir), ==, 0);
  await_health (0);
  record (fixture, 50);
  g_assert_cmpint (parklane_recorder_flush (fixture->recorder), ==, -ETIMEDOUT);
  files = list_directory (elsewhere);
  g_assert_cmpstr (files, ==, "");
  g_assert_cmpint (g_unlink (fixture->dir), ==, 0);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

static void
test_active_file_deleted (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *active = g_build_filename (fixture->dir, "app.0.bin.active", NULL);

  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (g_unlink (active), ==, 0);
  record (fixture, 50);
  flush (fixture);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 200);
}

/* A gap that stood in a file that is gone is told again, with all that it told of. */
static void
test_lost_gap_is_told_again (FaultSession *fixture, gconstpointer data)
{
  record (fixture, 100);
  flush (fixture);
  for (guint i = 0; i < 3; i++)
    {
      g_autofree char *active = g_strdup_printf ("%s/app.%u.bin.active", fixture->dir, i);

      while (g_unlink (active) != 0)
        g_usleep (1000);
      while (get_metrics ().dropped_events_total < 200 + 20 * i)
        g_usleep (1000);
      record (fixture, 10);
      flush (fixture);
    }

  g_assert_cmpuint (get_metrics ().dropped_events_total, ==, 240);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 240);
}

static void
test_active_file_truncated (FaultSession *fixture, gconstpointer data)
{
  g_autofree char *active = g_build_filename (fixture->dir, "app.0.bin.active", NULL);

  record (fixture, 1000);
  flush (fixture);
  g_assert_cmpint (truncate (active, 5001), ==, 0); /* in the middle of a frame */
  record (fixture, 50);
  flush (fixture);
  await_health (1);

  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 2000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_FAULT ("/recorder/faults/directory-removed", test_directory_removed);
  ADD_FAULT ("/recorder/faults/directory-removed-and-made-again", test_directory_removed_and_made_again);
  ADD_FAULT ("/recorder/faults/directory-moved-away", test_directory_moved_away);
  ADD_FAULT ("/recorder/faults/directory-replaced-by-file", test_directory_replaced_by_file);
  ADD_FAULT ("/recorder/faults/directory-replaced-by-link", test_directory_replaced_by_link);
  ADD_FAULT ("/recorder/faults/active-file-deleted", test_active_file_deleted);
  ADD_FAULT ("/recorder/faults/lost-gap-is-told-again", test_lost_gap_is_told_again);
  ADD_FAULT ("/recorder/faults/active-file-truncated", test_active_file_truncated);
  return g_test_run ();
}
