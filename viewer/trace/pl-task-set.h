/* pl-task-set.h: which tasks were seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TASK_SET_H
#define PL_TASK_SET_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PlTaskSet PlTaskSet;

PlTaskSet *pl_task_set_new   (void);
void       pl_task_set_free  (PlTaskSet       *self);
void       pl_task_set_add   (PlTaskSet       *self,
                              guint64          id);
guint64    pl_task_set_get_n (const PlTaskSet *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlTaskSet, pl_task_set_free)

G_END_DECLS

#endif /* PL_TASK_SET_H */
