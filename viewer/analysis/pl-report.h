/* pl-report.h: a trace in figures
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_REPORT_H
#define PL_REPORT_H

#include "pl-trace.h"

G_BEGIN_DECLS

typedef struct
{
  guint64 id;
  guint64 n_polls;
  gint64 busy_ns;
  gint64 parked_ns;
  gint64 unknown_ns;
  gint64 longest_ns;
} PlReportWorker;

typedef struct
{
  const char *spawn_loc;
  guint64 n_polls;
  gint64 total_ns;
  gint64 max_ns;
  guint64 n_over;
} PlReportLocation;

/**
 * PlReport:
 * @workers: (element-type PlReportWorker): in the order of the lanes
 * @n_long_polls: polls at or over the threshold
 * @long_polls: (element-type PlPoll): them, or the longest of them as far as asked for, longest first
 * @locations: (element-type PlReportLocation): those with most long polls first, then by total time
 * @n_estimated: polls that are held as summaries and could not be read again from their files: their places and tasks are
 *   not known, and of their durations only sums and maxima
 *
 * Times in ns. Strings live as long as the trace.
 */
typedef struct
{
  gint64 threshold_ns;
  PlPollTotals polls;
  gint64 p50_ns;
  gint64 p99_ns;
  gint64 p999_ns;
  guint64 n_1ms;
  guint64 n_5ms;
  guint64 n_100ms;
  guint64 n_spawned;
  guint64 n_terminated;
  guint64 n_seen;
  guint64 n_long_polls;
  guint64 n_estimated;
  GArray *workers;
  GArray *long_polls;
  GArray *locations;
} PlReport;

/**
 * PlReportFunc:
 * @done: how much of the trace has been walked through
 * @all: of how much
 */
typedef void (*PlReportFunc) (guint    done,
                              guint    all,
                              gpointer user_data);

PlReport *pl_report_new      (PlTrace     *trace,
                              gint64       threshold_ns);
PlReport *pl_report_new_full (PlTrace     *trace,
                              gint64       threshold_ns,
                              guint        max_long_polls,
                              PlReportFunc progress,
                              gpointer     user_data);
void      pl_report_free     (PlReport    *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlReport, pl_report_free)

G_END_DECLS

#endif /* PL_REPORT_H */
