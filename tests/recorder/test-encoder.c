/* test-encoder.c: events become exactly these bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <string.h>

#include "encoder.h"
#include "names.h"
#include "parklane-recorder.h"
#include "trace-reader.h"

static PlrEvent
make_event (guint64 time_ns, PlrEventKind kind, guint queue, guint worker, guint arg, guint64 payload)
{
  return (PlrEvent) {
    .time_ns = time_ns,
    .word = plr_event_word (kind, queue, worker, arg),
    .payload = payload,
    .tid = 77,
  };
}

static void
encode (PlrEncoder *encoder, guint64 time_ns, PlrEventKind kind, guint queue, guint worker, guint arg, guint64 payload)
{
  PlrEvent event = make_event (time_ns, kind, queue, worker, arg, payload);

  plr_encoder_event (encoder, &event);
}

/* The first batch of the worked example in the format's description (section 14.1), to the byte, but for the order of
 * the fields of a poll's start. */
static void
test_writes_the_worked_example (void)
{
  static const guint8 expected[] = {
    0x54, 0x52, 0x43, 0x00, 0x01,
    0x03, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x00, 0x00, 0x00, 'a', '.', 'r', 's', ':', '7', ':', '5',
    0x01, 0x01, 0x00, 0x0e, 0x00, 'P', 'o', 'l', 'l', 'S', 't', 'a', 'r', 't', 'E', 'v', 'e', 'n', 't', 0x01, 0x04, 0x00,
    0x07, 0x00, 't', 'a', 's', 'k', '_', 'i', 'd', 0x09,
    0x0b, 0x00, 'l', 'o', 'c', 'a', 'l', '_', 'q', 'u', 'e', 'u', 'e', 0x0b,
    0x09, 0x00, 'w', 'o', 'r', 'k', 'e', 'r', '_', 'i', 'd', 0x09,
    0x09, 0x00, 's', 'p', 'a', 'w', 'n', '_', 'l', 'o', 'c', 0x07,
    0x05, 0x00, 0xca, 0x9a, 0x3b, 0x00, 0x00, 0x00, 0x00,
    0x02, 0x01, 0x00, 0x00, 0x00, 0x00, 0xac, 0x02, 0x02, 0x03, 0x00, 0x00, 0x00, 0x00,
    0x01, 0x02, 0x00, 0x0c, 0x00, 'P', 'o', 'l', 'l', 'E', 'n', 'd', 'E', 'v', 'e', 'n', 't', 0x01, 0x01, 0x00,
    0x09, 0x00, 'w', 'o', 'r', 'k', 'e', 'r', '_', 'i', 'd', 0x09,
    0x02, 0x02, 0x00, 0x50, 0xc3, 0x00, 0x03,
  };
  guint location = parklane_location_register ("a.rs", 7, 5);
  PlrEncoder *encoder = plr_encoder_new ();

  plr_encoder_begin_batch (encoder);
  encode (encoder, 1000000000, PLR_EVENT_POLL_START, 2, 3, location, 300);
  encode (encoder, 1000050000, PLR_EVENT_POLL_END, 0, 3, 0, 0);

  g_assert_cmpmem (plr_encoder_get_data (encoder), plr_encoder_get_size (encoder), expected, sizeof expected);
  plr_encoder_free (encoder);
}

static Trace *
decode (PlrEncoder *encoder)
{
  return trace_read (plr_encoder_get_data (encoder), plr_encoder_get_size (encoder), FALSE);
}

