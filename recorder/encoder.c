/* encoder.c: encodes events as TRC version 1 frames
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Order within one event, as upstream's encoder has it: pool entries, schema, reset, event.
 */
#include "encoder-private.h"

#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "parklane-recorder.h"
#include "schemas.h"
#include "trc.h"

static const char *const gap_causes[PLR_N_GAP_CAUSES] = {
  [PLR_GAP_RING] = "ring full",
  [PLR_GAP_OUTPUT] = "output",
  [PLR_GAP_PAUSE] = "paused",
  [PLR_GAP_MEMORY] = "no memory",
};

static const char *const beat_healths[PLR_N_BEAT_HEALTHS] = {
  [PLR_BEAT_OK] = "ok",
  [PLR_BEAT_DEGRADED] = "degraded",
  [PLR_BEAT_PAUSED] = "paused",
};

static const char *const counter_names[PARKLANE_N_COUNTERS] = {
  [PARKLANE_COUNTER_STEALS] = "steals",
  [PARKLANE_COUNTER_STEAL_OPERATIONS] = "steal operations",
  [PARKLANE_COUNTER_OVERFLOWS] = "overflows",
  [PARKLANE_COUNTER_REMOTE_SCHEDULES] = "remote schedules",
  [PARKLANE_COUNTER_BUDGET_YIELDS] = "budget-forced yields",
  [PARKLANE_COUNTER_BLOCKING_QUEUE] = "blocking queue",
  [PARKLANE_COUNTER_BLOCKING_THREADS] = "blocking threads",
  [PARKLANE_COUNTER_IDLE_BLOCKING_THREADS] = "idle blocking threads",
  [PARKLANE_COUNTER_SPAWNED_TASKS] = "spawned tasks",
};

/* Pooled strings by where they come from; a slot tells the pool id in the batch that used it last. */
#define SLOT_LOCATION 0u
#define SLOT_RUNTIME PLR_MAX_LOCATIONS
#define SLOT_CAUSE (SLOT_RUNTIME + PLR_MAX_RUNTIMES)
#define SLOT_HEALTH (SLOT_CAUSE + PLR_N_GAP_CAUSES)
#define SLOT_COUNTER (SLOT_HEALTH + PLR_N_BEAT_HEALTHS)
#define N_SLOTS (SLOT_COUNTER + PARKLANE_N_COUNTERS)

PlrEncoder *
plr_encoder_new (void)
{
  PlrEncoder *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->data = malloc (PLR_ENCODER_BUFFER);
  self->slots = calloc (N_SLOTS, sizeof *self->slots); /* pages of slots never used are never touched */
  if (self->data == NULL || self->slots == NULL || plr_open_polls_open (&self->open_polls) < 0
      || plr_open_parks_open (&self->open_parks) < 0)
    {
      plr_encoder_free (self);
      return NULL;
    }
  self->resolution_ns = 1;
  self->sched_wait_ns = PARKLANE_NOT_MEASURED;
  self->sched_delay_ns = PARKLANE_NOT_MEASURED;
  return self;
}

void
plr_encoder_free (PlrEncoder *self)
{
  if (self == NULL)
    return;
  free (self->data);
  free (self->slots);
  plr_open_polls_close (&self->open_polls);
  plr_open_parks_close (&self->open_parks);
  free (self);
}

void
plr_encoder_set_time_resolution (PlrEncoder *self, uint32_t ns)
{
  self->resolution_ns = ns;
}

const uint8_t *
plr_encoder_get_data (const PlrEncoder *self)
{
  return self->data;
}

size_t
plr_encoder_get_size (const PlrEncoder *self)
{
  return self->size;
}

void
plr_encoder_reset_buffer (PlrEncoder *self)
{
  self->batch_size += self->size;
  self->size = 0;
}

size_t
plr_encoder_get_batch_size (const PlrEncoder *self)
{
  return self->batch_size + self->size;
}

void
plr_encoder_begin_batch (PlrEncoder *self)
{
  uint8_t *p = self->data + self->size;

  self->batch_size = (size_t) 0 - self->size; /* what the buffer holds so far is not of this batch */
  memcpy (p, TRC_MAGIC, TRC_MAGIC_SIZE);
  p[TRC_MAGIC_SIZE] = TRC_VERSION;
  self->size += TRC_HEADER_SIZE;

  self->base_ns = 0;
  self->known_types = 0;
  self->n_strings = 0;
  self->batch++;
}

