/* pl-duration.c: durations as text, one way for window, command line and tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-duration.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <langinfo.h>
#include <math.h>
#include <string.h>

typedef struct
{
  const char *name;
  gint64 ns;
} Unit;

/* MICRO SIGN and GREEK SMALL LETTER MU look alike; keyboards give either. */
static const Unit units[] = {
  { "ns", 1 },
  { "us", 1000 },
  { "\302\265s", 1000 },
  { "\316\274s", 1000 },
  { "ms", 1000 * 1000 },
  { "s", 1000 * 1000 * 1000 },
  { "min", G_GINT64_CONSTANT (60) * 1000 * 1000 * 1000 },
};

static const Unit *
find_unit (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, name) == 0)
      return &units[i];
  return NULL;
}

/**
 * pl_duration_get_decimal_point:
 *
 * Returns: (transfer none): what stands before the fraction of a number in the language of the environment; valid until
 *   the next setlocale()
 */
const char *
pl_duration_get_decimal_point (void)
{
  const char *point = nl_langinfo (RADIXCHAR);

  return *point != '\0' && g_utf8_validate (point, -1, NULL) ? point : ".";
}

/* The bytes of a point at @text, 0 where there is none. The usual point is understood in every language. */
static gsize
span_point (const char *text)
{
  const char *point = pl_duration_get_decimal_point ();

  if (*text == '.')
    return 1;
  return g_str_has_prefix (text, point) ? strlen (point) : 0;
}

/* Decimal digits with at most one point: what g_ascii_strtod() takes beyond that (hex, nan, exponents, signs)
 * is no duration. Returns the number of bytes, 0 when there is none. */
static gsize
span_number (const char *text)
{
  gsize n_digits = 0;
  gsize n_points = 0;
  gsize n_bytes = 0;

  for (gsize step = 1; step > 0; n_bytes += step)
    if (g_ascii_isdigit (text[n_bytes]))
      {
        n_digits++;
        step = 1;
      }
    else if ((step = span_point (text + n_bytes)) > 0)
      n_points++;
  return n_digits > 0 && n_points <= 1 ? n_bytes : 0;
}

/* digits × unit in whole nanoseconds, without the rounding of floating point; FALSE on overflow. Digits below one
 * nanosecond are dropped. */
static gboolean
scale_number (const char *digits, gsize length, gint64 unit_ns, gint64 *out_ns)
{
  guint64 whole = 0;
  guint64 fraction = 0;
  guint64 place = (guint64) unit_ns;
  gboolean in_fraction = FALSE;
  guint64 scaled;

  for (gsize i = 0; i < length; i++)
    {
      if (!g_ascii_isdigit (digits[i]))
        in_fraction = TRUE;
      else if (!in_fraction)
        {
          if (!g_uint64_checked_mul (&whole, whole, 10)
              || !g_uint64_checked_add (&whole, whole, (guint64) (digits[i] - '0')))
            return FALSE;
        }
      else
        {
          /* 60e9 loses no digit that counts: place is exact down to 1 ns for every unit but the last digit of min. */
          fraction += place * (guint64) (digits[i] - '0') / 10;
          place /= 10;
        }
    }

  if (!g_uint64_checked_mul (&scaled, whole, (guint64) unit_ns)
      || !g_uint64_checked_add (&scaled, scaled, fraction)
      || scaled > G_MAXINT64)
    return FALSE;
  *out_ns = (gint64) scaled;
  return TRUE;
}

/**
 * pl_duration_parse:
 * @text: a number, optional space, and `ns`, `us`, `µs`, `ms`, `s` or `min`; white space around it is ignored
 * @out_ns: nanoseconds, 0 or more; untouched on error
 *
 * Any thread.
 *
 * Returns: %FALSE with %G_IO_ERROR_INVALID_ARGUMENT when @text is anything else or does not fit
 */
gboolean
pl_duration_parse (const char *text, gint64 *out_ns, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  gsize length = span_number (stripped);
  const char *name = stripped + length;
  const Unit *unit;

  while (g_ascii_isspace (*name))
    name++;
  unit = length > 0 ? find_unit (name) : NULL;

  if (unit == NULL)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT,
                   _("“%s” is not a duration; write a number and a unit: 500us, 1 ms, 0.4 s, 2 min"), stripped);
      return FALSE;
    }
  if (!scale_number (stripped, length, unit->ns, out_ns))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_ARGUMENT, _("“%s” is too long a duration"), stripped);
      return FALSE;
    }
  return TRUE;
}

