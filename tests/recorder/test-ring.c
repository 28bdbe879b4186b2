/* test-ring.c: the per-thread ring
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>
#include <pthread.h>

#include "ring.h"

static void
push (PlrRing *ring, guint64 i)
{
  plr_ring_push (ring, 1000 + i, plr_event_word (PLR_EVENT_POLL_START, 0, 0, (guint32) i), i);
}

static void
test_holds_what_was_pushed (void)
{
  PlrRing *ring = plr_ring_new ();

  g_assert_cmpuint (plr_ring_get_published (ring), ==, 0);
  push (ring, 0);
  push (ring, 1);

  g_assert_cmpuint (plr_ring_get_published (ring), ==, 2);
  g_assert_cmpuint (plr_ring_peek (ring, 0)->payload, ==, 0);
  g_assert_cmpuint (plr_ring_peek (ring, 1)->payload, ==, 1);
  g_assert_cmpuint (plr_ring_peek (ring, 1)->time_ns, ==, 1001);
}

/* 100 ms at 1 M events/s while the recorder's thread does not get to run. */
static void
test_holds_100_ms_of_a_million_a_second (void)
{
  PlrRing *ring = plr_ring_new ();

  for (guint64 i = 0; i < 50000; i++)
    push (ring, i);
  plr_ring_consume (ring, 47000); /* wherever the consumer stopped */
  for (guint64 i = 50000; i < 147000; i++)
    push (ring, i);

  g_assert_cmpuint (atomic_load (&ring->n_dropped), ==, 0);
  for (guint64 i = 47000; i < 147000; i++)
    g_assert_cmpuint (plr_ring_peek (ring, i)->payload, ==, i);
}

static void
test_full_drops_and_tells_from_when_to_when_and_how_many (void)
{
  PlrRing *ring = plr_ring_new ();
  const PlrRecord *record;

  for (guint64 i = 0; i < PLR_RING_CAPACITY + 5; i++)
    push (ring, i);
  g_assert_cmpuint (plr_ring_get_published (ring), ==, PLR_RING_CAPACITY);
  g_assert_cmpuint (atomic_load (&ring->n_dropped), ==, 5);
  g_assert_cmpuint (plr_ring_peek (ring, PLR_RING_CAPACITY - 1)->payload, ==, PLR_RING_CAPACITY - 1);

  plr_ring_consume (ring, PLR_RING_CAPACITY);
  push (ring, PLR_RING_CAPACITY + 5);

  record = plr_ring_peek (ring, PLR_RING_CAPACITY);
  g_assert_cmpint (plr_word_kind (record->word), ==, PLR_EVENT_GAP);
  g_assert_cmpint (plr_word_queue (record->word), ==, PLR_GAP_RING);
  g_assert_cmpuint (plr_word_arg (record->word), ==, 5);
  g_assert_cmpuint (record->payload, ==, 1000 + PLR_RING_CAPACITY);
  g_assert_cmpuint (record->time_ns, ==, 1000 + PLR_RING_CAPACITY + 5);
  g_assert_cmpuint (plr_ring_peek (ring, PLR_RING_CAPACITY + 1)->payload, ==, PLR_RING_CAPACITY + 5);
}

static void
test_gap_of_a_thread_that_does_not_return_is_told_once (void)
{
  PlrRing *ring = plr_ring_new ();
  guint64 from_ns;
  guint64 to_ns;
  guint64 n;

  g_assert_false (plr_ring_take_untold_gap (ring, &from_ns, &to_ns, &n));
  for (guint64 i = 0; i < PLR_RING_CAPACITY + 3; i++)
    push (ring, i);

  g_assert_true (plr_ring_take_untold_gap (ring, &from_ns, &to_ns, &n));
  g_assert_cmpuint (n, ==, 3);
  g_assert_cmpuint (from_ns, ==, 1000 + PLR_RING_CAPACITY);
  g_assert_cmpuint (to_ns, ==, 1000 + PLR_RING_CAPACITY + 2);
  g_assert_false (plr_ring_take_untold_gap (ring, &from_ns, &to_ns, &n));
}

