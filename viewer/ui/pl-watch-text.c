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

/* Of which session of the directory it is, where there are several. */
static char *
name_session (PlWatch    *watch,
              const char *text)
{
  g_autofree char *prefix = NULL;

  if (!pl_watch_has_company (watch) || pl_watch_get_prefix (watch) == NULL)
    return g_strdup (text);
  prefix = g_filename_display_name (pl_watch_get_prefix (watch));
  /* Translators: a verdict and the name of the session, such as "Stalled – rustfs-tokio" */
  return g_strdup_printf (_("%s – %s"), text, prefix);
}

/**
 * pl_watch_text_word:
 *
 * Returns: (transfer full): the verdict in a word, or that recording is paused or was never switched on, with the session's
 *   name where there are several
 */
char *
pl_watch_text_word (PlWatch *watch)
{
  if (pl_watch_get_cause (watch) == PL_CAUSE_PAUSED)
    return name_session (watch, _("Paused"));
  if (pl_watch_get_cause (watch) == PL_CAUSE_NEVER_STARTED)
    return name_session (watch, _("Never started"));
  return name_session (watch, pl_verdict_get_word (pl_watch_get_verdict (watch)));
}

/**
 * pl_watch_text_icon_name:
 *
 * Returns: what stands for that word where there is no room for it
 */
const char *
pl_watch_text_icon_name (PlWatch *watch)
{
  if (pl_watch_get_cause (watch) == PL_CAUSE_PAUSED)
    return "media-playback-pause-symbolic";
  return pl_verdict_get_icon_name (pl_watch_get_verdict (watch));
}

/**
 * pl_watch_text_title:
 *
 * Returns: (transfer full): the verdict, with its cause where there is one and the session's name where there are several
 */
char *
pl_watch_text_title (PlWatch *watch)
{
  const char *word = pl_verdict_get_word (pl_watch_get_verdict (watch));
  const char *cause = pl_verdict_cause_get_word (pl_watch_get_cause (watch));
  g_autofree char *title = NULL;

  /* Translators: a verdict and its cause, such as "Stalled: disk full" */
  title = cause != NULL ? g_strdup_printf (_("%s: %s"), word, cause) : g_strdup (word);
  return name_session (watch, title);
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
