/* test-index.c: summaries of files seen before are believed only when they are true
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>

#include "hostile-index.h"
#include "pl-block-builder.h"
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

/* Asks what a window asks first. */
static void
assert_harmless (PlTrace *trace)
{
  gint64 start_ns = pl_trace_get_start_ns (trace);
  gint64 end_ns = pl_trace_get_end_ns (trace);
  PlLaneSlice slices[16];

  g_assert_cmpint (start_ns, >=, 0);
  g_assert_cmpint (end_ns, >=, start_ns);
  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    {
      const PlLane *lane = pl_trace_get_lane (trace, i);

      pl_lane_get_slices (lane, start_ns, end_ns + 16, G_N_ELEMENTS (slices), slices);
      for (guint j = 0; j < G_N_ELEMENTS (slices); j++)
        {
          g_assert_cmpint (slices[j].polling_ns, >=, 0);
          g_assert_cmpint (slices[j].parked_ns, >=, 0);
          g_assert_cmpint (slices[j].longest_ns, >=, 0);
        }
    }
}

/* What decoding gives of recordings passes all checks: an index that is never believed would be none. */
static void
assert_believed_below (const char *directory, guint *n_files)
{
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);
      g_autoptr(HostileIndex) index = NULL;
      g_autoptr(PlTrace) read = NULL;
      g_autoptr(PlTrace) recalled = NULL;

      if (g_file_test (path, G_FILE_TEST_IS_DIR))
        {
          assert_believed_below (path, n_files);
          continue;
        }
      read = load (path);
      if (pl_trace_get_n_events (read) == 0 || pl_trace_has_losses (read))
        continue;
      g_test_message ("%s", path);
      index = hostile_index_new (path);
      recalled = hostile_index_recall (index);
      g_assert_nonnull (recalled);
      g_assert_cmpuint (pl_trace_get_n_events (recalled), ==, pl_trace_get_n_events (read));
      (*n_files)++;
    }
}

static void
test_recorded (void)
{
  guint n_files = 0;

  assert_believed_below (g_getenv ("PARKLANE_TEST_DATA"), &n_files);
  g_assert_cmpuint (n_files, >, 5);
}

/* Every word of an index is made everything that breaks programs, one after the other, under a right checksum. */
static void
test_hostile_words (void)
{
  static const guint64 values[] = {
    0, 1, G_MAXUINT64, G_MAXINT64, (guint64) G_MAXINT64 + 1, G_GUINT64_CONSTANT (4000000000),
    G_GUINT64_CONSTANT (0x7ff8000000000000), G_GUINT64_CONSTANT (0xffffffff00000000), G_GUINT64_CONSTANT (0x0000ffff0000ffff),
  };
  g_autofree char *path = save_trace ("hostile.bin", 150);
  g_autoptr(HostileIndex) index = hostile_index_new (path);
  guint n_refused = 0;
  guint n = 0;

  for (guint i = 0; i < hostile_index_n_words (index); i++)
    for (guint j = 0; j < G_N_ELEMENTS (values); j++)
      {
        g_autoptr(PlTrace) trace = NULL;
        guint64 genuine = hostile_index_get (index, i);

        hostile_index_set (index, i, values[j]);
        trace = hostile_index_recall (index);
        hostile_index_set (index, i, genuine);
        if (trace != NULL)
          assert_harmless (trace);
        n_refused += trace == NULL;
        n++;
      }
  g_assert_cmpuint (n, >, 1000);
  g_assert_cmpuint (n_refused, >, n / 2);
  g_assert_cmpuint (n_refused, <, n); /* the rest are words that may be anything, as ids */
}

static void
test_hostile_cut (void)
{
  g_autofree char *path = save_trace ("hostile-cut.bin", 150);
  g_autoptr(HostileIndex) index = hostile_index_new (path);

  for (guint i = 1; i + 1 < hostile_index_n_words (index); i += 3)
    {
      hostile_index_cut (index, i);
      g_assert_null (hostile_index_recall (index));
      hostile_index_reset (index);
    }
}

/* Puts @value wherever the index says @known. Returns whether it is believed then. */
static gboolean
is_believed_with (HostileIndex *index, guint64 known, guint64 value)
{
  g_autoptr(PlTrace) trace = NULL;
  guint n_found = 0;

  for (guint i = 1; i < hostile_index_n_words (index); i++)
    if (hostile_index_get (index, i) == known)
      {
        hostile_index_set (index, i, value);
        n_found++;
      }
  g_assert_cmpuint (n_found, >, 0);
  trace = hostile_index_recall (index);
  hostile_index_reset (index);
  return trace != NULL;
}

