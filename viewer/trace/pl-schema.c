/* pl-schema.c: a schema frame, compiled to what decoding its events needs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-schema.h"

#include <string.h>

struct _PlSchemas
{
  GHashTable *by_definition; /* GBytes of the frame after its type id → PlSchema */
  GPtrArray *all;
};

static const struct { const char *name; PlEventKind kind; } event_names[] = {
  { "PollStartEvent", PL_EVENT_POLL_START },
  { "PollEndEvent", PL_EVENT_POLL_END },
  { "WorkerParkEvent", PL_EVENT_PARK },
  { "WorkerUnparkEvent", PL_EVENT_UNPARK },
  { "TaskSpawnEvent", PL_EVENT_SPAWN },
  { "TaskTerminateEvent", PL_EVENT_TERMINATE },
  { "ParklaneOpenPollEvent", PL_EVENT_OPEN_POLL },
  { "ParklaneOpenParkEvent", PL_EVENT_OPEN_PARK },
  { "QueueSampleEvent", PL_EVENT_QUEUE_SAMPLE },
  { "RuntimeMetricsEvent", PL_EVENT_RUNTIME_METRICS },
  { "ClockSyncEvent", PL_EVENT_CLOCK_SYNC },
  { "SegmentMetadataEvent", PL_EVENT_METADATA },
  { "SymbolTableEntry", PL_EVENT_SYMBOL },
  { "ParklaneHeartbeatEvent", PL_EVENT_HEARTBEAT },
  { "ParklaneGapEvent", PL_EVENT_GAP },
};

typedef enum
{
  VALUE_UNSIGNED,
  VALUE_TEXT,
  VALUE_MAP,
} ValueClass;

static const struct { const char *name; PlSlot slot; ValueClass value; } field_names[] = {
  { "worker_id", PL_SLOT_WORKER, VALUE_UNSIGNED },
  { "local_queue", PL_SLOT_LOCAL_QUEUE, VALUE_UNSIGNED },
  { "task_id", PL_SLOT_TASK, VALUE_UNSIGNED },
  { "spawn_loc", PL_SLOT_SPAWN_LOC, VALUE_TEXT },
  { "tid", PL_SLOT_TID, VALUE_UNSIGNED },
  { "global_queue", PL_SLOT_DEPTH, VALUE_UNSIGNED },
  { "global_queue_depth", PL_SLOT_DEPTH, VALUE_UNSIGNED },
  { "active_tasks", PL_SLOT_ALIVE, VALUE_UNSIGNED },
  { "alive_tasks", PL_SLOT_ALIVE, VALUE_UNSIGNED },
  { "runtime_name", PL_SLOT_RUNTIME, VALUE_TEXT },
  { "realtime_ns", PL_SLOT_REALTIME, VALUE_UNSIGNED },
  { "entries", PL_SLOT_ENTRIES, VALUE_MAP },
  { "dropped", PL_SLOT_DROPPED, VALUE_UNSIGNED },
  { "health", PL_SLOT_HEALTH, VALUE_TEXT },
  { "from_ns", PL_SLOT_FROM, VALUE_UNSIGNED },
  { "to_ns", PL_SLOT_TO, VALUE_UNSIGNED },
  { "cause", PL_SLOT_CAUSE, VALUE_TEXT },
};

