/* pl-strings.c: every string of a trace once, by number
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Decoders on several threads intern under a lock. Readers of a snapshot look up without one: a level,
 * once allocated, never moves, and a number reaches a reader only through a published snapshot.
 */
#include "config.h"

#include "pl-strings.h"

#include <string.h>

/* Level k holds 256 << k strings; 24 levels hold more than any 32-bit number. */
#define FIRST_LEVEL_BITS 8
#define N_LEVELS 24

struct _PlStrings
{
  gatomicrefcount ref_count;
  GMutex lock;
  GHashTable *ids;   /* text → number */
  GStringChunk *chunk;
  const char **levels[N_LEVELS];
  gint n;
};

static guint
locate (guint32 id, guint *out_index)
{
  guint64 shifted = (guint64) id + (1u << FIRST_LEVEL_BITS);
  guint level = 63 - (guint) __builtin_clzll (shifted) - FIRST_LEVEL_BITS;

  *out_index = (guint) (shifted - ((guint64) 1 << (level + FIRST_LEVEL_BITS)));
  return level;
}

/* Caller holds the lock. */
static guint32
add (PlStrings *self, const char *text)
{
  guint32 id = (guint32) self->n;
  guint index;
  guint level = locate (id, &index);
  const char *own = g_string_chunk_insert (self->chunk, text);

  if (self->levels[level] == NULL)
    self->levels[level] = g_new0 (const char *, (gsize) 1 << (level + FIRST_LEVEL_BITS));
  self->levels[level][index] = own;
  g_hash_table_insert (self->ids, (gpointer) own, GUINT_TO_POINTER (id));
  g_atomic_int_set (&self->n, (gint) id + 1);
  return id;
}

/**
 * pl_strings_new:
 *
 * Makes a table in which number 0 is the empty string.
 *
 * Returns: (transfer full): the table
 */
PlStrings *
pl_strings_new (void)
{
  PlStrings *self = g_new0 (PlStrings, 1);

  g_atomic_ref_count_init (&self->ref_count);
  g_mutex_init (&self->lock);
  self->ids = g_hash_table_new (g_str_hash, g_str_equal);
  self->chunk = g_string_chunk_new (4096);
  add (self, "");
  return self;
}

PlStrings *
pl_strings_ref (PlStrings *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
pl_strings_unref (PlStrings *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;

  for (guint i = 0; i < N_LEVELS; i++)
    g_free (self->levels[i]);
  g_hash_table_unref (self->ids);
  g_string_chunk_free (self->chunk);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/**
 * pl_strings_intern:
 * @text: bytes, not necessarily NUL-terminated or UTF-8
 * @length: how many
 *
 * Gives the number of a string, adding it if it is new. Invalid UTF-8 becomes U+FFFD. Any thread; takes a lock.
 *
 * Returns: the number
 */
guint32
pl_strings_intern (PlStrings *self, const char *text, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (text, (gssize) length);
  gpointer id;

  g_mutex_lock (&self->lock);
  if (!g_hash_table_lookup_extended (self->ids, valid, NULL, &id))
    id = GUINT_TO_POINTER (add (self, valid));
  g_mutex_unlock (&self->lock);
  return GPOINTER_TO_UINT (id);
}

/**
 * pl_strings_get:
 * @id: a number from pl_strings_intern()
 *
 * Any thread, without a lock.
 *
 * Returns: the string, valid as long as @self; "" for a number that was never given out
 */
const char *
pl_strings_get (PlStrings *self, guint32 id)
{
  guint index;
  guint level;

  if (id >= (guint) g_atomic_int_get (&self->n))
    return "";
  level = locate (id, &index);
  return self->levels[level][index];
}
