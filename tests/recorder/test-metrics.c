/* test-metrics.c: the metrics tell the truth at every step of a session's life
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>

#include "parklane-recorder.h"
#include "trace-reader.h"

static char *
format (void)
{
  int length = parklane_metrics_format ("rustfs_dial9", NULL, 0);
  char *text;

  g_assert_cmpint (length, >, 0);
  text = g_malloc ((gsize) length + 100); /* numbers may have grown meanwhile */
  g_assert_cmpint (parklane_metrics_format ("rustfs_dial9", text, (gsize) length + 100), <, length + 100);
  return text;
}

/* The value of a metric, "" when it is absent. */
static char *
get_value (const char *text, const char *name)
{
  g_autofree char *key = g_strdup_printf ("\nrustfs_dial9_%s ", name);
  const char *at = strstr (text, key);

  return at == NULL ? g_strdup ("") : g_strndup (at + strlen (key), strcspn (at + strlen (key), "\n"));
}

static void
assert_value (const char *name, const char *expected)
{
  g_autofree char *text = format ();
  g_autofree char *value = get_value (text, name);

  g_assert_cmpstr (value, ==, expected);
}

static void
assert_is_there (const char *name)
{
  g_autofree char *text = format ();
  g_autofree char *value = get_value (text, name);

  g_assert_cmpstr (value, !=, "");
}

static const char *const of_the_session[] = {
  "writer_healthy", "attached_threads", "events_total", "dropped_events_total", "bytes_written_total", "disk_usage_bytes",
  "segments_sealed_total", "incomplete_segments_total", "evicted_segments_total", "compressed_bytes_total", "last_write_age_seconds",
};

static void
assert_no_session (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (of_the_session); i++)
    assert_value (of_the_session[i], "");
  assert_value ("active_sessions", "0");
}

/* A host that was built with an earlier version has a smaller struct. */
static void
test_a_smaller_struct_is_filled_as_far_as_it_goes (void)
{
  ParklaneMetrics metrics;

  memset (&metrics, 0xff, sizeof metrics);
  metrics.struct_size = offsetof (ParklaneMetrics, incomplete_segments_total);
  g_assert_cmpint (parklane_metrics_get (&metrics), ==, 0);
  g_assert_cmpuint (metrics.active_sessions, ==, 0);
  g_assert_cmpuint (metrics.last_write_ns, ==, 0);
  g_assert_cmpuint (metrics.incomplete_segments_total, ==, G_MAXUINT64);

  metrics.struct_size--;
  g_assert_cmpint (parklane_metrics_get (&metrics), ==, -EINVAL);
  metrics.struct_size = sizeof metrics + 8;
  g_assert_cmpint (parklane_metrics_get (&metrics), ==, 0);
  g_assert_cmpuint (metrics.struct_size, ==, sizeof metrics);
  g_assert_cmpuint (metrics.incomplete_segments_total, ==, 0);
}

static void
test_truth_at_every_step (void)
{
  g_autofree char *dir = g_dir_make_tmp ("parklane-metrics-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (dir, "file", NULL);
  ParklaneRecorder *recorder = NULL;
  ParklaneConfig config;

  /* before: built in, not asked for */
  assert_value ("supported", "1");
  assert_value ("configured", "0");
  assert_value ("errors_total", "0");
  assert_no_session ();

  /* asked for, and the start failed */
  parklane_config_init (&config);
  g_assert_true (g_file_set_contents (file, "x", 1, NULL));
  g_strlcpy (config.output_dir, file, sizeof config.output_dir);
  g_assert_cmpint (parklane_recorder_start (&config, &recorder), ==, -ENOTDIR);
  assert_value ("configured", "1");
  assert_value ("errors_total", "1");
  assert_no_session ();

  /* running */
  g_strlcpy (config.output_dir, dir, sizeof config.output_dir);
  g_assert_cmpint (parklane_recorder_start (&config, &recorder), ==, 0);
  parklane_thread_attach (0);
  for (guint i = 0; i < 100; i++)
    {
      parklane_poll_start (i, 0, 0);
      parklane_poll_end ();
    }
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
  assert_value ("active_sessions", "1");
  assert_value ("writer_healthy", "1");
  assert_value ("attached_threads", "1");
  assert_value ("events_total", "200");
  assert_value ("dropped_events_total", "0");
  for (guint i = 0; i < G_N_ELEMENTS (of_the_session); i++)
    assert_is_there (of_the_session[i]);

  /* switched off again */
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  assert_no_session ();
  config.enabled = 0;
  g_assert_cmpint (parklane_recorder_start (&config, &recorder), ==, -ECANCELED);
  assert_value ("configured", "0");
  assert_value ("errors_total", "1");

  parklane_thread_detach ();
  remove_tree (dir);
}

static void
test_text_that_does_not_fit_is_measured (void)
{
  int length = parklane_metrics_format ("p", NULL, 0);
  char text[16];

  memset (text, 'x', sizeof text);
  g_assert_cmpint (parklane_metrics_format ("p", text, 10), ==, length);
  g_assert_cmpstr (text, ==, "# HELP p_");
  g_assert_cmpint (text[10], ==, 'x');
}

static void
test_prefix_must_be_a_name (void)
{
  static const char *const bad[] = { "", "1x", "a-b", "a b", "a\n", "é" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    g_assert_cmpint (parklane_metrics_format (bad[i], NULL, 0), ==, -EINVAL);
  g_assert_cmpint (parklane_metrics_format (NULL, NULL, 0), ==, -EINVAL);
  g_assert_cmpint (parklane_metrics_get (NULL), ==, -EINVAL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/metrics/a-smaller-struct-is-filled-as-far-as-it-goes",
                   test_a_smaller_struct_is_filled_as_far_as_it_goes);
  g_test_add_func ("/recorder/metrics/truth-at-every-step", test_truth_at_every_step);
  g_test_add_func ("/recorder/metrics/text-that-does-not-fit-is-measured", test_text_that_does_not_fit_is_measured);
  g_test_add_func ("/recorder/metrics/prefix-must-be-a-name", test_prefix_must_be_a_name);
  return g_test_run ();
}
