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

/* Takes blocks [from, to) apart into @out, leaving out what lies outside the sane range. Flags of a park are its queue
 * depth at the end. */
static void
expand (const PlUntangle *self, GPtrArray *blocks, guint from, guint to, GArray *out)
{
  for (guint i = from; i < to; i++)
    {
      const PlBlock *block = g_ptr_array_index (blocks, i);

      for (guint j = 0; j < block->n; j++)
        {
          PlPoll poll = { .start_ns = pl_block_start (block, j), .duration_ns = pl_block_duration (block, j),
                          .local_queue = pl_block_queue (block, j) };

          if (self->kind == PL_BLOCK_POLLS)
            pl_block_get_poll (block, j, self->worker, &poll);
          else
            poll.flags = pl_block_queue_end (block, j);
          if (poll.start_ns >= self->from_ns && pl_poll_end_ns (&poll) <= self->to_ns)
            g_array_append_val (out, poll);
        }
    }
  g_array_sort (out, pl_poll_compare);
}

/* A poll during which the worker already does something else has lost it: its thread went on without. */
static void
rebuild_polls (const PlUntangle *self, GArray *polls, PlBlockBuilder *main_row)
{
  for (guint i = 0; i < polls->len; i++)
    {
      const PlPoll *poll = &g_array_index (polls, PlPoll, i);

      if (i + 1 < polls->len && (poll + 1)->start_ns < pl_poll_end_ns (poll))
        detach (self, *poll);
      else
        add_poll (main_row, poll);
    }
}

/* A worker cannot be parked twice at a time: the earlier park ends where the later begins. */
static void
rebuild_parks (GArray *parks, PlBlockBuilder *builder)
{
  for (guint i = 0; i < parks->len; i++)
    {
      const PlPoll *park = &g_array_index (parks, PlPoll, i);
      gint64 duration = park->duration_ns;
      guint8 queue_end = park->flags;

      if (i + 1 < parks->len && (park + 1)->start_ns < pl_poll_end_ns (park))
        {
          duration = (park + 1)->start_ns - park->start_ns;
          queue_end = park->local_queue;
        }
      pl_block_builder_add_park (builder, park->start_ns, duration, park->local_queue, queue_end);
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
  g_autoptr(GArray) intervals = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  g_autoptr(GPtrArray) rebuilt = NULL;
  PlBlockBuilder *builder = pl_block_builder_new (self->kind);

  expand (self, blocks, from, to, intervals);
  if (self->kind == PL_BLOCK_POLLS)
    rebuild_polls (self, intervals, builder);
  else
    rebuild_parks (intervals, builder);
  rebuilt = pl_block_builder_take (builder);
  pl_block_builder_free (builder);
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
