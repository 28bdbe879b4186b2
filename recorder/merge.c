/* merge.c: merges the rings by time
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A heap of one cursor per ring that holds something. Events come in runs of one thread, so the cursor on
 * top is followed until the next best is due, before the heap is put in order again.
 */
#include "merge.h"

#include <errno.h>
#include <stdlib.h>

/* So many free rings keep their memory, for the threads that come next. */
#define KEEP_WARM 8

typedef struct
{
  uint64_t time_ns; /* of the record at position */
  uint64_t position;
  uint64_t end;
  PlrRing *ring;
} Cursor;

struct _PlrMerge
{
  PlrRing *rings; /* NULL: the process's */
  Cursor *heap;
  size_t n;
  PlrRing **copied; /* rings that records were copied from and not consumed */
  size_t n_copied;
  size_t capacity; /* of both */
  uint64_t until_ns;
};

PlrMerge *
plr_merge_new (PlrRing *rings)
{
  PlrMerge *self = calloc (1, sizeof *self);

  if (self != NULL)
    self->rings = rings;
  return self;
}

static PlrRing *
get_rings (const PlrMerge *self)
{
  return self->rings != NULL ? self->rings : plr_thread_get_rings ();
}

void
plr_merge_free (PlrMerge *self)
{
  if (self == NULL)
    return;
  free (self->copied);
  free (self->heap);
  free (self);
}

void
plr_merge_discard (PlrMerge *self)
{
  for (PlrRing *ring = get_rings (self); ring != NULL; ring = ring->next)
    {
      uint64_t n_dropped = atomic_load_explicit (&ring->n_dropped, memory_order_relaxed);

      plr_ring_consume (ring, plr_ring_get_published (ring));
      atomic_store_explicit (&ring->copied_at, 0, memory_order_relaxed);
      atomic_store_explicit (&ring->n_dropped_told, n_dropped, memory_order_relaxed);
      ring->n_dropped_seen = n_dropped;
    }
}

static void
sift_down (PlrMerge *self, size_t i)
{
  Cursor cursor = self->heap[i];

  for (;;)
    {
      size_t child = 2 * i + 1;

      if (child >= self->n)
        break;
      if (child + 1 < self->n && self->heap[child + 1].time_ns < self->heap[child].time_ns)
        child++;
      if (cursor.time_ns <= self->heap[child].time_ns)
        break;
      self->heap[i] = self->heap[child];
      i = child;
    }
  self->heap[i] = cursor;
}

static int
reserve (PlrMerge *self)
{
  size_t capacity = self->capacity == 0 ? 32 : self->capacity * 2;
  PlrRing **copied;
  Cursor *heap;

  if (self->n < self->capacity)
    return 0;
  heap = reallocarray (self->heap, capacity, sizeof *heap);
  if (heap == NULL)
    return -ENOMEM;
  self->heap = heap;
  copied = reallocarray (self->copied, capacity, sizeof (PlrRing *));
  if (copied == NULL)
    return -ENOMEM;
  self->copied = copied;
  self->capacity = capacity;
  return 0;
}

int
plr_merge_begin (PlrMerge *self, uint64_t until_ns)
{
  int r = 0;

  self->n = 0;
  self->until_ns = until_ns;
  for (PlrRing *ring = get_rings (self); ring != NULL; ring = ring->next)
    {
      uint64_t tail = atomic_load_explicit (&ring->tail, memory_order_relaxed);
      uint64_t head = plr_ring_get_published (ring);
      uint64_t time_ns;

      if (head == tail)
        continue;
      time_ns = plr_ring_peek (ring, tail)->time_ns;
      if (time_ns > until_ns)
        continue;
      if (reserve (self) < 0)
        {
          r = -ENOMEM;
          continue;
        }
      self->heap[self->n++] = (Cursor) { time_ns, tail, head, ring };
    }

  for (size_t i = self->n / 2; i > 0; i--)
    sift_down (self, i - 1);
  return r;
}

