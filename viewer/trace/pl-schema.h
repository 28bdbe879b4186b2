/* pl-schema.h: a schema frame, compiled to what decoding its events needs
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SCHEMA_H
#define PL_SCHEMA_H

#include <glib.h>

#include "pl-wire.h"

G_BEGIN_DECLS

/* Events by the use that is made of them. All others are counted by name. */
typedef enum
{
  PL_EVENT_OTHER,
  PL_EVENT_POLL_START,
  PL_EVENT_POLL_END,
  PL_EVENT_PARK,
  PL_EVENT_UNPARK,
  PL_EVENT_SPAWN,
  PL_EVENT_TERMINATE,
  PL_EVENT_OPEN_POLL, /* the start of a poll, repeated in a later batch */
  PL_EVENT_OPEN_PARK, /* a park, likewise */
  PL_EVENT_QUEUE_SAMPLE,
  PL_EVENT_RUNTIME_METRICS,
  PL_EVENT_CLOCK_SYNC,
  PL_EVENT_METADATA,
  PL_EVENT_SYMBOL,
  PL_EVENT_HEARTBEAT,
  PL_EVENT_GAP,
  PL_N_EVENTS,
} PlEventKind;

/* Fields that are used, whatever their order and width. */
typedef enum
{
  PL_SLOT_WORKER,
  PL_SLOT_LOCAL_QUEUE,
  PL_SLOT_TASK,
  PL_SLOT_SPAWN_LOC,
  PL_SLOT_TID,
  PL_SLOT_DEPTH,
  PL_SLOT_ALIVE,
  PL_SLOT_RUNTIME,
  PL_SLOT_REALTIME,
  PL_SLOT_ENTRIES,
  PL_SLOT_DROPPED,
  PL_SLOT_HEALTH,
  PL_SLOT_FROM,
  PL_SLOT_TO,
  PL_SLOT_CAUSE,
  PL_N_SLOTS,
  PL_SLOT_NONE = PL_N_SLOTS,
} PlSlot;

/* Layouts that recorders write for their most frequent events: decoded without a look at the fields. */
typedef enum
{
  PL_LAYOUT_ANY,
  PL_LAYOUT_POLL_START,  /* worker V, queue U8, task V, location PS */
  PL_LAYOUT_POLL_END,    /* worker V */
  PL_LAYOUT_PARK,        /* worker V, queue U8, cpu time V, tid U32 */
  PL_LAYOUT_UNPARK,      /* worker V, queue U8, cpu time V, wait V, tid U32 */
  PL_LAYOUT_UNPARK_OPT,  /* the same, wait V? */
  PL_LAYOUT_WAKE,        /* V, V, U8 */
  PL_LAYOUT_SPAWN,       /* task V, location PS, instrumented B, worker V? */
  PL_LAYOUT_TERMINATE,   /* task V */

  /* as libparklane-recorder writes them */
  PL_LAYOUT_POLL_START_OURS, /* task V, queue U8, worker V, location PS */
  PL_LAYOUT_PARK_OURS,       /* cpu time V, worker V, tid U32, queue U8 */
  PL_LAYOUT_UNPARK_OURS,     /* queue U8, cpu time V, wait V?, worker V, tid U32 */
  PL_LAYOUT_SPAWN_OURS,      /* task V, location PS, instrumented B */
  PL_N_LAYOUTS,
} PlLayout;

typedef struct
{
  guint8 type; /* with TRC_OPTIONAL */
  guint8 slot; /* PlSlot */
} PlField;

/**
 * PlSchema:
 * @name: valid UTF-8
 * @n_events: how many were decoded
 *
 * One for each distinct definition in a decoder; equal definitions of all batches share it.
 */
typedef struct
{
  char *name;
  guint64 n_events;
  guint8 kind;   /* PlEventKind */
  guint8 layout; /* PlLayout */
  gboolean has_timestamp;
  guint n_fields;
  PlField *fields;
} PlSchema;

typedef struct _PlSchemas PlSchemas;

PlSchemas    *pl_schemas_new     (void);
void          pl_schemas_free    (PlSchemas     *self);
PlWireResult  pl_schemas_parse   (PlSchemas     *self,
                                  PlWire        *wire,
                                  guint16       *out_type_id,
                                  PlSchema     **out_schema);
guint         pl_schemas_get_n   (PlSchemas     *self);
PlSchema     *pl_schemas_get     (PlSchemas     *self,
                                  guint          index);

G_END_DECLS

#endif /* PL_SCHEMA_H */
