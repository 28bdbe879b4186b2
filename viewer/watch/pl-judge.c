/* pl-judge.c: keeps the time between looks at a directory, and learns what is usual there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-judge.h"

#include <stdlib.h>
#include <string.h>

#include "pl-judge-private.h"

/* A look is due each second; one that comes later than this was held up, and so may the writer have been. */
#define LATE_NS (PL_NS_PER_S * 5 / 2)
#define LONGEST_STEP_NS (2 * PL_NS_PER_S)

/* After a suspension disks and networks take their time. Not granted again within a minute: a viewer that is always
 * late still comes to a verdict. That the computer was suspended is certain, and always counts. */
#define EXCUSE_NS (10 * PL_NS_PER_S)
#define EXCUSE_AGAIN_NS (60 * PL_NS_PER_S)

#define LOOK_NS PL_NS_PER_S
#define SHORTEST_STEP_NS (PL_NS_PER_S / 5)

/* Fewer gaps teach nothing. */
#define MIN_GAPS 3

/* This often a silence may end by itself before it is taken for the writer's habit. */
#define HABIT 3

#define RATE_STEP_NS PL_NS_PER_S
#define RATE_SPAN_NS (60 * PL_NS_PER_S)

/* Between the wall clock and the others this much is more than slewing brings about from one look to the next. */
#define CLOCK_STEP_NS PL_NS_PER_S

/**
 * pl_judge_new:
 *
 * The judge is pure: it knows no clock and no file beyond the scans it hears of.
 *
 * Returns: (transfer full): a judge of one directory
 */
PlJudge *
pl_judge_new (void)
{
  PlJudge *self = g_new0 (PlJudge, 1);

  self->ledger = pl_ledger_new ();
  self->inactive_ns = -1;
  self->evicted_ns = -1;
  self->degraded_ns = -1;
  self->disturbed_ns = -1;
  return self;
}

void
pl_judge_free (PlJudge *self)
{
  pl_ledger_free (self->ledger);
  g_free (self);
}

gboolean
pl_judge_has_active (const PlJudge *self)
{
  return self->scan->current != NULL && self->scan->current->form == PL_FORM_ACTIVE;
}

gboolean
pl_judge_has_heartbeat (const PlJudge *self)
{
  return self->facts.heartbeat_period_ns > 0;
}

/* How long nothing has been written. */
gint64
pl_judge_get_idle_ns (const PlJudge *self)
{
  return self->observed_ns - self->grown_ns;
}

/* ---- time ---- */

static void
disturb (PlJudge *self, PlEvidenceKind kind, gint64 ns, gboolean excuses)
{
  gboolean was_lately = self->disturbed_ns >= 0 && self->observed_ns - self->disturbed_ns < EXCUSE_AGAIN_NS;

  self->disturbance = (PlEvidence) { kind, { ns } };
  if (excuses && (!was_lately || kind == PL_EVIDENCE_SUSPENDED))
    self->excused_until_ns = self->observed_ns + EXCUSE_NS;
  if (excuses || self->disturbed_ns < 0)
    self->disturbed_ns = self->observed_ns;
}

static void
advance (PlJudge *self, const PlDirScan *scan)
{
  gint64 step_ns = MAX (scan->mono_ns - self->mono_ns, 0);
  gint64 asleep_ns = scan->boot_ns - self->boot_ns - step_ns;
  gint64 wall_step_ns = scan->wall_ns - self->wall_ns - (scan->boot_ns - self->boot_ns);

  if (self->has_looked)
    {
      self->observed_ns += MIN (step_ns, step_ns > LATE_NS ? LONGEST_STEP_NS : step_ns);
      if (asleep_ns > PL_NS_PER_S)
        disturb (self, PL_EVIDENCE_SUSPENDED, asleep_ns, TRUE);
      else if (step_ns > LATE_NS)
        disturb (self, PL_EVIDENCE_VIEWER_LATE, step_ns, TRUE);
      else if (ABS (wall_step_ns) > CLOCK_STEP_NS)
        disturb (self, PL_EVIDENCE_CLOCK_STEP, wall_step_ns, FALSE);
    }
  self->mono_ns = scan->mono_ns;
  self->boot_ns = scan->boot_ns;
  self->wall_ns = scan->wall_ns;
}

/* ---- learning ---- */

