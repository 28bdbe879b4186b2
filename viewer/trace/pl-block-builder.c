/* pl-block-builder.c: fills columns and seals them into blocks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-block-builder.h"

#include <string.h>

#include "pl-slab.h"

/* Where the columns of a block lie behind its struct; each begins at a multiple of 8. */
typedef struct
{
  gsize start, stride_start, duration, task, loc, queue, queue_end, sums, maxima, queue_maxima,
    silences, size;
} Layout;

static gsize
reserve (Layout *layout, gsize bytes)
{
  gsize at = layout->size;

  layout->size += (bytes + 7) & ~(gsize) 7;
  return at;
}

/* As many as fit into the 4.29 s that a block covers. */
#define MAX_SILENCES (G_MAXUINT32 / PL_SILENCE_NS + 1)

static guint
n_strides (guint n)
{
  return (n + PL_BLOCK_STRIDE - 1) / PL_BLOCK_STRIDE;
}

static Layout
compute_layout (const PlBlockBuilder *builder, guint n_silences)
{
  Layout layout = { 0 };
  gsize n = builder->n;

  layout.size = (sizeof (PlBlock) + 7) & ~(gsize) 7;
  layout.sums = reserve (&layout, n_strides (builder->n) * sizeof (guint32));
  layout.maxima = reserve (&layout, n_strides (builder->n) * sizeof (guint32));
  layout.stride_start = reserve (&layout, n_strides (builder->n) * sizeof (guint32));
  layout.start = reserve (&layout, n * sizeof (guint32));
  layout.duration = reserve (&layout, n * (builder->wide_duration > 0 ? sizeof (gint64) : sizeof (guint32)));
  if (builder->kind == PL_BLOCK_POLLS)
    {
      layout.task = reserve (&layout, n * (builder->wide_task != NULL ? sizeof (guint64) : sizeof (guint32)));
      layout.loc = reserve (&layout, n * (builder->wide_loc != NULL ? sizeof (guint32) : sizeof (guint16)));
    }
  else
    layout.queue_end = reserve (&layout, n);
  layout.queue = reserve (&layout, n);
  layout.queue_maxima = reserve (&layout, n_strides (builder->n));
  layout.silences = reserve (&layout, n_silences * sizeof (PlSilence));
  return layout;
}

/* Between the intervals of a block; one that is longer than a block covers has none beside it. */
static guint
find_silences (const PlBlockBuilder *builder, PlSilence *out)
{
  guint n = 0;

  for (guint i = 1; i < builder->n; i++)
    {
      guint32 end = builder->start[i - 1] + builder->duration[i - 1];

      if (builder->start[i] - end > PL_SILENCE_NS)
        out[n++] = (PlSilence) { end, builder->start[i] };
    }
  return n;
}

static guint8
max_queue_of (const PlBlockBuilder *builder, guint from, guint to)
{
  guint8 max = 0;

  for (guint i = from; i < to; i++)
    max = MAX (max, builder->queue[i]);
  if (builder->kind == PL_BLOCK_PARKS)
    for (guint i = from; i < to; i++)
      max = MAX (max, builder->queue_end[i]);
  return max;
}

static void
fill_sums (PlBlock *block, const PlBlockBuilder *builder, guint32 *sums, guint32 *maxima, guint8 *queue_maxima)
{
  guint64 total = 0;
  guint32 max = 0;

  block->max_queue = 0;
  for (guint stride = 0; stride * PL_BLOCK_STRIDE < builder->n; stride++)
    {
      guint from = stride * PL_BLOCK_STRIDE;
      guint to = MIN (from + PL_BLOCK_STRIDE, builder->n);
      guint64 stride_sum = 0;
      guint32 stride_max = 0;

      sums[stride] = (guint32) total;
      for (guint i = from; i < to; i++)
        {
          stride_sum += builder->duration[i];
          stride_max = MAX (stride_max, builder->duration[i]);
        }
      maxima[stride] = stride_max;
      queue_maxima[stride] = max_queue_of (builder, from, to);
      total += stride_sum;
      max = MAX (max, stride_max);
      block->max_queue = MAX (block->max_queue, queue_maxima[stride]);
    }
  block->total_ns = (gint64) total;
  block->max_ns = max;
  if (builder->wide_duration > 0)
    {
      block->total_ns = block->max_ns = builder->wide_duration;
      maxima[0] = G_MAXUINT32;
    }
}

