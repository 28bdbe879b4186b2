/* test-lane-reference.c: what a lane tells of random traces is what looking at every interval gives
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "test-trace.h"

#define N_WORKERS 3
#define N_STEPS 4000
#define MS G_GINT64_CONSTANT (1000000)

/* Four days of uptime, so that nothing may go through a double. */
#define UPTIME_NS (G_GINT64_CONSTANT (4) * 24 * 3600 * 1000 * MS)

/* From when on a stretch without events is a gap in the data. */
#define SILENCE_NS (100 * MS)

typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
} Interval;

typedef struct
{
  gint64 at_ns;
  int depth;
} Depth;

/* Everything that was written about one worker, in time order. */
typedef struct
{
  GArray *polls;    /* PlPoll of the main row */
  GArray *detached; /* PlPoll */
  GArray *parks;    /* Interval */
  GArray *awake;    /* Interval: polls of the main row and parks together */
  GArray *depths;   /* Depth */
  gint64 first_ns;
  gint64 last_ns;
} Worker;

typedef struct
{
  GRand *random;
  Worker workers[N_WORKERS];
  TestTrace *bytes;
  PlTrace *trace;
} Fixture;

static gint64
random_duration (GRand *random)
{
  static const int limits[] = { 2, 100, 10000, 1000000, 20000000 };

  return g_rand_int_range (random, 0, limits[g_rand_int_range (random, 0, G_N_ELEMENTS (limits))]);
}

static int
add_depth (Fixture *self, Worker *worker, gint64 at_ns)
{
  Depth depth = { at_ns, g_rand_int_range (self->random, 0, 256) };

  test_trace_local_queue (self->bytes, (guint8) depth.depth);
  g_array_append_val (worker->depths, depth);
  return depth.depth;
}

static gint64
write_poll (Fixture *self, guint id, gint64 at_ns, gint64 duration_ns)
{
  Worker *worker = &self->workers[id];
  PlPoll poll = { at_ns, duration_ns, g_rand_int (self->random), id, 0, 0, 0 };
  Interval awake = { at_ns, at_ns + duration_ns };

  add_depth (self, worker, at_ns);
  test_trace_poll_start (self->bytes, id, poll.task_id, "a.rs:1:1", at_ns);
  /* Now and then the thread's buffer is full just then. */
  if (g_rand_int_range (self->random, 0, 50) == 0)
    test_trace_header (self->bytes);
  test_trace_poll_end (self->bytes, id, at_ns + duration_ns);
  g_array_append_val (worker->polls, poll);
  g_array_append_val (worker->awake, awake);
  return at_ns + duration_ns;
}

static gint64
write_park (Fixture *self, guint id, guint32 tid, gint64 at_ns, gint64 duration_ns)
{
  Worker *worker = &self->workers[id];
  Interval park = { at_ns, at_ns + duration_ns };

  add_depth (self, worker, at_ns);
  test_trace_park (self->bytes, id, tid, at_ns);
  if (g_rand_int_range (self->random, 0, 50) == 0)
    test_trace_header (self->bytes);
  add_depth (self, worker, at_ns + duration_ns);
  test_trace_unpark (self->bytes, id, tid, at_ns + duration_ns);
  g_array_append_val (worker->parks, park);
  g_array_append_val (worker->awake, park);
  return at_ns + duration_ns;
}

/* A poll that loses its worker: the thread's own batch, and what another thread polls meanwhile in a second one. */
static gint64
write_hand_over (Fixture *self, guint id, gint64 at_ns)
{
  gint64 duration_ns = 1 + random_duration (self->random) + 1000;
  PlPoll poll = { at_ns + 2, duration_ns, 7, id, 0, 0, PL_POLL_DETACHED };
  gint64 next_ns;

  test_trace_header (self->bytes);
  write_park (self, id, 1000 + id, at_ns, 1);
  test_trace_poll (self->bytes, id, 7, "b.rs:2:2", poll.start_ns, duration_ns);
  test_trace_header (self->bytes);
  next_ns = write_park (self, id, 2000 + id, at_ns + 4, 1);
  next_ns = write_poll (self, id, next_ns + 1, 10);
  test_trace_header (self->bytes);
  g_array_append_val (self->workers[id].detached, poll);
  return MAX (next_ns, pl_poll_end_ns (&poll));
}

