/* test-damage.c: whatever the bytes are, what is whole before the fault is kept and the fault is named
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>
#include <sys/resource.h>

#include "pl-trace-error.h"
#include "test-examples.h"
#include "test-trace.h"

static TestTrace *
new_example (void)
{
  TestTrace *bytes = test_trace_new_empty ();

  test_trace_hex (bytes, TEST_EXAMPLE_TWO_BATCHES);
  return bytes;
}

/* Every prefix decodes to the frames that are whole in it, and the message names where the partial one begins. */
static void
test_every_prefix_keeps_whole_frames (void)
{
  static const gsize frames[] = TEST_EXAMPLE_FRAMES;
  static const gboolean is_event[] = { 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1 };
  g_autoptr(TestTrace) bytes = new_example ();
  guint n_whole = 0;
  guint n_events = 0;

  g_assert_cmpuint (test_trace_get_size (bytes), ==, 299);
  for (gsize size = 0; size <= 299; size++)
    {
      g_autoptr(PlTrace) trace = test_trace_load_bytes (test_trace_get_bytes (bytes), size);

      if (n_whole + 1 < G_N_ELEMENTS (frames) && size == frames[n_whole + 1])
        n_events += is_event[n_whole++];
      g_assert_cmpuint (pl_trace_get_n_events (trace), ==, n_events);
      if (size == frames[n_whole])
        g_assert_false (pl_trace_has_losses (trace));
      else
        {
          test_trace_assert_fault (trace, PL_TRACE_ERROR_TRUNCATED, frames[n_whole]);
          g_assert_cmpuint (test_trace_get_file (trace, 0)->lost_bytes, ==, size - frames[n_whole]);
        }
    }
}

/* A trace, or an error that names file and offset; nothing else may come of any damage. */
static void
assert_sound (PlTrace *trace, gsize size)
{
  const PlTraceFile *file = test_trace_get_file (trace, 0);
  g_autofree PlLaneSlice *slices = g_new (PlLaneSlice, 100);
  const PlPollTotals *totals = pl_trace_get_poll_totals (trace);
  gint64 start = pl_trace_get_start_ns (trace);
  gint64 end = pl_trace_get_end_ns (trace);
  guint64 n_polls = 0;

  g_assert_cmpuint (file->error_offset, <=, size);
  g_assert_true (file->error == NULL || strstr (file->error->message, file->path) != NULL);
  g_assert_cmpint (end, >=, start);
  g_assert_cmpint (totals->max_ns, <=, totals->total_ns);
  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    {
      const PlLane *lane = pl_trace_get_lane (trace, i);

      pl_lane_get_slices (lane, start, MAX (end, start + 1), 100, slices);
      n_polls += pl_lane_get_n_polls (lane);
    }
  g_assert_cmpuint (n_polls, <=, totals->n_polls);
}

static void
assert_survives_every_flip (TestTrace *bytes)
{
  gsize size = test_trace_get_size (bytes);
  g_autofree guint8 *damaged = g_memdup2 (test_trace_get_bytes (bytes), size);

  for (gsize bit = 0; bit < size * 8; bit++)
    {
      g_autoptr(PlTrace) trace = NULL;

      damaged[bit / 8] ^= (guint8) (1 << bit % 8);
      trace = test_trace_load_bytes (damaged, size);
      assert_sound (trace, size);
      damaged[bit / 8] ^= (guint8) (1 << bit % 8);
    }
}

static void
test_every_bit_flipped (void)
{
  g_autoptr(TestTrace) two_batches = new_example ();
  g_autoptr(TestTrace) all_types = test_trace_new_empty ();

  test_trace_hex (all_types, TEST_EXAMPLE_ALL_TYPES);
  assert_survives_every_flip (two_batches);
  assert_survives_every_flip (all_types);
}

static void
test_every_bit_flipped_of_a_session (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_metadata (bytes, 1000, "runtime.main", "0,1");
  test_trace_clock_sync (bytes, 1000, 1700000000000000000);
  test_trace_park (bytes, 0, 11, 1010);
  test_trace_unpark (bytes, 0, 11, 1020);
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1030, 10);
  test_trace_queue (bytes, "main", 3, 4, 1050);
  test_trace_spawn (bytes, 2, "b.rs:2:2", 1060);
  test_trace_header (bytes);
  test_trace_poll_start (bytes, 1, 2, "b.rs:2:2", 1100);
  test_trace_terminate (bytes, 2, 1110);
  assert_survives_every_flip (bytes);
}

