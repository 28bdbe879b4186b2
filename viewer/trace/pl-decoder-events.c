/* pl-decoder-events.c: any event, by the names of its fields
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-decoder-private.h"

#include <string.h>

/* The values of the fields that are used. */
typedef struct
{
  guint present; /* bit per slot */
  guint64 number[PL_N_SLOTS];
  const guint8 *map;
  const guint8 *map_end;
} Values;

static gboolean
has (const Values *values, PlSlot slot)
{
  return (values->present & 1u << slot) != 0;
}

/* Text that is not in a pool is interned at once: only the few used fields get here. */
static PlWireResult
read_value (PlDecoder *self, PlWire *wire, guint8 type, PlSlot slot, Values *values)
{
  const guint8 *bytes;
  guint32 word;
  guint16 half;
  guint8 byte;

  switch (type)
    {
    case TRC_VARINT:
      PL_WIRE_TRY (pl_wire_read_varint (wire, &values->number[slot]));
      break;
    case TRC_U8:
      PL_WIRE_TRY (pl_wire_read_u8 (wire, &byte));
      values->number[slot] = byte;
      break;
    case TRC_U16:
      PL_WIRE_TRY (pl_wire_read_u16 (wire, &half));
      values->number[slot] = half;
      break;
    case TRC_U32:
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &word));
      values->number[slot] = word;
      break;
    case TRC_POOLED_STRING:
      PL_WIRE_TRY (pl_wire_read_u32 (wire, &word));
      values->number[slot] = pl_pool_resolve (&self->pool, word);
      break;
    case TRC_STRING:
      PL_WIRE_TRY (pl_wire_read_bytes (wire, &bytes, &word));
      values->number[slot] = pl_strings_intern (self->strings, (const char *) bytes, word);
      break;
    default:
      values->map = wire->p;
      PL_WIRE_TRY (pl_wire_skip_value (wire, type, 0));
      values->map_end = wire->p;
      break;
    }
  values->present |= 1u << slot;
  return PL_WIRE_OK;
}

static PlWireResult
read_fields (PlDecoder *self, PlWire *wire, const PlSchema *schema, Values *values)
{
  for (guint i = 0; i < schema->n_fields; i++)
    {
      const PlField *field = &schema->fields[i];
      guint8 base = field->type & (guint8) ~TRC_OPTIONAL;

      if (field->type & TRC_OPTIONAL)
        {
          guint8 is_present;

          PL_WIRE_TRY (pl_wire_read_u8 (wire, &is_present));
          if (!is_present)
            continue;
        }
      if (field->slot == PL_SLOT_NONE)
        PL_WIRE_TRY (pl_wire_skip_value (wire, base, 0));
      else
        PL_WIRE_TRY (read_value (self, wire, base, field->slot, values));
    }
  return PL_WIRE_OK;
}

/* What is no number counts as not declared. */
static void
note_declaration (PlWriterFacts *facts, const char *key, const char *value)
{
  guint64 *number;

  if (strcmp (key, "parklane.heartbeat_ns") == 0)
    number = &facts->heartbeat_period_ns;
  else if (strcmp (key, "parklane.budget_bytes") == 0)
    number = &facts->budget_bytes;
  else if (strcmp (key, "parklane.pid") == 0)
    number = &facts->pid;
  else
    return;
  if (!g_ascii_string_to_unsigned (value, 10, 0, G_MAXINT64, number, NULL))
    *number = 0;
}

static void
note_heartbeat (PlDecoder *self, const Values *values, gint64 at_ns)
{
  const char *health = pl_strings_get (self->strings, (guint32) values->number[PL_SLOT_HEALTH]);
  PlWriterFacts *facts = &self->facts;

  if (strcmp (health, "ok") == 0)
    facts->health = PL_WRITER_HEALTH_OK;
  else if (strcmp (health, "paused") == 0)
    facts->health = PL_WRITER_HEALTH_PAUSED;
  else if (strcmp (health, "degraded") == 0)
    facts->health = PL_WRITER_HEALTH_DEGRADED;
  else
    facts->health = PL_WRITER_HEALTH_UNKNOWN;
  if (facts->health != PL_WRITER_HEALTH_PAUSED)
    self->paused_ns = 0;
  else if (self->paused_ns == 0)
    self->paused_ns = pl_runs_get_last_ns (self->runs, at_ns);
  facts->n_heartbeats++;
  facts->n_dropped = values->number[PL_SLOT_DROPPED];
  facts->n_degraded = facts->health == PL_WRITER_HEALTH_DEGRADED ? facts->n_degraded + 1 : 0;
}

