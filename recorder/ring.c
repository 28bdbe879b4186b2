/* ring.c: the cold paths of the per-thread ring
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "ring.h"

#include <sys/mman.h>
#include <unistd.h>

#include "wake.h"

_Static_assert (sizeof (PlrRecord) == 24, "a record is three words");

PlrRing *
plr_ring_new (void)
{
  PlrRing *self;

  self = mmap (NULL, PLR_RING_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return self == MAP_FAILED ? NULL : self;
}

void
plr_ring_free (PlrRing *self)
{
  (void) munmap (self, PLR_RING_BYTES); /* cannot fail on a mapping of ours */
}

void
plr_ring_release_memory (PlrRing *self)
{
  uintptr_t page = (uintptr_t) sysconf (_SC_PAGESIZE);
  uintptr_t begin = ((uintptr_t) self->records + page - 1) & ~(page - 1);
  uintptr_t end = ((uintptr_t) self + PLR_RING_BYTES) & ~(page - 1);

  /* Shared memory keeps what is only unmapped. Best effort: else the pages stay in use. */
  (void) madvise ((void *) begin, end - begin, self->is_sheltered ? MADV_REMOVE : MADV_DONTNEED);
}

static void
count_drop (PlrRing *self, uint64_t time_ns)
{
  uint64_t n = atomic_load_explicit (&self->n_dropped, memory_order_relaxed);

  if (!self->is_gap_open)
    atomic_store_explicit (&self->gap_from_ns, time_ns, memory_order_relaxed);
  self->is_gap_open = true;
  atomic_store_explicit (&self->gap_to_ns, time_ns, memory_order_relaxed);

  /* pairs with the acquire in plr_ring_take_untold_gap(): who sees the count sees the times */
  atomic_store_explicit (&self->n_dropped, n + 1, memory_order_release);
}

/* Publishes the record that tells the gap, before the events that follow it, in a new block. */
static void
tell_gap (PlrRing *self, uint64_t time_ns)
{
  uint64_t head = atomic_load_explicit (&self->head, memory_order_relaxed);
  uint64_t n_dropped = atomic_load_explicit (&self->n_dropped, memory_order_relaxed);
  uint64_t n = n_dropped - atomic_load_explicit (&self->n_dropped_told, memory_order_relaxed);
  PlrRecord *record = &self->block[head & PLR_RING_BLOCK_MASK];

  self->is_gap_open = false;
  if (n == 0)
    return;

  record->time_ns = time_ns;
  record->word = plr_gap_word (PLR_GAP_RING, self->worker, n);
  record->payload = atomic_load_explicit (&self->gap_from_ns, memory_order_relaxed);
  atomic_store_explicit (&self->n_dropped_told, n_dropped, memory_order_relaxed);

  /* pairs with the acquire in plr_ring_get_published() */
  atomic_store_explicit (&self->head, head + 1, memory_order_release);
}

bool
plr_ring_extend (PlrRing *self, uint64_t time_ns)
{
  uint64_t head = atomic_load_explicit (&self->head, memory_order_relaxed);
  /* pairs with the release in plr_ring_consume(): the consumer has read what it gives back */
  uint64_t tail = atomic_load_explicit (&self->tail, memory_order_acquire);
  uint64_t n_used = head / PLR_RING_BLOCK - tail / PLR_RING_BLOCK;
  uint32_t used = 0;
  unsigned block;

  if (n_used >= PLR_RING_N_BLOCKS / 2)
    plr_wake_drain ();

  if (n_used >= PLR_RING_N_BLOCKS)
    {
      count_drop (self, time_ns);
      return false;
    }

  for (uint64_t i = tail / PLR_RING_BLOCK; i < head / PLR_RING_BLOCK; i++)
    used |= UINT32_C (1) << self->order[i % PLR_RING_N_BLOCKS];
  block = (unsigned) __builtin_ctz (~used);

  /* Seen by the consumer together with the first record of the block. */
  self->order[head / PLR_RING_BLOCK % PLR_RING_N_BLOCKS] = (uint8_t) block;
  self->block = &self->records[block * PLR_RING_BLOCK];

  if (PLR_UNLIKELY (self->is_gap_open))
    tell_gap (self, time_ns);
  return true;
}

bool
plr_ring_take_untold_gap (PlrRing *self, uint64_t *out_from_ns, uint64_t *out_to_ns, uint64_t *out_n)
{
  uint64_t told = atomic_load_explicit (&self->n_dropped_told, memory_order_relaxed);
  /* pairs with the release in count_drop() */
  uint64_t n_dropped = atomic_load_explicit (&self->n_dropped, memory_order_acquire);

  if (n_dropped <= told)
    return false;

  *out_from_ns = atomic_load_explicit (&self->gap_from_ns, memory_order_relaxed);
  *out_to_ns = atomic_load_explicit (&self->gap_to_ns, memory_order_relaxed);
  *out_n = n_dropped - told;
  atomic_store_explicit (&self->n_dropped_told, n_dropped, memory_order_relaxed);
  return true;
}