void
plr_encoder_write_schema (PlrEncoder *self, unsigned type)
{
  const PlrSchema *schema = &plr_schemas[type];
  uint8_t *p = self->data + self->size;
  uint16_t n_fields = 0;

  while (n_fields < PLR_MAX_FIELDS && schema->fields[n_fields].name != NULL)
    n_fields++;

  *p++ = TRC_TAG_SCHEMA;
  p = trc_write_u16 (p, (uint16_t) type);
  p = trc_write_u16 (p, (uint16_t) strlen (schema->name));
  p = plr_encoder_write_bytes (p, schema->name, strlen (schema->name));
  *p++ = 1; /* has a time stamp */
  p = trc_write_u16 (p, n_fields);
  for (unsigned i = 0; i < n_fields; i++)
    {
      const PlrField *field = &schema->fields[i];

      p = trc_write_u16 (p, (uint16_t) strlen (field->name));
      p = plr_encoder_write_bytes (p, field->name, strlen (field->name));
      *p++ = field->type;
    }

  self->size = (size_t) (p - self->data);
  self->known_types |= UINT32_C (1) << type;
}

static __attribute__ ((noinline)) uint32_t
write_string (PlrEncoder *self, PlrEncoderSlot *slot, const char *text)
{
  uint8_t *p = self->data + self->size;
  size_t length = strlen (text);

  slot->batch = self->batch;
  slot->pool_id = self->n_strings++;

  *p++ = TRC_TAG_STRING_POOL;
  p = trc_write_u32 (p, 1);
  p = trc_write_u32 (p, slot->pool_id);
  p = trc_write_u32 (p, (uint32_t) length);
  p = plr_encoder_write_bytes (p, text, length);
  self->size = (size_t) (p - self->data);
  return slot->pool_id;
}

/* Pool ids must be there before the event's frame begins: call these first. */

static inline uint32_t
intern_location (PlrEncoder *self, uint32_t id)
{
  PlrEncoderSlot *slot = &self->slots[SLOT_LOCATION + (id < PLR_MAX_LOCATIONS ? id : PARKLANE_LOCATION_UNKNOWN)];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, plr_names_get_location (id));
}

uint32_t
plr_encoder_intern_location (PlrEncoder *self, uint32_t id)
{
  return intern_location (self, id);
}

static uint32_t
intern_runtime (PlrEncoder *self, uint32_t id)
{
  PlrEncoderSlot *slot = &self->slots[SLOT_RUNTIME + (id < PLR_MAX_RUNTIMES ? id : 0)];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, plr_names_get_runtime (id).name);
}

static uint32_t
intern_cause (PlrEncoder *self, uint32_t cause)
{
  PlrEncoderSlot *slot = &self->slots[SLOT_CAUSE + cause];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, gap_causes[cause]);
}

static uint32_t
intern_health (PlrEncoder *self, uint32_t health)
{
  PlrEncoderSlot *slot;

  health = health < PLR_N_BEAT_HEALTHS ? health : PLR_BEAT_DEGRADED;
  slot = &self->slots[SLOT_HEALTH + health];
  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, beat_healths[health]);
}

static uint32_t
intern_counter (PlrEncoder *self, uint32_t counter)
{
  PlrEncoderSlot *slot = &self->slots[SLOT_COUNTER + counter];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, counter_names[counter]);
}

static void
encode_unpark (PlrEncoder *self, const PlrEvent *event)
{
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_UNPARK, event->time_ns);

  plr_open_parks_end (&self->open_parks, plr_word_worker (event->word));
  *p++ = (uint8_t) plr_word_queue (event->word);
  p = trc_write_varint (p, plr_encoder_round (self, event->payload));
  *p++ = self->sched_wait_ns != PARKLANE_NOT_MEASURED;
  if (self->sched_wait_ns != PARKLANE_NOT_MEASURED)
    p = trc_write_varint (p, plr_encoder_round (self, self->sched_wait_ns));
  self->sched_wait_ns = PARKLANE_NOT_MEASURED;
  p = trc_write_varint (p, plr_word_worker (event->word));
  plr_encoder_end_event (self, trc_write_u32 (p, event->tid));
}

static void
encode_gap (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t cause = plr_word_queue (event->word);
  uint32_t pool_id = intern_cause (self, cause < PLR_N_GAP_CAUSES ? cause : PLR_GAP_OUTPUT);
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_GAP, event->time_ns);

  p = trc_write_varint (p, plr_encoder_round (self, event->payload));
  p = trc_write_varint (p, plr_encoder_round (self, event->time_ns));
  p = trc_write_varint (p, plr_word_arg (event->word));
  p = trc_write_varint (p, plr_word_worker (event->word));
  p = trc_write_u32 (p, event->tid);
  p = trc_write_u32 (p, pool_id);
  plr_encoder_end_event (self, p);
}

