/* pl-judge-rules.c: from what the judge knows to the verdict and its cause
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <stdlib.h>

#include "pl-judge-private.h"

/* A stall is not called before this, whatever was learnt. */
#define SHORTEST_LIMIT_NS (10 * PL_NS_PER_S)

/* Half as long again as the 30 s in which a dial9 recorder hands over its threads' buffers: what is waited for where a session has
 * no regular duty, or where nothing has been learnt of it yet. */
#define HAND_OVER_LIMIT_NS (45 * PL_NS_PER_S)

/* Who deletes the segment being written is noticed at the next rotation, a minute later. */
#define ROTATION_LIMIT_NS (70 * PL_NS_PER_S)

/* Looks come once a second, with some unrest. */
#define JITTER_NS (PL_NS_PER_S / 20)

/* Below this nobody needs to know that nothing was written. */
#define SHORTEST_QUIET_NS (3 * PL_NS_PER_S)

/* From one segment to the next there may be a moment without one. */
#define ROTATION_NS (2 * PL_NS_PER_S)
#define SETTLED_NS (5 * PL_NS_PER_S)

/* Looks in a row that must see the writer gone: it may just be going from one segment to the next. */
#define GONE_LOOKS 2

/* Looks in a row that must see it write to what was deleted: ours makes directory and segment again. */
#define LOST_LOOKS 2

/* A segment without events: dial9's opening has 65 to some 310 bytes. */
#define MAX_OPENING_BYTES 512
#define MAX_EMPTY_BYTES 4096

/* In heartbeats. One that could write again tells first what it had to say while it could not. */
#define DEGRADED_BEATS 3

/* Evictions come in step with rotations; this long after the last one the usage is flat. */
#define PLATEAU_NS (180 * PL_NS_PER_S)

/* Free space with which a write may fail already. */
#define FULL_BYTES (1024 * 1024)
#define FULL_SHARE 20

#define BLOCK_BYTES 4096

static gint64
get_quiet_ns (const PlJudge *self)
{
  gint64 gap_ns = pl_judge_get_gap_ns (self);

  return MAX (gap_ns + gap_ns / 2, SHORTEST_QUIET_NS);
}

/* What every session begins with, and nothing more. */
static gboolean
has_no_events (const PlJudge *self)
{
  if (!pl_judge_has_active (self) || pl_judge_has_heartbeat (self) || self->has_recorded)
    return FALSE;
  return self->scan->current->size == 0 || (self->is_understood && self->scan->current->size <= MAX_EMPTY_BYTES);
}

static gboolean
is_full (const PlDirScan *scan)
{
  return scan->has_space && (scan->has_no_inodes || scan->free_bytes < MIN (FULL_BYTES, scan->total_bytes / FULL_SHARE));
}

/* Why nobody could write there, or none. */
static PlVerdictCause
find_obstacle (const PlJudge *self)
{
  const PlDirScan *scan = self->scan;

  if (scan->has_space && scan->is_read_only)
    return PL_CAUSE_READ_ONLY;
  if (is_full (scan))
    return PL_CAUSE_DISK_FULL;
  if (scan->is_over_quota)
    return PL_CAUSE_QUOTA;
  return scan->may_not_write && !self->writes_despite_mode ? PL_CAUSE_PERMISSION : PL_CAUSE_NONE;
}

/* The time without growth from which on it is a stall. */
gint64
pl_judge_get_limit_ns (const PlJudge *self)
{
  const PlDirScan *scan = self->scan;
  gint64 gap_ns = pl_judge_get_gap_ns (self);
  gint64 thrice_ns = MAX (3 * MIN (gap_ns, G_MAXINT64 / 3), SHORTEST_LIMIT_NS);

  if (self->lost_active && scan->dir == PL_DIR_OK && !pl_judge_has_heartbeat (self))
    return ROTATION_LIMIT_NS;
  if (pl_judge_has_heartbeat (self))
    {
      /* What waits for the disk or for a processor is slow and not stalled; unseen, it might. And before the first growth
       * nobody knows what has just been: the computer may have woken up a moment ago. No doubt is left where the process
       * is seen to be stopped, or where something is seen that keeps it from writing. */
      if (scan->process == PL_PROCESS_STOPPED)
        return 2 * gap_ns - JITTER_NS;
      if (scan->process == PL_PROCESS_ON_DISK || scan->process == PL_PROCESS_STARVED || scan->process == PL_PROCESS_HIDDEN)
        return thrice_ns;
      if (!self->has_grown && find_obstacle (self) == PL_CAUSE_NONE)
        return thrice_ns;
      return 2 * gap_ns - JITTER_NS;
    }
  if (self->is_understood && !self->has_queue_samples && !has_no_events (self))
    return MAX (thrice_ns, HAND_OVER_LIMIT_NS);
  return thrice_ns;
}

/* Until a stall is called, if nothing is written. */
gint64
pl_judge_get_patience_ns (const PlJudge *self)
{
  gint64 left_ns = pl_judge_get_limit_ns (self) - pl_judge_get_idle_ns (self);
  gint64 excused_ns = self->excused_until_ns - self->observed_ns;

  /* Only a time without looks that lies behind the last growth is an excuse for none since. */
  return self->disturbed_ns >= self->grown_ns ? MAX (left_ns, excused_ns) : left_ns;
}

