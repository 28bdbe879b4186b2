/* session.c: starts and stops the process's session
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A recorder is what the host holds; it may run, or wait for a start to succeed, or have been stopped from outside.
 * Only its host's stop frees it.
 */
#include "session.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "counters.h"
#include "recorder-config.h"
#include "rescue.h"
#include "spawn.h"
#include "wake.h"

/* How long parklane_recorder_flush() waits, and how it looks. */
#define FLUSH_TIMEOUT_NS (2 * PLR_NS_PER_S)
#define FLUSH_POLL_NS (PLR_NS_PER_MS / 2)

/* No more than this counts between two looks: a machine that was suspended in between has waited for nothing. */
#define FLUSH_STEP_NS (100 * PLR_NS_PER_MS)

/* PREFIX-2 to PREFIX-99 */
#define MAX_SUFFIX 99

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
open_drain (ParklaneRecorder *self)
{
  /* What a killed process left is worth a try; the log tells of errors. */
  (void) plr_rescue (self->config.output_dir, self->config.file_prefix, self->config.log, self->config.log_data);
  plr_counters_reset ();
  return plr_drain_open (&self->drain, &self->config, &self->requests);
}

/* Under the first prefix that is free, if that is what the host wants. */
static int
open_drain_under_some_prefix (ParklaneRecorder *self)
{
  int r;

  strcpy (self->config.file_prefix, self->prefix);
  r = open_drain (self);
  for (unsigned i = 2; r == -EBUSY && self->config.busy == PARKLANE_BUSY_SUFFIX && i <= MAX_SUFFIX; i++)
    {
      snprintf (self->config.file_prefix, sizeof self->config.file_prefix, "%.*s-%u", PLR_MAX_PREFIX, self->prefix, i);
      r = plr_config_check_prefix (self->config.file_prefix) == 0 ? open_drain (self) : -EBUSY;
    }
  return r;
}

/* Under the lock. */
static int
begin (ParklaneRecorder *self)
{
  int r;

  atomic_store_explicit (&self->requests.must_stop, false, memory_order_relaxed);
  atomic_store_explicit (&self->requests.must_rotate, false, memory_order_relaxed);
  self->is_paused = false;
  r = plr_store_resolve (self->config.output_dir, sizeof self->config.output_dir);
  if (r == 0)
    r = open_drain_under_some_prefix (self);
  if (r < 0)
    return r;

  r = plr_standby_start (&self->standby, &self->drain);
  if (r < 0)
    goto close_drain;
  r = plr_spawn (&self->thread, "parklane", plr_drain_run, &self->drain);
  if (r < 0)
    goto stop_standby;

  atomic_store_explicit (&self->is_running, true, memory_order_relaxed);
  atomic_store_explicit (&plr_counters.n_sessions, 1, memory_order_relaxed);
  plr_thread_set_recording (true);
  return 0;

stop_standby:
  plr_standby_stop (&self->standby);
close_drain:
  (void) plr_drain_close (&self->drain); /* the first error is the one to report */
  return r;
}

/* Under the lock. */
static int
end (ParklaneRecorder *self)
{
  int r;

  if (!atomic_load_explicit (&self->is_running, memory_order_relaxed))
    return 0;
  plr_thread_set_recording (false);
  atomic_store_explicit (&self->requests.must_stop, true, memory_order_release);
  plr_wake_drain ();
  (void) pthread_join (self->thread, NULL); /* ours, joined once */
  plr_standby_stop (&self->standby);

  r = plr_drain_close (&self->drain);
  atomic_store_explicit (&self->is_running, false, memory_order_relaxed);
  atomic_store_explicit (&plr_counters.n_sessions, 0, memory_order_relaxed);
  atomic_store_explicit (&plr_counters.has_directory, 0, memory_order_relaxed);
  plr_set (&plr_counters.segment, 0);
  return r;
}

/* A start that failed counts once, however many of its steps did. Under the lock. */
static int
begin_or_count (ParklaneRecorder *self)
{
  uint64_t n_errors = plr_get (&plr_counters.n_errors);
  int r = begin (self);

  if (r < 0)
    plr_set (&plr_counters.n_errors, n_errors + 1);
  self->start_error = r;
  self->is_start_wanted = r < 0;
  self->retry_ns = plr_clock_now () + (uint64_t) self->config.retry_start_s * PLR_NS_PER_S;
  return r;
}

/* ---- what the keeper asks for ---- */

static void
set_paused (ParklaneRecorder *self, bool is_paused)
{
  if (is_paused)
    plr_drain_pause (&self->drain);
  else
    plr_drain_resume (&self->drain);
  self->is_paused = is_paused;
  plr_wake_drain ();
}

static void
rotate (ParklaneRecorder *self)
{
  atomic_store_explicit (&self->requests.must_rotate, true, memory_order_relaxed);
  plr_wake_drain ();
}

