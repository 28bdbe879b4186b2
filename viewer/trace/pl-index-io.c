/* pl-index-io.c: values of an index, written to and read from one block of bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Numbers are in the machine's own order: an index is read on the machine that wrote it, or not at all.
 */
#include "config.h"

#include "pl-index-io.h"

#include <string.h>

#include "pl-poll.h"

static gsize
padded (gsize size)
{
  return (size + 7) & ~(gsize) 7;
}

static void
append (GByteArray *array, const void *bytes, gsize size)
{
  static const guint8 zeros[8];

  if (size > 0)
    g_byte_array_append (array, bytes, (guint) size);
  g_byte_array_append (array, zeros, (guint) (padded (size) - size));
}

void
pl_index_writer_init (PlIndexWriter *self, PlStrings *strings)
{
  self->bytes = g_byte_array_new ();
  self->texts = g_byte_array_new ();
  self->strings = strings;
  self->numbers = g_hash_table_new (NULL, NULL);
  self->n_blocks = 0;
}

void
pl_index_writer_clear (PlIndexWriter *self)
{
  g_byte_array_unref (self->bytes);
  g_byte_array_unref (self->texts);
  g_hash_table_unref (self->numbers);
}

void
pl_index_put_bytes (PlIndexWriter *self, const void *bytes, gsize size)
{
  append (self->bytes, bytes, size);
}

void
pl_index_put_u64 (PlIndexWriter *self, guint64 value)
{
  pl_index_put_bytes (self, &value, sizeof value);
}

/**
 * pl_index_number:
 * @id: of a string of the trace
 *
 * Returns: its number in the index, which has it from now on
 */
guint32
pl_index_number (PlIndexWriter *self, guint32 id)
{
  guint32 number = GPOINTER_TO_UINT (g_hash_table_lookup (self->numbers, GUINT_TO_POINTER (id)));
  const char *text = pl_strings_get (self->strings, id);
  guint64 length = strlen (text);

  if (number != 0)
    return number - 1;
  number = g_hash_table_size (self->numbers);
  g_hash_table_insert (self->numbers, GUINT_TO_POINTER (id), GUINT_TO_POINTER (number + 1));
  append (self->texts, &length, sizeof length);
  append (self->texts, text, length);
  return number;
}

void
pl_index_put_string (PlIndexWriter *self, guint32 id)
{
  pl_index_put_u64 (self, pl_index_number (self, id));
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
      PlPoll poll = g_array_index (polls, PlPoll, i);

      poll.spawn_loc = pl_index_number (self, poll.spawn_loc);
      pl_index_put_bytes (self, &poll, sizeof poll);
    }
}

/* The strings of the index come first. */
static void
read_strings (PlIndexReader *self, PlStrings *strings)
{
  gsize n = pl_index_get_count (self, sizeof (guint64));

  self->numbers = g_new (guint32, n + 1);
  for (; self->n_numbers < n && !self->is_broken; self->n_numbers++)
    {
      gsize length = pl_index_get_count (self, 1);
      const char *text = pl_index_get_bytes (self, length);

      self->numbers[self->n_numbers] = text != NULL ? pl_strings_intern (strings, text, length) : 0;
    }
}

/**
 * pl_index_reader_init:
 * @memory: the bytes, and zeroed room for @n_blocks blocks behind them; nobody else refers to it
 * @size: of the bytes alone, a multiple of 8
 * @strings: where the strings of the index are interned
 */
void
pl_index_reader_init (PlIndexReader *self, GBytes *memory, gsize size, guint64 n_blocks, PlStrings *strings)
{
  guint8 *bytes = (guint8 *) g_bytes_get_data (memory, NULL);

  *self = (PlIndexReader) {
    .p = bytes,
    .end = bytes + size,
    .memory = memory,
    .block = (PlBlock *) (bytes + size),
    .n_blocks_left = n_blocks,
  };
  read_strings (self, strings);
}

void
pl_index_reader_clear (PlIndexReader *self)
{
  g_free (self->numbers);
}

/**
 * pl_index_reader_is_done:
 *
 * Returns: whether all of it was read, and nothing did not fit
 */
gboolean
pl_index_reader_is_done (const PlIndexReader *self)
{
  return !self->is_broken && self->p == self->end && self->n_blocks_left == 0;
}

/**
 * pl_index_get_bytes:
 *
 * Returns: (nullable) (transfer none): the next @size bytes in the memory that is read, to be changed at will; %NULL, and
 *   broken, when there are fewer
 */
void *
pl_index_get_bytes (PlIndexReader *self, gsize size)
{
  void *bytes = self->p;

  if (self->is_broken || (gsize) (self->end - self->p) < size)
    {
      self->is_broken = TRUE;
      return NULL;
    }
  self->p += MIN (padded (size), (gsize) (self->end - self->p));
  return bytes;
}

guint64
pl_index_get_u64 (PlIndexReader *self)
{
  const guint64 *value = pl_index_get_bytes (self, sizeof *value);

  return value != NULL ? *value : 0;
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

/**
 * pl_index_resolve:
 * @number: of a string in the index
 *
 * Returns: its id in the trace; 0, and broken, when the index has no such string
 */
guint32
pl_index_resolve (PlIndexReader *self, guint64 number)
{
  if (number >= self->n_numbers)
    self->is_broken = TRUE;
  return self->is_broken ? 0 : self->numbers[number];
}

guint32
pl_index_get_string (PlIndexReader *self)
{
  return pl_index_resolve (self, pl_index_get_u64 (self));
}

void
pl_index_get_array (PlIndexReader *self, GArray *array)
{
  gsize element_size = g_array_get_element_size (array);
  gsize n = pl_index_get_count (self, element_size);
  const void *bytes = pl_index_get_bytes (self, n * element_size);

  if (bytes != NULL && n > 0)
    g_array_append_vals (array, bytes, (guint) n);
}

void
pl_index_get_polls (PlIndexReader *self, GArray *polls)
{
  pl_index_get_array (self, polls);
  for (guint i = 0; i < polls->len; i++)
    {
      PlPoll *poll = &g_array_index (polls, PlPoll, i);

      poll->spawn_loc = pl_index_resolve (self, poll->spawn_loc);
    }
}
