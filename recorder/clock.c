/* clock.c: wall-clock anchors for the recorder's clock
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "clock.h"

#include "parklane-recorder.h"

void
plr_clock_sync (uint64_t *out_monotonic_ns, uint64_t *out_realtime_ns)
{
  struct timespec wall;
  uint64_t before;
  uint64_t after;

  before = plr_clock_now ();
  clock_gettime (CLOCK_REALTIME, &wall);
  after = plr_clock_now ();

  *out_monotonic_ns = before + (after - before) / 2;
  *out_realtime_ns = (uint64_t) wall.tv_sec * PLR_NS_PER_S + (uint64_t) wall.tv_nsec;
}

uint64_t
parklane_now_ns (void)
{
  return plr_clock_now ();
}

uint64_t
parklane_thread_cpu_time_ns (void)
{
  struct timespec ts;

  if (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &ts) != 0)
    return 0;
  return (uint64_t) ts.tv_sec * PLR_NS_PER_S + (uint64_t) ts.tv_nsec;
}
