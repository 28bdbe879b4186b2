/* writer.c: keeps a segment open and fills it
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * An event is done with when a write that held it has returned. When something fails, the segment is
 * given up at its last whole write, the directory is opened anew after a while, and the events that were
 * not done are encoded again into a new segment, which decodes without the old one.
 */
#include "writer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "clock.h"
#include "counters.h"
#include "metadata.h"
#include "names.h"
#include "recorder-config.h"

/* Encoded bytes that are worth a write of their own; leaves room in the buffer for the largest metadata. */
#define FLUSH_BYTES (256 * 1024)

/* Of open polls and parks at the beginning of a batch: those of some ten thousand workers. With metadata it fits the buffer. */
#define MAX_OPEN_BYTES (256 * 1024)

/* And no more of a segment than this. */
#define OPEN_SHARE 4

#define HEARTBEAT_NS (1 * PLR_NS_PER_S)

/* How often the path is compared with the open directory. */
#define CHECK_NS (500 * PLR_NS_PER_MS)

static void
make_run_id (char id[33])
{
  uint8_t random[16];
  uint64_t monotonic_ns;
  uint64_t wall_ns;

  if (getrandom (random, sizeof random, GRND_NONBLOCK) != (ssize_t) sizeof random)
    {
      /* Early in a boot. The time of the start and the process tell runs apart as well. */
      plr_clock_sync (&monotonic_ns, &wall_ns);
      wall_ns ^= (uint64_t) getpid () << 40;
      memcpy (random, &monotonic_ns, 8);
      memcpy (random + 8, &wall_ns, 8);
    }
  for (size_t i = 0; i < sizeof random; i++)
    sprintf (id + 2 * i, "%02x", random[i]);
}

static void
publish (PlrWriter *self)
{
  uint64_t active = self->segment.fd >= 0 ? self->segment.size : 0;

  plr_set (&plr_counters.segment, self->segment.fd >= 0 ? (uint64_t) self->segment.index + 1 : 0);
  atomic_store_explicit (&plr_counters.has_directory, self->store != NULL, memory_order_relaxed);
  if (self->store == NULL)
    return;
  plr_set (&plr_counters.disk_bytes, plr_store_get_sealed_bytes (self->store) + active);
}

/* What these events were in is gone: they are told in the next segment. */
static void
lose (PlrWriter *self, const PlrSpan *events)
{
  plr_span_add (&self->lost, events);
  plr_backlog_note_lost (self->backlog, &self->lost);
  plr_count (&plr_counters.n_dropped, events->n - events->n_told);
}

/* Of a segment that is sealed now or, where that fails, when the directory is there again. */
static void
count_incomplete (PlrWriter *self, const PlrSpan *events)
{
  if (events->n > 0 && !self->is_complete)
    plr_count (&plr_counters.n_incomplete, 1);
}

static int
seal (PlrWriter *self)
{
  PlrSpan events = self->segment.events;
  int r = plr_store_seal_segment (self->store, &self->segment);

  plr_backlog_note_segment (self->backlog, NULL, 0, 0);
  if (r == -ENOENT) /* removed since the last look */
    lose (self, &events);
  else
    count_incomplete (self, &events);
  return r;
}

/* What the encoder holds of the backlog's events has to be encoded again. */
static void
take_back_encoded (PlrWriter *self)
{
  if (self->n_encoded > 0)
    self->again_until = plr_backlog_get_written (self->backlog) + self->n_encoded;
  plr_encoder_reset_buffer (self->encoder);
  self->n_encoded = 0;
  self->pending = (PlrSpan) { 0 };
}

