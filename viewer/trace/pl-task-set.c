/* pl-task-set.c: which tasks were seen
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Bits for the small numbers that Tokio gives out, in blocks where there are any; a hash table for the rest.
 */
#include "config.h"

#include "pl-task-set.h"

#define BITS_PER_BLOCK (G_GUINT64_CONSTANT (1) << 15)
#define N_BLOCKS (1 << 13)

struct _PlTaskSet
{
  guint8 *blocks[N_BLOCKS];
  GHashTable *large;
  guint64 n;
};

/**
 * pl_task_set_new:
 *
 * Returns: (transfer full): an empty set
 */
PlTaskSet *
pl_task_set_new (void)
{
  PlTaskSet *self = g_new0 (PlTaskSet, 1);

  self->large = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
pl_task_set_free (PlTaskSet *self)
{
  for (guint i = 0; i < N_BLOCKS; i++)
    g_free (self->blocks[i]);
  g_hash_table_unref (self->large);
  g_free (self);
}

/**
 * pl_task_set_add:
 * @id: a task's id; 0, which is none, is not added
 */
void
pl_task_set_add (PlTaskSet *self, guint64 id)
{
  guint64 block = id / BITS_PER_BLOCK;
  guint8 bit = (guint8) (1u << id % 8);
  guint8 *byte;

  if (id == 0)
    return;
  if (block >= N_BLOCKS)
    {
      if (!g_hash_table_contains (self->large, &id))
        self->n += g_hash_table_add (self->large, g_memdup2 (&id, sizeof id));
      return;
    }
  if (self->blocks[block] == NULL)
    self->blocks[block] = g_malloc0 (BITS_PER_BLOCK / 8);
  byte = &self->blocks[block][id % BITS_PER_BLOCK / 8];
  self->n += (*byte & bit) == 0;
  *byte |= bit;
}

/**
 * pl_task_set_get_n:
 *
 * Returns: how many tasks it holds
 */
guint64
pl_task_set_get_n (const PlTaskSet *self)
{
  return self->n;
}