/* Without these an event is of no use and only counted. */
static const guint required_slots[PL_N_EVENTS] = {
  [PL_EVENT_POLL_START] = 1 << PL_SLOT_WORKER,
  [PL_EVENT_POLL_END] = 1 << PL_SLOT_WORKER,
  [PL_EVENT_PARK] = 1 << PL_SLOT_WORKER,
  [PL_EVENT_UNPARK] = 1 << PL_SLOT_WORKER,
  [PL_EVENT_SPAWN] = 1 << PL_SLOT_TASK,
  [PL_EVENT_TERMINATE] = 1 << PL_SLOT_TASK,
  [PL_EVENT_OPEN_POLL] = 1 << PL_SLOT_WORKER,
  [PL_EVENT_OPEN_PARK] = 1 << PL_SLOT_WORKER,
  [PL_EVENT_QUEUE_SAMPLE] = 1 << PL_SLOT_DEPTH,
  [PL_EVENT_RUNTIME_METRICS] = 1 << PL_SLOT_DEPTH,
  [PL_EVENT_CLOCK_SYNC] = 1 << PL_SLOT_REALTIME,
  [PL_EVENT_METADATA] = 1 << PL_SLOT_ENTRIES,
  [PL_EVENT_HEARTBEAT] = 1 << PL_SLOT_HEALTH,
  [PL_EVENT_GAP] = 1 << PL_SLOT_FROM | 1 << PL_SLOT_TO,
};

static const struct { PlEventKind kind; PlLayout layout; const char *types; } layouts[] = {
  { PL_EVENT_POLL_START, PL_LAYOUT_POLL_START, "\x09\x0b\x09\x07" },
  { PL_EVENT_POLL_END, PL_LAYOUT_POLL_END, "\x09" },
  { PL_EVENT_PARK, PL_LAYOUT_PARK, "\x09\x0b\x09\x0d" },
  { PL_EVENT_UNPARK, PL_LAYOUT_UNPARK, "\x09\x0b\x09\x09\x0d" },
  { PL_EVENT_UNPARK, PL_LAYOUT_UNPARK_OPT, "\x09\x0b\x09\x89\x0d" },
  { PL_EVENT_POLL_START, PL_LAYOUT_POLL_START_OURS, "\x09\x0b\x09\x07" },
  { PL_EVENT_PARK, PL_LAYOUT_PARK_OURS, "\x09\x09\x0d\x0b" },
  { PL_EVENT_UNPARK, PL_LAYOUT_UNPARK_OURS, "\x0b\x09\x89\x09\x0d" },
  { PL_EVENT_OTHER, PL_LAYOUT_WAKE, "\x09\x09\x0b" },
  { PL_EVENT_SPAWN, PL_LAYOUT_SPAWN, "\x09\x07\x03\x89" },
  { PL_EVENT_SPAWN, PL_LAYOUT_SPAWN_OURS, "\x09\x07\x03" },
  { PL_EVENT_TERMINATE, PL_LAYOUT_TERMINATE, "\x09" },
};

/* Slots in the order of the fields of the layouts; the same for all kinds that have a layout. */
static const PlSlot layout_slots[][5] = {
  [PL_LAYOUT_POLL_START] = { PL_SLOT_WORKER, PL_SLOT_LOCAL_QUEUE, PL_SLOT_TASK, PL_SLOT_SPAWN_LOC },
  [PL_LAYOUT_POLL_END] = { PL_SLOT_WORKER },
  [PL_LAYOUT_PARK] = { PL_SLOT_WORKER, PL_SLOT_LOCAL_QUEUE, PL_SLOT_NONE, PL_SLOT_TID },
  [PL_LAYOUT_UNPARK] = { PL_SLOT_WORKER, PL_SLOT_LOCAL_QUEUE, PL_SLOT_NONE, PL_SLOT_NONE, PL_SLOT_TID },
  [PL_LAYOUT_UNPARK_OPT] = { PL_SLOT_WORKER, PL_SLOT_LOCAL_QUEUE, PL_SLOT_NONE, PL_SLOT_NONE, PL_SLOT_TID },
  [PL_LAYOUT_POLL_START_OURS] = { PL_SLOT_TASK, PL_SLOT_LOCAL_QUEUE, PL_SLOT_WORKER, PL_SLOT_SPAWN_LOC },
  [PL_LAYOUT_PARK_OURS] = { PL_SLOT_NONE, PL_SLOT_WORKER, PL_SLOT_TID, PL_SLOT_LOCAL_QUEUE },
  [PL_LAYOUT_UNPARK_OURS] = { PL_SLOT_LOCAL_QUEUE, PL_SLOT_NONE, PL_SLOT_NONE, PL_SLOT_WORKER, PL_SLOT_TID },
  [PL_LAYOUT_WAKE] = { PL_SLOT_NONE, PL_SLOT_NONE, PL_SLOT_NONE },
  [PL_LAYOUT_SPAWN] = { PL_SLOT_TASK, PL_SLOT_SPAWN_LOC, PL_SLOT_NONE, PL_SLOT_WORKER },
  [PL_LAYOUT_SPAWN_OURS] = { PL_SLOT_TASK, PL_SLOT_SPAWN_LOC, PL_SLOT_NONE },
  [PL_LAYOUT_TERMINATE] = { PL_SLOT_TASK },
};

