/* test-slab.c: memory for blocks, many to a mapping
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "pl-slab.h"

#define N_BLOCKS 400
#define BLOCK_SIZE 60001

typedef struct
{
  guint8 *bytes;
  GBytes *memory;
} Block;

static Block
make_block (guint8 value)
{
  Block block;

  block.bytes = pl_slab_alloc (BLOCK_SIZE, &block.memory);
  memset (block.bytes, value, BLOCK_SIZE);
  return block;
}

static void
check_block (const Block *block, guint8 value)
{
  for (guint i = 0; i < BLOCK_SIZE; i++)
    if (block->bytes[i] != value)
      g_error ("byte %u of block %u is %u", i, value, block->bytes[i]);
}

static gpointer
make_blocks (gpointer user_data)
{
  Block *blocks = user_data;

  for (guint i = 0; i < N_BLOCKS; i++)
    {
      blocks[i] = make_block ((guint8) i);
      if (i % 50 == 49)
        pl_slab_end ();
    }
  return NULL;
}

/* 24 MB, so many slabs, of which some end early; their thread is gone when they are looked at. */
static void
test_blocks_outlive_slabs_and_threads (void)
{
  g_autofree Block *blocks = g_new0 (Block, N_BLOCKS);
  guint n_shared = 0;

  g_thread_join (g_thread_new ("maker", make_blocks, blocks));
  for (guint i = 1; i < N_BLOCKS; i += 2)
    {
      check_block (&blocks[i], (guint8) i);
      n_shared += blocks[i].memory == blocks[i - 1].memory;
      g_bytes_unref (blocks[i].memory);
    }
  for (guint i = 0; i < N_BLOCKS; i += 2)
    {
      check_block (&blocks[i], (guint8) i);
      g_assert_cmpuint ((gsize) blocks[i].bytes % 8, ==, 0);
      g_bytes_unref (blocks[i].memory);
    }
  g_assert_cmpuint (n_shared, >, N_BLOCKS / 4);
}

static void
test_nothing_is_shared_across_an_end (void)
{
  Block before = make_block (1);
  Block after;

  pl_slab_end ();
  pl_slab_end ();
  after = make_block (2);
  g_assert_true (before.memory != after.memory);
  check_block (&before, 1);
  g_bytes_unref (before.memory);
  check_block (&after, 2);
  g_bytes_unref (after.memory);
}

static void
test_large_memory_has_none_beside_it (void)
{
  GBytes *memory;
  guint8 *bytes = pl_slab_alloc (3 * 1024 * 1024, &memory);

  g_assert_null (memory);
  memset (bytes, 3, 3 * 1024 * 1024);
  g_free (bytes);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/slab/blocks-outlive-slabs-and-threads", test_blocks_outlive_slabs_and_threads);
  g_test_add_func ("/trace/slab/nothing-is-shared-across-an-end", test_nothing_is_shared_across_an_end);
  g_test_add_func ("/trace/slab/large-memory-has-none-beside-it", test_large_memory_has_none_beside_it);
  return g_test_run ();
}
