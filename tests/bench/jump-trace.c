/* jump-trace.c: loads a trace as the window does, jumps about in it, and says when each view was sharp
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <math.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "pl-loader.h"

/* Pixel columns of a lane in a window of full width. */
#define N_COLUMNS 1600

/* The narrowest view: deep zoom, one column for 10 ns. */
#define MIN_VIEW_NS (N_COLUMNS * 10.0)

typedef struct
{
  GMainLoop *loop;
  GError *error;
} Load;

static void
loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Load *load = user_data;
  g_autoptr(PlTrace) trace = pl_loader_load_finish (PL_LOADER (source), result, &load->error);

  g_main_loop_quit (load->loop);
}

static gboolean
load (PlLoader *loader, GError **error)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Load self = { loop, NULL };

  pl_loader_load_async (loader, NULL, loaded, &self);
  g_main_loop_run (loop);
  if (self.error == NULL)
    return TRUE;
  g_propagate_error (error, self.error);
  return FALSE;
}

/* Of any place and any width, all powers alike. */
static void
choose_view (GRand *random, gint64 start_ns, gint64 end_ns, gint64 *out_from_ns, gint64 *out_to_ns)
{
  double length = (double) (end_ns - start_ns);
  double width = MIN_VIEW_NS * pow (length / MIN_VIEW_NS, g_rand_double (random));
  double from = g_rand_double (random) * (length - width);

  *out_from_ns = start_ns + (gint64) from;
  *out_to_ns = *out_from_ns + (gint64) width;
}

static double
time_jump (PlLoader *loader, gint64 from_ns, gint64 to_ns)
{
  gint64 began_us = g_get_monotonic_time ();

  pl_loader_look_at (loader, from_ns, to_ns, N_COLUMNS);
  while (!pl_loader_is_sharp (loader))
    g_main_context_iteration (NULL, TRUE);
  return (double) (g_get_monotonic_time () - began_us) / 1e3;
}

static int
compare_doubles (const void *a, const void *b)
{
  double first = *(const double *) a;
  double second = *(const double *) b;

  return (first > second) - (first < second);
}

/* By nearest rank. */
static double
get_percentile (const double *sorted, guint n, double fraction)
{
  return sorted[MIN ((guint) ceil (fraction * n), n) - 1];
}

static void
jump (PlLoader *loader, PlTrace *trace, guint n_jumps, guint32 seed)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (seed);
  g_autofree double *times_ms = g_new (double, n_jumps);

  for (guint i = 0; i < n_jumps; i++)
    {
      gint64 from_ns;
      gint64 to_ns;

      choose_view (random, pl_trace_get_start_ns (trace), pl_trace_get_end_ns (trace), &from_ns, &to_ns);
      times_ms[i] = time_jump (loader, from_ns, to_ns);
    }
  qsort (times_ms, n_jumps, sizeof *times_ms, compare_doubles);
  g_print ("sharp_ms_p50\t%.3f\n", get_percentile (times_ms, n_jumps, .5));
  g_print ("sharp_ms_p99\t%.3f\n", get_percentile (times_ms, n_jumps, .99));
  g_print ("sharp_ms_max\t%.3f\n", times_ms[n_jumps - 1]);
}

static void
print_sizes (PlTrace *trace, double seconds)
{
  guint n_files;
  const PlTraceFile *files = pl_trace_get_files (trace, &n_files);
  guint64 raw_bytes = 0;
  struct rusage usage;

  for (guint i = 0; i < n_files; i++)
    raw_bytes += files[i].raw_bytes;
  getrusage (RUSAGE_SELF, &usage);
  g_print ("raw_bytes\t%" G_GUINT64_FORMAT "\n", raw_bytes);
  g_print ("events\t%" G_GUINT64_FORMAT "\n", pl_trace_get_n_events (trace));
  g_print ("seconds\t%.6f\n", seconds);
  g_print ("loaded_rss_bytes\t%ld\n", usage.ru_maxrss * 1024);
}

int
main (int argc, char **argv)
{
  gint64 began_us = g_get_monotonic_time ();
  gint64 memory = 512 * 1024 * 1024;
  int n_jumps = 300;
  int seed = 1;
  g_auto(GStrv) paths = NULL;
  const GOptionEntry entries[] = {
    { "memory", 0, 0, G_OPTION_ARG_INT64, &memory, "Bytes of detail to hold, 512 MiB by default", "BYTES" },
    { "jumps", 0, 0, G_OPTION_ARG_INT, &n_jumps, "How many, 300 by default", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT, &seed, "The same seed makes the same jumps", "N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, "PATH…" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;
  g_autoptr(PlLoader) loader = NULL;
  g_autoptr(PlTrace) trace = NULL;
  struct rusage usage;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || paths == NULL || n_jumps < 1)
    {
      g_printerr ("jump-trace: %s\n", error != NULL ? error->message : "PATH and at least one jump expected");
      return 2;
    }
  loader = pl_loader_new ((const char *const *) paths);
  pl_loader_set_memory_budget (loader, (guint64) memory);
  if (!load (loader, &error))
    {
      g_printerr ("jump-trace: %s\n", error->message);
      return 1;
    }
  trace = pl_loader_dup_trace (loader);
  print_sizes (trace, (double) (g_get_monotonic_time () - began_us) / 1e6);
  jump (loader, trace, (guint) n_jumps, (guint32) seed);
  getrusage (RUSAGE_SELF, &usage);
  g_print ("peak_rss_bytes\t%ld\n", usage.ru_maxrss * 1024);
  return 0;
}
