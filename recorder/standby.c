/* standby.c: empties the rings while the recorder's thread waits for the disk
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A write can last for as long as the device likes, and rings hold 100 ms. As long as the recorder's thread looks
 * after them this one does nothing but look at a time stamp; so events are merged and encoded by one processor,
 * out of its cache, and what a stalled disk costs is paid only then.
 */
#include "standby.h"

#include <errno.h>

#include "clock.h"
#include "spawn.h"

/* Found within two looks, while a ring that takes a million events a second is half full. */
#define LOOK_NS (20 * PLR_NS_PER_MS)

/* While it stands in: a ring that takes ten million a second fills in 12 ms. */
#define STAND_IN_NS (5 * PLR_NS_PER_MS)

static bool
is_needed (PlrDrain *drain)
{
  uint64_t alive_ns = atomic_load_explicit (&drain->alive_ns, memory_order_relaxed);
  uint64_t now_ns = plr_clock_now ();
  uint64_t patience_ns = (uint64_t) LOOK_NS;

  if (!atomic_load_explicit (&drain->is_writing, memory_order_relaxed))
    patience_ns += (uint64_t) drain->config->drain_interval_ms * PLR_NS_PER_MS; /* asleep, unless it is kept from running */
  return now_ns > alive_ns && now_ns - alive_ns > patience_ns;
}

static void *
run (void *data)
{
  PlrStandby *self = data;
  bool stands_in = false;

  for (;;)
    {
      if (plr_await (&self->stop, stands_in ? STAND_IN_NS : LOOK_NS))
        return NULL;

      stands_in = is_needed (self->drain);
      if (stands_in)
        plr_drain_stand_in (self->drain);
    }
}

int
plr_standby_start (PlrStandby *self, PlrDrain *drain)
{
  int r;

  self->drain = drain;
  if (sem_init (&self->stop, 0, 0) < 0)
    return -errno;
  r = plr_spawn (&self->thread, "parklane-stand", run, self);
  if (r < 0)
    (void) sem_destroy (&self->stop); /* nobody waits on it */
  return r;
}

void
plr_standby_stop (PlrStandby *self)
{
  sem_post (&self->stop);
  (void) pthread_join (self->thread, NULL); /* ours, joined once */
  (void) sem_destroy (&self->stop);         /* nobody waits on it */
}
