/* deque.h: a worker's local run queue: its owner pushes, everybody takes
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * First in, first out, as Tokio's. Counts never wrap, so a stale one cannot be taken for a new one: a
 * taker reads the slot first and then claims it by moving head, which fails when somebody was quicker.
 */
#ifndef DEMO_DEQUE_H
#define DEMO_DEQUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DEQUE_CAPACITY 256

typedef struct _Task Task;

typedef struct
{
  _Alignas (64) _Atomic uint64_t head;
  _Alignas (64) _Atomic uint64_t tail;
  _Atomic (Task *) slots[DEQUE_CAPACITY];
} Deque;

/* False when it is full. Owner only. */
static inline bool
deque_push (Deque *self, Task *task)
{
  uint64_t tail = atomic_load_explicit (&self->tail, memory_order_relaxed);

  if (tail - atomic_load_explicit (&self->head, memory_order_acquire) >= DEQUE_CAPACITY)
    return false;
  atomic_store_explicit (&self->slots[tail % DEQUE_CAPACITY], task, memory_order_relaxed);
  /* Sequentially consistent, as is the load in deque_take(): whoever pushes and then looks for sleepers, and
   * whoever announces sleep and then looks here, cannot both miss the other. */
  atomic_store (&self->tail, tail + 1);
  return true;
}

/* NULL when it is empty. Any worker. */
static inline Task *
deque_take (Deque *self)
{
  uint64_t head = atomic_load_explicit (&self->head, memory_order_acquire);

  while (head < atomic_load (&self->tail)) /* pairs with the store in deque_push() */
    {
      Task *task = atomic_load_explicit (&self->slots[head % DEQUE_CAPACITY], memory_order_relaxed);

      if (atomic_compare_exchange_weak_explicit (&self->head, &head, head + 1, memory_order_acq_rel,
                                                 memory_order_acquire))
        return task;
    }
  return NULL;
}

static inline uint32_t
deque_length (Deque *self)
{
  uint64_t head = atomic_load_explicit (&self->head, memory_order_acquire);
  uint64_t tail = atomic_load_explicit (&self->tail, memory_order_acquire);

  return tail > head ? (uint32_t) (tail - head) : 0;
}

#endif /* DEMO_DEQUE_H */
