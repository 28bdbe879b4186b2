/* pl-block-builder.c: fills columns and seals them into blocks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-block-builder.h"

#include <string.h>

#include "pl-slab.h"

/* Intervals whose duration takes more than 16 bits, for each one of which there have to be this many others. */
#define FAR_SHARE 16

/* Where the columns of a block lie behind its struct; each begins at a multiple of 8. */
typedef struct
{
  gsize start, stride_start, duration, far_duration, far_index, task, loc, queue, queue_end, sums, maxima, queue_maxima,
    silences, size;
} Layout;

/* What a block needs room for. */
typedef struct
{
  guint n_silences;
  guint n_far;
  gboolean is_near; /* durations of 16 bits */
  PlColumn task;
  PlColumn loc;
} Plan;

static gsize
reserve (Layout *layout, gsize bytes)
{
  gsize at = layout->size;

  layout->size += (bytes + 7) & ~(gsize) 7;
  return at;
}

static guint
n_strides (guint n)
{
  return (n + PL_BLOCK_STRIDE - 1) / PL_BLOCK_STRIDE;
}

/* Between the intervals of a block; one that is longer than a block covers has none beside it. */
static guint
count_silences (const PlBlockBuilder *builder)
{
  const guint32 *starts = builder->start;
  const guint32 *durations = builder->duration;
  guint n = 0;

  for (guint i = 1; i < builder->n; i++)
    n += starts[i] - starts[i - 1] - durations[i - 1] > PL_SILENCE_NS;
  return n;
}

static void
fill_silences (const PlBlockBuilder *builder, PlSilence *out, guint n)
{
  guint found = 0;

  for (guint i = 1; found < n; i++)
    {
      guint32 end = builder->start[i - 1] + builder->duration[i - 1];

      if (builder->start[i] - end > PL_SILENCE_NS)
        out[found++] = (PlSilence) { end, builder->start[i] };
    }
}

static guint
count_far (const PlBlockBuilder *builder)
{
  const guint32 *durations = builder->duration;
  guint n_far = 0;

  for (guint i = 0; i < builder->n; i++)
    n_far += durations[i] >= PL_FAR_NS;
  return n_far;
}

static Plan
make_plan (const PlBlockBuilder *builder)
{
  Plan plan = { .n_silences = count_silences (builder), .n_far = count_far (builder) };

  plan.is_near = builder->wide_duration == 0 && plan.n_far <= builder->n / FAR_SHARE;
  if (!plan.is_near)
    plan.n_far = 0;
  if (builder->kind == PL_BLOCK_POLLS)
    {
      plan.task = builder->wide_task != NULL ? pl_column_plan_u64 (builder->wide_task, builder->n)
                                             : pl_column_plan_u32 (builder->task, builder->n);
      plan.loc = pl_column_plan_u32 (builder->loc, builder->n);
    }
  return plan;
}

static gsize
duration_size (const PlBlockBuilder *builder, const Plan *plan)
{
  if (builder->wide_duration > 0)
    return sizeof (gint64);
  return plan->is_near ? sizeof (guint16) : sizeof (guint32);
}

static Layout
compute_layout (const PlBlockBuilder *builder, const Plan *plan)
{
  Layout layout = { 0 };
  gsize n = builder->n;

  layout.size = (sizeof (PlBlock) + 7) & ~(gsize) 7;
  layout.sums = reserve (&layout, n_strides (builder->n) * sizeof (guint32));
  layout.maxima = reserve (&layout, n_strides (builder->n) * sizeof (guint32));
  layout.stride_start = reserve (&layout, n_strides (builder->n) * sizeof (guint32));
  layout.start = reserve (&layout, n * sizeof (guint32));
  layout.duration = reserve (&layout, n * duration_size (builder, plan));
  layout.far_duration = reserve (&layout, plan->n_far * sizeof (guint32));
  layout.far_index = reserve (&layout, plan->n_far * sizeof (guint16));
  if (builder->kind == PL_BLOCK_POLLS)
    {
      layout.task = reserve (&layout, n * plan->task.width);
      layout.loc = reserve (&layout, n * plan->loc.width);
    }
  else
    layout.queue_end = reserve (&layout, n);
  layout.queue = reserve (&layout, n);
  layout.queue_maxima = reserve (&layout, n_strides (builder->n));
  layout.silences = reserve (&layout, plan->n_silences * sizeof (PlSilence));
  return layout;
}