/* Gives the segment up at its last whole write and closes the directory; the lock is kept. */
static void
fail (PlrWriter *self, const char *what, int error, uint64_t now_ns)
{
  take_back_encoded (self);
  if (self->segment.fd >= 0 && self->segment.is_torn)
    {
      plr_backlog_note_segment (self->backlog, NULL, 0, 0);
      count_incomplete (self, &self->segment.events);
      self->cut = (PlrCut) { .is_set = true, .index = self->segment.index, .size = self->segment.size };
      plr_segment_close (&self->segment);
    }
  else if (self->segment.fd >= 0)
    (void) seal (self);
  /* What kept its name is repaired and sealed when the directory is opened again. */
  plr_store_close_watching (self->store, &self->vigil);
  self->store = NULL;
  plr_health_fail (&self->health, what, error, now_ns);
}

/* The file went away under us. */
static void
lose_segment (PlrWriter *self, int error, uint64_t now_ns)
{
  lose (self, &self->segment.events);
  plr_backlog_note_segment (self->backlog, NULL, 0, 0);
  plr_segment_close (&self->segment);
  fail (self, "find the segment that is being written", error, now_ns);
}

static int
flush (PlrWriter *self, uint64_t now_ns)
{
  size_t size = plr_encoder_get_size (self->encoder);
  int r;

  if (size == 0)
    return 0;
  r = plr_store_make_room (self->store, self->segment.size + size);
  if (r == 0)
    {
      plr_backlog_intend (self->backlog, self->n_encoded, self->segment.index, self->segment.size, size);
      r = plr_segment_append (&self->segment, plr_encoder_get_data (self->encoder), size);
    }
  if (r == -ENOENT || r == -ESTALE)
    lose_segment (self, r, now_ns);
  else if (r < 0)
    fail (self, "write a segment", r, now_ns);
  if (r < 0)
    return r;

  plr_encoder_reset_buffer (self->encoder);
  plr_backlog_acknowledge (self->backlog, self->n_encoded);
  self->n_encoded = 0;
  plr_span_add (&self->segment.events, &self->pending);
  if (self->segment.events.n > 0)
    self->last_index = self->segment.index;
  plr_backlog_note_segment (self->backlog, &self->segment.events, self->segment.index, self->segment.size);
  self->pending = (PlrSpan) { 0 };
  plr_count (&plr_counters.n_bytes, size);
  plr_set (&plr_counters.last_write_ns, now_ns);
  publish (self);
  plr_health_recover (&self->health, now_ns);
  return 0;
}

static void
encode_clock_sync (PlrWriter *self)
{
  PlrEvent event = { .word = plr_event_word (PLR_EVENT_CLOCK_SYNC, 0, 0, 0) };

  plr_clock_sync (&event.time_ns, &event.payload);
  plr_encoder_event (self->encoder, &event);
}

static size_t
smaller (size_t a, size_t b)
{
  return a < b ? a : b;
}

/* Events that are encoded again have moved the state of their workers on already: what began before them is told. */
static void
encode_open (PlrWriter *self)
{
  bool is_again = plr_backlog_get_written (self->backlog) < self->again_until && plr_backlog_get_n (self->backlog) > 0;
  uint64_t before_ns = is_again ? plr_backlog_peek (self->backlog, 0)->time_ns : UINT64_MAX;

  plr_encoder_begin_events (self->encoder, before_ns,
                            smaller (MAX_OPEN_BYTES, (size_t) (self->config->max_file_size / OPEN_SHARE)));
}

/* A batch with metadata and clock, then a batch for what follows: as dial9 opens a file. */
static void
encode_metadata (PlrWriter *self, uint64_t now_ns)
{
  self->n_runtimes_told = plr_names_get_n_runtimes ();
  self->metadata_told = plr_metadata_get_version ();
  self->clock_told = plr_clock_get_name ();
  plr_encoder_begin_batch (self->encoder);
  plr_encoder_metadata (self->encoder, now_ns, &self->info, self->segment.index);
  encode_clock_sync (self);
  encode_open (self);
}

static void
encode_lost (PlrWriter *self)
{
  const PlrSpan *lost = &self->lost;
  PlrEvent event = {
    .time_ns = lost->last_ns,
    .word = plr_gap_word (PLR_GAP_OUTPUT, PARKLANE_WORKER_NONE, lost->n),
    .payload = lost->first_ns,
  };

  plr_encoder_know_gap (self->encoder, event.time_ns);
  plr_encoder_event (self->encoder, &event);
  self->pending = *lost;
  self->pending.n_told = lost->n;
}

