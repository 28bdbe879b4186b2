/* clock.h: the recorder's clock, inlined into the hot path
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Nanoseconds of CLOCK_MONOTONIC, from the processor's cycle counter where that keeps time, else from the
 * system. While a session runs, its thread compares the two and steers; see calibration.h.
 */
#ifndef PLR_CLOCK_H
#define PLR_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "calibration.h"

#define PLR_NS_PER_S INT64_C (1000000000)
#define PLR_NS_PER_MS INT64_C (1000000)

/* The mapping in use, under a sequence lock: odd while it changes. */
typedef struct
{
  _Alignas (64) _Atomic uint32_t is_counter; /* 0: the system's clock is read */
  _Atomic uint32_t sequence;
  _Atomic uint64_t base_ticks;
  _Atomic uint64_t base_ns;
  _Atomic uint64_t ns_per_tick;
} PlrClock;

extern PlrClock plr_clock;

static inline uint64_t
plr_clock_read_system (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * PLR_NS_PER_S + (uint64_t) ts.tv_nsec;
}

static inline uint64_t
plr_clock_read_counter (void)
{
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc ();
#else
  return 0;
#endif
}

static inline uint64_t
plr_clock_now (void)
{
  while (__builtin_expect (atomic_load_explicit (&plr_clock.is_counter, memory_order_relaxed), 1))
    {
      /* All pair with the releases in publish(): equal, even numbers around the loads mean one mapping. */
      uint32_t sequence = atomic_load_explicit (&plr_clock.sequence, memory_order_acquire);
      uint64_t base_ticks = atomic_load_explicit (&plr_clock.base_ticks, memory_order_acquire);
      uint64_t base_ns = atomic_load_explicit (&plr_clock.base_ns, memory_order_acquire);
      uint64_t ns_per_tick = atomic_load_explicit (&plr_clock.ns_per_tick, memory_order_acquire);
      uint64_t ticks = plr_clock_read_counter ();

      if (__builtin_expect (sequence == atomic_load_explicit (&plr_clock.sequence, memory_order_relaxed)
                              && (sequence & 1) == 0,
                            1))
        return plr_mapping_convert (base_ticks, base_ns, ns_per_tick, ticks);
    }
  return plr_clock_read_system ();
}

/* Begins to measure the counter, unless it is known not to keep time or @allow_counter is false. Until
 * there is a mapping the system's clock is read. Recorder's thread or before it runs. */
void plr_clock_start (bool allow_counter);

/* Compares and steers; every drain. Recorder's thread. */
void plr_clock_tick (void);

/* Back to the system's clock, since nobody steers any more. */
void plr_clock_stop (void);

/* "tsc" or "monotonic". */
const char *plr_clock_get_name (void);

/* Largest deviation from the system's clock that was measured since the start. */
uint64_t plr_clock_get_error_ns (void);

/* Reads both clocks; *out_monotonic_ns is the midpoint of two reads around the wall clock's. */
void plr_clock_sync (uint64_t *out_monotonic_ns, uint64_t *out_realtime_ns);

#endif /* PLR_CLOCK_H */
