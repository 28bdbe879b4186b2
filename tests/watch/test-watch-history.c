/* test-watch-history.c: months of watching in bounded memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <locale.h>

#include "pl-watch-history.h"

#define S G_GINT64_CONSTANT (1000000000)

static void
test_history_is_bounded (void)
{
  g_autoptr(PlWatchHistory) history = pl_watch_history_new ();
  const PlWatchPoint *points;
  guint n;

  /* Two months, and a verdict that flaps all the time. */
  for (gint64 i = 0; i < 60 * 24 * 3600; i++)
    {
      PlWatchPoint point = { i * S, i * S, i == 1000000 ? 77 : 5, (guint64) i, 0 };
      PlVerdictSpan span = { i % 2 ? PL_VERDICT_QUIET : PL_VERDICT_RECORDING, PL_CAUSE_NONE, i * S, i * S };
      pl_watch_history_add_point (history, &point);
      pl_watch_history_add_span (history, &span);
    }
  pl_watch_history_get_spans (history, &n);
  g_assert_cmpuint (n, <=, 1024);
  points = pl_watch_history_get_points (history, &n);
  g_assert_cmpuint (n, <=, 8192);
  g_assert_cmpuint (n, >=, 2048);
  g_assert_cmpint (points[0].wall_ns, <, 3600 * S);
  g_assert_cmpint (points[n - 1].wall_ns, ==, (60 * 24 * 3600 - 1) * S);
  for (guint i = 1; i < n; i++)
    {
      g_assert_cmpint (points[i].wall_ns, >, points[i - 1].wall_ns);
      g_assert_cmpuint (points[i].bytes_written, >, points[i - 1].bytes_written);
      /* The peak is kept, however coarse the points have become. */
      if (points[i - 1].wall_ns < 1000000 * S && points[i].wall_ns >= 1000000 * S)
        g_assert_cmpuint (points[i].disk_usage_bytes, ==, 77);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/history/months-stay-bounded", test_history_is_bounded);
  return g_test_run ();
}
