/* test-join.c: polls whose two ends lie in different batches, files or threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)

static void
assert_totals (PlTrace *trace, guint64 n_polls, guint64 n_open, guint64 n_unpaired, gint64 max_ns)
{
  const PlPollTotals *totals = pl_trace_get_poll_totals (trace);

  g_assert_cmpuint (totals->n_polls, ==, n_polls);
  g_assert_cmpuint (totals->n_open, ==, n_open);
  g_assert_cmpuint (totals->n_unpaired, ==, n_unpaired);
  g_assert_cmpint (totals->max_ns, ==, max_ns);
}

static void
test_over_a_batch_border (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 1 * MS);
  test_trace_header (bytes);
  test_trace_custom (bytes, "Other", 1 * MS);
  test_trace_header (bytes);
  test_trace_poll_end (bytes, 0, 9 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 10 * MS, 1 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 2, 0, 0, 8 * MS);
  g_assert_false (pl_lane_has_detached (pl_trace_get_lane (trace, 0)));
}

static PlTrace *
load_two_files (gboolean in_order)
{
  g_autoptr(TestTrace) first = test_trace_new ();
  g_autoptr(TestTrace) second = test_trace_new ();
  g_autofree char *first_path = NULL;
  g_autofree char *second_path = NULL;

  test_trace_park (first, 0, 11, 100 * US);
  test_trace_unpark (first, 0, 11, 200 * US);
  test_trace_poll_start (first, 0, 7, "a.rs:1:1", 1 * MS);
  test_trace_poll (first, 1, 9, "c.rs:3:3", 1 * MS, 1 * MS);
  test_trace_park (first, 1, 12, 3 * MS);
  test_trace_poll_end (second, 0, 9 * MS);
  test_trace_park (second, 0, 11, 10 * MS);
  test_trace_unpark (second, 1, 12, 11 * MS);
  first_path = test_trace_save (first, "join.0.bin");
  second_path = test_trace_save (second, "join.1.bin");
  return test_trace_load_paths (in_order ? (const char *const[]) { first_path, second_path, NULL }
                                         : (const char *const[]) { second_path, first_path, NULL }, 2);
}

static void
assert_two_files (PlTrace *trace)
{
  PlLaneSlice slice;
  PlPoll poll;

  assert_totals (trace, 2, 0, 0, 8 * MS);
  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 0, NULL), 0, 0, &poll));
  g_assert_cmpuint (poll.task_id, ==, 7);
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, "a.rs:1:1");
  pl_lane_get_slice (pl_trace_find_lane (trace, 1, NULL), 3 * MS, 11 * MS, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 8 * MS);
}

static void
test_over_a_file_border (void)
{
  g_autoptr(PlTrace) trace = load_two_files (TRUE);

  assert_two_files (trace);
}

static void
test_files_in_wrong_order (void)
{
  g_autoptr(PlTrace) trace = load_two_files (FALSE);

  assert_two_files (trace);
}

/* A poll begins in segment 0, and in segment 2 one ends; 1 may hold the end of the one and the start of the other. */
static void
test_not_over_a_missing_segment (void)
{
  static const char *const names[] = { "join.1.bin", "join.2.bin" };
  g_autoptr(TestTrace) before = test_trace_new ();
  g_autoptr(TestTrace) after = test_trace_new ();
  g_autofree char *first = NULL;

  test_trace_poll (before, 0, 1, "a.rs:1:1", 1 * MS, 1 * MS);
  test_trace_poll_start (before, 0, 2, "a.rs:1:1", 3 * MS);
  test_trace_poll_end (after, 0, 900 * MS);
  test_trace_poll (after, 0, 3, "a.rs:1:1", 901 * MS, 1 * MS);
  first = test_trace_save (before, "join.0.bin");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *second = test_trace_save (after, names[i]);
      g_autoptr(PlTrace) trace = test_trace_load_paths ((const char *const[]) { first, second, NULL }, 1);

      if (i == 0)
        assert_totals (trace, 3, 0, 0, 897 * MS);
      else
        assert_totals (trace, 2, 0, 2, 1 * MS);
    }
}

/* What stands in a batch of its own: the buffer of thread @tid, which holds worker 0 from @park_ns to the next. */
static void
begin_thread (TestTrace *bytes, guint32 tid, gint64 park_ns)
{
  test_trace_header (bytes);
  test_trace_park (bytes, 0, tid, park_ns);
  test_trace_unpark (bytes, 0, tid, park_ns + 1 * US);
}

