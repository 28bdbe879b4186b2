/* pl-pool.c: the string pool of one batch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-pool.h"

/* Ids run from 0 in every recorder. Holes no larger than this still go to the array, which so stays in proportion to
 * the number of strings. */
#define MAX_HOLE 64

void
pl_pool_init (PlPool *self, PlStrings *strings)
{
  self->strings = strings;
  self->bytes = g_byte_array_new ();
  self->dense = g_array_new (FALSE, TRUE, sizeof (PlPoolEntry));
  self->sparse = g_hash_table_new_full (NULL, NULL, NULL, g_free);
}

void
pl_pool_clear (PlPool *self)
{
  g_byte_array_unref (self->bytes);
  g_array_unref (self->dense);
  g_hash_table_unref (self->sparse);
}

/**
 * pl_pool_reset:
 *
 * Forgets everything, as a header does.
 */
void
pl_pool_reset (PlPool *self)
{
  g_byte_array_set_size (self->bytes, 0);
  g_array_set_size (self->dense, 0);
  self->n_defined = 0;
  if (g_hash_table_size (self->sparse) > 0)
    g_hash_table_remove_all (self->sparse);
}

/**
 * pl_pool_define:
 *
 * Gives an id its string; the last definition wins.
 */
void
pl_pool_define (PlPool *self, guint32 id, const guint8 *bytes, guint32 length)
{
  PlPoolEntry entry = { self->bytes->len, length, 0, TRUE };

  /* A batch with more than 4 GB of strings loses the rest of them, not its events. */
  if (length > G_MAXUINT32 - self->bytes->len)
    return;
  g_byte_array_append (self->bytes, bytes, length);
  self->n_defined++;
  if (id < self->dense->len || id < self->n_defined * 2 + MAX_HOLE)
    {
      if (id >= self->dense->len)
        g_array_set_size (self->dense, id + 1);
      g_array_index (self->dense, PlPoolEntry, id) = entry;
    }
  else
    g_hash_table_insert (self->sparse, GUINT_TO_POINTER (id), g_memdup2 (&entry, sizeof entry));
}

guint32
pl_pool_resolve_slow (PlPool *self, guint32 id)
{
  PlPoolEntry *entry = NULL;

  if (id < self->dense->len)
    entry = &g_array_index (self->dense, PlPoolEntry, id);
  if (entry == NULL || !entry->is_defined)
    entry = g_hash_table_lookup (self->sparse, GUINT_TO_POINTER (id));
  if (entry == NULL)
    return 0;
  /* While all strings so far are empty, there are no bytes at all. */
  if (entry->interned == 0)
    entry->interned = pl_strings_intern (self->strings,
                                         entry->length > 0 ? (const char *) self->bytes->data + entry->offset : "",
                                         entry->length) + 1;
  return entry->interned - 1;
}
