/* pl-instant.c: a moment as a person names it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-instant.h"

#include <gio/gio.h>
#include <glib/gi18n.h>
#include <string.h>

#include "pl-duration.h"

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

/* ".123456789" and its prefixes, in ns; FALSE when @text is anything else. */
static gboolean
parse_fraction (const char *text,
                gint64     *out_ns)
{
  gint64 unit = NS_PER_S / 10;
  gint64 ns = 0;

  if (*text == '\0')
    {
      *out_ns = 0;
      return TRUE;
    }
  if (*text++ != '.' || *text == '\0')
    return FALSE;
  for (; *text != '\0'; text++)
    {
      if (!g_ascii_isdigit (*text) || unit == 0)
        return FALSE;
      ns += (*text - '0') * unit;
      unit /= 10;
    }
  *out_ns = ns;
  return TRUE;
}

static gboolean
parse_time_of_day (const char *text,
                   PlInstant  *out_instant)
{
  g_autoptr(GRegex) regex = g_regex_new ("^([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(\\.[0-9]{1,9})?)?$", 0, 0, NULL);
  g_autoptr(GMatchInfo) match = NULL;
  g_auto(GStrv) parts = NULL;
  gint64 s;
  gint64 ns = 0;

  if (!g_regex_match (regex, text, 0, &match))
    return FALSE;
  parts = g_match_info_fetch_all (match);
  s = g_ascii_strtoll (parts[1], NULL, 10) * 3600 + g_ascii_strtoll (parts[2], NULL, 10) * 60;
  if (g_strv_length (parts) > 3)
    s += g_ascii_strtoll (parts[3], NULL, 10);
  if (g_strv_length (parts) > 4 && !parse_fraction (parts[4], &ns))
    return FALSE;

  *out_instant = (PlInstant) { PL_INSTANT_TIME_OF_DAY, s * NS_PER_S + ns };
  return TRUE;
}

static gboolean
parse_date (const char *text,
            PlInstant  *out_instant)
{
  g_autoptr(GTimeZone) local = g_time_zone_new_local ();
  g_autoptr(GDateTime) time = g_date_time_new_from_iso8601 (text, local);
  gint64 ns;

  /* Nanoseconds since 1970 end in 2262. */
  if (time == NULL || __builtin_mul_overflow (g_date_time_to_unix (time), NS_PER_S, &ns)
      || __builtin_add_overflow (ns, g_date_time_get_microsecond (time) * 1000, &ns))
    return FALSE;
  *out_instant = (PlInstant) { PL_INSTANT_WALL, ns };
  return TRUE;
}

/**
 * pl_instant_parse:
 * @text: `+1.234s` or `1.5 ms` from the start, a time of day such as `12:34:56.789`, an ISO 8601 date and time, or
 *   whole nanoseconds as the trace counts them
 * @out_instant: (out caller-allocates): the moment; untouched on error
 * @error: %G_IO_ERROR_INVALID_ARGUMENT when @text is anything else
 *
 * Understands how a moment is named. Any thread.
 */
gboolean
pl_instant_parse (const char  *text,
                  PlInstant   *out_instant,
                  GError     **error)
{
  gint64 ns;

  if (parse_time_of_day (text, out_instant) || parse_date (text, out_instant))
    return TRUE;
  if (g_ascii_string_to_signed (text, 10, G_MININT64, G_MAXINT64, &ns, NULL) && *text != '+')
    {
      *out_instant = (PlInstant) { PL_INSTANT_RAW, ns };
      return TRUE;
    }
  if (pl_duration_parse (*text == '+' ? text + 1 : text, &ns, NULL))
    {
      *out_instant = (PlInstant) { PL_INSTANT_OFFSET, ns };
      return TRUE;
    }

  g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
               _("“%s” is no time: write +1.5s, 12:34:56.789, a date such as 2026-01-31T12:34:56Z, or nanoseconds"),
               text);
  return FALSE;
}

static gboolean
wall_to_monotonic (PlTrace *trace,
                   gint64   wall_ns,
                   gint64  *out_at_ns)
{
  gint64 start_ns = pl_trace_get_start_ns (trace);
  gint64 start_wall_ns;
  gint64 offset_ns;

  return pl_trace_to_wall_ns (trace, start_ns, &start_wall_ns)
         && !__builtin_sub_overflow (wall_ns, start_wall_ns, &offset_ns)
         && !__builtin_add_overflow (start_ns, offset_ns, out_at_ns);
}

static gboolean
midnight_before (PlTrace *trace,
                 gint64  *out_wall_ns)
{
  g_autoptr(GDateTime) start = NULL;
  g_autoptr(GDateTime) midnight = NULL;
  gint64 wall_ns;

  if (!pl_trace_to_wall_ns (trace, pl_trace_get_start_ns (trace), &wall_ns))
    return FALSE;
  start = g_date_time_new_from_unix_local (wall_ns / NS_PER_S);
  if (start == NULL)
    return FALSE;
  midnight = g_date_time_new_local (g_date_time_get_year (start), g_date_time_get_month (start),
                                    g_date_time_get_day_of_month (start), 0, 0, 0);
  if (midnight == NULL)
    return FALSE;
  *out_wall_ns = g_date_time_to_unix (midnight) * NS_PER_S;
  return TRUE;
}

/**
 * pl_instant_resolve:
 * @self: a moment
 * @trace: the snapshot it is a moment of
 * @out_at_ns: (out): monotonic ns; it may lie outside of the trace; untouched on failure
 *
 * Returns: %FALSE when the trace knows no wall-clock time and @self needs it, or when the result does not fit
 */
gboolean
pl_instant_resolve (const PlInstant *self,
                    PlTrace         *trace,
                    gint64          *out_at_ns)
{
  gint64 midnight_ns;

  switch (self->kind)
    {
    case PL_INSTANT_RAW:
      *out_at_ns = self->ns;
      return TRUE;
    case PL_INSTANT_OFFSET:
      return !__builtin_add_overflow (pl_trace_get_start_ns (trace), self->ns, out_at_ns);
    case PL_INSTANT_WALL:
      return wall_to_monotonic (trace, self->ns, out_at_ns);
    case PL_INSTANT_TIME_OF_DAY:
      return midnight_before (trace, &midnight_ns) && wall_to_monotonic (trace, midnight_ns + self->ns, out_at_ns);
    default:
      g_assert_not_reached ();
    }
}
