/* session.c: starts and stops the process's session
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "recorder-config.h"
#include "counters.h"
#include "spawn.h"
#include "wake.h"

/* How long parklane_recorder_flush() waits, and how it looks. */
#define FLUSH_TIMEOUT_NS (2 * PLR_NS_PER_S)
#define FLUSH_POLL_NS (PLR_NS_PER_MS / 2)

/* Held while a session starts or stops, never while it runs. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ParklaneRecorder *current;

void
plr_session_forget (void)
{
  pthread_mutex_init (&lock, NULL);
  current = NULL; /* its memory stays: the child cannot know in what state another thread left it */
  plr_clock_stop ();
  atomic_store_explicit (&plr_counters.n_sessions, 0, memory_order_relaxed);
}

static int
start (const ParklaneConfig *config, ParklaneRecorder **out_recorder)
{
  ParklaneRecorder *self;
  int r;

  r = plr_thread_init ();
  if (r < 0)
    return r;
  self = calloc (1, sizeof *self);
  if (self == NULL)
    return -ENOMEM;
  self->config = *config;

  plr_counters_reset ();
  r = plr_store_resolve (self->config.output_dir, sizeof self->config.output_dir);
  if (r == 0)
    r = plr_drain_open (&self->drain, &self->config);
  if (r < 0)
    {
      free (self);
      return r;
    }

  r = plr_standby_start (&self->standby, &self->drain);
  if (r < 0)
    goto close_drain;
  r = plr_spawn (&self->thread, "parklane", plr_drain_run, &self->drain);
  if (r < 0)
    goto stop_standby;
  *out_recorder = self;
  return 0;

stop_standby:
  plr_standby_stop (&self->standby);
close_drain:
  (void) plr_drain_close (&self->drain); /* the first error is the one to report */
  free (self);
  return r;
}

int
parklane_recorder_start (const ParklaneConfig *config, ParklaneRecorder **out_recorder)
{
  ParklaneRecorder *recorder = NULL;
  uint64_t n_errors;
  int r;

  if (config == NULL)
    return -EINVAL;
  r = plr_config_check (config);
  if (r < 0)
    return r;

  pthread_mutex_lock (&lock);
  if (current == NULL)
    atomic_store_explicit (&plr_counters.is_configured, config->enabled != 0, memory_order_relaxed);
  n_errors = plr_get (&plr_counters.n_errors);
  r = !config->enabled ? -ECANCELED : current != NULL ? -EALREADY : start (config, &recorder);
  if (r == 0)
    {
      current = recorder;
      atomic_store_explicit (&plr_counters.n_sessions, 1, memory_order_relaxed);
      atomic_store_explicit (&plr_recording, 1, memory_order_release);
    }
  else if (r != -EALREADY && r != -ECANCELED)
    plr_set (&plr_counters.n_errors, n_errors + 1); /* once, however many steps failed */
  pthread_mutex_unlock (&lock);

  if (r == 0 && out_recorder != NULL)
    *out_recorder = recorder;
  return r;
}

int
parklane_recorder_stop (ParklaneRecorder *recorder)
{
  int r;

  if (recorder == NULL)
    return 0;

  pthread_mutex_lock (&lock);
  if (recorder != current)
    {
      pthread_mutex_unlock (&lock);
      return -EINVAL;
    }

  atomic_store_explicit (&plr_recording, 0, memory_order_release);
  atomic_store_explicit (&recorder->drain.must_stop, true, memory_order_release);
  plr_wake_drain ();
  (void) pthread_join (recorder->thread, NULL); /* ours, joined once */
  plr_standby_stop (&recorder->standby);

  r = plr_drain_close (&recorder->drain);
  current = NULL;
  atomic_store_explicit (&plr_counters.n_sessions, 0, memory_order_relaxed);
  pthread_mutex_unlock (&lock);
  free (recorder);
  return r;
}

int
parklane_recorder_rotate (ParklaneRecorder *recorder)
{
  if (recorder == NULL)
    return -EINVAL;
  atomic_store_explicit (&recorder->drain.must_rotate, true, memory_order_relaxed);
  plr_wake_drain ();
  return 0;
}

int
parklane_recorder_pause (ParklaneRecorder *recorder)
{
  if (recorder == NULL)
    return -EINVAL;
  atomic_store_explicit (&plr_recording, 0, memory_order_relaxed);
  atomic_store_explicit (&recorder->drain.is_paused, true, memory_order_relaxed);
  plr_wake_drain ();
  return 0;
}

int
parklane_recorder_resume (ParklaneRecorder *recorder)
{
  if (recorder == NULL)
    return -EINVAL;
  atomic_store_explicit (&recorder->drain.is_paused, false, memory_order_relaxed);
  atomic_store_explicit (&plr_recording, 1, memory_order_relaxed);
  plr_wake_drain ();
  return 0;
}

int
parklane_recorder_flush (ParklaneRecorder *recorder)
{
  const struct timespec pause = { .tv_nsec = FLUSH_POLL_NS };
  uint64_t deadline_ns = plr_clock_now () + (uint64_t) FLUSH_TIMEOUT_NS;
  uint64_t target;

  if (recorder == NULL)
    return -EINVAL;

  /* The cycle that runs now may have passed our ring already; the one after it has not begun. */
  target = atomic_load_explicit (&recorder->drain.n_flushed, memory_order_acquire) + 2;
  while (atomic_load_explicit (&recorder->drain.n_flushed, memory_order_acquire) < target)
    {
      if (plr_clock_now () >= deadline_ns)
        return -ETIMEDOUT;
      plr_wake_drain ();
      nanosleep (&pause, NULL);
    }
  return 0;
}