static void
test_hostile_claims (void)
{
  g_autofree char *path = save_trace ("hostile-claims.bin", 777);
  g_autoptr(HostileIndex) index = hostile_index_new (path);
  g_autoptr(PlTrace) trace = hostile_index_recall (index);
  guint64 start_ns = (guint64) pl_trace_get_start_ns (trace);
  guint64 n_events = pl_trace_get_n_events (trace);
  guint n_files;
  guint64 size = pl_trace_get_files (trace, &n_files)->raw_bytes;

  g_assert_true (is_believed_with (index, n_events, n_events - 1));
  g_assert_false (is_believed_with (index, n_events, G_GUINT64_CONSTANT (4000000000)));
  g_assert_false (is_believed_with (index, size, size + 1));
  g_assert_false (is_believed_with (index, size, 0));
  g_assert_false (is_believed_with (index, start_ns, 0));
  g_assert_false (is_believed_with (index, start_ns, (guint64) -1));
  g_assert_false (is_believed_with (index, start_ns, G_GUINT64_CONSTANT (0x7ff8000000000000)));
}

/* Blocks of polls, 10 µs apart, some over the floor. */
static PlBlock *
make_block (guint n)
{
  PlBlockBuilder *builder = pl_block_builder_new (PL_BLOCK_POLLS);
  g_autoptr(GPtrArray) blocks = NULL;
  gint64 at = 1000;

  for (guint i = 0; i < n; i++)
    {
      gint64 duration = i % 40 == 7 ? 150000 : 500 + i;

      pl_block_builder_add_poll (builder, at, duration, i, 1, (guint8) i);
      at += duration + 10000;
    }
  blocks = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
  g_assert_cmpuint (blocks->len, ==, 1);
  return pl_block_ref (blocks->pdata[0]);
}

static void
assert_unsound (const PlBlock *block, guint32 *word, guint32 value)
{
  guint32 before = *word;

  g_assert_true (pl_block_is_sound (block));
  *word = value;
  g_assert_false (pl_block_is_sound (block));
  *word = before;
}

/* What is said of both forms of a block. The columns are the block's own: nobody else has them. */
static void
assert_checks (PlBlock *block)
{
  guint32 *sums = (guint32 *) block->sums;
  guint32 *maxima = (guint32 *) block->maxima;
  guint32 *starts = (guint32 *) block->stride_start;

  assert_unsound (block, &sums[0], 1);
  assert_unsound (block, &sums[2], sums[1] - 1);
  assert_unsound (block, &sums[1], G_MAXUINT32);
  assert_unsound (block, &starts[2], starts[1] - 1);
  assert_unsound (block, &starts[1], G_MAXUINT32);
  assert_unsound (block, &maxima[1], G_MAXUINT32);
  assert_unsound (block, &block->n, 0);
  assert_unsound (block, &block->n, PL_BLOCK_CAPACITY + 1);
  block->total_ns++;
  block->end_ns = block->base_ns + block->total_ns - 1;
  g_assert_false (pl_block_is_sound (block));
}

/* Of many intervals, none of which can have taken so long: what lies between them is estimated by products. */
static void
assert_length_is_checked (PlBlock *block)
{
  gint64 end = block->end_ns;

  g_assert_true (pl_block_is_sound (block));
  block->end_ns = block->base_ns + 2 * (gint64) G_MAXUINT32 + 1;
  g_assert_false (pl_block_is_sound (block));
  block->end_ns = end;
}

static void
test_block_checks (void)
{
  g_autoptr(GPtrArray) blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);
  PlBlock *block = make_block (500);
  PlBlock *summary = pl_block_summarize (block);
  guint16 *over = (guint16 *) summary->over_index;

  g_ptr_array_add (blocks, block);
  g_ptr_array_add (blocks, summary);
  g_assert_cmpuint (summary->over->n, ==, 13);
  over[3] = over[2];
  g_assert_false (pl_block_is_sound (summary));
  over[3] = 7 + 3 * 40;
  over[12] = 600;
  g_assert_false (pl_block_is_sound (summary));
  over[12] = 7 + 12 * 40;
  assert_length_is_checked (summary);
  assert_checks (summary);
  assert_checks (block);
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
  g_test_add_func ("/trace/index/recalls-what-recorders-wrote", test_recorded);
  g_test_add_func ("/trace/index/hostile-words-are-not-believed-or-harmless", test_hostile_words);
  g_test_add_func ("/trace/index/hostile-index-cut-anywhere-is-not-believed", test_hostile_cut);
  g_test_add_func ("/trace/index/hostile-claims-are-not-believed", test_hostile_claims);
  g_test_add_func ("/trace/index/blocks-that-contradict-themselves-are-found", test_block_checks);
  g_test_add_func ("/trace/index/first-snapshot-is-whole-and-none-goes-back", test_first_snapshot);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
