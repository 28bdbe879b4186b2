/* drain.c: the cycle of the recorder's thread
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Each cycle merges what the rings have published into the backlog and offers the backlog to the writer.
 * While the file can be written the backlog is empty between cycles. While it cannot, the backlog fills;
 * when it is full the oldest events go and a gap takes their place.
 */
#include "drain.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "clock.h"
#include "counters.h"
#include "wake.h"

/* Events taken between two offers to the writer: small enough for the second level cache. */
#define TAKE 8192

/* 16 MiB of events while the file cannot be written. */
#define BACKLOG_BYTES (16 * 1024 * 1024)
#define BACKLOG (BACKLOG_BYTES / sizeof (PlrEvent))

/* What goes when the backlog is full: enough that moving the rest is rare. */
#define DISCARD (BACKLOG / 8)

/* How often a wall-clock anchor goes into the stream: keeps drift and steps of the wall clock visible. */
#define CLOCK_SYNC_HEARTBEATS 10

_Static_assert (BACKLOG > 2 * TAKE, "a cycle fits beside what is discarded");

int
plr_drain_open (PlrDrain *self, const ParklaneConfig *config)
{
  uint64_t now_ns;
  int r = -ENOMEM;

  plr_clock_start (config->clock == PARKLANE_CLOCK_AUTO);
  now_ns = plr_clock_now ();
  *self = (PlrDrain) { .config = config, .last_ns = now_ns, .heartbeat_ns = now_ns, .n_refused = plr_thread_get_n_refused () };
  self->merge = plr_merge_new ();
  if (self->merge == NULL)
    return -ENOMEM;

  self->backlog = mmap (NULL, BACKLOG_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (self->backlog == MAP_FAILED)
    goto free_merge;

  r = plr_writer_open (&self->writer, self->config, now_ns);
  if (r < 0)
    goto unmap;

  plr_merge_discard (self->merge);
  return 0;

unmap:
  (void) munmap (self->backlog, BACKLOG_BYTES); /* cannot fail on a mapping of ours */
free_merge:
  plr_merge_free (self->merge);
  return r;
}

static uint32_t
clamp_u32 (uint64_t n)
{
  return n > UINT32_MAX ? UINT32_MAX : (uint32_t) n;
}

static void
append (PlrDrain *self, const PlrEvent *event)
{
  if (self->n_backlog < BACKLOG)
    self->backlog[self->n_backlog++] = *event;
}

static void
append_gap (PlrDrain *self, PlrGapCause cause, uint64_t from_ns, uint64_t to_ns, uint64_t n)
{
  append (self, &(PlrEvent) {
                  .time_ns = to_ns,
                  .word = plr_event_word (PLR_EVENT_GAP, cause, PARKLANE_WORKER_NONE, clamp_u32 (n)),
                  .payload = from_ns,
                });
}

/* Events that a discarded stretch stands for: a gap counts for those it tells of. */
static uint64_t
count_discarded (const PlrEvent *events, size_t n, uint64_t *out_from_ns)
{
  uint64_t count = 0;

  *out_from_ns = events[0].time_ns;
  for (size_t i = 0; i < n; i++)
    switch (plr_word_kind (events[i].word))
      {
      case PLR_EVENT_GAP:
        if (events[i].payload < *out_from_ns)
          *out_from_ns = events[i].payload;
        count += plr_word_arg (events[i].word);
        break;
      case PLR_EVENT_HEARTBEAT:
      case PLR_EVENT_CLOCK_SYNC:
      case PLR_EVENT_SCHED_WAIT:
        break;
      default:
        count++;
      }
  return count;
}

/* Replaces the oldest events by one gap that tells of them. */
static void
discard_oldest (PlrDrain *self)
{
  uint64_t to_ns = self->backlog[DISCARD - 1].time_ns;
  uint64_t from_ns;
  uint64_t n_told = 0;
  uint64_t n;

  if (plr_word_kind (self->backlog[0].word) == PLR_EVENT_GAP)
    n_told = plr_word_arg (self->backlog[0].word);
  n = count_discarded (self->backlog, DISCARD, &from_ns);
  plr_count (&plr_counters.n_dropped, n - n_told);

  self->backlog[0] = (PlrEvent) {
    .time_ns = to_ns,
    .word = plr_event_word (PLR_EVENT_GAP, PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, clamp_u32 (n)),
    .payload = from_ns,
  };
  self->n_backlog -= DISCARD - 1;
  memmove (self->backlog + 1, self->backlog + DISCARD, (self->n_backlog - 1) * sizeof *self->backlog);
}

static void
offer (PlrDrain *self, uint64_t now_ns)
{
  size_t n_done;

  if (self->n_backlog == 0)
    return;
  n_done = plr_writer_write (&self->writer, self->backlog, self->n_backlog, now_ns);
  self->n_backlog -= n_done;
  if (n_done > 0 && self->n_backlog > 0)
    memmove (self->backlog, self->backlog + n_done, self->n_backlog * sizeof *self->backlog);
}

/* Recorded events among what the rings gave: a gap and the first half of an unpark are none. */
static uint64_t
count_events (const PlrEvent *events, size_t n)
{
  uint64_t count = 0;

  for (size_t i = 0; i < n; i++)
    {
      PlrEventKind kind = plr_word_kind (events[i].word);

      count += kind != PLR_EVENT_SCHED_WAIT && kind != PLR_EVENT_GAP;
    }
  return count;
}

static void
take_rings (PlrDrain *self, uint64_t until_ns, uint64_t now_ns, bool is_last)
{
  PlrEvent gap;
  size_t n;

  (void) plr_merge_begin (self->merge, until_ns); /* a ring that was left out is taken when there is memory */
  do
    {
      if (self->n_backlog + TAKE > BACKLOG)
        discard_oldest (self);
      n = plr_merge_take (self->merge, self->backlog + self->n_backlog, TAKE);
      plr_count (&plr_counters.n_events, count_events (self->backlog + self->n_backlog, n));
      self->n_backlog += n;
      offer (self, now_ns);
    }
  while (n > 0);

  while (plr_merge_take_gap (self->merge, is_last, &gap))
    append (self, &gap);
  plr_count (&plr_counters.n_dropped, plr_merge_end (self->merge));
}

/* Events of threads that have no ring are lost between this cycle and the one before. */
static void
tell_refused (PlrDrain *self, uint64_t now_ns)
{
  uint64_t n_refused = plr_thread_get_n_refused ();

  if (n_refused == self->n_refused)
    return;
  append_gap (self, PLR_GAP_MEMORY, self->last_ns, now_ns, n_refused - self->n_refused);
  plr_count (&plr_counters.n_dropped, n_refused - self->n_refused);
  self->n_refused = n_refused;
}

static void
follow_pause (PlrDrain *self, uint64_t now_ns)
{
  bool is_paused = atomic_load_explicit (&self->is_paused, memory_order_relaxed);

  if (is_paused && self->paused_ns == 0)
    self->paused_ns = now_ns;
  if (!is_paused && self->paused_ns != 0)
    {
      append_gap (self, PLR_GAP_PAUSE, self->paused_ns, now_ns, 0);
      self->paused_ns = 0;
    }
}

static void
beat (PlrDrain *self, uint64_t now_ns)
{
  uint64_t interval_ns = self->writer.info.heartbeat_ns;
  PlrEvent event = { .time_ns = now_ns, .word = plr_event_word (PLR_EVENT_HEARTBEAT, 0, PARKLANE_WORKER_NONE, 0) };
  PlrHeartbeat heartbeat;

  if (now_ns - self->heartbeat_ns < interval_ns)
    return;

  heartbeat = (PlrHeartbeat) {
    .n_events = plr_get (&plr_counters.n_events),
    .n_dropped = plr_get (&plr_counters.n_dropped),
    .n_bytes = plr_get (&plr_counters.n_bytes),
    .health = self->paused_ns != 0 ? "paused" : plr_health_get_name (&self->writer.health),
  };
  plr_encoder_set_heartbeat (self->writer.encoder, &heartbeat);
  append (self, &event);

  if (now_ns / interval_ns % CLOCK_SYNC_HEARTBEATS == 0)
    {
      event.word = plr_event_word (PLR_EVENT_CLOCK_SYNC, 0, PARKLANE_WORKER_NONE, 0);
      plr_clock_sync (&event.time_ns, &event.payload);
      append (self, &event);
    }

  /* In step with the second, but not in a burst after a wait. */
  self->heartbeat_ns += interval_ns;
  if (now_ns - self->heartbeat_ns >= interval_ns)
    self->heartbeat_ns = now_ns;
}

void
plr_drain_cycle (PlrDrain *self, bool is_last)
{
  uint64_t now_ns;

  plr_clock_tick ();
  now_ns = plr_clock_now ();
  plr_writer_tick (&self->writer, now_ns);
  take_rings (self, is_last ? UINT64_MAX : now_ns, now_ns, is_last);
  tell_refused (self, now_ns);
  follow_pause (self, now_ns);
  beat (self, now_ns);
  offer (self, now_ns);

  if (atomic_exchange_explicit (&self->must_rotate, false, memory_order_relaxed))
    plr_writer_rotate (&self->writer, now_ns);
  if (self->n_backlog == 0)
    atomic_fetch_add_explicit (&self->n_flushed, 1, memory_order_release);
  self->last_ns = now_ns;
}

void *
plr_drain_run (void *drain)
{
  PlrDrain *self = drain;
  uint64_t interval_ns = (uint64_t) self->config->drain_interval_ms * PLR_NS_PER_MS;

  while (!atomic_load_explicit (&self->must_stop, memory_order_acquire))
    {
      plr_wake_wait (interval_ns);
      plr_drain_cycle (self, false);
    }
  plr_health_hurry (&self->writer.health);
  plr_drain_cycle (self, true);
  return NULL;
}

int
plr_drain_close (PlrDrain *self)
{
  int r;

  r = plr_writer_close (&self->writer, plr_clock_now ());
  if (r == 0 && self->n_backlog > 0)
    r = -EIO;
  plr_count (&plr_counters.n_dropped, self->n_backlog);

  (void) munmap (self->backlog, BACKLOG_BYTES); /* cannot fail on a mapping of ours */
  plr_merge_free (self->merge);
  plr_clock_stop ();
  return r;
}
