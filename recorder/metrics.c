/* metrics.c: the counters and the struct that hosts read them into
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "counters.h"
#include "parklane-recorder.h"
#include "thread.h"

/* Of the struct as hosts were first built with it; what came later stands behind. */
#define FIRST_SIZE offsetof (ParklaneMetrics, incomplete_segments_total)

PlrCounters plr_counters;

void
plr_counters_reset (void)
{
  plr_set (&plr_counters.n_events, 0);
  plr_set (&plr_counters.n_dropped, 0);
  plr_set (&plr_counters.n_bytes, 0);
  plr_set (&plr_counters.disk_bytes, 0);
  plr_set (&plr_counters.n_sealed, 0);
  plr_set (&plr_counters.n_incomplete, 0);
  plr_set (&plr_counters.n_evicted, 0);
  plr_set (&plr_counters.n_compressed_bytes, 0);
  plr_set (&plr_counters.last_write_ns, 0);
}

int
parklane_metrics_get (ParklaneMetrics *out_metrics)
{
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };
  PlrCounters *c = &plr_counters;

  if (out_metrics == NULL || out_metrics->struct_size < FIRST_SIZE)
    return -EINVAL;

  metrics.configured = atomic_load_explicit (&c->is_configured, memory_order_relaxed);
  metrics.active_sessions = atomic_load_explicit (&c->n_sessions, memory_order_relaxed);
  metrics.errors_total = plr_get (&c->n_errors);
  metrics.attached_threads = plr_thread_count_attached ();
  if (metrics.active_sessions > 0)
    {
      metrics.writer_healthy = atomic_load_explicit (&c->is_healthy, memory_order_relaxed);
      metrics.events_total = plr_get (&c->n_events);
      metrics.dropped_events_total = plr_get (&c->n_dropped);
      metrics.bytes_written_total = plr_get (&c->n_bytes);
      metrics.disk_usage_bytes = plr_get (&c->disk_bytes);
      metrics.segments_sealed_total = plr_get (&c->n_sealed);
      metrics.evicted_segments_total = plr_get (&c->n_evicted);
      metrics.compressed_bytes_total = plr_get (&c->n_compressed_bytes);
      metrics.last_write_ns = plr_get (&c->last_write_ns);
      metrics.incomplete_segments_total = plr_get (&c->n_incomplete);
    }

  if (metrics.struct_size > out_metrics->struct_size)
    metrics.struct_size = out_metrics->struct_size;
  memcpy (out_metrics, &metrics, metrics.struct_size);
  return 0;
}

typedef struct
{
  const char *prefix;
  char *text;
  size_t size;
  size_t length; /* of the whole text, whether it fits or not */
} Output;

static void __attribute__ ((format (printf, 2, 3)))
add (Output *self, const char *format, ...)
{
  size_t room = self->length < self->size ? self->size - self->length : 0;
  va_list args;
  int n;

  va_start (args, format);
  n = vsnprintf (room > 0 ? self->text + self->length : NULL, room, format, args);
  va_end (args);
  self->length += n > 0 ? (size_t) n : 0;
}

static void
add_name (Output *self, const char *name, const char *type, const char *help)
{
  add (self, "# HELP %s_%s %s\n# TYPE %s_%s %s\n%s_%s ", self->prefix, name, help, self->prefix, name, type, self->prefix,
       name);
}

static void
add_number (Output *self, const char *name, const char *type, const char *help, uint64_t value)
{
  add_name (self, name, type, help);
  add (self, "%llu\n", (unsigned long long) value);
}

static bool
is_name (const char *text)
{
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  static const char digits[] = "0123456789";

  if (text == NULL || *text == '\0' || strchr (letters, *text) == NULL)
    return false;
  for (; *text != '\0'; text++)
    if (strchr (letters, *text) == NULL && strchr (digits, *text) == NULL)
      return false;
  return true;
}

static void
add_session (Output *output, const ParklaneMetrics *metrics)
{
  add_number (output, "writer_healthy", "gauge", "1 while what is recorded reaches the disk.", metrics->writer_healthy);
  add_number (output, "attached_threads", "gauge", "Threads that record.", metrics->attached_threads);
  add_number (output, "events_total", "counter", "Events recorded.", metrics->events_total);
  add_number (output, "dropped_events_total", "counter", "Events lost; each stands in a gap of the trace.",
              metrics->dropped_events_total);
  add_number (output, "bytes_written_total", "counter", "Bytes of trace written.", metrics->bytes_written_total);
  add_number (output, "disk_usage_bytes", "gauge", "Size of all segments on disk.", metrics->disk_usage_bytes);
  add_number (output, "segments_sealed_total", "counter", "Segments completed.", metrics->segments_sealed_total);
  add_number (output, "incomplete_segments_total", "counter", "Segments ended before all threads were drained.",
              metrics->incomplete_segments_total);
  add_number (output, "evicted_segments_total", "counter", "Segments removed to keep the budget.",
              metrics->evicted_segments_total);
  add_number (output, "compressed_bytes_total", "counter", "Size of the segments compressed.",
              metrics->compressed_bytes_total);
  if (metrics->last_write_ns != 0)
    {
      uint64_t now_ns = plr_clock_now ();

      add_name (output, "last_write_age_seconds", "gauge", "Time since a write succeeded.");
      add (output, "%.3f\n",
           now_ns > metrics->last_write_ns ? (double) (now_ns - metrics->last_write_ns) / (double) PLR_NS_PER_S : 0.0);
    }
}

int
parklane_metrics_format (const char *prefix, char *text, size_t size)
{
  Output output = { .prefix = prefix, .text = text, .size = size };
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };
  int r;

  if (!is_name (prefix) || (text == NULL && size > 0))
    return -EINVAL;
  r = parklane_metrics_get (&metrics);
  if (r < 0)
    return r;

  add_number (&output, "supported", "gauge", "1: the recorder is built in.", 1);
  add_number (&output, "configured", "gauge", "1: a session was asked for.", metrics.configured);
  add_number (&output, "active_sessions", "gauge", "Sessions that run.", metrics.active_sessions);
  add_number (&output, "errors_total", "counter", "Failed starts and faults of the disk.", metrics.errors_total);
  if (metrics.active_sessions > 0)
    add_session (&output, &metrics);
  return (int) output.length;
}

const char *
parklane_recorder_version (void)
{
  return PARKLANE_VERSION;
}
