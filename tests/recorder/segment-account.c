/* segment-account.c: segment-account: says of segments whose events they hold, and of a demo's log what it counted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: segment-account [--log FILE N] SEGMENT…. One line of JSON for each; it aborts at a segment that does not decode.
 */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "demo/tally.h"
#include "trace-reader.h"

static void
account_segment (const char *path)
{
  g_autoptr(Trace) trace = trace_read_file (path, g_str_has_suffix (path, ".active"));
  const char *pid = g_hash_table_lookup (trace->metadata, "parklane.pid");
  guint64 n_events = 0;
  guint64 n_lost = 0;

  for (guint i = 0; i < trace->events->len; i++)
    {
      const Event *event = trace_get (trace, i);

      n_events += event_is_recorded (event);
      if (g_str_equal (event->name, "ParklaneGapEvent"))
        n_lost += event_number (event, "dropped");
    }
  g_print ("{\"pid\":%s,\"events\":%" G_GUINT64_FORMAT ",\"lost\":%" G_GUINT64_FORMAT "}\n", pid != NULL ? pid : "0", n_events,
           n_lost);
}

static void
account_log (const char *path, guint n_threads)
{
  g_autofree char *data = NULL;
  guint64 n_events = 0;
  gsize size = 0;

  if (g_file_get_contents (path, &data, &size, NULL))
    for (guint i = 0; i < n_threads && (i + 1) * sizeof (Tally) <= size; i++)
      {
        Tally tally;

        memcpy (&tally, data + i * sizeof tally, sizeof tally);
        n_events += tally.n_recorded;
      }
  g_print ("{\"events\":%" G_GUINT64_FORMAT "}\n", n_events);
}

int
main (int argc, char **argv)
{
  int first = 1;

  if (argc > 3 && g_str_equal (argv[1], "--log"))
    {
      account_log (argv[2], (guint) atoi (argv[3]));
      first = 4;
    }
  for (int i = first; i < argc; i++)
    account_segment (argv[i]);
  return 0;
}
