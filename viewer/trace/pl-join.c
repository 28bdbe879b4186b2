/* pl-join.c: polls and parks whose two ends lie in different batches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A batch is one thread's buffer, and a worker may pass from thread to thread while a poll is still running on the
 * first (block_in_place). So a start is continued by the next batch of the same thread, known by the tid of its parks
 * and unparks; where no tid is known, or where all threads share the stream, by the next batch of the same worker.
 * Where segments are missing in between, nothing is continued: the end found behind the gap may be another's. Nor is it
 * where the recorder says that events are missing; what was open then counts up to there.
 */
#include "config.h"

#include "pl-join.h"

/* Threads that one worker left behind in a poll at the same time. Tokio's blocking pool has 512 threads by default. */
#define MAX_WAITING 1024

/* A start that waits for its end. */
typedef struct
{
  PlPoll poll;
  guint32 tid;
  guint8 tid_is_own;
  guint8 stretch;
} Waiting;

/* See PlRunEdge. */
static gboolean
is_repetition (const PlRunEdge *edge)
{
  return (edge->has_open_poll && !edge->has_poll_events) || (edge->has_open_park && !edge->has_park_events);
}

static int
compare_edges (gconstpointer a, gconstpointer b)
{
  const PlRunEdge *first = a;
  const PlRunEdge *second = b;

  if (first->first_ns != second->first_ns)
    return first->first_ns > second->first_ns ? 1 : -1;
  if (first->is_gap != second->is_gap)
    return first->is_gap - second->is_gap;
  return is_repetition (first) - is_repetition (second); /* what repeats a start goes behind it */
}

static gboolean
is_same_thread (const Waiting *waiting, const PlRunEdge *edge)
{
  return waiting->tid != 0 && waiting->tid == edge->tid;
}

static gboolean
may_be_same_thread (const Waiting *waiting, const PlRunEdge *edge)
{
  return waiting->tid == 0 || edge->tid == 0;
}

/* A tid that only another worker in the batch had is a hint, not a proof of a different thread. */
static gboolean
is_not_excluded (const Waiting *waiting, const PlRunEdge *edge)
{
  return !waiting->tid_is_own || !edge->tid_is_own;
}

/* Index of the latest waiting start that fits, or -1. */
static int
find_match (GArray *waiting, const PlRunEdge *edge, gboolean (*fits) (const Waiting *, const PlRunEdge *))
{
  int best = -1;

  for (guint i = 0; i < waiting->len; i++)
    {
      const Waiting *candidate = &g_array_index (waiting, Waiting, i);

      if (candidate->stretch == edge->stretch && fits (candidate, edge) && candidate->poll.start_ns <= edge->first_ns
          && (best < 0
              || candidate->poll.start_ns >= g_array_index (waiting, Waiting, (guint) best).poll.start_ns))
        best = (int) i;
    }
  return best;
}

static int
find_start (GArray *waiting, const PlRunEdge *edge, gboolean for_end)
{
  int match = find_match (waiting, edge, is_same_thread);

  if (match < 0)
    match = find_match (waiting, edge, may_be_same_thread);
  if (match < 0 && for_end)
    match = find_match (waiting, edge, is_not_excluded);
  return match;
}

/* The longest waiting start gives way when there are more than a worker can have threads; returns whether one did. */
static gboolean
wait_for_end (GArray *waiting, const PlRunEdge *edge, PlPoll poll)
{
  Waiting added = { poll, edge->tid, edge->tid_is_own, edge->stretch };

  g_array_append_val (waiting, added);
  if (waiting->len <= MAX_WAITING)
    return FALSE;
  g_array_remove_index (waiting, 0);
  return TRUE;
}

/* Continues a waiting start with the run's first event: @end_ns if that is an end, to which @flags belong. Returns
 * whether an end was left without a start. */
static gboolean
continue_run (GArray *waiting, const PlRunEdge *edge, gboolean has_end, gint64 end_ns, guint8 flags, GArray *joined,
              guint64 *n_lost)
{
  int match = find_start (waiting, edge, has_end);
  PlPoll poll;

  if (match < 0)
    return has_end;
  poll = g_array_index (waiting, Waiting, (guint) match).poll;
  g_array_remove_index (waiting, (guint) match);
  if (!has_end)
    {
      (*n_lost)++;
      return FALSE;
    }
  poll.duration_ns = end_ns - poll.start_ns;
  poll.flags = flags;
  g_array_append_val (joined, poll);
  return FALSE;
}

/* Whether @edge only repeats a @start_ns that waits already, which then goes on in the stretch of the edge. */
static gboolean
repeats (GArray *waiting, const PlRunEdge *edge, gint64 start_ns)
{
  if (!is_repetition (edge))
    return FALSE;
  for (guint i = 0; i < waiting->len; i++)
    {
      Waiting *known = &g_array_index (waiting, Waiting, i);

      if (known->poll.start_ns != start_ns)
        continue;
      known->stretch = edge->stretch;
      return TRUE;
    }
  return FALSE;
}

