/* pl-judge-evidence.c: what a verdict rests on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-judge-private.h"

/* How long a suspension or a step of the clock is worth a word. */
#define DISTURBANCE_NS (300 * PL_NS_PER_S)

static void
add (PlWatchStatus *status, PlEvidenceKind kind, gint64 first, gint64 second)
{
  if (status->n_evidence < PL_MAX_EVIDENCE)
    status->evidence[status->n_evidence++] = (PlEvidence) { kind, { first, second } };
}

static void
add_silence (const PlJudge *self, PlWatchStatus *status)
{
  gint64 gap_ns = pl_judge_get_gap_ns (self);

  if (status->since_growth_ns == PL_WATCH_NOT_KNOWN)
    return;
  if (pl_judge_has_heartbeat (self))
    add (status, PL_EVIDENCE_NO_HEARTBEAT, status->since_growth_ns, gap_ns);
  else
    add (status, PL_EVIDENCE_NO_GROWTH, status->since_growth_ns, gap_ns > 0 ? gap_ns : PL_NS_PER_S);
}

static void
add_process (const PlJudge *self, PlWatchStatus *status)
{
  switch (self->scan->process)
    {
    case PL_PROCESS_STOPPED:
      add (status, PL_EVIDENCE_PROCESS_STOPPED, self->pid, 0);
      break;
    case PL_PROCESS_ON_DISK:
      add (status, PL_EVIDENCE_PROCESS_ON_DISK, self->pid, 0);
      break;
    case PL_PROCESS_STARVED:
      add (status, PL_EVIDENCE_PROCESS_STARVED, self->pid, 0);
      break;
    case PL_PROCESS_RUNS:
      add (status, PL_EVIDENCE_PROCESS_RUNS, self->pid, 0);
      break;
    case PL_PROCESS_GONE:
      add (status, PL_EVIDENCE_PROCESS_GONE, self->pid, 0);
      break;
    case PL_PROCESS_HIDDEN:
      add (status, PL_EVIDENCE_PROCESS_HIDDEN, 0, 0);
      break;
    case PL_PROCESS_NOT_SOUGHT:
    default:
      break;
    }
  if (self->scan->lock == PL_LOCK_HELD)
    add (status, PL_EVIDENCE_LOCK_HELD, 0, 0);
  else if (self->scan->lock == PL_LOCK_FREE)
    add (status, PL_EVIDENCE_LOCK_FREE, 0, 0);
}

static void
add_directory (const PlJudge *self, PlWatchStatus *status)
{
  if (self->scan->dir == PL_DIR_MISSING)
    add (status, self->has_seen_segment || self->n_lost > 0 ? PL_EVIDENCE_DIRECTORY_REMOVED : PL_EVIDENCE_NO_DIRECTORY, 0,
         0);
  else if (self->scan->dir == PL_DIR_REPLACED)
    add (status, PL_EVIDENCE_DIRECTORY_REPLACED, 0, 0);
  else if (self->scan->dir == PL_DIR_UNREADABLE)
    add (status, PL_EVIDENCE_CANNOT_LIST, self->scan->dir_error, 0);
  else if (!self->has_seen_segment)
    add (status, PL_EVIDENCE_NO_SEGMENT, 0, 0);
  if (self->scan->old_dir_grows)
    add (status, self->scan->is_old_dir_named ? PL_EVIDENCE_OLD_DIRECTORY_ELSEWHERE : PL_EVIDENCE_OLD_DIRECTORY_GROWS, 0, 0);
}

static void
add_cause (const PlJudge *self, PlWatchStatus *status)
{
  const PlDirScan *scan = self->scan;

  if (self->is_cause_past)
    {
      add (status, PL_EVIDENCE_OBSTACLE_GONE, 0, 0);
      return;
    }
  switch (self->cause)
    {
    case PL_CAUSE_DISK_FULL:
      if (scan->has_no_inodes)
        add (status, PL_EVIDENCE_NO_INODES, 0, 0);
      if (scan->has_space)
        add (status, PL_EVIDENCE_FREE_SPACE, (gint64) scan->free_bytes, 0);
      if (scan->is_cut && self->scan->current != NULL)
        add (status, PL_EVIDENCE_CUT_AT_BLOCK, (gint64) self->scan->current->index, (gint64) self->scan->current->size);
      break;
    case PL_CAUSE_READ_ONLY:
      add (status, PL_EVIDENCE_READ_ONLY, 0, 0);
      break;
    case PL_CAUSE_PERMISSION:
      add (status, PL_EVIDENCE_NO_PERMISSION, scan->writer_uid, scan->dir_mode);
      break;
    case PL_CAUSE_QUOTA:
      add (status, PL_EVIDENCE_QUOTA, scan->writer_uid, 0);
      break;
    case PL_CAUSE_SEGMENT_REMOVED:
      add (status, PL_EVIDENCE_SEGMENT_REMOVED, (gint64) (self->n_lost > 0 ? scan->lost_index : self->lost_index), 0);
      break;
    case PL_CAUSE_WRITER_DEGRADED:
      add (status, PL_EVIDENCE_WRITER_DEGRADED, 0, 0);
      break;
    case PL_CAUSE_PAUSED:
      add (status, PL_EVIDENCE_WRITER_PAUSED, 0, 0);
      break;
    case PL_CAUSE_NEVER_STARTED:
      add (status, PL_EVIDENCE_NO_EVENT, self->scan->current != NULL ? (gint64) self->scan->current->size : 0, 0);
      break;
    case PL_CAUSE_NONE:
    case PL_CAUSE_DIRECTORY_REMOVED:
    case PL_CAUSE_DIRECTORY_REPLACED:
    case PL_CAUSE_PROCESS_GONE:
    case PL_CAUSE_PROCESS_STOPPED:
    case PL_CAUSE_PAUSED_OR_DEAD:
    case PL_N_CAUSES:
    default:
      break;
    }
}