static void
assert_hand_over (PlTrace *trace)
{
  const PlLane *lane = pl_trace_get_lane (trace, 0);
  PlLaneSlice slice;
  PlPoll poll;

  assert_totals (trace, 3, 0, 0, 300 * MS);
  g_assert_true (pl_lane_has_detached (lane));
  g_assert_cmpuint (pl_lane_get_n_polls (lane), ==, 3);
  g_assert_true (pl_lane_next_poll (lane, 0, 100 * MS, &poll));
  g_assert_cmpuint (poll.task_id, ==, 7);
  g_assert_cmpint (poll.flags, ==, PL_POLL_DETACHED);
  pl_lane_get_slice (lane, 100 * MS, 200 * MS, &slice);
  g_assert_cmpint (slice.detached_longest_ns, ==, 300 * MS);
  g_assert_cmpint (slice.longest_ns, ==, 0);
  g_assert_cmpint (slice.polling_ns, ==, 0);
  pl_lane_get_slice (lane, 0, 400 * MS, &slice);
  g_assert_cmpint (slice.longest_ns, ==, 2 * MS);
  g_assert_cmpint (slice.polling_ns, ==, 3 * MS);
  g_assert_cmpuint (slice.n_polls, ==, 3);
}

/* block_in_place: thread 1 stays in its poll, thread 2 polls under the same worker meanwhile. */
static void
test_two_threads_of_one_worker (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  begin_thread (bytes, 1, 5 * MS);
  test_trace_poll (bytes, 0, 7, "a.rs:1:1", 10 * MS, 300 * MS);
  begin_thread (bytes, 2, 12 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 20 * MS, 1 * MS);
  test_trace_poll (bytes, 0, 9, "b.rs:2:2", 30 * MS, 2 * MS);
  trace = test_trace_load (bytes);

  assert_hand_over (trace);
}

/* The same with the first thread's buffer flushed in the middle of the poll. */
static void
test_two_threads_and_a_flush (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  begin_thread (bytes, 1, 5 * MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 10 * MS);
  begin_thread (bytes, 2, 12 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 20 * MS, 1 * MS);
  test_trace_poll (bytes, 0, 9, "b.rs:2:2", 30 * MS, 2 * MS);
  test_trace_header (bytes);
  test_trace_poll_end (bytes, 0, 310 * MS);
  test_trace_park (bytes, 0, 1, 311 * MS);
  trace = test_trace_load (bytes);

  assert_hand_over (trace);
}

/* Both threads are in a poll when their buffers are flushed: the ends go to the starts of their own threads. */
static void
test_two_open_polls_end_by_thread (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlPoll poll;

  begin_thread (bytes, 1, 5 * MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 10 * MS);
  begin_thread (bytes, 2, 12 * MS);
  test_trace_poll_start (bytes, 0, 8, "b.rs:2:2", 20 * MS);
  test_trace_header (bytes);
  test_trace_poll_end (bytes, 0, 50 * MS);
  test_trace_park (bytes, 0, 1, 51 * MS);
  test_trace_header (bytes);
  test_trace_poll_end (bytes, 0, 60 * MS);
  test_trace_park (bytes, 0, 2, 61 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 2, 0, 0, 40 * MS);
  g_assert_true (pl_lane_next_poll (pl_trace_get_lane (trace, 0), 0, 0, &poll));
  g_assert_cmpuint (poll.task_id, ==, 7);
  g_assert_cmpint (poll.duration_ns, ==, 40 * MS);
}

static void
write_merged (TestTrace *bytes)
{
  test_trace_park (bytes, 0, 1, 1 * MS);
  test_trace_park (bytes, 1, 2, 1 * MS);
  test_trace_unpark (bytes, 0, 1, 2 * MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 3 * MS);
  test_trace_unpark (bytes, 1, 2, 4 * MS);
  test_trace_poll_start (bytes, 1, 8, "b.rs:2:2", 5 * MS);
  test_trace_header (bytes);
  test_trace_poll_end (bytes, 1, 6 * MS);
  test_trace_poll_end (bytes, 0, 7 * MS);
}

