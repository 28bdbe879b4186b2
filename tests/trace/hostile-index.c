/* hostile-index.c: an index whose content says anything while its checksum is right
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "hostile-index.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pl-index-file.h"
#include "pl-index.h"
#include "pl-loader.h"
#include "pl-trace-private.h"

struct _HostileIndex
{
  char *path;
  char *index;
  PlIndexHeader header;
  GBytes *genuine; /* header and payload */
  GByteArray *contents;
};

static char *
find_index (const char *directory)
{
  g_autoptr(GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name = dir != NULL ? g_dir_read_name (dir) : NULL;

  return name != NULL ? g_build_filename (directory, name, NULL) : NULL;
}

HostileIndex *
hostile_index_new (const char *path)
{
  HostileIndex *self = g_new0 (HostileIndex, 1);
  g_autofree char *directory = g_build_filename (g_get_user_cache_dir (), "parklane", "index", NULL);
  const char *const paths[] = { path, NULL };
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load_within (paths, 1, 0, NULL, &error);
  char *index;
  char *bytes;
  gsize size;

  g_assert_no_error (error);
  while ((index = find_index (directory)) != NULL)
    {
      g_assert_cmpint (g_unlink (index), ==, 0);
      g_free (index);
    }
  pl_index_save (&g_array_index (trace->files, PlTraceFile, 0), trace->pieces, trace->strings, &error);
  g_assert_no_error (error);
  self->index = find_index (directory);
  g_file_get_contents (self->index, &bytes, &size, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (size, >, sizeof self->header);
  self->path = g_strdup (path);
  self->genuine = g_bytes_new_take (bytes, size);
  self->contents = g_byte_array_new ();
  hostile_index_reset (self);
  return self;
}

void
hostile_index_free (HostileIndex *self)
{
  g_free (self->path);
  g_free (self->index);
  g_bytes_unref (self->genuine);
  g_byte_array_unref (self->contents);
  g_free (self);
}

void
hostile_index_reset (HostileIndex *self)
{
  gsize size;
  const guint8 *bytes = g_bytes_get_data (self->genuine, &size);

  g_byte_array_set_size (self->contents, 0);
  g_byte_array_append (self->contents, bytes, (guint) size);
  memcpy (&self->header, bytes, sizeof self->header);
}

guint
hostile_index_n_words (const HostileIndex *self)
{
  return 1 + (guint) ((self->contents->len - sizeof self->header) / sizeof (guint64));
}

static guint8 *
find_word (const HostileIndex *self, guint word)
{
  g_assert_cmpuint (word, <, hostile_index_n_words (self));
  return word == 0 ? (guint8 *) &self->header.n_blocks
                   : self->contents->data + sizeof self->header + (word - 1) * sizeof (guint64);
}

guint64
hostile_index_get (const HostileIndex *self, guint word)
{
  guint64 value;

  memcpy (&value, find_word (self, word), sizeof value);
  return value;
}

void
hostile_index_set (HostileIndex *self, guint word, guint64 value)
{
  memcpy (find_word (self, word), &value, sizeof value);
}

void
hostile_index_cut (HostileIndex *self, guint n_words)
{
  guint n = MIN (n_words, hostile_index_n_words (self) - 1);

  g_byte_array_set_size (self->contents, (guint) (sizeof self->header + n * sizeof (guint64)));
}

PlTrace *
hostile_index_recall (HostileIndex *self)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GArray) files = g_array_new (FALSE, FALSE, sizeof (PlTraceFile));
  g_autoptr(GPtrArray) pieces = NULL;
  PlStrings *strings = pl_strings_new ();
  PlTraceFile file = { .path = self->path, .is_complete = TRUE };
  PlTrace *trace = NULL;

  pl_index_file_seal (&self->header, self->contents);
  g_file_set_contents_full (self->index, (const char *) self->contents->data, (gssize) self->contents->len,
                            G_FILE_SET_CONTENTS_NONE, 0600, &error);
  g_assert_no_error (error);
  pieces = pl_index_load (&file, 0, strings);
  g_array_append_val (files, file);
  if (pieces != NULL)
    trace = pl_trace_build (pieces, files, strings);
  g_clear_pointer (&file.index, g_array_unref);
  pl_strings_unref (strings);
  return trace;
}
