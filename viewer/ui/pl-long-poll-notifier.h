/* pl-long-poll-notifier.h: tells of polls that pass the threshold while a session is followed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LONG_POLL_NOTIFIER_H
#define PL_LONG_POLL_NOTIFIER_H

#include "pl-trace.h"

G_BEGIN_DECLS

typedef struct _PlLongPollNotifier PlLongPollNotifier;

/**
 * PlLongPollTell:
 * @trace: the snapshot that @poll is of
 * @poll: at or over the threshold
 * @n_held: how many of the same spawn location were not told since the last one that was
 */
typedef void (*PlLongPollTell) (PlTrace      *trace,
                                const PlPoll *poll,
                                guint         n_held,
                                gpointer      data);

PlLongPollNotifier *pl_long_poll_notifier_new    (PlLongPollTell      tell,
                                                  gpointer            data);
void                pl_long_poll_notifier_free   (PlLongPollNotifier *self);
void                pl_long_poll_notifier_reset  (PlLongPollNotifier *self);
void                pl_long_poll_notifier_hear   (PlLongPollNotifier *self,
                                                  PlTrace            *trace,
                                                  gint64              threshold_ns,
                                                  gint64              now_ns);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlLongPollNotifier, pl_long_poll_notifier_free)

G_END_DECLS

#endif /* PL_LONG_POLL_NOTIFIER_H */
