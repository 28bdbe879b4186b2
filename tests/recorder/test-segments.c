/* test-segments.c: what the segments of a session hold, and how many there are
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <glib/gstdio.h>

#include "parklane-recorder.h"
#include "recording.h"
#include "trace-reader.h"

/* The smallest that there is. */
#define SIZE 65536

static void
test_opening_is_dial9s (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder;
  g_autofree char *path = g_build_filename (fixture->dir, "app.0.bin.active", NULL);
  g_autoptr(Trace) trace = NULL;

  g_strlcpy (fixture->config.service_name, "svc", sizeof fixture->config.service_name);
  recorder = recording_start (fixture);
  trace = trace_read_file (path, FALSE); /* before the first event and before any drain */

  g_assert_cmpstr (trace_get (trace, 0)->name, ==, "ClockSyncEvent");
  g_assert_cmpstr (trace_get (trace, 1)->name, ==, "SegmentMetadataEvent");
  g_assert_cmpstr (trace_get (trace, 2)->name, ==, "ClockSyncEvent");
  g_assert_cmpuint (event_number (trace_get (trace, 0), "realtime_ns"), >, G_GUINT64_CONSTANT (1577836800000000000));
  g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "service_name"), ==, "svc");
  g_assert_cmpuint (trace->n_batches, ==, 3);
  parklane_recorder_stop (recorder);
}

static void
test_session_without_events_leaves_no_segment (Recording *fixture, gconstpointer data)
{
  g_autofree char *files = NULL;

  g_assert_cmpint (parklane_recorder_stop (recording_start (fixture)), ==, 0);
  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.lock");
}

/* Bursts of polls by the calling thread, each of them on file before the next; then the session ends. */
static void
record_bursts (ParklaneRecorder *recorder, guint n, guint n_polls)
{
  for (guint i = 0; i < n; i++)
    {
      record_located_polls (n_polls);
      g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
    }
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();
}

/* NULL when there is none of that number. */
static Trace *
read_segment (Recording *fixture, guint number)
{
  g_autofree char *path = g_strdup_printf ("%s/app.%u.bin", fixture->dir, number);
  GStatBuf st;

  if (g_stat (path, &st) != 0)
    return NULL;
  g_assert_cmpuint (st.st_size, <=, SIZE);
  return trace_read_file (path, FALSE);
}

static void
test_every_segment_stands_alone_within_its_size (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder;
  guint64 n_polls = 0;
  guint n_segments = 0;

  fixture->config.max_file_size = SIZE;
  fixture->config.rotation_count = 1000;
  recorder = recording_start (fixture);
  parklane_thread_attach (0);
  record_bursts (recorder, 10, 5000); /* each is larger than a segment */

  for (;; n_segments++)
    {
      g_autofree char *number = g_strdup_printf ("%u", n_segments);
      g_autoptr(Trace) trace = read_segment (fixture, n_segments);

      if (trace == NULL)
        break;
      g_assert_cmpstr (trace_get (trace, 0)->name, ==, "ClockSyncEvent");
      g_assert_cmpstr (g_hash_table_lookup (trace->metadata, "parklane.segment"), ==, number);
      g_assert_cmpuint (trace_count (trace, "PollEndEvent"), >, 0);
      n_polls += trace_count (trace, "PollEndEvent");
    }
  g_assert_cmpuint (n_segments, >=, 10);
  g_assert_cmpuint (n_polls, ==, 50000);
}

/* Four hundred workers are parked or in a poll while another one fills segments of the smallest size. */
static void
test_every_segment_begins_with_what_is_open (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder;
  guint n_segments = 0;

  fixture->config.max_file_size = SIZE;
  fixture->config.rotation_count = 1000;
  recorder = recording_start (fixture);
  for (guint worker = 1000; worker < 1400; worker++)
    {
      parklane_thread_attach (worker);
      if (worker % 2 == 0)
        parklane_poll_start (worker, 0, 0);
      else
        parklane_park (0);
    }
  parklane_thread_attach (0);
  record_bursts (recorder, 10, 5000);

  for (;; n_segments++)
    {
      g_autoptr(Trace) trace = read_segment (fixture, n_segments);

      if (trace == NULL)
        break;
      g_assert_cmpuint (trace_count (trace, "ParklaneOpenPollEvent"), >=, n_segments == 0 ? 0 : 200); /* and worker 0's */
      g_assert_cmpuint (trace_count (trace, "ParklaneOpenParkEvent"), >=, n_segments == 0 ? 0 : 200);
      g_assert_cmpuint (trace_count (trace, "PollEndEvent"), >, 0);
    }
  g_assert_cmpuint (n_segments, >=, 10);
  g_assert_cmpuint (n_segments, <, 100); /* what is open leaves room for more */
}

