/* pl-follow-trim.c: keeps what is held of a followed session within bounds
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Detail beyond the budget is given up where it is farthest from what is looked at. What is no longer on disk is kept as
 * well, but after hours even the summaries of it would add up: beyond a share of the budget the oldest go.
 */
#include "config.h"

#include "pl-follow-private.h"

/* Of the budget, for what is no longer on disk: at 13,000 events a second 64 MiB hold six hours. */
#define GONE_SHARE 8

typedef struct
{
  PlFollowSegment *segment;
  guint piece;
  gint64 distance_ns;
} Farthest;

/* How far a piece lies from the view. Without a view what is oldest is farthest. */
static gint64
get_distance (const PlFollow *self, PlPiece *piece)
{
  gint64 from_ns;
  gint64 to_ns;

  if (!pl_piece_get_range (piece, &from_ns, &to_ns))
    return G_MAXINT64;
  if (self->view_from_ns >= self->view_to_ns)
    return G_MAXINT64 - MAX (from_ns, 0) - 1;
  if (from_ns > self->view_to_ns)
    return from_ns - self->view_to_ns;
  return MAX (self->view_from_ns - to_ns, 0);
}

static Farthest
find_farthest (const PlFollow *self)
{
  Farthest found = { NULL, 0, -1 };

  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];

      for (guint j = 0; segment->detail_bytes > 0 && j < segment->pieces->len; j++)
        {
          PlPiece *piece = segment->pieces->pdata[j];
          gint64 distance_ns = piece->is_summary ? -1 : get_distance (self, piece);

          if (distance_ns > found.distance_ns)
            found = (Farthest) { segment, j, distance_ns };
        }
    }
  return found;
}

static void
summarize (PlFollowSegment *segment, guint i)
{
  PlPiece *piece = segment->pieces->pdata[i];
  guint64 before = segment->detail_bytes;

  segment->pieces->pdata[i] = pl_piece_ref (pl_piece_summarize (piece));
  pl_piece_unref (piece);
  pl_follow_segment_measure (segment);
  /* A piece that cannot be made smaller counts no longer: it is not to be chosen for ever. */
  if (segment->detail_bytes >= before)
    segment->detail_bytes = 0;
}

static gboolean
trim_detail (PlFollow *self)
{
  guint64 held = 0;
  gboolean has_changed = FALSE;

  for (guint i = 0; i < self->segments->len; i++)
    held += ((PlFollowSegment *) self->segments->pdata[i])->detail_bytes;
  while (held > self->memory_budget)
    {
      Farthest farthest = find_farthest (self);
      guint64 before;

      if (farthest.segment == NULL)
        break;
      before = farthest.segment->detail_bytes;
      summarize (farthest.segment, farthest.piece);
      held -= before;
      held += farthest.segment->detail_bytes;
      has_changed = TRUE;
    }
  return has_changed;
}

static gboolean
is_gone (const PlFollowSegment *segment)
{
  return !segment->is_listed && !segment->is_dropped && segment->tail == NULL;
}

static guint64
measure_gone (const PlFollow *self)
{
  guint64 held = 0;

  for (guint i = 0; i < self->segments->len; i++)
    {
      const PlFollowSegment *segment = self->segments->pdata[i];

      if (is_gone (segment))
        held += segment->bytes - MIN (segment->bytes, segment->detail_bytes);
    }
  return held;
}

static PlFollowSegment *
find_oldest_gone (const PlFollow *self)
{
  PlFollowSegment *oldest = NULL;
  gint64 oldest_ns = G_MAXINT64;

  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];
      gint64 from_ns;
      gint64 to_ns;

      if (!is_gone (segment))
        continue;
      if (!pl_follow_segment_get_range (segment, &from_ns, &to_ns))
        from_ns = G_MININT64;
      if (oldest == NULL || from_ns < oldest_ns)
        {
          oldest = segment;
          oldest_ns = from_ns;
        }
    }
  return oldest;
}

static gboolean
trim_gone (PlFollow *self)
{
  gboolean has_changed = FALSE;

  while (measure_gone (self) > self->memory_budget / GONE_SHARE)
    {
      PlFollowSegment *oldest = find_oldest_gone (self);

      if (g_hash_table_lookup (self->by_key, oldest->key) == oldest)
        g_hash_table_remove (self->by_key, oldest->key);
      pl_follow_segment_drop (oldest);
      has_changed = TRUE;
    }
  return has_changed;
}

/**
 * pl_follow_trim:
 *
 * Gives up what is too much.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_trim (PlFollow *self)
{
  gboolean has_lost_detail = trim_detail (self);

  return trim_gone (self) || has_lost_detail;
}
