/* pl-task-events.h: spawns or ends of tasks in few bytes, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TASK_EVENTS_H
#define PL_TASK_EVENTS_H

#include "pl-column.h"

G_BEGIN_DECLS

/**
 * PlTaskEvent:
 * @spawn_loc: number of the string; 0 for an end
 *
 * A task is spawned or ends.
 */
typedef struct
{
  gint64 at_ns;
  guint64 task_id;
  guint32 spawn_loc;
} PlTaskEvent;

/**
 * PlTaskEvents:
 *
 * What one piece holds of them, in the order of the stream: 7 bytes each, mostly.
 */
typedef struct _PlTaskEvents PlTaskEvents;

PlTaskEvents *pl_task_events_new        (GArray             *collected,
                                         gboolean            in_slab);
PlTaskEvents *pl_task_events_ref        (PlTaskEvents       *self);
void          pl_task_events_unref      (PlTaskEvents       *self);
guint         pl_task_events_get_n      (const PlTaskEvents *self);
PlTaskEvent   pl_task_events_get        (const PlTaskEvents *self,
                                         guint               i);
gsize         pl_task_events_get_memory (const PlTaskEvents *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlTaskEvents, pl_task_events_unref)

G_END_DECLS

#endif /* PL_TASK_EVENTS_H */
