/* pl-index-io.c: values of an index, written to and read from one block of bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers are in the machine's own order: an index is read on the machine that wrote it, or not at all.
 */
#include "config.h"

#include "pl-index-io.h"

#include <string.h>

#include "pl-block-builder.h"

void
pl_index_writer_init (PlIndexWriter *self, PlStrings *strings)
{
  self->bytes = g_byte_array_new ();
  self->strings = strings;
  self->numbers = g_hash_table_new (NULL, NULL);
}

void
pl_index_writer_clear (PlIndexWriter *self)
{
  g_byte_array_unref (self->bytes);
  g_hash_table_unref (self->numbers);
}

void
pl_index_put_bytes (PlIndexWriter *self, const void *bytes, gsize size)
{
  g_byte_array_append (self->bytes, bytes, (guint) size);
}

void
pl_index_put_u64 (PlIndexWriter *self, guint64 value)
{
  pl_index_put_bytes (self, &value, sizeof value);
}

void
pl_index_put_string (PlIndexWriter *self, guint32 id)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, GUINT_TO_POINTER (id)));
  const char *text = pl_strings_get (self->strings, id);

  pl_index_put_u64 (self, number);
  if (number != 0)
    return;
  g_hash_table_insert (self->numbers, GUINT_TO_POINTER (id),
                       GUINT_TO_POINTER (g_hash_table_size (self->numbers) + 1));
  pl_index_put_u64 (self, strlen (text));
  pl_index_put_bytes (self, text, strlen (text));
}

void
pl_index_put_array (PlIndexWriter *self, GArray *array)
{
  pl_index_put_u64 (self, array->len);
  pl_index_put_bytes (self, array->data, (gsize) array->len * g_array_get_element_size (array));
}

void
pl_index_put_polls (PlIndexWriter *self, GArray *polls)
{
  pl_index_put_u64 (self, polls->len);
  for (guint i = 0; i < polls->len; i++)
    {
      pl_index_put_bytes (self, &g_array_index (polls, PlPoll, i), sizeof (PlPoll));
      pl_index_put_string (self, g_array_index (polls, PlPoll, i).spawn_loc);
    }
}

/* Intervals of a block that is held in full. */
static void
put_intervals (PlIndexWriter *self, const PlBlock *block)
{
  pl_index_put_u64 (self, block->n);
  for (guint i = 0; i < block->n; i++)
    {
      PlPoll poll;

      if (block->queue_end == NULL)
        pl_block_get_poll (block, i, 0, &poll);
      else
        poll = (PlPoll) { .start_ns = pl_block_start (block, i), .duration_ns = pl_block_duration (block, i),
                          .local_queue = block->queue[i], .flags = block->queue_end[i] };
      pl_index_put_bytes (self, &poll, sizeof poll);
      pl_index_put_string (self, poll.spawn_loc);
    }
}

/* The kinds of block that an index holds. */
enum
{
  BLOCK_POLLS,
  BLOCK_PARKS,
  BLOCK_SUMMARY,
};

void
pl_index_put_block (PlIndexWriter *self, const PlBlock *block)
{
  gsize n_strides = (block->n + PL_SUMMARY_STRIDE - 1) / PL_SUMMARY_STRIDE;

  if (pl_block_is_detailed (block))
    {
      pl_index_put_u64 (self, block->queue_end != NULL ? BLOCK_PARKS : BLOCK_POLLS);
      put_intervals (self, block);
      return;
    }
  pl_index_put_u64 (self, BLOCK_SUMMARY);
  pl_index_put_u64 (self, block->n);
  pl_index_put_u64 (self, (guint64) block->base_ns);
  pl_index_put_u64 (self, (guint64) block->end_ns);
  pl_index_put_u64 (self, (guint64) block->total_ns);
  pl_index_put_u64 (self, (guint64) block->max_ns);
  pl_index_put_u64 (self, block->n_silences);
  pl_index_put_bytes (self, block->silences, block->n_silences * sizeof (PlSilence));
  pl_index_put_bytes (self, block->sums, n_strides * sizeof (guint32));
  pl_index_put_bytes (self, block->maxima, n_strides * sizeof (guint32));
  pl_index_put_bytes (self, block->stride_start, n_strides * sizeof (guint32));
  pl_index_put_bytes (self, block->queue_maxima, n_strides);
  pl_index_put_u64 (self, block->over != NULL);
  if (block->over == NULL)
    return;
  put_intervals (self, block->over);
  pl_index_put_bytes (self, block->over_index, block->over->n * sizeof (guint16));
}

