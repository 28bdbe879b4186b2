/* pl-gathered-lane.c: what pieces hold of one worker, and how much of it is settled
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Settled is what lies before an instant that nothing reaches across, neither an interval nor a start that waits for its
 * end: what comes later cannot change how it is put in order and paired. Snapshots share it, and only the rest is looked
 * at for each. Should something come after all that belongs before that instant, it is for the caller to gather anew.
 */
#include "config.h"

#include "pl-gathered-lane.h"

#include "pl-join.h"
#include "pl-lane-lost.h"

struct _PlGatheredLane
{
  guint64 worker;
  gboolean is_in_stream;
  gboolean is_merged; /* the last stream that it was in */

  gint64 settled_ns;
  PlLane *settled;    /* (nullable) */
  PlJoin *join;       /* of the edges that are settled */

  /* what is not */
  GPtrArray *polls;   /* PlBlock, unowned: the pieces keep them */
  GPtrArray *parks;
  GArray *detached;
  GArray *edges;
  GArray *joined_polls;
  GArray *joined_parks;
};

/**
 * pl_gathered_lane_new:
 *
 * Returns: (transfer full): a lane without anything
 */
PlGatheredLane *
pl_gathered_lane_new (guint64 worker)
{
  PlGatheredLane *self = g_new0 (PlGatheredLane, 1);

  self->worker = worker;
  self->settled_ns = G_MININT64;
  self->join = pl_join_new ();
  self->polls = g_ptr_array_new ();
  self->parks = g_ptr_array_new ();
  self->detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  self->edges = g_array_new (FALSE, FALSE, sizeof (PlRunEdge));
  self->joined_polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  self->joined_parks = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  return self;
}

void
pl_gathered_lane_free (PlGatheredLane *self)
{
  g_clear_pointer (&self->settled, pl_lane_free);
  pl_join_free (self->join);
  g_ptr_array_unref (self->polls);
  g_ptr_array_unref (self->parks);
  g_array_unref (self->detached);
  g_array_unref (self->edges);
  g_array_unref (self->joined_polls);
  g_array_unref (self->joined_parks);
  g_free (self);
}

/**
 * pl_gathered_lane_add_blocks:
 * @lane: of a piece that outlives @self
 */
void
pl_gathered_lane_add_blocks (PlGatheredLane *self, const PlPieceLane *lane)
{
  g_ptr_array_extend (self->polls, lane->polls, NULL, NULL);
  g_ptr_array_extend (self->parks, lane->parks, NULL, NULL);
  g_array_append_vals (self->detached, lane->detached->data, lane->detached->len);
}

/**
 * pl_gathered_lane_add_edge:
 * @edge: of this worker, or of all
 * @is_merged: it comes from a stream of all threads
 *
 * In the order of the files.
 */
void
pl_gathered_lane_add_edge (PlGatheredLane *self, const PlRunEdge *edge, gboolean is_merged)
{
  PlRunEdge added = *edge;

  added.worker = self->worker;
  /* In a stream of all threads a tid tells nothing about whose buffer a batch is, and none lags behind. */
  if (is_merged)
    {
      added.tid = 0;
      added.known_to_ns = G_MAXINT64;
    }
  g_array_append_val (self->edges, added);
  if (edge->is_gap)
    return;
  self->is_in_stream = TRUE;
  self->is_merged = is_merged;
}

static gboolean
exchange_blocks (PlTrack *settled, GPtrArray *pending, GPtrArray *held, GPtrArray *blocks)
{
  if (held->len != blocks->len)
    return FALSE;
  for (guint i = 0; i < held->len; i++)
    {
      guint place;

      if (held->pdata[i] == blocks->pdata[i])
        continue;
      if (g_ptr_array_find (pending, held->pdata[i], &place))
        pending->pdata[place] = blocks->pdata[i];
      else if (settled == NULL || !pl_track_exchange (settled, held->pdata[i], blocks->pdata[i]))
        return FALSE;
    }
  return TRUE;
}

/**
 * pl_gathered_lane_exchange:
 * @held: what was added
 * @lane: the same with more or less detail
 *
 * Puts one form of a piece in the place of another.
 *
 * Returns: %FALSE when its blocks are not found any more, because they were taken apart
 */
gboolean
pl_gathered_lane_exchange (PlGatheredLane *self, const PlPieceLane *held, const PlPieceLane *lane)
{
  PlLane *settled = self->settled;

  return held->detached->len == lane->detached->len
         && exchange_blocks (settled != NULL ? &settled->polls : NULL, self->polls, held->polls, lane->polls)
         && exchange_blocks (settled != NULL ? &settled->parks : NULL, self->parks, held->parks, lane->parks);
}

static gboolean
is_behind (const GPtrArray *blocks, gint64 at_ns)
{
  for (guint i = 0; i < blocks->len; i++)
    if (((const PlBlock *) blocks->pdata[i])->base_ns < at_ns)
      return FALSE;
  return TRUE;
}

