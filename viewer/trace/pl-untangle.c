/* pl-untangle.c: blocks that overlap → a row of blocks that do not, and the polls beside it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Nearly always blocks only need sorting. Where some overlap, two threads held the worker in turn (block_in_place): a
 * long poll at the end of a block is taken off it, and only blocks whose polls really alternate are taken apart.
 */
#include "config.h"

#include "pl-untangle.h"

static int
compare_blocks (gconstpointer a, gconstpointer b)
{
  const PlBlock *first = *(PlBlock *const *) a;
  const PlBlock *second = *(PlBlock *const *) b;

  if (first->base_ns != second->base_ns)
    return first->base_ns < second->base_ns ? -1 : 1;
  return (first->end_ns > second->end_ns) - (first->end_ns < second->end_ns);
}

/**
 * pl_poll_compare:
 *
 * Orders #PlPoll by start; of two that start together the longer one first, since the other interrupts it.
 *
 * Returns: as strcmp() does
 */
int
pl_poll_compare (gconstpointer a, gconstpointer b)
{
  const PlPoll *first = a;
  const PlPoll *second = b;

  if (first->start_ns != second->start_ns)
    return first->start_ns < second->start_ns ? -1 : 1;
  return (first->duration_ns < second->duration_ns) - (first->duration_ns > second->duration_ns);
}

static void
detach (const PlUntangle *self, PlPoll poll)
{
  poll.flags |= PL_POLL_DETACHED;
  g_array_append_val (self->detached, poll);
}

static void
add_poll (PlBlockBuilder *builder, const PlPoll *poll)
{
  pl_block_builder_add_poll (builder, poll->start_ns, poll->duration_ns, poll->task_id, poll->spawn_loc,
                             poll->local_queue);
}

/* The one block that the builder holds; NULL when it holds nothing. */
static PlBlock *
finish_block (PlBlockBuilder *builder)
{
  g_autoptr(GPtrArray) blocks = pl_block_builder_take (builder);
  PlBlock *block = blocks->len > 0 ? pl_block_ref (g_ptr_array_index (blocks, 0)) : NULL;

  pl_block_builder_free (builder);
  return block;
}

/* The block without its last poll; NULL when that was the only one. */
static PlBlock *
drop_last (const PlUntangle *self, const PlBlock *block)
{
  PlBlockBuilder *builder = pl_block_builder_new (PL_BLOCK_POLLS);
  PlPoll poll;

  for (guint i = 0; i + 1 < block->n; i++)
    {
      pl_block_get_poll (block, i, self->worker, &poll);
      add_poll (builder, &poll);
    }
  return finish_block (builder);
}

/* Takes polls that run into the next block off the ends of sorted blocks. */
static void
peel (const PlUntangle *self, GPtrArray *blocks)
{
  for (guint i = 0; i + 1 < blocks->len; i++)
    {
      const PlBlock *next = g_ptr_array_index (blocks, i + 1);
      PlBlock *block = g_ptr_array_index (blocks, i);

      while (block != NULL && block->end_ns > next->base_ns && block->end_ns <= self->to_ns
             && block->base_ns >= self->from_ns && pl_block_is_detailed (block) && pl_block_start (block, block->n - 1) < next->base_ns)
        {
          PlPoll last;

          pl_block_get_poll (block, block->n - 1, self->worker, &last);
          detach (self, last);
          block = drop_last (self, block);
          if (block != NULL)
            {
              pl_block_unref (blocks->pdata[i]);
              blocks->pdata[i] = block;
            }
          else
            g_ptr_array_remove_index (blocks, i--);
        }
    }
}

/* Where the intervals that come out of tangled blocks in order of time go: each waits for the next one, which says what becomes
 * of it. */
typedef struct
{
  const PlUntangle *untangle;
  PlBlockBuilder *row;
  gboolean has_last;
  PlPoll last; /* flags of a park are its queue depth at the end */
} Sink;

/* A poll during which the worker already does something else has lost it: its thread went on without. A worker cannot be
 * parked twice at a time: the earlier park ends where the later begins. */
static void
give (Sink *self, gint64 next_ns)
{
  const PlPoll *poll = &self->last;
  gboolean is_overtaken = next_ns < pl_poll_end_ns (poll);

  if (!self->has_last)
    return;
  if (self->untangle->kind == PL_BLOCK_PARKS)
    pl_block_builder_add_park (self->row, poll->start_ns, is_overtaken ? next_ns - poll->start_ns : poll->duration_ns,
                               poll->local_queue, is_overtaken ? poll->local_queue : poll->flags);
  else if (is_overtaken)
    detach (self->untangle, *poll);
  else
    add_poll (self->row, poll);
}

static void
take (Sink *self, const PlPoll *next)
{
  give (self, next->start_ns);
  self->last = *next;
  self->has_last = TRUE;
}

/* A block that is being taken apart, and its next interval within the sane range. Those of a summary, which are estimates
 * but for the long ones, are in no order before they are sorted. */
typedef struct
{
  const PlBlock *block;
  guint next;
  PlPoll poll;
  GArray *sorted; /* (nullable): PlPoll */
} Cursor;

static PlPoll
get_interval (const PlUntangle *self, const PlBlock *block, guint i)
{
  PlPoll poll = { .start_ns = pl_block_start (block, i), .duration_ns = pl_block_duration (block, i) };

  if (poll.start_ns < self->from_ns || pl_poll_end_ns (&poll) > self->to_ns)
    return poll;
  poll.local_queue = pl_block_queue (block, i);
  if (self->kind == PL_BLOCK_POLLS)
    pl_block_get_poll (block, i, self->worker, &poll);
  else
    poll.flags = pl_block_queue_end (block, i);
  return poll;
}