static void
fill_stride_starts (const PlBlockBuilder *builder, guint32 *out)
{
  for (guint stride = 0; stride < n_strides (builder->n); stride++)
    out[stride] = builder->start[stride * PL_BLOCK_STRIDE];
}

static void
fill_poll_columns (PlBlock *block, const PlBlockBuilder *builder, guint8 *bytes, const Layout *layout)
{
  gsize n = builder->n;

  if (builder->wide_task != NULL)
    block->wide_task = memcpy (bytes + layout->task, builder->wide_task, n * sizeof (guint64));
  else
    block->task = memcpy (bytes + layout->task, builder->task, n * sizeof (guint32));
  if (builder->wide_loc != NULL)
    block->wide_loc = memcpy (bytes + layout->loc, builder->wide_loc, n * sizeof (guint32));
  else
    block->loc = memcpy (bytes + layout->loc, builder->loc, n * sizeof (guint16));
}

/* A block of its own memory, or in the thread's slab. */
static PlBlock *
build (const PlBlockBuilder *builder, gboolean in_slab)
{
  PlSilence silences[MAX_SILENCES];
  guint n_silences = find_silences (builder, silences);
  Layout layout = compute_layout (builder, n_silences);
  GBytes *memory = NULL;
  guint8 *bytes = in_slab ? pl_slab_alloc (layout.size, &memory) : g_malloc (layout.size);
  PlBlock *block = (PlBlock *) bytes;
  gsize n = builder->n;

  *block = (PlBlock) { .memory = memory };
  g_atomic_ref_count_init (&block->ref_count);
  block->n = builder->n;
  block->n_silences = n_silences;
  block->base_ns = builder->base_ns;
  block->end_ns = builder->last_end_ns;
  block->sums = (guint32 *) (bytes + layout.sums);
  block->maxima = (guint32 *) (bytes + layout.maxima);
  block->queue_maxima = bytes + layout.queue_maxima;
  fill_sums (block, builder, (guint32 *) (bytes + layout.sums), (guint32 *) (bytes + layout.maxima),
             bytes + layout.queue_maxima);
  fill_stride_starts (builder, (guint32 *) (bytes + layout.stride_start));
  block->stride_start = (guint32 *) (bytes + layout.stride_start);
  block->start = memcpy (bytes + layout.start, builder->start, n * sizeof (guint32));
  block->queue = memcpy (bytes + layout.queue, builder->queue, n);
  block->silences = memcpy (bytes + layout.silences, silences, n_silences * sizeof (PlSilence));
  if (builder->wide_duration > 0)
    block->wide_duration = memcpy (bytes + layout.duration, &builder->wide_duration, sizeof (gint64));
  else
    block->duration = memcpy (bytes + layout.duration, builder->duration, n * sizeof (guint32));
  if (builder->kind == PL_BLOCK_POLLS)
    fill_poll_columns (block, builder, bytes, &layout);
  else
    block->queue_end = memcpy (bytes + layout.queue_end, builder->queue_end, n);
  return block;
}

PlBlockBuilder *
pl_block_builder_new (PlBlockKind kind)
{
  PlBlockBuilder *self = g_new0 (PlBlockBuilder, 1);

  self->kind = kind;
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);
  return self;
}

void
pl_block_builder_free (PlBlockBuilder *self)
{
  g_ptr_array_unref (self->blocks);
  g_free (self->start);
  g_free (self->duration);
  g_free (self->task);
  g_free (self->loc);
  g_free (self->wide_task);
  g_free (self->wide_loc);
  g_free (self->queue);
  g_free (self->queue_end);
  g_free (self);
}