/* What waits when events get lost lasted until then at least. Its end, if it is there at all, cannot be told from others.
 * Returns until when something is known. */
static gint64
cut_off (GArray *waiting, gint64 at_ns, gboolean are_parks, GArray *joined)
{
  gint64 known_to_ns = G_MININT64;

  for (guint i = waiting->len; i > 0; i--)
    {
      PlPoll cut = g_array_index (waiting, Waiting, i - 1).poll;

      if (cut.start_ns > at_ns)
        continue;
      cut.duration_ns = at_ns - cut.start_ns;
      cut.flags = are_parks ? cut.local_queue : PL_POLL_CUT_OFF;
      g_array_append_val (joined, cut);
      g_array_remove_index (waiting, i - 1);
      known_to_ns = at_ns;
    }
  return known_to_ns;
}

static void
join_gap (const PlRunEdge *edge, GArray *polls, GArray *parks, gint64 *gap_ns, PlJoined *out)
{
  gint64 polled_to_ns = cut_off (polls, edge->first_ns, FALSE, out->polls);
  gint64 parked_to_ns = cut_off (parks, edge->first_ns, TRUE, out->parks);

  out->frontier_ns = MAX (out->frontier_ns, MAX (polled_to_ns, parked_to_ns));
  *gap_ns = MIN (*gap_ns, edge->first_ns);
}

/* Whether the worker was in a poll or parked before: what it did since the gap before @edge is not known then. */
static gboolean
begins_with_end (const PlRunEdge *edge)
{
  return (edge->has_leading_end && edge->leading_end_ns == edge->first_ns)
         || (edge->has_leading_unpark && edge->leading_unpark_ns == edge->first_ns);
}

/* Notes what is not known between the last gap and the first event behind it. */
static void
note_hole (const PlRunEdge *edge, gint64 *gap_ns, GArray *holes)
{
  PlHole hole = { *gap_ns, edge->first_ns };

  if (is_repetition (edge))
    return;
  if (hole.from_ns < hole.to_ns && begins_with_end (edge))
    g_array_append_val (holes, hole);
  *gap_ns = G_MAXINT64;
}

static void
join_polls (const PlRunEdge *edge, GArray *waiting, PlJoined *out)
{
  PlPoll poll;

  if (edge->has_poll_events
      && continue_run (waiting, edge, edge->has_leading_end, edge->leading_end_ns, 0, out->polls, &out->n_unpaired))
    out->n_unpaired++;
  if (!edge->has_open_poll || repeats (waiting, edge, edge->open.start_ns))
    return;
  poll = edge->open;
  poll.duration_ns = MAX (edge->known_to_ns, poll.start_ns) - poll.start_ns;
  if (wait_for_end (waiting, edge, poll))
    out->n_unpaired++;
}

static void
join_parks (const PlRunEdge *edge, GArray *waiting, PlJoined *out)
{
  guint64 ignored = 0;
  PlPoll park = { .start_ns = edge->park_ns, .worker = edge->worker, .local_queue = edge->park_queue };

  if (edge->has_park_events)
    continue_run (waiting, edge, edge->has_leading_unpark, edge->leading_unpark_ns, edge->unpark_queue, out->parks,
                  &ignored);
  if (edge->has_open_park && !repeats (waiting, edge, edge->park_ns))
    wait_for_end (waiting, edge, park);
}

struct _PlJoin
{
  GArray *polls; /* Waiting */
  GArray *parks; /* Waiting */
  PlJoined joined; /* but for what is open */
  gboolean has_last;
  PlRunEdge last;  /* in order of time */
  gint64 gap_ns;   /* the first gap since the last event, or G_MAXINT64 */
};

static void
joined_init (PlJoined *self)
{
  *self = (PlJoined) {
    .polls = g_array_new (FALSE, FALSE, sizeof (PlPoll)),
    .parks = g_array_new (FALSE, FALSE, sizeof (PlPoll)),
    .holes = g_array_new (FALSE, FALSE, sizeof (PlHole)),
    .open_polls = g_array_new (FALSE, FALSE, sizeof (PlPoll)),
    .open_park_ns = G_MININT64,
    .first_ns = G_MAXINT64,
    .frontier_ns = G_MININT64,
  };
}

/**
 * pl_join_new:
 *
 * Returns: (transfer full): a worker of which nothing is known
 */
PlJoin *
pl_join_new (void)
{
  PlJoin *self = g_new0 (PlJoin, 1);

  self->polls = g_array_new (FALSE, FALSE, sizeof (Waiting));
  self->parks = g_array_new (FALSE, FALSE, sizeof (Waiting));
  self->gap_ns = G_MAXINT64;
  joined_init (&self->joined);
  return self;
}

/**
 * pl_join_copy:
 *
 * O(starts that wait for their end), when nothing was joined since pl_join_take().
 *
 * Returns: (transfer full): one that goes on from the same place on its own
 */
