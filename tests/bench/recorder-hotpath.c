/* recorder-hotpath.c: what one recorded event costs the thread that records it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Figures, in nanoseconds per event, median of many rounds in one process: the bare clock read, an event
 * with its clock read, the difference, an event while nothing records, and, where an LTTng session takes it, an LTTng
 * tracepoint with two integers, and how many of our events that is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "parklane-recorder.h"
#ifdef HAVE_LTTNG
#define LTTNG_UST_TRACEPOINT_DEFINE
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#include "recorder-hotpath-lttng.h"
#endif

/* Events of a round: far fewer than a ring holds, so that no round waits for the drain. */
#define N_EVENTS 20000
#define N_ROUNDS 101

typedef void (*Round) (void);

static volatile uint64_t sink;

static void
read_clock (void)
{
  for (int i = 0; i < N_EVENTS; i++)
    sink = plr_clock_now ();
}

static void
record_events (void)
{
  for (int i = 0; i < N_EVENTS; i += 2)
    {
      parklane_poll_start ((uint64_t) i, 1, 3);
      parklane_poll_end ();
    }
}

#ifdef HAVE_LTTNG
static void
hit_tracepoints (void)
{
  for (int i = 0; i < N_EVENTS; i++)
    lttng_ust_tracepoint (parklane_bench, event, i, 3);
}
#endif

static int
compare (const void *a, const void *b)
{
  double left = *(const double *) a;
  double right = *(const double *) b;

  return (left > right) - (left < right);
}

/* Nanoseconds per event, by the system's clock. */
static double
measure (Round round, ParklaneRecorder *recorder)
{
  double results[N_ROUNDS];

  for (int i = -3; i < N_ROUNDS; i++) /* the first ones warm up */
    {
      uint64_t begin_ns = plr_clock_read_system ();

      round ();
      if (i >= 0)
        results[i] = (double) (plr_clock_read_system () - begin_ns) / N_EVENTS;
      if (recorder != NULL)
        (void) parklane_recorder_flush (recorder); /* only so that the ring is empty */
    }
  qsort (results, N_ROUNDS, sizeof results[0], compare);
  printf ("# lowest %.2f, median %.2f, highest %.2f ns\n", results[0], results[N_ROUNDS / 2], results[N_ROUNDS - 1]);
  return results[N_ROUNDS / 2];
}

static ParklaneRecorder *
start (const char *dir)
{
  ParklaneRecorder *recorder = NULL;
  ParklaneConfig config;
  int r;

  parklane_config_init (&config);
  snprintf (config.output_dir, sizeof config.output_dir, "%s", dir);
  config.rotation_count = 1;
  config.compress = PARKLANE_COMPRESS_NONE; /* another thread's work, of the lowest priority */
  r = parklane_recorder_start (&config, &recorder);
  if (r < 0)
    {
      fprintf (stderr, "recorder-hotpath: cannot start a session in %s: %s\n", dir, strerror (-r));
      exit (1);
    }
  parklane_thread_attach (0);
  while (strcmp (plr_clock_get_name (), "tsc") != 0 && parklane_recorder_flush (recorder) == 0)
    {
      static int n_waits;

      if (++n_waits > 1000)
        break;
    }
  return recorder;
}

static void
print (const char *name, double value)
{
  printf ("%s\t%.3f\n", name, value);
}

#ifdef HAVE_LTTNG
static void
measure_lttng (double event_ns)
{
  double lttng_ns;

  if (!lttng_ust_tracepoint_enabled (parklane_bench, event))
    {
      puts ("# no LTTng session takes the tracepoint: hotpath.py starts one");
      return;
    }
  lttng_ns = measure (hit_tracepoints, NULL);
  print ("lttng_ns", lttng_ns);
  print ("ratio_lttng", lttng_ns / event_ns);
}
#endif

int
main (void)
{
  char dir[] = "/tmp/parklane-hotpath-XXXXXX";
  char command[64];
  ParklaneRecorder *recorder;
  double clock_ns;
  double event_ns;
  double off_ns;

  if (mkdtemp (dir) == NULL)
    return 1;
  recorder = start (dir);
  printf ("# clock: %s\n", plr_clock_get_name ());
  clock_ns = measure (read_clock, NULL);
  event_ns = measure (record_events, recorder);
  parklane_recorder_stop (recorder);
  off_ns = measure (record_events, NULL);

  print ("clock_ns", clock_ns);
  print ("event_ns", event_ns);
  print ("event_over_clock_ns", event_ns - clock_ns);
  print ("off_ns", off_ns);
#ifdef HAVE_LTTNG
  measure_lttng (event_ns);
#else
  puts ("# built without LTTng-UST");
#endif
  snprintf (command, sizeof command, "rm -rf %s", dir);
  return system (command) == 0 ? 0 : 1;
}
