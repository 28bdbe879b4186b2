/* test-queue.c: global queues over a session of several files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "test-trace.h"

#define N_FILES 5
#define N_SAMPLES 400

typedef struct
{
  gint64 at_ns;
  gint64 depth;
  gint64 alive;
} Sample;

static const char *const runtimes[] = { "main", "io" };

static int
compare_samples (gconstpointer a, gconstpointer b)
{
  const Sample *first = a;
  const Sample *second = b;

  return (first->at_ns > second->at_ns) - (first->at_ns < second->at_ns);
}

/* Samples of two runtimes, each file going on where the one before ends, or in the middle of it. No two have one time. */
static PlTrace *
load_samples (GRand *random, GArray *samples[2], gboolean do_overlap)
{
  g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  gint64 at = 1000000;

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autofree char *name = g_strdup_printf ("queue.%u.bin", i);

      for (guint j = 0; j < N_SAMPLES; j++)
        {
          Sample sample = { at, g_rand_int_range (random, 0, 1000), g_rand_int_range (random, 0, 1000) };
          guint runtime = (guint) g_rand_int_range (random, 0, 2);

          test_trace_queue (bytes, runtimes[runtime], (guint32) sample.depth, (guint32) sample.alive, at);
          g_array_append_val (samples[runtime], sample);
          at += N_FILES * (1 + g_rand_int_range (random, 0, 4));
        }
      at = at / N_FILES * N_FILES + i + 1 - (do_overlap ? N_SAMPLES / 2 * N_FILES * 2 : 0);
      g_ptr_array_add (paths, test_trace_save (bytes, name));
    }
  g_ptr_array_add (paths, NULL);
  g_array_sort (samples[0], compare_samples);
  g_array_sort (samples[1], compare_samples);
  return test_trace_load_paths ((const char *const *) paths->pdata, 2);
}

static PlQueueSlice
look_at_all (GArray *samples, gint64 from_ns, gint64 to_ns)
{
  PlQueueSlice slice = { -1, -1 };
  PlQueueSlice carried = { -1, -1 };

  for (guint i = 0; i < samples->len; i++)
    {
      const Sample *sample = &g_array_index (samples, Sample, i);

      if (sample->at_ns < from_ns)
        carried = (PlQueueSlice) { sample->depth, sample->alive };
      else if (sample->at_ns < to_ns)
        slice = (PlQueueSlice) { MAX (slice.max_depth, sample->depth), MAX (slice.max_alive, sample->alive) };
    }
  return slice.max_depth >= 0 ? slice : carried;
}

static guint
find_queue (PlTrace *trace, const char *name)
{
  for (guint i = 0; i < pl_trace_get_n_queues (trace); i++)
    if (g_str_equal (pl_trace_get_queue_name (trace, i), name))
      return i;
  g_assert_not_reached ();
}

static void
compare_slices (gboolean do_overlap)
{
  g_autoptr(GRand) random = g_rand_new_with_seed ((guint32) g_test_rand_int ());
  GArray *samples[2] = { g_array_new (FALSE, FALSE, sizeof (Sample)), g_array_new (FALSE, FALSE, sizeof (Sample)) };
  g_autoptr(PlTrace) trace = load_samples (random, samples, do_overlap);
  gint64 start = pl_trace_get_start_ns (trace);
  gint64 end = pl_trace_get_end_ns (trace);

  g_assert_cmpuint (pl_trace_get_n_queues (trace), ==, 2);
  for (guint i = 0; i < 2000; i++)
    {
      gint64 from = start - 20 + g_rand_int_range (random, 0, (gint32) (end - start + 40));
      gint64 to = from + 1 + g_rand_int_range (random, 0, i % 2 == 0 ? 50 : 20000);
      PlQueueSlice slices[3];
      guint n = 1 + i % 3;

      pl_trace_get_queue_slices (trace, find_queue (trace, runtimes[i % 2]), from, to, n, slices);
      for (guint j = 0; j < n; j++)
        {
          gint64 left = from + (to - from) * j / n;
          gint64 right = MAX (from + (to - from) * (j + 1) / n, left + 1);
          PlQueueSlice expected = look_at_all (samples[i % 2], left, right);

          g_assert_cmpint (slices[j].max_depth, ==, expected.max_depth);
          g_assert_cmpint (slices[j].max_alive, ==, expected.max_alive);
        }
    }
  g_array_unref (samples[0]);
  g_array_unref (samples[1]);
}

static void
test_slices_at_any_zoom (void)
{
  compare_slices (FALSE);
}

static void
test_slices_of_overlapping_files (void)
{
  compare_slices (TRUE);
}

static void
test_maxima (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gint64 depth, alive;

  test_trace_queue (bytes, "", 5, 70, 1000);
  test_trace_queue (bytes, "", G_MAXUINT32, 60, 2000);
  test_trace_queue (bytes, "other", 1, 1, 3000);
  trace = test_trace_load (bytes);

  pl_trace_get_queue_maxima (trace, find_queue (trace, ""), &depth, &alive);
  g_assert_cmpint (depth, ==, G_MAXUINT32);
  g_assert_cmpint (alive, ==, 70);
}

/* Every event names another runtime: no more than a few are of use, and none may cost the square of their number. */
static void
test_very_many_runtimes (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  const guint n = 100000;

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = g_strdup_printf ("%x", i);

      test_trace_queue (bytes, name, 1, 1, 1000 + i);
    }
  trace = test_trace_load (bytes);

  g_assert_cmpuint (test_trace_count (trace, "RuntimeMetricsEvent"), ==, n);
  g_assert_cmpuint (pl_trace_get_n_queues (trace), <=, 1024);
  g_assert_cmpuint (pl_trace_get_n_queues (trace), >=, 64);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/queue/slices-at-any-zoom", test_slices_at_any_zoom);
  g_test_add_func ("/trace/queue/slices-of-files-that-overlap", test_slices_of_overlapping_files);
  g_test_add_func ("/trace/queue/maxima-of-a-session", test_maxima);
  g_test_add_func ("/trace/queue/very-many-runtimes-are-bounded", test_very_many_runtimes);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
