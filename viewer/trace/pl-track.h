/* pl-track.h: sorted, disjoint intervals of a worker over the whole session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TRACK_H
#define PL_TRACK_H

#include "pl-block.h"

G_BEGIN_DECLS

/* Blocks that a chunk holds, and those of a track that have one maximum. */
#define PL_TRACK_CHUNK 128
#define PL_TRACK_STRIDE PL_BLOCK_STRIDE

typedef struct
{
  PlBlock *block; /* owned reference */
  guint64 n_before;
  gint64 sum_before;
} PlTrackEntry;

/* Blocks with what must be known of all before each; immutable. Tracks that begin with the same blocks share them. */
typedef struct
{
  gatomicrefcount ref_count;
  guint n;
  gint64 maxima[PL_TRACK_CHUNK / PL_TRACK_STRIDE];
  PlTrackEntry entries[];
} PlTrackChunk;

/* Blocks in time order; any stretch costs O(log n). All chunks but the last are full. */
typedef struct
{
  guint n_blocks;
  PlTrackChunk **chunks; /* owned references */
  guint64 n;             /* intervals */
  gint64 total_ns;
} PlTrack;

/* An interval; block == n_blocks is the end. */
typedef struct
{
  guint block;
  guint index;
} PlTrackPos;

void       pl_track_init           (PlTrack       *self,
                                    GPtrArray     *blocks);
void       pl_track_init_extended  (PlTrack       *self,
                                    const PlTrack *base,
                                    GPtrArray     *blocks);
gboolean   pl_track_exchange       (PlTrack       *self,
                                    const PlBlock *held,
                                    PlBlock       *block);
void       pl_track_clear          (PlTrack       *self);
guint64    pl_track_get_n          (const PlTrack *self);
gint64     pl_track_get_total      (const PlTrack *self);
gint64     pl_track_get_max        (const PlTrack *self);
gint64     pl_track_get_end        (const PlTrack *self);
PlTrackPos pl_track_seek           (const PlTrack *self,
                                    gint64         at_ns,
                                    guint          hint);
void       pl_track_prefetch       (const PlTrack *self,
                                    gint64         at_ns,
                                    PlTrackPos    *cursor);
gboolean   pl_track_step_back      (const PlTrack *self,
                                    PlTrackPos    *pos);
void       pl_track_step           (const PlTrack *self,
                                    PlTrackPos    *pos);
PlTrackPos pl_track_first_touching (const PlTrack *self,
                                    gint64         at_ns,
                                    PlTrackPos     at);
gint64     pl_track_covered_until  (const PlTrack *self,
                                    gint64         at_ns,
                                    PlTrackPos     at);
guint64    pl_track_index          (const PlTrack *self,
                                    PlTrackPos     pos);
gint64     pl_track_max_between    (const PlTrack *self,
                                    PlTrackPos     from,
                                    PlTrackPos     to);
int        pl_track_max_queue      (const PlTrack *self,
                                    PlTrackPos     from,
                                    PlTrackPos     to);
gboolean   pl_track_find_over      (const PlTrack *self,
                                    PlTrackPos     from,
                                    PlTrackPos     to,
                                    gint64         min_ns,
                                    PlTrackPos    *out_pos);
gboolean   pl_track_find_over_back (const PlTrack *self,
                                    PlTrackPos     to,
                                    gint64         min_ns,
                                    PlTrackPos    *out_pos);

static inline PlBlock *
pl_track_block (const PlTrack *self, guint i)
{
  return self->chunks[i / PL_TRACK_CHUNK]->entries[i % PL_TRACK_CHUNK].block;
}

/* Whether the blocks at the ends of a stretch are summaries; those between are known by their sums. */
static inline gboolean
pl_track_is_summary (const PlTrack *self, PlTrackPos from, PlTrackPos to)
{
  return (from.block < self->n_blocks && !pl_block_is_detailed (pl_track_block (self, from.block)))
         || (to.block < self->n_blocks && !pl_block_is_detailed (pl_track_block (self, to.block)));
}

static inline PlTrackPos
pl_track_end (const PlTrack *self)
{
  return (PlTrackPos) { self->n_blocks, 0 };
}

static inline gboolean
pl_track_is_end (const PlTrack *self, PlTrackPos pos)
{
  return pos.block >= self->n_blocks;
}

static inline gboolean
pl_track_pos_before (PlTrackPos a, PlTrackPos b)
{
  return a.block < b.block || (a.block == b.block && a.index < b.index);
}

G_END_DECLS

#endif /* PL_TRACK_H */
