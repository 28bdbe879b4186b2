/* pl-long-poll-steps.h: how the rows of a list become other rows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LONG_POLL_STEPS_H
#define PL_LONG_POLL_STEPS_H

#include <gio/gio.h>

#include "pl-long-poll-rows.h"

G_BEGIN_DECLS

typedef struct _PlLongPollSteps PlLongPollSteps;

gboolean         pl_long_poll_steps_needed (PlLongPollRows  *rows,
                                            PlLongPollRows  *wanted);

PlLongPollSteps *pl_long_poll_steps_new    (PlLongPollRows  *rows,
                                            PlLongPollRows  *wanted);
void             pl_long_poll_steps_free   (PlLongPollSteps *self);
gboolean         pl_long_poll_steps_keep   (PlLongPollSteps *self,
                                            const PlPoll    *poll);
gboolean         pl_long_poll_steps_take   (PlLongPollSteps *self,
                                            GListModel      *model);

G_END_DECLS

#endif /* PL_LONG_POLL_STEPS_H */
