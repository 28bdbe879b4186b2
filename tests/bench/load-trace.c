/* load-trace.c: loads a trace once, in a process of its own, and says how long it took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Users open a trace in a fresh process, where page faults count as much as decoding; so no benchmark of loading
 * repeats anything within a process.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pl-loader.h"

typedef struct
{
  gint64 began_us;
  gint64 n_events;
} Wait;

static double
get_seconds (gint64 began_us)
{
  return (double) (g_get_monotonic_time () - began_us) / 1e6;
}

static void
print_trace (PlTrace *trace, gint64 began_us)
{
  double seconds = get_seconds (began_us);
  const PlPollTotals *polls = pl_trace_get_poll_totals (trace);
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  g_print ("seconds\t%.6f\n", seconds);
  g_print ("events\t%" G_GUINT64_FORMAT "\n", pl_trace_get_n_events (trace));
  g_print ("polls\t%" G_GUINT64_FORMAT "\n", polls->n_polls);
  g_print ("total_ns\t%" G_GINT64_FORMAT "\n", polls->total_ns);
  g_print ("peak_rss_bytes\t%ld\n", usage.ru_maxrss * 1024);
}

static void
trace_changed (PlLoader *loader, GParamSpec *property, gpointer user_data)
{
  const Wait *wait = user_data;
  g_autoptr(PlTrace) trace = pl_loader_dup_trace (loader);

  if (trace == NULL || pl_trace_get_n_lanes (trace) == 0
      || pl_trace_get_n_events (trace) < (guint64) wait->n_events)
    return;
  g_print ("seconds\t%.6f\n", get_seconds (wait->began_us));
  fflush (stdout);
  /* The rest of the file is still being read, and nobody waits for it. */
  _exit (0);
}

static void
loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load_finish (PL_LOADER (source), result, &error);

  g_printerr ("load-trace: %s\n", trace != NULL ? "all is read, and what was waited for is not there" : error->message);
  exit (1);
}

/* As the window does it: the first snapshot with lanes and enough events that arrives on the main loop. */
static void
wait_for_snapshot (const char *const *paths, const Wait *wait)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr(PlLoader) loader = pl_loader_new (paths);

  g_signal_connect (loader, "notify::trace", G_CALLBACK (trace_changed), (gpointer) wait);
  pl_loader_load_async (loader, NULL, loaded, NULL);
  g_main_loop_run (loop);
}

int
main (int argc, char **argv)
{
  Wait wait = { g_get_monotonic_time (), -1 };
  int n_threads = 0;
  gint64 memory = G_MAXINT64;
  g_auto(GStrv) paths = NULL;
  const GOptionEntry entries[] = {
    { "threads", 0, 0, G_OPTION_ARG_INT, &n_threads, "Threads that read, all cores by default", "N" },
    { "memory", 0, 0, G_OPTION_ARG_INT64, &memory, "Bytes of detail to hold, all by default", "BYTES" },
    { "until", 0, 0, G_OPTION_ARG_INT64, &wait.n_events, "Only up to a snapshot with lanes and N events", "N" },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, "PATH…" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;
  PlTrace *trace;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || paths == NULL)
    {
      g_printerr ("load-trace: %s\n", error != NULL ? error->message : "PATH expected");
      return 2;
    }
  if (wait.n_events >= 0)
    wait_for_snapshot ((const char *const *) paths, &wait);

  trace = pl_loader_load_within ((const char *const *) paths, (guint) n_threads, (guint64) memory, NULL, &error);
  if (trace == NULL)
    {
      g_printerr ("load-trace: %s\n", error->message);
      return 1;
    }
  print_trace (trace, wait.began_us);
  /* Giving a gigabyte back to the system piece by piece is no part of opening a trace. */
  fflush (stdout);
  _exit (0);
}
