/* open-parks.h: parks that have begun and not ended, of each worker
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_OPEN_PARKS_H
#define PLR_OPEN_PARKS_H

#include <stdint.h>

#include "event.h"

typedef struct
{
  uint64_t since_ns; /* 0: not parked */
  uint64_t cpu_ns;
  uint32_t tid;
  uint8_t queue;
} PlrOpenPark;

typedef struct
{
  PlrOpenPark *parks; /* by worker */
  uint32_t n_workers; /* those beyond have never parked */
} PlrOpenParks;

/* 0 or -ENOMEM. Closing what failed to open, or is all zero, does nothing. */
int  plr_open_parks_open (PlrOpenParks *self);
void plr_open_parks_close (PlrOpenParks *self);

/* @event is a PARK. */
void plr_open_parks_begin (PlrOpenParks *self, const PlrEvent *event);

void plr_open_parks_end (PlrOpenParks *self, uint32_t worker);

/* What began by @to_ns and ended while events were lost is not known. PARKLANE_WORKER_NONE: of all workers. */
void plr_open_parks_forget (PlrOpenParks *self, uint32_t worker, uint64_t to_ns);

#endif /* PLR_OPEN_PARKS_H */