static void
add_last_segment (const PlJudge *self, PlWatchStatus *status)
{
  if (pl_judge_has_active (self))
    add (status, PL_EVIDENCE_LAST_SEGMENT, (gint64) self->scan->current->index, (gint64) self->scan->current->size);
  else if (self->scan->current != NULL)
    add (status, PL_EVIDENCE_SEALED, (gint64) self->scan->current->index, 0);
}

static void
add_orphans (const PlJudge *self, PlWatchStatus *status)
{
  const GArray *files = self->scan->files;

  for (guint i = 0; i < files->len; i++)
    {
      const PlDirFile *file = &g_array_index (files, PlDirFile, i);

      if (file->form == PL_FORM_ACTIVE && file != self->scan->current)
        {
          add (status, PL_EVIDENCE_ORPHAN, (gint64) file->index, 0);
          return;
        }
    }
}

static void
add_life (const PlJudge *self, PlWatchStatus *status)
{
  if (status->rate_bytes_per_s >= 1)
    add (status, PL_EVIDENCE_RATE, (gint64) status->rate_bytes_per_s, status->wrap_ns);
  if (status->n_evicted > 0)
    add (status, PL_EVIDENCE_EVICTED, (gint64) status->n_evicted, (gint64) status->evicted_bytes);
  if (status->reach_ns > 0 && status->verdict == PL_VERDICT_PLATEAU)
    add (status, PL_EVIDENCE_REACH, status->reach_ns, 0);
  if (self->facts.n_dropped > 0)
    add (status, PL_EVIDENCE_DROPPED, (gint64) self->facts.n_dropped, 0);
}

static void
add_disturbance (const PlJudge *self, PlWatchStatus *status)
{
  if (self->disturbed_ns >= 0 && self->observed_ns - self->disturbed_ns < DISTURBANCE_NS)
    add (status, self->disturbance.kind, self->disturbance.numbers[0], 0);
}

static void
add_unfinished (const PlJudge *self, PlWatchStatus *status)
{
  if (self->is_cut_short)
    add (status, PL_EVIDENCE_SEGMENT_CUT, (gint64) self->cut_index, (gint64) self->cut_size);
  if (status->judged_in_ns > 0)
    add (status, PL_EVIDENCE_JUDGED_IN, status->judged_in_ns, 0);
}

static void
add_damage (const PlJudge *self, PlWatchStatus *status)
{
  if (self->scan->is_damaged)
    add (status, PL_EVIDENCE_DAMAGED, (gint64) self->scan->tail_index, (gint64) self->scan->damage_offset);
}

static void
add_other_sessions (const PlJudge *self, PlWatchStatus *status)
{
  if (self->scan->n_left > 0)
    add (status, PL_EVIDENCE_OTHER_SESSIONS, self->scan->n_left, 0);
}

/**
 * pl_judge_give_evidence:
 * @status: with all but the evidence
 */
void
pl_judge_give_evidence (const PlJudge *self, PlWatchStatus *status)
{
  const PlDirScan *scan = self->scan;

  switch (status->verdict)
    {
    case PL_VERDICT_RECORDING:
    case PL_VERDICT_PLATEAU:
      add_cause (self, status);
      add_life (self, status);
      break;
    case PL_VERDICT_QUIET:
      add_silence (self, status);
      add_process (self, status);
      add_directory (self, status);
      add_unfinished (self, status);
      add_disturbance (self, status);
      break;
    case PL_VERDICT_FINISHED:
      add_last_segment (self, status);
      if (self->lost_active)
        add (status, PL_EVIDENCE_SEGMENT_REMOVED, (gint64) self->lost_index, 0);
      if (scan->has_tail && scan->is_cut)
        add (status, PL_EVIDENCE_INCOMPLETE, (gint64) scan->tail_index, (gint64) scan->tail_end);
      if (scan->lock == PL_LOCK_FREE)
        add (status, PL_EVIDENCE_LOCK_FREE, 0, 0);
      add_orphans (self, status);
      add_directory (self, status);
      break;
    case PL_VERDICT_KILLED:
      add_process (self, status);
      add_last_segment (self, status);
      add (status, PL_EVIDENCE_LOST_AT_MOST, status->lost_at_most_ns, 0);
      add_directory (self, status);
      break;
    case PL_VERDICT_STALLED:
      add_directory (self, status);
      add_cause (self, status);
      if (!self->is_growing && !scan->old_dir_grows)
        add_silence (self, status);
      add_process (self, status);
      add_last_segment (self, status);
      add_disturbance (self, status);
      break;
    case PL_VERDICT_UNKNOWN:
    case PL_N_VERDICTS:
    default:
      add_directory (self, status);
      add_cause (self, status);
      add_unfinished (self, status);
      add_process (self, status);
      break;
    }
  add_damage (self, status);
  add_other_sessions (self, status);
}