static void
test_every_kind_keeps_its_values (void)
{
  guint location = parklane_location_register ("src/main.rs", 12, 3);
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;
  const Event *event;
  int runtime;

  runtime = parklane_runtime_register ("io", 2, NULL);
  g_assert_cmpint (runtime, >=, 0);
  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_TASK_SPAWN, 0, 1, location, G_MAXUINT64);
  encode (encoder, 20, PLR_EVENT_POLL_START, 255, 1, location, G_MAXUINT64);
  encode (encoder, 30, PLR_EVENT_POLL_END, 0, 1, 0, 0);
  encode (encoder, 40, PLR_EVENT_TASK_TERMINATE, 0, 1, 0, G_MAXUINT64);
  encode (encoder, 50, PLR_EVENT_PARK, 9, 65534, 0, 123456789);
  encode (encoder, 60, PLR_EVENT_SCHED_WAIT, 0, 65534, 0, 250000);
  encode (encoder, 60, PLR_EVENT_UNPARK, 8, 65534, 0, 123456790);
  encode (encoder, 70, PLR_EVENT_UNPARK, 8, 65534, 0, 123456791);
  encode (encoder, 80, PLR_EVENT_QUEUE_DEPTH, 0, 255, (guint) runtime, 70000 | (guint64) 5000 << 32);
  encode (encoder, 90, PLR_EVENT_GAP, PLR_GAP_RING, 4, 17, 85);
  encode (encoder, 95, PLR_EVENT_BEAT_COUNT, PLR_BEAT_EVENTS, 255, 0, 1000);
  encode (encoder, 95, PLR_EVENT_BEAT_COUNT, PLR_BEAT_DROPPED, 255, 0, 7);
  encode (encoder, 95, PLR_EVENT_HEARTBEAT, PLR_BEAT_DEGRADED, 255, 0, 5555);
  encode (encoder, 96, PLR_EVENT_BEAT_COUNT, PLR_BEAT_EVENTS, 255, 0, 2000);
  encode (encoder, 96, PLR_EVENT_HEARTBEAT, PLR_BEAT_OK, 255, 0, 6666);
  encode (encoder, 100, PLR_EVENT_CLOCK_SYNC, 0, 0, 0, G_GUINT64_CONSTANT (1700000000000000000));
  trace = decode (encoder);

  event = trace_find (trace, "TaskSpawnEvent", 0);
  g_assert_cmpuint (event->time_ns, ==, 10);
  g_assert_cmpuint (event_number (event, "task_id"), ==, G_MAXUINT64);
  g_assert_cmpstr (event_text (event, "spawn_loc"), ==, "src/main.rs:12:3");
  g_assert_cmpuint (event_number (event, "instrumented"), ==, 0);

  event = trace_find (trace, "PollStartEvent", 0);
  g_assert_cmpuint (event->time_ns, ==, 20);
  g_assert_cmpuint (event_number (event, "worker_id"), ==, 1);
  g_assert_cmpuint (event_number (event, "local_queue"), ==, 255);
  g_assert_cmpuint (event_number (event, "task_id"), ==, G_MAXUINT64);
  g_assert_cmpstr (event_text (event, "spawn_loc"), ==, "src/main.rs:12:3");
  g_assert_cmpuint (trace_find (trace, "PollEndEvent", 0)->time_ns, ==, 30);
  g_assert_cmpuint (event_number (trace_find (trace, "TaskTerminateEvent", 0), "task_id"), ==, G_MAXUINT64);

  event = trace_find (trace, "WorkerParkEvent", 0);
  g_assert_cmpuint (event_number (event, "worker_id"), ==, 65534);
  g_assert_cmpuint (event_number (event, "local_queue"), ==, 9);
  g_assert_cmpuint (event_number (event, "cpu_time_ns"), ==, 123456789);
  g_assert_cmpuint (event_number (event, "tid"), ==, 77);

  event = trace_find (trace, "WorkerUnparkEvent", 0);
  g_assert_cmpuint (event->time_ns, ==, 60);
  g_assert_cmpuint (event_number (event, "sched_wait_ns"), ==, 250000);
  g_assert_false (trace_find (trace, "WorkerUnparkEvent", 1)->fields[2].is_there);

  event = trace_find (trace, "RuntimeMetricsEvent", 0);
  g_assert_cmpstr (event_text (event, "runtime_name"), ==, "io");
  g_assert_cmpuint (event_number (event, "global_queue_depth"), ==, 70000);
  g_assert_cmpuint (event_number (event, "alive_tasks"), ==, 5000);

  event = trace_find (trace, "ParklaneGapEvent", 0);
  g_assert_cmpuint (event_number (event, "from_ns"), ==, 85);
  g_assert_cmpuint (event_number (event, "to_ns"), ==, 90);
  g_assert_cmpuint (event_number (event, "dropped"), ==, 17);
  g_assert_cmpuint (event_number (event, "worker_id"), ==, 4);
  g_assert_cmpstr (event_text (event, "cause"), ==, "ring full");

  event = trace_find (trace, "ParklaneHeartbeatEvent", 0);
  g_assert_cmpuint (event_number (event, "events"), ==, 1000);
  g_assert_cmpuint (event_number (event, "dropped"), ==, 7);
  g_assert_cmpuint (event_number (event, "bytes"), ==, 5555);
  g_assert_cmpstr (event_text (event, "health"), ==, "degraded");
  event = trace_find (trace, "ParklaneHeartbeatEvent", 1);
  g_assert_cmpuint (event_number (event, "events"), ==, 2000);
  g_assert_cmpuint (event_number (event, "bytes"), ==, 6666);
  g_assert_cmpstr (event_text (event, "health"), ==, "ok");

  g_assert_cmpuint (event_number (trace_find (trace, "ClockSyncEvent", 0), "realtime_ns"), ==,
                    G_GUINT64_CONSTANT (1700000000000000000));
  plr_encoder_free (encoder);
}