static void
add_metadata (PlDecoder *self, const Values *values, guint64 at_ns)
{
  PlWire wire = { values->map, values->map_end };
  const guint8 *key;
  const guint8 *value;
  guint32 key_length;
  guint32 value_length;
  guint32 count = 0;

  if (pl_wire_read_u32 (&wire, &count) != PL_WIRE_OK)
    return;
  for (guint32 i = 0; i < count; i++)
    {
      PlPieceMetadata entry = { .at_ns = at_ns };
      const char *name;

      if (pl_wire_read_bytes (&wire, &key, &key_length) != PL_WIRE_OK
          || pl_wire_read_bytes (&wire, &value, &value_length) != PL_WIRE_OK)
        return;
      entry.key = pl_strings_intern (self->strings, (const char *) key, key_length);
      entry.value = pl_strings_intern (self->strings, (const char *) value, value_length);
      g_array_append_val (self->piece->metadata, entry);

      name = pl_strings_get (self->strings, entry.key);
      note_declaration (&self->facts, name, pl_strings_get (self->strings, entry.value));
      if (strcmp (name, "parklane.stream") == 0)
        self->piece->is_merged = strcmp (pl_strings_get (self->strings, entry.value), "merged") == 0;
      else if (g_str_has_suffix (name, ".version"))
        {
          g_free (self->recorder_version);
          self->recorder_version = g_strdup (pl_strings_get (self->strings, entry.value));
        }
    }
}

/* NULL for a runtime beyond the limit. */
static GArray *
get_queue (PlDecoder *self, guint32 name)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->queues, GUINT_TO_POINTER (name)));

  if (index == 0 && self->piece->queues->len >= PL_MAX_RUNTIMES)
    return NULL;
  if (index == 0)
    {
      PlPieceQueue queue = { .name = name, .collected = g_array_new (FALSE, FALSE, sizeof (PlQueueSample)) };

      g_array_append_val (self->piece->queues, queue);
      index = self->piece->queues->len;
      g_hash_table_insert (self->queues, GUINT_TO_POINTER (name), GUINT_TO_POINTER (index));
    }
  return g_array_index (self->piece->queues, PlPieceQueue, index - 1).collected;
}

static void
add_queue_sample (PlDecoder *self, const Values *values, gint64 at_ns)
{
  guint64 alive = has (values, PL_SLOT_ALIVE) ? values->number[PL_SLOT_ALIVE] : PL_QUEUE_ALIVE_UNKNOWN;
  PlQueueSample sample = {
    at_ns,
    (guint32) MIN (values->number[PL_SLOT_DEPTH], G_MAXUINT32),
    (guint32) MIN (alive, PL_QUEUE_ALIVE_UNKNOWN),
  };
  GArray *samples = get_queue (self, (guint32) values->number[PL_SLOT_RUNTIME]);

  if (samples != NULL)
    g_array_append_val (samples, sample);
}

static void
apply_scheduler_event (PlDecoder *self, PlEventKind kind, const Values *values, gint64 at_ns)
{
  PlRun *run = pl_runs_lookup (self->runs, values->number[PL_SLOT_WORKER]);
  guint8 queue = (guint8) values->number[PL_SLOT_LOCAL_QUEUE];
  guint32 tid = (guint32) values->number[PL_SLOT_TID];

  if (run == NULL)
    self->piece->n_outliers++;
  else if (kind == PL_EVENT_POLL_START)
    pl_run_poll_start (run, at_ns, values->number[PL_SLOT_TASK], (guint32) values->number[PL_SLOT_SPAWN_LOC], queue);
  else if (kind == PL_EVENT_POLL_END)
    pl_run_poll_end (run, at_ns);
  else if (kind == PL_EVENT_PARK)
    pl_run_park (run, at_ns, tid, queue);
  else
    pl_run_unpark (run, at_ns, tid, queue);
}

/* A poll or park that began in a batch which need not be there. An edge of its own: this batch need not have a run. */
static void
add_repeated (PlDecoder *self, PlEventKind kind, const Values *values, gint64 at_ns)
{
  PlRunEdge edge = {
    .worker = values->number[PL_SLOT_WORKER],
    .first_ns = at_ns,
    .last_ns = at_ns,
    .known_to_ns = at_ns,
    .has_open_poll = kind == PL_EVENT_OPEN_POLL,
    .has_open_park = kind == PL_EVENT_OPEN_PARK,
    .park_ns = at_ns,
    .park_queue = (guint8) values->number[PL_SLOT_LOCAL_QUEUE],
    .open = {
      .start_ns = at_ns,
      .task_id = values->number[PL_SLOT_TASK],
      .worker = values->number[PL_SLOT_WORKER],
      .spawn_loc = (guint32) values->number[PL_SLOT_SPAWN_LOC],
      .local_queue = (guint8) values->number[PL_SLOT_LOCAL_QUEUE],
      .flags = PL_POLL_OPEN,
    },
  };

  if (pl_runs_lookup (self->runs, edge.worker) == NULL)
    self->piece->n_outliers++;
  else
    g_array_append_val (self->piece->edges, edge);
}

