/* open-parks.c: parks that have begun and not ended, of each worker
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "open-parks.h"

#include <errno.h>
#include <stdlib.h>

#include "open-polls.h"

int
plr_open_parks_open (PlrOpenParks *self)
{
  /* pages of workers that never park are never touched */
  *self = (PlrOpenParks) { .parks = calloc (PLR_N_WORKERS, sizeof *self->parks) };
  return self->parks == NULL ? -ENOMEM : 0;
}

void
plr_open_parks_close (PlrOpenParks *self)
{
  free (self->parks);
}

void
plr_open_parks_begin (PlrOpenParks *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  if (worker >= PLR_N_WORKERS || worker == PARKLANE_WORKER_NONE)
    return;
  if (worker >= self->n_workers)
    self->n_workers = worker + 1;
  self->parks[worker] = (PlrOpenPark) {
    .since_ns = event->time_ns,
    .cpu_ns = event->payload,
    .tid = event->tid,
    .queue = (uint8_t) plr_word_queue (event->word),
  };
}

void
plr_open_parks_end (PlrOpenParks *self, uint32_t worker)
{
  if (worker < self->n_workers)
    self->parks[worker].since_ns = 0;
}

static void
forget_park (PlrOpenPark *park, uint64_t to_ns)
{
  if (park->since_ns <= to_ns)
    park->since_ns = 0;
}

void
plr_open_parks_forget (PlrOpenParks *self, uint32_t worker, uint64_t to_ns)
{
  if (worker == PARKLANE_WORKER_NONE)
    for (uint32_t i = 0; i < self->n_workers; i++)
      forget_park (&self->parks[i], to_ns);
  else if (worker < self->n_workers)
    forget_park (&self->parks[worker], to_ns);
}
