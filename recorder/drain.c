/* drain.c: the cycle of the recorder's thread
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Each cycle merges what the rings have published into the backlog and offers the backlog to the writer.
 * While the file can be written the backlog is empty between cycles. While it cannot, the backlog fills;
 * when it is full the oldest events go and a gap takes their place. While a write lasts, another thread merges
 * (standby.c); then nothing can go, and what finds no room stays in the rings.
 */
#include "drain.h"

#include <errno.h>
#include <string.h>

#include "clock.h"
#include "counters.h"
#include "log.h"
#include "places.h"
#include "recorder-config.h"
#include "shelter.h"
#include "wake.h"

/* Events taken between two offers to the writer: small enough for the second level cache. */
#define TAKE 8192

/* What goes when the backlog is full, so that gaps are few. */
#define DISCARD_SHARE 8

/* How often a wall-clock anchor goes into the stream: keeps drift and steps of the wall clock visible. */
#define CLOCK_SYNC_HEARTBEATS 10

_Static_assert (PLR_MIN_BUFFER_SIZE / sizeof (PlrEvent) / DISCARD_SHARE > 2, "there is something to discard");

static int
open_backlog (PlrDrain *self)
{
  const ParklaneConfig *config = self->config;

  if (config->crash_safe)
    {
      self->is_sheltered = plr_shelter_open (config, &self->backlog) == 0;
      if (self->is_sheltered)
        return 0;
      plr_log (config->log, config->log_data, PARKLANE_LOG_WARNING,
               "the system refuses shared memory; a kill will lose what is not on file yet");
    }
  return plr_backlog_open (&self->backlog, config->buffer_size);
}

int
plr_drain_open (PlrDrain *self, const ParklaneConfig *config, PlrRequests *requests)
{
  uint64_t now_ns;
  int r;

  plr_clock_start (config->clock == PARKLANE_CLOCK_AUTO);
  now_ns = plr_clock_now ();
  *self = (PlrDrain) {
    .config = config,
    .requests = requests,
    .heartbeat_ns = now_ns,
    .n_refused = plr_thread_get_n_refused (),
    .refused_ns = now_ns,
  };
  self->merge = plr_merge_new (NULL);
  if (self->merge == NULL)
    return -ENOMEM;

  r = open_backlog (self);
  if (r < 0)
    goto free_merge;

  r = plr_writer_open (&self->writer, self->config, &self->backlog, NULL, now_ns);
  if (r < 0)
    goto close_backlog;

  plr_merge_discard (self->merge);
  if (self->is_sheltered)
    {
      plr_shelter_begin (&self->writer.info);
      plr_thread_call ();
    }
  pthread_mutex_init (&self->lock, NULL);
  atomic_store_explicit (&self->alive_ns, now_ns, memory_order_relaxed);
  return 0;

close_backlog:
  plr_backlog_close (&self->backlog);
free_merge:
  plr_merge_free (self->merge);
  return r;
}

static void
append_gap (PlrDrain *self, PlrGapCause cause, uint64_t from_ns, uint64_t to_ns, uint64_t n)
{
  plr_backlog_append (&self->backlog, &(PlrEvent) {
                                        .time_ns = to_ns,
                                        .word = plr_gap_word (cause, PARKLANE_WORKER_NONE, n),
                                        .payload = from_ns,
                                      });
}

/* Events that the @n oldest stand for: a gap counts for those it tells of. */
static uint64_t
count_oldest (const PlrBacklog *backlog, uint64_t n, uint64_t *out_from_ns)
{
  uint64_t count = 0;

  *out_from_ns = plr_backlog_peek (backlog, 0)->time_ns;
  for (uint64_t i = 0; i < n; i++)
    {
      const PlrEvent *event = plr_backlog_peek (backlog, i);

      PlrEventKind kind = plr_word_kind (event->word);

      count += plr_event_is_recorded (kind) ? 1 : kind == PLR_EVENT_GAP ? plr_word_arg (event->word) : 0;
      if (kind == PLR_EVENT_GAP && event->payload < *out_from_ns)
        *out_from_ns = event->payload;
    }
  return count;
}

