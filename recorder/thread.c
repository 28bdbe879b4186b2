/* thread.c: attaches threads to rings and takes the rings back when threads end
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * All rings stand in one list that only grows. A ring goes FREE → LIVE when a thread takes it, LIVE →
 * DEAD when the thread ends, DEAD → FREE when the recorder has emptied it; an empty one goes FREE at
 * once. Nothing is freed, so neither side can meet a ring that is gone.
 */
#include "thread.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "clock.h"
#include "io.h"
#include "names.h"
#include "parklane-recorder.h"
#include "session.h"
#include "shelter.h"

/* How long a thread that was refused memory waits before it asks again. */
#define RETRY_NS (1 * PLR_NS_PER_S)

_Atomic uint32_t plr_recording;
uint32_t parklane_recording;
__thread PlrRing *plr_thread_ring;

static _Atomic (PlrRing *) rings;
static _Atomic uint64_t n_refused;
static _Atomic uint32_t refuse_memory;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int init_result;

static __thread bool is_ending __attribute__ ((tls_model ("initial-exec")));
static __thread uint64_t retry_at_ns __attribute__ ((tls_model ("initial-exec")));

static void
give_back (PlrRing *ring)
{
  bool is_empty;

  plr_thread_ring = NULL;
  is_empty = atomic_load_explicit (&ring->head, memory_order_relaxed)
               == atomic_load_explicit (&ring->tail, memory_order_acquire)
             && atomic_load_explicit (&ring->n_dropped, memory_order_relaxed)
                  == atomic_load_explicit (&ring->n_dropped_told, memory_order_relaxed);

  /* pairs with the acquires of the thread that takes the ring and of the recorder's thread */
  atomic_store_explicit (&ring->state, is_empty ? PLR_RING_FREE : PLR_RING_DEAD, memory_order_release);
}

/* Runs at the end of every attached thread. Destructors of the host that run later may still record:
 * such an event finds no ring and is counted as dropped. */
static void
thread_ends (void *ring)
{
  is_ending = true;
  give_back (ring);
}

static void
before_fork (void)
{
  plr_names_lock ();
  plr_shelter_lock ();
}

static void
after_fork_in_parent (void)
{
  plr_shelter_unlock ();
  plr_names_unlock ();
}

void
plr_thread_set_recording (bool is_recording)
{
  atomic_store_explicit (&plr_recording, is_recording, memory_order_release);
  __atomic_store_n (&parklane_recording, is_recording, __ATOMIC_RELAXED);
}

/* The child has none of the threads. It starts without session and rings; the parent's are left alone. */
static void
after_fork_in_child (void)
{
  plr_thread_set_recording (false);
  atomic_store (&rings, NULL);
  if (plr_thread_ring != NULL)
    (void) pthread_setspecific (key, NULL); /* cannot fail: the slot exists */
  plr_thread_ring = NULL;
  plr_io_forget_owned ();
  plr_session_forget ();
  plr_shelter_forget ();
  plr_shelter_unlock ();
  plr_names_unlock ();
}

static void
init (void)
{
  init_result = -pthread_key_create (&key, thread_ends);
  if (init_result == 0)
    init_result = -pthread_atfork (before_fork, after_fork_in_parent, after_fork_in_child);
}

int
plr_thread_init (void)
{
  pthread_once (&once, init);
  return init_result;
}

static PlrRing *
take_free_ring (bool must_be_sheltered)
{
  for (PlrRing *ring = atomic_load_explicit (&rings, memory_order_acquire); ring != NULL; ring = ring->next)
    {
      uint32_t expected = PLR_RING_FREE;

      if ((ring->is_sheltered || !must_be_sheltered)
          && atomic_load_explicit (&ring->state, memory_order_relaxed) == PLR_RING_FREE
          && atomic_compare_exchange_strong_explicit (&ring->state, &expected, PLR_RING_LIVE,
                                                      memory_order_acquire, memory_order_relaxed))
        return ring;
    }
  return NULL;
}

static PlrRing *
add_ring (bool is_sheltered)
{
  PlrRing *ring;

  if (atomic_load_explicit (&refuse_memory, memory_order_relaxed))
    return NULL;
  ring = is_sheltered ? plr_shelter_new_ring () : plr_ring_new ();
  if (ring == NULL)
    return NULL;

  atomic_store_explicit (&ring->state, PLR_RING_LIVE, memory_order_relaxed);
  ring->next = atomic_load_explicit (&rings, memory_order_relaxed);
  /* the release publishes the ring; pairs with the acquire of whoever walks the list */
  while (!atomic_compare_exchange_weak_explicit (&rings, &ring->next, ring, memory_order_release, memory_order_relaxed))
    ;
  return ring;
}

