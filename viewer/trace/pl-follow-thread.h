/* pl-follow-thread.h: follows a session in a thread of its own, and delivers snapshots
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_THREAD_H
#define PL_FOLLOW_THREAD_H

#include "pl-follow.h"

G_BEGIN_DECLS

typedef struct _PlFollowThread PlFollowThread;

/**
 * PlFollowThreadFunc:
 * @trace: a new snapshot
 * @state: whether there is anything to follow
 *
 * Called on the main context that pl_follow_thread_start() was called on, until pl_follow_thread_stop().
 */
typedef void (*PlFollowThreadFunc) (PlTrace *trace, PlFollowState state, gpointer user_data);

PlFollowThread *pl_follow_thread_start        (PlFollow           *follow,
                                               PlFollowThreadFunc  func,
                                               gpointer            user_data);
void            pl_follow_thread_stop         (PlFollowThread     *self);
void            pl_follow_thread_set_pace     (PlFollowThread     *self,
                                               guint               interval_ms);
void            pl_follow_thread_look_at      (PlFollowThread     *self,
                                               gint64              from_ns,
                                               gint64              to_ns);
void            pl_follow_thread_offer_detail (PlFollowThread     *self,
                                               PlTrace            *trace);

G_END_DECLS

#endif /* PL_FOLLOW_THREAD_H */
