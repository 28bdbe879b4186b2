/* pl-follow-segment.h: one segment of a followed session, through all its forms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_SEGMENT_H
#define PL_FOLLOW_SEGMENT_H

#include "pl-follow-tail.h"
#include "pl-follow-unpack.h"
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
 * PlFollowWish:
 * @PL_FOLLOW_WISH_PLACES: where what is known of the segment lies in the compressed form that took the raw one's place
 * @PL_FOLLOW_WISH_ALL: what is in the compressed file
 *
 * What has to be read from a compressed file, which takes too long for a step.
 */
typedef enum
{
  PL_FOLLOW_WISH_NONE,
  PL_FOLLOW_WISH_PLACES,
  PL_FOLLOW_WISH_ALL,
} PlFollowWish;

/**
 * PlFollowSegment:
 * @info: as in the snapshots
 * @device: of the file that was read; with @inode 0 not known
 * @is_listed: the last look at the directory showed it
 * @was_listed: the one before did
 * @is_raw: what was read, or is being read, is not compressed
 * @is_cut_off: the file has become shorter than what was read of it: another recording begins in it
 * @is_dropped: nothing is held of it any more: its place may be given to another segment
 * @wish: what is to be read, or being read by @unpack
 * @unpack: (nullable): who reads it
 * @tail: (nullable): while it may grow
 * @pieces: (element-type PlPiece): without the tail's
 * @detail_bytes: what those of @pieces that are not summaries take up
 * @bytes: what all of @pieces take up
 * @n_idle: looks in a row without growth
 * @n_faulty: looks in a row that saw the same fault at the end of what was read
 * @fault_offset: where
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
  gboolean is_cut_off;
  gboolean is_dropped;
  PlFollowWish wish;
  PlFollowUnpack *unpack;
  PlFollowTail *tail;
  PlPiece *peeked;
  GPtrArray *pieces;
  guint64 detail_bytes;
  guint64 bytes;
  guint n_idle;
  guint n_faulty;
  guint64 fault_offset;
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
gboolean         pl_follow_segment_is_cut_by (PlFollowSegment     *self,
                                              const PlFollowEntry *entry);
gboolean         pl_follow_segment_has_shrunk (PlFollowSegment    *self);
void             pl_follow_segment_cut_off   (PlFollowSegment     *self);
void             pl_follow_segment_go_on_with (PlFollowSegment    *self,
                                              PlFollowSegment     *cut_off,
                                              PlStrings           *strings);
gboolean         pl_follow_segment_settle    (PlFollowSegment     *self);
gboolean         pl_follow_segment_is_growing (PlFollowSegment    *self);
void             pl_follow_segment_wish_for  (PlFollowSegment     *self,
                                              PlFollowWish         wish);
void             pl_follow_segment_forget    (PlFollowSegment     *self);
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
