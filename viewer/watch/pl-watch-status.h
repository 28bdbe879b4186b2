/* pl-watch-status.h: all that is known of a watched session at one moment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WATCH_STATUS_H
#define PL_WATCH_STATUS_H

#include "pl-verdict.h"

G_BEGIN_DECLS

#define PL_MAX_EVIDENCE 12

/* Of durations that are not known. */
#define PL_WATCH_NOT_KNOWN ((gint64) -1)

/**
 * PlWatchStatus:
 * @at_wall_ns: when the directory was last looked at, on the wall clock; 0 = not yet
 * @since_wall_ns: since when what the verdict says has been so: for a stall the last growth
 * @evidence: (array length=n_evidence): most telling first
 * @bytes_written: ever; eviction, compression and truncation do not lower it
 * @disk_usage_bytes: of the session's files now
 * @budget_bytes: that the writer keeps to; 0 = not declared
 * @evicted_bytes: of segments that went while they were watched
 * @rate_bytes_per_s: over the last minute
 * @wrap_ns: until the budget is used up at that rate, or %PL_WATCH_NOT_KNOWN
 * @since_growth_ns: how long nothing has been written, time in which nobody could look left out, or %PL_WATCH_NOT_KNOWN
 * @expected_gap_ns: usual time between two growths: the declared heartbeat or what was learnt, or %PL_WATCH_NOT_KNOWN
 * @judged_in_ns: until a verdict falls if nothing is written, or %PL_WATCH_NOT_KNOWN when it has fallen
 * @reach_ns: how far back what is on disk goes at least, or %PL_WATCH_NOT_KNOWN
 * @lost_at_most_ns: of a killed writer: the time whose events may be missing, or %PL_WATCH_NOT_KNOWN
 * @is_complete: of a finished session: its last segment ends in order
 * @writer_healthy: 1 yes, 0 no, -1 not known
 * @writer_pid: 0 = not known
 * @has_shown_life: it was seen to grow, or its writer to be there, since the watch began
 *
 * A plain value.
 */
typedef struct
{
  PlVerdict verdict;
  PlVerdictCause cause;
  gint64 at_wall_ns;
  gint64 since_wall_ns;
  PlEvidence evidence[PL_MAX_EVIDENCE];
  guint n_evidence;
  guint64 bytes_written;
  guint64 disk_usage_bytes;
  guint64 budget_bytes;
  guint64 evicted_bytes;
  guint64 n_evicted;
  double rate_bytes_per_s;
  gint64 wrap_ns;
  gint64 since_growth_ns;
  gint64 expected_gap_ns;
  gint64 judged_in_ns;
  gint64 reach_ns;
  gint64 lost_at_most_ns;
  gboolean is_complete;
  int writer_healthy;
  guint32 writer_pid;
  gboolean has_shown_life;
} PlWatchStatus;

/* Before anything was seen. */
#define PL_WATCH_STATUS_NONE ((PlWatchStatus) { \
  .wrap_ns = PL_WATCH_NOT_KNOWN, .since_growth_ns = PL_WATCH_NOT_KNOWN, .expected_gap_ns = PL_WATCH_NOT_KNOWN, \
  .judged_in_ns = PL_WATCH_NOT_KNOWN, .reach_ns = PL_WATCH_NOT_KNOWN, .lost_at_most_ns = PL_WATCH_NOT_KNOWN, \
  .is_complete = TRUE, .writer_healthy = -1 })

G_END_DECLS

#endif /* PL_WATCH_STATUS_H */
