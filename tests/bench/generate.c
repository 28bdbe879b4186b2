/* generate.c: writes large traces with the statistics of real ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>

#include "generate-batch.h"
#include "generate-model.h"
#include "generate-output.h"
#include "generate-replay.h"

#define START_NS (G_GUINT64_CONSTANT (2000) * 1000000000)
#define MAX_WORKERS 250

/* dial9's own thread writes its samples once a second, as a batch. */
#define SAMPLES_PER_BATCH 100

typedef struct
{
  char *size;
  int n_workers;
  gint64 seed;
  char *layout;
  int n_segments;
  gboolean is_zstd;
  gboolean is_replay;
} Options;

typedef struct
{
  Layout layout;
  guint n_workers;
  ModelWorker *workers;
  ModelEvent *events; /* for the merged layout: each worker's next one */
  guint64 sample_ns;  /* when the runtime is sampled next */
  guint64 n_events;
  Batch batch;
  Output *output;
} Generator;

static void
write_batch (Generator *self)
{
  output_write (self->output, self->batch.data, batch_get_size (&self->batch));
}

/* How large the next batch may grow. */
static gsize
get_batch_limit (Generator *self)
{
  return MIN (BATCH_SIZE, output_get_left (self->output));
}

/* Waiting tasks, some of the time. */
static guint
get_depth (guint64 at_ns)
{
  guint64 sample = at_ns / MODEL_SAMPLE_NS;

  return (guint) (sample * 2654435761u >> 16) % 16 == 0 ? (guint) (sample % 5) : 0;
}

static void
add_sample (Generator *self)
{
  batch_add_sample (&self->batch, self->sample_ns, get_depth (self->sample_ns));
  self->sample_ns += MODEL_SAMPLE_NS;
  self->n_events++;
}

/* The worker that is furthest behind. */
static guint
find_next (Generator *self)
{
  guint best = 0;

  for (guint i = 1; i < self->n_workers; i++)
    if (self->workers[i].at_ns < self->workers[best].at_ns)
      best = i;
  return best;
}

static gboolean
begin_segment (Generator *self, GError **error)
{
  guint64 now = self->workers[find_next (self)].at_ns;

  if (!output_next_segment (self->output, error))
    return FALSE;
  batch_begin (&self->batch);
  batch_add_clock (&self->batch, now);
  write_batch (self);
  batch_begin (&self->batch);
  batch_add_metadata (&self->batch, now, self->n_workers);
  batch_add_clock (&self->batch, now);
  self->n_events += 3;
  write_batch (self);
  return TRUE;
}

static void
write_samples (Generator *self)
{
  gsize limit = get_batch_limit (self);

  batch_begin (&self->batch);
  for (guint i = 0; i < SAMPLES_PER_BATCH && batch_get_size (&self->batch) < limit; i++)
    add_sample (self);
  write_batch (self);
}

static void
fill_segment_dial9 (Generator *self)
{
  while (output_get_left (self->output) > 0)
    {
      ModelWorker *worker = &self->workers[find_next (self)];
      gsize limit = get_batch_limit (self);

      if (self->sample_ns + SAMPLES_PER_BATCH * MODEL_SAMPLE_NS <= worker->at_ns)
        {
          write_samples (self);
          continue;
        }
      batch_begin (&self->batch);
      while (batch_get_size (&self->batch) < limit)
        {
          ModelEvent event;

          model_worker_next (worker, &event);
          batch_add (&self->batch, worker, &event);
          self->n_events++;
        }
      write_batch (self);
    }
}

static void
fill_segment_merged (Generator *self)
{
  while (output_get_left (self->output) > 0)
    {
      gsize limit = get_batch_limit (self);

      batch_begin (&self->batch);
      while (batch_get_size (&self->batch) < limit)
        {
          guint i = find_next (self);

          if (self->sample_ns <= self->events[i].at_ns)
            {
              add_sample (self);
              continue;
            }
          batch_add (&self->batch, &self->workers[i], &self->events[i]);
          model_worker_next (&self->workers[i], &self->events[i]);
          self->n_events++;
        }
      write_batch (self);
    }
}

static gboolean
generate (const Options *options, Layout layout, Output *output, guint64 *out_n_events, GError **error)
{
  guint n_workers = (guint) options->n_workers;
  g_autofree ModelWorker *workers = g_new0 (ModelWorker, n_workers);
  g_autofree ModelEvent *events = g_new0 (ModelEvent, n_workers);
  Generator self = { .layout = layout, .n_workers = n_workers, .workers = workers, .events = events,
                     .sample_ns = START_NS, .output = output };
  gboolean is_ok = TRUE;

  model_init ();
  for (guint i = 0; i < n_workers; i++)
    {
      model_worker_init (&workers[i], i, n_workers, (guint64) options->seed, START_NS);
      if (layout == LAYOUT_MERGED)
        model_worker_next (&workers[i], &events[i]);
    }
  batch_init (&self.batch, layout);
  for (int i = 0; is_ok && i < MAX (options->n_segments, 1); i++)
    {
      is_ok = begin_segment (&self, error);
      if (is_ok && layout == LAYOUT_MERGED)
        fill_segment_merged (&self);
      else if (is_ok)
        fill_segment_dial9 (&self);
    }
  batch_clear (&self.batch);
  *out_n_events = self.n_events;
  return is_ok;
}

