/* test-judge.c: what a directory allows one to conclude, case by case
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <locale.h>

#include "dir-files.h"
#include "pl-judge.h"

#define S G_GINT64_CONSTANT (1000000000)
#define WALL (G_GINT64_CONSTANT (1700000000) * S)

/* A directory of a dial9 session, changed and looked at by hand. */
typedef struct
{
  PlJudge *judge;
  PlDirScan next; /* what the next looks see */
  PlActiveSegment active;
  PlWatchStatus status;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->judge = pl_judge_new ();
  self->active = PL_ACTIVE_SEGMENT_NONE;
  self->next = (PlDirScan) {
    .mono_ns = 1000 * S,
    .boot_ns = 1000 * S,
    .wall_ns = WALL,
    .files = g_array_new (FALSE, FALSE, sizeof (PlDirFile)),
    .has_tail = TRUE,
    .is_understood = TRUE,
    .n_recorded = 100,
    .facts = { .n_framing = 3, .n_queue_samples = 100 },
    .process = PL_PROCESS_HIDDEN,
    .has_space = TRUE,
    .free_bytes = 1 << 30,
    .total_bytes = G_GUINT64_CONSTANT (1) << 31,
  };
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_array_unref (self->next.files);
  pl_judge_free (self->judge);
}

/* Makes the file, or changes it, at the present moment. */
static void
put (Fixture *self, guint64 index, PlForm form, guint64 size)
{
  dir_files_put (self->next.files, &(PlDirFile) { index, form, size, self->next.wall_ns });
  self->next.tail_index = index;
}

static void
drop (Fixture *self, guint64 index, PlForm form)
{
  dir_files_drop (self->next.files, index, form);
}

static void
pass (Fixture *self, gint64 ns)
{
  self->next.mono_ns += ns;
  self->next.boot_ns += ns;
  self->next.wall_ns += ns;
}

static void
look (Fixture *self)
{
  self->next.current = NULL;
  if (self->next.dir == PL_DIR_OK)
    pl_dir_scan_find_current (&self->next, &self->active);
  pl_judge_hear (self->judge, &self->next, &self->status);
}

/* Looks each second while nothing changes. */
static void
wait (Fixture *self, guint seconds)
{
  for (guint i = 0; i < seconds; i++)
    {
      pass (self, S);
      look (self);
    }
}

/* A dial9 writer at rest: 753 bytes each second. */
static void
record (Fixture *self, guint64 index, guint seconds)
{
  for (guint i = 0; i < seconds; i++)
    {
      PlDirFile *file = dir_files_find (self->next.files, index, PL_FORM_ACTIVE);

      pass (self, S);
      put (self, index, PL_FORM_ACTIVE, (file != NULL ? file->size : 65) + 753);
      look (self);
    }
}

static gboolean
has_evidence (Fixture *self, PlEvidenceKind kind)
{
  for (guint i = 0; i < self->status.n_evidence; i++)
    if (self->status.evidence[i].kind == kind)
      return TRUE;
  return FALSE;
}

#define ASSERT_VERDICT(self, expected_verdict, expected_cause) \
  G_STMT_START { \
    g_assert_cmpstr (pl_verdict_get_code ((self)->status.verdict), ==, pl_verdict_get_code (expected_verdict)); \
    g_assert_cmpstr (pl_verdict_cause_get_code ((self)->status.cause), ==, pl_verdict_cause_get_code (expected_cause)); \
  } G_STMT_END

static void
test_idle (Fixture *self, gconstpointer data)
{
  record (self, 0, 300);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
  g_assert_cmpint (self->status.expected_gap_ns, ==, S);
}

