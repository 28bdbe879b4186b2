/* pl-poll-sort.h: sorting millions of polls by numbers
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_POLL_SORT_H
#define PL_POLL_SORT_H

#include <gio/gio.h>

#include "pl-poll.h"

G_BEGIN_DECLS

/**
 * PlPollKeyFunc:
 *
 * Returns: the number to sort a poll by
 */
typedef guint64 (*PlPollKeyFunc) (const PlPoll *poll,
                                  gpointer      user_data);

/**
 * PlPollKey:
 * @get: gives the number
 * @descending: largest first
 */
typedef struct
{
  PlPollKeyFunc get;
  gpointer user_data;
  gboolean descending;
} PlPollKey;

GArray *pl_poll_sort (GArray          *polls,
                      const PlPollKey *keys,
                      guint            n_keys,
                      GCancellable    *cancellable);

G_END_DECLS

#endif /* PL_POLL_SORT_H */