/* Before anything is in the segment: a kill in between leaves an empty one. */
static void
note_rescue (PlrWriter *self)
{
  atomic_store_explicit (&self->note->last, self->segment.index + 1, memory_order_release);
  if (atomic_load_explicit (&self->note->first, memory_order_relaxed) == 0)
    atomic_store_explicit (&self->note->first, self->segment.index + 1, memory_order_release);
}

static int
open_segment (PlrWriter *self, uint64_t now_ns)
{
  int r;

  r = plr_store_create_segment (self->store, &self->segment, now_ns);
  if (r < 0)
    {
      fail (self, "open a segment", r, now_ns);
      return r;
    }

  self->n_left_out = plr_get (&plr_counters.n_left_out);
  self->is_complete = false;
  if (self->note != NULL)
    note_rescue (self);
  plr_encoder_begin_batch (self->encoder);
  encode_clock_sync (self);
  encode_metadata (self, now_ns);
  if (self->lost.n > 0)
    encode_lost (self);

  r = flush (self, now_ns);
  if (r == 0)
    {
      self->lost = (PlrSpan) { 0 };
      plr_backlog_note_lost (self->backlog, &self->lost);
    }
  return r;
}

/* Makes sure that there is a segment to write to, if it is time to try. */
static int
ensure_segment (PlrWriter *self, uint64_t now_ns)
{
  int r;

  if (self->segment.fd >= 0)
    return 0;
  if (!plr_health_may_try (&self->health, now_ns))
    return -EAGAIN;

  if (self->store == NULL)
    {
      plr_vigil_interrupt (&self->vigil);
      r = plr_store_open (&self->store, self->config->output_dir, self->config->file_prefix, self->info.budget_bytes,
                          &self->cut);
      if (r < 0)
        {
          plr_vigil_resume (&self->vigil);
          plr_health_fail (&self->health, "open the output directory", r, now_ns);
          return r;
        }
      plr_vigil_end (&self->vigil);
      self->cut.is_set = false;
      if (self->last_index != UINT32_MAX)
        plr_store_go_on_above (self->store, self->last_index);
      plr_store_set_finisher (self->store, &self->finisher, self->config->compress == PARKLANE_COMPRESS_ZSTD);
    }
  return open_segment (self, now_ns);
}

int
plr_writer_open (PlrWriter *self, const ParklaneConfig *config, PlrBacklog *backlog, const PlrLegacy *legacy,
                 uint64_t now_ns)
{
  int r;

  *self = (PlrWriter) {
    .config = config,
    .backlog = backlog,
    .segment = PLR_SEGMENT_CLOSED,
    .vigil = PLR_VIGIL_NONE,
    .last_index = UINT32_MAX,
    .info = {
      .service_name = config->service_name,
      .pid = (uint32_t) getpid (),
      .budget_bytes = plr_config_get_budget (config),
      .heartbeat_ns = HEARTBEAT_NS,
      .time_resolution_ns = config->time_resolution_ns,
    },
  };
  make_run_id (self->info.run_id);
  if (legacy != NULL)
    {
      self->note = legacy->note;
      self->info = legacy->info;
      self->cut = legacy->cut;
    }
  plr_health_init (&self->health, NULL, NULL, now_ns); /* silent: whoever starts the session gets the error */

  self->encoder = plr_encoder_new ();
  if (self->encoder == NULL)
    return -ENOMEM;
  plr_encoder_set_time_resolution (self->encoder, self->info.time_resolution_ns);
  r = ensure_segment (self, now_ns);
  if (r < 0)
    goto close_store;
  r = plr_finisher_start (&self->finisher);
  if (r < 0)
    goto close_segment;
  self->health.log = config->log;
  self->health.log_data = config->log_data;
  return 0;

close_segment:
  (void) plr_store_seal_segment (self->store, &self->segment); /* which holds nothing, so it goes */
close_store:
  plr_store_close (self->store);
  plr_vigil_end (&self->vigil);
  plr_encoder_free (self->encoder);
  return r;
}

