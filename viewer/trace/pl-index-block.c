/* pl-index-block.c: blocks in an index
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Columns stand in an index as a block may have them, so that one that was read only has to refer to them: durations of
 * 32 bits or more, whole tasks and locations.
 */
#include "config.h"

#include "pl-index-block.h"

/* What else a block has. */
typedef enum
{
  HAS_COLUMNS = 1 << 0,
  HAS_QUEUE_END = 1 << 1,
  HAS_WIDE_DURATION = 1 << 2,
  HAS_OVER = 1 << 3,
} Parts;

typedef struct
{
  guint64 parts;
  guint32 n;
  guint32 n_silences;
  gint64 base_ns;
  gint64 end_ns;
  gint64 total_ns;
  gint64 max_ns;
} Record;

G_STATIC_ASSERT (sizeof (Record) + 4 * sizeof (guint64) == PL_INDEX_MIN_BLOCK_SIZE);

static gsize
count_strides (guint n, gboolean is_detailed)
{
  guint stride = is_detailed ? PL_BLOCK_STRIDE : PL_SUMMARY_STRIDE;

  return (n + stride - 1) / stride;
}

static void
put_locations (PlIndexWriter *self, const PlBlock *block)
{
  guint32 numbers[PL_BLOCK_CAPACITY];

  for (guint i = 0; i < block->n; i++)
    numbers[i] = pl_index_number (self, pl_block_loc (block, i));
  pl_index_put_bytes (self, numbers, block->n * sizeof numbers[0]);
}

static void
put_tasks (PlIndexWriter *self, const PlBlock *block)
{
  guint64 tasks[PL_BLOCK_CAPACITY];

  for (guint i = 0; i < block->n; i++)
    tasks[i] = pl_block_task (block, i);
  pl_index_put_bytes (self, tasks, block->n * sizeof tasks[0]);
}

static void
put_durations (PlIndexWriter *self, const PlBlock *block)
{
  guint32 durations[PL_BLOCK_CAPACITY];

  if (block->wide_duration != NULL)
    {
      pl_index_put_bytes (self, block->wide_duration, block->n * sizeof (gint64));
      return;
    }
  for (guint i = 0; i < block->n; i++)
    durations[i] = (guint32) pl_block_duration (block, i);
  pl_index_put_bytes (self, durations, block->n * sizeof durations[0]);
}

static void
put_columns (PlIndexWriter *self, const PlBlock *block)
{
  gsize n = block->n;

  pl_index_put_bytes (self, block->start, n * sizeof (guint32));
  put_durations (self, block);
  pl_index_put_bytes (self, block->queue, n);
  if (block->queue_end != NULL)
    {
      pl_index_put_bytes (self, block->queue_end, n);
      return;
    }
  put_tasks (self, block);
  put_locations (self, block);
}

/**
 * pl_index_put_block:
 * @block: in full or as a summary
 */
void
pl_index_put_block (PlIndexWriter *self, const PlBlock *block)
{
  gboolean is_detailed = pl_block_is_detailed (block);
  gsize n_strides = count_strides (block->n, is_detailed);
  Record record = {
    .parts = (is_detailed ? HAS_COLUMNS : 0) | (block->queue_end != NULL ? HAS_QUEUE_END : 0)
             | (block->wide_duration != NULL ? HAS_WIDE_DURATION : 0) | (block->over != NULL ? HAS_OVER : 0),
    .n = block->n, .n_silences = block->n_silences, .base_ns = block->base_ns, .end_ns = block->end_ns,
    .total_ns = block->total_ns, .max_ns = block->max_ns,
  };

  self->n_blocks++;
  pl_index_put_bytes (self, &record, sizeof record);
  pl_index_put_bytes (self, block->silences, block->n_silences * sizeof (PlSilence));
  pl_index_put_bytes (self, block->sums, n_strides * sizeof (guint32));
  pl_index_put_bytes (self, block->maxima, n_strides * sizeof (guint32));
  pl_index_put_bytes (self, block->stride_start, n_strides * sizeof (guint32));
  pl_index_put_bytes (self, block->queue_maxima, n_strides);
  if (is_detailed)
    put_columns (self, block);
  if (block->over == NULL)
    return;
  pl_index_put_block (self, block->over);
  pl_index_put_bytes (self, block->over_index, block->over->n * sizeof (guint16));
}

static void
get_locations (PlIndexReader *self, PlBlock *block)
{
  guint32 *numbers = pl_index_get_bytes (self, block->n * sizeof (guint32));

  for (guint i = 0; i < block->n && !self->is_broken; i++)
    numbers[i] = pl_index_resolve (self, numbers[i]);
  block->loc = (PlColumn) { .values = numbers, .width = sizeof *numbers };
}