/* Under the lock. */
static int
obey_locked (ParklaneRecorder *self, PlrControlVerb verb)
{
  bool is_running = atomic_load_explicit (&self->is_running, memory_order_relaxed);

  if (verb == PLR_CONTROL_STATUS)
    return 0;
  if (verb == PLR_CONTROL_START)
    return is_running ? 0 : begin_or_count (self);
  if (verb == PLR_CONTROL_STOP)
    {
      self->is_start_wanted = false;
      if (is_running)
        self->stop_result = end (self);
      return self->stop_result;
    }
  if (!is_running)
    return -ESRCH;
  if (verb == PLR_CONTROL_ROTATE)
    rotate (self);
  else
    set_paused (self, verb == PLR_CONTROL_PAUSE);
  return 0;
}

static int
obey (void *session, PlrControlVerb verb)
{
  ParklaneRecorder *self = session;
  int r;

  pthread_mutex_lock (&lock);
  r = self->is_stopping ? -ECANCELED : obey_locked (self, verb);
  pthread_mutex_unlock (&lock);
  return r;
}

static uint64_t
to_unix_ns (uint64_t at_ns)
{
  uint64_t monotonic_ns;
  uint64_t wall_ns;

  plr_clock_sync (&monotonic_ns, &wall_ns);
  return wall_ns + (at_ns - monotonic_ns);
}

static void
tell_running (PlrControlStatus *status)
{
  PlrCounters *c = &plr_counters;
  uint64_t last_write_ns = plr_get (&c->last_write_ns);
  uint64_t segment = plr_get (&c->segment);
  uint64_t now_ns = plr_clock_now ();

  status->is_healthy = atomic_load_explicit (&c->is_healthy, memory_order_relaxed);
  status->since_unix_ns = to_unix_ns (plr_get (&c->health_since_ns));
  status->what = atomic_load_explicit (&c->health_what, memory_order_relaxed);
  status->error = atomic_load_explicit (&c->health_error, memory_order_relaxed);
  status->has_segment = segment > 0;
  status->segment = segment > 0 ? (uint32_t) (segment - 1) : 0;
  status->n_events = plr_get (&c->n_events);
  status->n_dropped = plr_get (&c->n_dropped);
  status->n_bytes = plr_get (&c->n_bytes);
  status->disk_bytes = plr_get (&c->disk_bytes);
  status->n_sealed = plr_get (&c->n_sealed);
  status->n_incomplete = plr_get (&c->n_incomplete);
  status->n_evicted = plr_get (&c->n_evicted);
  status->has_written = last_write_ns != 0;
  status->last_write_age_ns = now_ns > last_write_ns ? now_ns - last_write_ns : 0;
}

static void
tell (void *session, PlrControlStatus *out_status)
{
  ParklaneRecorder *self = session;

  pthread_mutex_lock (&lock);
  *out_status = (PlrControlStatus) {
    .prefix = self->config.file_prefix,
    .pid = (uint32_t) getpid (),
    .state = self->is_start_wanted ? "waiting" : "stopped",
    .is_healthy = !self->is_start_wanted,
    .what = "start",
    .error = self->start_error,
    .budget_bytes = plr_config_get_budget (&self->config),
    .n_errors = plr_get (&plr_counters.n_errors),
    .n_threads = plr_thread_count_attached (),
  };
  if (atomic_load_explicit (&self->is_running, memory_order_relaxed))
    {
      out_status->state = self->is_paused ? "paused" : "recording";
      tell_running (out_status);
    }
  pthread_mutex_unlock (&lock);
}

static void
retry (void *session)
{
  ParklaneRecorder *self = session;

  pthread_mutex_lock (&lock);
  if (self->is_start_wanted && self->config.retry_start_s > 0 && !self->is_stopping && plr_clock_now () >= self->retry_ns)
    (void) begin_or_count (self); /* counted, and tried again */
  pthread_mutex_unlock (&lock);
}

static const PlrKeeperCalls keeper_calls = { obey, tell, retry };

/* ---- the host's calls ---- */

/* Whether a start may succeed later as it is. */
static bool
may_pass (int error)
{
  return error != -EINVAL && error != -ENAMETOOLONG;
}

/* Under the lock. After an error there may be a recorder all the same, which tries again. */
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
  strcpy (self->prefix, config->file_prefix);

  r = begin_or_count (self);
  if (r < 0 && (config->retry_start_s == 0 || !may_pass (r)))
    goto free;
  if (config->control || r < 0)
    {
      int keeper_result = plr_keeper_start (&self->keeper, &self->config, &keeper_calls, self);

      self->has_keeper = keeper_result == 0;
      if (keeper_result < 0)
        {
          (void) end (self); /* the first error is the one to report */
          r = r < 0 ? r : keeper_result;
          goto free;
        }
    }
  *out_recorder = self;
  return r;

