/* pl-watch-set.h: watches all sessions of a directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WATCH_SET_H
#define PL_WATCH_SET_H

#include "pl-watch.h"

G_BEGIN_DECLS

#define PL_TYPE_WATCH_SET (pl_watch_set_get_type ())
G_DECLARE_FINAL_TYPE (PlWatchSet, pl_watch_set, PL, WATCH_SET, GObject)

/**
 * PlWatchSet:
 *
 * Signals, in the thread-default main context of pl_watch_set_new(), of sessions that count:
 * `sampled (set, watch)`: a session was looked at.
 * `changed (set, watch)`: its verdict or cause are new; after `sampled`.
 */
PlWatchSet *pl_watch_set_new        (const char *directory,
                                     const char *prefix);
void        pl_watch_set_start      (PlWatchSet *self);
void        pl_watch_set_stop       (PlWatchSet *self);
guint       pl_watch_set_get_n      (PlWatchSet *self);
PlWatch    *pl_watch_set_get        (PlWatchSet *self,
                                     guint       position);
PlWatch    *pl_watch_set_get_worst  (PlWatchSet *self);
gboolean    pl_watch_set_is_settled (PlWatchSet *self);

G_END_DECLS

#endif /* PL_WATCH_SET_H */