/* The largest delta still fits; one more takes a reset, as does a step back. */
static void
test_times_survive_any_step (void)
{
  static const guint64 times[] = {
    0, 0xffffff, 2 * 0xffffffu, 3 * 0xffffffu + 1, 5, G_MAXINT64, G_MAXINT64 - 1, 7,
  };
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    encode (encoder, times[i], PLR_EVENT_POLL_END, 0, 0, 0, 0);
  trace = decode (encoder);

  g_assert_cmpuint (trace->events->len, ==, G_N_ELEMENTS (times));
  for (guint i = 0; i < G_N_ELEMENTS (times); i++)
    g_assert_cmpuint (trace_get (trace, i)->time_ns, ==, times[i]);
  plr_encoder_free (encoder);
}

static void
test_every_batch_stands_alone (void)
{
  guint location = parklane_location_register ("src/lib.rs", 1, 1);
  PlrEncoder *encoder = plr_encoder_new ();
  gsize second;
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_START, 0, 0, location, 1);
  second = plr_encoder_get_size (encoder);
  g_assert_cmpuint (plr_encoder_get_batch_size (encoder), ==, second);
  plr_encoder_begin_batch (encoder);
  encode (encoder, 20, PLR_EVENT_POLL_START, 0, 0, location, 2);
  g_assert_cmpuint (plr_encoder_get_batch_size (encoder), ==, plr_encoder_get_size (encoder) - second);

  trace = trace_read (plr_encoder_get_data (encoder) + second, plr_encoder_get_size (encoder) - second, FALSE);
  g_assert_cmpuint (trace->events->len, ==, 1);
  g_assert_cmpuint (trace_get (trace, 0)->time_ns, ==, 20);
  g_assert_cmpstr (event_text (trace_get (trace, 0), "spawn_loc"), ==, "src/lib.rs:1:1");
  plr_encoder_free (encoder);
}

/* Worker 1's poll is open when the second batch begins, worker 2's has ended, and worker 3's may have in a gap. Worker 4
 * is parked, worker 5 has gone on, and worker 6 may have. */
