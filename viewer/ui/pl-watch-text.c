/* pl-watch-text.c: what a watch says, in sentences for the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-watch-text.h"

#include <glib/gi18n.h>

/**
 * pl_watch_text_is_alarm:
 *
 * Tells whether somebody should look after the writer.
 */
gboolean
pl_watch_text_is_alarm (const PlWatchStatus *status)
{
  return status->verdict == PL_VERDICT_STALLED || status->verdict == PL_VERDICT_KILLED;
}

/**
 * pl_watch_text_title:
 *
 * Returns: (transfer full): the verdict, with its cause where there is one
 */
char *
pl_watch_text_title (const PlWatchStatus *status)
{
  const char *word = pl_verdict_get_word (status->verdict);
  const char *cause = pl_verdict_cause_get_word (status->cause);

  if (cause == NULL)
    return g_strdup (word);
  /* Translators: a verdict and its cause, such as "Stalled: disk full" */
  return g_strdup_printf (_("%s: %s"), word, cause);
}

static gboolean
is_same_day (GDateTime *a,
             GDateTime *b)
{
  return g_date_time_get_year (a) == g_date_time_get_year (b)
         && g_date_time_get_day_of_year (a) == g_date_time_get_day_of_year (b);
}

/**
 * pl_watch_text_clock:
 * @wall_ns: since 1970
 *
 * Returns: (transfer full): local time, with the date unless it is today's; empty for what is no time
 */
char *
pl_watch_text_clock (gint64 wall_ns)
{
  g_autoptr(GDateTime) time = g_date_time_new_from_unix_local (wall_ns / 1000000000);
  g_autoptr(GDateTime) now = g_date_time_new_now_local ();

  if (time == NULL)
    return g_strdup ("");
  return g_date_time_format (time, is_same_day (time, now) ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S");
}

/**
 * pl_watch_text_since:
 *
 * Returns: (transfer full): since when the verdict holds
 */
char *
pl_watch_text_since (const PlWatchStatus *status)
{
  g_autofree char *clock = pl_watch_text_clock (status->since_wall_ns);

  /* Translators: %s is a time of day */
  return g_strdup_printf (_("since %s"), clock);
}

/**
 * pl_watch_text_evidence:
 *
 * Returns: (transfer full): what the verdict rests on, a sentence a line
 */
char *
pl_watch_text_evidence (const PlWatchStatus *status)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (guint i = 0; i < status->n_evidence; i++)
    {
      g_autofree char *sentence = pl_evidence_describe (&status->evidence[i]);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", sentence);
    }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