static int
compare_ns (const void *a, const void *b)
{
  gint64 first = *(const gint64 *) a;
  gint64 second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

/* What nine of ten gaps do not exceed: one slow write must not make the judge patient. Where the stream says that its
 * writer has no regular duty, the longest: it writes when there is something to write. */
static gint64
get_learnt_gap_ns (const PlJudge *self)
{
  guint n = MIN (self->n_gaps, PL_N_GAPS);
  gint64 sorted[PL_N_GAPS];

  if (n < MIN_GAPS)
    return PL_WATCH_NOT_KNOWN;
  memcpy (sorted, self->gaps, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare_ns);
  return self->is_understood && !self->has_queue_samples ? sorted[n - 1] : sorted[(n * 9 + 9) / 10 - 1];
}

/* The usual time between two growths: as declared, as learnt, or not known. */
gint64
pl_judge_get_gap_ns (const PlJudge *self)
{
  return pl_judge_has_heartbeat (self) ? (gint64) self->facts.heartbeat_period_ns : get_learnt_gap_ns (self);
}

static void
learn_gap (PlJudge *self, gint64 gap_ns)
{
  if (self->disturbed_ns >= self->grown_ns && self->disturbance.kind != PL_EVIDENCE_CLOCK_STEP)
    return;
  if (self->verdict == PL_VERDICT_STALLED)
    {
      if (self->cause != PL_CAUSE_NONE && self->cause != PL_CAUSE_PAUSED_OR_DEAD)
        return;
      if (++self->n_long_gaps < HABIT)
        return;
      /* One of ten would not count. */
      for (guint i = 0; i < HABIT; i++)
        self->gaps[self->n_gaps++ % PL_N_GAPS] = gap_ns;
    }
  self->gaps[self->n_gaps++ % PL_N_GAPS] = gap_ns;
}

static void
note_rate (PlJudge *self)
{
  const PlRatePoint *last = &self->rates[(self->n_rates + PL_N_RATES - 1) % PL_N_RATES];

  if (self->n_rates > 0 && self->observed_ns - last->observed_ns < RATE_STEP_NS)
    return;
  self->rates[self->n_rates++ % PL_N_RATES]
    = (PlRatePoint) { self->observed_ns, pl_ledger_get_bytes_written (self->ledger) };
}

static double
get_rate (const PlJudge *self)
{
  guint n = MIN (self->n_rates, PL_N_RATES);
  guint64 bytes_written = pl_ledger_get_bytes_written (self->ledger);

  for (guint i = n; i > 0; i--)
    {
      const PlRatePoint *point = &self->rates[(self->n_rates - i) % PL_N_RATES];
      gint64 span_ns = self->observed_ns - point->observed_ns;

      if (span_ns > 0 && span_ns <= RATE_SPAN_NS)
        return (double) (bytes_written - point->bytes_written) * PL_NS_PER_S / (double) span_ns;
    }
  return 0;
}

/* ---- what a look brings ---- */

/* What the stream says of its writer holds until another stream says something else. */
static void
take_facts (PlJudge *self, const PlDirScan *scan)
{
  if (scan->pid != 0)
    self->pid = scan->pid;
  if (!scan->has_tail)
    return;
  if (scan->facts.n_framing >= 2 || scan->facts.heartbeat_period_ns > 0 || scan->facts.n_heartbeats > 0)
    {
      PlWriterFacts facts = scan->facts;

      /* A new segment has its metadata before its first heartbeat. */
      if (facts.n_heartbeats == 0 && facts.heartbeat_period_ns > 0)
        {
          facts.health = self->facts.health;
          facts.n_dropped = self->facts.n_dropped;
        }
      self->facts = facts;
    }
  if (self->facts.n_degraded == 0)
    self->degraded_ns = -1;
  else if (self->degraded_ns < 0)
    self->degraded_ns = self->observed_ns;
  self->is_understood |= scan->is_understood;
  self->has_queue_samples |= scan->facts.n_queue_samples > 0;
  self->has_recorded |= scan->n_recorded > 0;
}

static void
note_evictions (PlJudge *self)
{
  guint64 n_evicted = pl_ledger_get_n_evicted (self->ledger);

  if (n_evicted == self->n_evicted)
    return;
  if (self->evicted_ns >= 0)
    self->eviction_gap_ns = self->observed_ns - self->evicted_ns;
  self->evicted_ns = self->observed_ns;
  self->n_evicted = n_evicted;
}

static gint64
get_newest_wall_ns (const PlDirScan *scan)
{
  gint64 newest_ns = 0;

  for (guint i = 0; i < scan->files->len; i++)
    {
      const PlDirFile *file = &g_array_index (scan->files, PlDirFile, i);

      if (file->form != PL_FORM_PACKED || newest_ns == 0)
        newest_ns = MAX (newest_ns, file->mtime_wall_ns);
    }
  return newest_ns;
}

static void
note_growth (PlJudge *self, const PlDirScan *scan)
{
  if (self->has_grown)
    learn_gap (self, pl_judge_get_idle_ns (self));
  self->has_grown = TRUE;
  self->grown_ns = self->observed_ns;
  self->grown_wall_ns = scan->wall_ns;
  self->lost_active = FALSE;
  self->is_cut_short = FALSE;
  self->n_gone = 0;
}

static void
note_first_files (PlJudge *self, const PlDirScan *scan)
{
  gint64 newest_ns = get_newest_wall_ns (scan);

  self->has_seen_segment = TRUE;
  self->grown_ns = self->observed_ns;
  self->grown_wall_ns = newest_ns > 0 ? MIN (newest_ns, scan->wall_ns) : scan->wall_ns;
  self->age_at_first_ns = scan->wall_ns - self->grown_wall_ns;
}

static void
take_files (PlJudge *self, const PlDirScan *scan)
{
  PlLedgerChange change;

  if (scan->is_other_dir)
    pl_ledger_forget_files (self->ledger);
  change = pl_ledger_update (self->ledger, scan->files);
  self->has_seen_directory = TRUE;
  note_evictions (self);

  if (!self->has_seen_segment && scan->files->len > 0)
    {
      note_first_files (self, scan);
      /* In a directory that was empty before, what comes is written now. */
      if (self->has_looked)
        {
          self->is_growing = TRUE;
          note_growth (self, scan);
        }
    }
  else if (change.grown_bytes > 0)
    {
      self->is_growing = TRUE;
      note_growth (self, scan);
    }
  if (change.has_new_segment && self->has_looked)
    self->writes_despite_mode = scan->may_not_write && self->could_not_write;
  self->could_not_write = scan->may_not_write;
  if (change.lost_active && !change.has_new_segment)
    {
      self->lost_active = TRUE;
      self->lost_index = change.lost_index;
      self->lost_size = change.lost_size;
    }
  if (change.is_shrunk)
    {
      /* By whom is not to be seen; who does so begins anew. */
      self->grown_ns = self->observed_ns;
      self->is_cut_short = TRUE;
      self->cut_index = change.shrunk_index;
      self->cut_size = change.shrunk_size;
    }
}

static void
note_absence (PlJudge *self, const PlDirScan *scan)
{
  gboolean is_alive = pl_process_is_alive (scan->process);
  /* A recorder that cannot write lets go of its lock between two tries. */
  gboolean is_gone = (scan->lock == PL_LOCK_FREE && !is_alive)
                     || (scan->lock != PL_LOCK_HELD && scan->process == PL_PROCESS_GONE);

  self->has_seen_writer |= scan->lock == PL_LOCK_HELD || is_alive;
  self->n_lost = scan->has_lost_session && !self->has_seen_segment ? self->n_lost + 1 : 0;
  self->n_gone = is_gone && !self->is_growing ? self->n_gone + 1 : 0;
  if (scan->dir != PL_DIR_OK || pl_judge_has_active (self))
    self->inactive_ns = -1;
  else if (self->inactive_ns < 0)
    self->inactive_ns = self->observed_ns;
}

static void
fill_status (const PlJudge *self, PlWatchStatus *status)
{
  const PlDirScan *scan = self->scan;
  guint64 usage = scan->dir == PL_DIR_OK ? pl_ledger_get_disk_usage (self->ledger) : 0;
  double rate = get_rate (self);

  *status = PL_WATCH_STATUS_NONE;
  status->verdict = self->verdict;
  status->cause = self->cause;
  status->at_wall_ns = scan->wall_ns;
  status->bytes_written = pl_ledger_get_bytes_written (self->ledger);
  status->disk_usage_bytes = usage;
  status->budget_bytes = self->facts.budget_bytes;
  status->evicted_bytes = pl_ledger_get_evicted_bytes (self->ledger);
  status->n_evicted = pl_ledger_get_n_evicted (self->ledger);
  status->rate_bytes_per_s = rate;
  if (self->facts.budget_bytes > usage && rate >= 1 && self->verdict == PL_VERDICT_RECORDING)
    status->wrap_ns = (gint64) MIN ((double) (self->facts.budget_bytes - usage) / rate * PL_NS_PER_S, 9e18);
  if (self->has_seen_segment)
    status->since_growth_ns = pl_judge_get_idle_ns (self) + (self->has_grown ? 0 : self->age_at_first_ns);
  status->expected_gap_ns = pl_judge_get_gap_ns (self);
  if (scan->oldest_wall_ns > 0 && scan->oldest_wall_ns < scan->wall_ns)
    status->reach_ns = scan->wall_ns - scan->oldest_wall_ns;
  status->writer_pid = self->pid;
  status->has_shown_life = self->has_grown || self->has_seen_writer;

  if (self->has_seen_segment && (self->verdict == PL_VERDICT_UNKNOWN || self->verdict == PL_VERDICT_QUIET)
      && self->cause == PL_CAUSE_NONE)
    status->judged_in_ns = MAX (pl_judge_get_patience_ns (self), 0);
}

static void
finish_status (PlJudge *self, PlWatchStatus *status)
{
  switch (self->verdict)
    {
    case PL_VERDICT_KILLED:
      /* Ours empties its rings every 10 ms, dial9's its threads' buffers every 30 s at the latest. */
      status->lost_at_most_ns = pl_judge_has_heartbeat (self) ? PL_NS_PER_S / 100 : 30 * PL_NS_PER_S;
      status->since_wall_ns = self->grown_wall_ns;
      status->writer_healthy = 0;
      break;
    case PL_VERDICT_STALLED:
      /* What was deleted before anybody looked has not been seen to grow. */
      status->since_wall_ns = self->has_seen_segment ? self->grown_wall_ns : self->verdict_wall_ns;
      status->writer_healthy = 0;
      break;
    case PL_VERDICT_FINISHED:
      status->is_complete = !(self->scan->has_tail && self->scan->is_cut) && !self->lost_active;
      status->since_wall_ns = self->grown_wall_ns;
      break;
    case PL_VERDICT_QUIET:
      status->since_wall_ns = self->grown_wall_ns;
      status->writer_healthy = 1;
      break;
    case PL_VERDICT_RECORDING:
    case PL_VERDICT_PLATEAU:
      status->since_wall_ns = self->verdict_wall_ns;
      status->writer_healthy = self->facts.n_degraded == 0;
      break;
    case PL_VERDICT_UNKNOWN:
    case PL_N_VERDICTS:
    default:
      status->since_wall_ns = self->verdict_wall_ns;
      break;
    }
}

/* When the patience ends a look is due, so that a stall is told no later than it could be known; and one right after the
 * first without growth, which seeks the writer's process. */
static gint64
find_next_ns (const PlJudge *self)
{
  gint64 patience_ns = pl_judge_get_patience_ns (self);

  if (self->was_growing && !self->is_growing)
    return SHORTEST_STEP_NS;
  if (self->n_gone > 0 && self->verdict != PL_VERDICT_KILLED && self->verdict != PL_VERDICT_FINISHED)
    return SHORTEST_STEP_NS;
  if (!self->has_seen_segment || patience_ns <= 0 || patience_ns > LOOK_NS)
    return LOOK_NS;
  return MAX (patience_ns, SHORTEST_STEP_NS);
}

/**
 * pl_judge_hear:
 * @scan: what a look saw, not earlier than the last one
 * @out_status: (out): what is to be said now
 */
void
pl_judge_hear (PlJudge *self, const PlDirScan *scan, PlWatchStatus *out_status)
{
  PlVerdict verdict;
  PlVerdictCause cause;

  advance (self, scan);
  self->scan = scan;
  self->was_growing = self->is_growing;
  self->is_growing = FALSE;
  take_facts (self, scan);
  if (scan->dir == PL_DIR_OK)
    take_files (self, scan);
  note_rate (self);
  note_absence (self, scan);

  pl_judge_decide (self, &verdict, &cause, &self->is_cause_past);
  if (verdict != self->verdict || cause != self->cause || !self->has_looked)
    self->verdict_wall_ns = scan->wall_ns;
  self->verdict = verdict;
  self->cause = cause;
  self->has_looked = TRUE;

  fill_status (self, out_status);
  finish_status (self, out_status);
  pl_judge_give_evidence (self, out_status);
  self->next_ns = find_next_ns (self);
  self->scan = NULL;
}

/**
 * pl_judge_get_next_ns:
 *
 * Returns: after how long to look again: a second, or less where a verdict is about to fall
 */
gint64
pl_judge_get_next_ns (PlJudge *self)
{
  return self->next_ns;
}

/**
 * pl_judge_is_frozen:
 *
 * Returns: whether nothing was written at the last look, so that it is worth the trouble to seek the writer's process
 */
gboolean
pl_judge_is_frozen (PlJudge *self)
{
  return !self->is_growing;
}
