/* pl-watch.h: watches a session directory and says how its writer is
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WATCH_H
#define PL_WATCH_H

#include <gio/gio.h>

#include "pl-dir-scan.h"
#include "pl-watch-history.h"
#include "pl-watch-status.h"

G_BEGIN_DECLS

#define PL_TYPE_WATCH (pl_watch_get_type ())
G_DECLARE_FINAL_TYPE (PlWatch, pl_watch, PL, WATCH, GObject)

/**
 * PlWatch:
 *
 * Properties: `directory` and `prefix`, both construct-only; `verdict` and `cause`, which notify.
 *
 * Signals, in the thread-default main context of pl_watch_new():
 * `sampled (watch)`: the directory was looked at, once a second; status and history are new.
 * `changed (watch)`: verdict or cause are not what they were; after `sampled`.
 */
PlWatch              *pl_watch_new           (const char *directory,
                                              const char *prefix);
void                  pl_watch_start         (PlWatch    *self);
void                  pl_watch_stop          (PlWatch    *self);
const char           *pl_watch_get_directory (PlWatch    *self);
const char           *pl_watch_get_prefix    (PlWatch    *self);
const GArray         *pl_watch_get_others    (PlWatch    *self);
gboolean              pl_watch_has_company   (PlWatch    *self);
void                  pl_watch_tell_company  (PlWatch    *self,
                                              gboolean    has_company);
PlVerdict             pl_watch_get_verdict   (PlWatch    *self);
PlVerdictCause        pl_watch_get_cause     (PlWatch    *self);
const PlWatchStatus  *pl_watch_get_status    (PlWatch    *self);
PlWatchHistory       *pl_watch_get_history   (PlWatch    *self);
char                **pl_watch_dup_evidence  (PlWatch    *self);

G_END_DECLS

#endif /* PL_WATCH_H */
