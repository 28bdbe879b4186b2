/* calibration.c: measures a cycle counter against the clock and steers a mapping after it
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "calibration.h"

/* Before the first mapping: 50 ns of uncertainty at each end make 1 ppm of it over this time. */
#define FIRST_STRETCH_NS UINT64_C (100000000)

/* Afterwards the rate follows what the clock did lately; it is steered by up to 500 ppm itself. */
#define STRETCH_NS UINT64_C (1000000000)

/* A deviation found is worked off over this time: a few samples, so that one sample's noise hardly counts. */
#define SLEW_NS 30e6

/* Samples closer than this are not taken: each piece begins at a whole nanosecond, and what that cuts off
 * would add up. */
#define MIN_INTERVAL_NS UINT64_C (5000000)

/* Deviation beyond which a sample is bad. When the clock is steered from one extreme to the other, by 1000
 * ppm, what accrues and what is worked off meet at 30 µs. */
#define LIMIT_NS 50000

/* So many bad samples in a row are the counter's fault and not a scheduling accident. */
#define MAX_BAD 3

/* Counters between 10 MHz and 1 THz. Others are none. */
#define MIN_NS_PER_TICK 0.001
#define MAX_NS_PER_TICK 100.0

#define FIXED_POINT 4294967296.0

static void
begin_stretch (PlrCalibration *self, uint64_t ticks, uint64_t ns)
{
  self->first_ticks = ticks;
  self->first_ns = ns;
}

/* Ends the stretch if it is long enough. False when the counter cannot be one. */
static bool
measure_rate (PlrCalibration *self, uint64_t ticks, uint64_t ns, uint64_t stretch_ns)
{
  double rate;

  if (ns - self->first_ns < stretch_ns)
    return true;
  rate = (double) (ns - self->first_ns) / (double) (ticks - self->first_ticks);
  if (ticks <= self->first_ticks || rate < MIN_NS_PER_TICK || rate > MAX_NS_PER_TICK)
    return false;
  self->ns_per_tick = rate;
  begin_stretch (self, ticks, ns);
  return true;
}

static bool
distrust (PlrCalibration *self)
{
  self->is_distrusted = true;
  self->is_ready = false;
  return true;
}

/* Joins a piece that begins where the last one is now and works @deviation_ns off. */
static void
steer (PlrCalibration *self, uint64_t ticks, uint64_t mapped_ns, double deviation_ns)
{
  double rate = self->ns_per_tick * (1.0 - deviation_ns / SLEW_NS);

  self->mapping = (PlrMapping) {
    .base_ticks = ticks,
    .base_ns = mapped_ns,
    .ns_per_tick = (uint64_t) (rate * FIXED_POINT),
  };
}

bool
plr_calibration_add (PlrCalibration *self, uint64_t ticks, uint64_t ns)
{
  const PlrMapping *mapping = &self->mapping;
  uint64_t mapped_ns;
  int64_t deviation_ns;
  uint64_t error_ns;

  if (self->is_distrusted || (self->n_samples > 0 && ns - self->last_ns < MIN_INTERVAL_NS))
    return false;
  self->last_ns = ns;
  if (self->n_samples++ == 0)
    {
      begin_stretch (self, ticks, ns);
      return false;
    }

  if (!self->is_ready)
    {
      if (!measure_rate (self, ticks, ns, FIRST_STRETCH_NS))
        return distrust (self);
      if (self->ns_per_tick == 0)
        return false;
      steer (self, ticks, ns, 0);
      self->is_ready = true;
      return true;
    }

  mapped_ns = plr_mapping_convert (mapping->base_ticks, mapping->base_ns, mapping->ns_per_tick, ticks);
  deviation_ns = (int64_t) (mapped_ns - ns);
  error_ns = (uint64_t) (deviation_ns < 0 ? -deviation_ns : deviation_ns);
  if (error_ns > LIMIT_NS)
    return ++self->n_bad >= MAX_BAD ? distrust (self) : false;

  self->n_bad = 0;
  if (error_ns > self->error_ns)
    self->error_ns = error_ns;
  if (!measure_rate (self, ticks, ns, STRETCH_NS))
    return distrust (self);
  steer (self, ticks, mapped_ns, (double) deviation_ns);
  return true;
}
