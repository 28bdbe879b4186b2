/* pl-dir-scan.h: what one look at a session directory saw, and who looks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The judge sees the world through this alone, so that a test can make up a world in which years pass in a second.
 */
#ifndef PL_DIR_SCAN_H
#define PL_DIR_SCAN_H

#include <glib.h>

#include "pl-writer-facts.h"

G_BEGIN_DECLS

/**
 * PlDirState:
 * @PL_DIR_MISSING: it was not there, or is no more
 * @PL_DIR_REPLACED: its path leads to another one, in which nobody writes
 * @PL_DIR_UNREADABLE: it cannot be listed
 */
typedef enum
{
  PL_DIR_OK,
  PL_DIR_MISSING,
  PL_DIR_REPLACED,
  PL_DIR_UNREADABLE,
} PlDirState;

/* The forms in which a segment can lie there. */
typedef enum
{
  PL_FORM_ACTIVE,
  PL_FORM_SEALED,
  PL_FORM_PACKED,
  PL_N_FORMS,
} PlForm;

typedef struct
{
  guint64 index;
  PlForm form;
  guint64 size;
  gint64 mtime_wall_ns;
} PlDirFile;

/* @is_older: was written to last before the session that was found began. */
typedef struct
{
  char *prefix;
  gboolean is_older;
} PlOtherSession;

/**
 * PlLockState:
 * @PL_LOCK_NONE: the writer takes no lock
 * @PL_LOCK_UNKNOWN: there is one, and whether it is held cannot be seen from here
 */
typedef enum
{
  PL_LOCK_NONE,
  PL_LOCK_UNKNOWN,
  PL_LOCK_HELD,
  PL_LOCK_FREE,
} PlLockState;

/**
 * PlProcessState:
 * @PL_PROCESS_NOT_SOUGHT: nobody looked, since there was no need
 * @PL_PROCESS_HIDDEN: it cannot be seen from here
 * @PL_PROCESS_ON_DISK: what writes in it waits for the disk
 * @PL_PROCESS_STARVED: what writes in it is ready to, and waits for a processor
 */
typedef enum
{
  PL_PROCESS_NOT_SOUGHT,
  PL_PROCESS_HIDDEN,
  PL_PROCESS_RUNS,
  PL_PROCESS_ON_DISK,
  PL_PROCESS_STARVED,
  PL_PROCESS_STOPPED,
  PL_PROCESS_GONE,
} PlProcessState;

static inline gboolean
pl_process_is_alive (PlProcessState state)
{
  return state >= PL_PROCESS_RUNS && state <= PL_PROCESS_STOPPED;
}

/**
 * PlDirScan:
 * @mono_ns: monotonic clock, which stands while the computer is suspended
 * @boot_ns: the same with the time of suspension in it
 * @dir_error: errno of %PL_DIR_UNREADABLE
 * @is_other_dir: the directory is not the one of the look before; its segments are another's
 * @old_dir_grows: the segment in a directory that was removed or replaced has grown
 * @is_old_dir_named: that directory lies elsewhere now: it was moved, or a link led to it
 * @files: (element-type PlDirFile): of the session's prefix, sorted by index, then form
 * @prefix: (nullable): of the session; the scanner's, as the next one
 * @others: (nullable) (element-type PlOtherSession): further prefixes of which a segment is being written, or was left so;
 *   of no interest where the prefix was given
 * @n_left: how many of these were written to last before the session began: an older run left them
 * @current: (nullable): the one of @files that counts, see pl_dir_scan_find_current()
 * @has_lost_session: a process writes a segment of this directory that was deleted, before anybody looked
 * @lost_index: the number of that segment
 * @is_lost_dir: the directory that it lay in is not this one
 * @has_space: whether the next four are known
 * @may_not_write: the user who writes has no right to make files in the directory
 * @writer_uid: owner of the segment
 * @dir_mode: permissions of the directory
 * @has_tail: whether the newest segment's bytes could be read, and the rest is known
 * @tail_index: its number
 * @is_understood: they are a trace's
 * @facts: what it says of its writer
 * @n_recorded: events beyond clock and metadata that were read
 * @is_cut: it ends inside a frame
 * @tail_end: where its last whole frame ends
 * @is_damaged: all of it was read, and something in it is wrong
 * @damage_offset: from where on
 * @oldest_wall_ns: when the oldest segment was written to last, 0 = not known
 */
typedef struct
{
  gint64 mono_ns;
  gint64 boot_ns;
  gint64 wall_ns;
  PlDirState dir;
  int dir_error;
  gboolean is_other_dir;
  gboolean old_dir_grows;
  gboolean is_old_dir_named;
  GArray *files;
  const char *prefix;
  const GArray *others;
  guint n_left;
  const PlDirFile *current;
  gboolean has_lost_session;
  guint64 lost_index;
  gboolean is_lost_dir;
  gboolean has_space;
  guint64 free_bytes;
  guint64 total_bytes;
  gboolean has_no_inodes;
  gboolean is_read_only;
  gboolean is_over_quota;
  gboolean may_not_write;
  guint32 writer_uid;
  guint32 dir_mode;
  PlLockState lock;
  PlProcessState process;
  guint32 pid;
  gboolean has_tail;
  guint64 tail_index;
  gboolean is_understood;
  PlWriterFacts facts;
  guint64 n_recorded;
  gboolean is_cut;
  guint64 tail_end;
  gboolean is_damaged;
  guint64 damage_offset;
  gint64 oldest_wall_ns;
} PlDirScan;

/**
 * PlDirScanner:
 * @look: fills an all-zero scan, whose array is there; @is_frozen: nothing has grown lately, so that it is worth the
 *   trouble to look for the writer's process
 *
 * Looks at one directory. May block on the disk; one thread at a time.
 */
typedef struct
{
  void (*look) (gpointer   data,
                gboolean   is_frozen,
                PlDirScan *out_scan);
  void (*free) (gpointer data);
} PlDirScannerClass;

typedef struct
{
  const PlDirScannerClass *klass;
  gpointer data;
} PlDirScanner;

static inline void
pl_dir_scanner_look (const PlDirScanner *self, gboolean is_frozen, PlDirScan *out_scan)
{
  self->klass->look (self->data, is_frozen, out_scan);
}

/* Before the next look. */
static inline void
pl_dir_scan_clear (PlDirScan *self)
{
  GArray *files = self->files;

  g_array_set_size (files, 0);
  *self = (PlDirScan) { .files = files };
}

/**
 * PlActiveSegment:
 * @index: number of the segment that was being written at the last look, or -1
 * @highest: highest number of a segment that was not sealed then, or -1
 */
typedef struct
{
  gint64 index;
  gint64 highest;
} PlActiveSegment;

#define PL_ACTIVE_SEGMENT_NONE ((PlActiveSegment) { -1, -1 })

GArray      *pl_other_sessions_copy   (const GArray    *others);
PlDirScanner pl_dir_scanner_new       (const char      *directory,
                                       const char      *prefix);
void         pl_dir_scan_find_current (PlDirScan       *self,
                                       PlActiveSegment *active);

G_END_DECLS

#endif /* PL_DIR_SCAN_H */
