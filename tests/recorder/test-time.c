/* test-time.c: what a session does because time passes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The clock is set forward here: nothing waits.
 */
#include <glib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"

static gint64 offset_s;

/* The library's calls come here, since the test is linked with it. */
int
clock_gettime (clockid_t clock, struct timespec *out_time)
{
  int r = (int) syscall (SYS_clock_gettime, clock, out_time);

  out_time->tv_sec += __atomic_load_n (&offset_s, __ATOMIC_RELAXED);
  return r;
}

static void
pass (ParklaneRecorder *recorder, gint64 seconds)
{
  __atomic_fetch_add (&offset_s, seconds, __ATOMIC_RELAXED);
  while (parklane_recorder_flush (recorder) != 0)
    ;
}

static ParklaneRecorder *
start (Recording *fixture)
{
  fixture->config.clock = PARKLANE_CLOCK_MONOTONIC;
  return recording_start (fixture);
}

/* The heartbeat that counts so many events. */
static const Event *
find_beat (const Trace *trace, guint64 n_events)
{
  for (guint i = 0; trace_find (trace, "ParklaneHeartbeatEvent", i) != NULL; i++)
    {
      const Event *beat = trace_find (trace, "ParklaneHeartbeatEvent", i);

      if (event_number (beat, "events") == n_events)
        return beat;
    }
  return NULL;
}

static void
test_heart_beats_each_second (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = start (fixture);
  g_autoptr(Trace) trace = NULL;
  guint64 bytes = 0;

  for (guint i = 1; i <= 5; i++)
    {
      record_polls (10);
      g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
      pass (recorder, 1);
    }
  parklane_recorder_pause (recorder);
  pass (recorder, 1);
  parklane_recorder_resume (recorder);
  record_polls (10);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
  trace = trace_read_session (fixture->dir, "app");

  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.heartbeat_ns"), ==, "1000000000");
  for (guint i = 1; i <= 5; i++)
    {
      const Event *beat = find_beat (trace, i * 20);

      g_assert_nonnull (beat);
      g_assert_cmpuint (event_number (beat, "dropped"), ==, 0);
      g_assert_cmpuint (event_number (beat, "bytes"), >, bytes);
      bytes = event_number (beat, "bytes");
    }
  g_assert_cmpstr (event_text (find_beat (trace, 20), "health"), ==, "ok");
  g_assert_cmpstr (event_text (trace_find (trace, "ParklaneHeartbeatEvent",
                                           trace_count (trace, "ParklaneHeartbeatEvent") - 1), "health"), ==, "paused");
}

/* A segment is sealed when it is old; one without events grows no older, however often the heart beats. */
static void
test_segments_are_sealed_by_age (Recording *fixture, gconstpointer data)
{
  g_autofree char *files = NULL;
  ParklaneRecorder *recorder;

  fixture->config.max_segment_age_s = 600;
  recorder = start (fixture);
  record_polls (10);
  pass (recorder, 300);
  g_assert_cmpuint (get_metrics ().segments_sealed_total, ==, 0);
  pass (recorder, 301);
  pass (recorder, 0);
  g_assert_cmpuint (get_metrics ().segments_sealed_total, ==, 1);
  for (guint i = 0; i < 5; i++)
    pass (recorder, 601);
  g_assert_cmpuint (get_metrics ().segments_sealed_total, ==, 1);
  record_polls (10);
  pass (recorder, 601);
  pass (recorder, 0);
  g_assert_cmpuint (get_metrics ().segments_sealed_total, ==, 2);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin app.1.bin app.lock");
}

#define ADD(path, function) g_test_add (path, Recording, NULL, recording_set_up, function, recording_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/time/heart-beats-each-second", test_heart_beats_each_second);
  ADD ("/recorder/time/segments-are-sealed-by-age", test_segments_are_sealed_by_age);
  return g_test_run ();
}