/**
 * pl_block_builder_grow:
 *
 * Makes room for at least one more interval: larger columns, or a sealed block when they are full-sized.
 */
void
pl_block_builder_grow (PlBlockBuilder *self)
{
  if (self->capacity == PL_BLOCK_CAPACITY)
    {
      pl_block_builder_seal (self);
      return;
    }
  self->capacity = self->capacity == 0 ? 32 : MIN (self->capacity * 4, PL_BLOCK_CAPACITY);
  self->start = g_renew (guint32, self->start, self->capacity);
  self->duration = g_renew (guint32, self->duration, self->capacity);
  self->queue = g_renew (guint8, self->queue, self->capacity);
  if (self->kind == PL_BLOCK_POLLS)
    {
      self->task = g_renew (guint32, self->task, self->capacity);
      self->loc = g_renew (guint16, self->loc, self->capacity);
      if (self->wide_task != NULL)
        self->wide_task = g_renew (guint64, self->wide_task, self->capacity);
      if (self->wide_loc != NULL)
        self->wide_loc = g_renew (guint32, self->wide_loc, self->capacity);
    }
  else
    self->queue_end = g_renew (guint8, self->queue_end, self->capacity);
}

/**
 * pl_block_builder_widen:
 * @i: index of the poll added last
 *
 * Adds its task and location to columns of full width, if one of them needs them or an earlier one of the block did.
 */
void
pl_block_builder_widen (PlBlockBuilder *self, guint i, guint64 task, guint32 loc)
{
  if (self->wide_task == NULL && task > G_MAXUINT32)
    {
      self->wide_task = g_new (guint64, self->capacity);
      for (guint earlier = 0; earlier < i; earlier++)
        self->wide_task[earlier] = self->task[earlier];
    }
  if (self->wide_loc == NULL && loc > G_MAXUINT16)
    {
      self->wide_loc = g_new (guint32, self->capacity);
      for (guint earlier = 0; earlier < i; earlier++)
        self->wide_loc[earlier] = self->loc[earlier];
    }
  if (self->wide_task != NULL)
    self->wide_task[i] = task;
  if (self->wide_loc != NULL)
    self->wide_loc[i] = loc;
}

/**
 * pl_block_builder_seal:
 *
 * Turns what was added since the last seal into a block; nothing when that is nothing.
 */
void
pl_block_builder_seal (PlBlockBuilder *self)
{
  if (self->n == 0)
    return;
  g_ptr_array_add (self->blocks, build (self, self->in_slab));
  self->n = 0;
  self->wide_duration = 0;
  g_clear_pointer (&self->wide_task, g_free);
  g_clear_pointer (&self->wide_loc, g_free);
}

/**
 * pl_block_builder_take:
 *
 * Seals and hands over the blocks, in the order in which they were filled; the builder begins anew.
 *
 * Returns: (transfer full) (element-type PlBlock): the blocks
 */
GPtrArray *
pl_block_builder_take (PlBlockBuilder *self)
{
  GPtrArray *blocks;

  pl_block_builder_seal (self);
  blocks = self->blocks;
  self->blocks = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);
  return blocks;
}

/**
 * pl_block_builder_peek:
 *
 * What pl_block_builder_take() would give, while the builder goes on filling the same block. Costs a copy of at most one
 * block, whatever was sealed before.
 *
 * Returns: (transfer full) (element-type PlBlock): the blocks
 */
GPtrArray *
pl_block_builder_peek (const PlBlockBuilder *self)
{
  GPtrArray *blocks = g_ptr_array_new_full (self->blocks->len + 1, (GDestroyNotify) pl_block_unref);

  for (guint i = 0; i < self->blocks->len; i++)
    g_ptr_array_add (blocks, pl_block_ref (g_ptr_array_index (self->blocks, i)));
  if (self->n > 0)
    g_ptr_array_add (blocks, build (self, FALSE));
  return blocks;
}