static guint64
get_usage (const char *dir)
{
  g_autoptr(GDir) handle = g_dir_open (dir, 0, NULL);
  const char *name;
  guint64 bytes = 0;

  while ((name = g_dir_read_name (handle)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);
      GStatBuf st;

      if (g_stat (path, &st) == 0)
        bytes += (guint64) st.st_size;
    }
  return bytes;
}

/* Also over restarts, and the metric says what the disk says. */
static void
test_never_above_the_budget (Recording *fixture, gconstpointer data)
{
  const guint64 budget = 4 * SIZE;

  fixture->config.max_file_size = SIZE;
  fixture->config.rotation_count = 4;
  parklane_thread_attach (0);
  for (guint run = 0; run < 3; run++)
    {
      ParklaneRecorder *recorder = recording_start (fixture);

      for (guint i = 0; i < 20; i++)
        {
          record_located_polls (2000);
          g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
          g_assert_cmpuint (get_usage (fixture->dir), <=, budget);
        }
      g_assert_cmpuint (get_metrics ().disk_usage_bytes, ==, get_usage (fixture->dir));
      g_assert_cmpuint (get_metrics ().evicted_segments_total, >, 0);
      parklane_recorder_stop (recorder);
      g_assert_cmpuint (get_usage (fixture->dir), <=, budget);
      g_assert_cmpuint (get_usage (fixture->dir), >, budget - 2 * SIZE);
    }
  parklane_thread_detach ();
}

static void
test_batches_begin_about_every_mebibyte (Recording *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->dir, "app.0.bin", NULL);
  ParklaneRecorder *recorder;
  g_autoptr(Trace) trace = NULL;

  fixture->config.clock = PARKLANE_CLOCK_MONOTONIC; /* a change of clock would be told in a batch of its own */
  recorder = recording_start (fixture);
  parklane_thread_attach (0);
  record_bursts (recorder, 10, 30000);
  trace = trace_read_file (path, FALSE);

  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, 300000);
  g_assert_cmpuint (trace->n_batches - 4, ==, trace->end / (1024 * 1024)); /* two of metadata, and that of the end */
}

static void
test_rotates_on_demand (Recording *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = recording_start (fixture);
  g_autofree char *files = NULL;

  parklane_thread_attach (0);
  for (guint i = 0; i < 3; i++)
    {
      record_located_polls (10);
      parklane_recorder_rotate (recorder);
      g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
    }
  parklane_recorder_rotate (recorder); /* nothing new: nothing to seal */
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  parklane_recorder_stop (recorder);
  parklane_thread_detach ();

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin app.1.bin app.2.bin app.lock");
}

#define ADD(path, function) g_test_add (path, Recording, NULL, recording_set_up, function, recording_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/recorder/segments/opening-is-dial9s", test_opening_is_dial9s);
  ADD ("/recorder/segments/session-without-events-leaves-no-segment", test_session_without_events_leaves_no_segment);
  ADD ("/recorder/segments/every-segment-begins-with-what-is-open", test_every_segment_begins_with_what_is_open);
  ADD ("/recorder/segments/every-segment-stands-alone-within-its-size", test_every_segment_stands_alone_within_its_size);
  ADD ("/recorder/segments/never-above-the-budget", test_never_above_the_budget);
  ADD ("/recorder/segments/batches-begin-about-every-mebibyte", test_batches_begin_about_every_mebibyte);
  ADD ("/recorder/segments/rotates-on-demand", test_rotates_on_demand);
  return g_test_run ();
}