static void
test_batch_begins_with_what_is_open (void)
{
  guint location = parklane_location_register ("src/open.rs", 2, 2);
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;
  const Event *open;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_START, 4, 1, location, 71);
  encode (encoder, 11, PLR_EVENT_POLL_START, 0, 2, location, 72);
  encode (encoder, 12, PLR_EVENT_POLL_START, 0, 3, location, 73);
  encode (encoder, 12, PLR_EVENT_PARK, 0, 6, 0, 1);
  encode (encoder, 13, PLR_EVENT_POLL_END, 0, 2, 0, 0);
  encode (encoder, 14, PLR_EVENT_GAP, PLR_GAP_RING, 3, 5, 12);
  encode (encoder, 14, PLR_EVENT_GAP, PLR_GAP_RING, 6, 5, 12);
  encode (encoder, 15, PLR_EVENT_PARK, 5, 4, 0, 12345);
  encode (encoder, 16, PLR_EVENT_PARK, 0, 5, 0, 1);
  encode (encoder, 17, PLR_EVENT_UNPARK, 0, 5, 0, 1);
  plr_encoder_reset_buffer (encoder);
  plr_encoder_begin_events (encoder, G_MAXUINT64, PLR_ENCODER_BUFFER);
  encode (encoder, 20, PLR_EVENT_CLOCK_SYNC, 0, 0, 0, 1);

  trace = decode (encoder);
  g_assert_cmpuint (trace->events->len, ==, 3);
  open = trace_get (trace, 0);
  g_assert_cmpstr (open->name, ==, "ParklaneOpenPollEvent");
  g_assert_cmpuint (open->time_ns, ==, 10);
  g_assert_cmpuint (event_number (open, "worker_id"), ==, 1);
  g_assert_cmpuint (event_number (open, "task_id"), ==, 71);
  g_assert_cmpuint (event_number (open, "local_queue"), ==, 4);
  g_assert_cmpstr (event_text (open, "spawn_loc"), ==, "src/open.rs:2:2");
  open = trace_get (trace, 1);
  g_assert_cmpstr (open->name, ==, "ParklaneOpenParkEvent");
  g_assert_cmpuint (open->time_ns, ==, 15);
  g_assert_cmpuint (event_number (open, "worker_id"), ==, 4);
  g_assert_cmpuint (event_number (open, "cpu_time_ns"), ==, 12345);
  g_assert_cmpuint (event_number (open, "local_queue"), ==, 5);
  g_assert_cmpuint (event_number (open, "tid"), ==, 77);
  plr_encoder_free (encoder);
}

static void
lose (PlrEncoder *encoder, guint64 time_ns, guint worker, guint tid)
{
  plr_encoder_event (encoder, &(PlrEvent) { .time_ns = time_ns,
                                            .word = plr_gap_word (PLR_GAP_OUTPUT, worker, 5),
                                            .payload = time_ns - 1,
                                            .tid = tid });
}

static Trace *
begin_again (PlrEncoder *encoder)
{
  plr_encoder_reset_buffer (encoder);
  plr_encoder_begin_events (encoder, G_MAXUINT64, PLR_ENCODER_BUFFER);
  encode (encoder, 1000, PLR_EVENT_CLOCK_SYNC, 0, 0, 0, 1);
  return decode (encoder);
}

/* A thread that is no worker has lost events: nobody's poll is less known for that. */
static void
test_gap_of_a_thread_leaves_workers_alone (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_START, 0, 1, 0, 71);
  encode (encoder, 11, PLR_EVENT_PARK, 0, 2, 0, 0);
  lose (encoder, 20, PARKLANE_WORKER_NONE, 99);
  trace = begin_again (encoder);

  g_assert_cmpuint (trace_count (trace, "ParklaneOpenPollEvent"), ==, 1);
  g_assert_cmpuint (trace_count (trace, "ParklaneOpenParkEvent"), ==, 1);
  plr_encoder_free (encoder);
}

