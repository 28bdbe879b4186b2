/* test-index.c: summaries of files seen before are believed only when they are true
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pl-index.h"
#include "pl-load-job.h"
#include "pl-loader.h"
#include "pl-trace-private.h"
#include "test-trace.h"

static char *
save_trace (const char *name, guint n_polls)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  gint64 at = 1000000;

  test_trace_metadata (bytes, at, "service", "index");
  test_trace_clock_sync (bytes, at, G_GUINT64_CONSTANT (1700000000000000000));
  for (guint i = 0; i < n_polls; i++)
    {
      if (i % 500 == 0)
        test_trace_header (bytes);
      test_trace_spawn (bytes, i + 1, "spawn.rs:1:1", at);
      test_trace_poll (bytes, i % 2, i + 1, i % 3 ? "a.rs:1:1" : "b.rs:2:2", at, i % 97 == 0 ? 2000000 : 700);
      at += i % 97 == 0 ? 2001000 : 1000;
      test_trace_park (bytes, i % 2, 7 + i % 2, at);
      test_trace_unpark (bytes, i % 2, 7 + i % 2, at + 100);
      at += 200;
      if (i % 50 == 0)
        test_trace_queue (bytes, "main", i, 3, at);
    }
  test_trace_gap (bytes, &(PlGap) { at, at + 1000, 12, 1, 8, PL_GAP_RING_FULL });
  test_trace_poll_start (bytes, 0, 1, "open.rs:1:1", at + 1000);
  return test_trace_save (bytes, name);
}

/* What a snapshot says of its one file, apart from detail. */
static void
assert_same (PlTrace *a, PlTrace *b)
{
  PlPoll first = { 0 };
  PlPoll second = { 0 };
  gint64 at = G_MININT64;

  g_assert_cmpmem (pl_trace_get_poll_totals (a), sizeof (PlPollTotals), pl_trace_get_poll_totals (b),
                   sizeof (PlPollTotals));
  g_assert_cmpuint (pl_trace_get_n_events (a), ==, pl_trace_get_n_events (b));
  g_assert_cmpint (pl_trace_get_start_ns (a), ==, pl_trace_get_start_ns (b));
  g_assert_cmpint (pl_trace_get_end_ns (a), ==, pl_trace_get_end_ns (b));
  g_assert_cmpuint (pl_trace_get_n_lanes (a), ==, pl_trace_get_n_lanes (b));
  while (pl_lane_next_poll (pl_trace_get_lane (a, 0), at, 1000000, &first))
    {
      g_assert_true (pl_lane_next_poll (pl_trace_get_lane (b, 0), at, 1000000, &second));
      g_assert_cmpint (first.start_ns, ==, second.start_ns);
      g_assert_cmpint (first.duration_ns, ==, second.duration_ns);
      g_assert_cmpstr (pl_trace_get_string (a, first.spawn_loc), ==, pl_trace_get_string (b, second.spawn_loc));
      at = first.start_ns;
    }
  g_assert_cmpint (at, >, G_MININT64);
}

static void
assert_same_gaps (PlTrace *a, PlTrace *b)
{
  guint n_a, n_b;
  const PlGap *first = pl_trace_get_gaps (a, &n_a, NULL);
  const PlGap *second = pl_trace_get_gaps (b, &n_b, NULL);

  g_assert_cmpuint (n_a, ==, 1);
  g_assert_cmpmem (first, n_a * sizeof *first, second, n_b * sizeof *second);
}

static void
assert_same_metadata (PlTrace *a, PlTrace *b)
{
  guint n_a, n_b;
  const PlMetadata *first = pl_trace_get_metadata (a, &n_a);
  const PlMetadata *second = pl_trace_get_metadata (b, &n_b);

  g_assert_cmpuint (n_a, >, 0);
  g_assert_cmpuint (n_a, ==, n_b);
  for (guint i = 0; i < n_a; i++)
    {
      g_assert_cmpstr (first[i].key, ==, second[i].key);
      g_assert_cmpstr (first[i].value, ==, second[i].value);
    }
}

static PlTrace *
load (const char *path)
{
  const char *const paths[] = { path, NULL };
  g_autoptr(GError) error = NULL;
  PlTrace *trace = pl_loader_load_within (paths, 1, 0, NULL, &error);

  g_assert_no_error (error);
  return trace;
}

static void
remember (PlTrace *trace)
{
  g_autoptr(GError) error = NULL;

  g_assert_true (pl_index_save (&g_array_index (trace->files, PlTraceFile, 0), trace->pieces, trace->strings, &error));
  g_assert_no_error (error);
}

/* The snapshot that the index alone gives; NULL when it is not believed. */
static PlTrace *
recall (const char *path)
{
  g_autoptr(GArray) files = g_array_new (FALSE, FALSE, sizeof (PlTraceFile));
  PlStrings *strings = pl_strings_new ();
  PlTraceFile file = { .path = (char *) path };
  g_autoptr(GPtrArray) pieces = pl_index_load (&file, 0, strings);
  PlTrace *trace = NULL;

  g_array_append_val (files, file);
  if (pieces != NULL)
    trace = pl_trace_build (pieces, files, strings);
  g_clear_pointer (&file.index, g_array_unref);
  pl_strings_unref (strings);
  return trace;
}