static void
encode_heartbeat (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id = intern_health (self, plr_word_queue (event->word));
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_HEARTBEAT, event->time_ns);

  p = trc_write_varint (p, self->beat_counts[PLR_BEAT_EVENTS]);
  p = trc_write_varint (p, self->beat_counts[PLR_BEAT_DROPPED]);
  p = trc_write_varint (p, event->payload);
  p = trc_write_u32 (p, pool_id);
  plr_encoder_end_event (self, p);
}

static void
encode_queue_depth (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id = intern_runtime (self, plr_word_arg (event->word));
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_RUNTIME_METRICS, event->time_ns);

  p = trc_write_u32 (p, pool_id);
  p = trc_write_u32 (p, (uint32_t) event->payload);
  p = trc_write_u32 (p, (uint32_t) (event->payload >> 32));
  plr_encoder_end_event (self, p);
}

/* Another thread polls or waits in the name of a worker whose thread is in a poll still: it blocks in place. For the worker,
 * that poll ends here. */
static __attribute__ ((noinline)) void
encode_hand_over (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);
  uint8_t *p;

  plr_open_polls_detach (&self->open_polls, worker, event->time_ns);
  p = plr_encoder_begin_event (self, PLR_TYPE_POLL_END, event->time_ns);
  plr_encoder_end_event (self, trc_write_varint (p, worker));
}

static inline void
follow_hand_over (PlrEncoder *self, const PlrEvent *event)
{
  if (plr_open_polls_is_handed_over (&self->open_polls, event))
    encode_hand_over (self, event);
}

/* The rest of a poll, from when its thread had lost the worker to its end. */
static __attribute__ ((noinline)) void
encode_detached_poll (PlrEncoder *self, const PlrEvent *event, const PlrDetachedPoll *detached)
{
  uint32_t pool_id = intern_location (self, detached->poll.location);
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_DETACHED_POLL, event->time_ns);

  p = trc_write_varint (p, detached->poll.task);
  p = trc_write_varint (p, plr_encoder_round (self, detached->poll.start_ns));
  p = trc_write_varint (p, plr_encoder_round (self, detached->lost_ns));
  p = trc_write_varint (p, detached->worker);
  p = trc_write_u32 (p, event->tid);
  plr_encoder_end_event (self, trc_write_u32 (p, pool_id));
}

static inline void
encode_poll_start (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id = intern_location (self, plr_word_arg (event->word));
  bool is_delayed = self->sched_delay_ns != PARKLANE_NOT_MEASURED;
  uint8_t *p;

  follow_hand_over (self, event);
  plr_open_polls_start (&self->open_polls, event);
  p = plr_encoder_begin_event (self, is_delayed ? PLR_TYPE_DELAYED_POLL_START : PLR_TYPE_POLL_START, event->time_ns);
  p = trc_write_varint (p, event->payload);
  if (is_delayed)
    p = trc_write_varint (p, plr_encoder_round (self, self->sched_delay_ns));
  self->sched_delay_ns = PARKLANE_NOT_MEASURED;
  *p++ = (uint8_t) plr_word_queue (event->word);
  p = trc_write_varint (p, plr_word_worker (event->word));
  plr_encoder_end_event (self, trc_write_u32 (p, pool_id));
}

static inline void
encode_poll_end (PlrEncoder *self, const PlrEvent *event)
{
  PlrDetachedPoll detached;
  uint8_t *p;

  if (__builtin_expect (self->open_polls.n_detached > 0, 0)
      && plr_open_polls_take_detached (&self->open_polls, plr_word_worker (event->word), event->tid, &detached))
    {
      encode_detached_poll (self, event, &detached);
      return;
    }
  plr_open_polls_end (&self->open_polls, event);
  p = plr_encoder_begin_event (self, PLR_TYPE_POLL_END, event->time_ns);
  plr_encoder_end_event (self, trc_write_varint (p, plr_word_worker (event->word)));
}

static void
encode_park (PlrEncoder *self, const PlrEvent *event)
{
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_PARK, event->time_ns);

  plr_open_parks_begin (&self->open_parks, event);
  p = trc_write_varint (p, plr_encoder_round (self, event->payload));
  p = trc_write_varint (p, plr_word_worker (event->word));
  p = trc_write_u32 (p, event->tid);
  *p++ = (uint8_t) plr_word_queue (event->word);
  plr_encoder_end_event (self, p);
}

