/* encoder.c: encodes events as TRC version 1 frames
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Order within one event, as upstream's encoder has it: pool entries, schema, reset, event. Names and
 * field types are dial9's (its events catalogue, 0.5); events of our own begin with "Parklane".
 */
#include "encoder.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "names.h"
#include "parklane-recorder.h"
#include "trc.h"

#define MAX_FIELDS 6

/* Of open polls at the beginning of a batch: those of some sixty workers. With one more it is half of PLR_ENCODER_MAX_EVENT. */
#define MAX_TOLD_BYTES 1536

typedef struct
{
  const char *name;
  uint8_t type;
} Field;

typedef struct
{
  const char *name;
  Field fields[MAX_FIELDS];
} Schema;

/* The type id on the wire is the index; dial9 gives 1 to 255 to built-in events. */
enum
{
  TYPE_POLL_START = 1,
  TYPE_POLL_END,
  TYPE_PARK,
  TYPE_UNPARK,
  TYPE_TASK_SPAWN,
  TYPE_TASK_TERMINATE,
  TYPE_RUNTIME_METRICS,
  TYPE_CLOCK_SYNC,
  TYPE_METADATA,
  TYPE_HEARTBEAT,
  TYPE_GAP,
  TYPE_OPEN_POLL,
};

/* The order of the fields is free, readers know them by name. What differs from event to event stands first, behind the
 * time, so that it is one run of literals to a compressor and the rest one match. */
static const Schema schemas[] = {
  [TYPE_POLL_START] = { "PollStartEvent",
                        { { "task_id", TRC_VARINT }, { "local_queue", TRC_U8 }, { "worker_id", TRC_VARINT },
                          { "spawn_loc", TRC_POOLED_STRING } } },
  [TYPE_POLL_END] = { "PollEndEvent", { { "worker_id", TRC_VARINT } } },
  [TYPE_PARK] = { "WorkerParkEvent",
                  { { "local_queue", TRC_U8 }, { "cpu_time_ns", TRC_VARINT }, { "worker_id", TRC_VARINT },
                    { "tid", TRC_U32 } } },
  [TYPE_UNPARK] = { "WorkerUnparkEvent",
                    { { "local_queue", TRC_U8 }, { "cpu_time_ns", TRC_VARINT }, { "sched_wait_ns", TRC_VARINT | TRC_OPTIONAL },
                      { "worker_id", TRC_VARINT }, { "tid", TRC_U32 } } },
  [TYPE_TASK_SPAWN] = { "TaskSpawnEvent",
                        { { "task_id", TRC_VARINT }, { "spawn_loc", TRC_POOLED_STRING }, { "instrumented", TRC_BOOL } } },
  [TYPE_TASK_TERMINATE] = { "TaskTerminateEvent", { { "task_id", TRC_VARINT } } },
  [TYPE_RUNTIME_METRICS] = { "RuntimeMetricsEvent",
                             { { "runtime_name", TRC_POOLED_STRING }, { "global_queue_depth", TRC_U32 },
                               { "alive_tasks", TRC_U32 } } },
  [TYPE_CLOCK_SYNC] = { "ClockSyncEvent", { { "realtime_ns", TRC_VARINT } } },
  [TYPE_METADATA] = { "SegmentMetadataEvent", { { "entries", TRC_STRING_MAP } } },
  [TYPE_HEARTBEAT] = { "ParklaneHeartbeatEvent",
                       { { "events", TRC_VARINT }, { "dropped", TRC_VARINT }, { "bytes", TRC_VARINT },
                         { "health", TRC_POOLED_STRING } } },
  [TYPE_GAP] = { "ParklaneGapEvent",
                 { { "from_ns", TRC_VARINT }, { "to_ns", TRC_VARINT }, { "dropped", TRC_VARINT },
                   { "worker_id", TRC_VARINT }, { "tid", TRC_U32 }, { "cause", TRC_POOLED_STRING } } },
  /* The start of a poll that an earlier batch has, repeated with its time for readers that lack that batch. */
  [TYPE_OPEN_POLL] = { "ParklaneOpenPollEvent",
                       { { "task_id", TRC_VARINT }, { "local_queue", TRC_U8 }, { "worker_id", TRC_VARINT },
                         { "spawn_loc", TRC_POOLED_STRING } } },
};

