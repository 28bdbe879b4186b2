/* pl-poll-sort.h: sorting millions of polls by a number
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_POLL_SORT_H
#define PL_POLL_SORT_H

#include "pl-poll.h"

G_BEGIN_DECLS

/**
 * PlPollKeyFunc:
 *
 * Returns: the number to sort a poll by
 */
typedef guint64 (*PlPollKeyFunc) (const PlPoll *poll,
                                  gpointer      user_data);

void pl_poll_sort (GArray        *polls,
                   PlPollKeyFunc  key,
                   gboolean       descending,
                   gpointer       user_data);

G_END_DECLS

#endif /* PL_POLL_SORT_H */
