/* pl-run.c: pairing of the starts and ends that one batch holds of one worker
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-run.h"

#include <string.h>

/* More workers than any runtime has: what a hostile file may make us allocate stays bounded. */
#define MAX_WORKERS 65536

static void
run_free (gpointer data)
{
  PlRun *self = data;

  pl_block_builder_free (self->polls);
  pl_block_builder_free (self->parks);
  g_clear_pointer (&self->collected, g_array_unref);
  g_free (self);
}

/**
 * pl_runs_new:
 * @collect: keep the events of a batch and sort them by time before they are paired
 *
 * Returns: (transfer full): runs for one decoder
 */
PlRuns *
pl_runs_new (gboolean collect)
{
  PlRuns *self = g_new0 (PlRuns, 1);

  self->is_collecting = collect;
  self->large = g_hash_table_new (g_int64_hash, g_int64_equal);
  self->all = g_ptr_array_new_with_free_func (run_free);
  self->in_batch = g_ptr_array_new ();
  self->whole = g_ptr_array_new ();
  return self;
}

void
pl_runs_free (PlRuns *self)
{
  g_hash_table_unref (self->large);
  g_ptr_array_unref (self->in_batch);
  g_ptr_array_unref (self->whole);
  g_ptr_array_unref (self->all);
  g_free (self);
}

/**
 * pl_runs_lookup_slow:
 *
 * Returns: (nullable): the run of @worker, made if it is new; %NULL when there are 65,536 already
 */
PlRun *
pl_runs_lookup_slow (PlRuns *self, guint64 worker)
{
  PlRun *run = g_hash_table_lookup (self->large, &worker);

  if (run != NULL || self->all->len >= MAX_WORKERS)
    return run;

  run = g_new0 (PlRun, 1);
  run->runs = self;
  run->edge.worker = worker;
  run->polls = pl_block_builder_new (PL_BLOCK_POLLS);
  run->parks = pl_block_builder_new (PL_BLOCK_PARKS);
  run->polls->in_slab = run->parks->in_slab = TRUE;
  g_ptr_array_add (self->all, run);
  if (worker < G_N_ELEMENTS (self->small))
    self->small[worker] = run;
  else
    g_hash_table_insert (self->large, &run->edge.worker, run);
  return run;
}

static void
begin (PlRun *self, gint64 at_ns)
{
  guint64 worker = self->edge.worker;

  memset (&self->edge, 0, sizeof self->edge);
  self->edge.worker = worker;
  self->edge.first_ns = at_ns;
  self->has_open = self->is_parked = self->has_many_tids = FALSE;
  self->last_poll_ns = self->last_park_ns = G_MININT64;
  self->tid = 0;
  self->in_batch = TRUE;
}

/* The run has its first event in the batch, or behind a gap. */
static void
enter (PlRun *self)
{
  PlRuns *runs = self->runs;

  self->place = runs->in_batch->len;
  g_ptr_array_add (runs->in_batch, self);
  if (!self->is_whole)
    g_ptr_array_add (runs->whole, self);
  self->is_whole = TRUE;
}

static void
note_tid (PlRun *self, guint32 tid)
{
  if (tid == self->tid || tid == 0)
    return;
  if (self->tid != 0)
    self->has_many_tids = TRUE;
  self->tid = tid;
}

static void
pair_poll (PlRun *self, const PlRunEvent *event)
{
  gboolean is_first = !self->edge.has_poll_events;

  if (event->at_ns < self->last_poll_ns)
    self->runs->is_unsorted = TRUE;
  self->edge.has_poll_events = TRUE;
  self->edge.first_ns = MIN (self->edge.first_ns, event->at_ns);
  self->last_poll_ns = event->at_ns;

  if (event->kind == PL_RUN_POLL_START)
    {
      /* A start after a start: the first has lost its end. */
      if (self->has_open)
        self->runs->n_unpaired++;
      self->has_open = TRUE;
      self->open_ns = event->at_ns;
      self->open_task = event->task_id;
      self->open_loc = event->spawn_loc;
      self->open_queue = event->queue;
    }
  else if (self->has_open)
    {
      self->has_open = FALSE;
      pl_block_builder_add_poll (self->polls, self->open_ns, MAX (event->at_ns - self->open_ns, 0), self->open_task,
                                 self->open_loc, self->open_queue);
    }
  else if (is_first)
    {
      self->edge.has_leading_end = TRUE;
      self->edge.leading_end_ns = event->at_ns;
      /* The poll that ends here belongs between the blocks, once its start is known. */
      pl_block_builder_seal (self->polls);
    }
  else
    self->runs->n_unpaired++;
}