/* A gap of everybody hides what had begun by its end, and no more, even where it comes late. */
static void
test_gap_hides_what_began_before_its_end (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_START, 0, 1, 0, 71);
  encode (encoder, 10, PLR_EVENT_PARK, 0, 2, 0, 0);
  encode (encoder, 30, PLR_EVENT_POLL_START, 0, 3, 0, 73);
  encode (encoder, 30, PLR_EVENT_PARK, 0, 4, 0, 0);
  lose (encoder, 20, PARKLANE_WORKER_NONE, 0);
  g_assert_false (plr_encoder_is_behind_gap (encoder));
  trace = begin_again (encoder);

  g_assert_cmpuint (trace_count (trace, "ParklaneOpenPollEvent"), ==, 1);
  g_assert_cmpuint (event_number (trace_find (trace, "ParklaneOpenPollEvent", 0), "worker_id"), ==, 3);
  g_assert_cmpuint (trace_count (trace, "ParklaneOpenParkEvent"), ==, 1);
  g_assert_cmpuint (event_number (trace_find (trace, "ParklaneOpenParkEvent", 0), "worker_id"), ==, 4);
  plr_encoder_free (encoder);
}

static void
skip (PlrEncoder *encoder, guint64 time_ns, PlrEventKind kind, guint worker, guint64 payload)
{
  PlrEvent event = make_event (time_ns, kind, 0, worker, 0, payload);

  plr_encoder_skip (encoder, &event);
}

/* Events that the recorder itself gave up: it knows what is open behind them, and that readers do not. */
static void
test_gap_of_skipped_events_hides_nothing (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  const PlrEvent events[] = {
    { .time_ns = 20, .word = plr_gap_word (PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, 4), .payload = 11 },
    make_event (21, PLR_EVENT_POLL_END, 0, 1, 0, 0),
  };
  g_autoptr(Trace) trace = NULL;
  const Event *open;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 9, PLR_EVENT_POLL_START, 0, 1, 0, 71);
  encode (encoder, 9, PLR_EVENT_POLL_START, 0, 2, 0, 72);
  encode (encoder, 9, PLR_EVENT_PARK, 0, 3, 0, 0);
  skip (encoder, 11, PLR_EVENT_POLL_END, 2, 0);
  skip (encoder, 12, PLR_EVENT_UNPARK, 3, 0);
  skip (encoder, 13, PLR_EVENT_POLL_START, 3, 73);
  skip (encoder, 20, PLR_EVENT_PARK, 4, 0);
  plr_encoder_know_gap (encoder, 20);

  g_assert_cmpuint (plr_encoder_events (encoder, events, 2, PLR_ENCODER_BUFFER), ==, 1);
  g_assert_true (plr_encoder_is_behind_gap (encoder));
  trace = begin_again (encoder);
  g_assert_false (plr_encoder_is_behind_gap (encoder));

  g_assert_cmpuint (trace_count (trace, "ParklaneOpenPollEvent"), ==, 2);
  open = trace_find (trace, "ParklaneOpenPollEvent", 0);
  g_assert_cmpuint (event_number (open, "worker_id"), ==, 1);
  g_assert_cmpuint (open->time_ns, ==, 9);
  open = trace_find (trace, "ParklaneOpenPollEvent", 1);
  g_assert_cmpuint (event_number (open, "worker_id"), ==, 3);
  g_assert_cmpuint (event_number (open, "task_id"), ==, 73);
  g_assert_cmpuint (open->time_ns, ==, 13);
  g_assert_cmpuint (trace_count (trace, "ParklaneOpenParkEvent"), ==, 1);
  g_assert_cmpuint (event_number (trace_find (trace, "ParklaneOpenParkEvent", 0), "worker_id"), ==, 4);
  plr_encoder_free (encoder);
}