static gint64
write_step (Fixture *self, guint id, gint64 at_ns)
{
  switch (g_rand_int_range (self->random, 0, 200))
    {
    case 0:
      return at_ns + SILENCE_NS + 1 + random_duration (self->random);
    case 1:
      return write_hand_over (self, id, at_ns);
    case 2:
      test_trace_header (self->bytes);
      return at_ns;
    default:
      if (g_rand_int_range (self->random, 0, 3) == 0)
        return write_park (self, id, 1000 + id, at_ns, random_duration (self->random));
      return write_poll (self, id, at_ns, random_duration (self->random));
    }
}

static void
set_up (Fixture *self, gconstpointer data)
{
  guint32 seed = data != NULL ? GPOINTER_TO_UINT (data) : (guint32) g_test_rand_int ();

  g_test_message ("seed %u", seed);
  self->random = g_rand_new_with_seed (seed);
  self->bytes = test_trace_new ();
  for (guint id = 0; id < N_WORKERS; id++)
    {
      Worker *worker = &self->workers[id];
      gint64 at_ns = UPTIME_NS + id * 3 * MS;

      worker->polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
      worker->detached = g_array_new (FALSE, FALSE, sizeof (PlPoll));
      worker->parks = g_array_new (FALSE, FALSE, sizeof (Interval));
      worker->awake = g_array_new (FALSE, FALSE, sizeof (Interval));
      worker->depths = g_array_new (FALSE, FALSE, sizeof (Depth));
      test_trace_header (self->bytes);
      for (guint i = 0; i < N_STEPS; i++)
        at_ns = write_step (self, id, at_ns) + 1 + g_rand_int_range (self->random, 0, 2000);
      at_ns = write_poll (self, id, at_ns, 5);
      worker->first_ns = g_array_index (worker->awake, Interval, 0).from_ns;
      worker->last_ns = at_ns;
    }
  self->trace = test_trace_load (self->bytes);
  g_assert_cmpuint (pl_trace_get_n_lanes (self->trace), ==, N_WORKERS);
  g_assert_cmpuint (pl_trace_get_poll_totals (self->trace)->n_unpaired, ==, 0);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  for (guint id = 0; id < N_WORKERS; id++)
    {
      g_array_unref (self->workers[id].polls);
      g_array_unref (self->workers[id].detached);
      g_array_unref (self->workers[id].parks);
      g_array_unref (self->workers[id].awake);
      g_array_unref (self->workers[id].depths);
    }
  g_rand_free (self->random);
  test_trace_free (self->bytes);
  pl_trace_unref (self->trace);
}

static gint64
overlap (gint64 from_ns, gint64 to_ns, gint64 start_ns, gint64 end_ns)
{
  return MAX (MIN (to_ns, end_ns) - MAX (from_ns, start_ns), 0);
}

static gboolean
touches (const PlPoll *poll, gint64 from_ns, gint64 to_ns)
{
  return poll->start_ns < to_ns && (pl_poll_end_ns (poll) > from_ns || poll->start_ns >= from_ns);
}

static gint64
sum_polls (GArray *polls, gint64 from_ns, gint64 to_ns, gint64 *out_longest_ns, guint64 *n_started)
{
  gint64 sum = 0;

  *out_longest_ns = 0;
  for (guint i = 0; i < polls->len; i++)
    {
      const PlPoll *poll = &g_array_index (polls, PlPoll, i);

      sum += overlap (from_ns, to_ns, poll->start_ns, pl_poll_end_ns (poll));
      if (touches (poll, from_ns, to_ns))
        *out_longest_ns = MAX (*out_longest_ns, poll->duration_ns);
      *n_started += poll->start_ns >= from_ns && poll->start_ns < to_ns;
    }
  return sum;
}

