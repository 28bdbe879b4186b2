/* pl-verdict.h: what is to be said of a session's writer, why, and on what evidence
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_VERDICT_H
#define PL_VERDICT_H

#include <glib.h>

G_BEGIN_DECLS

/**
 * PlVerdict:
 * @PL_VERDICT_UNKNOWN: not enough seen yet
 * @PL_VERDICT_RECORDING: growth within the expected gap
 * @PL_VERDICT_QUIET: no growth, which is still normal
 * @PL_VERDICT_PLATEAU: bytes are written and as many are evicted; healthy
 * @PL_VERDICT_FINISHED: the session has ended in order
 * @PL_VERDICT_KILLED: the writer is gone and has not sealed its segment
 * @PL_VERDICT_STALLED: nothing is written although the session has not ended
 */
typedef enum
{
  PL_VERDICT_UNKNOWN,
  PL_VERDICT_RECORDING,
  PL_VERDICT_QUIET,
  PL_VERDICT_PLATEAU,
  PL_VERDICT_FINISHED,
  PL_VERDICT_KILLED,
  PL_VERDICT_STALLED,
  PL_N_VERDICTS,
} PlVerdict;

/**
 * PlVerdictCause:
 * @PL_CAUSE_PAUSED: the writer says that recording is suspended; its heartbeat goes on
 * @PL_CAUSE_NEVER_STARTED: a session was set up, and recording was never switched on
 * @PL_CAUSE_SEGMENT_REMOVED: somebody deleted the segment that is being written
 * @PL_CAUSE_PAUSED_OR_DEAD: nothing tells the two apart
 */
typedef enum
{
  PL_CAUSE_NONE,
  PL_CAUSE_PAUSED,
  PL_CAUSE_NEVER_STARTED,
  PL_CAUSE_DIRECTORY_REMOVED,
  PL_CAUSE_DIRECTORY_REPLACED,
  PL_CAUSE_SEGMENT_REMOVED,
  PL_CAUSE_DISK_FULL,
  PL_CAUSE_READ_ONLY,
  PL_CAUSE_PERMISSION,
  PL_CAUSE_QUOTA,
  PL_CAUSE_PROCESS_GONE,
  PL_CAUSE_PROCESS_STOPPED,
  PL_CAUSE_PAUSED_OR_DEAD,
  PL_CAUSE_WRITER_DEGRADED,
  PL_N_CAUSES,
} PlVerdictCause;

/* What an evidence is about; the comment says what its numbers are, in their order. */
typedef enum
{
  PL_EVIDENCE_NO_GROWTH,          /* ns without growth, ns that are usual between growths */
  PL_EVIDENCE_NO_HEARTBEAT,       /* ns without growth, declared period in ns */
  PL_EVIDENCE_RATE,               /* bytes a second, ns until the budget wraps or -1 */
  PL_EVIDENCE_EVICTED,            /* segments, bytes */
  PL_EVIDENCE_REACH,              /* ns that the history reaches back */
  PL_EVIDENCE_JUDGED_IN,          /* ns until there is a verdict */
  PL_EVIDENCE_LAST_SEGMENT,       /* its number, its size in bytes */
  PL_EVIDENCE_SEALED,             /* number of the last segment */
  PL_EVIDENCE_INCOMPLETE,         /* number of the segment that ends inside a frame, the place in bytes */
  PL_EVIDENCE_DAMAGED,            /* number of the segment, the place in bytes */
  PL_EVIDENCE_LOST_AT_MOST,       /* ns of events that did not reach the disk, at most */
  PL_EVIDENCE_NO_DIRECTORY,
  PL_EVIDENCE_DIRECTORY_REMOVED,
  PL_EVIDENCE_DIRECTORY_REPLACED,
  PL_EVIDENCE_OLD_DIRECTORY_GROWS,
  PL_EVIDENCE_OLD_DIRECTORY_ELSEWHERE,
  PL_EVIDENCE_CANNOT_LIST,        /* errno */
  PL_EVIDENCE_NO_ANSWER,          /* ns */
  PL_EVIDENCE_NO_SEGMENT,
  PL_EVIDENCE_NO_EVENT,           /* size of the segment in bytes */
  PL_EVIDENCE_SEGMENT_REMOVED,    /* its number */
  PL_EVIDENCE_SEGMENT_CUT,        /* its number, its size now */
  PL_EVIDENCE_FREE_SPACE,         /* bytes */
  PL_EVIDENCE_NO_INODES,
  PL_EVIDENCE_CUT_AT_BLOCK,       /* number of the segment, its size */
  PL_EVIDENCE_READ_ONLY,
  PL_EVIDENCE_NO_PERMISSION,      /* user id of the writer, mode of the directory */
  PL_EVIDENCE_QUOTA,              /* user id */
  PL_EVIDENCE_OBSTACLE_GONE,
  PL_EVIDENCE_PROCESS_RUNS,       /* pid */
  PL_EVIDENCE_PROCESS_STOPPED,    /* pid */
  PL_EVIDENCE_PROCESS_ON_DISK,    /* pid: a thread waits for the disk */
  PL_EVIDENCE_PROCESS_STARVED,    /* pid: its writer waits for a processor */
  PL_EVIDENCE_PROCESS_GONE,       /* pid, 0 when not known */
  PL_EVIDENCE_PROCESS_HIDDEN,     /* what other processes do cannot be seen from here */
  PL_EVIDENCE_LOCK_HELD,
  PL_EVIDENCE_LOCK_FREE,
  PL_EVIDENCE_WRITER_DEGRADED,
  PL_EVIDENCE_WRITER_PAUSED,
  PL_EVIDENCE_DROPPED,            /* events */
  PL_EVIDENCE_ORPHAN,             /* number of the segment of an older run */
  PL_EVIDENCE_OTHER_SESSIONS,     /* how many */
  PL_EVIDENCE_SUSPENDED,          /* ns that this computer was suspended */
  PL_EVIDENCE_VIEWER_LATE,        /* ns that this program could not look */
  PL_EVIDENCE_CLOCK_STEP,         /* ns by which the wall clock was set */
  PL_N_EVIDENCES,
} PlEvidenceKind;

typedef struct
{
  PlEvidenceKind kind;
  gint64 numbers[2];
} PlEvidence;

const char *pl_verdict_get_code        (PlVerdict         verdict);
const char *pl_verdict_get_word        (PlVerdict         verdict);
const char *pl_verdict_get_icon_name   (PlVerdict         verdict);
const char *pl_verdict_cause_get_code  (PlVerdictCause    cause);
const char *pl_verdict_cause_get_word  (PlVerdictCause    cause);
const char *pl_verdict_get_remedy      (PlVerdict         verdict,
                                        PlVerdictCause    cause);
const char *pl_evidence_get_code       (PlEvidenceKind    kind);
char       *pl_evidence_describe       (const PlEvidence *self);
char       *pl_evidence_describe_plain (const PlEvidence *self);

G_END_DECLS

#endif /* PL_VERDICT_H */
