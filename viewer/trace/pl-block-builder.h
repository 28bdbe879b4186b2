/* pl-block-builder.h: fills columns and seals them into blocks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_BLOCK_BUILDER_H
#define PL_BLOCK_BUILDER_H

#include "pl-block.h"

G_BEGIN_DECLS

typedef struct _PlBlockBuilder PlBlockBuilder;

typedef enum
{
  PL_BLOCK_POLLS,
  PL_BLOCK_PARKS,
} PlBlockKind;

/* What decoding fills: the columns of a block, sealed into exactly sized blocks. */
struct _PlBlockBuilder
{
  PlBlockKind kind;
  gboolean in_slab; /* blocks lie with others of the thread: for those that live and go with their neighbours */
  guint n;
  guint capacity; /* grows up to PL_BLOCK_CAPACITY: a hostile file may name thousands of workers */
  gint64 base_ns;
  gint64 last_end_ns;
  gint64 wide_duration; /* of the only interval, when it takes more than 32 bits; else 0 */
  GPtrArray *blocks;    /* sealed ones */
  guint32 *start;
  guint32 *duration;
  guint32 *task;
  guint64 *wide_task; /* instead of task, from the first task of more than 32 bits on */
  guint32 *loc;
  guint8 *queue;
  guint8 *queue_end;
};

PlBlockBuilder *pl_block_builder_new    (PlBlockKind     kind);
void            pl_block_builder_free   (PlBlockBuilder *self);
void            pl_block_builder_seal   (PlBlockBuilder *self);
GPtrArray      *pl_block_builder_take   (PlBlockBuilder *self);
GPtrArray      *pl_block_builder_peek   (const PlBlockBuilder *self);
void            pl_block_builder_grow   (PlBlockBuilder *self);
void            pl_block_builder_widen  (PlBlockBuilder *self,
                                         guint           i,
                                         guint64         task);

/* Makes room for an interval. One that starts before the end of the last, or too far from the base, begins a new
 * block; so does one of more than 4.29 s, which may be due to an insane time, and then must take no other interval with
 * it where only a summary of its block is held. */
static inline guint
pl_block_builder_place (PlBlockBuilder *self, gint64 start_ns, gint64 duration_ns)
{
  guint i = self->n;

  if (G_UNLIKELY (i == self->capacity))
    {
      pl_block_builder_grow (self);
      i = self->n;
    }
  if (G_UNLIKELY (i > 0 && (start_ns < self->last_end_ns || duration_ns > G_MAXUINT32
                            || (guint64) start_ns - (guint64) self->base_ns > G_MAXUINT32)))
    {
      pl_block_builder_seal (self);
      i = 0;
    }
  if (i == 0)
    self->base_ns = start_ns;
  self->start[i] = (guint32) (start_ns - self->base_ns);
  self->duration[i] = (guint32) duration_ns;
  if (G_UNLIKELY (duration_ns > G_MAXUINT32))
    self->wide_duration = duration_ns;
  self->last_end_ns = start_ns + duration_ns;
  self->n = i + 1;
  return i;
}

static inline void
pl_block_builder_add_poll (PlBlockBuilder *self, gint64 start_ns, gint64 duration_ns, guint64 task, guint32 loc,
                           guint8 queue)
{
  guint i = pl_block_builder_place (self, start_ns, duration_ns);

  self->task[i] = (guint32) task;
  self->loc[i] = loc;
  self->queue[i] = queue;
  if (G_UNLIKELY (task >> 32 != 0 || self->wide_task != NULL))
    pl_block_builder_widen (self, i, task);
}

static inline void
pl_block_builder_add_park (PlBlockBuilder *self, gint64 start_ns, gint64 duration_ns, guint8 queue, guint8 queue_end)
{
  guint i = pl_block_builder_place (self, start_ns, duration_ns);

  self->queue[i] = queue;
  self->queue_end[i] = queue_end;
}

G_END_DECLS

#endif /* PL_BLOCK_BUILDER_H */
