/* test-gaps.c: tests of what the engine makes of gaps that the recorder tells of
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>

#include "encoder.h"
#include "parklane-recorder.h"
#include "pl-lane-gaps.h"
#include "test-trace.h"

/* One event as the recorder passes it to its encoder. */
typedef struct
{
  gint64 at_ns;
  PlrEventKind kind;
  guint worker;
} Step;

typedef struct
{
  PlrGapCause cause;
  guint worker;
  guint tid;
  guint64 n_lost;
  gint64 from_ns;
  gint64 to_ns;
} Loss;

static void
add_step (PlrEncoder *encoder, const Step *step)
{
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = (guint64) step->at_ns,
                                            .word = plr_event_word (step->kind, 0, step->worker, 0),
                                            .payload = 7,
                                            .tid = step->worker + 1 });
}

static void
add_loss (PlrEncoder *encoder, const Loss *loss)
{
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = (guint64) loss->to_ns,
                                            .word = plr_gap_word (loss->cause, loss->worker, loss->n_lost),
                                            .payload = (guint64) loss->from_ns,
                                            .tid = loss->tid });
}

static PlrEncoder *
begin (void)
{
  PlrEncoder *encoder = plr_encoder_new ();

  plr_encoder_begin_batch (encoder);
  return encoder;
}

static TestTrace *
end (PlrEncoder *encoder)
{
  TestTrace *bytes = test_trace_new_empty ();

  test_trace_bytes (bytes, plr_encoder_get_data (encoder), plr_encoder_get_size (encoder));
  plr_encoder_free (encoder);
  return bytes;
}

static void
assert_told (PlTrace *trace)
{
  const PlGap *gaps;
  guint64 n_lost;
  guint n;

  gaps = pl_trace_get_gaps (trace, &n, &n_lost);
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (n_lost, ==, 42);
  g_assert_cmpint (gaps[0].from_ns, ==, 2000);
  g_assert_cmpint (gaps[0].to_ns, ==, 3000);
  g_assert_cmpuint (gaps[0].n_lost, ==, 40);
  g_assert_cmpuint (gaps[0].worker, ==, 1);
  g_assert_cmpuint (gaps[0].tid, ==, 77);
  g_assert_cmpint (gaps[0].cause, ==, PL_GAP_RING_FULL);
  g_assert_false (pl_gap_is_of_all (&gaps[0]));
  g_assert_cmpint (gaps[1].from_ns, ==, 5000);
  g_assert_cmpuint (gaps[1].n_lost, ==, 2);
  g_assert_cmpint (gaps[1].cause, ==, PL_GAP_OUTPUT);
  g_assert_true (pl_gap_is_of_all (&gaps[1]));
}

static TestTrace *
two_gaps (void)
{
  PlrEncoder *encoder = begin ();

  add_step (encoder, &(Step) { 1000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 1100, PLR_EVENT_POLL_END, 1 });
  add_loss (encoder, &(Loss) { PLR_GAP_RING, 1, 77, 40, 2000, 3000 });
  add_step (encoder, &(Step) { 4000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 4100, PLR_EVENT_POLL_END, 1 });
  add_loss (encoder, &(Loss) { PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, 0, 2, 5000, 6000 });
  add_step (encoder, &(Step) { 7000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 7100, PLR_EVENT_POLL_END, 1 });
  return end (encoder);
}

static void
test_all_are_told (void)
{
  g_autoptr(TestTrace) bytes = two_gaps ();
  g_autoptr(PlTrace) trace = test_trace_load (bytes);

  assert_told (trace);
}

/* A poll, a park and an idle stretch that the gap of their workers cuts, and a worker that it does not concern. */
static TestTrace *
cut_off (void)
{
  PlrEncoder *encoder = begin ();

  add_step (encoder, &(Step) { 1000, PLR_EVENT_POLL_START, 0 });
  add_step (encoder, &(Step) { 1000, PLR_EVENT_POLL_START, 1 });
  add_step (encoder, &(Step) { 1000, PLR_EVENT_PARK, 2 });
  add_loss (encoder, &(Loss) { PLR_GAP_RING, 0, 1, 10, 2000, 3000 });
  add_loss (encoder, &(Loss) { PLR_GAP_RING, 2, 3, 10, 2000, 3000 });
  add_step (encoder, &(Step) { 5000, PLR_EVENT_POLL_END, 0 });
  add_step (encoder, &(Step) { 5000, PLR_EVENT_POLL_END, 1 });
  add_step (encoder, &(Step) { 5000, PLR_EVENT_UNPARK, 2 });
  add_step (encoder, &(Step) { 6000, PLR_EVENT_POLL_START, 0 });
  add_step (encoder, &(Step) { 7000, PLR_EVENT_POLL_END, 0 });
  return end (encoder);
}

