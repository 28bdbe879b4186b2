/* pl-ticks.c: where a ruler has its ticks and what stands at them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-ticks.h"

#include <math.h>

#include "pl-duration.h"

#define SECOND_NS (G_GINT64_CONSTANT (1000) * 1000 * 1000)
#define MINUTE_NS (60 * SECOND_NS)
#define HOUR_NS (60 * MINUTE_NS)

typedef struct
{
  gint64 step_ns;
  gint64 minor_ns;
} Step;

/* Between a minute and a day, 1-2-5 would miss the full hours. */
static const Step clock_steps[] = {
  { 10 * SECOND_NS, 2 * SECOND_NS },
  { 30 * SECOND_NS, 10 * SECOND_NS },
  { MINUTE_NS, 10 * SECOND_NS },
  { 2 * MINUTE_NS, 30 * SECOND_NS },
  { 5 * MINUTE_NS, MINUTE_NS },
  { 10 * MINUTE_NS, 2 * MINUTE_NS },
  { 30 * MINUTE_NS, 10 * MINUTE_NS },
  { HOUR_NS, 10 * MINUTE_NS },
  { 2 * HOUR_NS, 30 * MINUTE_NS },
  { 6 * HOUR_NS, HOUR_NS },
  { 12 * HOUR_NS, 2 * HOUR_NS },
};

/* The smallest 1-2-5 multiple of @unit_ns that is @least_ns or more; 0 when it would not fit. */
static gint64
step_of_decades (gint64 unit_ns, double least_ns)
{
  static const int factors[] = { 1, 2, 5 };

  for (gint64 decade = unit_ns; decade <= G_MAXINT64 / 10; decade *= 10)
    for (gsize i = 0; i < G_N_ELEMENTS (factors); i++)
      if ((double) decade * factors[i] >= least_ns)
        return decade * factors[i];
  return 0;
}

/**
 * pl_ticks_get_step:
 * @span_ns: length of the ruler, 1 or more
 * @max_ticks: how many labels have room
 *
 * Steps are 1, 2 or 5 times a power of ten nanoseconds, full divisions of minutes and hours from ten seconds on, and
 * again 1-2-5 from a day on.
 *
 * Returns: the smallest step that makes at most @max_ticks ticks, 1 ns or more
 */
gint64
pl_ticks_get_step (gint64 span_ns, double max_ticks)
{
  double least_ns = (double) MAX (span_ns, 1) / MAX (max_ticks, 1e-3);
  gint64 step_ns;

  if (least_ns <= 5 * SECOND_NS)
    return step_of_decades (1, least_ns);
  for (gsize i = 0; i < G_N_ELEMENTS (clock_steps); i++)
    if ((double) clock_steps[i].step_ns >= least_ns)
      return clock_steps[i].step_ns;

  step_ns = step_of_decades (PL_TICKS_DAY_NS, least_ns);
  return step_ns > 0 ? step_ns : G_MAXINT64;
}

/**
 * pl_ticks_get_minor_step:
 * @step_ns: a step from pl_ticks_get_step()
 *
 * Returns: the distance of the small ticks, which divides @step_ns; 0 where there is nothing smaller than a nanosecond
 */
gint64
pl_ticks_get_minor_step (gint64 step_ns)
{
  gint64 leading = step_ns >= PL_TICKS_DAY_NS ? step_ns / PL_TICKS_DAY_NS : step_ns;

  for (gsize i = 0; i < G_N_ELEMENTS (clock_steps); i++)
    if (clock_steps[i].step_ns == step_ns)
      return clock_steps[i].minor_ns;

  while (leading >= 10)
    leading /= 10;
  if (step_ns == PL_TICKS_DAY_NS)
    return 6 * HOUR_NS;
  if (leading == 2)
    return step_ns % 4 == 0 ? step_ns / 4 : step_ns / 2;
  return step_ns % 5 == 0 ? step_ns / 5 : 0;
}

