/* pl-verdict.c: verdicts, causes and evidence in words
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-verdict.h"

#include <glib/gi18n.h>

#define NS_PER_S G_GINT64_CONSTANT (1000000000)

typedef struct
{
  const char *code;
  const char *word;
  const char *icon_name;
} VerdictText;

/* Icons of every theme that follows the icon naming specification or GTK's own set. */
static const VerdictText verdicts[PL_N_VERDICTS] = {
  [PL_VERDICT_UNKNOWN] = { "unknown", N_("Not known yet"), "dialog-question-symbolic" },
  [PL_VERDICT_RECORDING] = { "recording", N_("Recording"), "media-record-symbolic" },
  [PL_VERDICT_QUIET] = { "quiet", N_("Quiet"), "content-loading-symbolic" },
  [PL_VERDICT_PLATEAU] = { "plateau", N_("At plateau"), "view-refresh-symbolic" },
  [PL_VERDICT_FINISHED] = { "finished", N_("Finished"), "emblem-ok-symbolic" },
  [PL_VERDICT_KILLED] = { "killed", N_("Killed"), "process-stop-symbolic" },
  [PL_VERDICT_STALLED] = { "stalled", N_("Stalled"), "dialog-warning-symbolic" },
};

typedef struct
{
  const char *code;
  const char *word;
  const char *remedy;
} CauseText;

static const CauseText causes[PL_N_CAUSES] = {
  [PL_CAUSE_PAUSED] = { "paused", N_("paused"), N_("Resume recording to see events again.") },
  [PL_CAUSE_NEVER_STARTED] = { "never-started", N_("never started"),
                               N_("Switch recording on in the service; the session was set up without it.") },
  [PL_CAUSE_DIRECTORY_REMOVED] = { "directory-removed", N_("directory removed"),
                                   N_("Create the directory again; if nothing is written after a minute, restart the "
                                      "service.") },
  [PL_CAUSE_DIRECTORY_REPLACED] = { "directory-replaced", N_("directory replaced"),
                                    N_("Put the old directory back, or restart the service.") },
  [PL_CAUSE_SEGMENT_REMOVED] = { "segment-removed", N_("segment removed"),
                                 N_("Leave the segments to the writer; it begins a new one when it rotates. If not, "
                                    "restart the service.") },
  [PL_CAUSE_DISK_FULL] = { "disk-full", N_("disk full"),
                           N_("Free space on the disk; a recorder that does not try again needs a restart of the "
                              "service.") },
  [PL_CAUSE_READ_ONLY] = { "read-only", N_("file system read-only"),
                           N_("Mount the file system for writing; look for disk errors in the kernel log.") },
  [PL_CAUSE_PERMISSION] = { "permission", N_("no permission"),
                            N_("Give the service's user the right to write to the directory.") },
  [PL_CAUSE_QUOTA] = { "quota", N_("quota used up"), N_("Raise the quota of the service's user, or free space.") },
  [PL_CAUSE_PROCESS_GONE] = { "process-gone", N_("process gone"),
                              N_("Start the service again and look into its log for why it died.") },
  [PL_CAUSE_PROCESS_STOPPED] = { "process-stopped", N_("process stopped"),
                                 N_("Continue the process with kill -CONT, or let go of it in the debugger.") },
  [PL_CAUSE_PAUSED_OR_DEAD] = { "paused-or-dead", N_("paused or dead"),
                                N_("See whether the service runs and whether recording was switched off in it.") },
  [PL_CAUSE_WRITER_DEGRADED] = { "writer-degraded", N_("writer cannot write"),
                                 N_("Look into the service's log: the recorder says there what fails, and tries "
                                    "again.") },
};

/* How a number of an evidence is written. */
typedef enum
{
  NO_NUMBER,
  TIME,
  BYTES,
  NUMBER,
  ERROR_NUMBER,
  MODE,
} NumberStyle;

typedef struct
{
  const char *code;
  NumberStyle styles[2];
  const char *sentence;
} EvidenceText;