/* A park that ends in another batch has two queue depths as well. */
static void
test_park_over_a_batch_border (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const PlLane *lane;

  test_trace_local_queue (bytes, 3);
  test_trace_park (bytes, 0, 1, 1 * MS);
  test_trace_header (bytes);
  test_trace_local_queue (bytes, 8);
  test_trace_unpark (bytes, 0, 1, 5 * MS);
  test_trace_custom (bytes, "Later", 9 * MS);
  trace = test_trace_load (bytes);
  lane = pl_trace_get_lane (trace, 0);

  g_assert_cmpint (pl_lane_get_queue (lane, 4 * MS), ==, 3);
  g_assert_cmpint (pl_lane_get_queue (lane, 5 * MS), ==, 8);
}

/* Parks of two threads under one worker overlap, and keep their depths when they are sorted out. */
static void
test_parks_of_two_threads (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const PlLane *lane;
  PlLaneSlice slice;

  test_trace_local_queue (bytes, 3);
  test_trace_park (bytes, 0, 1, 1 * MS);
  test_trace_local_queue (bytes, 8);
  test_trace_unpark (bytes, 0, 1, 5 * MS);
  test_trace_header (bytes);
  test_trace_local_queue (bytes, 4);
  test_trace_park (bytes, 0, 2, 3 * MS);
  test_trace_local_queue (bytes, 9);
  test_trace_unpark (bytes, 0, 2, 7 * MS);
  test_trace_custom (bytes, "Later", 9 * MS);
  trace = test_trace_load (bytes);
  lane = pl_trace_get_lane (trace, 0);
  pl_lane_get_slice (lane, 0, 9 * MS, &slice);

  g_assert_cmpint (slice.parked_ns, ==, 6 * MS);
  g_assert_cmpint (pl_lane_get_queue (lane, 2 * MS), ==, 3);
  g_assert_cmpint (pl_lane_get_queue (lane, 4 * MS), ==, 4);
  g_assert_cmpint (pl_lane_get_queue (lane, 8 * MS), ==, 9);
}

/* All threads in one stream: a batch is nobody's buffer, and a worker's next end ends its poll. */
static void
test_merged_stream_pairs_by_worker (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  write_merged (bytes);
  test_trace_park (bytes, 0, 9, 8 * MS);
  test_trace_park (bytes, 1, 2, 8 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 2, 0, 0, 4 * MS);
}

/* The same where the second batch happens to show a single thread, known to be merged by its metadata. */
static void
test_merged_stream_by_metadata (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_metadata (bytes, 1 * MS, "parklane.stream", "merged");
  write_merged (bytes);
  test_trace_park (bytes, 0, 2, 8 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 2, 0, 0, 4 * MS);
}

static void
test_events_out_of_order_in_a_batch (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  for (gint64 i = 20; i > 0; i--)
    {
      test_trace_poll_end (bytes, 0, i * MS + 100 * US);
      test_trace_poll_start (bytes, 0, (guint64) i, "a.rs:1:1", i * MS);
      test_trace_unpark (bytes, 0, 1, i * MS + 300 * US);
      test_trace_park (bytes, 0, 1, i * MS + 200 * US);
    }
  trace = test_trace_load (bytes);

  assert_totals (trace, 20, 0, 0, 100 * US);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 80);
  g_assert_cmpuint (test_trace_get_file (trace, 0)->n_batches, ==, 1);
}

/* An end and the next start at one instant keep the order in which they were written. */
static void
test_equal_times_keep_their_order (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  for (gint64 i = 20; i < 30; i++)
    test_trace_poll (bytes, 0, (guint64) i, "a.rs:1:1", i * MS, 1 * MS);
  for (gint64 i = 0; i < 10; i++)
    test_trace_poll (bytes, 0, 50, "a.rs:1:1", 30 * MS, 0);
  /* Time goes back, so that the batch is sorted. */
  for (gint64 i = 0; i < 10; i++)
    test_trace_poll (bytes, 0, (guint64) i, "a.rs:1:1", (i + 1) * MS, 1 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 30, 0, 0, 1 * MS);
  g_assert_false (pl_lane_has_detached (pl_trace_get_lane (trace, 0)));
}

/* An open poll whose thread lost the worker is no longer what the worker does, and is not said to run on beyond the data
 * of its own thread. */