/* The end behind the gap may be another poll's: what is known is that the first one lasted until the gap began. */
static void
test_a_poll_is_cut_off_where_its_end_may_be_lost (void)
{
  g_autoptr(TestTrace) bytes = cut_off ();
  g_autoptr(PlTrace) trace = test_trace_load (bytes);
  const PlLane *lane = pl_trace_find_lane (trace, 0, NULL);
  PlLaneSlice slice;
  PlPoll poll;

  g_assert_true (pl_lane_next_poll (lane, 0, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 1000);
  g_assert_cmpint (poll.duration_ns, ==, 1000);
  g_assert_cmpint (poll.flags, ==, PL_POLL_CUT_OFF);
  g_assert_true (pl_lane_next_poll (lane, 1000, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 6000);
  g_assert_cmpint (poll.flags, ==, 0);
  g_assert_cmpuint (pl_lane_get_n_polls (lane), ==, 2);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 1);

  /* Nor is anything known until the end that has lost its start. */
  pl_lane_get_slice (lane, 2000, 5000, &slice);
  g_assert_cmpint (slice.unknown_ns, ==, 3000);
  g_assert_cmpint (pl_lane_get_state (lane, 4000, NULL, NULL), ==, PL_LANE_UNKNOWN);
  pl_lane_get_slice (lane, 5000, 6000, &slice);
  g_assert_cmpint (slice.unknown_ns, ==, 0);
}

static void
test_a_park_is_cut_off_likewise (void)
{
  g_autoptr(TestTrace) bytes = cut_off ();
  g_autoptr(PlTrace) trace = test_trace_load (bytes);
  const PlLane *lane = pl_trace_find_lane (trace, 2, NULL);
  PlLaneSlice slice;

  pl_lane_get_slice (lane, 1000, 5000, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 1000);
  g_assert_cmpint (slice.unknown_ns, ==, 3000);
}

static void
test_other_workers_are_left_alone (void)
{
  g_autoptr(TestTrace) bytes = cut_off ();
  g_autoptr(PlTrace) trace = test_trace_load (bytes);
  const PlLane *lane = pl_trace_find_lane (trace, 1, NULL);
  PlGap gap;
  PlPoll poll;

  g_assert_true (pl_lane_next_poll (lane, 0, 0, &poll));
  g_assert_cmpint (poll.duration_ns, ==, 4000);
  g_assert_cmpint (poll.flags, ==, 0);
  g_assert_false (pl_lane_find_gap (lane, 0, 10000, &gap));
  g_assert_true (pl_lane_find_gap (pl_trace_find_lane (trace, 0, NULL), 0, 10000, &gap));
  g_assert_cmpint (gap.from_ns, ==, 2000);
  g_assert_false (pl_lane_find_gap (pl_trace_find_lane (trace, 0, NULL), 3001, 10000, &gap));
}

/* What the gap cut lies in batches before, and nothing of the worker follows. */
static void
test_a_gap_of_all_cuts_what_is_open_in_other_batches (void)
{
  PlrEncoder *encoder = begin ();
  g_autoptr(TestTrace) bytes = NULL;
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;
  PlPoll poll;

  add_step (encoder, &(Step) { 1000, PLR_EVENT_POLL_START, 0 });
  add_step (encoder, &(Step) { 1100, PLR_EVENT_PARK, 1 });
  plr_encoder_begin_batch (encoder);
  add_loss (encoder, &(Loss) { PLR_GAP_PAUSE, PARKLANE_WORKER_NONE, 0, 0, 2000, 3000 });
  add_step (encoder, &(Step) { 3500, PLR_EVENT_POLL_START, 2 });
  add_step (encoder, &(Step) { 3600, PLR_EVENT_POLL_END, 2 });
  bytes = end (encoder);
  trace = test_trace_load (bytes);

  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 0, NULL), 0, 0, &poll));
  g_assert_cmpint (poll.duration_ns, ==, 1000);
  g_assert_cmpint (poll.flags, ==, PL_POLL_CUT_OFF);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 0);
  pl_lane_get_slice (pl_trace_find_lane (trace, 1, NULL), 1100, 3600, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 900);
  g_assert_cmpint (slice.unknown_ns, ==, 1600);
}