/* Replaces the oldest events by one gap that tells of them. */
static void
discard_oldest (PlrDrain *self)
{
  const PlrEvent *oldest = plr_backlog_peek (&self->backlog, 0);
  uint64_t n_places = self->backlog.capacity / DISCARD_SHARE;
  uint64_t to_ns = plr_backlog_peek (&self->backlog, n_places - 1)->time_ns;
  uint64_t n_told = plr_word_kind (oldest->word) == PLR_EVENT_GAP ? plr_word_arg (oldest->word) : 0;
  uint64_t from_ns;
  uint64_t n = count_oldest (&self->backlog, n_places, &from_ns);

  for (uint64_t i = 0; i < n_places; i++)
    plr_encoder_skip (self->writer.encoder, plr_backlog_peek (&self->backlog, i));
  plr_encoder_know_gap (self->writer.encoder, to_ns);
  plr_count (&plr_counters.n_dropped, n - n_told);
  plr_backlog_replace_oldest (&self->backlog, n_places,
                              &(PlrEvent) {
                                .time_ns = to_ns,
                                .word = plr_gap_word (PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, n),
                                .payload = from_ns,
                              });
}

/* Tells the standby that the rings are looked after, or that they may not be for a while. */
static void
set_writing (PlrDrain *self, bool is_writing)
{
  atomic_store_explicit (&self->alive_ns, plr_clock_now (), memory_order_relaxed);
  atomic_store_explicit (&self->is_writing, is_writing, memory_order_relaxed);
}

static void
offer (PlrDrain *self, uint64_t now_ns)
{
  uint64_t n_before;
  size_t n;

  set_writing (self, true);
  do
    {
      const PlrEvent *events;

      pthread_mutex_lock (&self->lock);
      events = plr_backlog_get_oldest (&self->backlog, &n);
      n_before = plr_backlog_get_n (&self->backlog);
      pthread_mutex_unlock (&self->lock);
      if (n > 0)
        plr_writer_write (&self->writer, events, n, now_ns);
    }
  while (n > 0 && n < n_before && plr_backlog_get_n (&self->backlog) < n_before); /* the rest lies in the first places */
  set_writing (self, false);
}

/* Recorded events among what the rings gave. */
static uint64_t
count_events (const PlrEvent *events, size_t n)
{
  uint64_t count = 0;

  for (size_t i = 0; i < n; i++)
    count += plr_event_is_recorded (plr_word_kind (events[i].word));
  return count;
}

/* Gives places their text, at first sight: whatever is behind the rings knows registered locations only. */
static void
name_places (PlrEvent *events, size_t n)
{
  if (!plr_places_is_used ())
    return;
  for (size_t i = 0; i < n; i++)
    {
      PlrEventKind kind = plr_word_kind (events[i].word);
      uint32_t location = plr_word_arg (events[i].word);

      if ((location & PLR_PLACE_BIT)
          && (kind == PLR_EVENT_POLL_START || kind == PLR_EVENT_TASK_SPAWN || kind == PLR_EVENT_BLOCKING_START))
        events[i].word = (events[i].word & UINT32_MAX) | (uint64_t) plr_places_name (location) << 32;
    }
}

/* What came before the end of a pause goes before the gap that tells of it, and what came later behind it. */
static void
begin_merge (PlrDrain *self, uint64_t until_ns)
{
  self->merging_ns = self->resumed_ns != 0 && self->resumed_ns < until_ns ? self->resumed_ns : until_ns;
  /* A ring that was left out is taken when there is memory. */
  if (plr_merge_begin (self->merge, self->merging_ns) < 0)
    plr_count (&plr_counters.n_left_out, 1);
  self->is_merging = true;
}

static void
tell_pause (PlrDrain *self)
{
  if (self->resumed_ns == 0 || self->merging_ns < self->resumed_ns || plr_backlog_get_room (&self->backlog) == 0)
    return;
  append_gap (self, PLR_GAP_PAUSE, self->paused_ns, self->resumed_ns, 0);
  self->paused_ns = 0;
  self->resumed_ns = 0;
}

/* Takes some events of the merge that goes on, or of the one that begins. How many; 0 when the merge is at its end or there
 * is no room. Under the lock. */