static guint8
max_queue_of (const PlBlockBuilder *builder, guint from, guint to)
{
  guint8 max = pl_column_max_u8 (builder->queue + from, to - from);
  guint8 max_end = builder->kind == PL_BLOCK_PARKS ? pl_column_max_u8 (builder->queue_end + from, to - from) : 0;

  return MAX (max, max_end);
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
fill_near_durations (PlBlock *block, const PlBlockBuilder *builder, guint8 *bytes, const Layout *layout)
{
  guint16 *durations = (guint16 *) (bytes + layout->duration);
  guint32 *far_durations = (guint32 *) (bytes + layout->far_duration);
  guint16 *far_indices = (guint16 *) (bytes + layout->far_index);
  const guint32 *wanted = builder->duration;
  guint n = builder->n;
  guint n_far = 0;

  for (guint i = 0; i < n; i++)
    durations[i] = (guint16) (wanted[i] < PL_FAR_NS ? wanted[i] : PL_FAR_NS);
  for (guint i = 0; n_far < block->n_far; i++)
    if (durations[i] == PL_FAR_NS)
      {
        far_durations[n_far] = wanted[i];
        far_indices[n_far++] = (guint16) i;
      }
  block->near_duration = durations;
  block->far_duration = far_durations;
  block->far_index = far_indices;
}

static void
fill_durations (PlBlock *block, const PlBlockBuilder *builder, guint8 *bytes, const Layout *layout, gboolean is_near)
{
  if (builder->wide_duration > 0)
    block->wide_duration = memcpy (bytes + layout->duration, &builder->wide_duration, sizeof (gint64));
  else if (is_near)
    fill_near_durations (block, builder, bytes, layout);
  else
    block->duration = memcpy (bytes + layout->duration, builder->duration, builder->n * sizeof (guint32));
}

static void
fill_poll_columns (PlBlock *block, const PlBlockBuilder *builder, guint8 *bytes, const Layout *layout, const Plan *plan)
{
  block->task = plan->task;
  block->loc = plan->loc;
  if (builder->wide_task != NULL)
    pl_column_fill_u64 (&block->task, bytes + layout->task, builder->wide_task, builder->n);
  else
    pl_column_fill_u32 (&block->task, bytes + layout->task, builder->task, builder->n);
  pl_column_fill_u32 (&block->loc, bytes + layout->loc, builder->loc, builder->n);
}

/* A block of its own memory, or in the thread's slab. */
static PlBlock *
build (const PlBlockBuilder *builder, gboolean in_slab)
{
  Plan plan = make_plan (builder);
  Layout layout = compute_layout (builder, &plan);
  GBytes *memory = NULL;
  guint8 *bytes = in_slab ? pl_slab_alloc (layout.size, &memory) : g_malloc (layout.size);
  PlBlock *block = (PlBlock *) bytes;
  gsize n = builder->n;

  *block = (PlBlock) { .memory = memory };
  g_atomic_ref_count_init (&block->ref_count);
  block->n = builder->n;
  block->n_silences = plan.n_silences;
  block->n_far = plan.n_far;
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
  fill_silences (builder, (PlSilence *) (bytes + layout.silences), plan.n_silences);
  block->silences = (PlSilence *) (bytes + layout.silences);
  fill_durations (block, builder, bytes, &layout, plan.is_near);
  if (builder->kind == PL_BLOCK_POLLS)
    fill_poll_columns (block, builder, bytes, &layout, &plan);
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
      self->loc = g_renew (guint32, self->loc, self->capacity);
      if (self->wide_task != NULL)
        self->wide_task = g_renew (guint64, self->wide_task, self->capacity);
    }
  else
    self->queue_end = g_renew (guint8, self->queue_end, self->capacity);
}

/**
 * pl_block_builder_widen:
 * @i: index of the poll added last
 *
 * Adds its task to a column of full width, which it or an earlier one of the block needs.
 */
void
pl_block_builder_widen (PlBlockBuilder *self, guint i, guint64 task)
{
  if (self->wide_task == NULL)
    {
      self->wide_task = g_new (guint64, self->capacity);
      for (guint earlier = 0; earlier < i; earlier++)
        self->wide_task[earlier] = self->task[earlier];
    }
  self->wide_task[i] = task;
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