static void
test_silence (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  wait (self, 5);
  ASSERT_VERDICT (self, PL_VERDICT_QUIET, PL_CAUSE_NONE);
  g_assert_cmpint (self->status.judged_in_ns, ==, 5 * S);
  wait (self, 4);
  ASSERT_VERDICT (self, PL_VERDICT_QUIET, PL_CAUSE_NONE);
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PAUSED_OR_DEAD);
  g_assert_cmpint (self->status.since_growth_ns, ==, 10 * S);
  g_assert_cmpint (self->status.since_wall_ns, ==, self->next.wall_ns - 10 * S);
  g_assert_true (has_evidence (self, PL_EVIDENCE_NO_GROWTH));
  g_assert_true (has_evidence (self, PL_EVIDENCE_LAST_SEGMENT));
}

static void
test_long_gap_is_learnt (Fixture *self, gconstpointer data)
{
  self->next.is_understood = FALSE;
  for (guint i = 0; i < 10; i++)
    {
      record (self, 0, 1);
      wait (self, 5);
    }
  wait (self, 11);
  ASSERT_VERDICT (self, PL_VERDICT_QUIET, PL_CAUSE_NONE);
  wait (self, 2);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PAUSED_OR_DEAD);
}

static void
test_never_started (Fixture *self, gconstpointer data)
{
  self->next.n_recorded = 0;
  self->next.facts.n_queue_samples = 0;
  put (self, 0, PL_FORM_ACTIVE, 65);
  look (self);
  wait (self, 120);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NEVER_STARTED);
  g_assert_true (has_evidence (self, PL_EVIDENCE_NO_EVENT));
}

/* Whatever became of who set it up: no event is missing. */
static void
test_never_started_and_gone (Fixture *self, gconstpointer data)
{
  self->next.n_recorded = 0;
  self->next.facts.n_queue_samples = 0;
  self->next.process = PL_PROCESS_GONE;
  put (self, 0, PL_FORM_ACTIVE, 65);
  look (self);
  wait (self, 120);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NEVER_STARTED);
}

/* Who looks only now needs no growth to know it, as with a process that might just have woken up. */
static void
test_stopped_before (Fixture *self, gconstpointer data)
{
  self->next.facts.heartbeat_period_ns = S;
  self->next.process = PL_PROCESS_STOPPED;
  self->next.lock = PL_LOCK_HELD;
  put (self, 0, PL_FORM_ACTIVE, 9539);
  look (self);
  wait (self, 2);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PROCESS_STOPPED);
}

/* Nobody saw it grow, but what keeps it from that is plain to see. */
static void
test_obstacle_before (Fixture *self, gconstpointer data)
{
  self->next.facts.heartbeat_period_ns = S;
  self->next.process = PL_PROCESS_RUNS;
  self->next.lock = PL_LOCK_HELD;
  put (self, 0, PL_FORM_ACTIVE, 9539);
  look (self);
  wait (self, 2);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NONE);
  self->next.may_not_write = TRUE;
  look (self);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PERMISSION);
}

/* Access lists, capabilities and further groups give rights that the mode does not show. */
static void
test_mode_is_overruled (Fixture *self, gconstpointer data)
{
  self->next.may_not_write = TRUE;
  record (self, 0, 60);
  put (self, 0, PL_FORM_SEALED, dir_files_find (self->next.files, 0, PL_FORM_ACTIVE)->size);
  drop (self, 0, PL_FORM_ACTIVE);
  record (self, 1, 10);
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PAUSED_OR_DEAD);
}

/* The right was taken away right after the segment was begun. */
static void
test_mode_is_not_overruled_by_what_was_before (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  put (self, 0, PL_FORM_SEALED, dir_files_find (self->next.files, 0, PL_FORM_ACTIVE)->size);
  drop (self, 0, PL_FORM_ACTIVE);
  self->next.may_not_write = TRUE;
  record (self, 1, 10);
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PERMISSION);
}

