/* calibration.h: how a cycle counter maps to nanoseconds
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * No clock is read here: samples come in, a mapping comes out. The mapping is linear in pieces, meets
 * itself where pieces join, and never goes back.
 */
#ifndef PLR_CALIBRATION_H
#define PLR_CALIBRATION_H

#include <stdbool.h>
#include <stdint.h>

/* ns = base_ns + (ticks - base_ticks) × ns_per_tick; the factor is fixed-point with 32 binary places. */
typedef struct
{
  uint64_t base_ticks;
  uint64_t base_ns;
  uint64_t ns_per_tick;
} PlrMapping;

static inline uint64_t
plr_mapping_convert (uint64_t base_ticks, uint64_t base_ns, uint64_t ns_per_tick, uint64_t ticks)
{
  /* Signed: another processor's counter may have been read just before the base was. */
  __extension__ typedef __int128 Wide;

  return base_ns + (uint64_t) (int64_t) (((Wide) (int64_t) (ticks - base_ticks) * (Wide) ns_per_tick) >> 32);
}

typedef struct
{
  PlrMapping mapping;      /* in use, once is_ready */
  bool is_ready;
  bool is_distrusted;      /* the counter does not keep time; final */
  uint64_t first_ticks;    /* begin of the stretch that the rate is measured over */
  uint64_t first_ns;
  uint64_t last_ns;        /* of the latest sample */
  double ns_per_tick;
  unsigned n_samples;
  unsigned n_bad;          /* in a row */
  uint64_t error_ns;       /* largest deviation seen between mapping and clock */
} PlrCalibration;

/* Takes a counter value and the time at the same moment. True when `mapping` has changed and shall be used
 * from now on. */
bool plr_calibration_add (PlrCalibration *self, uint64_t ticks, uint64_t ns);

#endif /* PLR_CALIBRATION_H */