/* What has been encoded already and is encoded again, from time 15 on. */
static void
test_batch_tells_nothing_of_what_follows_in_it (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_START, 0, 1, 0, 71);
  encode (encoder, 11, PLR_EVENT_PARK, 0, 3, 0, 0);
  encode (encoder, 15, PLR_EVENT_POLL_START, 0, 2, 0, 72);
  encode (encoder, 16, PLR_EVENT_PARK, 0, 4, 0, 0);
  plr_encoder_reset_buffer (encoder);
  plr_encoder_begin_events (encoder, 15, PLR_ENCODER_BUFFER);

  trace = decode (encoder);
  g_assert_cmpuint (trace->events->len, ==, 2);
  g_assert_cmpuint (event_number (trace_get (trace, 0), "worker_id"), ==, 1);
  g_assert_cmpuint (event_number (trace_get (trace, 1), "worker_id"), ==, 3);
  plr_encoder_free (encoder);
}

/* All of as many as there are, as far as the bytes go. */
static void
test_open_polls_of_many_workers (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) bounded = NULL;
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  for (guint worker = 0; worker < 5000; worker++)
    encode (encoder, 10 + worker, PLR_EVENT_POLL_START, 0, worker, 0, worker);
  plr_encoder_reset_buffer (encoder);
  plr_encoder_begin_events (encoder, G_MAXUINT64, 256 * 1024);
  trace = decode (encoder);
  g_assert_cmpuint (trace_count (trace, "ParklaneOpenPollEvent"), ==, 4999); /* one number means none */
  g_assert_cmpuint (plr_encoder_get_size (encoder), <, 256 * 1024);

  plr_encoder_reset_buffer (encoder);
  plr_encoder_begin_events (encoder, G_MAXUINT64, 10000);
  g_assert_cmpuint (plr_encoder_get_size (encoder), <, 10000 + PLR_ENCODER_MAX_EVENT);
  bounded = decode (encoder);
  g_assert_cmpuint (trace_count (bounded, "ParklaneOpenPollEvent"), >, 300);
  plr_encoder_free (encoder);
}

static void
test_batch_size_counts_over_flushes (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  gsize before;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_END, 0, 0, 0, 0);
  before = plr_encoder_get_size (encoder);
  plr_encoder_reset_buffer (encoder);
  g_assert_cmpuint (plr_encoder_get_size (encoder), ==, 0);
  encode (encoder, 20, PLR_EVENT_POLL_END, 0, 0, 0, 0);

  g_assert_cmpuint (plr_encoder_get_size (encoder), ==, 7); /* no schema and no reset again */
  g_assert_cmpuint (plr_encoder_get_batch_size (encoder), ==, before + 7);
  plr_encoder_free (encoder);
}

/* Odd times that only grow, with steps beyond what a delta bridges; a coarse encoder and an exact one. */
static void
test_coarse_times_keep_order_and_pairs (void)
{
  const guint64 resolution = 16;
  PlrEncoder *coarse = plr_encoder_new ();
  PlrEncoder *exact = plr_encoder_new ();
  g_autoptr(Trace) rounded = NULL;
  g_autoptr(Trace) trace = NULL;
  guint64 time_ns = 1000000007;
  guint64 before = 0;

  plr_encoder_set_time_resolution (coarse, (guint) resolution);
  plr_encoder_begin_batch (coarse);
  plr_encoder_begin_batch (exact);
  for (guint i = 0; i < 1000; i++, time_ns += i % 97 == 0 ? 33554437 : i % 23)
    {
      PlrEventKind kind = i % 4 < 2 ? (i % 2 == 0 ? PLR_EVENT_POLL_START : PLR_EVENT_POLL_END) : PLR_EVENT_PARK;

      encode (coarse, time_ns, kind, 0, 1, 0, 12345 + i);
      encode (exact, time_ns, kind, 0, 1, 0, 12345 + i);
    }
  rounded = decode (coarse);
  trace = decode (exact);

  g_assert_cmpuint (rounded->events->len, ==, trace->events->len);
  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (rounded, i);

      g_assert_cmpuint (event->time_ns, ==, trace_get (trace, i)->time_ns / resolution * resolution);
      g_assert_cmpuint (event->time_ns, >=, before);
      if (g_str_equal (event->name, "WorkerParkEvent"))
        g_assert_cmpuint (event_number (event, "cpu_time_ns"), ==,
                          event_number (trace_get (trace, i), "cpu_time_ns") / resolution * resolution);
      before = event->time_ns;
    }
  g_assert_cmpuint (trace_get_polls (rounded).n_polls, ==, trace_get_polls (trace).n_polls);
  g_assert_cmpuint (trace_get_polls (rounded).n_unpaired, ==, 0);
  plr_encoder_free (coarse);
  plr_encoder_free (exact);
}