static void
pair_park (PlRun *self, const PlRunEvent *event)
{
  gboolean is_first = !self->edge.has_park_events;

  if (event->at_ns < self->last_park_ns)
    self->runs->is_unsorted = TRUE;
  self->edge.has_park_events = TRUE;
  self->edge.first_ns = MIN (self->edge.first_ns, event->at_ns); /* a batch may hold all polls before all parks */
  self->last_park_ns = event->at_ns;
  note_tid (self, event->tid);

  if (event->kind == PL_RUN_PARK)
    {
      self->is_parked = TRUE;
      self->park_ns = event->at_ns;
      self->park_queue = event->queue;
    }
  else if (self->is_parked)
    {
      self->is_parked = FALSE;
      pl_block_builder_add_park (self->parks, self->park_ns, MAX (event->at_ns - self->park_ns, 0),
                                 self->park_queue, event->queue);
    }
  else if (is_first)
    {
      self->edge.has_leading_unpark = TRUE;
      self->edge.leading_unpark_ns = event->at_ns;
      self->edge.unpark_queue = event->queue;
      pl_block_builder_seal (self->parks);
    }
}

static void
pair (PlRun *self, const PlRunEvent *event)
{
  if (event->kind == PL_RUN_POLL_START || event->kind == PL_RUN_POLL_END)
    pair_poll (self, event);
  else
    pair_park (self, event);
}

/**
 * pl_run_event_slow:
 * @event: any event of the worker
 *
 * What the inline functions do, for the cases that they leave out: the first event of a run, halves without their
 * other half, an unknown thread, events out of order.
 */
void
pl_run_event_slow (PlRun *self, PlRunEvent event)
{
  if (self->runs->is_collecting)
    {
      if (self->collected == NULL)
        self->collected = g_array_new (FALSE, FALSE, sizeof (PlRunEvent));
      if (self->collected->len == 0)
        enter (self);
      g_array_append_val (self->collected, event);
      return;
    }
  if (!self->in_batch)
    {
      begin (self, event.at_ns);
      enter (self);
    }
  /* The inline functions skip the slow path once the first event has been noted. */
  pair (self, &event);
}

static int
compare_events (gconstpointer a, gconstpointer b, gpointer user_data)
{
  const PlRunEvent *first = a;
  const PlRunEvent *second = b;

  return (first->at_ns > second->at_ns) - (first->at_ns < second->at_ns);
}

static void
pair_collected (PlRun *self)
{
  /* g_qsort_with_data() is stable: events of equal time keep their order. */
  g_qsort_with_data (self->collected->data, (int) self->collected->len, sizeof (PlRunEvent), compare_events, NULL);
  begin (self, g_array_index (self->collected, PlRunEvent, 0).at_ns);
  for (guint i = 0; i < self->collected->len; i++)
    pair (self, &g_array_index (self->collected, PlRunEvent, i));
  g_array_set_size (self->collected, 0);
}

static void
finish (PlRun *self, guint32 tid, gint64 known_to_ns, GArray *edges)
{
  PlRunEdge *edge = &self->edge;

  edge->tid_is_own = self->tid != 0;
  edge->tid = tid;
  edge->last_ns = MAX (self->last_poll_ns, self->last_park_ns);
  edge->known_to_ns = known_to_ns;
  edge->has_open_poll = self->has_open;
  edge->has_open_park = self->is_parked;
  edge->park_ns = self->park_ns;
  edge->park_queue = self->park_queue;
  edge->open = (PlPoll) {
    .start_ns = self->open_ns,
    .task_id = self->open_task,
    .worker = edge->worker,
    .spawn_loc = self->open_loc,
    .local_queue = self->open_queue,
    .flags = PL_POLL_OPEN,
  };
  g_array_append_val (edges, *edge);
  /* The first event of each kind in the next batch is to take the slow path again. */
  edge->has_poll_events = edge->has_park_events = FALSE;
  self->in_batch = FALSE;
}