/* A process has a segment open that lies nowhere any more. */
static void
test_removed_before (Fixture *self, gconstpointer data)
{
  self->next.dir = PL_DIR_MISSING;
  self->next.has_tail = FALSE;
  self->next.has_lost_session = TRUE;
  self->next.process = PL_PROCESS_RUNS;
  look (self);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NONE);
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DIRECTORY_REMOVED);
  g_assert_true (has_evidence (self, PL_EVIDENCE_DIRECTORY_REMOVED));
  g_assert_true (has_evidence (self, PL_EVIDENCE_PROCESS_RUNS));
  g_assert_false (has_evidence (self, PL_EVIDENCE_NO_GROWTH));
  self->next.dir = PL_DIR_OK;
  self->next.is_lost_dir = TRUE;
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DIRECTORY_REPLACED);
  self->next.is_lost_dir = FALSE;
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_SEGMENT_REMOVED);
  self->next.has_lost_session = FALSE;
  self->next.has_tail = TRUE;
  record (self, 0, 2);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
}

static void
test_full_disk_before_first_event (Fixture *self, gconstpointer data)
{
  self->next.n_recorded = 0;
  self->next.free_bytes = 0;
  put (self, 0, PL_FORM_ACTIVE, 65);
  look (self);
  wait (self, 120);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DISK_FULL);
}

static void
test_cut_at_block (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  put (self, 0, PL_FORM_ACTIVE, 1536000);
  self->next.is_cut = TRUE;
  look (self);
  /* The space has been freed since; who wrote does not try again. */
  wait (self, 15);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DISK_FULL);
  g_assert_true (has_evidence (self, PL_EVIDENCE_CUT_AT_BLOCK));
}

static void
test_orphan (Fixture *self, gconstpointer data)
{
  /* A run was killed at segment 1; the next one began at 0 again. */
  put (self, 1, PL_FORM_ACTIVE, 5000);
  pass (self, 3600 * S);
  record (self, 0, 60);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
  put (self, 0, PL_FORM_SEALED, dir_files_find (self->next.files, 0, PL_FORM_ACTIVE)->size);
  drop (self, 0, PL_FORM_ACTIVE);
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_FINISHED, PL_CAUSE_NONE);
  g_assert_true (has_evidence (self, PL_EVIDENCE_ORPHAN));
}

static void
test_orphan_at_first (Fixture *self, gconstpointer data)
{
  put (self, 3, PL_FORM_ACTIVE, 5000);
  pass (self, 3600 * S);
  put (self, 4, PL_FORM_SEALED, 8000);
  pass (self, 3600 * S);
  look (self);
  ASSERT_VERDICT (self, PL_VERDICT_FINISHED, PL_CAUSE_NONE);
}

static void
test_torn_end (Fixture *self, gconstpointer data)
{
  put (self, 7, PL_FORM_SEALED, 1536000);
  self->next.is_cut = TRUE;
  self->next.tail_end = 1535000;
  pass (self, 60 * S);
  look (self);
  ASSERT_VERDICT (self, PL_VERDICT_FINISHED, PL_CAUSE_NONE);
  g_assert_false (self->status.is_complete);
  g_assert_true (has_evidence (self, PL_EVIDENCE_INCOMPLETE));
}

static void
test_clean_end (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  put (self, 0, PL_FORM_SEALED, dir_files_find (self->next.files, 0, PL_FORM_ACTIVE)->size);
  drop (self, 0, PL_FORM_ACTIVE);
  wait (self, 4);
  ASSERT_VERDICT (self, PL_VERDICT_FINISHED, PL_CAUSE_NONE);
  g_assert_true (self->status.is_complete);
}

static void
test_segment_deleted (Fixture *self, gconstpointer data)
{
  record (self, 0, 30);
  put (self, 1, PL_FORM_ACTIVE, 65);
  put (self, 0, PL_FORM_SEALED, dir_files_find (self->next.files, 0, PL_FORM_ACTIVE)->size);
  drop (self, 0, PL_FORM_ACTIVE);
  record (self, 1, 30);
  drop (self, 1, PL_FORM_ACTIVE);
  /* The writer makes a new one at its next rotation, up to a minute later. */
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_QUIET, PL_CAUSE_NONE);
  wait (self, 15);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_SEGMENT_REMOVED);
  record (self, 2, 1);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
}