static PlrRing *
find_sheltered_ring (void)
{
  PlrRing *ring = NULL;

  if (plr_shelter_is_open ())
    {
      ring = take_free_ring (true);
      if (ring == NULL)
        ring = add_ring (true);
    }
  return ring;
}

/* Where the shelter is full, a ring that does not outlive a kill is better than none. */
static PlrRing *
find_ring (void)
{
  PlrRing *ring = find_sheltered_ring ();

  if (ring == NULL)
    ring = take_free_ring (false);
  if (ring == NULL)
    ring = add_ring (false);
  return ring;
}

void
plr_thread_call (void)
{
  for (PlrRing *ring = plr_thread_get_rings (); ring != NULL; ring = ring->next)
    if (!ring->is_sheltered && atomic_load_explicit (&ring->state, memory_order_relaxed) == PLR_RING_LIVE)
      plr_ring_set_last_ns (ring, PLR_RING_CALLED);
}

/* Of the last record, which stays where it is until the next one. */
static uint64_t
read_last_ns (const PlrRing *ring)
{
  uint64_t head = atomic_load_explicit (&ring->head, memory_order_relaxed);

  return head > 0 ? ring->block[(head - 1) & PLR_RING_BLOCK_MASK].time_ns : 0;
}

PlrRing *
plr_thread_settle (PlrRing *ring)
{
  int saved_errno = errno;
  PlrRing *other = NULL;

  if (plr_ring_get_last_ns (ring) != PLR_RING_CALLED)
    return ring;
  plr_ring_set_last_ns (ring, read_last_ns (ring));
  if (!ring->is_sheltered && !is_ending)
    other = find_sheltered_ring ();
  if (other != NULL)
    {
      other->worker = ring->worker;
      other->tid = ring->tid;
      other->is_gap_open = false;
      plr_ring_set_last_ns (other, plr_ring_get_last_ns (ring));
      (void) pthread_setspecific (key, other); /* cannot fail: the slot exists */
      give_back (ring);
      plr_thread_ring = other;
    }
  errno = saved_errno;
  return plr_thread_ring;
}

static int
attach (uint32_t worker_id)
{
  PlrRing *ring;
  int r;

  r = plr_thread_init ();
  if (r < 0)
    return r;

  ring = find_ring ();
  if (ring == NULL)
    return -ENOMEM;

  ring->worker = worker_id;
  ring->tid = (uint32_t) syscall (SYS_gettid);
  ring->is_gap_open = false;
  plr_ring_set_last_ns (ring, 0);

  r = -pthread_setspecific (key, ring);
  if (r < 0)
    {
      give_back (ring);
      return r;
    }
  plr_thread_ring = ring;
  return 0;
}

PlrRing *
plr_thread_attach_first (void)
{
  int saved_errno = errno;
  uint64_t now_ns;

  if (!is_ending)
    {
      now_ns = plr_clock_now ();
      if (now_ns >= retry_at_ns)
        {
          retry_at_ns = now_ns + RETRY_NS;
          (void) attach (PARKLANE_WORKER_NONE); /* told by plr_thread_ring */
        }
    }
  if (plr_thread_ring == NULL)
    atomic_fetch_add_explicit (&n_refused, 1, memory_order_relaxed);

  errno = saved_errno;
  return plr_thread_ring;
}

PlrRing *
plr_thread_get_rings (void)
{
  /* pairs with the release in add_ring() */
  return atomic_load_explicit (&rings, memory_order_acquire);
}

uint32_t
plr_thread_count_attached (void)
{
  uint32_t n = 0;

  for (PlrRing *ring = plr_thread_get_rings (); ring != NULL; ring = ring->next)
    n += atomic_load_explicit (&ring->state, memory_order_relaxed) == PLR_RING_LIVE;
  return n;
}

uint64_t
plr_thread_get_n_refused (void)
{
  return atomic_load_explicit (&n_refused, memory_order_relaxed);
}

void
plr_thread_refuse_memory (bool refuse)
{
  atomic_store_explicit (&refuse_memory, refuse, memory_order_relaxed);
}

int
parklane_thread_attach (uint32_t worker_id)
{
  if (worker_id > PARKLANE_WORKER_MAX)
    return -EINVAL;
  if (plr_thread_ring == NULL)
    return attach (worker_id);

  plr_thread_ring->worker = worker_id;
  return 0;
}

void
parklane_thread_detach (void)
{
  if (plr_thread_ring == NULL)
    return;
  (void) pthread_setspecific (key, NULL); /* cannot fail: the slot exists */
  give_back (plr_thread_ring);
}