/* Threads are merged by time: what a segment lacks of its time is what lay in rings that were left out. */
static int
end_segment (PlrWriter *self, uint64_t now_ns)
{
  bool is_complete = plr_get (&plr_counters.n_left_out) == self->n_left_out;
  int r;

  if (self->segment.events.n == 0)
    return 0;
  plr_encoder_end_segment (self->encoder, self->segment.events.last_ns, is_complete);
  r = flush (self, now_ns);
  self->is_complete = r == 0 && is_complete;
  return r;
}

void
plr_writer_rotate (PlrWriter *self, uint64_t now_ns)
{
  int r;

  if (self->segment.fd < 0 || self->segment.events.n == 0 || end_segment (self, now_ns) < 0)
    return;
  r = seal (self);
  if (r < 0)
    fail (self, "seal a segment", r, now_ns);
}

/* Bytes of the buffer below which one more event cannot take the segment over its limit. */
static size_t
get_fill_limit (const PlrWriter *self)
{
  uint64_t taken = self->segment.size + PLR_ENCODER_MAX_EVENT + PLR_ENCODER_END_BYTES;

  return self->config->max_file_size < taken ? 0 : (size_t) (self->config->max_file_size - taken) + 1;
}

/* A segment without events takes any. */
static bool
is_full (const PlrWriter *self)
{
  return self->segment.fd >= 0 && self->segment.events.n + self->pending.n > 0
         && plr_encoder_get_size (self->encoder) >= get_fill_limit (self);
}

static bool
is_metadata_stale (const PlrWriter *self)
{
  return self->n_runtimes_told != plr_names_get_n_runtimes () || self->metadata_told != plr_metadata_get_version ()
         || self->clock_told != plr_clock_get_name ();
}

/* Sees to it that there is a segment with room for an event. */
static int
prepare (PlrWriter *self, uint64_t now_ns)
{
  int r;

  if (is_full (self))
    {
      r = flush (self, now_ns);
      if (r < 0)
        return r;
      plr_writer_rotate (self, now_ns);
    }

  return ensure_segment (self, now_ns);
}

static void
account_gap (PlrSpan *span, const PlrEvent *event)
{
  uint64_t n = plr_word_arg (event->word) > 0 ? plr_word_arg (event->word) : 1;

  plr_span_add (span, &(PlrSpan) { .n = n, .n_told = n, .first_ns = event->payload, .last_ns = event->time_ns });
}

/* Adds what the host would miss. */
static void
account (PlrSpan *span, const PlrEvent *events, size_t n)
{
  for (size_t i = 0; i < n; i++)
    {
      PlrEventKind kind = plr_word_kind (events[i].word);

      if (plr_event_is_recorded (kind))
        {
          if (span->n++ == 0)
            span->first_ns = events[i].time_ns;
          span->last_ns = events[i].time_ns;
        }
      else if (kind == PLR_EVENT_GAP)
        account_gap (span, &events[i]);
    }
}

/* Begins a batch in the middle of a segment, or, where what is open then does not fit in, in the next one. */
static int
begin_batch (PlrWriter *self, bool with_metadata, uint64_t now_ns)
{
  int r = flush (self, now_ns);

  if (r < 0)
    return r;
  if (with_metadata)
    encode_metadata (self, now_ns);
  else
    encode_open (self);
  if (!is_full (self))
    return 0;

  plr_encoder_reset_buffer (self->encoder);
  plr_writer_rotate (self, now_ns);
  return ensure_segment (self, now_ns);
}