static const char *const gap_causes[PLR_N_GAP_CAUSES] = {
  [PLR_GAP_RING] = "ring full",
  [PLR_GAP_OUTPUT] = "output",
  [PLR_GAP_PAUSE] = "paused",
  [PLR_GAP_MEMORY] = "no memory",
};

/* Pooled strings by where they come from; a slot tells the pool id in the batch that used it last. */
#define SLOT_LOCATION 0u
#define SLOT_RUNTIME PLR_MAX_LOCATIONS
#define SLOT_CAUSE (SLOT_RUNTIME + PLR_MAX_RUNTIMES)
#define SLOT_HEALTH (SLOT_CAUSE + PLR_N_GAP_CAUSES)
#define N_SLOTS (SLOT_HEALTH + 1)

typedef struct
{
  uint32_t batch;
  uint32_t pool_id;
} Slot;

#define N_WORKERS (PARKLANE_WORKER_MAX + 1)

typedef struct
{
  uint64_t start_ns; /* 0: none is open */
  uint64_t task;
  uint32_t location;
  uint32_t queue;
} OpenPoll;

struct _PlrEncoder
{
  uint8_t *data;
  size_t size;
  size_t batch_size; /* of the part of the batch that has left the buffer; wraps, see begin_batch */
  uint64_t base_ns;
  uint64_t sched_wait_ns; /* for the next unpark; PARKLANE_NOT_MEASURED when there is none */
  uint32_t known_types;   /* bit per type id */
  uint32_t batch;         /* number of this batch; slots of another number are unknown */
  uint32_t n_strings;
  PlrHeartbeat heartbeat;
  Slot *slots;
  OpenPoll *open_polls;   /* by worker */
  uint32_t n_workers;     /* those beyond have had no poll */
  bool must_tell_open;    /* the batch has not repeated the open polls yet */
};

PlrEncoder *
plr_encoder_new (void)
{
  PlrEncoder *self = calloc (1, sizeof *self);

  if (self == NULL)
    return NULL;
  self->data = malloc (PLR_ENCODER_BUFFER);
  self->slots = calloc (N_SLOTS, sizeof *self->slots); /* pages of slots never used are never touched */
  self->open_polls = calloc (N_WORKERS, sizeof *self->open_polls); /* likewise */
  if (self->data == NULL || self->slots == NULL || self->open_polls == NULL)
    {
      plr_encoder_free (self);
      return NULL;
    }
  self->heartbeat.health = "ok";
  self->sched_wait_ns = PARKLANE_NOT_MEASURED;
  return self;
}

void
plr_encoder_free (PlrEncoder *self)
{
  if (self == NULL)
    return;
  free (self->data);
  free (self->slots);
  free (self->open_polls);
  free (self);
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
plr_encoder_set_heartbeat (PlrEncoder *self, const PlrHeartbeat *heartbeat)
{
  self->heartbeat = *heartbeat;
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
  self->must_tell_open = true;
  self->batch++;
}

static uint8_t *
write_bytes (uint8_t *p, const char *text, size_t length)
{
  memcpy (p, text, length);
  return p + length;
}

static void
write_schema (PlrEncoder *self, unsigned type)
{
  const Schema *schema = &schemas[type];
  uint8_t *p = self->data + self->size;
  uint16_t n_fields = 0;

  while (n_fields < MAX_FIELDS && schema->fields[n_fields].name != NULL)
    n_fields++;

  *p++ = TRC_TAG_SCHEMA;
  p = trc_write_u16 (p, (uint16_t) type);
  p = trc_write_u16 (p, (uint16_t) strlen (schema->name));
  p = write_bytes (p, schema->name, strlen (schema->name));
  *p++ = 1; /* has a time stamp */
  p = trc_write_u16 (p, n_fields);
  for (unsigned i = 0; i < n_fields; i++)
    {
      const Field *field = &schema->fields[i];

      p = trc_write_u16 (p, (uint16_t) strlen (field->name));
      p = write_bytes (p, field->name, strlen (field->name));
      *p++ = field->type;
    }

  self->size = (size_t) (p - self->data);
  self->known_types |= UINT32_C (1) << type;
}

static uint32_t
write_string (PlrEncoder *self, Slot *slot, const char *text)
{
  uint8_t *p = self->data + self->size;
  size_t length = strlen (text);

  slot->batch = self->batch;
  slot->pool_id = self->n_strings++;

  *p++ = TRC_TAG_STRING_POOL;
  p = trc_write_u32 (p, 1);
  p = trc_write_u32 (p, slot->pool_id);
  p = trc_write_u32 (p, (uint32_t) length);
  p = write_bytes (p, text, length);
  self->size = (size_t) (p - self->data);
  return slot->pool_id;
}

/* Pool ids must be there before the event's frame begins: call these first. */

static inline uint32_t
intern_location (PlrEncoder *self, uint32_t id)
{
  Slot *slot = &self->slots[SLOT_LOCATION + (id < PLR_MAX_LOCATIONS ? id : PARKLANE_LOCATION_UNKNOWN)];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, plr_names_get_location (id));
}

