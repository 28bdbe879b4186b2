/* pl-block.h: up to 4,096 intervals of one worker as columns, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An interval is a poll or a parked time. Inside a block they are sorted and disjoint: each starts at or after the
 * end of the one before. Over every 16 of them stand the sum and the maximum of the durations, so that any
 * question about a stretch of time costs a binary search and at most 32 steps. Being disjoint, they sum up to less than
 * the time from the base to the start of the next one, so sums need no more bits than starts.
 *
 *   start     u32  from base_ns; a block covers at most 4.29 s of starts
 *   duration  u16  with those apart that take more, where they are few; or u32; or i64 in the rare block with a longer
 *                  interval
 *   task      u8, u16, u32 or u64, from the least of them   (polls)
 *   loc       likewise, a string number                     (polls)
 *   queue     u8   local queue at the start
 *   queue_end u8   local queue at the end        (parks)
 *
 * A block may be a summary: without these columns, but with the start, the sum and the maximum of every 64 intervals,
 * and with the long polls in full. What lies between is then estimated, and pl_block_is_detailed() says so.
 */
#ifndef PL_BLOCK_H
#define PL_BLOCK_H

#include "pl-column.h"
#include "pl-poll.h"

G_BEGIN_DECLS

#define PL_BLOCK_CAPACITY 4096
#define PL_BLOCK_STRIDE 16
#define PL_SUMMARY_STRIDE 64

/* Polls of this duration or more stay in a summary one by one, so that no long poll depends on detail. */
#define PL_SUMMARY_FLOOR_NS (100 * G_GINT64_CONSTANT (1000))

/* Silence this long, neither parked nor in a poll, is a gap in the data and not idleness: a worker between park and
 * poll does at most some driver work, while a lost 1 MiB buffer of a busy worker is 100 ms and more. */
#define PL_SILENCE_NS (100 * G_GINT64_CONSTANT (1000000))

/* The latest time and the longest duration of an interval that comes from an index: far enough below the largest integer that
 * they can be added to each other. Decoding gives none beyond. */
#define PL_MAX_NS (G_MAXINT64 / 4)

/* In the column of 16 bits, of a duration that stands apart: of this or more. */
#define PL_FAR_NS G_MAXUINT16

/* A stretch of silence inside a block, from its base_ns. */
typedef struct
{
  guint32 from;
  guint32 to;
} PlSilence;

typedef struct _PlBlock PlBlock;

struct _PlBlock
{
  gatomicrefcount ref_count;
  guint n;
  guint n_silences; /* stretches between consecutive intervals of more than PL_SILENCE_NS */
  guint n_far;
  gint64 base_ns;   /* start of the first interval */
  gint64 end_ns;    /* end of the last one */
  gint64 total_ns;
  gint64 max_ns;
  guint8 max_queue;
  const guint32 *start;
  const guint16 *near_duration; /* PL_FAR_NS at each of far_index; else NULL, as the two others are */
  const guint32 *duration;
  const gint64 *wide_duration;
  const guint32 *far_duration;
  const guint16 *far_index;
  PlColumn task;
  PlColumn loc;
  const guint8 *queue;
  const guint8 *queue_end;
  const guint32 *stride_start; /* of the first interval of each stride, from base_ns */
  const guint32 *sums;         /* of what is before each stride */
  const guint32 *maxima;       /* of each stride, and at most G_MAXUINT32: a longer interval has its block alone */
  const guint8 *queue_maxima; /* likewise, of queue and queue_end */
  const PlSilence *silences;

  /* of a summary, where the columns above are NULL, and sums and maxima are per PL_SUMMARY_STRIDE and the maxima only
   * of what is not in @over */
  PlBlock *over;               /* (nullable): the intervals of PL_SUMMARY_FLOOR_NS or more */
  const guint16 *over_index;   /* their indices here */

  GBytes *memory; /* (nullable): what the block and its columns lie in, when that holds more than this block */
};