static gint64
sum_unknown (Fixture *self, const Worker *worker, gint64 from_ns, gint64 to_ns)
{
  gint64 at_ns = worker->first_ns;
  gint64 sum = overlap (from_ns, to_ns, G_MININT64 / 2, worker->first_ns)
               + overlap (from_ns, to_ns, worker->last_ns, G_MAXINT64 / 2);

  for (guint i = 0; i < worker->awake->len; i++)
    {
      const Interval *awake = &g_array_index (worker->awake, Interval, i);

      if (awake->from_ns - at_ns > SILENCE_NS)
        sum += overlap (from_ns, to_ns, at_ns, awake->from_ns);
      at_ns = MAX (at_ns, awake->to_ns);
    }
  return sum;
}

static int
max_depth (const Worker *worker, gint64 from_ns, gint64 to_ns)
{
  int carried = -1;
  int deepest = -1;

  for (guint i = 0; i < worker->depths->len; i++)
    {
      const Depth *depth = &g_array_index (worker->depths, Depth, i);

      if (depth->at_ns < from_ns)
        carried = depth->depth;
      else if (depth->at_ns < to_ns)
        deepest = MAX (deepest, depth->depth);
    }
  return MAX (carried, deepest);
}

static void
assert_slice (Fixture *self, guint id, gint64 from_ns, gint64 to_ns, const PlLaneSlice *slice)
{
  const Worker *worker = &self->workers[id];
  gint64 parked = 0;
  gint64 longest;
  gint64 detached_longest;
  guint64 n_polls = 0;

  for (guint i = 0; i < worker->parks->len; i++)
    parked += overlap (from_ns, to_ns, g_array_index (worker->parks, Interval, i).from_ns,
                       g_array_index (worker->parks, Interval, i).to_ns);
  g_assert_cmpint (slice->polling_ns, ==, sum_polls (worker->polls, from_ns, to_ns, &longest, &n_polls));
  sum_polls (worker->detached, from_ns, to_ns, &detached_longest, &n_polls);
  g_assert_cmpint (slice->parked_ns, ==, parked);
  g_assert_cmpint (slice->unknown_ns, ==, sum_unknown (self, worker, from_ns, to_ns));
  g_assert_cmpint (slice->longest_ns, ==, longest);
  g_assert_cmpint (slice->detached_longest_ns, ==, detached_longest);
  g_assert_cmpuint (slice->n_polls, ==, n_polls);
  g_assert_cmpint (slice->open_ns, ==, 0);
  g_assert_cmpint (slice->max_queue, ==, max_depth (worker, from_ns, to_ns));
}

static void
assert_slices (Fixture *self, guint id, gint64 from_ns, gint64 to_ns, guint n)
{
  g_autofree PlLaneSlice *slices = g_new (PlLaneSlice, n);
  gint64 left = from_ns;

  pl_lane_get_slices (pl_trace_find_lane (self->trace, id, NULL), from_ns, to_ns, n, slices);
  for (guint i = 0; i < n; i++)
    {
      /* Borders as the documentation has them: equal parts, exactly from from_ns to to_ns. */
      gint64 right = from_ns + (gint64) ((__int128) (to_ns - from_ns) * (i + 1) / n);

      assert_slice (self, id, left, MAX (right, left + 1), &slices[i]);
      left = right;
    }
}

static void
test_slices (Fixture *self, gconstpointer data)
{
  gint64 start = pl_trace_get_start_ns (self->trace);
  gint64 end = pl_trace_get_end_ns (self->trace);

  for (guint id = 0; id < N_WORKERS; id++)
    {
      assert_slices (self, id, start, end + 1, 1);
      assert_slices (self, id, start, end + 1, 97);
      assert_slices (self, id, start - 1000, end + 1000, 10);
      assert_slices (self, id, start - 2000, start - 1000, 3);
      assert_slices (self, id, end + 1000, end + 2000, 3);
    }
  for (guint i = 0; i < 300; i++)
    {
      gint64 span = 1 + random_duration (self->random);
      gint64 from = start + (gint64) (g_rand_double (self->random) * (double) (end - start));

      assert_slices (self, i % N_WORKERS, from, from + span, 1 + (guint) g_rand_int_range (self->random, 0, 8));
    }
}

