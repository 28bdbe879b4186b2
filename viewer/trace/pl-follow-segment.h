/* pl-follow-segment.h: one segment of a followed session, through all its forms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_SEGMENT_H
#define PL_FOLLOW_SEGMENT_H

#include "pl-follow-tail.h"
#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlFollowEntry:
 * @path: where a segment lies now
 * @key: the same for all forms of the segment
 * @is_packed: its name says that it is compressed
 * @is_active: its name says that it is being written
 *
 * What a look at the directory shows of a segment.
 */
typedef struct
{
  char *path;
  char *key;
  guint64 device;
  guint64 inode;
  guint64 size;
  gint64 mtime_ns;
  gboolean is_packed;
  gboolean is_active;
} PlFollowEntry;

/**
 * PlFollowSegment:
 * @info: as in the snapshots
 * @device: of the file that was read; with @inode 0 not known
 * @is_listed: the last look at the directory showed it
 * @was_listed: the one before did
 * @is_raw: what was read, or is being read, is not compressed
 * @is_moved: @pieces were decoded from a form that is not there any more, and do not tell where in the present one they lie
 * @is_dropped: nothing is held of it any more: its place may be given to another segment
 * @tail: (nullable): while it may grow
 * @pieces: (element-type PlPiece): without the tail's
 * @detail_bytes: what those of @pieces that are not summaries take up
 * @bytes: what all of @pieces take up
 * @n_idle: looks in a row without growth
 * @predecessor: 1 + place of another file that had the same key before, 0 for none
 */
typedef struct
{
  guint file;
  char *key;
  PlTraceFile info;
  guint64 device;
  guint64 inode;
  guint64 size;
  gint64 mtime_ns;
  gboolean is_listed;
  gboolean was_listed;
  gboolean is_active;
  gboolean is_raw;
  gboolean is_moved;
  gboolean is_dropped;
  PlFollowTail *tail;
  PlPiece *peeked;
  GPtrArray *pieces;
  guint64 detail_bytes;
  guint64 bytes;
  guint n_idle;
  guint predecessor;
} PlFollowSegment;

PlFollowSegment *pl_follow_segment_new       (guint                file);
void             pl_follow_segment_free      (PlFollowSegment     *self);
void             pl_follow_segment_drop      (PlFollowSegment     *self);
gboolean         pl_follow_segment_see       (PlFollowSegment     *self,
                                              const PlFollowEntry *entry,
                                              PlStrings           *strings);
gboolean         pl_follow_segment_read      (PlFollowSegment     *self,
                                              PlStrings           *strings);
gboolean         pl_follow_segment_settle    (PlFollowSegment     *self);
gboolean         pl_follow_segment_is_growing (PlFollowSegment    *self);
gboolean         pl_follow_segment_reload    (PlFollowSegment     *self,
                                              PlStrings           *strings);
gboolean         pl_follow_segment_get_range (PlFollowSegment     *self,
                                              gint64              *out_from_ns,
                                              gint64              *out_to_ns);
void             pl_follow_segment_measure   (PlFollowSegment     *self);
void             pl_follow_segment_collect   (PlFollowSegment     *self,
                                              GPtrArray           *pieces);

void             pl_follow_entry_init        (PlFollowEntry       *out_entry,
                                              const char          *path);
void             pl_follow_entry_clear       (PlFollowEntry       *entry);

G_END_DECLS

#endif /* PL_FOLLOW_SEGMENT_H */