/* As long as events of another thread of the worker lie in the gap, they count. */
static void
test_what_is_known_within_a_gap_stays_known (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;

  test_trace_metadata (bytes, 1000, "parklane.stream", "merged");
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 100);
  test_trace_poll (bytes, 0, 2, "a.rs:1:1", 2200, 100);
  test_trace_gap (bytes, &(PlGap) { 2000, 3000, 5, 0, 9, PL_GAP_RING_FULL });
  test_trace_poll (bytes, 0, 3, "a.rs:1:1", 4000, 100);
  trace = test_trace_load (bytes);

  pl_lane_get_slice (pl_trace_find_lane (trace, 0, NULL), 2000, 3000, &slice);
  g_assert_cmpint (slice.polling_ns, ==, 100);
  g_assert_cmpint (slice.unknown_ns, ==, 900);
}

/* More gaps than a run's edges or a lane's stretches were ever counted with in a byte, of all and of one, in disorder. */
static void
test_very_many_gaps (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;
  guint64 n_lost;
  gint64 at = 1000;
  guint n;

  test_trace_metadata (bytes, at, "parklane.stream", "merged");
  for (guint i = 0; i < 2000; i++)
    {
      test_trace_poll_start (bytes, i % 3, i, "a.rs:1:1", at);
      test_trace_gap (bytes, &(PlGap) { at + 100, at + 200, 1, i % 2 ? i % 3 : TRC_WORKER_NONE, 0, PL_GAP_OUTPUT });
      test_trace_poll_end (bytes, i % 3, at + 300);
      if (i % 100 == 0)
        test_trace_header (bytes);
      at += 1000;
    }
  trace = test_trace_load (bytes);

  pl_trace_get_gaps (trace, &n, &n_lost);
  g_assert_cmpuint (n, ==, 2000);
  g_assert_cmpuint (n_lost, ==, 2000);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 2000);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 2000);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 100);
  for (guint i = 0; i < 3; i++)
    {
      pl_lane_get_slice (pl_trace_find_lane (trace, i, NULL), 1000, at, &slice);
      g_assert_cmpint (slice.polling_ns + slice.parked_ns + slice.unknown_ns, <=, at - 1000);
      g_assert_cmpint (slice.unknown_ns, >, 0);
    }
}

/* A poll that began among events which the recorder gave up, of which it still knows: it is told behind the gap. */
static void
test_a_poll_that_is_told_behind_a_gap_is_known (void)
{
  PlrEncoder *encoder = begin ();
  g_autoptr(TestTrace) bytes = NULL;
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;
  PlPoll poll;

  add_step (encoder, &(Step) { 1000, PLR_EVENT_POLL_START, 0 });
  add_step (encoder, &(Step) { 1100, PLR_EVENT_POLL_END, 0 });
  plr_encoder_skip (encoder, &(PlrEvent) { .time_ns = 2500,
                                           .word = plr_event_word (PLR_EVENT_POLL_START, 0, 0, 0),
                                           .payload = 9,
                                           .tid = 1 });
  plr_encoder_know_gap (encoder, 3000);
  add_loss (encoder, &(Loss) { PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, 0, 1, 2000, 3000 });
  g_assert_true (plr_encoder_is_behind_gap (encoder));
  plr_encoder_begin_events (encoder, G_MAXUINT64, PLR_ENCODER_BUFFER / 2);
  add_step (encoder, &(Step) { 5000, PLR_EVENT_POLL_END, 0 });
  bytes = end (encoder);
  trace = test_trace_load (bytes);

  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 0, NULL), 1000, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 2500);
  g_assert_cmpint (poll.duration_ns, ==, 2500);
  g_assert_cmpint (poll.flags, ==, 0);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 0);
  pl_lane_get_slice (pl_trace_find_lane (trace, 0, NULL), 2000, 3000, &slice);
  g_assert_cmpint (slice.unknown_ns, ==, 500);
}

