/* pl-long-poll-list.h: the table of polls at or over the threshold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LONG_POLL_LIST_H
#define PL_LONG_POLL_LIST_H

#include <gtk/gtk.h>

#include "pl-long-poll-model.h"

G_BEGIN_DECLS

#define PL_TYPE_LONG_POLL_LIST (pl_long_poll_list_get_type ())
G_DECLARE_FINAL_TYPE (PlLongPollList, pl_long_poll_list, PL, LONG_POLL_LIST, GtkWidget)

void pl_long_poll_list_set_model (PlLongPollList  *self,
                                  PlView          *view,
                                  PlLongPollModel *model);

G_END_DECLS

#endif /* PL_LONG_POLL_LIST_H */