/* H34: down to single nanoseconds around borders of intervals. */
static void
test_nanosecond_slices (Fixture *self, gconstpointer data)
{
  for (guint id = 0; id < N_WORKERS; id++)
    for (guint i = 0; i < self->workers[id].awake->len; i += 97)
      {
        const Interval *awake = &g_array_index (self->workers[id].awake, Interval, i);

        assert_slices (self, id, awake->from_ns - 5, awake->from_ns + 5, 10);
        assert_slices (self, id, awake->to_ns - 5, awake->to_ns + 5, 10);
        assert_slices (self, id, awake->to_ns, awake->to_ns + 1, 1);
        assert_slices (self, id, awake->from_ns - 1, awake->from_ns + 1, 7);
      }
}

static void
test_sums_over_slices (Fixture *self, gconstpointer data)
{
  gint64 start = pl_trace_get_start_ns (self->trace);
  gint64 end = pl_trace_get_end_ns (self->trace) + 1;

  for (guint n = 1; n < 3000; n = n * 3 + 1)
    for (guint id = 0; id < N_WORKERS; id++)
      {
        const PlLane *lane = pl_trace_find_lane (self->trace, id, NULL);
        g_autofree PlLaneSlice *slices = g_new (PlLaneSlice, n);
        PlLaneSlice whole;
        PlLaneSlice sum = { 0 };

        pl_lane_get_slice (lane, start, end, &whole);
        pl_lane_get_slices (lane, start, end, n, slices);
        for (guint i = 0; i < n; i++)
          {
            sum.polling_ns += slices[i].polling_ns;
            sum.parked_ns += slices[i].parked_ns;
            sum.unknown_ns += slices[i].unknown_ns;
            sum.n_polls += slices[i].n_polls;
            sum.longest_ns = MAX (sum.longest_ns, slices[i].longest_ns);
          }
        g_assert_cmpint (sum.polling_ns, ==, whole.polling_ns);
        g_assert_cmpint (sum.parked_ns, ==, whole.parked_ns);
        g_assert_cmpint (sum.unknown_ns, ==, whole.unknown_ns);
        g_assert_cmpuint (sum.n_polls, ==, pl_lane_get_n_polls (lane));
        g_assert_cmpint (sum.longest_ns, ==, whole.longest_ns);
      }
}

/* The first poll of both rows after a time, or the last before one. */
static const PlPoll *
find_by_looking (const Worker *worker, gint64 at_ns, gint64 min_ns, int direction)
{
  GArray *rows[] = { worker->polls, worker->detached };
  const PlPoll *best = NULL;

  for (guint row = 0; row < 2; row++)
    for (guint i = 0; i < rows[row]->len; i++)
      {
        const PlPoll *poll = &g_array_index (rows[row], PlPoll, i);

        if (poll->duration_ns < min_ns || (poll->start_ns - at_ns) * direction <= 0)
          continue;
        if (best == NULL || (best->start_ns - poll->start_ns) * direction > 0)
          best = poll;
      }
  return best;
}

static void
assert_same_poll (const PlPoll *poll, const PlPoll *expected)
{
  g_assert_cmpint (poll->start_ns, ==, expected->start_ns);
  g_assert_cmpint (poll->duration_ns, ==, expected->duration_ns);
  g_assert_cmpuint (poll->worker, ==, expected->worker);
  g_assert_cmpuint (poll->task_id, ==, expected->task_id);
  g_assert_cmpuint (poll->flags, ==, expected->flags);
}