static gboolean
are_polls_behind (const GArray *polls, gint64 at_ns)
{
  for (guint i = 0; i < polls->len; i++)
    if (g_array_index (polls, PlPoll, i).start_ns < at_ns)
      return FALSE;
  return TRUE;
}

/* What has come since lies behind what is settled. */
static gboolean
fits (const PlGatheredLane *self, gint64 settled_ns)
{
  return is_behind (self->polls, settled_ns) && is_behind (self->parks, settled_ns)
         && are_polls_behind (self->joined_polls, settled_ns) && are_polls_behind (self->joined_parks, settled_ns);
}

/* Moves those before @at_ns out of an array; their times stand at @offset in them. */
static GArray *
take_before (GArray **array, gsize offset, gint64 at_ns)
{
  guint size = g_array_get_element_size (*array);
  GArray *taken = g_array_new (FALSE, FALSE, size);
  GArray *left = g_array_new (FALSE, FALSE, size);

  for (guint i = 0; i < (*array)->len; i++)
    {
      const char *element = (*array)->data + (gsize) i * size;

      g_array_append_vals (G_STRUCT_MEMBER (gint64, element, offset) < at_ns ? taken : left, element, 1);
    }
  g_array_unref (*array);
  *array = left;
  return taken;
}

static gboolean
join_edges (PlGatheredLane *self, gint64 at_ns, PlJoined *out_joined)
{
  g_autoptr(GArray) edges = take_before (&self->edges, G_STRUCT_OFFSET (PlRunEdge, first_ns), at_ns);

  if (!pl_join_go_on (self->join, edges))
    return FALSE;
  pl_join_take (self->join, out_joined);
  g_array_append_vals (self->joined_polls, out_joined->polls->data, out_joined->polls->len);
  g_array_append_vals (self->joined_parks, out_joined->parks->data, out_joined->parks->len);
  return TRUE;
}

static void
lower (gint64 *at_ns, gint64 start_ns, gint64 end_ns)
{
  if (start_ns < *at_ns && end_ns > *at_ns)
    *at_ns = start_ns;
}

static gint64
lower_by_blocks (const GPtrArray *blocks, gint64 at_ns)
{
  for (guint i = 0; i < blocks->len; i++)
    {
      const PlBlock *block = blocks->pdata[i];

      lower (&at_ns, block->base_ns, block->end_ns);
    }
  return at_ns;
}

static gint64
lower_by_polls (const GArray *polls, gint64 at_ns)
{
  for (guint i = 0; i < polls->len; i++)
    {
      const PlPoll *poll = &g_array_index (polls, PlPoll, i);

      lower (&at_ns, poll->start_ns, pl_poll_end_ns (poll));
    }
  return at_ns;
}

/* The last instant not after @at_ns that nothing reaches across. */
static gint64
find_instant (const PlGatheredLane *self, gint64 at_ns)
{
  gint64 before_ns;

  at_ns = MIN (at_ns, pl_join_get_waiting_ns (self->join));
  do
    {
      before_ns = at_ns;
      at_ns = lower_by_blocks (self->polls, at_ns);
      at_ns = lower_by_blocks (self->parks, at_ns);
      at_ns = lower_by_polls (self->joined_polls, at_ns);
      at_ns = lower_by_polls (self->joined_parks, at_ns);
    }
  while (at_ns < before_ns);
  return at_ns;
}

static GPtrArray *
take_blocks (GPtrArray **blocks, gint64 at_ns)
{
  GPtrArray *taken = g_ptr_array_new ();
  GPtrArray *left = g_ptr_array_new ();

  for (guint i = 0; i < (*blocks)->len; i++)
    {
      PlBlock *block = (*blocks)->pdata[i];

      g_ptr_array_add (block->base_ns < at_ns ? taken : left, block);
    }
  g_ptr_array_unref (*blocks);
  *blocks = left;
  return taken;
}

static GArray *
take_polls (GArray **polls, gint64 at_ns)
{
  return take_before (polls, G_STRUCT_OFFSET (PlPoll, start_ns), at_ns);
}

static void
settle_until (PlGatheredLane *self, gint64 at_ns, const PlJoined *joined, const PlLaneRange *range)
{
  g_autoptr(PlLane) before = self->settled;
  g_autoptr(GPtrArray) polls = take_blocks (&self->polls, at_ns);
  g_autoptr(GPtrArray) parks = take_blocks (&self->parks, at_ns);
  g_autoptr(GArray) detached = take_polls (&self->detached, at_ns);
  g_autoptr(GArray) joined_polls = take_polls (&self->joined_polls, at_ns);
  g_autoptr(GArray) joined_parks = take_polls (&self->joined_parks, at_ns);

  self->settled_ns = at_ns;
  self->settled = pl_lane_settle (&(PlLaneInput) {
    .worker = self->worker,
    .base = before,
    .poll_blocks = polls,
    .park_blocks = parks,
    .detached = detached,
    .joined_polls = joined_polls,
    .joined_parks = joined_parks,
    .open_park_ns = G_MININT64,
    .first_ns = joined->first_ns,
    .frontier_ns = joined->frontier_ns,
    .from_ns = range->from_ns,
    .to_ns = range->to_ns,
  });
}

