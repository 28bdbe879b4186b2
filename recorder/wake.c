/* wake.c: a futex between recording threads and the recorder's own
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "wake.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum
{
  AWAKE,
  WAITING,
  WOKEN,
};

static _Atomic uint32_t state = AWAKE;

void
plr_wake_drain (void)
{
  /* pairs with the exchanges in plr_wake_wait() */
  if (atomic_exchange_explicit (&state, WOKEN, memory_order_acq_rel) == WAITING)
    (void) syscall (SYS_futex, &state, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0); /* cannot fail on a word of ours */
}

void
plr_wake_wait (uint64_t timeout_ns)
{
  struct timespec timeout = { .tv_sec = (time_t) (timeout_ns / 1000000000u), .tv_nsec = (long) (timeout_ns % 1000000000u) };
  uint32_t expected = AWAKE;

  /* pairs with the exchange in plr_wake_drain() */
  if (atomic_compare_exchange_strong_explicit (&state, &expected, WAITING, memory_order_acq_rel, memory_order_acquire))
    (void) syscall (SYS_futex, &state, FUTEX_WAIT_PRIVATE, WAITING, &timeout, NULL, 0); /* any return is a wake-up */
  atomic_store_explicit (&state, AWAKE, memory_order_release);
}