void
pl_index_reader_init (PlIndexReader *self, const guint8 *bytes, gsize size, PlStrings *strings)
{
  *self = (PlIndexReader) { bytes, bytes + size, FALSE, strings, g_array_new (FALSE, FALSE, sizeof (guint32)) };
}

void
pl_index_reader_clear (PlIndexReader *self)
{
  g_array_unref (self->numbers);
}

gboolean
pl_index_get_bytes (PlIndexReader *self, void *out_bytes, gsize size)
{
  /* An empty array has no memory to copy to. */
  if (size == 0)
    return !self->is_broken;
  if (self->is_broken || (gsize) (self->end - self->p) < size)
    {
      self->is_broken = TRUE;
      memset (out_bytes, 0, size);
      return FALSE;
    }
  memcpy (out_bytes, self->p, size);
  self->p += size;
  return TRUE;
}

guint64
pl_index_get_u64 (PlIndexReader *self)
{
  guint64 value = 0;

  pl_index_get_bytes (self, &value, sizeof value);
  return value;
}

/**
 * pl_index_get_count:
 * @element_size: bytes that each element takes at least
 *
 * Returns: a number of elements that the rest of the bytes can hold; 0, and broken, otherwise
 */
gsize
pl_index_get_count (PlIndexReader *self, gsize element_size)
{
  guint64 n = pl_index_get_u64 (self);

  if (n > (gsize) (self->end - self->p) / element_size)
    self->is_broken = TRUE;
  return self->is_broken ? 0 : (gsize) n;
}

guint32
pl_index_get_string (PlIndexReader *self)
{
  guint64 number = pl_index_get_u64 (self);
  guint32 id = 0;
  gsize length;

  if (number > self->numbers->len)
    self->is_broken = TRUE;
  if (self->is_broken)
    return 0;
  if (number > 0)
    return g_array_index (self->numbers, guint32, number - 1);
  length = pl_index_get_count (self, 1);
  if (self->is_broken)
    return 0;
  id = pl_strings_intern (self->strings, (const char *) self->p, length);
  self->p += length;
  g_array_append_val (self->numbers, id);
  return id;
}

void
pl_index_get_array (PlIndexReader *self, GArray *array)
{
  gsize element_size = g_array_get_element_size (array);
  gsize n = pl_index_get_count (self, element_size);

  g_array_set_size (array, (guint) n);
  pl_index_get_bytes (self, array->data, n * element_size);
}

void
pl_index_get_polls (PlIndexReader *self, GArray *polls)
{
  gsize n = pl_index_get_count (self, sizeof (PlPoll));

  for (gsize i = 0; i < n && !self->is_broken; i++)
    {
      PlPoll poll;

      pl_index_get_bytes (self, &poll, sizeof poll);
      poll.spawn_loc = pl_index_get_string (self);
      g_array_append_val (polls, poll);
    }
}

