/* test-bridge.c: what a bridge to a runtime of another language records: places, hand-overs, delays, blocking work
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <malloc.h>
#include <string.h>

#include "encoder.h"
#include "parklane-recorder.h"
#include "trace-reader.h"

static void
encode (PlrEncoder *encoder, guint64 time_ns, PlrEventKind kind, guint tid, guint64 payload)
{
  PlrEvent event = { .time_ns = time_ns, .word = plr_event_word (kind, 0, 0, 0), .payload = payload, .tid = tid };

  plr_encoder_event (encoder, &event);
}

static Trace *
decode (PlrEncoder *encoder)
{
  Trace *trace = trace_read (plr_encoder_get_data (encoder), plr_encoder_get_size (encoder), FALSE);

  plr_encoder_free (encoder);
  return trace;
}

/* Thread 1 loses worker 0 to thread 2 while it polls task 10; thread 2 polls 20 and 21 and is within 21 when 10 ends. */
static void
test_hand_over_keeps_polls_of_both_threads_apart (void)
{
  static const struct
  {
    const char *name;
    guint64 time_ns;
  } expected[] = {
    { "PollStartEvent", 100 }, { "PollEndEvent", 150 },   { "PollStartEvent", 150 },           { "PollEndEvent", 160 },
    { "PollStartEvent", 170 }, { "ParklaneDetachedPollEvent", 400 }, { "PollEndEvent", 410 },
  };
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;
  const Event *detached;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 100, PLR_EVENT_POLL_START, 1, 10);
  encode (encoder, 150, PLR_EVENT_POLL_START, 2, 20);
  encode (encoder, 160, PLR_EVENT_POLL_END, 2, 0);
  encode (encoder, 170, PLR_EVENT_POLL_START, 2, 21);
  encode (encoder, 400, PLR_EVENT_POLL_END, 1, 0);
  encode (encoder, 410, PLR_EVENT_POLL_END, 2, 0);
  trace = decode (encoder);

  g_assert_cmpuint (trace->events->len, ==, G_N_ELEMENTS (expected));
  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_assert_cmpstr (trace_get (trace, i)->name, ==, expected[i].name);
      g_assert_cmpuint (trace_get (trace, i)->time_ns, ==, expected[i].time_ns);
    }
  detached = trace_find (trace, "ParklaneDetachedPollEvent", 0);
  g_assert_cmpuint (event_number (detached, "task_id"), ==, 10);
  g_assert_cmpuint (event_number (detached, "start_ns"), ==, 100);
  g_assert_cmpuint (event_number (detached, "lost_ns"), ==, 150);
  g_assert_cmpuint (event_number (detached, "worker_id"), ==, 0);
  g_assert_cmpuint (event_number (detached, "tid"), ==, 1);
}

/* A worker that another thread takes over between polls, or that parks in between, is not handed over within one. */
static void
test_hand_over_by_parking_ends_the_poll (void)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  encode (encoder, 10, PLR_EVENT_POLL_START, 1, 10);
  encode (encoder, 20, PLR_EVENT_POLL_END, 1, 0);
  encode (encoder, 30, PLR_EVENT_PARK, 2, 0);
  encode (encoder, 40, PLR_EVENT_UNPARK, 2, 0);
  encode (encoder, 50, PLR_EVENT_POLL_START, 2, 11);
  encode (encoder, 60, PLR_EVENT_PARK, 3, 0);
  encode (encoder, 70, PLR_EVENT_POLL_END, 2, 0);
  trace = decode (encoder);

  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, 2);
  g_assert_cmpuint (trace_find (trace, "PollEndEvent", 1)->time_ns, ==, 60);
  g_assert_cmpuint (trace_count (trace, "ParklaneDetachedPollEvent"), ==, 1);
}

/* Of more threads than are told apart, each poll still ends where its thread lost the worker. */
static void
test_hand_overs_without_end_are_bounded (void)
{
  const guint n = 1000;
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(Trace) trace = NULL;

  plr_encoder_begin_batch (encoder);
  for (guint i = 0; i < n; i++)
    encode (encoder, 10 + i, PLR_EVENT_POLL_START, 1 + i, i);
  trace = decode (encoder);

  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, n);
  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, n - 1);
}

typedef struct
{
  const char *file;
  guint32 line;
  guint n_described; /* by the recorder's thread */
} Place;

static Place places[2] = { { "src/spawn.rs", 7, 0 }, { "src/other.rs", 9, 0 } };