/* Lengths and counts of 4 billion, in a file of some 60 bytes: nothing may be allocated for them. */
static void
test_absurd_claims_cost_nothing (void)
{
  static const char *const claims[] = {
    "03 ffffffff 00000000 00000000",          /* strings */
    "03 01000000 00000000 ffffffff 61",       /* the length of one */
    "04 ffffffff 00000000 00000000",          /* stacks */
    "04 01000000 00000000 ffffffff 00000000", /* the frames of one */
    "01 0500 0100 53 01 ffff 0100 61 09",     /* fields */
    "01 0500 ffff 53",                        /* a name */
    "06 05 ffff 0000 0000 00000000",          /* annotations */
    "06 05 0100 0000 0000 ffffffff 61",       /* the value of one */
    "01 0500 0100 53 01 0100 0100 61 04 02 0500 000000 ffffffff",
    "01 0500 0100 53 01 0100 0100 61 05 02 0500 000000 ffffffff",
    "01 0500 0100 53 01 0100 0100 61 08 02 0500 000000 ffffffff",
    "01 0500 0100 53 01 0100 0100 61 0a 02 0500 000000 ffffffff 00000000 00000000",
    "01 0500 0100 53 01 0100 0100 61 0e 02 0500 000000 ffffffff 0b 00",
    "01 0500 0100 53 01 0100 0100 61 0f 02 0500 000000 ffffffff 0b 00 0b 00",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;

      test_trace_custom (bytes, "Before", 1000);
      test_trace_hex (bytes, claims[i]);
      g_assert_cmpuint (test_trace_get_size (bytes), <=, 80);
      trace = test_trace_load (bytes);

      g_assert_error (test_trace_get_file (trace, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED);
      g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 1);
    }
}

/* Peak memory of the process; what a case may add to it is asserted with room for the allocator. */
static gint64
get_peak_memory (void)
{
  struct rusage usage;

  g_assert_cmpint (getrusage (RUSAGE_SELF, &usage), ==, 0);
  return (gint64) usage.ru_maxrss * 1024;
}

/* A table by id that follows the largest id would take gigabytes for these two megabytes. */
static void
test_pool_ids_far_apart_cost_nothing (void)
{
  const guint32 n = 200000;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 before;

  test_trace_hex (bytes, "03");
  test_trace_u32 (bytes, n);
  for (guint32 i = 0; i < n; i++)
    {
      test_trace_u32 (bytes, i * 1023);
      test_trace_u32 (bytes, 0);
    }
  test_trace_string (bytes, G_MAXUINT32, "last.rs:1:1");
  test_trace_schema (bytes, 9, "PollStartEvent", (const char *const[]) { "worker_id", "spawn_loc" }, "\x0b\x07");
  test_trace_event (bytes, 9, 1000);
  test_trace_hex (bytes, "00 ffffffff");
  before = get_peak_memory ();
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
  g_assert_cmpint (get_peak_memory () - before, <, 500 * 1000 * 1000);
}

static void
test_long_rows_of_resets_and_headers (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  for (guint i = 0; i < 200000; i++)
    test_trace_reset (bytes, i);
  for (guint i = 0; i < 200000; i++)
    test_trace_header (bytes);
  test_trace_custom (bytes, "After", 1000);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_get_file (trace, 0)->n_batches, ==, 200001);
  g_assert_cmpuint (test_trace_count (trace, "After"), ==, 1);
}

static void
test_header_cut_in_the_middle (void)
{
  for (gsize length = 1; length < 5; length++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;
      gsize fault;

      test_trace_custom (bytes, "Before", 1000);
      fault = test_trace_get_size (bytes);
      test_trace_bytes (bytes, "TRC\0", length);
      trace = test_trace_load (bytes);

      test_trace_assert_fault (trace, PL_TRACE_ERROR_TRUNCATED, fault);
      g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 1);
    }
}

static TestTrace *
new_many_polls (guint n)
{
  TestTrace *bytes = test_trace_new ();

  for (guint i = 0; i < n; i++)
    test_trace_poll (bytes, i % 4, i, "a.rs:1:1", 1000 + (gint64) i * 100, 50);
  return bytes;
}

/* H06: 100 bytes are zero. */
static void
test_zeroed_bytes_in_the_middle (void)
{
  g_autoptr(TestTrace) bytes = new_many_polls (20000);
  gsize size = test_trace_get_size (bytes);
  g_autofree guint8 *damaged = g_memdup2 (test_trace_get_bytes (bytes), size);
  g_autoptr(PlTrace) trace = NULL;
  const PlTraceFile *file;

  memset (damaged + size / 2, 0, 100);
  trace = test_trace_load_bytes (damaged, size);
  file = test_trace_get_file (trace, 0);

  g_assert_error (file->error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT);
  g_assert_cmpuint (file->error_offset, >=, size / 2 - 20);
  g_assert_cmpuint (file->error_offset, <, size / 2 + 100);
  g_assert_cmpuint (file->lost_bytes, ==, size - file->error_offset);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, >=, 9900);
}