/* One block in full; NULL, and broken, when the intervals do not make one. */
static PlBlock *
get_intervals (PlIndexReader *self, PlBlockKind kind)
{
  g_autoptr(GArray) polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  g_autoptr(GPtrArray) blocks = NULL;
  PlBlockBuilder *builder = pl_block_builder_new (kind);

  pl_index_get_polls (self, polls);
  for (guint i = 0; i < polls->len; i++)
    {
      const PlPoll *poll = &g_array_index (polls, PlPoll, i);

      if (poll->duration_ns < 0 || poll->duration_ns > G_MAXINT64 / 4 || poll->start_ns < 0
          || poll->start_ns > G_MAXINT64 / 4)
        self->is_broken = TRUE;
      else if (kind == PL_BLOCK_POLLS)
        pl_block_builder_add_poll (builder, poll->start_ns, poll->duration_ns, poll->task_id, poll->spawn_loc,
                                   poll->local_queue);
      else
        pl_block_builder_add_park (builder, poll->start_ns, poll->duration_ns, poll->local_queue, poll->flags);
    }
  blocks = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
  if (blocks->len != 1)
    self->is_broken = TRUE;
  return self->is_broken ? NULL : pl_block_ref (blocks->pdata[0]);
}

static PlBlock *
get_summary (PlIndexReader *self)
{
  PlBlockSummary summary = { 0 };
  g_autofree PlSilence *silences = NULL;
  g_autofree guint8 *columns = NULL;
  g_autofree guint16 *over_index = NULL;
  PlBlock *block = NULL;
  guint64 n = pl_index_get_u64 (self);
  gsize n_strides;

  summary.n = (guint) MIN (n, PL_BLOCK_CAPACITY);
  summary.base_ns = (gint64) pl_index_get_u64 (self);
  summary.end_ns = (gint64) pl_index_get_u64 (self);
  summary.total_ns = (gint64) pl_index_get_u64 (self);
  summary.max_ns = (gint64) pl_index_get_u64 (self);
  summary.n_silences = (guint) pl_index_get_count (self, sizeof (PlSilence));
  n_strides = (summary.n + PL_SUMMARY_STRIDE - 1) / PL_SUMMARY_STRIDE;
  if (n_strides == 0)
    self->is_broken = TRUE;

  summary.silences = silences = g_new (PlSilence, summary.n_silences + 1);
  pl_index_get_bytes (self, silences, summary.n_silences * sizeof (PlSilence));
  columns = g_malloc ((n_strides + 1) * (3 * sizeof (guint32) + 1));
  summary.sums = (guint32 *) columns;
  summary.maxima = summary.sums + n_strides;
  summary.starts = summary.maxima + n_strides;
  summary.queue_maxima = (guint8 *) (summary.starts + n_strides);
  pl_index_get_bytes (self, summary.sums, n_strides * sizeof (guint32));
  pl_index_get_bytes (self, summary.maxima, n_strides * sizeof (guint32));
  pl_index_get_bytes (self, summary.starts, n_strides * sizeof (guint32));
  pl_index_get_bytes (self, summary.queue_maxima, n_strides);
  if (pl_index_get_u64 (self) != 0)
    {
      summary.over = get_intervals (self, PL_BLOCK_POLLS);
      over_index = g_new0 (guint16, summary.over != NULL ? summary.over->n : 1);
      if (summary.over != NULL)
        pl_index_get_bytes (self, over_index, summary.over->n * sizeof (guint16));
      summary.over_index = over_index;
    }
  if (!self->is_broken && pl_block_summary_is_sound (&summary))
    block = pl_block_from_summary (&summary);
  else
    self->is_broken = TRUE;
  g_clear_pointer (&summary.over, pl_block_unref);
  return block;
}

/**
 * pl_index_get_block:
 *
 * Returns: (transfer full) (nullable): a block; %NULL when the bytes make none
 */
PlBlock *
pl_index_get_block (PlIndexReader *self)
{
  switch (pl_index_get_u64 (self))
    {
    case BLOCK_POLLS:
      return get_intervals (self, PL_BLOCK_POLLS);
    case BLOCK_PARKS:
      return get_intervals (self, PL_BLOCK_PARKS);
    case BLOCK_SUMMARY:
      return get_summary (self);
    default:
      self->is_broken = TRUE;
      return NULL;
    }
}
