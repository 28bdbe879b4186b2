/* pl-task-summary.c: what one task did
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-task-summary.h"

#include "pl-detail.h"

typedef struct
{
  guint64 task_id;
  gint64 threshold_ns;
  GCancellable *cancellable;
  guint64 n_seen;
  PlTaskSummary *summary;
} Collect;

static guint
bucket_of (gint64 duration_ns)
{
  guint bucket = 0;

  for (gint64 limit = 1000; bucket + 1 < PL_TASK_SUMMARY_N_BUCKETS && duration_ns >= limit; limit *= 10)
    bucket++;
  return bucket;
}

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  Collect *collect = user_data;
  PlTaskSummary *summary = collect->summary;

  if ((++collect->n_seen & 0xffff) == 0 && g_cancellable_is_cancelled (collect->cancellable))
    return FALSE;
  if (poll->task_id != collect->task_id)
    return TRUE;
  if (summary->n_polls == 0 || poll->start_ns < summary->first_ns)
    summary->first_ns = poll->start_ns;
  if (summary->n_polls == 0 || poll->duration_ns > summary->longest.duration_ns)
    summary->longest = *poll;
  if (!summary->task.has_spawn)
    summary->task.spawn_loc = poll->spawn_loc;
  summary->n_polls++;
  summary->busy_ns += poll->duration_ns;
  summary->n_over += poll->duration_ns >= collect->threshold_ns;
  summary->histogram[bucket_of (poll->duration_ns)]++;
  return TRUE;
}

/**
 * pl_task_summary:
 * @task_id: a task's id
 * @threshold_ns: a poll of this duration or more is long
 * @cancellable: (nullable): ends the search early
 * @out_summary: (out): what was found
 *
 * Looks through all polls for those of one task: O(polls), so not on the main thread.
 *
 * Returns: %FALSE when it was cancelled
 */
gboolean
pl_task_summary (PlTrace *trace, guint64 task_id, gint64 threshold_ns, GCancellable *cancellable,
                 PlTaskSummary *out_summary)
{
  Collect collect = { task_id, threshold_ns, cancellable, 0, out_summary };

  *out_summary = (PlTaskSummary) { 0 };
  pl_trace_find_task (trace, task_id, &out_summary->task);
  return pl_detail_foreach_poll (trace, 0, add_poll, &collect, cancellable);
}