static void
get_columns (PlIndexReader *self, PlBlock *block, guint64 parts)
{
  gsize n = block->n;

  block->start = pl_index_get_bytes (self, n * sizeof (guint32));
  if (parts & HAS_WIDE_DURATION)
    block->wide_duration = pl_index_get_bytes (self, n * sizeof (gint64));
  else
    block->duration = pl_index_get_bytes (self, n * sizeof (guint32));
  block->queue = pl_index_get_bytes (self, n);
  if (parts & HAS_QUEUE_END)
    {
      block->queue_end = pl_index_get_bytes (self, n);
      return;
    }
  block->task = (PlColumn) { .values = pl_index_get_bytes (self, n * sizeof (guint64)), .width = sizeof (guint64) };
  get_locations (self, block);
}

static void
get_strides (PlIndexReader *self, PlBlock *block, gboolean is_detailed)
{
  gsize n_strides = count_strides (block->n, is_detailed);

  block->silences = pl_index_get_bytes (self, block->n_silences * sizeof (PlSilence));
  block->sums = pl_index_get_bytes (self, n_strides * sizeof (guint32));
  block->maxima = pl_index_get_bytes (self, n_strides * sizeof (guint32));
  block->stride_start = pl_index_get_bytes (self, n_strides * sizeof (guint32));
  block->queue_maxima = pl_index_get_bytes (self, n_strides);
  if (!self->is_broken)
    block->max_queue = pl_column_max_u8 (block->queue_maxima, n_strides);
}

/* What a block may have: columns of polls or of parks, or intervals over the floor. */
static gboolean
go_together (guint64 parts)
{
  if (parts & HAS_COLUMNS)
    return (parts & ~(guint64) (HAS_COLUMNS | HAS_WIDE_DURATION)) == 0
           || (parts & ~(guint64) (HAS_COLUMNS | HAS_WIDE_DURATION)) == HAS_QUEUE_END;
  return (parts & ~(guint64) HAS_OVER) == 0;
}

/* The next block of those that there is room for; NULL, and broken, when there is none or the record makes none. */
static PlBlock *
take_room (PlIndexReader *self, const Record *record)
{
  PlBlock *block;

  if (record == NULL || self->n_blocks_left == 0 || !go_together (record->parts) || record->n == 0
      || record->n > PL_BLOCK_CAPACITY || record->n_silences > record->n)
    {
      self->is_broken = TRUE;
      return NULL;
    }
  self->n_blocks_left--;
  block = self->block++;
  block->n = record->n;
  block->n_silences = record->n_silences;
  block->base_ns = record->base_ns;
  block->end_ns = record->end_ns;
  block->total_ns = record->total_ns;
  block->max_ns = record->max_ns;
  return block;
}

/* Takes a reference to the memory, when nothing is wrong with the block that lies in it. */
static PlBlock *
finish (PlIndexReader *self, PlBlock *block)
{
  if (!self->is_broken && !pl_block_is_sound (block))
    self->is_broken = TRUE;
  if (self->is_broken)
    return NULL;
  g_atomic_ref_count_init (&block->ref_count);
  block->memory = g_bytes_ref (self->memory);
  return block;
}

static PlBlock *
get_full_block (PlIndexReader *self, const Record *record)
{
  PlBlock *block = take_room (self, record);

  if (block == NULL)
    return NULL;
  get_strides (self, block, TRUE);
  get_columns (self, block, record->parts);
  return finish (self, block);
}

/* The intervals over the floor stand behind the summary as polls in full. */
static void
get_over (PlIndexReader *self, PlBlock *block)
{
  const Record *record = pl_index_get_bytes (self, sizeof *record);

  if (record == NULL || !(record->parts & HAS_COLUMNS) || (record->parts & HAS_QUEUE_END))
    self->is_broken = TRUE;
  else
    block->over = get_full_block (self, record);
  if (block->over != NULL)
    block->over_index = pl_index_get_bytes (self, block->over->n * sizeof (guint16));
}

/**
 * pl_index_get_block:
 *
 * Returns: (transfer full) (nullable): a block that refers into the memory that is read, and keeps it; %NULL, and broken,
 *   when the bytes make none
 */
PlBlock *
pl_index_get_block (PlIndexReader *self)
{
  const Record *record = pl_index_get_bytes (self, sizeof *record);
  PlBlock *block;

  if (record != NULL && (record->parts & HAS_COLUMNS))
    return get_full_block (self, record);
  block = take_room (self, record);
  if (block == NULL)
    return NULL;
  get_strides (self, block, FALSE);
  if (record->parts & HAS_OVER)
    get_over (self, block);
  if (finish (self, block) != NULL)
    return block;
  g_clear_pointer (&block->over, pl_block_unref);
  return NULL;
}