static gboolean
repeat_recorded (const Options *options, const char *const *paths, Output *output, GError **error)
{
  g_autoptr(Replay) replay = replay_new (paths, error);

  for (int i = 0; replay != NULL && i < MAX (options->n_segments, 1); i++)
    {
      if (!output_next_segment (output, error))
        return FALSE;
      replay_fill_segment (replay, output);
    }
  return replay != NULL;
}

static gboolean
parse_size (const char *text, guint64 *out_bytes)
{
  static const struct { const char *unit; guint shift; } units[] = {
    { "", 0 }, { "B", 0 }, { "KiB", 10 }, { "MiB", 20 }, { "GiB", 30 },
  };
  char *end;
  guint64 number = g_ascii_strtoull (text, &end, 10);

  for (gsize i = 0; end != text && i < G_N_ELEMENTS (units); i++)
    if (g_str_equal (end, units[i].unit) && number > 0 && number <= (guint64) G_MAXINT64 >> units[i].shift)
      {
        *out_bytes = number << units[i].shift;
        return TRUE;
      }
  return FALSE;
}

static gboolean
check (const Options *options, int argc, guint64 *out_size, Layout *out_layout, GError **error)
{
  gboolean is_merged = g_str_equal (options->layout, "merged");

  *out_layout = is_merged ? LAYOUT_MERGED : LAYOUT_DIAL9;
  if (argc < 2 || (argc > 2) != options->is_replay)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_FAILED, "OUTPUT expected, and with --replay recorded traces");
  else if (!parse_size (options->size, out_size))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s is not a size such as 256MiB", options->size);
  else if (options->n_workers < 1 || options->n_workers > MAX_WORKERS)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "1 to %d workers are possible", MAX_WORKERS);
  else if (!is_merged && !g_str_equal (options->layout, "dial9"))
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "%s is no layout: dial9, merged", options->layout);
  else if (options->n_segments < 0)
    g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, "a number of segments cannot be negative");
  else
    return TRUE;
  return FALSE;
}

static int
run (const Options *options, int argc, char **argv, guint64 size, Layout layout)
{
  g_autoptr(Output) output = output_new (argv[1], size, (guint) options->n_segments, options->is_zstd);
  g_autoptr(GError) error = NULL;
  gint64 began_us = g_get_monotonic_time ();
  guint64 n_events = 0;
  gboolean is_ok;
  double seconds;

  if (options->is_replay)
    is_ok = repeat_recorded (options, (const char *const *) argv + 2, output, &error);
  else
    is_ok = generate (options, layout, output, &n_events, &error);
  if (!is_ok || !output_close (output, &error))
    {
      g_printerr ("parklane-generate: %s\n", error->message);
      return 1;
    }

  seconds = (double) (g_get_monotonic_time () - began_us) / 1e6;
  g_print ("raw_bytes\t%" G_GUINT64_FORMAT "\ndisk_bytes\t%" G_GUINT64_FORMAT "\n", output_get_raw (output),
           output_get_disk (output));
  if (!options->is_replay)
    g_print ("events\t%" G_GUINT64_FORMAT "\n", n_events);
  g_print ("seconds\t%.6f\n", seconds);
  return 0;
}

int
main (int argc, char **argv)
{
  Options options = { .n_workers = 4, .seed = 1 };
  const GOptionEntry entries[] = {
    { "size", 0, 0, G_OPTION_ARG_STRING, &options.size, "Raw bytes in all, 256MiB by default", "SIZE" },
    { "workers", 0, 0, G_OPTION_ARG_INT, &options.n_workers, "Worker threads, 4 by default", "N" },
    { "seed", 0, 0, G_OPTION_ARG_INT64, &options.seed, "The same seed makes the same bytes", "N" },
    { "layout", 0, 0, G_OPTION_ARG_STRING, &options.layout, "dial9: a batch per thread; merged: all in order of time",
      "dial9|merged" },
    { "segments", 0, 0, G_OPTION_ARG_INT, &options.n_segments, "OUTPUT is a directory, for N segments", "N" },
    { "zstd", 0, 0, G_OPTION_ARG_NONE, &options.is_zstd, "Compress in frames of 1 MiB", NULL },
    { "replay", 0, 0, G_OPTION_ARG_NONE, &options.is_replay, "Repeat recorded traces, moved in time", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr(GOptionContext) context = g_option_context_new ("OUTPUT [RECORDED…]");
  g_autoptr(GError) error = NULL;
  guint64 size;
  Layout layout;
  int status = 2;

  g_option_context_add_main_entries (context, entries, NULL);
  if (g_option_context_parse (context, &argc, &argv, &error))
    {
      options.size = options.size != NULL ? options.size : g_strdup ("256MiB");
      options.layout = options.layout != NULL ? options.layout : g_strdup ("dial9");
      if (check (&options, argc, &size, &layout, &error))
        status = run (&options, argc, argv, size, layout);
    }
  if (error != NULL)
    g_printerr ("parklane-generate: %s\n", error->message);
  g_free (options.size);
  g_free (options.layout);
  return status;
}