static size_t
take_some (PlrDrain *self, uint64_t until_ns, bool is_last)
{
  PlrEvent *places;
  PlrEvent gap;
  size_t n_places;
  size_t n;

  if (!self->is_merging)
    begin_merge (self, until_ns);
  places = plr_backlog_get_places (&self->backlog, TAKE, &n_places);
  if (n_places == 0)
    return 0;
  n = plr_merge_take (self->merge, places, n_places, plr_backlog_get_taken (&self->backlog));
  name_places (places, n);
  plr_count (&plr_counters.n_events, count_events (places, n));
  plr_backlog_publish (&self->backlog, n);
  plr_merge_consume (self->merge);
  if (n > 0)
    return n;

  while (plr_backlog_get_room (&self->backlog) > 0 && plr_merge_take_gap (self->merge, is_last, &gap))
    plr_backlog_append (&self->backlog, &gap);
  plr_count (&plr_counters.n_dropped, plr_merge_end (self->merge));
  tell_pause (self);
  self->is_merging = false;
  return 0;
}

/* Sees to it that there is room for some events, if need be at the expense of the oldest. */
static void
make_room (PlrDrain *self, uint64_t now_ns)
{
  if (plr_backlog_get_room (&self->backlog) > TAKE)
    return;
  offer (self, now_ns);
  pthread_mutex_lock (&self->lock);
  if (plr_backlog_get_room (&self->backlog) <= TAKE)
    discard_oldest (self);
  pthread_mutex_unlock (&self->lock);
}

static void
take_rings (PlrDrain *self, uint64_t until_ns, uint64_t now_ns, bool is_last)
{
  bool is_more;
  size_t n;

  pthread_mutex_lock (&self->lock);
  self->is_merging = false; /* what the standby has begun may end before what is published now */
  pthread_mutex_unlock (&self->lock);
  do
    {
      make_room (self, now_ns);
      pthread_mutex_lock (&self->lock);
      n = take_some (self, until_ns, is_last);
      is_more = self->is_merging || self->merging_ns < until_ns; /* which a pause has parted */
      pthread_mutex_unlock (&self->lock);
      if (n > 0)
        offer (self, now_ns);
    }
  while (is_more);
}

void
plr_drain_stand_in (PlrDrain *self)
{
  size_t n;

  pthread_mutex_lock (&self->lock);
  do
    n = take_some (self, plr_clock_now (), false);
  while (n > 0);
  pthread_mutex_unlock (&self->lock);
}

/* Events of threads that have no ring were lost since they were counted before. @n_refused were at a moment between
 * @counted_ns and now. */
static void
tell_refused (PlrDrain *self, uint64_t n_refused, uint64_t counted_ns, uint64_t now_ns)
{
  if (n_refused > self->n_refused)
    {
      append_gap (self, PLR_GAP_MEMORY, self->refused_ns, now_ns, n_refused - self->n_refused);
      plr_count (&plr_counters.n_dropped, n_refused - self->n_refused);
    }
  self->n_refused = n_refused;
  self->refused_ns = counted_ns;
}

/* The clock is read while recording is on: nothing is missing before. */
void
plr_drain_pause (PlrDrain *self)
{
  uint64_t now_ns = plr_clock_now ();

  plr_thread_set_recording (false);
  pthread_mutex_lock (&self->lock);
  if (self->paused_ns == 0)
    self->paused_ns = now_ns; /* else the gap of the one before, not told yet, is of both */
  self->resumed_ns = 0;
  pthread_mutex_unlock (&self->lock);
}

static void
end_pause (PlrDrain *self)
{
  pthread_mutex_lock (&self->lock);
  if (self->paused_ns != 0 && self->resumed_ns == 0)
    self->resumed_ns = plr_clock_now ();
  pthread_mutex_unlock (&self->lock);
}

/* Likewise: nothing is missing behind. */
void
plr_drain_resume (PlrDrain *self)
{
  plr_thread_set_recording (true);
  end_pause (self);
}

static void
append_beat (PlrDrain *self, PlrEventKind kind, uint32_t what, uint64_t value, uint64_t now_ns)
{
  plr_backlog_append (&self->backlog, &(PlrEvent) {
                                        .time_ns = now_ns,
                                        .word = plr_event_word (kind, what, PARKLANE_WORKER_NONE, 0),
                                        .payload = value,
                                      });
}