/* What was waiting is known up to the gap, and again with the next sample: not from one to the other. */
static void
test_a_queue_is_not_known_through_a_gap (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  const gint64 depths[] = { 5, 5, -1, -1, -1, 8, 8, 8, 8, 8 };
  PlQueueSlice slices[G_N_ELEMENTS (depths)];
  g_autoptr(PlTrace) trace = NULL;

  test_trace_metadata (bytes, 1000, "parklane.stream", "merged");
  test_trace_queue (bytes, "", 5, 50, 1000);
  test_trace_gap (bytes, &(PlGap) { 3000, 4000, 5, TRC_WORKER_NONE, 77, PL_GAP_RING_FULL });
  test_trace_queue (bytes, "", 8, 80, 6000);
  test_trace_gap (bytes, &(PlGap) { 7000, 8000, 5, 3, 78, PL_GAP_RING_FULL }); /* of a worker */
  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 10900, 100);
  trace = test_trace_load (bytes);

  pl_trace_get_queue_slices (trace, 0, 1000, 11000, G_N_ELEMENTS (depths), slices);
  for (guint i = 0; i < G_N_ELEMENTS (depths); i++)
    {
      g_assert_cmpint (slices[i].max_depth, ==, depths[i]);
      g_assert_cmpint (slices[i].max_alive, ==, depths[i] < 0 ? -1 : depths[i] * 10);
    }
}

/* Gaps of all by many lanes: each is told, and what the lanes keep of them together is bounded. */
static void
test_gaps_by_lanes_are_bounded (void)
{
  const guint n_gaps = 100000;
  const guint n_lanes = 65536;
  g_autoptr(GArray) gaps = g_array_new (FALSE, FALSE, sizeof (PlGap));
  PlLaneGaps told;
  PlGapIndex *index;

  for (gint64 i = 0; i < n_gaps; i++)
    {
      gint64 from_ns = 1000 + i * 1000 + (i >= 70000 ? G_GINT64_CONSTANT (1000000000) : 0);
      PlGap gap = { from_ns, from_ns + 900 - i % 7, 1, TRC_WORKER_NONE, 0, PL_GAP_OUTPUT };

      g_array_append_val (gaps, gap);
    }
  index = pl_gap_index_new (gaps, n_lanes);
  told = pl_gap_index_get (index, 5);

  g_assert_cmpuint (told.n_of_all, ==, n_gaps);
  g_assert_cmpuint (told.n_holes, ==, 2); /* those that are close together count as one */
  g_assert_cmpint (told.holes[0].from_ns, ==, 1000);
  g_assert_cmpint (told.holes[0].to_ns, ==, told.of_all[69999].to_ns);
  g_assert_cmpint (told.holes[1].from_ns, ==, told.of_all[70000].from_ns);
  g_assert_cmpint (told.holes[1].to_ns, ==, told.of_all[n_gaps - 1].to_ns);
  pl_gap_index_free (index);

  index = pl_gap_index_new (gaps, 8);
  told = pl_gap_index_get (index, 5);
  g_assert_cmpuint (told.n_holes, ==, n_gaps);
  pl_gap_index_free (index);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/gaps/all-are-told", test_all_are_told);
  g_test_add_func ("/trace/gaps/a-poll-is-cut-off-where-its-end-may-be-lost", test_a_poll_is_cut_off_where_its_end_may_be_lost);
  g_test_add_func ("/trace/gaps/a-park-is-cut-off-likewise", test_a_park_is_cut_off_likewise);
  g_test_add_func ("/trace/gaps/other-workers-are-left-alone", test_other_workers_are_left_alone);
  g_test_add_func ("/trace/gaps/a-gap-of-all-cuts-what-is-open-in-other-batches", test_a_gap_of_all_cuts_what_is_open_in_other_batches);
  g_test_add_func ("/trace/gaps/what-is-known-within-a-gap-stays-known", test_what_is_known_within_a_gap_stays_known);
  g_test_add_func ("/trace/gaps/very-many-gaps", test_very_many_gaps);
  g_test_add_func ("/trace/gaps/a-poll-that-is-told-behind-a-gap-is-known", test_a_poll_that_is_told_behind_a_gap_is_known);
  g_test_add_func ("/trace/gaps/a-queue-is-not-known-through-a-gap", test_a_queue_is_not_known_through_a_gap);
  g_test_add_func ("/trace/gaps/gaps-by-lanes-are-bounded", test_gaps_by_lanes_are_bounded);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
