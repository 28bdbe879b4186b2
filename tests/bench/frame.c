/* frame.c: time of a full redraw of a trace of ten million events
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Overview, ruler, lanes and tracks at 1600 × 900, while somebody pans: every frame shows another stretch of time. full_ms
 * at full range; deep_ms at the worst of several zooms, from many labels in bars down to 10 ns. cold_ms is the first frame
 * of a snapshot, at full range and with nothing kept from a frame before.
 */
#include "config.h"

#include <glib.h>
#include <stdio.h>

#include "pl-scene.h"
#include "test-trace.h"

#define N_EVENTS (10 * 1000 * 1000)
#define N_WORKERS 8
#define WIDTH 1600
#define HEIGHT 900
#define N_FRAMES 101
#define US G_GINT64_CONSTANT (1000)
#define MS (1000 * US)

static const char *const locations[] = {
  "src/server.rs:112:17", "src/../../workloads.rs:90:29", "/home/user/.cargo/registry/src/hyper-1.4.1/src/rt.rs:48:9",
};

static gint64
choose_duration (GRand *random)
{
  guint32 dice = g_rand_int (random);

  if (dice % 50000 == 0)
    return MS + g_rand_int (random) % (40 * MS);
  return US + dice % (dice % 64 == 0 ? 200 * US : 20 * US);
}

/* Every worker in turn, the one that is behind first: a poll, then now and then a park. */
static TestTrace *
make_trace (void)
{
  TestTrace *bytes = test_trace_new ();
  g_autoptr(GRand) random = g_rand_new_with_seed (4711);
  gint64 at_ns[N_WORKERS];
  gint64 sampled_ns = 0;

  for (guint64 worker = 0; worker < N_WORKERS; worker++)
    at_ns[worker] = 1000 * MS + (gint64) worker;

  for (int n = 0; n < N_EVENTS;)
    {
      guint64 worker = 0;

      for (guint64 i = 1; i < N_WORKERS; i++)
        if (at_ns[i] < at_ns[worker])
          worker = i;

      if (at_ns[worker] > sampled_ns + 10 * MS)
        {
          sampled_ns = at_ns[worker];
          test_trace_queue (bytes, "", g_rand_int (random) % 50, 1000 + g_rand_int (random) % 50, sampled_ns);
          n++;
        }
      if (g_rand_int (random) % 4 == 0)
        {
          test_trace_park (bytes, worker, (guint32) worker + 1, at_ns[worker]);
          at_ns[worker] += US + g_rand_int (random) % (30 * US);
          test_trace_unpark (bytes, worker, (guint32) worker + 1, at_ns[worker]);
          at_ns[worker] += US;
          n += 2;
        }
      else
        {
          gint64 duration_ns = choose_duration (random);

          test_trace_poll (bytes, worker, 1 + g_rand_int (random) % 5000,
                           locations[g_rand_int (random) % G_N_ELEMENTS (locations)], at_ns[worker], duration_ns);
          at_ns[worker] += duration_ns + US;
          n += 2;
        }
    }
  return bytes;
}

static int
compare_times (gconstpointer a, gconstpointer b)
{
  const double first = *(const double *) a;
  const double second = *(const double *) b;

  return first < second ? -1 : first > second;
}

/* Median time of a frame, in ms. */
static double
measure (const PlScene *scene, PlSceneCache *cache, const char *what)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, WIDTH, HEIGHT);
  cairo_t *cr = cairo_create (surface);
  double times[N_FRAMES];
  PlScene moved = *scene;

  moved.cache = cache;
  for (int i = -3; i < N_FRAMES; i++)
    {
      gint64 step_ns = MAX ((scene->to_ns - scene->from_ns) / WIDTH, 1);
      gint64 began_us;

      /* One pixel further each time; without a cache the view stays, and so does the work that full range can share. */
      moved.from_ns = scene->from_ns + (cache != NULL ? i * step_ns : 0);
      moved.to_ns = scene->to_ns + (cache != NULL ? i * step_ns : 0);
      began_us = g_get_monotonic_time ();
      pl_scene_draw (&moved, cr, WIDTH, HEIGHT);
      if (i >= 0)
        times[i] = (double) (g_get_monotonic_time () - began_us) / 1e3;
    }
  g_assert (cairo_status (cr) == CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);

  qsort (times, N_FRAMES, sizeof *times, compare_times);
  printf ("# %s: median %.2f ms, fastest %.2f, slowest tenth from %.2f, %d frames\n", what, times[N_FRAMES / 2],
          times[0], times[N_FRAMES * 9 / 10], N_FRAMES);
  return times[N_FRAMES / 2];
}

static double
measure_deep (const PlScene *scene, PlSceneCache *cache)
{
  static const gint64 spans[] = { 100 * MS, 5 * MS, 300 * US, 10 * US, 10 };
  gint64 middle_ns = scene->from_ns + (scene->to_ns - scene->from_ns) / 2;
  double worst = 0.0;

  for (gsize i = 0; i < G_N_ELEMENTS (spans); i++)
    {
      g_autofree char *what = g_strdup_printf ("deep, %" G_GINT64_FORMAT " ns in view", spans[i]);
      PlScene deep = *scene;
      double median;

      deep.from_ns = middle_ns - spans[i] / 2;
      deep.to_ns = deep.from_ns + spans[i];
      median = measure (&deep, cache, what);
      worst = MAX (worst, median);
    }
  return worst;
}

int
main (void)
{
  TestTrace *bytes = make_trace ();
  g_autofree char *path = test_trace_save (bytes, "frame.bin");
  gint64 began_us = g_get_monotonic_time ();
  g_autoptr(PlTrace) trace = test_trace_load_path (path);
  g_autoptr(PlSceneCache) cache = pl_scene_cache_new ();
  PlScene scene;
  double full, deep, cold;

  printf ("# %" G_GUINT64_FORMAT " events, %u workers, %d MiB, read in %.0f ms\n", pl_trace_get_n_events (trace),
          pl_trace_get_n_lanes (trace), (int) (test_trace_get_size (bytes) >> 20),
          (double) (g_get_monotonic_time () - began_us) / 1e3);
  test_trace_free (bytes);
  test_trace_cleanup ();

  scene = (PlScene){
    .trace = trace,
    .from_ns = pl_trace_get_start_ns (trace),
    .to_ns = pl_trace_get_end_ns (trace),
    .threshold_ns = MS,
    .cursor_ns = G_MININT64,
    .device_scale = 1.0,
  };
  full = measure (&scene, cache, "full range");
  deep = measure_deep (&scene, cache);
  cold = measure (&scene, NULL, "full range, nothing kept");
  printf ("full_ms\t%.3f\ndeep_ms\t%.3f\ncold_ms\t%.3f\n", full, deep, cold);
  return 0;
}
