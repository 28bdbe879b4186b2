/* generate-batch.c: events of the model → frames of a batch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "generate-batch.h"

#include <string.h>

#include "recorder/trc.h"

/* The session began on 1 June 2026 at 12:00 UTC, 2,000 s after the machine. */
#define WALL_OFFSET_NS (G_GUINT64_CONSTANT (1780315200) * 1000000000 - G_GUINT64_CONSTANT (2000) * 1000000000)

#define MAX_FIELDS 5

typedef struct
{
  const char *name;
  const char *fields[MAX_FIELDS];
  const char *types;
} Schema;

/* Type ids on the wire are indices + 1, as dial9 0.5 numbers its built-in events by first use. */
enum
{
  TYPE_POLL_START = MODEL_POLL_START,
  TYPE_POLL_END = MODEL_POLL_END,
  TYPE_PARK = MODEL_PARK,
  TYPE_UNPARK = MODEL_UNPARK,
  TYPE_WAKE = MODEL_WAKE,
  TYPE_SPAWN = MODEL_SPAWN,
  TYPE_TERMINATE = MODEL_TERMINATE,
  TYPE_METRICS,
  TYPE_CLOCK_SYNC,
  TYPE_METADATA,
};

static const Schema schemas[] = {
  [TYPE_POLL_START] = { "PollStartEvent", { "worker_id", "local_queue", "task_id", "spawn_loc" }, "\x09\x0b\x09\x07" },
  [TYPE_POLL_END] = { "PollEndEvent", { "worker_id" }, "\x09" },
  [TYPE_PARK] = { "WorkerParkEvent", { "worker_id", "local_queue", "cpu_time_ns", "tid" }, "\x09\x0b\x09\x0d" },
  [TYPE_UNPARK] = { "WorkerUnparkEvent", { "worker_id", "local_queue", "cpu_time_ns", "sched_wait_ns", "tid" },
                    "\x09\x0b\x09\x89\x0d" },
  [TYPE_WAKE] = { "WakeEventEvent", { "waker_task_id", "woken_task_id", "target_worker" }, "\x09\x09\x0b" },
  [TYPE_SPAWN] = { "TaskSpawnEvent", { "task_id", "spawn_loc", "instrumented" }, "\x09\x07\x03" },
  [TYPE_TERMINATE] = { "TaskTerminateEvent", { "task_id" }, "\x09" },
  [TYPE_METRICS] = { "RuntimeMetricsEvent", { "runtime_name", "global_queue_depth", "alive_tasks" }, "\x07\x0d\x0d" },
  [TYPE_CLOCK_SYNC] = { "ClockSyncEvent", { "realtime_ns" }, "\x09" },
  [TYPE_METADATA] = { "SegmentMetadataEvent", { "entries" }, "\x0a" },
};

/* Our recorder puts the optional field last. */
static const Schema merged_unpark = {
  "WorkerUnparkEvent", { "worker_id", "local_queue", "cpu_time_ns", "tid", "sched_wait_ns" }, "\x09\x0b\x09\x0d\x89",
};

void
batch_init (Batch *self, Layout layout)
{
  self->layout = layout;
  self->data = g_malloc (BATCH_SIZE + BATCH_SLACK);
  self->p = self->data;
}

void
batch_clear (Batch *self)
{
  g_free (self->data);
}

/* Empties the buffer and writes a header. */
void
batch_begin (Batch *self)
{
  self->p = self->data;
  memcpy (self->p, TRC_MAGIC, TRC_MAGIC_SIZE);
  self->p[TRC_MAGIC_SIZE] = TRC_VERSION;
  self->p += TRC_HEADER_SIZE;
  self->base_ns = 0;
  self->known_types = 0;
  self->n_strings = 0;
  memset (self->strings, 0, sizeof self->strings);
}

static guint8 *
write_text (guint8 *p, const char *text)
{
  gsize length = strlen (text);

  p = trc_write_u32 (p, (guint32) length);
  memcpy (p, text, length);
  return p + length;
}

static guint8 *
write_name (guint8 *p, const char *name)
{
  gsize length = strlen (name);

  p = trc_write_u16 (p, (guint16) length);
  memcpy (p, name, length);
  return p + length;
}

static void
write_schema (Batch *self, guint type)
{
  const Schema *schema = type == TYPE_UNPARK && self->layout == LAYOUT_MERGED ? &merged_unpark : &schemas[type];
  gsize n_fields = strlen (schema->types);
  guint8 *p = self->p;

  *p++ = TRC_TAG_SCHEMA;
  p = trc_write_u16 (p, (guint16) (type + 1));
  p = write_name (p, schema->name);
  *p++ = 1; /* has a time stamp */
  p = trc_write_u16 (p, (guint16) n_fields);
  for (gsize i = 0; i < n_fields; i++)
    {
      p = write_name (p, schema->fields[i]);
      *p++ = (guint8) schema->types[i];
    }
  self->p = p;
  self->known_types |= 1u << type;
}