static void
encode_blocking_start (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id = intern_location (self, plr_word_arg (event->word));
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_BLOCKING_START, event->time_ns);

  *p++ = event->payload != PARKLANE_NOT_MEASURED;
  if (event->payload != PARKLANE_NOT_MEASURED)
    p = trc_write_varint (p, plr_encoder_round (self, event->payload));
  p = trc_write_u32 (p, event->tid);
  plr_encoder_end_event (self, trc_write_u32 (p, pool_id));
}

static void
encode_counter (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t counter = plr_word_arg (event->word) >> 16;
  uint32_t runtime_id = intern_runtime (self, plr_word_arg (event->word) & 0xffff);
  uint32_t name_id = intern_counter (self, counter < PARKLANE_N_COUNTERS ? counter : 0);
  uint8_t *p = plr_encoder_begin_event (self, PLR_TYPE_COUNTER, event->time_ns);

  p = trc_write_u32 (p, runtime_id);
  p = trc_write_u32 (p, name_id);
  plr_encoder_end_event (self, trc_write_varint (p, event->payload));
}

/* All kinds but those that a worker records for each poll. */
static __attribute__ ((noinline)) void
encode_rarer (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id;
  uint8_t *p;

  switch (plr_word_kind (event->word))
    {
    case PLR_EVENT_PARK:
      follow_hand_over (self, event);
      encode_park (self, event);
      break;

    case PLR_EVENT_UNPARK:
      follow_hand_over (self, event);
      encode_unpark (self, event);
      break;

    case PLR_EVENT_SCHED_WAIT:
      self->sched_wait_ns = event->payload;
      break;

    case PLR_EVENT_TASK_SPAWN:
      pool_id = intern_location (self, plr_word_arg (event->word));
      p = plr_encoder_begin_event (self, PLR_TYPE_TASK_SPAWN, event->time_ns);
      p = trc_write_varint (p, event->payload);
      p = trc_write_u32 (p, pool_id);
      *p++ = 0; /* not spawned through dial9's own function: no wake events, no dumps */
      plr_encoder_end_event (self, p);
      break;

    case PLR_EVENT_TASK_TERMINATE:
      p = plr_encoder_begin_event (self, PLR_TYPE_TASK_TERMINATE, event->time_ns);
      plr_encoder_end_event (self, trc_write_varint (p, event->payload));
      break;

    case PLR_EVENT_QUEUE_DEPTH:
      encode_queue_depth (self, event);
      break;

    case PLR_EVENT_GAP:
      plr_encoder_follow_gap (self, event);
      encode_gap (self, event);
      break;

    case PLR_EVENT_HEARTBEAT:
      encode_heartbeat (self, event);
      break;

    case PLR_EVENT_CLOCK_SYNC:
      p = plr_encoder_begin_event (self, PLR_TYPE_CLOCK_SYNC, event->time_ns);
      /* back by as much, so that the two are of one moment still */
      plr_encoder_end_event (self, trc_write_varint (p, event->payload - (event->time_ns - self->base_ns)));
      break;

    case PLR_EVENT_SCHED_DELAY:
      self->sched_delay_ns = event->payload;
      break;

    case PLR_EVENT_BLOCKING_START:
      encode_blocking_start (self, event);
      break;

    case PLR_EVENT_BLOCKING_END:
      p = plr_encoder_begin_event (self, PLR_TYPE_BLOCKING_END, event->time_ns);
      plr_encoder_end_event (self, trc_write_u32 (p, event->tid));
      break;

    case PLR_EVENT_COUNTER:
      encode_counter (self, event);
      break;

    case PLR_EVENT_BEAT_COUNT:
      if (plr_word_queue (event->word) < PLR_N_BEAT_COUNTS)
        self->beat_counts[plr_word_queue (event->word)] = event->payload;
      break;

    case PLR_EVENT_NONE:
    case PLR_EVENT_POLL_START:
    case PLR_EVENT_POLL_END:
    case PLR_N_EVENT_KINDS:
      break;
    }
}

static inline void
encode_event (PlrEncoder *self, const PlrEvent *event)
{
  PlrEventKind kind = plr_word_kind (event->word);

  if (kind == PLR_EVENT_POLL_START)
    encode_poll_start (self, event);
  else if (kind == PLR_EVENT_POLL_END)
    encode_poll_end (self, event);
  else
    encode_rarer (self, event);
}

size_t
plr_encoder_events (PlrEncoder *self, const PlrEvent *events, size_t n, size_t limit)
{
  size_t i;

  for (i = 0; i < n && (i == 0 || (self->size < limit && !self->is_behind_gap)); i++)
    encode_event (self, &events[i]);
  return i;
}

void
plr_encoder_event (PlrEncoder *self, const PlrEvent *event)
{
  (void) plr_encoder_events (self, event, 1, 0); /* takes one in any case */
}