static char *
format_in_unit (double value, const char *unit)
{
  char digits[G_ASCII_DTOSTR_BUF_SIZE];
  int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  g_auto(GStrv) parts = NULL;
  gsize n_fraction;

  g_ascii_formatd (digits, sizeof digits, decimals == 0 ? "%.0f" : decimals == 1 ? "%.1f" : "%.2f", value);
  parts = g_strsplit (digits, ".", 2);
  if (parts[1] == NULL)
    return g_strdup_printf ("%s %s", parts[0], unit);
  for (n_fraction = strlen (parts[1]); n_fraction > 0 && parts[1][n_fraction - 1] == '0'; n_fraction--)
    parts[1][n_fraction - 1] = '\0';
  return g_strdup_printf ("%s%s%s %s", parts[0], n_fraction > 0 ? pl_duration_get_decimal_point () : "", parts[1], unit);
}

/**
 * pl_duration_format:
 * @ns: a duration
 *
 * Three significant digits in the unit that suits: `850 ns`, `96.6 µs`, `90.1 ms`, `2.01 s`, `4 min 10 s`, `1 h 48 min`.
 *
 * Returns: (transfer full): the text
 */
char *
pl_duration_format (gint64 ns)
{
  double value = fabs ((double) ns);
  const char *sign = ns < 0 ? "−" : "";
  g_autofree char *text = NULL;
  gint64 seconds;

  if (value < 999.5)
    text = format_in_unit (value, "ns");
  else if (value < 999.5e3)
    text = format_in_unit (value / 1e3, "µs");
  else if (value < 999.5e6)
    text = format_in_unit (value / 1e6, "ms");
  else if (value < 59.95e9)
    text = format_in_unit (value / 1e9, "s");
  else
    {
      seconds = (gint64) (value / 1e9 + 0.5);
      if (seconds < 3600)
        text = g_strdup_printf ("%" G_GINT64_FORMAT " min %" G_GINT64_FORMAT " s", seconds / 60, seconds % 60);
      else if (seconds < 48 * 3600)
        text = g_strdup_printf ("%" G_GINT64_FORMAT " h %" G_GINT64_FORMAT " min", seconds / 3600, seconds / 60 % 60);
      else
        text = g_strdup_printf ("%" G_GINT64_FORMAT " d %" G_GINT64_FORMAT " h", seconds / 86400, seconds / 3600 % 24);
    }
  return g_strconcat (sign, text, NULL);
}

/**
 * pl_duration_format_exact:
 * @ns: a duration
 *
 * All digits, in the unit that suits: `90.119140 ms`; for details and copying.
 *
 * Returns: (transfer full): the text
 */
char *
pl_duration_format_exact (gint64 ns)
{
  guint64 value = ns < 0 ? -(guint64) ns : (guint64) ns;
  const char *sign = ns < 0 ? "−" : "";
  const char *point = pl_duration_get_decimal_point ();

  if (value < 1000)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT " ns", sign, value);
  if (value < 1000 * 1000)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT "%s%03u µs", sign, value / 1000, point,
                            (guint) (value % 1000));
  if (value < 1000 * 1000 * 1000)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT "%s%06u ms", sign, value / 1000000, point,
                            (guint) (value % 1000000));
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT "%s%09u s", sign, value / 1000000000, point,
                            (guint) (value % 1000000000));
}

/**
 * pl_duration_format_offset:
 * @ns: time since the start of the session
 * @resolution_ns: smallest difference that must show, 1 or more
 *
 * A signed time such as `+100.796 ms`, with as many decimals as tell apart two times @resolution_ns from each other.
 *
 * Returns: (transfer full): the text
 */
char *
pl_duration_format_offset (gint64 ns, gint64 resolution_ns)
{
  static const struct { gint64 ns; int digits; const char *name; } scale[] = {
    { 1000 * 1000 * 1000, 9, "s" }, { 1000 * 1000, 6, "ms" }, { 1000, 3, "µs" }, { 1, 0, "ns" },
  };
  guint64 value = ns < 0 ? -(guint64) ns : (guint64) ns;
  const char *sign = ns < 0 ? "−" : "+";
  guint64 step = 1;
  gsize i = 0;
  int decimals;

  if (value == 0)
    return g_strdup ("0");

  while (i + 1 < G_N_ELEMENTS (scale) && value < (guint64) scale[i].ns)
    i++;
  for (decimals = scale[i].digits; decimals > 0 && step * 10 <= (guint64) resolution_ns; decimals--)
    step *= 10;

  value = value / step * step;
  if (decimals == 0)
    return g_strdup_printf ("%s%" G_GUINT64_FORMAT " %s", sign, value / (guint64) scale[i].ns, scale[i].name);
  return g_strdup_printf ("%s%" G_GUINT64_FORMAT "%s%0*" G_GUINT64_FORMAT " %s", sign, value / (guint64) scale[i].ns,
                          pl_duration_get_decimal_point (), decimals, value % (guint64) scale[i].ns / step, scale[i].name);
}