static const EvidenceText evidences[PL_N_EVIDENCES] = {
  [PL_EVIDENCE_NO_GROWTH] = { "no-growth", { TIME, TIME },
                              N_("Nothing was written for %s; %s between two writes is usual.") },
  [PL_EVIDENCE_NO_HEARTBEAT] = { "no-heartbeat", { TIME, TIME },
                                 N_("Nothing was written for %s; the writer promises a heartbeat every %s.") },
  [PL_EVIDENCE_RATE] = { "rate", { BYTES, TIME }, N_("%s are written each second; the budget wraps in %s.") },
  [PL_EVIDENCE_EVICTED] = { "evicted", { NUMBER, BYTES },
                            N_("Segments evicted to keep to the budget: %s, in all %s.") },
  [PL_EVIDENCE_REACH] = { "reach", { TIME }, N_("What is on disk reaches back %s.") },
  [PL_EVIDENCE_JUDGED_IN] = { "judged-in", { TIME }, N_("If nothing is written, this will be judged in %s.") },
  [PL_EVIDENCE_LAST_SEGMENT] = { "last-segment", { NUMBER, BYTES },
                                 N_("The segment being written is number %s and has %s.") },
  [PL_EVIDENCE_SEALED] = { "sealed", { NUMBER }, N_("The last segment, number %s, is sealed.") },
  [PL_EVIDENCE_INCOMPLETE] = { "incomplete", { NUMBER, BYTES },
                               N_("Segment %s ends inside a frame, after %s: a write failed before it was sealed.") },
  [PL_EVIDENCE_DAMAGED] = { "damaged", { NUMBER, BYTES },
                            N_("Segment %s is damaged behind its first %s; what follows there cannot be read.") },
  [PL_EVIDENCE_LOST_AT_MOST] = { "lost-at-most", { TIME },
                                 N_("At most the last %s of events before that are missing.") },
  [PL_EVIDENCE_NO_DIRECTORY] = { "no-directory", { NO_NUMBER }, N_("The directory does not exist yet.") },
  [PL_EVIDENCE_DIRECTORY_REMOVED] = { "directory-removed", { NO_NUMBER },
                                      N_("The directory was removed while it was written to.") },
  [PL_EVIDENCE_DIRECTORY_REPLACED] = { "directory-replaced", { NO_NUMBER },
                                       N_("The directory was replaced; the writer holds the old one.") },
  [PL_EVIDENCE_OLD_DIRECTORY_GROWS] = { "old-directory-grows", { NO_NUMBER },
                                        N_("The writer goes on in a directory that has no name any more; what it writes "
                                           "will be lost.") },
  [PL_EVIDENCE_OLD_DIRECTORY_ELSEWHERE] = { "old-directory-elsewhere", { NO_NUMBER },
                                            N_("The writer goes on in the old directory, which lies elsewhere now.") },
  [PL_EVIDENCE_CANNOT_LIST] = { "cannot-list", { ERROR_NUMBER }, N_("The directory cannot be read: %s.") },
  [PL_EVIDENCE_NO_ANSWER] = { "no-answer", { TIME },
                              N_("The file system has not answered for %s; what the writer does cannot be known.") },
  [PL_EVIDENCE_NO_SEGMENT] = { "no-segment", { NO_NUMBER }, N_("There is no segment in the directory yet.") },
  [PL_EVIDENCE_NO_EVENT] = { "no-event", { BYTES },
                             N_("The segment has %s, which is its opening without a single event.") },
  [PL_EVIDENCE_SEGMENT_REMOVED] = { "segment-removed", { NUMBER },
                                    N_("Segment %s was deleted while it was written.") },
  [PL_EVIDENCE_SEGMENT_CUT] = { "segment-cut", { NUMBER, BYTES }, N_("Segment %s was cut to %s.") },
  [PL_EVIDENCE_FREE_SPACE] = { "free-space", { BYTES }, N_("Free space on the file system: %s.") },
  [PL_EVIDENCE_NO_INODES] = { "no-inodes", { NO_NUMBER }, N_("The file system has room for no more files.") },
  [PL_EVIDENCE_CUT_AT_BLOCK] = { "cut-at-block", { NUMBER, BYTES },
                                 N_("Segment %s ends inside a frame and at the end of a disk block, after %s, as when "
                                    "the disk was full.") },
  [PL_EVIDENCE_READ_ONLY] = { "read-only", { NO_NUMBER }, N_("The file system is mounted read-only.") },
  [PL_EVIDENCE_NO_PERMISSION] = { "no-permission", { NUMBER, MODE },
                                  N_("User %s must not write to the directory, whose mode is %s.") },
  [PL_EVIDENCE_QUOTA] = { "quota", { NUMBER }, N_("User %s has used up the disk quota.") },
  [PL_EVIDENCE_OBSTACLE_GONE] = { "obstacle-gone", { NO_NUMBER },
                                  N_("What kept it from writing is over; nothing has been written since.") },
  [PL_EVIDENCE_PROCESS_RUNS] = { "process-runs", { NUMBER }, N_("The writer's process, %s, is there.") },
  [PL_EVIDENCE_PROCESS_STOPPED] = { "process-stopped", { NUMBER },
                                    N_("The writer's process, %s, is stopped (state T).") },
  [PL_EVIDENCE_PROCESS_ON_DISK] = { "process-on-disk", { NUMBER },
                                    N_("The writer's process, %s, waits for the disk.") },
  [PL_EVIDENCE_PROCESS_STARVED] = { "process-starved", { NUMBER },
                                    N_("The writer's process, %s, waits for a processor.") },
  [PL_EVIDENCE_PROCESS_GONE] = { "process-gone", { NUMBER }, N_("The writer's process is gone.") },
  [PL_EVIDENCE_PROCESS_HIDDEN] = { "process-hidden", { NO_NUMBER },
                                   N_("The writer's process cannot be seen from here.") },
  [PL_EVIDENCE_LOCK_HELD] = { "lock-held", { NO_NUMBER }, N_("The session's lock is held.") },
  [PL_EVIDENCE_LOCK_FREE] = { "lock-free", { NO_NUMBER }, N_("The session's lock is free.") },
  [PL_EVIDENCE_WRITER_DEGRADED] = { "writer-degraded", { NO_NUMBER },
                                    N_("The writer itself says that it cannot write.") },
  [PL_EVIDENCE_WRITER_PAUSED] = { "writer-paused", { NO_NUMBER },
                                  N_("The writer itself says that recording is suspended.") },
  [PL_EVIDENCE_DROPPED] = { "dropped", { NUMBER }, N_("Events the writer had to drop: %s.") },
  [PL_EVIDENCE_OTHER_SESSIONS] = { "other-sessions", { NUMBER },
                                   N_("Older sessions of other names that left an unsealed segment here: %s.") },
  [PL_EVIDENCE_ORPHAN] = { "orphan", { NUMBER }, N_("Segment %s was left by an older run.") },
  [PL_EVIDENCE_SUSPENDED] = { "suspended", { TIME }, N_("This computer was suspended for %s.") },
  [PL_EVIDENCE_VIEWER_LATE] = { "viewer-late", { TIME },
                                N_("Parklane itself could not look for %s, which does not count against the writer.") },
  [PL_EVIDENCE_CLOCK_STEP] = { "clock-step", { TIME }, N_("The clock was set by %s.") },
};