static void
schema_free (gpointer data)
{
  PlSchema *self = data;

  g_free (self->name);
  g_free (self->fields);
  g_free (self);
}

static ValueClass
classify (guint8 type)
{
  switch (type & ~TRC_OPTIONAL)
    {
    case TRC_VARINT:
    case TRC_U8:
    case TRC_U16:
    case TRC_U32:
      return VALUE_UNSIGNED;
    case TRC_STRING_MAP:
      return VALUE_MAP;
    default:
      return VALUE_TEXT;
    }
}

static PlSlot
find_slot (const guint8 *name, guint16 length, guint8 type)
{
  guint8 base = type & (guint8) ~TRC_OPTIONAL;

  for (gsize i = 0; i < G_N_ELEMENTS (field_names); i++)
    if (strlen (field_names[i].name) == length && memcmp (field_names[i].name, name, length) == 0
        && classify (type) == field_names[i].value
        && (field_names[i].value != VALUE_TEXT || base == TRC_STRING || base == TRC_POOLED_STRING))
      return field_names[i].slot;
  return PL_SLOT_NONE;
}

static PlEventKind
find_kind (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (event_names); i++)
    if (strcmp (name, event_names[i].name) == 0)
      return event_names[i].kind;
  return PL_EVENT_OTHER;
}

static gboolean
has_layout (const PlSchema *self, PlLayout layout, const char *types)
{
  if (!self->has_timestamp || self->n_fields != strlen (types))
    return FALSE;
  for (guint i = 0; i < self->n_fields; i++)
    if (self->fields[i].type != (guint8) types[i] || self->fields[i].slot != layout_slots[layout][i])
      return FALSE;
  return TRUE;
}

static void
classify_schema (PlSchema *self)
{
  guint present = 0;

  self->kind = find_kind (self->name);
  if (self->kind == PL_EVENT_OTHER || self->kind == PL_EVENT_SYMBOL)
    for (guint i = 0; i < self->n_fields; i++)
      self->fields[i].slot = PL_SLOT_NONE;
  for (guint i = 0; i < self->n_fields; i++)
    {
      guint bit = 1u << self->fields[i].slot;

      /* Of equal names the first is dial9's own; the others are a user's. */
      if (present & bit)
        self->fields[i].slot = PL_SLOT_NONE;
      present |= bit;
    }
  if ((present & required_slots[self->kind]) != required_slots[self->kind])
    self->kind = PL_EVENT_OTHER;
  if (!self->has_timestamp && self->kind != PL_EVENT_METADATA)
    self->kind = PL_EVENT_OTHER;

  for (gsize i = 0; i < G_N_ELEMENTS (layouts); i++)
    if (layouts[i].kind == self->kind && has_layout (self, layouts[i].layout, layouts[i].types))
      self->layout = layouts[i].layout;
}

