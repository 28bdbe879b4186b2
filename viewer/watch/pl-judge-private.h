/* pl-judge-private.h: what the judge remembers, shared by its three files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pl-judge.c keeps the time and learns, pl-judge-rules.c finds the verdict, pl-judge-evidence.c says what it rests on.
 */
#ifndef PL_JUDGE_PRIVATE_H
#define PL_JUDGE_PRIVATE_H

#include "pl-judge.h"
#include "pl-ledger.h"

G_BEGIN_DECLS

#define PL_NS_PER_S G_GINT64_CONSTANT (1000000000)

#define PL_N_GAPS 32
#define PL_N_RATES 64

typedef struct
{
  gint64 observed_ns;
  guint64 bytes_written;
} PlRatePoint;

/**
 * PlJudge:
 * @observed_ns: time in which somebody looked: no single step is longer than two seconds. All else of the kind is on
 *   this clock, so that a suspended computer, a stopped viewer and a clock that is set are no silence of the writer.
 * @grown_ns: when growth was seen last; the first look counts
 * @excused_until_ns: after a time in which nobody looked the writer has this long to be heard
 * @gaps: the last ones between two growths, in a ring of @n_gaps % %PL_N_GAPS
 * @n_long_gaps: that were taken for stalls without a cause and ended by themselves
 * @writes_despite_mode: it has begun a segment where mode bits and owners say that it may not: there are access lists,
 *   capabilities and further groups
 * @could_not_write: the mode said so at the look before
 * @n_gone: looks in a row that saw the writer gone and no growth
 * @n_lost: looks in a row that saw a process write to what was deleted before anybody looked
 * @has_seen_writer: its lock held, or its process
 * @inactive_ns: since when no segment is being written, or -1
 * @lost_active: the segment being written was deleted, and nothing was written since
 */
struct _PlJudge
{
  PlLedger *ledger;
  const PlDirScan *scan;
  gint64 mono_ns;
  gint64 boot_ns;
  gint64 wall_ns;
  gint64 observed_ns;
  gboolean has_looked;
  gboolean has_seen_directory;
  gboolean has_seen_segment;

  gboolean has_grown;
  gboolean is_growing;
  gboolean was_growing;
  gint64 grown_ns;
  gint64 grown_wall_ns;
  gint64 age_at_first_ns;
  gint64 excused_until_ns;
  PlEvidence disturbance;
  gint64 disturbed_ns;

  gint64 gaps[PL_N_GAPS];
  guint n_gaps;
  guint n_long_gaps;
  PlRatePoint rates[PL_N_RATES];
  guint n_rates;

  PlWriterFacts facts;
  gboolean has_queue_samples;
  gboolean has_recorded;
  gboolean is_understood;

  gboolean writes_despite_mode;
  gboolean could_not_write;
  guint n_gone;
  guint n_lost;
  gboolean has_seen_writer;
  gint64 inactive_ns;
  gboolean lost_active;
  guint64 lost_index;
  guint64 lost_size;
  gboolean is_cut_short;
  guint64 cut_index;
  guint64 cut_size;
  gint64 evicted_ns;
  gint64 eviction_gap_ns;
  guint64 n_evicted;
  gint64 degraded_ns; /* since when its heartbeats tell of a fault, or -1 */

  guint32 pid;
  PlVerdict verdict;
  PlVerdictCause cause;
  gboolean is_cause_past;
  gint64 verdict_wall_ns;
  gint64 next_ns;
};

gboolean       pl_judge_has_active    (const PlJudge *self);
gint64         pl_judge_get_idle_ns   (const PlJudge *self);
gint64         pl_judge_get_gap_ns    (const PlJudge *self);
gint64         pl_judge_get_limit_ns  (const PlJudge *self);
gint64         pl_judge_get_patience_ns (const PlJudge *self);
gboolean       pl_judge_has_heartbeat (const PlJudge *self);
void           pl_judge_decide        (PlJudge       *self,
                                       PlVerdict     *out_verdict,
                                       PlVerdictCause *out_cause,
                                       gboolean      *out_is_past);
void           pl_judge_give_evidence (const PlJudge *self,
                                       PlWatchStatus *status);

G_END_DECLS

#endif /* PL_JUDGE_PRIVATE_H */