/**
 * pl_verdict_get_code:
 *
 * Returns: the verdict's name for programs, which never changes
 */
const char *
pl_verdict_get_code (PlVerdict verdict)
{
  return verdicts[verdict].code;
}

/**
 * pl_verdict_get_word:
 *
 * Returns: the verdict for people, translated
 */
const char *
pl_verdict_get_word (PlVerdict verdict)
{
  return _(verdicts[verdict].word);
}

const char *
pl_verdict_get_icon_name (PlVerdict verdict)
{
  return verdicts[verdict].icon_name;
}

/**
 * pl_verdict_cause_get_code:
 *
 * Returns: (nullable): the cause's name for programs, which never changes; %NULL for %PL_CAUSE_NONE
 */
const char *
pl_verdict_cause_get_code (PlVerdictCause cause)
{
  return causes[cause].code;
}

/**
 * pl_verdict_cause_get_word:
 *
 * Returns: (nullable): the cause for people, translated; %NULL for %PL_CAUSE_NONE
 */
const char *
pl_verdict_cause_get_word (PlVerdictCause cause)
{
  return causes[cause].word != NULL ? _(causes[cause].word) : NULL;
}

/**
 * pl_verdict_get_remedy:
 *
 * Returns: (nullable): what to do about it, one translated sentence; %NULL when nothing needs doing
 */
