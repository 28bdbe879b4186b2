/* pl-long-polls.h: polls at or over a threshold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LONG_POLLS_H
#define PL_LONG_POLLS_H

#include <gio/gio.h>

#include "pl-trace.h"

G_BEGIN_DECLS

typedef enum
{
  PL_LONG_POLLS_BY_DURATION,
  PL_LONG_POLLS_BY_WORKER,
  PL_LONG_POLLS_BY_START,
  PL_LONG_POLLS_BY_TASK,
  PL_LONG_POLLS_BY_SPAWN_LOC,
} PlLongPollsOrder;

guint64 pl_long_polls_count (PlTrace      *trace,
                             gint64        from_ns,
                             gint64        to_ns,
                             gint64        threshold_ns,
                             gint64       *out_longest_ns);
GArray *pl_long_polls_find  (PlTrace      *trace,
                             gint64        threshold_ns,
                             GCancellable *cancellable);
void    pl_long_polls_add_growing (PlTrace *trace,
                             gint64        threshold_ns,
                             GArray       *polls);
GArray *pl_long_polls_sort  (PlTrace      *trace,
                             GArray       *polls,
                             PlLongPollsOrder order,
                             gboolean      descending,
                             GCancellable *cancellable);
gboolean pl_long_polls_next (PlTrace      *trace,
                             gint64        after_ns,
                             guint64       after_worker,
                             gint64        threshold_ns,
                             PlPoll       *out_poll);
gboolean pl_long_polls_previous (PlTrace  *trace,
                             gint64        before_ns,
                             guint64       before_worker,
                             gint64        threshold_ns,
                             PlPoll       *out_poll);

G_END_DECLS

#endif /* PL_LONG_POLLS_H */