static void
test_a_coarse_clock_anchor_is_of_one_moment (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_set_time_resolution (encoder, 1000);
  plr_encoder_begin_batch (encoder);
  encode (encoder, 5000777, PLR_EVENT_CLOCK_SYNC, 0, 0, 0, 1700000000000000777);
  trace = decode (encoder);

  g_assert_cmpuint (trace_get (trace, 0)->time_ns, ==, 5000000);
  g_assert_cmpuint (event_number (trace_get (trace, 0), "realtime_ns"), ==, 1700000000000000000);
  plr_encoder_free (encoder);
}

static void
test_metadata_tells_session_and_runtimes (void)
{
  const PlrSessionInfo info = {
    .service_name = "store",
    .run_id = "00112233445566778899aabbccddeeff",
    .pid = 4711,
    .budget_bytes = 1048576000,
    .heartbeat_ns = 1000000000,
    .time_resolution_ns = 16,
  };
  PlrEncoder *encoder = plr_encoder_new ();
  g_autofree char *workers = NULL;
  g_autoptr(Trace) trace = NULL;
  guint first;

  g_assert_cmpint (parklane_runtime_register ("worker.pool", 3, &first), >=, 0);
  workers = g_strdup_printf ("%u,%u,%u", first, first + 1, first + 2);
  plr_encoder_begin_batch (encoder);
  plr_encoder_metadata (encoder, 5, &info, 12);
  trace = decode (encoder);

  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "service_name"), ==, "store");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "runtime.worker.pool"), ==, workers);
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.stream"), ==, "merged");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.run_id"), ==, info.run_id);
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.heartbeat_ns"), ==, "1000000000");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.time_resolution_ns"), ==, "16");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.pid"), ==, "4711");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.budget_bytes"), ==, "1048576000");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.segment"), ==, "12");
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.recorder.version"), ==, parklane_recorder_version ());
  plr_encoder_free (encoder);
}

static void
test_locations_are_valid_text_and_numbered_once (void)
{
  g_autofree char *endless = g_strnfill (5000, 'x');
  guint id = parklane_location_register ("src/a.rs", 3, 9);
  guint cut;

  g_assert_cmpuint (id, >, 0);
  g_assert_cmpuint (parklane_location_register ("src/a.rs", 3, 9), ==, id);
  g_assert_cmpuint (parklane_location_register ("src/a.rs", 3, 8), !=, id);
  g_assert_cmpuint (parklane_location_register (NULL, 3, 9), ==, PARKLANE_LOCATION_UNKNOWN);
  g_assert_cmpstr (plr_names_get_location (id), ==, "src/a.rs:3:9");
  g_assert_cmpstr (plr_names_get_location (60000), ==, "");
  g_assert_cmpstr (plr_names_get_location (G_MAXUINT), ==, "");

  g_assert_cmpstr (plr_names_get_location (parklane_location_register ("f", 1, 0)), ==, "f:1");
  g_assert_cmpstr (plr_names_get_location (parklane_location_register ("f", 0, 4)), ==, "f");
  g_assert_cmpstr (plr_names_get_location (parklane_location_register ("a\xff\xc0\x80ü€", 1, 2)), ==, "a???ü€:1:2");
  cut = parklane_location_register (endless, 77, 88);
  g_assert_cmpuint (strlen (plr_names_get_location (cut)), ==, PLR_LOCATION_SIZE - 1);
  g_assert_true (g_str_has_suffix (plr_names_get_location (cut), "x:77:88"));
}