static void
test_next_and_previous (Fixture *self, gconstpointer data)
{
  gint64 start = pl_trace_get_start_ns (self->trace);
  gint64 end = pl_trace_get_end_ns (self->trace);

  for (guint i = 0; i < 2000; i++)
    {
      guint id = i % N_WORKERS;
      const Worker *worker = &self->workers[id];
      const PlLane *lane = pl_trace_find_lane (self->trace, id, NULL);
      gint64 at = start - 10 + (gint64) (g_rand_double (self->random) * (double) (end - start + 20));
      gint64 min = i % 3 == 0 ? 0 : random_duration (self->random);
      const PlPoll *expected;
      PlPoll poll;

      if (i % 5 == 0)
        at = g_array_index (worker->polls, PlPoll, i % worker->polls->len).start_ns;
      expected = find_by_looking (worker, at, min, 1);
      g_assert_cmpint (pl_lane_next_poll (lane, at, min, &poll), ==, expected != NULL);
      if (expected != NULL)
        assert_same_poll (&poll, expected);
      expected = find_by_looking (worker, at, min, -1);
      g_assert_cmpint (pl_lane_previous_poll (lane, at, min, &poll), ==, expected != NULL);
      if (expected != NULL)
        assert_same_poll (&poll, expected);
    }
}

/* Each poll is found where it is drawn: at its start, its middle, its last nanosecond. */
static void
test_find_poll (Fixture *self, gconstpointer data)
{
  for (guint id = 0; id < N_WORKERS; id++)
    for (guint i = 0; i < self->workers[id].polls->len; i += 13)
      {
        const PlPoll *expected = &g_array_index (self->workers[id].polls, PlPoll, i);
        const PlLane *lane = pl_trace_find_lane (self->trace, id, NULL);
        PlPoll poll;

        g_assert_true (pl_lane_find_poll (lane, expected->start_ns, 0, &poll));
        if (expected->duration_ns == 0)
          continue;
        assert_same_poll (&poll, expected);
        g_assert_true (pl_lane_find_poll (lane, expected->start_ns + expected->duration_ns / 2, 0, &poll));
        assert_same_poll (&poll, expected);
        g_assert_true (pl_lane_find_poll (lane, pl_poll_end_ns (expected) - 1, 0, &poll));
        assert_same_poll (&poll, expected);
      }
}

static gboolean
count_poll (const PlPoll *poll, gpointer user_data)
{
  guint *n = user_data;

  (*n)++;
  return TRUE;
}

static void
test_foreach_poll (Fixture *self, gconstpointer data)
{
  gint64 start = pl_trace_get_start_ns (self->trace);
  gint64 end = pl_trace_get_end_ns (self->trace);

  for (guint i = 0; i < 300; i++)
    {
      const Worker *worker = &self->workers[i % N_WORKERS];
      GArray *rows[] = { worker->polls, worker->detached };
      gint64 from = start + (gint64) (g_rand_double (self->random) * (double) (end - start));
      gint64 to = from + 1 + random_duration (self->random) * 100;
      gint64 min = i % 2 == 0 ? 0 : random_duration (self->random);
      guint expected = 0;
      guint n = 0;

      for (guint row = 0; row < 2; row++)
        for (guint j = 0; j < rows[row]->len; j++)
          {
            const PlPoll *poll = &g_array_index (rows[row], PlPoll, j);

            expected += poll->duration_ns >= min && touches (poll, from, to);
          }
      pl_lane_foreach_poll (pl_trace_find_lane (self->trace, i % N_WORKERS, NULL), from, to, min, count_poll, &n);
      g_assert_cmpuint (n, ==, expected);
    }
}

/* A fixed seed for the sake of repetition and a new one for the sake of discovery. */
#define ADD(name, function) \
  G_STMT_START { \
    g_test_add ("/trace/lane-reference/" name, Fixture, GUINT_TO_POINTER (1), set_up, function, tear_down); \
    g_test_add ("/trace/lane-reference/" name "-random-seed", Fixture, NULL, set_up, function, tear_down); \
  } G_STMT_END

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  ADD ("slices-at-any-zoom", test_slices);
  ADD ("slices-of-nanoseconds", test_nanosecond_slices);
  ADD ("sums-over-slices-are-totals", test_sums_over_slices);
  ADD ("next-and-previous-poll", test_next_and_previous);
  ADD ("find-poll", test_find_poll);
  ADD ("foreach-poll", test_foreach_poll);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