PlBlock        *pl_block_ref            (PlBlock *self);
void            pl_block_unref          (PlBlock *self);
gsize           pl_block_get_memory     (const PlBlock *self);
guint           pl_block_first_from     (const PlBlock *self,
                                         gint64         at_ns);
guint           pl_block_prefetch       (const PlBlock *self,
                                         gint64         at_ns,
                                         guint          hint);
gint64          pl_block_far_duration   (const PlBlock *self,
                                         guint          i);
gint64          pl_block_sum_until      (const PlBlock *self,
                                         guint          n);
gint64          pl_block_max_between    (const PlBlock *self,
                                         guint          from,
                                         guint          to);
guint           pl_block_find_over      (const PlBlock *self,
                                         guint          from,
                                         guint          to,
                                         gint64         min_ns);
guint           pl_block_find_over_back (const PlBlock *self,
                                         guint          from,
                                         guint          to,
                                         gint64         min_ns);
guint8          pl_block_max_queue      (const PlBlock *self,
                                         guint          from,
                                         guint          to);
void            pl_block_get_poll       (const PlBlock *self,
                                         guint          i,
                                         guint64        worker,
                                         PlPoll        *out_poll);

gboolean        pl_block_is_sound       (const PlBlock *self);

PlBlock        *pl_block_summarize      (const PlBlock *self);
gint64          pl_summary_start        (const PlBlock *self,
                                         guint          i);
gint64          pl_summary_duration     (const PlBlock *self,
                                         guint          i);
guint           pl_summary_first_from   (const PlBlock *self,
                                         gint64         at_ns);
gint64          pl_summary_sum_until    (const PlBlock *self,
                                         guint          n);
gint64          pl_summary_max_between  (const PlBlock *self,
                                         guint          from,
                                         guint          to);
guint           pl_summary_find_over    (const PlBlock *self,
                                         guint          from,
                                         guint          to,
                                         gint64         min_ns,
                                         gboolean       is_last);
void            pl_summary_get_poll     (const PlBlock *self,
                                         guint          i,
                                         guint64        worker,
                                         PlPoll        *out_poll);

/* Whether every interval can be asked for; in a summary only those over the floor are exact. */
static inline gboolean
pl_block_is_detailed (const PlBlock *self)
{
  return self->start != NULL;
}

static inline gint64
pl_block_start (const PlBlock *self, guint i)
{
  if (G_UNLIKELY (!pl_block_is_detailed (self)))
    return pl_summary_start (self, i);
  return self->base_ns + self->start[i];
}

static inline gint64
pl_block_duration (const PlBlock *self, guint i)
{
  if (G_UNLIKELY (!pl_block_is_detailed (self)))
    return pl_summary_duration (self, i);
  if (self->near_duration != NULL)
    return G_LIKELY (self->near_duration[i] < PL_FAR_NS) ? self->near_duration[i] : pl_block_far_duration (self, i);
  return self->duration != NULL ? self->duration[i] : self->wide_duration[i];
}

/* Local queue depth at the start of an interval; in a summary the largest of its stride. */
static inline guint8
pl_block_queue (const PlBlock *self, guint i)
{
  return pl_block_is_detailed (self) ? self->queue[i] : self->queue_maxima[i / PL_SUMMARY_STRIDE];
}

static inline guint8
pl_block_queue_end (const PlBlock *self, guint i)
{
  return pl_block_is_detailed (self) ? self->queue_end[i] : self->queue_maxima[i / PL_SUMMARY_STRIDE];
}

static inline gint64
pl_block_end (const PlBlock *self, guint i)
{
  return pl_block_start (self, i) + pl_block_duration (self, i);
}

static inline guint64
pl_block_task (const PlBlock *self, guint i)
{
  return pl_column_get (&self->task, i);
}

static inline guint32
pl_block_loc (const PlBlock *self, guint i)
{
  return (guint32) pl_column_get (&self->loc, i);
}

G_END_DECLS

#endif /* PL_BLOCK_H */
