/* test-events.c: events are known by their name and fields by theirs, whatever their order, width and version
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "test-trace.h"

#define FIELDS(...) ((const char *const[]) { __VA_ARGS__ })

/* Types for a test's own schemas, beyond those of the builder. */
enum { START = 400, END, PARK, UNPARK, OTHER };

static void
assert_one_poll (PlTrace *trace, guint64 worker, guint64 task, const char *spawn_loc)
{
  const PlLane *lane = pl_trace_find_lane (trace, worker, NULL);
  PlPoll poll;

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_nonnull (lane);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
  g_assert_true (pl_lane_next_poll (lane, 0, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 1000);
  g_assert_cmpint (poll.duration_ns, ==, 50);
  g_assert_cmpuint (poll.task_id, ==, task);
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, spawn_loc);
}

/* The earliest recorders: worker U8, task U32, the location as text. */
static void
test_fixed_width_and_inline_text (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("worker_id", "local_queue", "task_id", "spawn_loc"),
                     "\x0b\x0b\x0d\x04");
  test_trace_schema (bytes, END, "PollEndEvent", FIELDS ("worker_id"), "\x0b");
  test_trace_event (bytes, START, 1000);
  test_trace_hex (bytes, "03 00 15cd5b07");
  test_trace_text (bytes, "a.rs:1:1");
  test_trace_event (bytes, END, 1050);
  test_trace_hex (bytes, "03");
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 3, 123456789, "a.rs:1:1");
}

static void
test_other_order_and_extra_fields (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_string (bytes, 5, "b.rs:2:2");
  test_trace_schema (bytes, START, "PollStartEvent",
                     FIELDS ("spawn_loc", "note", "task_id", "more", "worker_id", "scheduling_delay_ns"),
                     "\x07\x0a\x0c\x0e\x0c\x09");
  test_trace_schema (bytes, END, "PollEndEvent", FIELDS ("cost", "worker_id"), "\x02\x0d");
  test_trace_event (bytes, START, 1000);
  test_trace_hex (bytes, "05000000 01000000 0100000061 0100000062 0701 02000000 0907 0400000000 0002 8101");
  test_trace_event (bytes, END, 1050);
  test_trace_hex (bytes, "000000000000f83f 00020000");
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 0x200, 0x107, "b.rs:2:2");
}

static void
test_optional_fields_of_known_events (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_string (bytes, 0, "c.rs:3:3");
  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("worker_id", "local_queue", "task_id", "spawn_loc"),
                     "\x89\x8b\x89\x87");
  test_trace_schema (bytes, END, "PollEndEvent", FIELDS ("worker_id"), "\x89");
  test_trace_event (bytes, START, 1000);
  test_trace_hex (bytes, "01 02 00 01 07 01 00000000");
  test_trace_event (bytes, END, 1050);
  test_trace_hex (bytes, "01 02");
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 2, 7, "c.rs:3:3");
}

/* A poll start that has lost its worker says nothing; the rest of the stream does. */
static void
test_event_without_required_field_is_counted_only (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("task_id"), "\x09");
  test_trace_event (bytes, START, 900);
  test_trace_varint (bytes, 7);
  test_trace_poll (bytes, 1, 8, "a.rs:1:1", 1000, 50);
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 1, 8, "a.rs:1:1");
  g_assert_cmpuint (test_trace_count (trace, "PollStartEvent"), ==, 2);
}

static void
test_first_of_equal_names_counts (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("worker_id", "task_id", "worker_id", "task_id"),
                     "\x09\x09\x09\x09");
  test_trace_event (bytes, START, 1000);
  test_trace_hex (bytes, "02 07 63 64");
  test_trace_poll_end (bytes, 2, 1050);
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 2, 7, "");
}

/* An overlong varint has the value that it has when short, in frequent layouts as in others. */
static void
test_overlong_values (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlPoll poll;

  test_trace_park (bytes, 9, 1, 990);
  test_trace_string (bytes, 40, "d.rs:4:4");
  test_trace_poll_start (bytes, 5, 1, "e.rs:5:5", 995);
  test_trace_poll_end (bytes, 5, 996);
  test_trace_event (bytes, 0, 1000); /* PollStartEvent of the builder */
  test_trace_hex (bytes, "83 80 80 00 00 87 80 80 80 80 80 80 80 80 00 28000000");
  test_trace_event (bytes, 1, 1050);
  test_trace_hex (bytes, "83 80 80 80 80 80 80 80 80 00");
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 3, NULL), 0, 0, &poll));
  g_assert_cmpuint (poll.task_id, ==, 7);
  g_assert_cmpint (poll.duration_ns, ==, 50);
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, "d.rs:4:4");
}

static void
test_undefined_pool_ids_are_unknown_places (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_string (bytes, 7, "a.rs:1:1");
  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("worker_id", "task_id", "spawn_loc"), "\x09\x09\x07");
  test_trace_event (bytes, START, 1000);
  test_trace_hex (bytes, "02 07 63000000");
  test_trace_poll_end (bytes, 2, 1050);
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 2, 7, "");
}