/* Ours holds its lock for as long as it lives: where it is free and nobody has the segment open, two heartbeats are enough
 * also for who has only just begun to look. */
static gint64
get_killed_limit_ns (const PlJudge *self)
{
  if (pl_judge_has_heartbeat (self) && self->scan->lock == PL_LOCK_FREE && self->scan->process == PL_PROCESS_GONE)
    return 2 * pl_judge_get_gap_ns (self);
  return pl_judge_get_limit_ns (self);
}

/* A write that the disk had no room for ends where a block ends. */
static gboolean
is_cut_at_block (const PlJudge *self)
{
  const PlDirScan *scan = self->scan;

  return pl_judge_has_active (self) && scan->has_tail && scan->is_understood && scan->is_cut
         && scan->tail_index == self->scan->current->index && self->scan->current->size % BLOCK_BYTES == 0;
}

/* What keeps it from writing now, the most certain first. */
static PlVerdictCause
find_present_cause (const PlJudge *self)
{
  const PlDirScan *scan = self->scan;
  PlVerdictCause obstacle = find_obstacle (self);

  if (scan->dir == PL_DIR_MISSING)
    return PL_CAUSE_DIRECTORY_REMOVED;
  if (scan->dir == PL_DIR_REPLACED)
    return PL_CAUSE_DIRECTORY_REPLACED;
  if (scan->process == PL_PROCESS_STOPPED)
    return PL_CAUSE_PROCESS_STOPPED;
  if (obstacle != PL_CAUSE_NONE)
    return obstacle;
  if (self->lost_active)
    return PL_CAUSE_SEGMENT_REMOVED;
  if (self->facts.health == PL_WRITER_HEALTH_DEGRADED)
    return PL_CAUSE_WRITER_DEGRADED;
  if (is_cut_at_block (self))
    return PL_CAUSE_DISK_FULL;
  return pl_judge_has_heartbeat (self) ? PL_CAUSE_NONE : PL_CAUSE_PAUSED_OR_DEAD;
}

static gboolean
is_vague (PlVerdictCause cause)
{
  return cause == PL_CAUSE_NONE || cause == PL_CAUSE_PAUSED_OR_DEAD;
}

/* The cause of a stall. When what began it is over, and nothing has been written since, it is still what is to be known. */
static PlVerdictCause
find_cause (const PlJudge *self, gboolean *out_is_past)
{
  PlVerdictCause present = find_present_cause (self);
  gboolean was_stalled = self->verdict == PL_VERDICT_STALLED && !self->is_growing;

  *out_is_past = was_stalled && is_vague (present) && !is_vague (self->cause);
  return *out_is_past ? self->cause : present;
}

static gboolean
is_at_plateau (const PlJudge *self)
{
  guint64 usage = pl_ledger_get_disk_usage (self->ledger);
  const GArray *files = self->scan->files;

  if (self->evicted_ns >= 0)
    return self->observed_ns - self->evicted_ns <= MAX (PLATEAU_NS, 3 * self->eviction_gap_ns);
  /* Opened when it had been so for long: the first segments are gone and the budget is nearly used. */
  return self->facts.budget_bytes > 0 && files->len > 0 && g_array_index (files, PlDirFile, 0).index > 0
         && usage >= self->facts.budget_bytes / 5 * 4;
}

/* A session that has no segment being written, and whose lock nobody holds. */
static gboolean
has_ended (const PlJudge *self)
{
  const PlDirScan *scan = self->scan;

  if (scan->dir != PL_DIR_OK || pl_judge_has_active (self) || scan->lock == PL_LOCK_HELD)
    return FALSE;
  /* A service may stop recording and go on; but one that is kept from writing has not stopped. */
  if (self->verdict != PL_VERDICT_FINISHED && pl_process_is_alive (scan->process)
      && (self->lost_active || find_obstacle (self) != PL_CAUSE_NONE))
    return FALSE;
  if (!self->lost_active)
    return TRUE;
  /* Segments without events are removed at the end; else somebody deleted it, and its writer goes on. */
  return scan->lock == PL_LOCK_FREE || self->lost_size <= MAX_OPENING_BYTES || self->n_gone >= GONE_LOOKS;
}

static gboolean
is_settled (const PlJudge *self)
{
  return self->observed_ns - self->inactive_ns >= ROTATION_NS
         || (!self->has_looked && self->age_at_first_ns >= SETTLED_NS);
}

static PlVerdict
judge_living (const PlJudge *self, PlVerdictCause *out_cause)
{
  if (self->degraded_ns >= 0 && pl_judge_has_heartbeat (self)
      && self->observed_ns - self->degraded_ns >= DEGRADED_BEATS * pl_judge_get_gap_ns (self))
    {
      *out_cause = PL_CAUSE_WRITER_DEGRADED;
      return PL_VERDICT_STALLED;
    }
  if (self->facts.health == PL_WRITER_HEALTH_PAUSED)
    {
      *out_cause = PL_CAUSE_PAUSED;
      return PL_VERDICT_RECORDING;
    }
  return is_at_plateau (self) ? PL_VERDICT_PLATEAU : PL_VERDICT_RECORDING;
}

