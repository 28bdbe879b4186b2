/* pl-range-facts.h: figures of the selected range, or of the view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_RANGE_FACTS_H
#define PL_RANGE_FACTS_H

#include <gtk/gtk.h>

#include "pl-long-poll-model.h"
#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_RANGE_FACTS (pl_range_facts_get_type ())
G_DECLARE_FINAL_TYPE (PlRangeFacts, pl_range_facts, PL, RANGE_FACTS, GtkWidget)

void pl_range_facts_set_view (PlRangeFacts    *self,
                              PlView          *view,
                              PlLongPollModel *model);

G_END_DECLS

#endif /* PL_RANGE_FACTS_H */
