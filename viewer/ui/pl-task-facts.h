/* pl-task-facts.h: what the task of the selected poll did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TASK_FACTS_H
#define PL_TASK_FACTS_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_TASK_FACTS (pl_task_facts_get_type ())
G_DECLARE_FINAL_TYPE (PlTaskFacts, pl_task_facts, PL, TASK_FACTS, GtkWidget)

void pl_task_facts_set_view (PlTaskFacts *self,
                             PlView      *view);

G_END_DECLS

#endif /* PL_TASK_FACTS_H */
