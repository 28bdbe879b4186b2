/* pl-lane-gaps.c: the gaps of a recording by the lanes that they concern
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-lane-gaps.h"

/* So many stretches all lanes together keep because of gaps that concern each of them: 16 bytes each. A thousand gaps in a
 * thousand lanes are less; a file may have any number of both. */
#define MAX_HOLES (1u << 20)

struct _PlGapIndex
{
  GArray *of_all;     /* PlGap */
  GArray *holes;      /* PlHole */
  GHashTable *own;    /* worker → GArray of PlGap */
  GArray *any;        /* PlGap, of whomever */
  GArray *of_queues;  /* PlGap */
};

/* Gaps come by start. What overlaps is one gap, of the first one's cause; those that only touch may have an event between. */
static void
add (GArray *gaps, const PlGap *gap)
{
  PlGap *last = gaps->len > 0 ? &g_array_index (gaps, PlGap, gaps->len - 1) : NULL;

  if (last == NULL || gap->from_ns >= last->to_ns)
    {
      g_array_append_val (gaps, *gap);
      return;
    }
  last->to_ns = MAX (last->to_ns, gap->to_ns);
  if (__builtin_add_overflow (last->n_lost, gap->n_lost, &last->n_lost))
    last->n_lost = G_MAXUINT64;
  if (last->tid != gap->tid)
    last->tid = 0;
}

static GArray *
get_own (PlGapIndex *self, const PlGap *gap)
{
  GArray *own = g_hash_table_lookup (self->own, &gap->worker);

  if (own == NULL)
    {
      own = g_array_new (FALSE, FALSE, sizeof (PlGap));
      g_hash_table_insert (self->own, g_memdup2 (&gap->worker, sizeof gap->worker), own);
    }
  return own;
}

static gint64
distance_behind (const GArray *gaps, guint i)
{
  return g_array_index (gaps, PlGap, i + 1).from_ns - g_array_index (gaps, PlGap, i).to_ns;
}

static int
compare_distances (gconstpointer a, gconstpointer b)
{
  const gint64 *first = a;
  const gint64 *second = b;

  return (*first > *second) - (*first < *second);
}

/* How close together gaps are that count as one, so that no more than @max are left; -1: none. */
static gint64
find_distance (const GArray *gaps, guint max)
{
  g_autoptr(GArray) distances = g_array_new (FALSE, FALSE, sizeof (gint64));

  if (gaps->len <= max)
    return -1;
  for (guint i = 0; i + 1 < gaps->len; i++)
    {
      gint64 distance_ns = distance_behind (gaps, i);

      g_array_append_val (distances, distance_ns);
    }
  g_array_sort (distances, compare_distances);
  return g_array_index (distances, gint64, gaps->len - max - 1);
}

static GArray *
make_holes (const GArray *gaps, guint max)
{
  GArray *holes = g_array_new (FALSE, FALSE, sizeof (PlHole));
  gint64 least_ns = find_distance (gaps, max);

  for (guint i = 0; i < gaps->len; i++)
    {
      const PlGap *gap = &g_array_index (gaps, PlGap, i);
      PlHole hole = { gap->from_ns, gap->to_ns };

      if (i > 0 && distance_behind (gaps, i - 1) <= least_ns)
        g_array_index (holes, PlHole, holes->len - 1).to_ns = gap->to_ns;
      else
        g_array_append_val (holes, hole);
    }
  return holes;
}

/**
 * pl_gap_index_new:
 * @gaps: (element-type PlGap): by start
 * @n_lanes: how many there are
 *
 * Returns: (transfer full): the gaps of each lane
 */
PlGapIndex *
pl_gap_index_new (GArray *gaps, guint n_lanes)
{
  PlGapIndex *self = g_new0 (PlGapIndex, 1);

  self->of_all = g_array_new (FALSE, FALSE, sizeof (PlGap));
  self->any = g_array_new (FALSE, FALSE, sizeof (PlGap));
  self->of_queues = g_array_new (FALSE, FALSE, sizeof (PlGap));
  self->own = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < gaps->len; i++)
    {
      const PlGap *gap = &g_array_index (gaps, PlGap, i);

      add (self->any, gap);
      if (gap->worker == TRC_WORKER_NONE)
        add (self->of_queues, gap);
      if (pl_gap_is_of_all (gap))
        add (self->of_all, gap);
      else if (gap->worker != TRC_WORKER_NONE)
        add (get_own (self, gap), gap);
    }
  self->holes = make_holes (self->of_all, MAX (MAX_HOLES / MAX (n_lanes, 1), 1));
  return self;
}