PlJoin *
pl_join_copy (const PlJoin *self)
{
  PlJoin *copy = g_new (PlJoin, 1);

  *copy = *self;
  copy->polls = g_array_copy (self->polls);
  copy->parks = g_array_copy (self->parks);
  copy->joined.polls = g_array_copy (self->joined.polls);
  copy->joined.parks = g_array_copy (self->joined.parks);
  copy->joined.holes = g_array_copy (self->joined.holes);
  copy->joined.open_polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  return copy;
}

void
pl_join_free (PlJoin *self)
{
  g_array_unref (self->polls);
  g_array_unref (self->parks);
  pl_join_clear (&self->joined);
  g_free (self);
}

/**
 * pl_join_go_on:
 * @edges: (element-type PlRunEdge): runs of one worker, in the order of the files; is sorted by time
 *
 * Pairs what the batches left over. O(n log n) in the number of runs.
 *
 * Returns: whether it could: %FALSE, and nothing is done, when the first of them belongs before one of an earlier call
 */
gboolean
pl_join_go_on (PlJoin *self, GArray *edges)
{
  g_array_sort (edges, compare_edges);
  if (edges->len == 0)
    return TRUE;
  if (self->has_last && compare_edges (&self->last, edges->data) > 0)
    return FALSE;
  for (guint i = 0; i < edges->len; i++)
    {
      const PlRunEdge *edge = &g_array_index (edges, PlRunEdge, i);

      if (edge->is_gap)
        {
          join_gap (edge, self->polls, self->parks, &self->gap_ns, &self->joined);
          continue;
        }
      note_hole (edge, &self->gap_ns, self->joined.holes);
      join_polls (edge, self->polls, &self->joined);
      join_parks (edge, self->parks, &self->joined);
      self->joined.first_ns = MIN (self->joined.first_ns, edge->first_ns);
      self->joined.frontier_ns = MAX (self->joined.frontier_ns, edge->last_ns);
    }
  self->last = g_array_index (edges, PlRunEdge, edges->len - 1);
  self->has_last = TRUE;
  return TRUE;
}

static gint64
earliest (GArray *waiting, gint64 at_ns)
{
  for (guint i = 0; i < waiting->len; i++)
    at_ns = MIN (at_ns, g_array_index (waiting, Waiting, i).poll.start_ns);
  return at_ns;
}

/**
 * pl_join_break:
 * @at_ns: since when nothing is known of the worker
 *
 * Ends what is open, as a gap does at the end of the data.
 */
void
pl_join_break (PlJoin *self, gint64 at_ns)
{
  PlRunEdge edge = { .is_gap = TRUE, .first_ns = at_ns };

  join_gap (&edge, self->polls, self->parks, &self->gap_ns, &self->joined);
}

/**
 * pl_join_get_waiting_ns:
 *
 * Returns: the earliest start that waits for its end, %G_MAXINT64 for none
 */
gint64
pl_join_get_waiting_ns (const PlJoin *self)
{
  return earliest (self->parks, earliest (self->polls, G_MAXINT64));
}

static GArray *
replace (GArray **array, GArray *by)
{
  GArray *old = *array;

  *array = by;
  return old;
}

static void
find_open (const PlJoin *self, PlJoined *out)
{
  for (guint i = 0; i < self->polls->len; i++)
    {
      const Waiting *left = &g_array_index (self->polls, Waiting, i);

      if (left->stretch == self->last.stretch)
        g_array_append_val (out->open_polls, left->poll);
      else
        out->n_unpaired++;
    }
  for (guint i = 0; i < self->parks->len; i++)
    {
      const PlPoll *park = &g_array_index (self->parks, Waiting, i).poll;

      if (g_array_index (self->parks, Waiting, i).stretch != self->last.stretch || park->start_ns < out->open_park_ns)
        continue;
      out->open_park_ns = park->start_ns;
      out->open_park_queue = park->local_queue;
    }
}

/**
 * pl_join_take:
 * @out_joined: (out): what was joined since the last call, and what would be open if the data ended here; free with
 *   pl_join_clear()
 *
 * Takes what was joined; the number of what is not paired and the times are over all.
 */
void
pl_join_take (PlJoin *self, PlJoined *out_joined)
{
  *out_joined = self->joined;
  out_joined->polls = replace (&self->joined.polls, g_array_new (FALSE, FALSE, sizeof (PlPoll)));
  out_joined->parks = replace (&self->joined.parks, g_array_new (FALSE, FALSE, sizeof (PlPoll)));
  out_joined->holes = g_array_copy (self->joined.holes); /* of all calls: a lane's gaps are built anew each time */
  out_joined->open_polls = replace (&self->joined.open_polls, g_array_new (FALSE, FALSE, sizeof (PlPoll)));
  find_open (self, out_joined);
}

void
pl_join_clear (PlJoined *joined)
{
  g_array_unref (joined->polls);
  g_array_unref (joined->parks);
  g_array_unref (joined->holes);
  g_array_unref (joined->open_polls);
}
