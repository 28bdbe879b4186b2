/* pl-follow-unpack.c: a compressed file of a followed session, decoded in a thread of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A segment of 100 MiB takes the better part of a second, in which the picture would stand still. Of one whose events are
 * known from the raw form it is only asked where they lie now: recorders keep the order of batches when they pack, and not
 * that of the events in each.
 */
#include "config.h"

#include "pl-follow-unpack.h"

#include "pl-source.h"

struct _PlFollowUnpack
{
  gatomicrefcount ref_count;
  char *path;
  guint file;
  PlStrings *strings;
  GArray *batches; /* (nullable): of each piece that is known */
  GCancellable *cancellable;
  GThread *thread; /* (nullable): of the owner */
  gint is_done;    /* atomic: what follows was found */
  PlChunk *chunk;
  GArray *index;
};

static void
unref (PlFollowUnpack *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_clear_pointer (&self->chunk, pl_chunk_free);
  g_clear_pointer (&self->index, g_array_unref);
  g_clear_pointer (&self->batches, g_array_unref);
  pl_strings_unref (self->strings);
  g_object_unref (self->cancellable);
  g_free (self->path);
  g_free (self);
}

/**
 * pl_follow_unpack_new:
 * @path: the file
 * @file: its place in the snapshots
 * @strings: where strings are interned
 * @known: (nullable) (element-type PlPiece): what its raw form held, when all that is asked is where it lies; no detail is
 *   kept then
 *
 * Returns: (transfer full): work that is still to be done; with pl_follow_unpack_start() or pl_follow_unpack_finish()
 */
PlFollowUnpack *
pl_follow_unpack_new (const char *path, guint file, PlStrings *strings, GPtrArray *known)
{
  PlFollowUnpack *self = g_new0 (PlFollowUnpack, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->path = g_strdup (path);
  self->file = file;
  self->strings = pl_strings_ref (strings);
  self->cancellable = g_cancellable_new ();
  if (known == NULL)
    return self;
  self->batches = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; i + 1 < known->len; i++)
    g_array_append_val (self->batches, ((PlPiece *) known->pdata[i])->n_batches);
  return self;
}

/**
 * pl_follow_unpack_free:
 * @self: (transfer full): in whatever state; does not wait
 */
void
pl_follow_unpack_free (PlFollowUnpack *self)
{
  g_cancellable_cancel (self->cancellable);
  g_clear_pointer (&self->thread, g_thread_unref);
  unref (self);
}

/* Where the piece lies and how much is in it. */
static PlPiece *
keep_outline (PlPiece *piece, gpointer user_data)
{
  PlPiece *outline = pl_piece_new (piece->file, piece->raw_from);

  outline->raw_to = piece->raw_to;
  outline->n_events = piece->n_events;
  outline->n_batches = piece->n_batches;
  pl_piece_unref (piece);
  return outline;
}

static const PlChunkClient reader = { NULL, NULL };
static const PlChunkClient surveyor = { keep_outline, NULL };

static void
work (PlFollowUnpack *self)
{
  g_autoptr(PlSource) source = pl_source_open (self->path, NULL);
  PlChunkRequest request = {
    .path = self->path,
    .file = self->file,
    .strings = self->strings,
    .cancellable = self->cancellable,
    .to = G_MAXUINT64,
    .is_exact = TRUE,
    .batches = self->batches,
  };
  guint64 raw_size;

  if (source != NULL)
    {
      request.index = self->index = pl_source_make_index (source, &raw_size);
      self->chunk = pl_chunk_read (&request, self->batches != NULL ? &surveyor : &reader, NULL);
    }
  g_atomic_int_set (&self->is_done, TRUE);
}

static gpointer
run (gpointer data)
{
  PlFollowUnpack *self = data;

  work (self);
  unref (self);
  return NULL;
}

/**
 * pl_follow_unpack_start:
 *
 * Begins, in another thread.
 *
 * Returns: whether a thread was to be had
 */
gboolean
pl_follow_unpack_start (PlFollowUnpack *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  self->thread = g_thread_try_new ("unpack", run, self, NULL);
  if (self->thread == NULL)
    unref (self);
  return self->thread != NULL;
}

gboolean
pl_follow_unpack_is_done (PlFollowUnpack *self)
{
  return g_atomic_int_get (&self->is_done);
}

/**
 * pl_follow_unpack_finish:
 *
 * Blocks until it is done, and does it where nobody has begun.
 */
void
pl_follow_unpack_finish (PlFollowUnpack *self)
{
  if (self->thread != NULL)
    g_thread_join (g_steal_pointer (&self->thread));
  else if (!pl_follow_unpack_is_done (self))
    work (self);
}

/**
 * pl_follow_unpack_get_chunk:
 *
 * Returns: (transfer none) (nullable): what was found, once it is done; %NULL when there is no such file. The pieces of a
 *   survey hold nothing but their numbers
 */
PlChunk *
pl_follow_unpack_get_chunk (PlFollowUnpack *self)
{
  return self->chunk;
}

/**
 * pl_follow_unpack_get_index:
 *
 * Returns: (transfer none) (nullable): where decompression can begin, once it is done
 */
GArray *
pl_follow_unpack_get_index (PlFollowUnpack *self)
{
  return self->index;
}
