/* test-file-load.c: a large file read by several threads tells the same as read by one
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "pl-trace-error.h"
#include "test-trace.h"

/* More than two chunks of the smallest size that is read in parallel. */
#define SIZE (20 * 1024 * 1024)

/* What looks like a header with a frame behind it, over and over. */
static char *
make_false_headers (gsize size)
{
  char *text = g_malloc0 (size);

  for (gsize i = 0; i + 6 <= size; i += 6)
    memcpy (text + i, "TRC\0\1\1", 6);
  return text;
}

/* Polls in batches of some 200 kB; every third batch holds a string full of headers. */
static TestTrace *
new_large (gboolean with_false_headers, guint64 *out_n_polls)
{
  TestTrace *bytes = test_trace_new ();
  const gsize length = 1000 * 1000;
  g_autofree char *payload = make_false_headers (length);
  gint64 at = 1000000;

  *out_n_polls = 0;
  for (guint batch = 0; test_trace_get_size (bytes) < SIZE; batch++)
    {
      test_trace_header (bytes);
      for (guint i = 0; i < 10000; i++, at += 100)
        test_trace_poll (bytes, batch % 4, i, "a.rs:1:1", at, 50);
      *out_n_polls += 10000;
      if (!with_false_headers || batch % 3 != 0)
        continue;
      test_trace_schema (bytes, 500, "Blob", (const char *const[]) { "bytes" }, "\x05");
      test_trace_event (bytes, 500, at);
      test_trace_u32 (bytes, (guint32) length);
      test_trace_bytes (bytes, payload, length);
    }
  return bytes;
}

static PlTrace *
load (TestTrace *bytes, guint n_threads)
{
  g_autofree char *path = test_trace_save (bytes, "large.bin");

  return test_trace_load_paths ((const char *const[]) { path, NULL }, n_threads);
}

static void
assert_same (PlTrace *trace, PlTrace *expected)
{
  const PlPollTotals *totals = pl_trace_get_poll_totals (trace);
  const PlTraceFile *file = test_trace_get_file (trace, 0);
  const PlTraceFile *expected_file = test_trace_get_file (expected, 0);

  g_assert_cmpmem (totals, sizeof *totals, pl_trace_get_poll_totals (expected), sizeof *totals);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, pl_trace_get_n_events (expected));
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, pl_trace_get_start_ns (expected));
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, pl_trace_get_end_ns (expected));
  g_assert_cmpuint (file->n_batches, ==, expected_file->n_batches);
  g_assert_cmpuint (file->raw_bytes, ==, expected_file->raw_bytes);
  g_assert_cmpuint (file->lost_bytes, ==, expected_file->lost_bytes);
  g_assert_cmpuint (file->error_offset, ==, expected_file->error_offset);
  g_assert_cmpint (file->error != NULL, ==, expected_file->error != NULL);
}

static void
test_threads (gconstpointer data)
{
  guint64 n_polls;
  g_autoptr(TestTrace) bytes = new_large (GPOINTER_TO_INT (data), &n_polls);
  g_autoptr(PlTrace) by_one = load (bytes, 1);

  g_assert_false (pl_trace_has_losses (by_one));
  g_assert_cmpuint (pl_trace_get_poll_totals (by_one)->n_polls, ==, n_polls);
  for (guint n_threads = 2; n_threads < 6; n_threads++)
    {
      g_autoptr(PlTrace) trace = load (bytes, n_threads);

      assert_same (trace, by_one);
    }
}

/* A file without a single header but the first cannot be cut, only read. */
static void
test_one_batch (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  guint64 n = 0;
  g_autoptr(PlTrace) by_one = NULL;
  g_autoptr(PlTrace) trace = NULL;

  for (gint64 at = 1000; test_trace_get_size (bytes) < SIZE / 2; at += 100, n++)
    test_trace_poll (bytes, n % 5, n, "a.rs:1:1", at, 50);
  by_one = load (bytes, 1);
  trace = load (bytes, 3);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, n);
  assert_same (trace, by_one);
}

/* A fault in the middle ends the trace there, whatever other threads have read behind it. */
static void
test_fault_in_the_middle (void)
{
  guint64 n_polls;
  g_autoptr(TestTrace) bytes = new_large (FALSE, &n_polls);
  gsize size = test_trace_get_size (bytes);
  g_autoptr(TestTrace) damaged = test_trace_new_empty ();
  g_autoptr(PlTrace) by_one = NULL;

  test_trace_bytes (damaged, test_trace_get_bytes (bytes), size / 2);
  for (guint i = 0; i < 100; i++)
    test_trace_u8 (damaged, 0);
  test_trace_bytes (damaged, test_trace_get_bytes (bytes) + size / 2 + 100, size / 2 - 100);
  by_one = load (damaged, 1);

  g_assert_error (test_trace_get_file (by_one, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT);
  g_assert_cmpuint (pl_trace_get_poll_totals (by_one)->n_polls, <, n_polls * 6 / 10);
  g_assert_cmpuint (pl_trace_get_poll_totals (by_one)->n_polls, >, n_polls * 4 / 10);
  for (guint n_threads = 2; n_threads < 6; n_threads++)
    {
      g_autoptr(PlTrace) trace = load (damaged, n_threads);

      assert_same (trace, by_one);
    }
}

/* Batches whose events are out of order, so that pieces are read twice. */
static void
test_unsorted_batches (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  guint64 n_polls = 0;
  g_autoptr(PlTrace) by_one = NULL;
  g_autoptr(PlTrace) trace = NULL;

  for (gint64 batch = 1; test_trace_get_size (bytes) < SIZE / 2; batch++)
    {
      test_trace_header (bytes);
      for (gint64 i = 2000; i > 0; i--, n_polls++)
        {
          test_trace_poll_end (bytes, 0, batch * 1000000 + i * 100 + 50);
          test_trace_poll_start (bytes, 0, (guint64) i, "a.rs:1:1", batch * 1000000 + i * 100);
        }
    }
  by_one = load (bytes, 1);
  trace = load (bytes, 3);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, n_polls);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 50);
  assert_same (trace, by_one);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/trace/file-load/same-with-any-number-of-threads", GINT_TO_POINTER (FALSE), test_threads);
  g_test_add_data_func ("/trace/file-load/false-headers-mislead-no-thread", GINT_TO_POINTER (TRUE), test_threads);
  g_test_add_func ("/trace/file-load/one-batch-is-read-by-one-thread", test_one_batch);
  g_test_add_func ("/trace/file-load/fault-in-the-middle-ends-there", test_fault_in_the_middle);
  g_test_add_func ("/trace/file-load/unsorted-batches-are-sorted", test_unsorted_batches);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
