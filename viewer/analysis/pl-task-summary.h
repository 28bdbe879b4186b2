/* pl-task-summary.h: what one task did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TASK_SUMMARY_H
#define PL_TASK_SUMMARY_H

#include <gio/gio.h>

#include "pl-trace.h"

G_BEGIN_DECLS

/* Powers of ten from 1 us: bucket 0 is below 1 us, bucket 7 is 1 s and over. */
#define PL_TASK_SUMMARY_N_BUCKETS 8

/**
 * PlTaskSummary:
 * @task: spawn, end, spawn location
 * @first_ns: start of its first poll, if @n_polls
 * @n_polls: finished polls in the whole trace
 * @busy_ns: their sum
 * @longest: the longest of them, if @n_polls
 * @n_over: polls at or over the threshold asked for
 * @histogram: finished polls by duration
 */
typedef struct
{
  PlTask task;
  gint64 first_ns;
  guint64 n_polls;
  gint64 busy_ns;
  PlPoll longest;
  guint64 n_over;
  guint64 histogram[PL_TASK_SUMMARY_N_BUCKETS];
} PlTaskSummary;

gboolean pl_task_summary (PlTrace       *trace,
                          guint64        task_id,
                          gint64         threshold_ns,
                          GCancellable  *cancellable,
                          PlTaskSummary *out_summary);

G_END_DECLS

#endif /* PL_TASK_SUMMARY_H */
