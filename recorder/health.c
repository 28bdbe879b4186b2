/* health.c: degraded and healthy, retries and what the log hears of them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * There is no final state: however often something fails, it is tried again. The first retry comes soon,
 * since most faults are short; the last intervals are a second, so that recording resumes within two
 * seconds of the fault's end and a broken disk does not see a storm of calls.
 */
#include "health.h"

#include "clock.h"
#include "counters.h"
#include "log.h"

#define FIRST_BACKOFF_NS (50 * PLR_NS_PER_MS)
#define LAST_BACKOFF_NS (1 * PLR_NS_PER_S)

/* An unchanged fault is told once a minute. */
#define REPORT_INTERVAL_NS (60 * PLR_NS_PER_S)

static void
publish (const PlrHealth *self, const char *what)
{
  atomic_store_explicit (&plr_counters.health_what, what, memory_order_relaxed);
  atomic_store_explicit (&plr_counters.health_error, self->error, memory_order_relaxed);
  plr_set (&plr_counters.health_since_ns, self->since_ns);
  atomic_store_explicit (&plr_counters.is_healthy, !self->is_degraded, memory_order_relaxed);
}

void
plr_health_init (PlrHealth *self, ParklaneLogFunc log, void *log_data, uint64_t now_ns)
{
  *self = (PlrHealth) { .since_ns = now_ns, .backoff_ns = FIRST_BACKOFF_NS, .log = log, .log_data = log_data };
  publish (self, NULL);
}

void
plr_health_fail (PlrHealth *self, const char *what, int error, uint64_t now_ns)
{
  bool is_news = !self->is_degraded || self->error != error;

  if (!self->is_degraded)
    {
      self->is_degraded = true;
      self->since_ns = now_ns;
      self->n_failures = 0;
      self->backoff_ns = FIRST_BACKOFF_NS;
    }
  else if (self->backoff_ns < LAST_BACKOFF_NS)
    self->backoff_ns = self->backoff_ns * 2 > LAST_BACKOFF_NS ? LAST_BACKOFF_NS : self->backoff_ns * 2;

  self->error = error;
  publish (self, what);
  self->retry_ns = now_ns + self->backoff_ns;
  self->n_failures++;
  plr_count (&plr_counters.n_errors, 1);

  if (is_news || now_ns - self->reported_ns >= (uint64_t) REPORT_INTERVAL_NS)
    {
      self->reported_ns = now_ns;
      plr_log (self->log, self->log_data, PARKLANE_LOG_ERROR,
               "cannot %s: %s (%llu failures); recording to memory and trying again", what,
               plr_describe_error (error), (unsigned long long) self->n_failures);
    }
}

void
plr_health_recover (PlrHealth *self, uint64_t now_ns)
{
  if (!self->is_degraded)
    return;

  plr_log (self->log, self->log_data, PARKLANE_LOG_INFO, "writing again after %.3f s and %llu failures",
           (double) (now_ns - self->since_ns) / (double) PLR_NS_PER_S, (unsigned long long) self->n_failures);
  self->is_degraded = false;
  self->error = 0;
  self->since_ns = now_ns;
  publish (self, NULL);
}

bool
plr_health_may_try (const PlrHealth *self, uint64_t now_ns)
{
  return !self->is_degraded || now_ns >= self->retry_ns;
}

void
plr_health_hurry (PlrHealth *self)
{
  self->retry_ns = 0;
}