static uint32_t
intern_runtime (PlrEncoder *self, uint32_t id)
{
  Slot *slot = &self->slots[SLOT_RUNTIME + (id < PLR_MAX_RUNTIMES ? id : 0)];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, plr_names_get_runtime (id).name);
}

static uint32_t
intern_cause (PlrEncoder *self, uint32_t cause)
{
  Slot *slot = &self->slots[SLOT_CAUSE + cause];

  return slot->batch == self->batch ? slot->pool_id : write_string (self, slot, gap_causes[cause]);
}

/* Begins an event: schema if the batch has not seen it, reset if the delta cannot bridge the step. */
static inline uint8_t *
begin_event (PlrEncoder *self, unsigned type, uint64_t time_ns)
{
  uint64_t delta = time_ns - self->base_ns;
  uint8_t *p;

  if (!(self->known_types & UINT32_C (1) << type))
    write_schema (self, type);

  p = self->data + self->size;
  if (delta > TRC_MAX_DELTA) /* a step back is a huge unsigned difference */
    {
      *p++ = TRC_TAG_RESET;
      p = trc_write_u64 (p, time_ns);
      delta = 0;
    }
  self->base_ns = time_ns;

  *p++ = TRC_TAG_EVENT;
  p = trc_write_u16 (p, (uint16_t) type);
  return trc_write_u24 (p, (uint32_t) delta);
}

static inline void
end_event (PlrEncoder *self, uint8_t *p)
{
  self->size = (size_t) (p - self->data);
}

static void
encode_unpark (PlrEncoder *self, const PlrEvent *event)
{
  uint8_t *p = begin_event (self, TYPE_UNPARK, event->time_ns);

  *p++ = (uint8_t) plr_word_queue (event->word);
  p = trc_write_varint (p, event->payload);
  *p++ = self->sched_wait_ns != PARKLANE_NOT_MEASURED;
  if (self->sched_wait_ns != PARKLANE_NOT_MEASURED)
    p = trc_write_varint (p, self->sched_wait_ns);
  self->sched_wait_ns = PARKLANE_NOT_MEASURED;
  p = trc_write_varint (p, plr_word_worker (event->word));
  end_event (self, trc_write_u32 (p, event->tid));
}

static void
encode_gap (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t cause = plr_word_queue (event->word);
  uint32_t pool_id = intern_cause (self, cause < PLR_N_GAP_CAUSES ? cause : PLR_GAP_OUTPUT);
  uint8_t *p = begin_event (self, TYPE_GAP, event->time_ns);

  p = trc_write_varint (p, event->payload);
  p = trc_write_varint (p, event->time_ns);
  p = trc_write_varint (p, plr_word_arg (event->word));
  p = trc_write_varint (p, plr_word_worker (event->word));
  p = trc_write_u32 (p, event->tid);
  p = trc_write_u32 (p, pool_id);
  end_event (self, p);
}