static char *
find_index (void)
{
  g_autofree char *directory = g_build_filename (g_get_user_cache_dir (), "parklane", "index", NULL);
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;

  return name != NULL ? g_build_filename (directory, name, NULL) : NULL;
}

static void
forget (void)
{
  char *path;

  while ((path = find_index ()) != NULL)
    {
      g_assert_cmpint (g_unlink (path), ==, 0);
      g_free (path);
    }
}

static void
test_same (void)
{
  g_autofree char *path = save_trace ("same.bin", 20000);
  g_autoptr(PlTrace) read = load (path);
  g_autoptr(PlTrace) recalled = NULL;

  forget ();
  g_assert_null (recall (path));
  remember (read);
  recalled = recall (path);
  g_assert_nonnull (recalled);
  assert_same (read, recalled);
  g_assert_cmpuint (pl_trace_get_n_queues (recalled), ==, 1);
  g_assert_cmpstr (pl_trace_get_queue_name (recalled, 0), ==, "main");
  assert_same_metadata (read, recalled);
  assert_same_gaps (read, recalled);
}

static void
test_changed (void)
{
  g_autofree char *path = save_trace ("changed.bin", 2000);
  g_autofree char *other = save_trace ("other.bin", 2100);
  g_autofree char *contents = NULL;
  g_autoptr(PlTrace) read = load (path);
  gsize length;

  forget ();
  remember (read);
  g_assert_true (g_file_get_contents (other, &contents, &length, NULL));
  g_assert_true (g_file_set_contents (path, contents, (gssize) length, NULL));
  g_assert_null (recall (path));
}

static void
test_damaged (void)
{
  g_autofree char *path = save_trace ("damaged.bin", 600);
  g_autoptr(PlTrace) read = load (path);
  g_autofree char *index = NULL;
  g_autofree char *contents = NULL;
  gsize length;

  forget ();
  remember (read);
  index = find_index ();
  g_assert_true (g_file_get_contents (index, &contents, &length, NULL));
  for (gsize i = 0; i < length; i += 7)
    {
      contents[i] ^= 0x55;
      g_assert_true (g_file_set_contents (index, contents, (gssize) length, NULL));
      g_assert_null (recall (path));
      contents[i] ^= 0x55;
    }
  for (gsize i = 0; i < length; i += 101)
    {
      g_assert_true (g_file_set_contents (index, contents, (gssize) i, NULL));
      g_assert_null (recall (path));
    }
}

/* What the snapshots of a load said, in the order in which they came. */
typedef struct
{
  guint n_snapshots;
  guint64 n_events;
  guint64 n_batches;
  gboolean is_first_known;
} Snapshots;

static void
note_snapshot (PlLoadJob *job, PlTrace *trace, gpointer user_data)
{
  Snapshots *seen = user_data;
  guint n_files;
  const PlTraceFile *files;

  if (trace == NULL)
    return;
  files = pl_trace_get_files (trace, &n_files);
  g_assert_cmpuint (n_files, ==, 2);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, seen->n_events);
  g_assert_cmpuint (files[0].n_batches + files[1].n_batches, ==, seen->n_batches);
  if (seen->n_snapshots++ == 0)
    seen->is_first_known = pl_trace_is_summary (trace);
}

static PlTrace *
run_job (const char *const *paths, guint64 budget, gboolean remembers, Snapshots *seen)
{
  g_autoptr(GError) error = NULL;
  PlLoadJob *job = pl_load_job_new (paths, 2, budget);
  PlTrace *trace = pl_load_job_run (job, NULL, seen != NULL ? note_snapshot : NULL, seen, &error);

  g_assert_no_error (error);
  if (remembers)
    pl_load_job_remember (job);
  pl_load_job_free (job);
  return trace;
}

static void
test_first_snapshot (void)
{
  g_autofree char *first = save_trace ("first.bin", 60000);
  g_autofree char *second = save_trace ("second.bin", 50000);
  const char *const paths[] = { first, second, NULL };
  g_autoptr(PlTrace) read = NULL;
  g_autoptr(PlTrace) again = NULL;
  Snapshots seen = { 0 };
  const PlTraceFile *files;
  guint n_files;

  forget ();
  read = run_job (paths, G_MAXUINT64, TRUE, NULL);
  files = pl_trace_get_files (read, &n_files);
  seen.n_events = pl_trace_get_n_events (read);
  seen.n_batches = files[0].n_batches + files[1].n_batches;
  again = run_job (paths, G_MAXUINT64, FALSE, &seen);

  g_assert_cmpuint (seen.n_snapshots, >, 0);
  g_assert_true (seen.is_first_known);
  g_assert_false (pl_trace_is_summary (again));
  g_assert_cmpuint (pl_trace_get_n_events (again), ==, seen.n_events);
  files = pl_trace_get_files (again, &n_files);
  g_assert_cmpuint (files[0].n_batches + files[1].n_batches, ==, seen.n_batches);
  assert_same (read, again);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_build_filename (test_trace_directory (), "cache", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/index/recalls-what-was-read", test_same);
  g_test_add_func ("/trace/index/changed-file-is-read-again", test_changed);
  g_test_add_func ("/trace/index/damaged-index-is-not-believed", test_damaged);
  g_test_add_func ("/trace/index/first-snapshot-is-whole-and-none-goes-back", test_first_snapshot);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
