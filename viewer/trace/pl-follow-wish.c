/* pl-follow-wish.c: takes over what was read from compressed files of a followed session
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-follow-private.h"

static guint64
count_events (GPtrArray *pieces)
{
  guint64 n = 0;

  for (guint i = 0; i < pieces->len; i++)
    n += ((PlPiece *) pieces->pdata[i])->n_events;
  return n;
}

static void
describe_file (PlFollowSegment *segment, PlFollowUnpack *unpack)
{
  PlChunk *chunk = pl_follow_unpack_get_chunk (unpack);
  GArray *index = pl_follow_unpack_get_index (unpack);

  g_clear_error (&segment->info.error);
  g_clear_pointer (&segment->info.index, g_array_unref);
  segment->info.format = chunk->format;
  segment->info.size_bytes = segment->size;
  segment->info.raw_bytes = chunk->to + chunk->lost_bytes;
  segment->info.error = chunk->error != NULL ? g_error_copy (chunk->error) : NULL;
  segment->info.error_offset = chunk->error != NULL ? chunk->to : 0;
  segment->info.lost_bytes = chunk->lost_bytes;
  segment->info.is_complete = TRUE;
  segment->info.index = index != NULL ? g_array_ref (index) : NULL;
}

static void
take_all (PlFollowSegment *segment, PlFollowUnpack *unpack)
{
  PlChunk *chunk = pl_follow_unpack_get_chunk (unpack);

  if (count_events (chunk->pieces) >= count_events (segment->pieces))
    {
      g_ptr_array_set_size (segment->pieces, 0);
      g_clear_pointer (&segment->peeked, pl_piece_unref);
      for (guint i = 0; i < chunk->pieces->len; i++)
        {
          PlPiece *piece = chunk->pieces->pdata[i];

          if (piece->raw_to > piece->raw_from)
            g_ptr_array_add (segment->pieces, pl_piece_ref (piece));
        }
      segment->is_raw = FALSE;
    }
  else if (chunk->error == NULL)
    return;
  /* Else more is known of the segment than can still be read, and stays. */
  describe_file (segment, unpack);
  pl_follow_segment_measure (segment);
}

static gboolean
is_same_content (GPtrArray *pieces, GPtrArray *outlines)
{
  if (outlines->len != pieces->len)
    return FALSE;
  for (guint i = 0; i < pieces->len; i++)
    {
      const PlPiece *piece = pieces->pdata[i];
      const PlPiece *outline = outlines->pdata[i];

      if (piece->n_batches != outline->n_batches || piece->n_events != outline->n_events)
        return FALSE;
    }
  return TRUE;
}

/* Snapshots go on as if nothing had happened: blocks are the same, and only where to read them again is not. */
static void
move_pieces (PlFollow *self, PlFollowSegment *segment, GPtrArray *outlines)
{
  for (guint i = 0; i < segment->pieces->len; i++)
    {
      const PlPiece *outline = outlines->pdata[i];
      PlPiece *held = segment->pieces->pdata[i];
      PlPiece *moved = pl_piece_move (held, outline->raw_from, outline->raw_to);

      pl_gathered_move (self->gathered, held, moved);
      segment->pieces->pdata[i] = moved;
      pl_piece_unref (held);
    }
}

static void
take_places (PlFollow *self, PlFollowSegment *segment, PlFollowUnpack *unpack)
{
  PlChunk *chunk = pl_follow_unpack_get_chunk (unpack);

  if (chunk->error == NULL && !is_same_content (segment->pieces, chunk->pieces))
    {
      pl_follow_segment_wish_for (segment, PL_FOLLOW_WISH_ALL);
      return;
    }
  if (chunk->error == NULL)
    move_pieces (self, segment, chunk->pieces);
  describe_file (segment, unpack);
}

static void
take (PlFollow *self, PlFollowSegment *segment)
{
  PlFollowUnpack *unpack = g_steal_pointer (&segment->unpack);
  PlFollowWish wish = segment->wish;

  segment->wish = PL_FOLLOW_WISH_NONE;
  /* It may be gone for the moment: to the next look that finds it again it has changed. */
  if (pl_follow_unpack_get_chunk (unpack) == NULL)
    segment->size = 0;
  else if (wish == PL_FOLLOW_WISH_PLACES)
    take_places (self, segment, unpack);
  else
    take_all (segment, unpack);
  pl_follow_unpack_free (unpack);
}

static gboolean
is_busy (const PlFollow *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      const PlFollowSegment *segment = self->segments->pdata[i];

      if (segment->unpack != NULL && !pl_follow_unpack_is_done (segment->unpack))
        return TRUE;
    }
  return FALSE;
}

/* One at a time, so that the rest of the computer goes on. Where there is no thread to be had it is tried again. */
static void
start (PlFollow *self, PlFollowSegment *segment, gboolean waits)
{
  GPtrArray *known = segment->wish == PL_FOLLOW_WISH_PLACES ? segment->pieces : NULL;

  if (!waits && is_busy (self))
    return;
  segment->unpack = pl_follow_unpack_new (segment->info.path, segment->file, self->strings, known);
  if (!waits && !pl_follow_unpack_start (segment->unpack))
    g_clear_pointer (&segment->unpack, pl_follow_unpack_free);
}

/**
 * pl_follow_grant_wishes:
 * @waits: block until all is read
 *
 * Has compressed files read, and takes over what is there.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_grant_wishes (PlFollow *self, gboolean waits)
{
  gboolean has_changed = FALSE;

  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];

      while (segment->wish != PL_FOLLOW_WISH_NONE)
        {
          if (segment->unpack == NULL)
            start (self, segment, waits);
          if (waits)
            pl_follow_unpack_finish (segment->unpack);
          if (segment->unpack == NULL || !pl_follow_unpack_is_done (segment->unpack))
            break;
          take (self, segment);
          has_changed = TRUE;
        }
    }
  return has_changed;
}