/* Everything after the type id; @wire has been checked to hold the whole frame by then. */
static PlWireResult
parse_definition (PlWire *wire, PlSchema *self, guint8 **out_name, guint16 *out_name_length)
{
  guint16 n_fields;
  guint16 length;
  guint8 has_timestamp;

  PL_WIRE_TRY (pl_wire_read_u16 (wire, out_name_length));
  *out_name = (guint8 *) wire->p;
  PL_WIRE_TRY (pl_wire_skip (wire, *out_name_length));
  PL_WIRE_TRY (pl_wire_read_u8 (wire, &has_timestamp));
  PL_WIRE_TRY (pl_wire_read_u16 (wire, &n_fields));
  self->has_timestamp = has_timestamp != 0;

  /* A field takes at least 3 bytes: no allocation that the bytes do not back. */
  if (!pl_wire_has (wire, (gsize) n_fields * 3))
    return PL_WIRE_MORE;
  self->fields = g_new0 (PlField, n_fields);
  self->n_fields = n_fields;

  for (guint i = 0; i < n_fields; i++)
    {
      const guint8 *name;
      guint8 base;

      PL_WIRE_TRY (pl_wire_read_u16 (wire, &length));
      name = wire->p;
      PL_WIRE_TRY (pl_wire_skip (wire, length));
      PL_WIRE_TRY (pl_wire_read_u8 (wire, &self->fields[i].type));
      base = self->fields[i].type & (guint8) ~TRC_OPTIONAL;
      if (base < TRC_I64 || base > TRC_MAP)
        return PL_WIRE_BAD_TYPE;
      self->fields[i].slot = (guint8) find_slot (name, length, self->fields[i].type);
    }
  return PL_WIRE_OK;
}

PlSchemas *
pl_schemas_new (void)
{
  PlSchemas *self = g_new0 (PlSchemas, 1);

  self->by_definition = g_hash_table_new_full (g_bytes_hash, g_bytes_equal, (GDestroyNotify) g_bytes_unref, NULL);
  self->all = g_ptr_array_new_with_free_func (schema_free);
  return self;
}

void
pl_schemas_free (PlSchemas *self)
{
  g_hash_table_unref (self->by_definition);
  g_ptr_array_unref (self->all);
  g_free (self);
}

/**
 * pl_schemas_parse:
 * @wire: at the byte after the frame's tag; moved behind the frame on success only
 * @out_type_id: the id it has in this batch
 * @out_schema: (transfer none): the same pointer for the same definition, so that comparing pointers compares
 *   definitions
 *
 * Reads a schema frame.
 */
PlWireResult
pl_schemas_parse (PlSchemas *self, PlWire *wire, guint16 *out_type_id, PlSchema **out_schema)
{
  PlWire cursor = *wire;
  PlSchema *schema = g_new0 (PlSchema, 1);
  const guint8 *begin;
  guint8 *name = NULL;
  guint16 name_length = 0;
  PlWireResult result = pl_wire_read_u16 (&cursor, out_type_id);
  g_autoptr(GBytes) key = NULL;

  begin = cursor.p;
  if (result == PL_WIRE_OK)
    result = parse_definition (&cursor, schema, &name, &name_length);
  if (result != PL_WIRE_OK)
    {
      schema_free (schema);
      return result;
    }

  key = g_bytes_new_static (begin, (gsize) (cursor.p - begin));
  *out_schema = g_hash_table_lookup (self->by_definition, key);
  if (*out_schema != NULL)
    schema_free (schema);
  else
    {
      schema->name = g_utf8_make_valid ((const char *) name, name_length);
      classify_schema (schema);
      g_ptr_array_add (self->all, schema);
      g_hash_table_insert (self->by_definition, g_bytes_new (begin, (gsize) (cursor.p - begin)), schema);
      *out_schema = schema;
    }
  *wire = cursor;
  return PL_WIRE_OK;
}

guint
pl_schemas_get_n (PlSchemas *self)
{
  return self->all->len;
}

PlSchema *
pl_schemas_get (PlSchemas *self, guint index)
{
  return g_ptr_array_index (self->all, index);
}