void
pl_gap_index_free (PlGapIndex *self)
{
  g_array_unref (self->of_all);
  g_array_unref (self->holes);
  g_array_unref (self->any);
  g_array_unref (self->of_queues);
  g_hash_table_unref (self->own);
  g_free (self);
}

/**
 * pl_gap_index_get:
 *
 * Returns: the gaps of a worker's lane, valid as long as @self
 */
PlLaneGaps
pl_gap_index_get (const PlGapIndex *self, guint64 worker)
{
  const GArray *own = g_hash_table_lookup (self->own, &worker);

  return (PlLaneGaps) {
    .of_all = (const PlGap *) self->of_all->data,
    .holes = (const PlHole *) self->holes->data,
    .own = own != NULL ? (const PlGap *) own->data : NULL,
    .n_of_all = self->of_all->len,
    .n_holes = self->holes->len,
    .n_own = own != NULL ? own->len : 0,
  };
}

/**
 * pl_gap_index_get_any:
 *
 * Returns: all gaps, whosever events are missing, as those of one lane; valid as long as @self
 */
PlLaneGaps
pl_gap_index_get_any (const PlGapIndex *self)
{
  return (PlLaneGaps) { .of_all = (const PlGap *) self->any->data, .n_of_all = self->any->len };
}

/**
 * pl_gap_index_get_of_queues:
 *
 * Returns: gaps in which samples of a runtime may be missing, as those of one lane; valid as long as @self. Whoever looks at a
 *   runtime from time to time is none of its workers.
 */
PlLaneGaps
pl_gap_index_get_of_queues (const PlGapIndex *self)
{
  return (PlLaneGaps) { .of_all = (const PlGap *) self->of_queues->data, .n_of_all = self->of_queues->len };
}

static guint
count_before (const PlGap *gaps, guint n, gint64 before_ns)
{
  guint low = 0;

  while (low < n)
    {
      guint middle = low + (n - low) / 2;

      if (gaps[middle].from_ns < before_ns)
        low = middle + 1;
      else
        n = middle;
    }
  return low;
}

/**
 * pl_lane_gaps_next:
 * @from_ns: a time
 * @out_gap: (out): the gap
 *
 * Finds the first gap that begins at @from_ns or later. O(log n)
 *
 * Returns: whether there is one
 */
gboolean
pl_lane_gaps_next (const PlLaneGaps *self, gint64 from_ns, PlGap *out_gap)
{
  guint all = count_before (self->of_all, self->n_of_all, from_ns);
  guint own = count_before (self->own, self->n_own, from_ns);

  if (all == self->n_of_all && own == self->n_own)
    return FALSE;
  if (own == self->n_own || (all < self->n_of_all && self->of_all[all].from_ns < self->own[own].from_ns))
    *out_gap = self->of_all[all];
  else
    *out_gap = self->own[own];
  return TRUE;
}

static const PlGap *
find_touching (const PlGap *gaps, guint n, gint64 from_ns, gint64 to_ns)
{
  guint next = count_before (gaps, n, from_ns + 1);

  if (next > 0 && gaps[next - 1].to_ns >= from_ns)
    return &gaps[next - 1];
  return next < n && gaps[next].from_ns < to_ns ? &gaps[next] : NULL;
}

/**
 * pl_lane_gaps_find:
 * @from_ns: start of a stretch
 * @to_ns: its end, after @from_ns
 * @out_gap: (out): the gap; of two that begin together, the worker's own
 *
 * Finds the first gap that touches a stretch of time. O(log n)
 *
 * Returns: whether there is one
 */
gboolean
pl_lane_gaps_find (const PlLaneGaps *self, gint64 from_ns, gint64 to_ns, PlGap *out_gap)
{
  const PlGap *own = find_touching (self->own, self->n_own, from_ns, to_ns);
  const PlGap *all = find_touching (self->of_all, self->n_of_all, from_ns, to_ns);
  const PlGap *gap = own == NULL || (all != NULL && all->from_ns < own->from_ns) ? all : own;

  if (gap != NULL)
    *out_gap = *gap;
  return gap != NULL;
}