static void
encode_heartbeat (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id;
  uint8_t *p;

  /* Its text changes under one slot, so it is written anew each time; once a second that costs nothing. */
  pool_id = write_string (self, &self->slots[SLOT_HEALTH], self->heartbeat.health);
  p = begin_event (self, TYPE_HEARTBEAT, event->time_ns);
  p = trc_write_varint (p, self->heartbeat.n_events);
  p = trc_write_varint (p, self->heartbeat.n_dropped);
  p = trc_write_varint (p, self->heartbeat.n_bytes);
  p = trc_write_u32 (p, pool_id);
  end_event (self, p);
}

static void
encode_queue_depth (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id = intern_runtime (self, plr_word_arg (event->word));
  uint8_t *p = begin_event (self, TYPE_RUNTIME_METRICS, event->time_ns);

  p = trc_write_u32 (p, pool_id);
  p = trc_write_u32 (p, (uint32_t) event->payload);
  p = trc_write_u32 (p, (uint32_t) (event->payload >> 32));
  end_event (self, p);
}

static void
tell_open_polls (PlrEncoder *self)
{
  size_t end = self->size + MAX_TOLD_BYTES;

  self->must_tell_open = false;
  for (uint32_t worker = 0; worker < self->n_workers && self->size < end; worker++)
    {
      const OpenPoll *poll = &self->open_polls[worker];
      uint32_t pool_id;
      uint8_t *p;

      if (poll->start_ns == 0)
        continue;
      pool_id = intern_location (self, poll->location);
      p = begin_event (self, TYPE_OPEN_POLL, poll->start_ns);
      p = trc_write_varint (p, poll->task);
      *p++ = (uint8_t) poll->queue;
      p = trc_write_varint (p, worker);
      end_event (self, trc_write_u32 (p, pool_id));
    }
}

static inline void
follow_start (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  if (worker >= N_WORKERS)
    return;
  if (worker >= self->n_workers)
    self->n_workers = worker + 1;
  self->open_polls[worker] = (OpenPoll) {
    .start_ns = event->time_ns,
    .task = event->payload,
    .location = plr_word_arg (event->word),
    .queue = plr_word_queue (event->word),
  };
}

static inline void
follow_end (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  if (worker < self->n_workers)
    self->open_polls[worker].start_ns = 0;
}

/* What ended while events were lost is not known. */
static void
forget_open_polls (PlrEncoder *self, uint32_t worker)
{
  if (worker < self->n_workers)
    self->open_polls[worker].start_ns = 0;
  else if (worker == PARKLANE_WORKER_NONE)
    memset (self->open_polls, 0, self->n_workers * sizeof *self->open_polls);
}

void
plr_encoder_event (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t pool_id;
  uint8_t *p;

  if (__builtin_expect (self->must_tell_open, 0) && plr_word_kind (event->word) != PLR_EVENT_CLOCK_SYNC)
    tell_open_polls (self);

  switch (plr_word_kind (event->word))
    {
    case PLR_EVENT_POLL_START:
      follow_start (self, event);
      pool_id = intern_location (self, plr_word_arg (event->word));
      p = begin_event (self, TYPE_POLL_START, event->time_ns);
      p = trc_write_varint (p, event->payload);
      *p++ = (uint8_t) plr_word_queue (event->word);
      p = trc_write_varint (p, plr_word_worker (event->word));
      end_event (self, trc_write_u32 (p, pool_id));
      break;

    case PLR_EVENT_POLL_END:
      follow_end (self, event);
      p = begin_event (self, TYPE_POLL_END, event->time_ns);
      end_event (self, trc_write_varint (p, plr_word_worker (event->word)));
      break;

    case PLR_EVENT_PARK:
      p = begin_event (self, TYPE_PARK, event->time_ns);
      *p++ = (uint8_t) plr_word_queue (event->word);
      p = trc_write_varint (p, event->payload);
      p = trc_write_varint (p, plr_word_worker (event->word));
      end_event (self, trc_write_u32 (p, event->tid));
      break;

    case PLR_EVENT_UNPARK:
      encode_unpark (self, event);
      break;

    case PLR_EVENT_SCHED_WAIT:
      self->sched_wait_ns = event->payload;
      break;

    case PLR_EVENT_TASK_SPAWN:
      pool_id = intern_location (self, plr_word_arg (event->word));
      p = begin_event (self, TYPE_TASK_SPAWN, event->time_ns);
      p = trc_write_varint (p, event->payload);
      p = trc_write_u32 (p, pool_id);
      *p++ = 0; /* not spawned through dial9's own function: no wake events, no dumps */
      end_event (self, p);
      break;

    case PLR_EVENT_TASK_TERMINATE:
      p = begin_event (self, TYPE_TASK_TERMINATE, event->time_ns);
      end_event (self, trc_write_varint (p, event->payload));
      break;

    case PLR_EVENT_QUEUE_DEPTH:
      encode_queue_depth (self, event);
      break;

    case PLR_EVENT_GAP:
      forget_open_polls (self, plr_word_worker (event->word));
      encode_gap (self, event);
      break;

    case PLR_EVENT_HEARTBEAT:
      encode_heartbeat (self, event);
      break;

    case PLR_EVENT_CLOCK_SYNC:
      p = begin_event (self, TYPE_CLOCK_SYNC, event->time_ns);
      end_event (self, trc_write_varint (p, event->payload));
      break;

    case PLR_EVENT_NONE:
    case PLR_N_EVENT_KINDS:
      break;
    }
}