static void
test_open_detached_poll (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;

  begin_thread (bytes, 1, 5 * MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 10 * MS);
  begin_thread (bytes, 2, 12 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 20 * MS, 1 * MS);
  test_trace_park (bytes, 0, 2, 30 * MS);
  test_trace_custom (bytes, "Later", 50 * MS);
  trace = test_trace_load (bytes);
  pl_lane_get_slice (pl_trace_get_lane (trace, 0), 35 * MS, 45 * MS, &slice);

  assert_totals (trace, 1, 1, 0, 1 * MS);
  g_assert_cmpint (slice.polling_ns, ==, 0);
  g_assert_cmpint (slice.parked_ns, ==, 10 * MS);
  g_assert_cmpint (slice.open_ns, ==, 0);
  g_assert_true (pl_lane_has_detached (pl_trace_get_lane (trace, 0)));
}

/* The thread wakes first, so the start is not the first event of its batch, but the first that concerns polls. */
static void
test_start_after_a_lost_end (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  begin_thread (bytes, 11, 1 * MS);
  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 2 * MS);
  begin_thread (bytes, 11, 5 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 6 * MS, 1 * MS);
  test_trace_poll_end (bytes, 0, 9 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 1, 0, 2, 1 * MS);
}

static void
test_park_after_a_lost_unpark (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;

  test_trace_park (bytes, 0, 0, 1 * MS);
  test_trace_header (bytes);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 6 * MS, 1 * MS);
  test_trace_park (bytes, 0, 0, 8 * MS);
  test_trace_unpark (bytes, 0, 0, 9 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 9 * MS, 1 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 2, 0, 0, 1 * MS);
  pl_lane_get_slice (pl_trace_get_lane (trace, 0), 0, 10 * MS, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 1 * MS);
}

#define REPEATED 400

/* The start of the poll of task 7 at 1 ms, as libparklane-recorder repeats it when a batch begins. */
static void
repeat_start (TestTrace *bytes)
{
  test_trace_header (bytes);
  test_trace_string (bytes, 77, "a.rs:1:1");
  test_trace_schema (bytes, REPEATED, "ParklaneOpenPollEvent",
                     (const char *const[]) { "task_id", "local_queue", "worker_id", "spawn_loc" }, "\x09\x0b\x09\x07");
  test_trace_event (bytes, REPEATED, 1 * MS);
  test_trace_hex (bytes, "07 02 00 4d000000");
}

static void
assert_task_7 (PlTrace *trace)
{
  PlPoll poll;

  g_assert_true (pl_lane_next_poll (pl_trace_get_lane (trace, 0), 0, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 1 * MS);
  g_assert_cmpuint (poll.task_id, ==, 7);
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, "a.rs:1:1");
}

static void
test_repeated_start_is_the_same_poll (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll_start (bytes, 0, 7, "a.rs:1:1", 1 * MS);
  repeat_start (bytes);
  repeat_start (bytes);
  test_trace_poll_end (bytes, 0, 9 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 10 * MS, 1 * MS);
  trace = test_trace_load (bytes);

  assert_totals (trace, 2, 0, 0, 8 * MS);
  assert_task_7 (trace);
}

static void
test_repeated_start_stands_for_one_that_is_gone (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(TestTrace) open = test_trace_new ();
  g_autoptr(PlTrace) open_trace = NULL;
  g_autoptr(PlTrace) trace = NULL;

  repeat_start (bytes);
  test_trace_poll_end (bytes, 0, 9 * MS);
  trace = test_trace_load (bytes);
  assert_totals (trace, 1, 0, 0, 8 * MS);
  assert_task_7 (trace);

  repeat_start (open);
  test_trace_poll (open, 1, 9, "c.rs:3:3", 2 * MS, 3 * MS);
  open_trace = test_trace_load (open);
  assert_totals (open_trace, 1, 1, 0, 3 * MS);
}

/* Worker 1 parked at 1 ms, told again as a batch begins. */
static void
repeat_park (TestTrace *bytes)
{
  test_trace_header (bytes);
  test_trace_schema (bytes, REPEATED, "ParklaneOpenParkEvent",
                     (const char *const[]) { "cpu_time_ns", "worker_id", "tid", "local_queue" }, "\x09\x09\x0d\x0b");
  test_trace_event (bytes, REPEATED, 1 * MS);
  test_trace_hex (bytes, "00 01 07000000 00");
}