/**
 * pl_ticks_get_first:
 * @from_ns: left end of the ruler
 * @origin_ns: an instant that has a tick
 * @step_ns: distance of ticks
 * @out_first_ns: (out): the first tick at or after @from_ns
 *
 * Returns: %FALSE when there is none within 64 bits
 */
gboolean
pl_ticks_get_first (gint64 from_ns, gint64 origin_ns, gint64 step_ns, gint64 *out_first_ns)
{
  gint64 offset_ns;
  gint64 missing_ns;

  if (__builtin_sub_overflow (from_ns, origin_ns, &offset_ns))
    return FALSE;

  missing_ns = offset_ns % step_ns;
  if (missing_ns > 0)
    missing_ns -= step_ns;
  return !__builtin_sub_overflow (from_ns, missing_ns, out_first_ns);
}

/* Days, hours and minutes without those that are zero. */
static char *
format_minutes (gint64 offset_ns)
{
  static const char *const units[] = { "d", "h", "min" };
  guint64 minutes = (offset_ns < 0 ? -(guint64) offset_ns : (guint64) offset_ns) / MINUTE_NS;
  guint64 parts[] = { minutes / (24 * 60), minutes / 60 % 24, minutes % 60 };
  GString *text = g_string_new (offset_ns < 0 ? "−" : "+");
  gsize sign_length = text->len;

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++)
    if (parts[i] > 0)
      g_string_append_printf (text, "%s%" G_GUINT64_FORMAT " %s", text->len > sign_length ? " " : "", parts[i],
                              units[i]);
  return g_string_free (text, FALSE);
}

/**
 * pl_ticks_format_offset:
 * @offset_ns: time since the start of the session
 * @step_ns: distance to the neighbouring label
 *
 * Returns: (transfer full): `+80 ms`, `+1.25 s`, `+2 h 30 min`, `0`; with as many digits as @step_ns needs
 */
char *
pl_ticks_format_offset (gint64 offset_ns, gint64 step_ns)
{
  if (offset_ns != 0 && step_ns >= MINUTE_NS)
    return format_minutes (offset_ns);
  return pl_duration_format_offset (offset_ns, step_ns);
}

/* As many decimals of a second as a step needs. */
static int
count_decimals (gint64 step_ns)
{
  int decimals = 9;

  for (gint64 digit_ns = 10; decimals > 0 && step_ns % digit_ns == 0; digit_ns *= 10)
    decimals--;
  return decimals;
}

/**
 * pl_ticks_format_clock:
 * @local_ns: ns since 1970 in the time zone that is shown
 * @step_ns: distance to the neighbouring label
 * @with_day: whether the day stands before the time
 *
 * Returns: (transfer full): `14:03`, `14:03:22.118`, `2 Dec 14:03`, or `2 Dec` at midnight where @step_ns is days
 */
char *
pl_ticks_format_clock (gint64 local_ns, gint64 step_ns, gboolean with_day)
{
  gint64 seconds = local_ns / SECOND_NS - (local_ns % SECOND_NS < 0 ? 1 : 0);
  gint64 fraction = local_ns - seconds * SECOND_NS;
  int decimals = count_decimals (step_ns);
  g_autoptr(GDateTime) time = g_date_time_new_from_unix_utc (seconds);
  g_autofree char *day = NULL;
  g_autofree char *clock = NULL;

  if (time == NULL)
    return pl_duration_format_offset (local_ns, step_ns);

  day = g_date_time_format (time, "%-e %b");
  if (step_ns >= PL_TICKS_DAY_NS)
    return g_steal_pointer (&day);

  clock = g_date_time_format (time, step_ns >= MINUTE_NS ? "%H:%M" : "%H:%M:%S");
  if (decimals > 0)
    {
      char digits[16];

      g_snprintf (digits, sizeof digits, "%09d", (int) fraction);
      digits[decimals] = '\0';
      return g_strdup_printf ("%s%s%s.%s", with_day ? day : "", with_day ? " " : "", clock, digits);
    }
  return g_strdup_printf ("%s%s%s", with_day ? day : "", with_day ? " " : "", clock);
}
