/* metrics.c: the counters and the struct that hosts read them into
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "counters.h"
#include "parklane-recorder.h"
#include "thread.h"

PlrCounters plr_counters;

void
plr_counters_reset (void)
{
  plr_set (&plr_counters.n_events, 0);
  plr_set (&plr_counters.n_dropped, 0);
  plr_set (&plr_counters.n_bytes, 0);
  plr_set (&plr_counters.disk_bytes, 0);
  plr_set (&plr_counters.n_sealed, 0);
  plr_set (&plr_counters.n_evicted, 0);
  plr_set (&plr_counters.last_write_ns, 0);
}

static uint32_t
count_attached (void)
{
  uint32_t n = 0;

  for (PlrRing *ring = plr_thread_get_rings (); ring != NULL; ring = ring->next)
    n += atomic_load_explicit (&ring->state, memory_order_relaxed) == PLR_RING_LIVE;
  return n;
}

int
parklane_metrics_get (ParklaneMetrics *out_metrics)
{
  ParklaneMetrics metrics = { .struct_size = sizeof metrics };
  PlrCounters *c = &plr_counters;

  if (out_metrics == NULL || out_metrics->struct_size < sizeof metrics)
    return -EINVAL;

  metrics.active_sessions = atomic_load_explicit (&c->n_sessions, memory_order_relaxed);
  metrics.errors_total = plr_get (&c->n_errors);
  metrics.attached_threads = count_attached ();
  if (metrics.active_sessions > 0)
    {
      metrics.writer_healthy = atomic_load_explicit (&c->is_healthy, memory_order_relaxed);
      metrics.events_total = plr_get (&c->n_events);
      metrics.dropped_events_total = plr_get (&c->n_dropped);
      metrics.bytes_written_total = plr_get (&c->n_bytes);
      metrics.disk_usage_bytes = plr_get (&c->disk_bytes);
      metrics.segments_sealed_total = plr_get (&c->n_sealed);
      metrics.evicted_segments_total = plr_get (&c->n_evicted);
      metrics.last_write_ns = plr_get (&c->last_write_ns);
    }

  *out_metrics = metrics;
  return 0;
}

const char *
parklane_recorder_version (void)
{
  return PARKLANE_VERSION;
}