/* Encodes events until it is time to look at segment, batch or buffer again; one at the least. */
static size_t
encode (PlrWriter *self, const PlrEvent *events, size_t n)
{
  size_t size = plr_encoder_get_size (self->encoder);
  size_t batch_limit = size + PLR_BATCH_BYTES - plr_encoder_get_batch_size (self->encoder);
  size_t limit = smaller (FLUSH_BYTES, smaller (batch_limit, get_fill_limit (self)));
  size_t n_encoded = plr_encoder_events (self->encoder, events, n, limit);

  self->n_encoded += n_encoded;
  account (&self->pending, events, n_encoded);
  return n_encoded;
}

void
plr_writer_write (PlrWriter *self, const PlrEvent *events, size_t n, uint64_t now_ns)
{
  for (size_t i = 0; i < n;)
    {
      bool with_metadata;

      if (prepare (self, now_ns) < 0)
        return;

      /* What was registered before these events were taken; once for all of them, as they are many. */
      with_metadata = i == 0 && is_metadata_stale (self);
      if ((with_metadata || plr_encoder_get_batch_size (self->encoder) >= PLR_BATCH_BYTES
           || plr_encoder_is_behind_gap (self->encoder))
          && begin_batch (self, with_metadata, now_ns) < 0)
        return;

      i += encode (self, events + i, n - i);
      if (plr_encoder_get_size (self->encoder) >= FLUSH_BYTES && flush (self, now_ns) < 0)
        return;
    }

  if (self->segment.fd >= 0)
    (void) flush (self, now_ns); /* told by what is acknowledged */
}

/* Whether an error says that the path leads elsewhere now. Others, such as a directory above that may no
 * longer be searched, leave the open directory as good as it was. */
static bool
is_gone (int error)
{
  return error == -ENOENT || error == -ESTALE || error == -ENOTDIR || error == -ELOOP || error == -EBADF;
}

/* A segment that may not survive a loss of power is told, but the one that is being written is as good as before. */
static void
finish_sealed (PlrWriter *self, uint64_t now_ns)
{
  uint64_t active_bytes = self->segment.fd >= 0 ? self->segment.size : 0;

  if (self->store != NULL)
    {
      int r = plr_store_finish (self->store, active_bytes);
      if (r < 0)
        plr_health_fail (&self->health, "sync a sealed segment", r, now_ns);
    }
}

void
plr_writer_tick (PlrWriter *self, uint64_t now_ns)
{
  uint64_t max_age_ns = (uint64_t) self->config->max_segment_age_s * PLR_NS_PER_S;
  int r;

  if (self->segment.fd >= 0)
    {
      r = plr_segment_check (&self->segment);
      if (r == -ENOENT || r == -ESTALE)
        lose_segment (self, r, now_ns);
      else if (r < 0)
        fail (self, "use the segment that is being written", r, now_ns);
    }
  if (self->segment.fd >= 0 && now_ns - self->checked_ns >= (uint64_t) CHECK_NS)
    {
      self->checked_ns = now_ns;
      r = plr_store_check (self->store);
      if (is_gone (r))
        fail (self, "find the output directory", r, now_ns);
    }
  if (self->segment.fd >= 0 && max_age_ns > 0 && now_ns - self->segment.opened_ns >= max_age_ns)
    plr_writer_rotate (self, now_ns);
  finish_sealed (self, now_ns);

  (void) ensure_segment (self, now_ns); /* told by health */
  publish (self);
}

int
plr_writer_close (PlrWriter *self, uint64_t now_ns)
{
  if (self->segment.fd >= 0 && end_segment (self, now_ns) == 0)
    {
      int r = seal (self);

      if (r < 0)
        plr_health_fail (&self->health, "seal the last segment", r, now_ns);
    }
  plr_finisher_stop (&self->finisher);
  if (self->store != NULL)
    {
      int r = plr_store_finish_last (self->store);

      if (r < 0)
        plr_health_fail (&self->health, "sync the last segment", r, now_ns);
    }
  plr_store_close (self->store);
  plr_vigil_end (&self->vigil);
  plr_encoder_free (self->encoder);
  return self->health.error;
}
