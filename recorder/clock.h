/* clock.h: the recorder's clock, inlined into the hot path
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_CLOCK_H
#define PLR_CLOCK_H

#include <stdint.h>
#include <time.h>

#define PLR_NS_PER_S INT64_C (1000000000)
#define PLR_NS_PER_MS INT64_C (1000000)

static inline uint64_t
plr_clock_now (void)
{
  struct timespec ts;

  clock_gettime (CLOCK_MONOTONIC, &ts);
  return (uint64_t) ts.tv_sec * PLR_NS_PER_S + (uint64_t) ts.tv_nsec;
}

/* Reads both clocks; *out_monotonic_ns is the midpoint of two reads around the wall clock's. */
void plr_clock_sync (uint64_t *out_monotonic_ns, uint64_t *out_realtime_ns);

#endif /* PLR_CLOCK_H */