static void
test_made_again (Fixture *self, gconstpointer data)
{
  record (self, 5, 60);
  self->next.dir = PL_DIR_MISSING;
  wait (self, 30);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DIRECTORY_REMOVED);
  self->next.dir = PL_DIR_OK;
  self->next.is_other_dir = TRUE;
  g_array_set_size (self->next.files, 0);
  record (self, 6, 1);
  self->next.is_other_dir = FALSE;
  record (self, 6, 3);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
  g_assert_cmpuint (self->status.n_evicted, ==, 0);
}

static void
test_removed_after_end (Fixture *self, gconstpointer data)
{
  put (self, 0, PL_FORM_SEALED, 4000);
  pass (self, 60 * S);
  look (self);
  self->next.dir = PL_DIR_MISSING;
  wait (self, 300);
  ASSERT_VERDICT (self, PL_VERDICT_FINISHED, PL_CAUSE_NONE);
}

static void
test_not_there_yet (Fixture *self, gconstpointer data)
{
  self->next.dir = PL_DIR_MISSING;
  look (self);
  wait (self, 300);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NONE);
  g_assert_true (has_evidence (self, PL_EVIDENCE_NO_DIRECTORY));
  self->next.dir = PL_DIR_OK;
  wait (self, 300);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NONE);
  g_assert_true (has_evidence (self, PL_EVIDENCE_NO_SEGMENT));
  record (self, 0, 1);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
}

static void
test_hidden_process (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PAUSED_OR_DEAD);
  g_assert_true (has_evidence (self, PL_EVIDENCE_PROCESS_HIDDEN));
  g_assert_false (has_evidence (self, PL_EVIDENCE_PROCESS_GONE));
}

/* In another mount or as seen from outside of a container the same file may have another number. */
static void
test_gone_while_it_grows (Fixture *self, gconstpointer data)
{
  self->next.process = PL_PROCESS_GONE;
  for (guint i = 0; i < 100; i++)
    {
      record (self, 0, 1);
      wait (self, 2);
      g_assert_cmpint (self->status.verdict, !=, PL_VERDICT_KILLED);
    }
  wait (self, 10);
  ASSERT_VERDICT (self, PL_VERDICT_KILLED, PL_CAUSE_PROCESS_GONE);
  g_assert_cmpint (self->status.lost_at_most_ns, ==, 30 * S);
}

static void
test_killed_before (Fixture *self, gconstpointer data)
{
  put (self, 0, PL_FORM_ACTIVE, 9539);
  self->next.process = PL_PROCESS_GONE;
  pass (self, 3600 * S);
  look (self);
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_KILLED, PL_CAUSE_PROCESS_GONE);
  g_assert_cmpint (self->status.since_wall_ns, ==, WALL);
}

static void
test_plateau (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  put (self, 1, PL_FORM_ACTIVE, 65);
  put (self, 0, PL_FORM_SEALED, dir_files_find (self->next.files, 0, PL_FORM_ACTIVE)->size);
  drop (self, 0, PL_FORM_ACTIVE);
  record (self, 1, 60);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
  drop (self, 0, PL_FORM_SEALED);
  record (self, 1, 5);
  ASSERT_VERDICT (self, PL_VERDICT_PLATEAU, PL_CAUSE_NONE);
  g_assert_cmpuint (self->status.n_evicted, ==, 1);
  g_assert_cmpuint (self->status.bytes_written, ==, 2 * 65 + 125 * 753);
}

static void
test_unreadable (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  self->next.dir = PL_DIR_UNREADABLE;
  self->next.dir_error = 13;
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_UNKNOWN, PL_CAUSE_NONE);
  g_assert_true (has_evidence (self, PL_EVIDENCE_CANNOT_LIST));
}

static void
test_stall_does_not_teach (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  wait (self, 60);
  record (self, 0, 20);
  g_assert_cmpint (self->status.expected_gap_ns, ==, S);
  wait (self, 10);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PAUSED_OR_DEAD);
}

