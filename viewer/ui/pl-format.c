/* pl-format.c: numbers, instants and places as people read them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-format.h"

#include <glib/gi18n.h>
#include <langinfo.h>
#include <string.h>

#include "pl-duration.h"
#include "pl-one-line.h"

/* NARROW NO-BREAK SPACE: groups digits without being taken for a separator of words, where the language has no other. */
#define GROUP_SPACE "\xe2\x80\xaf"

#define RESOLUTION_NS G_GINT64_CONSTANT (1000)

/* A view that spans less has several pixels to a microsecond. */
#define FINE_SPAN_NS (200 * RESOLUTION_NS)

static const char *
get_group_separator (void)
{
  const char *separator = nl_langinfo (THOUSEP);

  return *separator != '\0' && g_utf8_validate (separator, -1, NULL) ? separator : GROUP_SPACE;
}

/**
 * pl_format_count:
 * @n: a count
 *
 * Returns: (transfer full): @n with its digits in groups of three
 */
char *
pl_format_count (guint64 n)
{
  g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, n);
  gsize n_digits = strlen (digits);
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < n_digits; i++)
    {
      if (i > 0 && (n_digits - i) % 3 == 0)
        g_string_append (text, get_group_separator ());
      g_string_append_c (text, digits[i]);
    }
  return g_string_free (text, FALSE);
}

/**
 * pl_format_rows:
 * @model: a list
 *
 * Returns: (transfer full): how many long polls there are, or dots while they are being found
 */
char *
pl_format_rows (PlLongPollModel *model)
{
  if (!pl_long_poll_model_is_current (model))
    return g_strdup ("…");
  return pl_format_count (g_list_model_get_n_items (G_LIST_MODEL (model)));
}

/**
 * pl_format_rows_in:
 * @model: a list
 * @range: a range of time
 *
 * Returns: (transfer full): how many long polls touch @range, or dots while they are being found
 */
char *
pl_format_rows_in (PlLongPollModel *model,
                   PlRange          range)
{
  if (!pl_long_poll_model_is_current (model))
    return g_strdup ("…");
  return pl_format_count (pl_long_poll_model_count_in (model, range));
}

/**
 * pl_format_bytes:
 * @n_bytes: a size
 *
 * Returns: (transfer full): the size in MB with one decimal, so that a growing number keeps its shape
 */
char *
pl_format_bytes (guint64 n_bytes)
{
  return g_strdup_printf ("%.1f", (double) n_bytes / 1e6);
}

/**
 * pl_format_share:
 * @part: a part of @whole, 0 or more
 * @whole: the whole; nothing is a share of 0
 *
 * Returns: (transfer full): a percentage; what is there but rounds to nothing is told as such
 */
char *
pl_format_share (gint64 part,
                 gint64 whole)
{
  double percent = whole > 0 ? 100.0 * (double) part / (double) whole : 0;

  if (part > 0 && percent < 1)
    /* Translators: a share that is not zero but below one percent */
    return g_strdup (_("< 1 %"));
  /* Translators: a percentage */
  return g_strdup_printf (_("%.0f %%"), percent);
}

/**
 * pl_format_resolution:
 * @view: a view
 *
 * Returns: the smallest difference between instants that must show, in ns: a microsecond, or less where the view is so
 *   narrow that its own ends would read alike
 */
gint64
pl_format_resolution (PlView *view)
{
  return pl_range_span (pl_view_get_visible (view)) < FINE_SPAN_NS ? 1 : RESOLUTION_NS;
}

/**
 * pl_format_relative:
 * @trace: a snapshot
 * @at_ns: an instant
 * @resolution_ns: the smallest difference that must show
 *
 * Returns: (transfer full): the time since the start of @trace, such as `+100.796 ms`
 */
char *
pl_format_relative (PlTrace *trace,
                    gint64   at_ns,
                    gint64   resolution_ns)
{
  return pl_duration_format_offset (at_ns - pl_trace_get_start_ns (trace), MAX (resolution_ns, 1));
}

static char *
format_zone (GDateTime *time)
{
  int minutes = (int) (g_date_time_get_utc_offset (time) / G_TIME_SPAN_MINUTE);

  if (minutes == 0)
    return g_strdup ("UTC");
  if (minutes % 60 == 0)
    return g_strdup_printf ("UTC%+d", minutes / 60);
  return g_strdup_printf ("UTC%+d:%02d", minutes / 60, ABS (minutes % 60));
}

/**
 * pl_format_wall:
 * @trace: a snapshot
 * @at_ns: an instant
 * @utc: in UTC instead of local time
 *
 * Returns: (transfer full) (nullable): the time of day to the microsecond and its zone, such as
 *   `14:03:22.118 402 (UTC+2)`; %NULL when the trace does not tell wall-clock time
 */