/* With what is true now: it may have to wait for a fault's end before it is written. */
static void
append_heartbeat (PlrDrain *self, uint64_t now_ns)
{
  PlrBeatHealth health = self->writer.health.is_degraded ? PLR_BEAT_DEGRADED : PLR_BEAT_OK;
  bool is_paused = self->paused_ns != 0 && self->resumed_ns == 0;

  append_beat (self, PLR_EVENT_BEAT_COUNT, PLR_BEAT_EVENTS, plr_get (&plr_counters.n_events), now_ns);
  append_beat (self, PLR_EVENT_BEAT_COUNT, PLR_BEAT_DROPPED, plr_get (&plr_counters.n_dropped), now_ns);
  append_beat (self, PLR_EVENT_HEARTBEAT, is_paused ? PLR_BEAT_PAUSED : health,
               plr_get (&plr_counters.n_bytes), now_ns);
}

static void
beat (PlrDrain *self, uint64_t now_ns)
{
  uint64_t interval_ns = self->writer.info.heartbeat_ns;

  if (now_ns - self->heartbeat_ns < interval_ns)
    return;

  if (self->is_sheltered)
    plr_thread_call ();
  append_heartbeat (self, now_ns);
  if (now_ns / interval_ns % CLOCK_SYNC_HEARTBEATS == 0)
    {
      PlrEvent event = { .word = plr_event_word (PLR_EVENT_CLOCK_SYNC, 0, PARKLANE_WORKER_NONE, 0) };

      plr_clock_sync (&event.time_ns, &event.payload);
      plr_backlog_append (&self->backlog, &event);
    }

  /* In step with the second, but not in a burst after a wait. */
  self->heartbeat_ns += interval_ns;
  if (now_ns - self->heartbeat_ns >= interval_ns)
    self->heartbeat_ns = now_ns;
}

void
plr_drain_cycle (PlrDrain *self, bool is_last)
{
  uint64_t counted_ns;
  uint64_t n_refused;
  uint64_t now_ns;

  plr_clock_tick ();
  counted_ns = plr_clock_now ();
  n_refused = plr_thread_get_n_refused ();
  now_ns = plr_clock_now ();
  set_writing (self, true);
  plr_writer_tick (&self->writer, now_ns);
  set_writing (self, false);
  take_rings (self, is_last ? UINT64_MAX : now_ns, now_ns, is_last);

  make_room (self, now_ns);
  pthread_mutex_lock (&self->lock);
  tell_refused (self, n_refused, counted_ns, now_ns);
  beat (self, now_ns);
  pthread_mutex_unlock (&self->lock);
  offer (self, now_ns);

  if (atomic_exchange_explicit (&self->requests->must_rotate, false, memory_order_relaxed))
    {
      set_writing (self, true);
      plr_writer_rotate (&self->writer, now_ns);
      set_writing (self, false);
    }
  if (plr_backlog_get_n (&self->backlog) == 0)
    atomic_fetch_add_explicit (&self->requests->n_flushed, 1, memory_order_release);
}

void *
plr_drain_run (void *drain)
{
  PlrDrain *self = drain;
  uint64_t interval_ns = (uint64_t) self->config->drain_interval_ms * PLR_NS_PER_MS;

  while (!atomic_load_explicit (&self->requests->must_stop, memory_order_acquire))
    {
      plr_wake_wait (interval_ns);
      plr_drain_cycle (self, false);
    }
  plr_health_hurry (&self->writer.health);
  end_pause (self);
  plr_drain_cycle (self, true);
  return NULL;
}

int
plr_drain_close (PlrDrain *self)
{
  uint64_t n_left = plr_backlog_get_n (&self->backlog);
  int r;

  r = plr_writer_close (&self->writer, plr_clock_now ());
  if (r == 0 && n_left > 0)
    r = -EIO;
  plr_count (&plr_counters.n_dropped, n_left);

  if (self->is_sheltered)
    plr_shelter_end ();
  plr_backlog_close (&self->backlog);
  plr_merge_free (self->merge);
  (void) pthread_mutex_destroy (&self->lock); /* nobody waits for it */
  plr_clock_stop ();
  return r;
}