static uint8_t *
write_text (uint8_t *p, const char *text)
{
  size_t length = strlen (text);

  p = trc_write_u32 (p, (uint32_t) length);
  return write_bytes (p, text, length);
}

static uint8_t *
write_number_entry (uint8_t *p, const char *key, uint64_t value)
{
  char text[24];

  snprintf (text, sizeof text, "%llu", (unsigned long long) value);
  p = write_text (p, key);
  return write_text (p, text);
}

/* `runtime.NAME` = comma-separated worker ids. */
static uint8_t *
write_runtime_entry (uint8_t *p, const PlrRuntime *runtime)
{
  uint8_t *length_at;

  p = trc_write_u32 (p, (uint32_t) (strlen ("runtime.") + strlen (runtime->name)));
  p = write_bytes (p, "runtime.", strlen ("runtime."));
  p = write_bytes (p, runtime->name, strlen (runtime->name));

  length_at = p;
  p += 4;
  for (uint32_t i = 0; i < runtime->n_workers; i++)
    p += sprintf ((char *) p, i == 0 ? "%u" : ",%u", runtime->first_worker + i);
  trc_write_u32 (length_at, (uint32_t) (p - length_at - 4));
  return p;
}

void
plr_encoder_metadata (PlrEncoder *self, uint64_t time_ns, const PlrSessionInfo *info, uint32_t segment)
{
  uint8_t *p = begin_event (self, TYPE_METADATA, time_ns);
  uint8_t *count_at = p;
  uint32_t count = 0;

  p += 4;
  if (info->service_name[0] != '\0')
    {
      p = write_text (p, "service_name");
      p = write_text (p, info->service_name);
      count++;
    }

  for (uint32_t i = 0; i < plr_names_get_n_runtimes (); i++)
    {
      PlrRuntime runtime = plr_names_get_runtime (i);

      if (runtime.name[0] == '\0')
        continue;
      p = write_runtime_entry (p, &runtime);
      count++;
    }

  p = write_text (p, "parklane.recorder.version");
  p = write_text (p, parklane_recorder_version ());
  p = write_text (p, "parklane.stream");
  p = write_text (p, "merged");
  p = write_text (p, "parklane.run_id");
  p = write_text (p, info->run_id);
  p = write_text (p, "parklane.clock");
  p = write_text (p, plr_clock_get_name ());
  p = write_number_entry (p, "parklane.clock_error_ns", plr_clock_get_error_ns ());
  p = write_number_entry (p, "parklane.heartbeat_ns", info->heartbeat_ns);
  p = write_number_entry (p, "parklane.pid", info->pid);
  p = write_number_entry (p, "parklane.budget_bytes", info->budget_bytes);
  p = write_number_entry (p, "parklane.segment", segment);
  count += 9;

  trc_write_u32 (count_at, count);
  end_event (self, p);
}
