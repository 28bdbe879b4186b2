/* pl-poll-item.h: one poll as the row of a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_POLL_ITEM_H
#define PL_POLL_ITEM_H

#include <glib-object.h>

#include "pl-poll.h"

G_BEGIN_DECLS

#define PL_TYPE_POLL_ITEM (pl_poll_item_get_type ())
G_DECLARE_FINAL_TYPE (PlPollItem, pl_poll_item, PL, POLL_ITEM, GObject)

PlPollItem   *pl_poll_item_new      (const PlPoll *poll);
void          pl_poll_item_update   (PlPollItem   *self,
                                     const PlPoll *poll);
const PlPoll *pl_poll_item_get_poll (PlPollItem   *self);

G_END_DECLS

#endif /* PL_POLL_ITEM_H */
