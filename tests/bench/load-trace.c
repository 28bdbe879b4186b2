/* load-trace.c: loads a trace once, in a process of its own, and says how long it took
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Users open a trace in a fresh process, where page faults count as much as decoding; so no benchmark of loading
 * repeats anything within a process. It loads as the window does: on all cores it may use, with snapshots that arrive
 * on the main loop.
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
  gint64 n_events; /* of the snapshot that is waited for, -1 = the last one */
} Wait;

static void
print_time (const Wait *wait)
{
  g_print ("seconds\t%.6f\n", (double) (g_get_monotonic_time () - wait->began_us) / 1e6);
}

static void
print_trace (PlTrace *trace)
{
  const PlPollTotals *polls = pl_trace_get_poll_totals (trace);
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  g_print ("events\t%" G_GUINT64_FORMAT "\n", pl_trace_get_n_events (trace));
  g_print ("polls\t%" G_GUINT64_FORMAT "\n", polls->n_polls);
  g_print ("total_ns\t%" G_GINT64_FORMAT "\n", polls->total_ns);
  g_print ("peak_rss_bytes\t%ld\n", usage.ru_maxrss * 1024);
}

/* What still goes on, nobody waits for: the rest of the file, the index, giving a gigabyte back to the system. */
static void
leave (void)
{
  fflush (stdout);
  _exit (0);
}

static void
trace_changed (PlLoader *loader, GParamSpec *property, gpointer user_data)
{
  const Wait *wait = user_data;
  g_autoptr(PlTrace) trace = pl_loader_dup_trace (loader);

  if (wait->n_events < 0 || trace == NULL || pl_trace_get_n_lanes (trace) == 0
      || pl_trace_get_n_events (trace) < (guint64) wait->n_events)
    return;
  print_time (wait);
  leave ();
}

static void
loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  const Wait *wait = user_data;
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load_finish (PL_LOADER (source), result, &error);

  if (trace != NULL && wait->n_events < 0)
    {
      print_time (wait);
      print_trace (trace);
      leave ();
    }
  g_printerr ("load-trace: %s\n", trace != NULL ? "all is read, and what was waited for is not there" : error->message);
  exit (1);
}

static void
load_in_background (const char *const *paths, gint64 memory, const Wait *wait)
{
  g_autoptr(GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr(PlLoader) loader = pl_loader_new (paths);

  pl_loader_set_memory_budget (loader, (guint64) memory);
  g_signal_connect (loader, "notify::trace", G_CALLBACK (trace_changed), (gpointer) wait);
  pl_loader_load_async (loader, NULL, loaded, (gpointer) wait);
  g_main_loop_run (loop);
}

/* Loads and comes back when the index has been written too. */
static int
load_and_remember (const char *const *paths, gint64 memory, const Wait *wait)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load_within (paths, 0, (guint64) memory, NULL, &error);

  if (trace == NULL)
    {
      g_printerr ("load-trace: %s\n", error->message);
      return 1;
    }
  print_time (wait);
  print_trace (trace);
  return 0;
}

int
main (int argc, char **argv)
{
  Wait wait = { g_get_monotonic_time (), -1 };
  gint64 memory = G_MAXINT64;
  gboolean remember = FALSE;
  g_auto(GStrv) paths = NULL;
  const GOptionEntry entries[] = {
    { "memory", 0, 0, G_OPTION_ARG_INT64, &memory, "Bytes of detail to hold, all by default", "BYTES" },
    { "until", 0, 0, G_OPTION_ARG_INT64, &wait.n_events, "Only up to a snapshot with lanes and N events", "N" },
    { "remember", 0, 0, G_OPTION_ARG_NONE, &remember, "Up to the index for the next time", NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &paths, NULL, "PATH…" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr(GOptionContext) context = g_option_context_new (NULL);
  g_autoptr(GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || paths == NULL)
    {
      g_printerr ("load-trace: %s\n", error != NULL ? error->message : "PATH expected");
      return 2;
    }
  if (remember)
    return load_and_remember ((const char *const *) paths, memory, &wait);
  load_in_background ((const char *const *) paths, memory, &wait);
  return 1;
}
