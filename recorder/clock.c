/* clock.c: chooses, measures and steers the recorder's clock; wall-clock anchors
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "clock.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "parklane-recorder.h"

/* A sample is two reads of the counter around one of the clock; of some, the closest pair is taken. */
#define TRIES 4

/* Widest acceptable pair, by the system's clock. Wider ones were interrupted. */
#define MAX_WIDTH_NS 5000

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

PlrClock plr_clock;

static PlrCalibration calibration;
static bool is_measuring;
static _Atomic uint64_t error_ns; /* calibration's, for other threads */

/* CPUID leaf 8000_0007, EDX bit 8: the counter runs at one rate in all power states (Intel SDM 18.17.1,
 * AMD APM E.4.6). */
static bool
has_invariant_counter (void)
{
#if defined(__x86_64__)
  unsigned eax, ebx, ecx, edx;

  return __get_cpuid (0x80000007, &eax, &ebx, &ecx, &edx) && (edx & 1u << 8);
#else
  return false;
#endif
}

/* The kernel watches the counter and turns to another source when processors disagree. A guest whose
 * kernel reads its host's clock may still have a good counter, but nobody vouches for it. */
static bool
does_kernel_trust_counter (void)
{
  char name[32] = "";
  ssize_t n;
  int fd;

  fd = open (CLOCKSOURCE, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  n = read (fd, name, sizeof name - 1);
  (void) close (fd); /* opened for reading */
  return n > 0 && strcmp (name, "tsc\n") == 0;
}

static void
publish (const PlrMapping *mapping)
{
  uint32_t sequence = atomic_load_explicit (&plr_clock.sequence, memory_order_relaxed);

  /* All pair with the acquires in plr_clock_now(). */
  atomic_store_explicit (&plr_clock.sequence, sequence + 1, memory_order_relaxed);
  atomic_store_explicit (&plr_clock.base_ticks, mapping->base_ticks, memory_order_release);
  atomic_store_explicit (&plr_clock.base_ns, mapping->base_ns, memory_order_release);
  atomic_store_explicit (&plr_clock.ns_per_tick, mapping->ns_per_tick, memory_order_release);
  atomic_store_explicit (&plr_clock.sequence, sequence + 2, memory_order_release);
}

static bool
take_sample (uint64_t *out_ticks, uint64_t *out_ns)
{
  uint64_t narrowest = UINT64_MAX;
  uint64_t begin_ns = plr_clock_read_system ();

  for (unsigned i = 0; i < TRIES; i++)
    {
      uint64_t before = plr_clock_read_counter ();
      uint64_t ns = plr_clock_read_system ();
      uint64_t after = plr_clock_read_counter ();

      if (after - before < narrowest)
        {
          narrowest = after - before;
          *out_ticks = before + (after - before) / 2;
          *out_ns = ns;
        }
    }
  return plr_clock_read_system () - begin_ns < MAX_WIDTH_NS;
}

void
plr_clock_start (bool allow_counter)
{
  plr_clock_stop ();
  calibration = (PlrCalibration) { 0 };
  atomic_store_explicit (&error_ns, 0, memory_order_relaxed);
  is_measuring = allow_counter && has_invariant_counter () && does_kernel_trust_counter ();
  plr_clock_tick ();
}

void
plr_clock_tick (void)
{
  uint64_t ticks = 0;
  uint64_t ns = 0;

  if (!is_measuring || !take_sample (&ticks, &ns) || !plr_calibration_add (&calibration, ticks, ns))
    return;

  if (calibration.is_ready)
    publish (&calibration.mapping);
  else
    is_measuring = false;
  atomic_store_explicit (&error_ns, calibration.error_ns, memory_order_relaxed);
  /* after the mapping: pairs with the acquire of the sequence, which a reader loads next */
  atomic_store_explicit (&plr_clock.is_counter, calibration.is_ready, memory_order_release);
}

void
plr_clock_stop (void)
{
  is_measuring = false;
  atomic_store_explicit (&plr_clock.is_counter, 0, memory_order_relaxed);
}

const char *
plr_clock_get_name (void)
{
  return atomic_load_explicit (&plr_clock.is_counter, memory_order_relaxed) ? "tsc" : "monotonic";
}

uint64_t
plr_clock_get_error_ns (void)
{
  return atomic_load_explicit (&error_ns, memory_order_relaxed);
}

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