/* Something has been written or is still to be, and for some time it has not. */
static PlVerdict
judge_silence (const PlJudge *self, PlVerdictCause *out_cause, gboolean *out_is_past)
{
  /* Seen to be gone once: the next look tells whether it was killed. */
  gboolean is_over = pl_judge_get_patience_ns (self) <= 0 && !(pl_judge_has_active (self) && self->n_gone == 1);
  gboolean was_stalled = self->verdict == PL_VERDICT_STALLED && !self->is_growing;

  if (is_over || was_stalled)
    {
      *out_cause = find_cause (self, out_is_past);
      if (*out_cause == PL_CAUSE_PAUSED_OR_DEAD && has_no_events (self))
        {
          *out_cause = PL_CAUSE_NEVER_STARTED;
          return PL_VERDICT_UNKNOWN;
        }
      return PL_VERDICT_STALLED;
    }
  if (!self->has_grown)
    return PL_VERDICT_UNKNOWN;
  if (pl_judge_get_idle_ns (self) > get_quiet_ns (self))
    return PL_VERDICT_QUIET;
  return judge_living (self, out_cause);
}

/* A segment that is not sealed and whose writer is gone. That nobody is seen to hold lock or segment is not believed while
 * they grow: the same file may have another number where its writer sees it. */
static gboolean
is_killed (const PlJudge *self)
{
  gint64 idle_ns = pl_judge_get_idle_ns (self) + (self->has_grown ? 0 : self->age_at_first_ns);

  if (!pl_judge_has_active (self) || self->is_growing)
    return FALSE;
  /* An opening that was there before anybody looked, and that nobody holds: no event was ever recorded, none is lost. */
  if (has_no_events (self) && !self->has_grown && !self->has_seen_writer)
    return FALSE;
  if (self->verdict == PL_VERDICT_KILLED && self->scan->lock != PL_LOCK_HELD
      && !pl_process_is_alive (self->scan->process))
    return TRUE;
  /* See where the lock is judged: unseen, it may live and be kept from writing. */
  if (self->scan->process != PL_PROCESS_GONE && find_obstacle (self) != PL_CAUSE_NONE)
    return FALSE;
  return self->n_gone >= GONE_LOOKS && (self->has_seen_writer || idle_ns >= get_killed_limit_ns (self));
}

static gboolean
is_over (PlVerdict verdict)
{
  return verdict == PL_VERDICT_FINISHED || verdict == PL_VERDICT_KILLED;
}

/* Of a session that was deleted before anybody looked. */
static PlVerdictCause
find_lost_cause (const PlDirScan *scan)
{
  if (scan->dir == PL_DIR_MISSING)
    return PL_CAUSE_DIRECTORY_REMOVED;
  return scan->is_lost_dir ? PL_CAUSE_DIRECTORY_REPLACED : PL_CAUSE_SEGMENT_REMOVED;
}

/* The directory cannot be looked into, or there is nothing in it. */
static gboolean
decide_without_files (const PlJudge *self, PlVerdict *out_verdict, PlVerdictCause *out_cause)
{
  const PlDirScan *scan = self->scan;

  if (self->n_lost >= LOST_LOOKS)
    {
      *out_verdict = PL_VERDICT_STALLED;
      *out_cause = find_lost_cause (scan);
      return TRUE;
    }
  if (scan->dir == PL_DIR_UNREADABLE || !self->has_seen_segment)
    {
      *out_verdict = PL_VERDICT_UNKNOWN;
      return TRUE;
    }
  /* That what was over is thrown away is nobody's stall. */
  if (is_over (self->verdict) && !self->is_growing && (scan->dir != PL_DIR_OK || scan->files->len == 0))
    {
      *out_verdict = self->verdict;
      return TRUE;
    }
  return FALSE;
}

/**
 * pl_judge_decide:
 *
 * @out_is_past: (out): the cause is over, and nothing has been written since
 *
 * From the scan that is being heard and what is remembered; changes nothing.
 */
void
pl_judge_decide (PlJudge *self, PlVerdict *out_verdict, PlVerdictCause *out_cause, gboolean *out_is_past)
{
  *out_cause = PL_CAUSE_NONE;
  *out_is_past = FALSE;
  if (decide_without_files (self, out_verdict, out_cause))
    {
      if (*out_verdict == PL_VERDICT_KILLED)
        *out_cause = PL_CAUSE_PROCESS_GONE;
      return;
    }
  if (is_killed (self))
    {
      *out_verdict = PL_VERDICT_KILLED;
      *out_cause = PL_CAUSE_PROCESS_GONE;
      return;
    }
  if (has_ended (self))
    {
      if (is_settled (self))
        *out_verdict = PL_VERDICT_FINISHED;
      else
        *out_verdict = is_over (self->verdict) || !self->has_grown ? PL_VERDICT_UNKNOWN : judge_living (self, out_cause);
      return;
    }
  *out_verdict = judge_silence (self, out_cause, out_is_past);
}