/* The last event of a worker in the batch; G_MININT64 when there is none. */
static gint64
find_last_ns (const PlRuns *self)
{
  gint64 last_ns = G_MININT64;

  for (guint i = 0; i < self->in_batch->len; i++)
    {
      const PlRun *run = g_ptr_array_index (self->in_batch, i);

      last_ns = MAX (last_ns, MAX (run->last_poll_ns, run->last_park_ns));
    }
  return last_ns;
}

/**
 * pl_runs_get_last_ns:
 * @otherwise_ns: what to return where no worker had an event in the batch so far
 *
 * Returns: the time of the last event of a worker
 */
gint64
pl_runs_get_last_ns (const PlRuns *self, gint64 otherwise_ns)
{
  gint64 last_ns = find_last_ns (self);

  return last_ns > G_MININT64 ? last_ns : otherwise_ns;
}

/* Whose buffer the batch is, as far as the thread ids of its parks and unparks tell, and how far it reaches. */
static guint32
describe_batch (const PlRuns *self, gint64 *out_known_to_ns)
{
  gboolean is_merged = FALSE;
  guint32 batch_tid = 0;

  *out_known_to_ns = find_last_ns (self);
  for (guint i = 0; i < self->in_batch->len; i++)
    {
      const PlRun *run = g_ptr_array_index (self->in_batch, i);

      if (run->has_many_tids || (batch_tid != 0 && run->tid != 0 && run->tid != batch_tid))
        is_merged = TRUE;
      if (run->tid != 0)
        batch_tid = run->tid;
    }
  return is_merged ? 0 : batch_tid;
}

/**
 * pl_runs_end_batch:
 * @edges: (element-type PlRunEdge): where the edges of the batch's runs are added
 *
 * Ends the runs of a batch.
 */
void
pl_runs_end_batch (PlRuns *self, GArray *edges)
{
  gint64 known_to;
  guint32 tid;

  for (guint i = 0; i < self->in_batch->len && self->is_collecting; i++)
    pair_collected (g_ptr_array_index (self->in_batch, i));
  tid = describe_batch (self, &known_to);
  for (guint i = 0; i < self->in_batch->len; i++)
    finish (g_ptr_array_index (self->in_batch, i), tid, known_to, edges);
  g_ptr_array_set_size (self->in_batch, 0);
}

static gboolean
has_begun (const PlRun *self)
{
  return self->in_batch || (self->collected != NULL && self->collected->len > 0);
}

static void
end_run (PlRuns *self, PlRun *run, GArray *edges)
{
  g_ptr_array_remove_index_fast (self->in_batch, run->place);
  if (run->place < self->in_batch->len)
    ((PlRun *) g_ptr_array_index (self->in_batch, run->place))->place = run->place;
  if (self->is_collecting)
    pair_collected (run);
  finish (run, run->has_many_tids ? 0 : run->tid, MAX (run->last_poll_ns, run->last_park_ns), edges);
}

static void
add_gap (PlRun *run, gint64 from_ns, GArray *edges)
{
  PlRunEdge edge = { .worker = run->edge.worker, .is_gap = TRUE, .first_ns = from_ns };

  /* What is cut off here belongs between the blocks. */
  pl_block_builder_seal (run->polls);
  pl_block_builder_seal (run->parks);
  g_array_append_val (edges, edge);
}

/**
 * pl_runs_break:
 * @gap: what is missing here in the stream
 * @edges: (element-type PlRunEdge): where the edges of the runs that end here are added, and those of the gap
 *
 * Ends the runs of the workers concerned. A gap of all gives no edge to those who had no event since the last one.
 */