typedef struct
{
  const char *bytes;
  gsize size;
  int code;
  const char *said;
} Foreign;

static void
test_other_files_are_named (void)
{
  static const Foreign files[] = {
    { "Just a log line.\nAnd one more.\n", 31, PL_TRACE_ERROR_NOT_A_TRACE, "text" },
    { "PK\003\004\024\0\0\0\010\0", 10, PL_TRACE_ERROR_NOT_A_TRACE, "zip" },
    { "\177ELF\2\1\1\0\0\0\0\0", 12, PL_TRACE_ERROR_NOT_A_TRACE, "program" },
    { "\377\376\375\374\373\372\371\370", 8, PL_TRACE_ERROR_NOT_A_TRACE, "not a dial9 trace" },
    { "TOKIOTRC\1\0\0\0", 12, PL_TRACE_ERROR_UNSUPPORTED, "0.1" },
    { "TRC\0\377", 5, PL_TRACE_ERROR_UNSUPPORTED, "version 255" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr(PlTrace) trace = test_trace_load_bytes (files[i].bytes, files[i].size);
      const PlTraceFile *file = test_trace_get_file (trace, 0);

      g_assert_error (file->error, PL_TRACE_ERROR, files[i].code);
      g_assert_nonnull (strstr (file->error->message, files[i].said));
      g_assert_nonnull (strstr (file->error->message, "bytes.bin"));
      g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 0);
      g_assert_cmpuint (file->lost_bytes, ==, files[i].size);
    }
}

static void
test_empty_and_header_only (void)
{
  g_autoptr(PlTrace) empty = test_trace_load_bytes ("", 0);
  g_autoptr(PlTrace) header = test_trace_load_bytes ("TRC\0\1", 5);

  g_assert_false (pl_trace_has_losses (empty));
  g_assert_false (pl_trace_has_losses (header));
  g_assert_cmpuint (test_trace_get_file (header, 0)->n_batches, ==, 1);
  g_assert_cmpuint (pl_trace_get_n_lanes (empty) + pl_trace_get_n_lanes (header), ==, 0);
}

/* H40: a frame of a later format. */
static void
test_later_frame_names_its_writer (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gsize fault;

  test_trace_metadata (bytes, 1000, "dial9.dial9-tokio-telemetry.version", "9.8.7");
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  fault = test_trace_get_size (bytes);
  test_trace_hex (bytes, "07 01000000");
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 2000, 10);
  trace = test_trace_load (bytes);

  g_assert_cmpuint (test_trace_get_file (trace, 0)->error_offset, ==, fault);
  g_assert_nonnull (strstr (test_trace_get_file (trace, 0)->error->message, "9.8.7"));
  g_assert_nonnull (strstr (test_trace_get_file (trace, 0)->error->message, "newer Parklane"));
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/damage/every-prefix-keeps-whole-frames", test_every_prefix_keeps_whole_frames);
  g_test_add_func ("/trace/damage/every-bit-flipped-is-survived", test_every_bit_flipped);
  g_test_add_func ("/trace/damage/every-bit-flipped-of-a-session-is-survived", test_every_bit_flipped_of_a_session);
  g_test_add_func ("/trace/damage/absurd-claims-cost-nothing", test_absurd_claims_cost_nothing);
  g_test_add_func ("/trace/damage/pool-ids-far-apart-cost-nothing", test_pool_ids_far_apart_cost_nothing);
  g_test_add_func ("/trace/damage/long-rows-of-resets-and-headers-are-read", test_long_rows_of_resets_and_headers);
  g_test_add_func ("/trace/damage/header-cut-in-the-middle-is-truncation", test_header_cut_in_the_middle);
  g_test_add_func ("/trace/damage/h06-zeroed-bytes-keep-what-precedes-them", test_zeroed_bytes_in_the_middle);
  g_test_add_func ("/trace/damage/h06-other-files-are-named", test_other_files_are_named);
  g_test_add_func ("/trace/damage/h06-empty-and-header-only-are-empty-traces", test_empty_and_header_only);
  g_test_add_func ("/trace/damage/later-frame-names-its-writer", test_later_frame_names_its_writer);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