static void
test_last_definition_of_a_pool_id_wins (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const PlLane *lane;
  PlPoll poll;

  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("worker_id", "spawn_loc"), "\x09\x07");
  for (gint64 i = 0; i < 2; i++)
    for (guint64 id = 3; id <= G_MAXUINT32; id = id * 100 + 1)
      {
        g_autofree char *text = g_strdup_printf ("%u.rs:%d:1", (guint) id, (int) i);

        test_trace_string (bytes, (guint32) id, text);
        test_trace_event (bytes, START, 1000 + i * 100 + (gint64) (id % 97));
        test_trace_varint (bytes, 2);
        test_trace_u32 (bytes, (guint32) id);
        test_trace_poll_end (bytes, 2, 1000 + i * 100 + (gint64) (id % 97));
      }
  trace = test_trace_load (bytes);

  lane = pl_trace_find_lane (trace, 2, NULL);
  g_assert_cmpuint (pl_lane_get_n_polls (lane), ==, 10);
  for (gint64 at = 0; pl_lane_next_poll (lane, at, 0, &poll); at = poll.start_ns)
    g_assert_nonnull (strstr (pl_trace_get_string (trace, poll.spawn_loc),
                              poll.start_ns < 1100 ? ".rs:0:1" : ".rs:1:1"));
}

/* U+FFFD stands for what is no UTF-8: in pools, inline, in names of events and in metadata. */
static void
test_invalid_utf8 (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const PlMetadata *metadata;
  guint n;

  test_trace_metadata (bytes, 990, "k\xff", "v\xc3");
  test_trace_custom (bytes, "S\xfe", 995);
  test_trace_poll (bytes, 1, 1, "a\xff.rs:1:1", 1000, 50);
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 1, 1, "a\xef\xbf\xbd.rs:1:1");
  g_assert_cmpuint (test_trace_count (trace, "S\xef\xbf\xbd"), ==, 1);
  metadata = pl_trace_get_metadata (trace, &n);
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (metadata[0].key, ==, "k\xef\xbf\xbd");
  g_assert_cmpstr (metadata[0].value, ==, "v\xef\xbf\xbd");
}

static void
test_nul_inside_a_string (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_hex (bytes, "03 01000000 07000000 03000000 610062");
  test_trace_schema (bytes, START, "PollStartEvent", FIELDS ("worker_id", "task_id", "spawn_loc"), "\x09\x09\x07");
  test_trace_event (bytes, START, 1000);
  test_trace_hex (bytes, "02 07 07000000");
  test_trace_poll_end (bytes, 2, 1050);
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 2, 7, "a\xef\xbf\xbd" "b");
}

/* Before 0.5: one queue of one runtime, its depth modulo 256. */
static void
test_legacy_queue_samples (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlQueueSlice slice;
  gint64 depth, alive;

  test_trace_schema (bytes, OTHER, "QueueSampleEvent", FIELDS ("global_queue"), "\x0b");
  test_trace_event (bytes, OTHER, 1000);
  test_trace_hex (bytes, "57");
  test_trace_event (bytes, OTHER, 1010);
  test_trace_hex (bytes, "02");
  trace = test_trace_load (bytes);

  g_assert_cmpuint (pl_trace_get_n_queues (trace), ==, 1);
  g_assert_cmpstr (pl_trace_get_queue_name (trace, 0), ==, "");
  pl_trace_get_queue_maxima (trace, 0, &depth, &alive);
  g_assert_cmpint (depth, ==, 0x57);
  g_assert_cmpint (alive, ==, -1);
  pl_trace_get_queue_slices (trace, 0, 1005, 1011, 1, &slice);
  g_assert_cmpint (slice.max_depth, ==, 2);
}

static void
test_legacy_queue_samples_with_tasks (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 depth, alive;

  test_trace_schema (bytes, OTHER, "QueueSampleEvent", FIELDS ("global_queue", "active_tasks"), "\x09\x09");
  test_trace_event (bytes, OTHER, 1000);
  test_trace_hex (bytes, "8702 9003");
  trace = test_trace_load (bytes);

  pl_trace_get_queue_maxima (trace, 0, &depth, &alive);
  g_assert_cmpint (depth, ==, 263);
  g_assert_cmpint (alive, ==, 400);
}

/* Before 0.3: metadata at wall-clock time, no anchor. It is the only one, and no part of the range. */
static void
test_legacy_metadata_time (void)
{
  const gint64 wall = G_GINT64_CONSTANT (1600000000) * 1000000000;
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 start_wall;

  test_trace_metadata (bytes, wall, "service", "x");
  test_trace_poll (bytes, 1, 8, "a.rs:1:1", 1000, 50);
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 1, 8, "a.rs:1:1");
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1000);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, 1050);
  g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 0);
  g_assert_true (pl_trace_to_wall_ns (trace, 1000, &start_wall));
  g_assert_cmpint (start_wall, ==, wall);
}