static void
describe (const void *place, char *file, size_t size, uint32_t *line, uint32_t *column)
{
  Place *self = (Place *) place;

  g_strlcpy (file, self->file, size);
  *line = self->line;
  *column = 5;
  self->n_described++;
}

static void
assert_metadata_takes_no_memory (void)
{
  char value[16];
  gsize before = mallinfo2 ().uordblks;

  for (guint i = 0; i < 10000; i++)
    {
      g_snprintf (value, sizeof value, "%u", i);
      g_assert_cmpint (parklane_metadata_set ("tokio.unstable", value), ==, 0);
    }
  g_assert_cmpuint (mallinfo2 ().uordblks, <, before + 100000);
}

static void
test_a_session_tells_all_of_a_bridge (void)
{
  g_autofree char *dir = g_dir_make_tmp ("parklane-bridge-XXXXXX", NULL);
  g_autoptr(Trace) trace = NULL;
  ParklaneRecorder *recorder;
  ParklaneConfig config;
  const Event *event;
  guint32 worker;
  int runtime;

  parklane_config_init (&config);
  g_strlcpy (config.output_dir, dir, sizeof config.output_dir);
  parklane_place_set_describe (describe);
  g_assert_cmpint (parklane_metadata_set ("tokio.unstable", "false"), ==, 0);
  assert_metadata_takes_no_memory ();
  g_assert_cmpint (parklane_metadata_set ("tokio.unstable", "true"), ==, 0);
  g_assert_cmpint (parklane_metadata_set ("", "x"), ==, -EINVAL);
  runtime = parklane_runtime_register ("main", 1, &worker);
  g_assert_cmpint (parklane_recorder_start (&config, &recorder), ==, 0);

  parklane_thread_attach (worker);
  for (guint i = 0; i < 300; i++)
    {
      parklane_task_spawn_at (i + 1, &places[i % 2]);
      g_assert_cmpuint (parklane_poll_start_at (i + 1, &places[i % 2], 3, i == 0 ? 1234 : PARKLANE_NOT_MEASURED), >, 0);
      parklane_poll_end ();
    }
  parklane_poll_start_at (400, NULL, 0, PARKLANE_NOT_MEASURED);
  parklane_poll_end ();
  parklane_blocking_start (&places[1], 77);
  parklane_blocking_end ();
  parklane_counter ((guint32) runtime, PARKLANE_COUNTER_OVERFLOWS, G_MAXUINT64);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);

  trace = trace_read_session (dir, "parklane");
  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 301);
  g_assert_cmpuint (event_number (trace_find (trace, "PollStartEvent", 0), "scheduling_delay_ns"), ==, 1234);
  for (guint i = 0; i < 300; i++)
    {
      const char *text = i % 2 == 0 ? "src/spawn.rs:7:5" : "src/other.rs:9:5";

      g_assert_cmpstr (event_text (trace_find (trace, "TaskSpawnEvent", i), "spawn_loc"), ==, text);
    }
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "tokio.unstable"), ==, "true");
  event = trace_find (trace, "ParklaneBlockingStartEvent", 0);
  g_assert_cmpuint (event_number (event, "queue_wait_ns"), ==, 77);
  g_assert_cmpstr (event_text (event, "spawn_loc"), ==, "src/other.rs:9:5");
  g_assert_cmpuint (event_number (trace_find (trace, "ParklaneBlockingEndEvent", 0), "tid"), ==, event_number (event, "tid"));
  event = trace_find (trace, "ParklaneCounterEvent", 0);
  g_assert_cmpstr (event_text (event, "counter"), ==, "overflows");
  g_assert_cmpstr (event_text (event, "runtime_name"), ==, "main");
  g_assert_cmpuint (event_number (event, "value"), ==, G_MAXUINT64);
  g_assert_cmpuint (places[0].n_described, ==, 1);
  g_assert_cmpuint (places[1].n_described, ==, 1);
  remove_tree (dir);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/bridge/hand-over-keeps-polls-of-both-threads-apart",
                   test_hand_over_keeps_polls_of_both_threads_apart);
  g_test_add_func ("/recorder/bridge/hand-over-by-parking-ends-the-poll", test_hand_over_by_parking_ends_the_poll);
  g_test_add_func ("/recorder/bridge/hand-overs-without-end-are-bounded", test_hand_overs_without_end_are_bounded);
  g_test_add_func ("/recorder/bridge/a-session-tells-all-of-a-bridge", test_a_session_tells_all_of_a_bridge);
  return g_test_run ();
}
