/* pl-cli-watch-metrics.c: verdicts as a Prometheus textfile
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-cli-watch.h"

#define NAME_PREFIX "parklane_watch_"

/* One figure of a session; FALSE when it is not known, which is not zero. */
typedef gboolean (*Figure) (const PlWatchStatus *status, double *out_value);

static gboolean
get_healthy (const PlWatchStatus *status, double *out_value)
{
  *out_value = status->writer_healthy;
  return status->writer_healthy >= 0;
}

static gboolean
get_usage (const PlWatchStatus *status, double *out_value)
{
  *out_value = (double) status->disk_usage_bytes;
  return TRUE;
}

static gboolean
get_written (const PlWatchStatus *status, double *out_value)
{
  *out_value = (double) status->bytes_written;
  return TRUE;
}

static gboolean
get_budget (const PlWatchStatus *status, double *out_value)
{
  *out_value = (double) status->budget_bytes;
  return status->budget_bytes > 0;
}

static gboolean
get_evicted (const PlWatchStatus *status, double *out_value)
{
  *out_value = (double) status->n_evicted;
  return TRUE;
}

static gboolean
get_since_growth (const PlWatchStatus *status, double *out_value)
{
  *out_value = (double) status->since_growth_ns / 1e9;
  return status->since_growth_ns >= 0;
}

static gboolean
get_look (const PlWatchStatus *status, double *out_value)
{
  *out_value = (double) status->at_wall_ns / 1e9;
  return status->at_wall_ns > 0;
}

static const struct
{
  const char *name;
  const char *type;
  const char *help;
  Figure get;
} figures[] = {
  { "writer_healthy", "gauge", "1 while the session's writer writes or rests in order, 0 when it is stalled or dead.", get_healthy },
  { "disk_usage_bytes", "gauge", "Size of the session's files.", get_usage },
  { "bytes_written_total", "counter", "Bytes ever seen written; eviction does not lower it.", get_written },
  { "budget_bytes", "gauge", "Size that the writer keeps its files to.", get_budget },
  { "evicted_segments_total", "counter", "Segments that went while they were watched.", get_evicted },
  { "seconds_since_growth", "gauge", "Time without a write.", get_since_growth },
  { "last_look_timestamp_seconds", "gauge", "When the directory was last looked at.", get_look },
};

/* A label's value: backslash, quote and line end are escaped, and nothing else. */
static char *
escape (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr(GString) escaped = g_string_new (valid);

  g_string_replace (escaped, "\\", "\\\\", 0);
  g_string_replace (escaped, "\"", "\\\"", 0);
  g_string_replace (escaped, "\n", "\\n", 0);
  return g_string_free (g_steal_pointer (&escaped), FALSE);
}

/* Which session, as labels. One that is still waited for has no prefix. */
static char *
make_labels (PlWatch *watch)
{
  const char *known = pl_watch_get_prefix (watch);
  g_autofree char *dir = escape (pl_watch_get_directory (watch));
  g_autofree char *prefix = escape (known != NULL ? known : "");

  return g_strdup_printf ("dir=\"%s\",prefix=\"%s\"", dir, prefix);
}

static void
add_head (GString *text, const char *name, const char *type, const char *help)
{
  g_string_append_printf (text, "# HELP " NAME_PREFIX "%s %s\n# TYPE " NAME_PREFIX "%s %s\n", name, help, name, type);
}

static void
add_verdicts (GString *text, GPtrArray *watches)
{
  add_head (text, "verdict", "gauge", "1 for the verdict that holds, 0 for the others.");
  for (guint i = 0; i < watches->len; i++)
    {
      PlWatch *watch = g_ptr_array_index (watches, i);
      g_autofree char *labels = make_labels (watch);

      for (PlVerdict verdict = 0; verdict < PL_N_VERDICTS; verdict++)
        g_string_append_printf (text, NAME_PREFIX "verdict{%s,verdict=\"%s\"} %d\n", labels,
                                pl_verdict_get_code (verdict), verdict == pl_watch_get_verdict (watch));
    }
}

/**
 * pl_cli_watch_write_metrics:
 * @watches: (element-type PlWatch): all sessions
 * @path: the file; replaced at once, so that nobody reads a half
 *
 * Returns: %FALSE with an error when it cannot be written
 */
gboolean
pl_cli_watch_write_metrics (GPtrArray *watches, const char *path, GError **error)
{
  g_autoptr(GString) text = g_string_new (NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (figures); i++)
    {
      add_head (text, figures[i].name, figures[i].type, figures[i].help);
      for (guint j = 0; j < watches->len; j++)
        {
          PlWatch *watch = g_ptr_array_index (watches, j);
          g_autofree char *labels = make_labels (watch);
          char number[G_ASCII_DTOSTR_BUF_SIZE];
          double value;

          if (figures[i].get (pl_watch_get_status (watch), &value))
            g_string_append_printf (text, NAME_PREFIX "%s{%s} %s\n", figures[i].name, labels,
                                    g_ascii_formatd (number, sizeof number, "%.17g", value));
        }
    }
  add_verdicts (text, watches);
  return g_file_set_contents_full (path, text->str, (gssize) text->len, G_FILE_SET_CONTENTS_CONSISTENT, 0644, error);
}