/* Copies records of the top cursor that are due no later than @limit_ns. */
static size_t
take_run (Cursor *cursor, uint64_t limit_ns, PlrEvent *events, size_t max)
{
  const PlrRecord *record = plr_ring_peek (cursor->ring, cursor->position);
  uint64_t position = cursor->position;
  uint32_t tid = cursor->ring->tid;
  size_t n = 0;

  do
    {
      events[n].time_ns = record->time_ns;
      events[n].word = record->word;
      events[n].payload = record->payload;
      events[n].tid = tid;
      n++;
      position++;
      record = (position & PLR_RING_BLOCK_MASK) != 0 || position == cursor->end ? record + 1
                                                                                : plr_ring_peek (cursor->ring, position);
    }
  while (n < max && position < cursor->end && record->time_ns <= limit_ns);

  cursor->position = position;
  if (position < cursor->end)
    cursor->time_ns = record->time_ns;
  return n;
}

/* Notes in the ring what was copied. A kill may come between any two stores: `copied_at` first takes away what an
 * earlier note may say. */
static void
note_copied (PlrMerge *self, const Cursor *cursor, uint64_t position)
{
  PlrRing *ring = cursor->ring;

  if (atomic_load_explicit (&ring->copied_at, memory_order_relaxed) != position)
    {
      self->copied[self->n_copied++] = ring;
      atomic_store_explicit (&ring->copied_at, position, memory_order_release);
    }
  atomic_store_explicit (&ring->copied_to, cursor->position, memory_order_release);
}

size_t
plr_merge_take (PlrMerge *self, PlrEvent *events, size_t max, uint64_t position)
{
  size_t n = 0;

  while (n < max && self->n > 0)
    {
      Cursor *top = &self->heap[0];
      uint64_t limit_ns = self->until_ns;

      if (self->n > 1 && self->heap[1].time_ns < limit_ns)
        limit_ns = self->heap[1].time_ns;
      if (self->n > 2 && self->heap[2].time_ns < limit_ns)
        limit_ns = self->heap[2].time_ns;

      n += take_run (top, limit_ns, events + n, max - n);
      note_copied (self, top, position);
      if (top->position == top->end || top->time_ns > self->until_ns)
        *top = self->heap[--self->n];
      if (self->n > 0)
        sift_down (self, 0);
    }
  return n;
}

void
plr_merge_consume (PlrMerge *self)
{
  for (size_t i = 0; i < self->n_copied; i++)
    plr_ring_consume (self->copied[i], atomic_load_explicit (&self->copied[i]->copied_to, memory_order_relaxed));
  self->n_copied = 0;
}

static bool
is_empty (const PlrRing *ring)
{
  return plr_ring_get_published (ring) == atomic_load_explicit (&ring->tail, memory_order_relaxed);
}

static bool
is_dead (PlrRing *ring)
{
  /* pairs with the release in thread.c's give_back(): the thread's last records are there */
  return atomic_load_explicit (&ring->state, memory_order_acquire) == PLR_RING_DEAD;
}

uint64_t
plr_merge_end (PlrMerge *self)
{
  uint64_t n_dropped_now = 0;
  unsigned n_free = 0;

  for (PlrRing *ring = get_rings (self); ring != NULL; ring = ring->next)
    {
      bool is_done = is_dead (ring) && is_empty (ring)
                     && atomic_load_explicit (&ring->n_dropped, memory_order_relaxed)
                          == atomic_load_explicit (&ring->n_dropped_told, memory_order_relaxed);
      uint64_t n_dropped = atomic_load_explicit (&ring->n_dropped, memory_order_relaxed);

      n_dropped_now += n_dropped - ring->n_dropped_seen;
      ring->n_dropped_seen = n_dropped;

      if (is_done && ++n_free > KEEP_WARM)
        plr_ring_release_memory (ring);
      /* pairs with the acquire of the thread that takes the ring */
      if (is_done)
        atomic_store_explicit (&ring->state, PLR_RING_FREE, memory_order_release);
      else
        n_free += atomic_load_explicit (&ring->state, memory_order_relaxed) == PLR_RING_FREE;
    }
  return n_dropped_now;
}

bool
plr_merge_take_gap (PlrMerge *self, bool is_last, PlrEvent *event)
{
  for (PlrRing *ring = get_rings (self); ring != NULL; ring = ring->next)
    {
      uint64_t from_ns;
      uint64_t to_ns;
      uint64_t n;

      if (!(is_dead (ring) || is_last) || !is_empty (ring) || !plr_ring_take_untold_gap (ring, &from_ns, &to_ns, &n))
        continue;
      *event = (PlrEvent) {
        .time_ns = to_ns,
        .word = plr_gap_word (PLR_GAP_RING, ring->worker, n),
        .payload = from_ns,
        .tid = ring->tid,
      };
      return true;
    }
  return false;
}
