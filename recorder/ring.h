/* ring.h: per-thread single-producer, single-consumer ring of fixed records
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Positions are 64-bit counts that never wrap. The records lie in blocks, and position p lies in the
 * block that `order` names for p's run of PLR_RING_BLOCK positions. A producer that begins a new block
 * takes the lowest-numbered one that the consumer has left, so while the consumer keeps up, it stays in
 * the first two or three: memory and cache that were never needed are never touched, and the whole ring
 * is still there when the consumer stalls.
 *
 * The producer owns `head`, `block` and `order`; the consumer owns `tail`.
 */
#ifndef PLR_RING_H
#define PLR_RING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

/* 100 ms at 1 M events/s is 100,000 records; 32 blocks of 4096 hold 126,976 beside the one being read. */
#define PLR_RING_BLOCK UINT64_C (4096)
#define PLR_RING_BLOCK_MASK (PLR_RING_BLOCK - 1)
#define PLR_RING_N_BLOCKS 32
#define PLR_RING_CAPACITY (PLR_RING_BLOCK * PLR_RING_N_BLOCKS)

#define PLR_LIKELY(x) __builtin_expect (!!(x), 1)
#define PLR_UNLIKELY(x) __builtin_expect (!!(x), 0)

typedef struct
{
  uint64_t time_ns;
  uint64_t word;
  uint64_t payload;
} PlrRecord;

typedef enum
{
  PLR_RING_FREE, /* empty, anybody may take it */
  PLR_RING_LIVE, /* a thread writes to it */
  PLR_RING_DEAD, /* its thread is gone, records may be left; only the consumer makes it FREE */
} PlrRingState;

typedef struct _PlrRing PlrRing;

struct _PlrRing
{
  /* producer */
  _Alignas (64) _Atomic uint64_t head; /* records published */
  PlrRecord *block;                    /* the one that head lies in */
  _Atomic uint64_t last_ns;            /* of the last event: where clocks change, time does not go back; or a call */
  uint32_t worker;
  uint32_t tid;
  bool is_gap_open; /* records are being dropped */

  /* producer writes, consumer reads */
  _Alignas (64) uint8_t order[PLR_RING_N_BLOCKS];
  _Atomic uint64_t n_dropped;
  _Atomic uint64_t n_dropped_told; /* part of n_dropped that GAP records account for */
  _Atomic uint64_t gap_from_ns;
  _Atomic uint64_t gap_to_ns;

  /* consumer */
  _Alignas (64) _Atomic uint64_t tail;
  _Atomic uint64_t copied_to; /* records before it are copied but not consumed, if copied_at says so: see merge.h */
  _Atomic uint64_t copied_at;
  uint64_t n_dropped_seen;    /* part of n_dropped that the session has counted */

  _Alignas (64) _Atomic uint32_t state;
  PlrRing *next;     /* set before the ring is published, never changed; likewise: */
  bool is_sheltered; /* in shared memory that outlives the process */

  PlrRecord records[];
};

#define PLR_RING_BYTES (sizeof (PlrRing) + PLR_RING_CAPACITY * sizeof (PlrRecord))

/* In the place of a last time: the thread is to see plr_thread_settle(), which costs those that are not called nothing. */
#define PLR_RING_CALLED UINT64_MAX

/* Producer, but for the call; relaxed: nothing else depends on it. */
static inline uint64_t
plr_ring_get_last_ns (const PlrRing *self)
{
  return atomic_load_explicit (&self->last_ns, memory_order_relaxed);
}

static inline void
plr_ring_set_last_ns (PlrRing *self, uint64_t time_ns)
{
  atomic_store_explicit (&self->last_ns, time_ns, memory_order_relaxed);
}

/* Returns NULL when memory is refused. Rings are never freed, see thread.c. */
PlrRing *plr_ring_new (void);

/* Unmaps a ring that no thread has ever had. */
void plr_ring_free (PlrRing *self);

/* Gives the pages of the records back to the system. Only on an empty ring that nobody writes to. */
void plr_ring_release_memory (PlrRing *self);

/* Begins a new block; false: there is none, and the event of @time_ns is dropped and counted. Cold. Producer. */
bool plr_ring_extend (PlrRing *self, uint64_t time_ns);

/* Publishes one record, or drops and counts it. Producer. */
static inline void
plr_ring_push (PlrRing *self, uint64_t time_ns, uint64_t word, uint64_t payload)
{
  uint64_t head = atomic_load_explicit (&self->head, memory_order_relaxed);
  PlrRecord *record;

  if (PLR_UNLIKELY ((head & PLR_RING_BLOCK_MASK) == 0))
    {
      if (!plr_ring_extend (self, time_ns))
        return;
      head = atomic_load_explicit (&self->head, memory_order_relaxed);
    }

  record = &self->block[head & PLR_RING_BLOCK_MASK];
  record->time_ns = time_ns;
  record->word = word;
  record->payload = payload;

  /* pairs with the acquire in plr_ring_get_published() */
  atomic_store_explicit (&self->head, head + 1, memory_order_release);
}

/* Position after the last published record. Consumer. */
static inline uint64_t
plr_ring_get_published (const PlrRing *self)
{
  return atomic_load_explicit (&self->head, memory_order_acquire);
}

/* The record at @position, and those after it to the end of its block. Consumer; @position is published
 * and not consumed. */
static inline const PlrRecord *
plr_ring_peek (const PlrRing *self, uint64_t position)
{
  unsigned block = self->order[position / PLR_RING_BLOCK % PLR_RING_N_BLOCKS];

  return &self->records[block * PLR_RING_BLOCK + (position & PLR_RING_BLOCK_MASK)];
}

/* Gives all records before @position back to the producer. Consumer. */
static inline void
plr_ring_consume (PlrRing *self, uint64_t position)
{
  /* pairs with the acquire in plr_ring_extend() */
  atomic_store_explicit (&self->tail, position, memory_order_release);
}

/* Takes over the account of drops that no GAP record tells. True when there are any. Consumer, and only
 * while the producer is gone or its recording is off. */
bool plr_ring_take_untold_gap (PlrRing *self, uint64_t *out_from_ns, uint64_t *out_to_ns, uint64_t *out_n);

#endif /* PLR_RING_H */