static gint64
get_parked (PlTrace *trace, gint64 from_ns, gint64 to_ns)
{
  PlLaneSlice slice;

  pl_lane_get_slice (pl_trace_find_lane (trace, 1, NULL), from_ns, to_ns, &slice);
  return slice.parked_ns;
}

static void
test_repeated_park_is_the_same (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 0, 1 * MS);
  test_trace_park (bytes, 1, 7, 1 * MS);
  repeat_park (bytes);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 2 * MS, 1 * MS);
  repeat_park (bytes);
  test_trace_unpark (bytes, 1, 7, 5 * MS);
  test_trace_poll (bytes, 0, 8, "b.rs:2:2", 6 * MS, 4 * MS);
  trace = test_trace_load (bytes);

  g_assert_cmpint (get_parked (trace, 0, 10 * MS), ==, 4 * MS);
  g_assert_false (pl_trace_has_losses (trace));
}

/* The batch that has the park is gone; what is there begins at 20 ms, and does not reach back for an idle worker. */
static void
test_repeated_park_stands_for_one_that_is_gone (void)
{
  g_autoptr(TestTrace) ended = test_trace_new_empty ();
  g_autoptr(TestTrace) open = test_trace_new_empty ();
  g_autoptr(PlTrace) open_trace = NULL;
  g_autoptr(PlTrace) trace = NULL;

  repeat_park (ended);
  test_trace_poll (ended, 0, 8, "b.rs:2:2", 20 * MS, 5 * MS);
  test_trace_unpark (ended, 1, 7, 23 * MS);
  test_trace_park (ended, 1, 7, 24 * MS);
  test_trace_unpark (ended, 1, 7, 25 * MS);
  trace = test_trace_load (ended);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 20 * MS);
  g_assert_cmpint (get_parked (trace, 0, 30 * MS), ==, 4 * MS);

  repeat_park (open);
  test_trace_poll (open, 0, 8, "b.rs:2:2", 20 * MS, 5 * MS);
  open_trace = test_trace_load (open);
  g_assert_cmpint (pl_trace_get_start_ns (open_trace), ==, 20 * MS);
  g_assert_cmpint (get_parked (open_trace, 0, 30 * MS), ==, 5 * MS);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/join/over-a-batch-border", test_over_a_batch_border);
  g_test_add_func ("/trace/join/over-a-file-border", test_over_a_file_border);
  g_test_add_func ("/trace/join/not-over-a-missing-segment", test_not_over_a_missing_segment);
  g_test_add_func ("/trace/join/files-in-wrong-order", test_files_in_wrong_order);
  g_test_add_func ("/trace/join/two-threads-of-one-worker", test_two_threads_of_one_worker);
  g_test_add_func ("/trace/join/two-threads-and-a-flush", test_two_threads_and_a_flush);
  g_test_add_func ("/trace/join/two-open-polls-end-by-thread", test_two_open_polls_end_by_thread);
  g_test_add_func ("/trace/join/park-over-a-batch-border", test_park_over_a_batch_border);
  g_test_add_func ("/trace/join/parks-of-two-threads-are-one-row", test_parks_of_two_threads);
  g_test_add_func ("/trace/join/merged-stream-pairs-by-worker", test_merged_stream_pairs_by_worker);
  g_test_add_func ("/trace/join/merged-stream-by-metadata", test_merged_stream_by_metadata);
  g_test_add_func ("/trace/join/events-out-of-order-in-a-batch", test_events_out_of_order_in_a_batch);
  g_test_add_func ("/trace/join/equal-times-keep-their-order", test_equal_times_keep_their_order);
  g_test_add_func ("/trace/join/start-after-a-lost-end", test_start_after_a_lost_end);
  g_test_add_func ("/trace/join/park-after-a-lost-unpark", test_park_after_a_lost_unpark);
  g_test_add_func ("/trace/join/open-detached-poll-leaves-the-worker", test_open_detached_poll);
  g_test_add_func ("/trace/join/repeated-start-is-the-same-poll", test_repeated_start_is_the_same_poll);
  g_test_add_func ("/trace/join/repeated-start-stands-for-one-that-is-gone", test_repeated_start_stands_for_one_that_is_gone);
  g_test_add_func ("/trace/join/repeated-park-is-the-same", test_repeated_park_is_the_same);
  g_test_add_func ("/trace/join/repeated-park-stands-for-one-that-is-gone", test_repeated_park_stands_for_one_that_is_gone);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