static GArray *
sort_summary (const PlUntangle *self, const PlBlock *block)
{
  GArray *sorted = g_array_sized_new (FALSE, FALSE, sizeof (PlPoll), block->n);

  for (guint i = 0; i < block->n; i++)
    {
      PlPoll poll = get_interval (self, block, i);

      g_array_append_val (sorted, poll);
    }
  g_array_sort (sorted, pl_poll_compare);
  return sorted;
}

/* Returns FALSE at the end of the block. */
static gboolean
advance (const PlUntangle *self, Cursor *cursor)
{
  while (cursor->next < cursor->block->n)
    {
      guint i = cursor->next++;

      cursor->poll = cursor->sorted != NULL ? g_array_index (cursor->sorted, PlPoll, i)
                                            : get_interval (self, cursor->block, i);
      if (cursor->poll.start_ns >= self->from_ns && pl_poll_end_ns (&cursor->poll) <= self->to_ns)
        return TRUE;
    }
  g_clear_pointer (&cursor->sorted, g_array_unref);
  return FALSE;
}

/* Puts the cursor at @i of a heap, whose first is the earliest, where it belongs below. */
static void
sink_down (GArray *heap, guint i)
{
  Cursor *cursors = (Cursor *) heap->data;

  while (2 * i + 1 < heap->len)
    {
      guint child = 2 * i + 1;
      Cursor moved;

      if (child + 1 < heap->len && pl_poll_compare (&cursors[child + 1].poll, &cursors[child].poll) < 0)
        child++;
      if (pl_poll_compare (&cursors[i].poll, &cursors[child].poll) <= 0)
        return;
      moved = cursors[i];
      cursors[i] = cursors[child];
      cursors[child] = moved;
      i = child;
    }
}

static void
add_cursor (GArray *heap, const Cursor *cursor)
{
  guint i = heap->len;
  Cursor *cursors;

  g_array_append_val (heap, *cursor);
  cursors = (Cursor *) heap->data;
  for (; i > 0 && pl_poll_compare (&cursor->poll, &cursors[(i - 1) / 2].poll) < 0; i = (i - 1) / 2)
    cursors[i] = cursors[(i - 1) / 2];
  cursors[i] = *cursor;
}

/* Merges the intervals of blocks [from, to), each of which has its own in order. As many blocks are looked into at a time as
 * overlap each other. */
static void
merge (const PlUntangle *self, GPtrArray *blocks, guint from, guint to, Sink *sink)
{
  g_autoptr(GArray) heap = g_array_new (FALSE, FALSE, sizeof (Cursor));

  while (from < to || heap->len > 0)
    {
      Cursor *first = (Cursor *) heap->data;

      if (from < to
          && (heap->len == 0 || ((const PlBlock *) blocks->pdata[from])->base_ns <= first->poll.start_ns))
        {
          Cursor added = { .block = blocks->pdata[from++] };

          if (!pl_block_is_detailed (added.block))
            added.sorted = sort_summary (self, added.block);
          if (advance (self, &added))
            add_cursor (heap, &added);
          continue;
        }
      take (sink, &first->poll);
      if (!advance (self, first))
        g_array_remove_index_fast (heap, 0);
      sink_down (heap, 0);
    }
}

/* Length of the stretch of blocks from @first on that have to be taken apart together; 0 when @first is fine. */
static guint
find_tangle (const PlUntangle *self, GPtrArray *blocks, guint first)
{
  const PlBlock *block = g_ptr_array_index (blocks, first);
  gboolean is_outlying = block->base_ns < self->from_ns || block->end_ns > self->to_ns;
  gint64 end = MIN (block->end_ns, self->to_ns);
  guint n = 1;

  while (first + n < blocks->len)
    {
      const PlBlock *next = g_ptr_array_index (blocks, first + n);

      if (next->base_ns >= end)
        break;
      end = MAX (end, MIN (next->end_ns, self->to_ns));
      n++;
    }
  return n > 1 || is_outlying ? n : 0;
}

static void
take_apart (const PlUntangle *self, GPtrArray *blocks, guint from, guint to, GPtrArray *result)
{
  Sink sink = { .untangle = self, .row = pl_block_builder_new (self->kind) };
  g_autoptr(GPtrArray) rebuilt = NULL;

  merge (self, blocks, from, to, &sink);
  give (&sink, G_MAXINT64);
  rebuilt = pl_block_builder_take (sink.row);
  pl_block_builder_free (sink.row);
  for (guint i = 0; i < rebuilt->len; i++)
    g_ptr_array_add (result, pl_block_ref (g_ptr_array_index (rebuilt, i)));
}

/**
 * pl_untangle:
 * @blocks: (element-type PlBlock): of one row, in any order; is sorted, and may lose blocks
 *
 * O(n log n) in the number of blocks; only tangled ones are looked into.
 *
 * Returns: (transfer full) (element-type PlBlock): the row, in time order, none overlapping another
 */
GPtrArray *
pl_untangle (const PlUntangle *self, GPtrArray *blocks)
{
  GPtrArray *result = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_block_unref);

  g_ptr_array_sort (blocks, compare_blocks);
  if (self->kind == PL_BLOCK_POLLS)
    peel (self, blocks);
  for (guint i = 0; i < blocks->len;)
    {
      guint n = find_tangle (self, blocks, i);

      if (n > 0)
        take_apart (self, blocks, i, i + n, result);
      else
        g_ptr_array_add (result, pl_block_ref (g_ptr_array_index (blocks, i)));
      i += MAX (n, 1);
    }
  return result;
}