char *
pl_format_wall (PlTrace *trace,
                gint64   at_ns,
                gboolean utc)
{
  g_autoptr(GDateTime) in_utc = NULL;
  g_autoptr(GDateTime) time = NULL;
  g_autofree char *clock = NULL;
  g_autofree char *zone = NULL;
  gint64 wall_ns;
  int us;

  if (!pl_trace_to_wall_ns (trace, at_ns, &wall_ns))
    return NULL;
  in_utc = g_date_time_new_from_unix_utc (wall_ns / G_GINT64_CONSTANT (1000000000));
  if (in_utc == NULL)
    return NULL;
  time = utc ? g_date_time_ref (in_utc) : g_date_time_to_local (in_utc);
  if (time == NULL)
    return NULL;

  us = (int) (wall_ns % G_GINT64_CONSTANT (1000000000) / 1000);
  clock = g_date_time_format (time, "%H:%M:%S");
  zone = format_zone (time);
  return g_strdup_printf ("%s%s%03d" GROUP_SPACE "%03d (%s)", clock, pl_duration_get_decimal_point (), us / 1000,
                          us % 1000, zone);
}

/**
 * pl_format_instant:
 * @view: a view with a trace
 * @at_ns: an instant
 *
 * Returns: (transfer full): the instant as the view tells time, relative where the trace knows no wall-clock time
 */
char *
pl_format_instant (PlView *view,
                   gint64  at_ns)
{
  PlViewTimeFormat format = pl_view_get_time_format (view);
  PlTrace *trace = pl_view_get_trace (view);
  char *wall = NULL;

  if (format != PL_VIEW_RELATIVE)
    wall = pl_format_wall (trace, at_ns, format == PL_VIEW_WALL_UTC);
  if (wall != NULL)
    return wall;
  return pl_format_relative (trace, at_ns, pl_format_resolution (view));
}

/**
 * pl_format_duration:
 * @poll: a poll
 *
 * Returns: (transfer full): how long it took; of one that is open or whose end was lost it is known only that it took at
 *   least this long
 */
char *
pl_format_duration (const PlPoll *poll)
{
  g_autofree char *duration = pl_duration_format (poll->duration_ns);

  if (poll->flags & (PL_POLL_OPEN | PL_POLL_CUT_OFF))
    /* Translators: %s is a duration; the end of the poll is not in the data */
    return g_strdup_printf (_("at least %s"), duration);
  return g_steal_pointer (&duration);
}

/**
 * pl_format_threshold:
 *
 * Returns: (transfer full): @threshold_ns as people write it, which reads back as the same
 */
char *
pl_format_threshold (gint64 threshold_ns)
{
  g_autofree char *text = pl_duration_format (threshold_ns);
  gint64 shown_ns;

  /* Three digits would lose a threshold such as 1.2345 ms. */
  if (pl_duration_parse (text, &shown_ns, NULL) && shown_ns == threshold_ns)
    return g_steal_pointer (&text);
  return pl_duration_format_exact (threshold_ns);
}

/**
 * pl_format_worker:
 * @trace: a snapshot
 * @worker: a worker's id
 *
 * Returns: (transfer full): the worker and, where the metadata tell, its runtime, such as `2 · runtime front`
 */
char *
pl_format_worker (PlTrace *trace,
                  guint64  worker)
{
  const PlLane *lane = pl_trace_find_lane (trace, worker, NULL);
  guint n_runtimes;
  const PlRuntime *runtimes = pl_trace_get_runtimes (trace, &n_runtimes);
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, worker);
  const char *name = "";
  g_autofree char *valid = NULL;

  if (lane != NULL && pl_lane_get_runtime (lane) < n_runtimes)
    name = runtimes[pl_lane_get_runtime (lane)].name;
  if (*name == '\0')
    return g_steal_pointer (&number);

  valid = pl_one_line (name);
  /* Translators: a worker's number and the name of the runtime it belongs to */
  return g_strdup_printf (_("%s · runtime %s"), number, valid);
}

/**
 * pl_format_task:
 * @task_id: a task's id, 0 when it is not known
 *
 * Returns: (transfer full): the id as text
 */
char *
pl_format_task (guint64 task_id)
{
  if (task_id == 0)
    return g_strdup (_("unknown"));
  return g_strdup_printf ("%" G_GUINT64_FORMAT, task_id);
}

/**
 * pl_format_location:
 * @trace: a snapshot
 * @spawn_loc: string id
 *
 * Returns: (transfer full): file name, line and column, without the folders; "unknown" where it was not recorded
 */
char *
pl_format_location (PlTrace *trace,
                    guint32  spawn_loc)
{
  const char *location = pl_trace_get_string (trace, spawn_loc);
  const char *slash;

  if (location == NULL || *location == '\0')
    return g_strdup (_("unknown"));
  slash = strrchr (location, '/');
  return pl_one_line (slash != NULL && slash[1] != '\0' ? slash + 1 : location);
}