static void
test_stays_in_its_first_blocks_while_the_consumer_keeps_up (void)
{
  PlrRing *ring = plr_ring_new ();
  guint highest = 0;

  for (guint64 i = 0; i < 4 * PLR_RING_CAPACITY; i++)
    {
      push (ring, i);
      if (i % 1000 == 999)
        {
          guint block = (guint) ((plr_ring_peek (ring, i) - ring->records) / PLR_RING_BLOCK);

          highest = MAX (highest, block);
          plr_ring_consume (ring, i + 1);
        }
    }
  g_assert_cmpuint (highest, <=, 1);
  g_assert_cmpuint (atomic_load (&ring->n_dropped), ==, 0);
}

static void
test_memory_can_be_given_back (void)
{
  PlrRing *ring = plr_ring_new ();

  for (guint64 i = 0; i < 10000; i++)
    push (ring, i);
  plr_ring_consume (ring, 10000);
  plr_ring_release_memory (ring);
  push (ring, 10000);

  g_assert_cmpuint (plr_ring_peek (ring, 10000)->payload, ==, 10000);
}

#define N_THREADED 3000000

static void *
produce (void *data)
{
  PlrRing *ring = data;

  for (guint64 i = 0; i < N_THREADED; i++)
    push (ring, i);
  return NULL;
}

/* Every record arrives once, whole and in order, or is counted as dropped in the gap at its place. */
static void
test_threads_lose_nothing_unsaid (void)
{
  PlrRing *ring = plr_ring_new ();
  pthread_t producer;
  guint64 position = 0;
  guint64 expected = 0;
  gboolean is_done = FALSE;

  g_assert_cmpint (pthread_create (&producer, NULL, produce, ring), ==, 0);
  while (!is_done)
    {
      guint64 end = plr_ring_get_published (ring);

      for (; position < end; position++)
        {
          const PlrRecord *record = plr_ring_peek (ring, position);

          if (plr_word_kind (record->word) == PLR_EVENT_GAP)
            {
              g_assert_cmpuint (record->payload, ==, 1000 + expected);
              expected += plr_word_arg (record->word);
              continue;
            }
          g_assert_cmpuint (record->payload, ==, expected);
          g_assert_cmpuint (record->time_ns, ==, 1000 + expected);
          g_assert_cmpuint (plr_word_arg (record->word), ==, (guint32) expected);
          expected++;
        }
      plr_ring_consume (ring, position);
      is_done = expected + atomic_load (&ring->n_dropped) - atomic_load (&ring->n_dropped_told) == N_THREADED
                && position == plr_ring_get_published (ring);
    }
  pthread_join (producer, NULL);
  g_assert_cmpuint (position, <=, N_THREADED + N_THREADED / PLR_RING_BLOCK + 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/ring/holds-what-was-pushed", test_holds_what_was_pushed);
  g_test_add_func ("/recorder/ring/holds-100-ms-of-a-million-a-second", test_holds_100_ms_of_a_million_a_second);
  g_test_add_func ("/recorder/ring/full-drops-and-tells-from-when-to-when-and-how-many",
                   test_full_drops_and_tells_from_when_to_when_and_how_many);
  g_test_add_func ("/recorder/ring/gap-of-a-thread-that-does-not-return-is-told-once",
                   test_gap_of_a_thread_that_does_not_return_is_told_once);
  g_test_add_func ("/recorder/ring/stays-in-its-first-blocks-while-the-consumer-keeps-up",
                   test_stays_in_its_first_blocks_while_the_consumer_keeps_up);
  g_test_add_func ("/recorder/ring/memory-can-be-given-back", test_memory_can_be_given_back);
  g_test_add_func ("/recorder/ring/threads-lose-nothing-unsaid", test_threads_lose_nothing_unsaid);
  return g_test_run ();
}