void
pl_runs_break (PlRuns *self, const PlGap *gap, GArray *edges)
{
  PlRun *run;

  if (pl_gap_is_of_all (gap))
    {
      pl_runs_end_batch (self, edges);
      for (guint i = 0; i < self->whole->len; i++)
        {
          run = g_ptr_array_index (self->whole, i);
          run->is_whole = FALSE;
          add_gap (run, gap->from_ns, edges);
        }
      g_ptr_array_set_size (self->whole, 0);
    }
  else if (gap->worker != TRC_WORKER_NONE && (run = pl_runs_lookup (self, gap->worker)) != NULL)
    {
      if (has_begun (run))
        end_run (self, run, edges);
      add_gap (run, gap->from_ns, edges);
    }
}

/**
 * pl_runs_take_lanes:
 * @lanes: (element-type PlPieceLane): where they are added
 *
 * Hands over the blocks of all workers that have had an event. Only between batches.
 */
void
pl_runs_take_lanes (PlRuns *self, GArray *lanes)
{
  for (guint i = 0; i < self->all->len; i++)
    {
      PlRun *run = g_ptr_array_index (self->all, i);
      PlPieceLane lane = {
        run->edge.worker,
        pl_block_builder_take (run->polls),
        pl_block_builder_take (run->parks),
        g_array_new (FALSE, FALSE, sizeof (PlPoll)),
      };

      g_array_append_val (lanes, lane);
    }
}

static void
copy_free (gpointer data)
{
  PlRun *self = data;

  if (self->runs->is_collecting)
    {
      pl_block_builder_free (self->polls);
      pl_block_builder_free (self->parks);
      g_array_unref (self->collected);
    }
  g_free (self);
}

/* A run of the current batch to be ended in its place. Events that have to be sorted go to builders of its own. */
static PlRun *
copy_run (const PlRun *run, PlRuns *scratch)
{
  PlRun *copy = g_new (PlRun, 1);

  *copy = *run;
  copy->runs = scratch;
  if (scratch->is_collecting)
    {
      copy->collected = g_array_copy (run->collected);
      copy->polls = pl_block_builder_new (PL_BLOCK_POLLS);
      copy->parks = pl_block_builder_new (PL_BLOCK_PARKS);
      pair_collected (copy);
    }
  return copy;
}

static void
peek_lane (const PlRun *run, GArray *lanes)
{
  PlPieceLane lane = {
    run->edge.worker,
    pl_block_builder_peek (run->polls),
    pl_block_builder_peek (run->parks),
    g_array_new (FALSE, FALSE, sizeof (PlPoll)),
  };

  g_array_append_val (lanes, lane);
}

/**
 * pl_runs_peek:
 * @lanes: (element-type PlPieceLane): where the blocks of all workers are added
 * @edges: (element-type PlRunEdge): where the edges of the current batch's runs are added
 *
 * What pl_runs_end_batch() and pl_runs_take_lanes() would give, while the batch goes on. A worker may get two lanes.
 *
 * Returns: the number of unpaired polls there would be
 */
guint64
pl_runs_peek (const PlRuns *self, GArray *lanes, GArray *edges)
{
  PlRuns scratch = { .is_collecting = self->is_collecting, .n_unpaired = self->n_unpaired };
  gint64 known_to;
  guint32 tid;

  scratch.in_batch = g_ptr_array_new_with_free_func (copy_free);
  for (guint i = 0; i < self->in_batch->len; i++)
    g_ptr_array_add (scratch.in_batch, copy_run (g_ptr_array_index (self->in_batch, i), &scratch));
  tid = describe_batch (&scratch, &known_to);
  for (guint i = 0; i < scratch.in_batch->len; i++)
    {
      finish (g_ptr_array_index (scratch.in_batch, i), tid, known_to, edges);
      if (self->is_collecting)
        peek_lane (g_ptr_array_index (scratch.in_batch, i), lanes);
    }
  for (guint i = 0; i < self->all->len; i++)
    peek_lane (g_ptr_array_index (self->all, i), lanes);
  g_ptr_array_unref (scratch.in_batch);
  return scratch.n_unpaired;
}
