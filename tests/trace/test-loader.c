/* test-loader.c: loading beside a main loop: growing snapshots, progress, cancelling
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-loader.h"
#include "pl-trace-error.h"
#include "test-trace.h"

/* What a listener saw until the load was over. */
typedef struct
{
  PlTrace *trace;
  GError *error;
  gboolean is_done;
  guint n_snapshots;
  guint64 n_events;
  double progress;
  GCancellable *cancel_at_first; /* (nullable): cancelled with the first snapshot */
} Seen;

static void
on_trace (PlLoader *loader, GParamSpec *pspec, gpointer user_data)
{
  Seen *seen = user_data;
  g_autoptr(PlTrace) trace = pl_loader_dup_trace (loader);

  g_assert_nonnull (trace);
  g_assert_cmpuint (pl_trace_get_n_events (trace), >=, seen->n_events);
  seen->n_events = pl_trace_get_n_events (trace);
  seen->n_snapshots++;
  if (seen->cancel_at_first != NULL)
    g_cancellable_cancel (seen->cancel_at_first);
}

static void
on_progress (PlLoader *loader, GParamSpec *pspec, gpointer user_data)
{
  Seen *seen = user_data;
  double progress = pl_loader_get_progress (loader);

  g_assert_cmpfloat (progress, >=, seen->progress);
  g_assert_cmpfloat (progress, <=, 1);
  seen->progress = progress;
}

static void
on_done (GObject *object, GAsyncResult *result, gpointer user_data)
{
  Seen *seen = user_data;

  seen->trace = pl_loader_load_finish (PL_LOADER (object), result, &seen->error);
  seen->is_done = TRUE;
}

static void
load (const char *path, GCancellable *cancellable, Seen *seen)
{
  g_autoptr(PlLoader) loader = pl_loader_new ((const char *const[]) { path, NULL });
  gboolean is_loading = FALSE;

  g_signal_connect (loader, "notify::trace", G_CALLBACK (on_trace), seen);
  g_signal_connect (loader, "notify::progress", G_CALLBACK (on_progress), seen);
  pl_loader_load_async (loader, cancellable, on_done, seen);
  g_object_get (loader, "loading", &is_loading, NULL);
  g_assert_true (is_loading);
  while (!seen->is_done)
    g_main_context_iteration (NULL, TRUE);
  g_object_get (loader, "loading", &is_loading, NULL);
  g_assert_false (is_loading);
}

static void
seen_clear (Seen *seen)
{
  g_clear_pointer (&seen->trace, pl_trace_unref);
  g_clear_error (&seen->error);
}

/* Several pieces, so that there are snapshots on the way. */
static char *
save_large (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  gint64 at = 1000;

  for (guint batch = 0; test_trace_get_size (bytes) < 12 * 1024 * 1024; batch++)
    {
      test_trace_header (bytes);
      for (guint i = 0; i < 20000; i++, at += 100)
        test_trace_poll (bytes, batch % 4, i, "a.rs:1:1", at, 50);
    }
  return test_trace_save (bytes, "loader.bin");
}

static void
test_snapshots_grow (void)
{
  g_autofree char *path = save_large ();
  g_autoptr(PlTrace) expected = test_trace_load_path (path);
  Seen seen = { 0 };

  load (path, NULL, &seen);

  g_assert_no_error (seen.error);
  g_assert_cmpuint (seen.n_snapshots, >=, 1);
  g_assert_cmpuint (seen.n_events, ==, pl_trace_get_n_events (expected));
  g_assert_cmpfloat (seen.progress, ==, 1);
  g_assert_true (pl_trace_is_complete (seen.trace));
  g_assert_cmpuint (pl_trace_get_poll_totals (seen.trace)->n_polls, ==, pl_trace_get_poll_totals (expected)->n_polls);
  seen_clear (&seen);
}

static void
test_cancelled_before_it_begins (void)
{
  g_autofree char *path = save_large ();
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  Seen seen = { 0 };

  g_cancellable_cancel (cancellable);
  load (path, cancellable, &seen);

  g_assert_error (seen.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (seen.trace);
  seen_clear (&seen);
}

/* Whatever stage it has reached by then: it ends with the whole trace or with the cancellation, and never hangs. */
static void
test_cancelled_at_the_first_snapshot (void)
{
  g_autofree char *path = save_large ();
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();
  Seen seen = { .cancel_at_first = cancellable };

  load (path, cancellable, &seen);

  if (seen.trace != NULL)
    g_assert_true (pl_trace_is_complete (seen.trace));
  else
    g_assert_error (seen.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  seen_clear (&seen);
}

static void
test_nothing_to_read (void)
{
  g_autofree char *directory = g_build_filename (test_trace_directory (), "none", NULL);
  Seen seen = { 0 };

  g_assert_cmpint (g_mkdir_with_parents (directory, 0700), ==, 0);
  load (directory, NULL, &seen);

  g_assert_error (seen.error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO);
  g_assert_null (seen.trace);
  seen_clear (&seen);
}

static void
test_damaged_file_is_a_trace (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *path = NULL;
  Seen seen = { 0 };

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  test_trace_hex (bytes, "ff");
  path = test_trace_save (bytes, "damaged.bin");
  load (path, NULL, &seen);

  g_assert_no_error (seen.error);
  g_assert_true (pl_trace_has_losses (seen.trace));
  g_assert_cmpuint (pl_trace_get_poll_totals (seen.trace)->n_polls, ==, 1);
  seen_clear (&seen);
}

/* Nobody waits for the loader: what it began ends by itself. */
static void
on_dropped (GObject *object, GAsyncResult *result, gpointer user_data)
{
  g_autoptr(PlTrace) trace = pl_loader_load_finish (PL_LOADER (object), result, NULL);

  *(gboolean *) user_data = TRUE;
}

static void
test_loader_dropped_while_loading (void)
{
  g_autofree char *path = save_large ();
  PlLoader *loader = pl_loader_new ((const char *const[]) { path, NULL });
  gboolean is_done = FALSE;

  pl_loader_load_async (loader, NULL, on_dropped, &is_done);
  g_object_unref (loader);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (is_done);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/loader/snapshots-grow-to-the-whole", test_snapshots_grow);
  g_test_add_func ("/trace/loader/cancelled-before-it-begins", test_cancelled_before_it_begins);
  g_test_add_func ("/trace/loader/cancelled-at-the-first-snapshot", test_cancelled_at_the_first_snapshot);
  g_test_add_func ("/trace/loader/nothing-to-read-is-an-error", test_nothing_to_read);
  g_test_add_func ("/trace/loader/damaged-file-is-a-trace", test_damaged_file_is_a_trace);
  g_test_add_func ("/trace/loader/dropped-while-loading", test_loader_dropped_while_loading);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