free:
  free (self);
  return r;
}

int
parklane_recorder_start (const ParklaneConfig *config, ParklaneRecorder **out_recorder)
{
  ParklaneRecorder *recorder = NULL;
  PlrSignals signals;
  int r;

  if (config == NULL)
    return -EINVAL;
  r = plr_config_check (config);
  if (r < 0)
    return r;

  plr_signals_hold (&signals);
  pthread_mutex_lock (&lock);
  if (current == NULL)
    atomic_store_explicit (&plr_counters.is_configured, config->enabled != 0, memory_order_relaxed);
  r = !config->enabled ? -ECANCELED : current != NULL ? -EALREADY : start (config, &recorder);
  if (recorder != NULL)
    current = recorder;
  pthread_mutex_unlock (&lock);
  plr_signals_let (&signals);

  if (recorder != NULL && out_recorder != NULL)
    *out_recorder = recorder;
  return r;
}

int
parklane_recorder_stop (ParklaneRecorder *recorder)
{
  PlrSignals signals;
  int r;

  if (recorder == NULL)
    return 0;

  pthread_mutex_lock (&lock);
  r = recorder != current || recorder->is_stopping ? -EINVAL : 0;
  if (r == 0)
    recorder->is_stopping = true;
  pthread_mutex_unlock (&lock);
  if (r < 0)
    return r;

  if (recorder->has_keeper)
    plr_keeper_stop (&recorder->keeper); /* which may wait for the lock */

  plr_signals_hold (&signals);
  pthread_mutex_lock (&lock);
  r = atomic_load_explicit (&recorder->is_running, memory_order_relaxed) ? end (recorder) : recorder->stop_result;
  current = NULL;
  pthread_mutex_unlock (&lock);
  plr_signals_let (&signals);
  free (recorder);
  return r;
}

int
parklane_recorder_rotate (ParklaneRecorder *recorder)
{
  if (recorder == NULL)
    return -EINVAL;
  rotate (recorder);
  return 0;
}

static int
pause_or_resume (ParklaneRecorder *self, bool is_paused)
{
  if (self == NULL)
    return -EINVAL;
  pthread_mutex_lock (&lock);
  if (atomic_load_explicit (&self->is_running, memory_order_relaxed))
    set_paused (self, is_paused);
  pthread_mutex_unlock (&lock);
  return 0;
}

int
parklane_recorder_pause (ParklaneRecorder *recorder)
{
  return pause_or_resume (recorder, true);
}

int
parklane_recorder_resume (ParklaneRecorder *recorder)
{
  return pause_or_resume (recorder, false);
}

int
parklane_recorder_flush (ParklaneRecorder *recorder)
{
  const struct timespec pause = { .tv_nsec = FLUSH_POLL_NS };
  uint64_t last_ns = plr_clock_now ();
  uint64_t waited_ns = 0;
  uint64_t target;

  if (recorder == NULL)
    return -EINVAL;

  /* The cycle that runs now may have passed our ring already; the one after it has not begun. */
  target = atomic_load_explicit (&recorder->requests.n_flushed, memory_order_acquire) + 2;
  while (atomic_load_explicit (&recorder->is_running, memory_order_relaxed)
         && atomic_load_explicit (&recorder->requests.n_flushed, memory_order_acquire) < target)
    {
      uint64_t now_ns = plr_clock_now ();
      uint64_t step_ns = now_ns > last_ns ? now_ns - last_ns : 0;

      waited_ns += step_ns < FLUSH_STEP_NS ? step_ns : FLUSH_STEP_NS;
      last_ns = now_ns;
      if (waited_ns >= FLUSH_TIMEOUT_NS)
        return -ETIMEDOUT;
      plr_wake_drain ();
      nanosleep (&pause, NULL);
    }
  return 0;
}

int64_t
parklane_recover (const char *output_dir, const char *file_prefix, ParklaneLogFunc log, void *log_data)
{
  char dir[PARKLANE_PATH_SIZE];
  PlrSignals signals;
  int64_t r;

  if (output_dir == NULL || output_dir[0] == '\0' || strlen (output_dir) >= sizeof dir)
    return -EINVAL;
  if (file_prefix != NULL && plr_config_check_prefix (file_prefix) < 0)
    return -EINVAL;
  strcpy (dir, output_dir);
  if (access (dir, F_OK) < 0)
    return -errno;
  r = plr_store_resolve (dir, sizeof dir);
  if (r < 0)
    return r;

  plr_signals_hold (&signals);
  pthread_mutex_lock (&lock);
  r = current != NULL ? -EALREADY : plr_rescue (dir, file_prefix, log, log_data);
  pthread_mutex_unlock (&lock);
  plr_signals_let (&signals);
  return r;
}
