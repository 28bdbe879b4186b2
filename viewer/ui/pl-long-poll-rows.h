/* pl-long-poll-rows.h: the polls at or over a threshold, found, sorted and counted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LONG_POLL_ROWS_H
#define PL_LONG_POLL_ROWS_H

#include <gio/gio.h>

#include "pl-found-polls.h"
#include "pl-long-polls.h"

G_BEGIN_DECLS

/**
 * PlLongPollRows:
 * @polls: (element-type PlPoll): in the order that was asked for; may be on its way to the next rows
 * @threshold_ns: what they are at or over
 * @starts: when they start, sorted
 * @ends: when they end, sorted by itself
 * @n_instants: how many there are of each
 * @longest_ns: the longest finished poll of the whole trace, long or not; 0 when there is none
 */
typedef struct
{
  GArray *polls;
  gint64 threshold_ns;
  gint64 *starts;
  gint64 *ends;
  guint n_instants;
  gint64 longest_ns;
} PlLongPollRows;

PlLongPollRows *pl_long_poll_rows_new       (gint64                threshold_ns);
PlLongPollRows *pl_long_poll_rows_find      (PlFoundPolls         *found,
                                             PlTrace              *trace,
                                             gint64                threshold_ns,
                                             PlLongPollsOrder      order,
                                             gboolean              descending,
                                             GCancellable         *cancellable);
void            pl_long_poll_rows_free      (PlLongPollRows       *self);
gboolean        pl_long_poll_rows_find_poll (const PlLongPollRows *self,
                                             const PlPoll         *poll,
                                             guint                *out_position);
guint           pl_long_poll_rows_count_in  (const PlLongPollRows *self,
                                             gint64                from_ns,
                                             gint64                to_ns);

G_END_DECLS

#endif /* PL_LONG_POLL_ROWS_H */