static guint32
intern (Batch *self, guint slot, const char *text)
{
  guint8 *p = self->p;

  if (G_LIKELY (self->strings[slot] != 0))
    return self->strings[slot] - 1;
  self->strings[slot] = ++self->n_strings;
  *p++ = TRC_TAG_STRING_POOL;
  p = trc_write_u32 (p, 1);
  p = trc_write_u32 (p, self->strings[slot] - 1);
  self->p = write_text (p, text);
  return self->strings[slot] - 1;
}

static inline guint8 *
begin_event (Batch *self, guint type, guint64 at_ns)
{
  guint64 delta = at_ns - self->base_ns;
  guint8 *p;

  if (G_UNLIKELY ((self->known_types & 1u << type) == 0))
    write_schema (self, type);
  p = self->p;
  if (G_UNLIKELY (delta > TRC_MAX_DELTA))
    {
      *p++ = TRC_TAG_RESET;
      p = trc_write_u64 (p, at_ns);
      delta = 0;
    }
  self->base_ns = at_ns;
  *p++ = TRC_TAG_EVENT;
  p = trc_write_u16 (p, (guint16) (type + 1));
  return trc_write_u24 (p, (guint32) delta);
}

static inline guint8 *
write_wait (guint8 *p, gint64 wait_ns)
{
  *p++ = wait_ns >= 0;
  return wait_ns >= 0 ? trc_write_varint (p, (guint64) wait_ns) : p;
}

static inline guint8 *
write_park (guint8 *p, const ModelWorker *worker, const ModelEvent *event)
{
  p = trc_write_varint (p, worker->id);
  *p++ = event->queue;
  return trc_write_varint (p, event->cpu_ns);
}

/* Appends @event; the caller leaves BATCH_SLACK bytes. */
void
batch_add (Batch *self, const ModelWorker *worker, const ModelEvent *event)
{
  guint32 location = 0;
  guint8 *p;

  if (event->kind == MODEL_POLL_START || event->kind == MODEL_SPAWN)
    location = intern (self, event->location, model_locations[event->location]);
  p = begin_event (self, event->kind, event->at_ns);
  switch (event->kind)
    {
    case MODEL_POLL_START:
      p = trc_write_varint (p, worker->id);
      *p++ = event->queue;
      p = trc_write_varint (p, event->task);
      p = trc_write_u32 (p, location);
      break;
    case MODEL_POLL_END:
      p = trc_write_varint (p, worker->id);
      break;
    case MODEL_PARK:
      p = trc_write_u32 (write_park (p, worker, event), worker->tid);
      break;
    case MODEL_UNPARK:
      p = write_park (p, worker, event);
      if (self->layout == LAYOUT_MERGED)
        p = write_wait (trc_write_u32 (p, worker->tid), event->wait_ns);
      else
        p = trc_write_u32 (write_wait (p, event->wait_ns), worker->tid);
      break;
    case MODEL_WAKE:
      p = trc_write_varint (p, event->waker);
      p = trc_write_varint (p, event->task);
      *p++ = (guint8) MIN (worker->id, TRC_WORKER_NONE);
      break;
    case MODEL_SPAWN:
      p = trc_write_varint (p, event->task);
      p = trc_write_u32 (p, location);
      *p++ = 1;
      break;
    case MODEL_TERMINATE:
    default:
      p = trc_write_varint (p, event->task);
      break;
    }
  self->p = p;
}

/* A sample of the runtime's queue. */
void
batch_add_sample (Batch *self, guint64 at_ns, guint depth)
{
  guint32 name = intern (self, MODEL_N_LOCATIONS, "main");
  guint8 *p = begin_event (self, TYPE_METRICS, at_ns);

  p = trc_write_u32 (p, name);
  p = trc_write_u32 (p, depth);
  self->p = trc_write_u32 (p, MODEL_N_ALIVE);
}

void
batch_add_clock (Batch *self, guint64 at_ns)
{
  guint8 *p = begin_event (self, TYPE_CLOCK_SYNC, at_ns);

  self->p = trc_write_varint (p, at_ns + WALL_OFFSET_NS);
}

/* What a segment begins with. */
void
batch_add_metadata (Batch *self, guint64 at_ns, guint n_workers)
{
  gboolean is_merged = self->layout == LAYOUT_MERGED;
  g_autoptr(GString) workers = g_string_new ("0");
  guint8 *p;

  /* At most 250 workers, 4 bytes each: fits BATCH_SLACK together with the schema. */
  for (guint i = 1; i < n_workers; i++)
    g_string_append_printf (workers, ",%u", i);
  p = begin_event (self, TYPE_METADATA, at_ns);
  p = trc_write_u32 (p, is_merged ? 3 : 2);
  p = write_text (write_text (p, "service_name"), "parklane-generate");
  p = write_text (write_text (p, "runtime.main"), workers->str);
  if (is_merged)
    p = write_text (write_text (p, "parklane.stream"), "merged");
  self->p = p;
}