static void
test_wall_time_by_the_last_anchor (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 wall;

  test_trace_clock_sync (bytes, 1000, 5000000);
  test_trace_clock_sync (bytes, 2000, 9000000);
  trace = test_trace_load (bytes);

  g_assert_true (pl_trace_to_wall_ns (trace, 1999, &wall));
  g_assert_cmpint (wall, ==, 5000999);
  g_assert_true (pl_trace_to_wall_ns (trace, 2000, &wall));
  g_assert_cmpint (wall, ==, 9000000);
  g_assert_true (pl_trace_to_wall_ns (trace, 500, &wall));
  g_assert_cmpint (wall, ==, 4999500);
}

/* A tail of symbols at time 0 belongs to no time. */
static void
test_symbol_tail_leaves_the_range (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 1, 8, "a.rs:1:1", 1000, 50);
  test_trace_schema (bytes, OTHER, "SymbolTableEntry", FIELDS ("addr", "size", "symbol_name"), "\x09\x09\x07");
  for (guint i = 0; i < 100; i++)
    {
      test_trace_event (bytes, OTHER, 0);
      test_trace_hex (bytes, "8001 00 00000000");
    }
  trace = test_trace_load (bytes);

  assert_one_poll (trace, 1, 8, "a.rs:1:1");
  g_assert_cmpuint (test_trace_count (trace, "SymbolTableEntry"), ==, 100);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1000);
  g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 0);
}

/* A frame larger than what is read at a time, and one that begins just before a border of the read buffer. */
static void
test_frames_over_the_read_buffer (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *large = g_strnfill (3 * 1024 * 1024, 'x');
  g_autoptr(PlTrace) trace = NULL;
  PlPoll poll;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 50);
  test_trace_schema (bytes, OTHER, "Large", FIELDS ("text"), "\x04");
  test_trace_event (bytes, OTHER, 2000);
  test_trace_text (bytes, large);
  test_trace_metadata (bytes, 2500, "large", large);
  test_trace_poll (bytes, 0, 2, large, 3000, 50);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "Large"), ==, 1);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 2);
  g_assert_true (pl_lane_next_poll (pl_trace_get_lane (trace, 0), 2000, 0, &poll));
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, large);
}

static void
test_events_over_buffer_borders (void)
{
  for (guint shift = 0; shift < 40; shift++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autofree char *name = g_strnfill (1 + shift, 'n');
      g_autoptr(PlTrace) trace = NULL;
      const guint n = 40000;

      test_trace_custom (bytes, name, 500);
      for (guint i = 0; i < n; i++)
        test_trace_poll (bytes, 0, 300 + i, "a.rs:1:1", 1000 + (gint64) i * 100, 50);
      trace = test_trace_load (bytes);

      g_assert_cmpuint (test_trace_get_file (trace, 0)->raw_bytes, >, 3 * 256 * 1024);
      g_assert_false (pl_trace_has_losses (trace));
      g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, n);
      g_assert_cmpint (pl_trace_get_poll_totals (trace)->total_ns, ==, (gint64) n * 50);
      g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 0);
    }
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/events/fixed-width-and-inline-text", test_fixed_width_and_inline_text);
  g_test_add_func ("/trace/events/other-order-and-extra-fields", test_other_order_and_extra_fields);
  g_test_add_func ("/trace/events/optional-fields-of-known-events", test_optional_fields_of_known_events);
  g_test_add_func ("/trace/events/without-required-field-is-counted-only",
                   test_event_without_required_field_is_counted_only);
  g_test_add_func ("/trace/events/first-of-equal-names-counts", test_first_of_equal_names_counts);
  g_test_add_func ("/trace/events/overlong-values-are-the-same", test_overlong_values);
  g_test_add_func ("/trace/events/undefined-pool-ids-are-unknown-places",
                   test_undefined_pool_ids_are_unknown_places);
  g_test_add_func ("/trace/events/last-definition-of-a-pool-id-wins", test_last_definition_of_a_pool_id_wins);
  g_test_add_func ("/trace/events/invalid-utf8-is-replaced", test_invalid_utf8);
  g_test_add_func ("/trace/events/nul-inside-a-string-is-replaced", test_nul_inside_a_string);
  g_test_add_func ("/trace/events/legacy-queue-samples", test_legacy_queue_samples);
  g_test_add_func ("/trace/events/legacy-queue-samples-with-tasks", test_legacy_queue_samples_with_tasks);
  g_test_add_func ("/trace/events/legacy-metadata-time-is-the-anchor", test_legacy_metadata_time);
  g_test_add_func ("/trace/events/wall-time-by-the-last-anchor", test_wall_time_by_the_last_anchor);
  g_test_add_func ("/trace/events/symbol-tail-leaves-the-range", test_symbol_tail_leaves_the_range);
  g_test_add_func ("/trace/events/frames-over-the-read-buffer", test_frames_over_the_read_buffer);
  g_test_add_func ("/trace/events/events-over-buffer-borders", test_events_over_buffer_borders);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