static void
test_worker_ids_skip_the_two_that_mean_none (void)
{
  guint first = 0;
  guint next = 0;

  g_assert_cmpint (parklane_runtime_register ("", 200, &first), >=, 0);
  g_assert_cmpint (parklane_runtime_register ("", 60, &next), >=, 0);
  g_assert_cmpuint (first + 200, <=, 254);
  g_assert_cmpuint (next, ==, 256);
  g_assert_cmpint (parklane_runtime_register ("", 0, NULL), ==, -EINVAL);
  g_assert_cmpint (parklane_runtime_register ("", 65535, NULL), ==, -ENOSPC);
}

static void
test_segment_ends_with_whether_it_is_complete (void)
{
  PlrEncoder *encoder = plr_encoder_new ();

  for (guint is_complete = 0; is_complete < 2; is_complete++)
    {
      g_autoptr(Trace) trace = NULL;

      plr_encoder_end_segment (encoder, G_MAXUINT64 / 2, is_complete);
      g_assert_cmpuint (plr_encoder_get_size (encoder), <=, PLR_ENCODER_END_BYTES);
      trace = decode (encoder);
      g_assert_cmpuint (trace_get (trace, 0)->time_ns, ==, G_MAXUINT64 / 2);
      g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "segment.complete"), ==, is_complete ? "true" : "false");
      plr_encoder_reset_buffer (encoder);
    }
  plr_encoder_free (encoder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/encoder/writes-the-worked-example", test_writes_the_worked_example);
  g_test_add_func ("/recorder/encoder/every-kind-keeps-its-values", test_every_kind_keeps_its_values);
  g_test_add_func ("/recorder/encoder/times-survive-any-step", test_times_survive_any_step);
  g_test_add_func ("/recorder/encoder/every-batch-stands-alone", test_every_batch_stands_alone);
  g_test_add_func ("/recorder/encoder/batch-begins-with-what-is-open", test_batch_begins_with_what_is_open);
  g_test_add_func ("/recorder/encoder/gap-of-a-thread-leaves-workers-alone", test_gap_of_a_thread_leaves_workers_alone);
  g_test_add_func ("/recorder/encoder/gap-hides-what-began-before-its-end", test_gap_hides_what_began_before_its_end);
  g_test_add_func ("/recorder/encoder/gap-of-skipped-events-hides-nothing", test_gap_of_skipped_events_hides_nothing);
  g_test_add_func ("/recorder/encoder/batch-tells-nothing-of-what-follows-in-it",
                   test_batch_tells_nothing_of_what_follows_in_it);
  g_test_add_func ("/recorder/encoder/open-polls-of-many-workers", test_open_polls_of_many_workers);
  g_test_add_func ("/recorder/encoder/batch-size-counts-over-flushes", test_batch_size_counts_over_flushes);
  g_test_add_func ("/recorder/encoder/coarse-times-keep-order-and-pairs", test_coarse_times_keep_order_and_pairs);
  g_test_add_func ("/recorder/encoder/a-coarse-clock-anchor-is-of-one-moment", test_a_coarse_clock_anchor_is_of_one_moment);
  g_test_add_func ("/recorder/encoder/metadata-tells-session-and-runtimes", test_metadata_tells_session_and_runtimes);
  g_test_add_func ("/recorder/encoder/segment-ends-with-whether-it-is-complete",
                   test_segment_ends_with_whether_it_is_complete);
  g_test_add_func ("/recorder/names/locations-are-valid-text-and-numbered-once",
                   test_locations_are_valid_text_and_numbered_once);
  g_test_add_func ("/recorder/names/worker-ids-skip-the-two-that-mean-none", test_worker_ids_skip_the_two_that_mean_none);
  return g_test_run ();
}
