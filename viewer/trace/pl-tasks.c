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

static gboolean
find_event (const PlTaskEvents *events, guint64 task_id, PlTaskEvent *out_event)
{
  for (guint i = 0; i < pl_task_events_get_n (events); i++)
    {
      *out_event = pl_task_events_get (events, i);
      if (out_event->task_id == task_id)
        return TRUE;
    }
  return FALSE;
}

static gboolean
find_in_piece (PlPiece *piece, gpointer user_data)
{
  PlTask *task = user_data;
  PlTaskEvent event;

  if (find_event (piece->spawns, task->id, &event))
    {
      task->spawn_ns = event.at_ns;
      task->spawn_loc = event.spawn_loc;
      task->has_spawn = TRUE;
    }
  if (find_event (piece->ends, task->id, &event))
    {
      task->end_ns = event.at_ns;
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

/**
 * pl_trace_get_task_events:
 * @out_spawned: (out): spawn events
 * @out_terminated: (out): termination events
 *
 * Any thread; O(pieces).
 */
void
pl_trace_get_task_events (PlTrace *self, guint64 *out_spawned, guint64 *out_terminated)
{
  *out_spawned = *out_terminated = 0;
  for (guint i = 0; i < self->pieces->len; i++)
    {
      const PlPiece *piece = g_ptr_array_index (self->pieces, i);

      *out_spawned += piece->n_spawns;
      *out_terminated += piece->n_ends;
    }
}