const char *
pl_verdict_get_remedy (PlVerdict verdict, PlVerdictCause cause)
{
  if (causes[cause].remedy != NULL)
    return _(causes[cause].remedy);
  if (verdict == PL_VERDICT_STALLED)
    return _("See whether the service still runs, and what its log says of the recorder.");
  return NULL;
}

/**
 * pl_evidence_get_code:
 *
 * Returns: the evidence's name for programs, which never changes
 */
const char *
pl_evidence_get_code (PlEvidenceKind kind)
{
  return evidences[kind].code;
}

/* Two units at most: nobody compares seconds after hours. */
static char *
format_time (gint64 ns)
{
  gint64 seconds = ABS (ns) / NS_PER_S;

  if (ABS (ns) < NS_PER_S)
    return g_strdup_printf ("%" G_GINT64_FORMAT " ms", ABS (ns) / 1000000);
  if (ABS (ns) < 10 * NS_PER_S)
    return g_strdup_printf ("%.1f s", (double) ABS (ns) / (double) NS_PER_S);
  if (seconds < 60)
    return g_strdup_printf ("%" G_GINT64_FORMAT " s", seconds);
  if (seconds < 3600)
    return g_strdup_printf ("%" G_GINT64_FORMAT " min %" G_GINT64_FORMAT " s", seconds / 60, seconds % 60);
  if (seconds < 48 * 3600)
    return g_strdup_printf ("%" G_GINT64_FORMAT " h %" G_GINT64_FORMAT " min", seconds / 3600, seconds / 60 % 60);
  return g_strdup_printf ("%" G_GINT64_FORMAT " d", seconds / (24 * 3600));
}

static char *
format_number (NumberStyle style, gint64 number, gboolean is_plain)
{
  switch (style)
    {
    case TIME:
      return format_time (number);
    case BYTES:
      return is_plain ? g_strdup_printf ("%" G_GINT64_FORMAT " bytes", number) : g_format_size ((guint64) number);
    case ERROR_NUMBER:
      return is_plain ? g_strdup_printf ("error %" G_GINT64_FORMAT, number) : g_strdup (g_strerror ((int) number));
    case MODE:
      return g_strdup_printf ("%04o", (guint) number);
    case NUMBER:
      return g_strdup_printf ("%" G_GINT64_FORMAT, number);
    case NO_NUMBER:
    default:
      return g_strdup ("");
    }
}

static char *
describe (const PlEvidence *self, gboolean is_plain)
{
  const EvidenceText *text = &evidences[self->kind];
  g_autofree char *first = format_number (text->styles[0], self->numbers[0], is_plain);
  g_autofree char *second = format_number (text->styles[1], self->numbers[1], is_plain);
  const char *sentence = text->sentence;

  if (self->kind == PL_EVIDENCE_RATE && self->numbers[1] < 0)
    sentence = N_("%s are written each second.");
  return g_strdup_printf (is_plain ? sentence : _(sentence), first, second);
}

/**
 * pl_evidence_describe:
 *
 * Returns: (transfer full): one translated sentence
 */
char *
pl_evidence_describe (const PlEvidence *self)
{
  return describe (self, FALSE);
}

/**
 * pl_evidence_describe_plain:
 *
 * Returns: (transfer full): `CODE: SENTENCE` for programs, the same under every locale
 */
char *
pl_evidence_describe_plain (const PlEvidence *self)
{
  g_autofree char *sentence = describe (self, TRUE);

  return g_strdup_printf ("%s: %s", evidences[self->kind].code, sentence);
}