/**
 * pl_gathered_lane_settle:
 * @range: begins where it began in the calls before, and does not end earlier
 *
 * Settles as much as there is, up to @range's instant. O(what is not settled).
 *
 * Returns: %FALSE when something was added that belongs before what was settled
 */
gboolean
pl_gathered_lane_settle (PlGatheredLane *self, const PlLaneRange *range)
{
  PlJoined joined;
  gint64 at_ns;
  gboolean is_sound;

  if (!join_edges (self, range->settled_ns, &joined))
    return FALSE;
  is_sound = fits (self, self->settled_ns);
  at_ns = find_instant (self, range->settled_ns);
  if (is_sound && at_ns > self->settled_ns && joined.first_ns < G_MAXINT64)
    settle_until (self, at_ns, &joined, range);
  pl_join_clear (&joined);
  return is_sound;
}

/**
 * pl_gathered_lane_count:
 *
 * Returns: how many blocks and edges are not settled: what making the lane costs
 */
gsize
pl_gathered_lane_count (const PlGatheredLane *self)
{
  return (gsize) self->polls->len + self->parks->len + self->edges->len;
}

static GPtrArray *
concat_blocks (const GPtrArray *first, const GPtrArray *second)
{
  GPtrArray *all = g_ptr_array_sized_new (first->len + second->len);

  g_ptr_array_extend (all, (GPtrArray *) first, NULL, NULL);
  g_ptr_array_extend (all, (GPtrArray *) second, NULL, NULL);
  return all;
}

static GArray *
concat (const GArray *first, const GArray *second, gsize size)
{
  GArray *all = g_array_sized_new (FALSE, FALSE, (guint) size, first->len + second->len);

  g_array_append_vals (all, first->data, first->len);
  g_array_append_vals (all, second->data, second->len);
  return all;
}

static gboolean
join_rest (const PlGatheredLane *self, const PlGatheredLane *rest, gint64 paused_ns, PlJoined *out_joined)
{
  g_autoptr(PlJoin) join = pl_join_copy (self->join);
  g_autoptr(GArray) edges = concat (self->edges, rest->edges, sizeof (PlRunEdge));

  if (!pl_join_go_on (join, edges))
    return FALSE;
  if (paused_ns < G_MAXINT64)
    pl_join_break (join, paused_ns);
  pl_join_take (join, out_joined);
  return TRUE;
}

/**
 * pl_gathered_lane_build:
 * @rest: what is still to come into @self, and may yet change; nothing of it is settled
 * @gaps: of the worker
 *
 * Makes the lane of both. O(what is not settled).
 *
 * Returns: (transfer full) (nullable): the lane; %NULL when @rest belongs before what was settled
 */
PlLane *
pl_gathered_lane_build (const PlGatheredLane *self, const PlGatheredLane *rest, PlLaneGaps gaps,
                        const PlLaneRange *range)
{
  gboolean is_merged = rest->is_in_stream ? rest->is_merged : self->is_merged;
  g_autoptr(GPtrArray) polls = NULL;
  g_autoptr(GPtrArray) parks = NULL;
  g_autoptr(GArray) detached = NULL;
  PlLane *lane = NULL;
  PlJoined joined;

  if (!fits (rest, self->settled_ns) || !join_rest (self, rest, range->paused_ns, &joined))
    return NULL;
  if (are_polls_behind (joined.polls, self->settled_ns) && are_polls_behind (joined.parks, self->settled_ns))
    {
      polls = concat_blocks (self->polls, rest->polls);
      parks = concat_blocks (self->parks, rest->parks);
      detached = concat (self->detached, rest->detached, sizeof (PlPoll));
      g_array_prepend_vals (joined.polls, self->joined_polls->data, self->joined_polls->len);
      g_array_prepend_vals (joined.parks, self->joined_parks->data, self->joined_parks->len);
      lane = pl_lane_build (&(PlLaneInput) {
        .worker = self->worker,
        .base = self->settled,
        .poll_blocks = polls,
        .park_blocks = parks,
        .detached = detached,
        .joined_polls = joined.polls,
        .joined_parks = joined.parks,
        .open_polls = joined.open_polls,
        .open_park_ns = joined.open_park_ns,
        .open_park_queue = joined.open_park_queue,
        .first_ns = joined.first_ns,
        .frontier_ns = joined.frontier_ns,
        .is_watched = range->is_growing && is_merged,
        .is_lagging = range->is_growing && !is_merged,
        .from_ns = range->from_ns,
        .to_ns = range->to_ns,
      });
      lane->n_unpaired = joined.n_unpaired;
      pl_lane_build_lost (lane, gaps, joined.holes);
    }
  pl_join_clear (&joined);
  return lane;
}