/* Whoever looks a little later still learns why nothing was written. */
static void
test_cause_is_kept (Fixture *self, gconstpointer data)
{
  record (self, 0, 60);
  self->next.is_read_only = TRUE;
  wait (self, 12);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_READ_ONLY);
  g_assert_true (has_evidence (self, PL_EVIDENCE_READ_ONLY));
  self->next.is_read_only = FALSE;
  wait (self, 60);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_READ_ONLY);
  g_assert_false (has_evidence (self, PL_EVIDENCE_READ_ONLY));
  g_assert_true (has_evidence (self, PL_EVIDENCE_OBSTACLE_GONE));

  /* Another obstacle is the cause from then on. */
  self->next.free_bytes = 0;
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DISK_FULL);
  self->next.free_bytes = 1 << 30;
  wait (self, 1);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_DISK_FULL);

  record (self, 0, 5);
  ASSERT_VERDICT (self, PL_VERDICT_RECORDING, PL_CAUSE_NONE);
  wait (self, 12);
  ASSERT_VERDICT (self, PL_VERDICT_STALLED, PL_CAUSE_PAUSED_OR_DEAD);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *, gconstpointer);
  } cases[] = {
    { "/watch/judge/idle-session-that-grows-is-recorded", test_idle },
    { "/watch/judge/silence-is-quiet-then-stalled", test_silence },
    { "/watch/judge/long-gap-is-learnt", test_long_gap_is_learnt },
    { "/watch/judge/frozen-opening-was-never-started", test_never_started },
    { "/watch/judge/frozen-opening-without-writer-was-never-started", test_never_started_and_gone },
    { "/watch/judge/stopped-process-is-told-within-two-beats-of-the-first-look", test_stopped_before },
    { "/watch/judge/obstacle-is-told-within-two-beats-of-the-first-look", test_obstacle_before },
    { "/watch/judge/mode-that-was-written-against-is-no-cause", test_mode_is_overruled },
    { "/watch/judge/mode-changed-after-a-write-is-a-cause", test_mode_is_not_overruled_by_what_was_before },
    { "/watch/judge/directory-removed-before-the-first-look-is-told", test_removed_before },
    { "/watch/judge/frozen-opening-on-full-disk-is-stalled", test_full_disk_before_first_event },
    { "/watch/judge/cut-batch-at-block-is-a-full-disk", test_cut_at_block },
    { "/watch/judge/orphan-of-older-run-is-no-stall", test_orphan },
    { "/watch/judge/orphan-that-was-there-at-first-is-no-stall", test_orphan_at_first },
    { "/watch/judge/sealed-file-with-torn-end-is-incomplete", test_torn_end },
    { "/watch/judge/clean-end-is-finished", test_clean_end },
    { "/watch/judge/deleted-segment-is-waited-for-a-rotation", test_segment_deleted },
    { "/watch/judge/directory-made-again-by-writer-is-good", test_made_again },
    { "/watch/judge/directory-removed-after-end-is-no-stall", test_removed_after_end },
    { "/watch/judge/directory-that-does-not-exist-is-waited-for", test_not_there_yet },
    { "/watch/judge/hidden-process-is-not-called-dead", test_hidden_process },
    { "/watch/judge/growing-session-is-never-killed", test_gone_while_it_grows },
    { "/watch/judge/killed-long-ago-is-told-at-once", test_killed_before },
    { "/watch/judge/eviction-is-a-plateau", test_plateau },
    { "/watch/judge/directory-that-cannot-be-read-is-unknown", test_unreadable },
    { "/watch/judge/stall-does-not-teach-patience", test_stall_does_not_teach },
    { "/watch/judge/cause-of-a-stall-is-kept-until-something-is-written", test_cause_is_kept },
  };

  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, NULL, set_up, cases[i].run, tear_down);
  return g_test_run ();
}
