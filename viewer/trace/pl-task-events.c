/* pl-task-events.c: spawns or ends of tasks in few bytes, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-task-events.h"

#include "pl-slab.h"

enum
{
  AT,
  TASK,
  LOC,
  N_COLUMNS,
};

struct _PlTaskEvents
{
  guint n;
  PlColumn columns[N_COLUMNS];
  gpointer values; /* of all columns */
  GBytes *memory;  /* (nullable): the slab in which they lie */
  gsize size;      /* bytes of them */
};

static guint64
get_number (const PlTaskEvent *event, guint column)
{
  if (column == AT)
    return (guint64) event->at_ns;
  return column == TASK ? event->task_id : event->spawn_loc;
}

/* One column behind the other. */
static guint64 *
copy_numbers (GArray *collected)
{
  guint64 *numbers = g_new (guint64, (gsize) N_COLUMNS * collected->len);

  for (guint column = 0; column < N_COLUMNS; column++)
    for (guint i = 0; i < collected->len; i++)
      numbers[(gsize) column * collected->len + i] = get_number (&g_array_index (collected, PlTaskEvent, i), column);
  return numbers;
}

/**
 * pl_task_events_new:
 * @collected: (element-type PlTaskEvent): what decoding found
 * @in_slab: they live and go with the blocks that the thread has made last
 *
 * Returns: (transfer full) (nullable): the events, %NULL without any
 */
PlTaskEvents *
pl_task_events_new (GArray *collected, gboolean in_slab)
{
  g_autofree guint64 *numbers = NULL;
  gsize n = collected->len;
  gsize offsets[N_COLUMNS];
  PlTaskEvents *self;

  if (n == 0)
    return NULL;
  numbers = copy_numbers (collected);
  self = g_atomic_rc_box_new0 (PlTaskEvents);
  self->n = collected->len;
  for (guint column = 0; column < N_COLUMNS; column++)
    {
      self->columns[column] = pl_column_plan_u64 (numbers + column * n, self->n);
      offsets[column] = self->size;
      self->size += (n * self->columns[column].width + 7) & ~(gsize) 7;
    }
  self->values = in_slab ? pl_slab_alloc (self->size, &self->memory) : g_malloc (self->size);
  for (guint column = 0; column < N_COLUMNS; column++)
    pl_column_fill_u64 (&self->columns[column], (guint8 *) self->values + offsets[column], numbers + column * n, self->n);
  return self;
}

static void
clear (gpointer data)
{
  PlTaskEvents *self = data;

  if (self->memory == NULL)
    g_free (self->values);
  g_clear_pointer (&self->memory, g_bytes_unref);
}

PlTaskEvents *
pl_task_events_ref (PlTaskEvents *self)
{
  return g_atomic_rc_box_acquire (self);
}

void
pl_task_events_unref (PlTaskEvents *self)
{
  g_atomic_rc_box_release_full (self, clear);
}

/**
 * pl_task_events_get_n:
 * @self: (nullable): of %NULL there are none
 */
guint
pl_task_events_get_n (const PlTaskEvents *self)
{
  return self != NULL ? self->n : 0;
}

/**
 * pl_task_events_get:
 * @i: less than their number
 *
 * Returns: one of them, in the order in which they were recorded
 */
PlTaskEvent
pl_task_events_get (const PlTaskEvents *self, guint i)
{
  return (PlTaskEvent) {
    .at_ns = (gint64) pl_column_get (&self->columns[AT], i),
    .task_id = pl_column_get (&self->columns[TASK], i),
    .spawn_loc = (guint32) pl_column_get (&self->columns[LOC], i),
  };
}

/**
 * pl_task_events_get_memory:
 * @self: (nullable)
 *
 * Returns: bytes
 */
gsize
pl_task_events_get_memory (const PlTaskEvents *self)
{
  return self != NULL ? sizeof *self + self->size : 0;
}
