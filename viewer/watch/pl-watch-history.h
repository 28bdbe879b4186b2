/* pl-watch-history.h: a session's disk usage and verdicts over time, bounded
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WATCH_HISTORY_H
#define PL_WATCH_HISTORY_H

#include "pl-verdict.h"

G_BEGIN_DECLS

/**
 * PlWatchPoint:
 * @wall_ns: when, on the wall clock
 * @mono_ns: when, on the monotonic clock, which a recorder on this computer has its events on
 * @disk_usage_bytes: largest usage since the point before
 * @bytes_written: ever, never falls
 * @evicted_bytes: ever, never falls
 */
typedef struct
{
  gint64 wall_ns;
  gint64 mono_ns;
  guint64 disk_usage_bytes;
  guint64 bytes_written;
  guint64 evicted_bytes;
} PlWatchPoint;

/**
 * PlVerdictSpan:
 *
 * Holds from its begin to that of the next span, the last one until now.
 */
typedef struct
{
  PlVerdict verdict;
  PlVerdictCause cause;
  gint64 from_wall_ns;
  gint64 from_mono_ns;
} PlVerdictSpan;

typedef struct _PlWatchHistory PlWatchHistory;

PlWatchHistory      *pl_watch_history_new        (void);
void                 pl_watch_history_free       (PlWatchHistory     *self);
void                 pl_watch_history_add_point  (PlWatchHistory     *self,
                                                  const PlWatchPoint *point);
void                 pl_watch_history_add_span   (PlWatchHistory      *self,
                                                  const PlVerdictSpan *span);
const PlWatchPoint  *pl_watch_history_get_points (PlWatchHistory     *self,
                                                  guint              *out_n);
const PlVerdictSpan *pl_watch_history_get_spans  (PlWatchHistory     *self,
                                                  guint              *out_n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlWatchHistory, pl_watch_history_free)

G_END_DECLS

#endif /* PL_WATCH_HISTORY_H */
