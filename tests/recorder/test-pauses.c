/* test-pauses.c: what a trace says of the time when recording was paused
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>

#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"

static void
test_pause_is_a_gap (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;
  const Event *gap;

  parklane_thread_attach (0);
  record_located_polls (1);
  parklane_recorder_pause (recorder);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  parklane_recorder_resume (recorder);
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  record_located_polls (1);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
  trace = trace_read_session (fixture->dir, "app");

  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 2);
  g_assert_cmpuint (trace_count (trace, "ParklaneGapEvent"), ==, 1);
  gap = trace_find (trace, "ParklaneGapEvent", 0);
  g_assert_cmpstr (event_text (gap, "cause"), ==, "paused");
  g_assert_cmpuint (event_number (gap, "dropped"), ==, 0);
  g_assert_cmpuint (event_number (gap, "from_ns"), >=, trace_find (trace, "PollEndEvent", 0)->time_ns);
  g_assert_cmpuint (event_number (gap, "to_ns"), <=, trace_find (trace, "PollStartEvent", 1)->time_ns);
}

/* Of the first event of this name from @from on. */
static guint
find_index (Trace *trace, const char *name, guint from)
{
  for (guint i = from; i < trace->events->len; i++)
    if (g_str_equal (trace_get (trace, i)->name, name))
      return i;
  g_assert_not_reached ();
}

/* However short it is, and however long the recorder's thread has not looked: nothing outside the gap is missing, and it
 * stands between what came before it and what came behind. */
static void
test_pause_that_nobody_saw_is_a_gap (Recording *fixture, gconstpointer data)
{
  g_autoptr(Trace) trace = NULL;
  ParklaneRecorder *recorder;
  const Event *gap;
  guint64 before_ns;
  guint64 after_ns;
  guint i;

  fixture->config.drain_interval_ms = 1000;
  recorder = recording_start (fixture);
  parklane_thread_attach (0);
  record_polls (1);
  parklane_recorder_pause (recorder);
  before_ns = parklane_now_ns ();
  g_assert_cmpuint (parklane_poll_start (1, 0, 0), ==, 0);
  after_ns = parklane_now_ns ();
  parklane_recorder_resume (recorder);
  record_polls (1);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
  trace = trace_read_session (fixture->dir, "app");

  i = find_index (trace, "ParklaneGapEvent", find_index (trace, "PollEndEvent", 0));
  gap = trace_get (trace, i);
  g_assert_cmpuint (event_number (gap, "from_ns"), >=, trace_find (trace, "PollEndEvent", 0)->time_ns);
  g_assert_cmpuint (event_number (gap, "from_ns"), <=, before_ns);
  g_assert_cmpuint (event_number (gap, "to_ns"), >=, after_ns);
  i = find_index (trace, "PollStartEvent", i);
  g_assert_cmpuint (trace_get (trace, i)->time_ns, >=, event_number (gap, "to_ns"));
  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 2);
  g_assert_cmpuint (trace_count (trace, "ParklaneGapEvent"), ==, 1);
}

static void
test_pause_until_the_end_is_a_gap (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autoptr(Trace) trace = NULL;
  guint64 after_ns;

  parklane_thread_attach (0);
  record_polls (1);
  parklane_recorder_pause (recorder);
  after_ns = parklane_now_ns ();
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
  trace = trace_read_session (fixture->dir, "app");

  g_assert_cmpuint (trace_count (trace, "ParklaneGapEvent"), ==, 1);
  g_assert_cmpuint (event_number (trace_find (trace, "ParklaneGapEvent", 0), "to_ns"), >=, after_ns);
}

/* Every pause lies in one gap, which may be of several, and no gap is told twice. */
static void
test_pauses_in_a_burst_are_all_told (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  guint64 at_ns[200];
  g_autoptr(Trace) trace = NULL;
  guint64 last_ns = 0;
  guint n_covered = 0;

  parklane_thread_attach (0);
  for (guint i = 0; i < G_N_ELEMENTS (at_ns); i++)
    {
      record_polls (i);
      parklane_recorder_pause (recorder);
      at_ns[i] = parklane_now_ns ();
      parklane_recorder_resume (recorder);
    }
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
  trace = trace_read_session (fixture->dir, "app");

  g_assert_cmpuint (trace_count (trace, "PollStartEvent"), ==, 199 * 200 / 2);
  for (guint i = 0; trace_find (trace, "ParklaneGapEvent", i) != NULL; i++)
    {
      const Event *gap = trace_find (trace, "ParklaneGapEvent", i);

      g_assert_cmpuint (event_number (gap, "from_ns"), >=, last_ns);
      last_ns = event_number (gap, "to_ns");
      for (; n_covered < G_N_ELEMENTS (at_ns) && at_ns[n_covered] <= last_ns; n_covered++)
        g_assert_cmpuint (at_ns[n_covered], >=, event_number (gap, "from_ns"));
    }
  g_assert_cmpuint (n_covered, ==, G_N_ELEMENTS (at_ns));
}

#define ADD(path, function) g_test_add (path, Recording, NULL, recording_set_up, function, recording_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/pauses/a-pause-is-a-gap", test_pause_is_a_gap);
  ADD ("/recorder/pauses/one-that-nobody-saw-is-a-gap", test_pause_that_nobody_saw_is_a_gap);
  ADD ("/recorder/pauses/one-until-the-end-is-a-gap", test_pause_until_the_end_is_a_gap);
  ADD ("/recorder/pauses/all-of-a-burst-are-told", test_pauses_in_a_burst_are_all_told);
  return g_test_run ();
}
