/* pl-tasks.c: what a trace knows of tasks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-detail-private.h"
#include "pl-trace-private.h"

static gboolean
may_hold_task (PlPiece *piece, gpointer user_data)
{
  const PlTask *task = user_data;

  return piece->min_task <= task->id && task->id <= piece->max_task;
}

static const PlTaskEvent *
find_event (GArray *events, guint64 task_id)
{
  for (guint i = 0; i < events->len; i++)
    if (g_array_index (events, PlTaskEvent, i).task_id == task_id)
      return &g_array_index (events, PlTaskEvent, i);
  return NULL;
}

static gboolean
find_in_piece (PlPiece *piece, gpointer user_data)
{
  PlTask *task = user_data;
  const PlTaskEvent *spawn = find_event (piece->spawns, task->id);
  const PlTaskEvent *end = find_event (piece->ends, task->id);

  if (spawn != NULL)
    {
      task->spawn_ns = spawn->at_ns;
      task->spawn_loc = spawn->spawn_loc;
      task->has_spawn = TRUE;
    }
  if (end != NULL)
    {
      task->end_ns = end->at_ns;
      task->has_end = TRUE;
    }
  return TRUE;
}

/**
 * pl_trace_find_task:
 * @task_id: a task's id
 * @out_task: (out): what its spawn and its end say
 *
 * O(spawns), and may read from the files where the snapshot holds summaries: not on the main thread.
 *
 * Returns: whether either is in the trace. A task may be known from polls alone.
 */
gboolean
pl_trace_find_task (PlTrace *self, guint64 task_id, PlTask *out_task)
{
  *out_task = (PlTask) { .id = task_id };
  pl_detail_foreach_piece (self, may_hold_task, find_in_piece, out_task, NULL);
  return out_task->has_spawn || out_task->has_end;
}

/* A set of task ids: bits for the small numbers that Tokio gives out, in blocks where there are any; a hash table for the
 * rest. */
#define BITS_PER_BLOCK (G_GUINT64_CONSTANT (1) << 15)
#define N_BLOCKS (1 << 13)

typedef struct
{
  PlTrace *trace;
  guint8 **blocks;
  GHashTable *large;
  guint64 n;
} TaskSet;

static void
task_set_add (TaskSet *self, guint64 id)
{
  guint64 block = id / BITS_PER_BLOCK;
  guint8 bit = (guint8) (1u << id % 8);
  guint8 *byte;

  if (id == 0)
    return;
  if (block >= N_BLOCKS)
    {
      if (!g_hash_table_contains (self->large, &id))
        self->n += g_hash_table_add (self->large, g_memdup2 (&id, sizeof id));
      return;
    }
  if (self->blocks[block] == NULL)
    self->blocks[block] = g_malloc0 (BITS_PER_BLOCK / 8);
  byte = &self->blocks[block][id % BITS_PER_BLOCK / 8];
  self->n += (*byte & bit) == 0;
  *byte |= bit;
}

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  task_set_add (user_data, poll->task_id);
  return TRUE;
}

static void
add_events (TaskSet *self, GArray *events)
{
  for (guint i = 0; i < events->len; i++)
    task_set_add (self, g_array_index (events, PlTaskEvent, i).task_id);
}

static gboolean
add_piece (PlPiece *piece, gpointer user_data)
{
  TaskSet *self = user_data;

  add_events (self, piece->spawns);
  add_events (self, piece->ends);
  return pl_detail_foreach_poll_of_piece (self->trace, piece, 0, add_poll, self);
}

/**
 * pl_trace_get_task_totals:
 * @out_spawned: (out): spawn events
 * @out_terminated: (out): termination events
 * @out_seen: (out): different tasks known from spawns, ends and polls
 *
 * O(polls), and reads from the files where the snapshot holds summaries: not on the main thread.
 */
void
pl_trace_get_task_totals (PlTrace *self, guint64 *out_spawned, guint64 *out_terminated, guint64 *out_seen)
{
  TaskSet seen = { self, g_new0 (guint8 *, N_BLOCKS), g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL), 0 };

  *out_spawned = *out_terminated = 0;
  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = g_ptr_array_index (self->pieces, i);

      *out_spawned += piece->n_spawns;
      *out_terminated += piece->n_ends;
    }
  pl_detail_foreach_piece (self, NULL, add_piece, &seen, NULL);
  for (guint i = 0; i < pl_trace_get_n_all_lanes (self); i++)
    {
      const PlLane *lane = pl_trace_get_any_lane (self, i);

      for (guint j = 0; j < lane->joined->len; j++)
        task_set_add (&seen, g_array_index (lane->joined, PlPoll, j).task_id);
      for (guint j = 0; j < lane->open->len; j++)
        task_set_add (&seen, g_array_index (lane->open, PlPoll, j).task_id);
    }
  *out_seen = seen.n;
  for (guint i = 0; i < N_BLOCKS; i++)
    g_free (seen.blocks[i]);
  g_free (seen.blocks);
  g_hash_table_unref (seen.large);
}
