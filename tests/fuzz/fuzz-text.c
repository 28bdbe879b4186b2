/* fuzz-text.c: every parser of text takes any text, and what it accepts keeps its promise
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The input is given to all of them: as one word, and as lines NAME=value of the environment.
 */
#include "config.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "control-message.h"
#include "fuzz-target.h"
#include "pl-cli.h"
#include "pl-duration.h"
#include "pl-instant.h"
#include "pl-segment-name.h"
#include "recorder-config.h"

#define PREFIX "PARKLANE_"

/* A duration that was written exactly is read back as the same. */
static void
check_duration (const char *text)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *exact = NULL;
  gint64 ns;
  gint64 again;

  if (!pl_duration_parse (text, &ns, &error))
    {
      g_assert_nonnull (error);
      return;
    }
  g_assert_no_error (error);
  g_assert_cmpint (ns, >=, 0);
  exact = pl_duration_format_exact (ns);
  g_assert_true (pl_duration_parse (exact, &again, NULL));
  g_assert_cmpint (again, ==, ns);
}

static void
check_instant (const char *text)
{
  g_autoptr(GError) error = NULL;
  PlInstant instant;

  g_assert_cmpint (pl_instant_parse (text, &instant, &error), ==, error == NULL);
}

static void
check_segment_name (const char *text)
{
  PlSegmentName segment = { NULL };

  if (!pl_segment_name_parse (text, &segment))
    {
      g_assert_null (segment.stem);
      return;
    }
  g_assert_cmpstr (segment.stem, !=, "");
  g_assert_cmpuint (segment.index, <=, G_MAXUINT32);
  g_assert_true (g_str_has_prefix (text, segment.stem));
  g_assert_true (g_str_has_suffix (text, segment.suffix));
  pl_segment_name_clear (&segment);
}

static void
check_size (const char *text)
{
  guint64 bytes;

  if (pl_cli_parse_size (text, &bytes))
    g_assert_cmpuint (bytes % 1024, ==, 0);
}

/* Byte by byte, as a socket may give it: a request that is whole stays one, and what is none never becomes one. */
static void
check_control (const guint8 *bytes, gsize size)
{
  int last = -EAGAIN;

  for (gsize n = 0; n <= MIN (size, PLR_CONTROL_REQUEST_SIZE); n++)
    {
      /* Of its own size, so that reading on is noticed. */
      g_autofree char *request = g_memdup2 (bytes, n);
      PlrControlVerb verb = PLR_CONTROL_N_VERBS;
      int r = plr_control_parse (request != NULL ? request : "", n, &verb);

      if (r == 0)
        {
          g_assert_cmpint (verb, <, PLR_CONTROL_N_VERBS);
          g_assert_cmpint (last, ==, -EAGAIN);
        }
      else
        g_assert_true (r == -EINVAL || (r == -EAGAIN && last == -EAGAIN));
      last = r;
    }
}

static void
note_warning (ParklaneLogLevel level, const char *message, void *user_data)
{
  guint *n = user_data;

  g_assert_cmpint (level, ==, PARKLANE_LOG_WARNING);
  g_assert_cmpuint (strlen (message), >, 0);
  (*n)++;
}

/* Whatever the environment says, the result can be started with. */
static void
check_environment (const char *text)
{
  g_auto(GStrv) lines = g_strsplit (text, "\n", 32);
  ParklaneConfig config;
  guint n_warnings = 0;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      char *value = strchr (lines[i], '=');
      g_autofree char *name = NULL;

      if (value == NULL)
        continue;
      *value++ = '\0';
      name = g_strconcat (PREFIX, lines[i], NULL);
      setenv (name, value, TRUE);
      g_free (lines[i]);
      lines[i] = g_steal_pointer (&name);
    }
  g_assert_cmpint (parklane_config_from_env (&config, PREFIX, note_warning, &n_warnings), ==, (int) n_warnings);
  g_assert_cmpint (plr_config_check (&config), ==, 0);
  for (guint i = 0; lines[i] != NULL; i++)
    if (g_str_has_prefix (lines[i], PREFIX))
      unsetenv (lines[i]);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) bytes, size);

  check_duration (text);
  check_instant (text);
  check_segment_name (text);
  check_size (text);
  check_environment (text);
  check_control (bytes, size);
  return 0;
}