static void
add_gap (PlDecoder *self, const Values *values)
{
  guint64 from = values->number[PL_SLOT_FROM];
  guint64 to = values->number[PL_SLOT_TO];
  PlGap gap = {
    .from_ns = (gint64) from,
    .to_ns = (gint64) to,
    .n_lost = values->number[PL_SLOT_DROPPED],
    .worker = has (values, PL_SLOT_WORKER) ? values->number[PL_SLOT_WORKER] : TRC_WORKER_NONE,
    .tid = (guint32) values->number[PL_SLOT_TID],
    .cause = pl_gap_cause_parse (pl_strings_get (self->strings, (guint32) values->number[PL_SLOT_CAUSE])),
  };

  if (from == 0 || from > to || to >= PL_TIME_LIMIT_NS)
    {
      self->piece->n_outliers++;
      return;
    }
  g_array_append_val (self->piece->gaps, gap);
  self->paused_ns = 0;
  pl_runs_break (self->runs, &gap, self->piece->edges);
}

static void
apply (PlDecoder *self, PlEventKind kind, const Values *values, gint64 at_ns)
{
  PlTaskEvent task = { at_ns, values->number[PL_SLOT_TASK], (guint32) values->number[PL_SLOT_SPAWN_LOC] };
  PlClockAnchor anchor = { at_ns, (gint64) MIN (values->number[PL_SLOT_REALTIME], G_MAXINT64) };

  switch (kind)
    {
    case PL_EVENT_POLL_START:
    case PL_EVENT_POLL_END:
    case PL_EVENT_PARK:
    case PL_EVENT_UNPARK:
      apply_scheduler_event (self, kind, values, at_ns);
      break;
    case PL_EVENT_SPAWN:
      g_array_append_val (self->spawns, task);
      break;
    case PL_EVENT_TERMINATE:
      g_array_append_val (self->ends, task);
      break;
    case PL_EVENT_OPEN_POLL:
    case PL_EVENT_OPEN_PARK:
      add_repeated (self, kind, values, at_ns);
      break;
    case PL_EVENT_QUEUE_SAMPLE:
    case PL_EVENT_RUNTIME_METRICS:
      self->facts.n_queue_samples++;
      add_queue_sample (self, values, at_ns);
      break;
    case PL_EVENT_HEARTBEAT:
      note_heartbeat (self, values, (gint64) at_ns);
      break;
    case PL_EVENT_GAP:
      add_gap (self, values);
      break;
    case PL_EVENT_CLOCK_SYNC:
      g_array_append_val (self->piece->anchors, anchor);
      break;
    case PL_EVENT_METADATA:
    case PL_EVENT_SYMBOL:
    case PL_EVENT_OTHER:
    default:
      break;
    }
}

/**
 * pl_decoder_event:
 * @wire: at the byte after the frame's tag; moved behind the frame on success only
 *
 * Decodes one event of any layout.
 */
PlWireResult
pl_decoder_event (PlDecoder *self, PlWire *wire)
{
  PlWire cursor = *wire;
  Values values = { 0 };
  guint64 at = self->base;
  guint16 type_id;
  PlSchema *schema;
  gboolean is_sane;

  PL_WIRE_TRY (pl_wire_read_u16 (&cursor, &type_id));
  schema = self->types[type_id];
  if (schema == NULL)
    return PL_WIRE_UNKNOWN_TYPE_ID;
  if (schema->has_timestamp)
    {
      if (!pl_wire_has (&cursor, 3))
        return PL_WIRE_MORE;
      if (__builtin_add_overflow (at, trc_read_u24 (cursor.p), &at))
        return PL_WIRE_TIME_OVERFLOW;
      cursor.p += 3;
    }
  PL_WIRE_TRY (read_fields (self, &cursor, schema, &values));

  schema->n_events++;
  self->n_events++;
  if (schema->kind == PL_EVENT_METADATA || schema->kind == PL_EVENT_CLOCK_SYNC)
    self->facts.n_framing++;
  self->base = at;
  *wire = cursor;

  is_sane = schema->has_timestamp && at > 0 && at < PL_TIME_LIMIT_NS && schema->kind != PL_EVENT_SYMBOL;
  if (schema->kind == PL_EVENT_METADATA)
    {
      add_metadata (self, &values, at);
      /* Before clock anchors existed, metadata carried wall-clock time. */
      if (at >= PL_TIME_LIMIT_NS && at <= G_MAXINT64)
        self->piece->legacy_wall_ns = (gint64) at;
    }
  else if (is_sane)
    apply (self, schema->kind, &values, (gint64) at);
  else if (at >= PL_TIME_LIMIT_NS)
    self->piece->n_outliers++;
  /* An idle worker may have parked long before anything that is still there. */
  if (is_sane && self->span_from == 0 && schema->kind != PL_EVENT_OPEN_PARK)
    self->span_from = at;
  return PL_WIRE_OK;
}
