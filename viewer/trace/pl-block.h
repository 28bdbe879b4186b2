/* pl-block.h: up to 4,096 intervals of one worker as columns, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An interval is a poll or a parked time. Inside a block they are sorted and disjoint: each starts at or after the
 * end of the one before. Over every 16 of them stand the sum and the maximum of the durations, so that any
 * question about a stretch of time costs a binary search and at most 32 steps.
 *
 *   start     u32  from base_ns; a block covers at most 4.29 s of starts
 *   duration  u32  or i64 in the rare block with a longer interval
 *   task      u32  or u64                        (polls)
 *   loc       u16  or u32, a string number       (polls)
 *   queue     u8   local queue at the start
 *   queue_end u8   local queue at the end        (parks)
 */
#ifndef PL_BLOCK_H
#define PL_BLOCK_H

#include "pl-poll.h"

G_BEGIN_DECLS

#define PL_BLOCK_CAPACITY 4096
#define PL_BLOCK_STRIDE 16

/* Silence this long, neither parked nor in a poll, is a gap in the data and not idleness: a worker between park and
 * poll does at most some driver work, while a lost 1 MiB buffer of a busy worker is 100 ms and more. */
#define PL_SILENCE_NS (100 * G_GINT64_CONSTANT (1000000))

typedef struct
{
  gatomicrefcount ref_count;
  guint n;
  guint n_silences; /* stretches between consecutive intervals of more than PL_SILENCE_NS */
  gint64 base_ns;   /* start of the first interval */
  gint64 end_ns;    /* end of the last one */
  gint64 total_ns;
  gint64 max_ns;
  guint8 max_queue;
  const guint32 *start;
  const guint32 *duration;
  const gint64 *wide_duration;
  const guint32 *task;
  const guint64 *wide_task;
  const guint16 *loc;
  const guint32 *wide_loc;
  const guint8 *queue;
  const guint8 *queue_end;
  const gint64 *sums;         /* n / 16 rounded up, and the total */
  const gint64 *maxima;       /* n / 16 rounded up */
  const guint8 *queue_maxima; /* likewise, of queue and queue_end */
  const guint16 *silences;    /* index of the interval before the stretch */
} PlBlock;

typedef struct _PlBlockBuilder PlBlockBuilder;

typedef enum
{
  PL_BLOCK_POLLS,
  PL_BLOCK_PARKS,
} PlBlockKind;

PlBlock        *pl_block_ref            (PlBlock *self);
void            pl_block_unref          (PlBlock *self);
gsize           pl_block_get_memory     (const PlBlock *self);
guint           pl_block_first_from     (const PlBlock *self,
                                         gint64         at_ns);
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

static inline gint64
pl_block_start (const PlBlock *self, guint i)
{
  return self->base_ns + self->start[i];
}

static inline gint64
pl_block_duration (const PlBlock *self, guint i)
{
  return self->wide_duration != NULL ? self->wide_duration[i] : self->duration[i];
}

static inline gint64
pl_block_end (const PlBlock *self, guint i)
{
  return pl_block_start (self, i) + pl_block_duration (self, i);
}

static inline guint64
pl_block_task (const PlBlock *self, guint i)
{
  return self->wide_task != NULL ? self->wide_task[i] : self->task[i];
}

static inline guint32
pl_block_loc (const PlBlock *self, guint i)
{
  return self->wide_loc != NULL ? self->wide_loc[i] : self->loc[i];
}

/* What decoding fills: the same columns at full width for what is rare, sealed into exactly sized blocks. */
struct _PlBlockBuilder
{
  PlBlockKind kind;
  guint n;
  guint capacity; /* grows up to PL_BLOCK_CAPACITY: a hostile file may name thousands of workers */
  gint64 base_ns;
  gint64 last_end_ns;
  guint8 wide_duration : 1;
  guint8 wide_task : 1;
  guint8 wide_loc : 1;
  GPtrArray *blocks; /* sealed ones */
  guint32 *start;
  gint64 *duration;
  guint64 *task;
  guint32 *loc;
  guint8 *queue;
  guint8 *queue_end;
};

PlBlockBuilder *pl_block_builder_new    (PlBlockKind     kind);
void            pl_block_builder_free   (PlBlockBuilder *self);
void            pl_block_builder_seal   (PlBlockBuilder *self);
GPtrArray      *pl_block_builder_take   (PlBlockBuilder *self);
void            pl_block_builder_grow   (PlBlockBuilder *self);

/* Makes room for an interval. One that starts before the end of the last, or too far from the base, begins a new
 * block. */
static inline guint
pl_block_builder_place (PlBlockBuilder *self, gint64 start_ns, gint64 duration_ns)
{
  guint i = self->n;

  if (G_UNLIKELY (i == self->capacity))
    {
      pl_block_builder_grow (self);
      i = self->n;
    }
  if (G_UNLIKELY (i > 0 && (start_ns < self->last_end_ns
                            || (guint64) start_ns - (guint64) self->base_ns > G_MAXUINT32)))
    {
      pl_block_builder_seal (self);
      i = 0;
    }
  if (i == 0)
    self->base_ns = start_ns;
  self->start[i] = (guint32) (start_ns - self->base_ns);
  self->duration[i] = duration_ns;
  self->wide_duration |= duration_ns > G_MAXUINT32;
  self->last_end_ns = start_ns + duration_ns;
  self->n = i + 1;
  return i;
}

static inline void
pl_block_builder_add_poll (PlBlockBuilder *self, gint64 start_ns, gint64 duration_ns, guint64 task, guint32 loc,
                           guint8 queue)
{
  guint i = pl_block_builder_place (self, start_ns, duration_ns);

  self->task[i] = task;
  self->loc[i] = loc;
  self->queue[i] = queue;
  self->wide_task |= task > G_MAXUINT32;
  self->wide_loc |= loc > G_MAXUINT16;
}

static inline void
pl_block_builder_add_park (PlBlockBuilder *self, gint64 start_ns, gint64 duration_ns, guint8 queue, guint8 queue_end)
{
  guint i = pl_block_builder_place (self, start_ns, duration_ns);

  self->queue[i] = queue;
  self->queue_end[i] = queue_end;
}

G_END_DECLS

#endif /* PL_BLOCK_H */
