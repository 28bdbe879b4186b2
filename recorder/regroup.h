/* regroup.h: the events of sealed batches in an order that compresses better
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * While a segment is written, its events stand in order of time, all threads mixed. What one worker does resembles what
 * it did before, and the time from one of its events to the next is shorter and says more than the time between any two.
 * So the copy that is compressed has the polls of each worker in one run, then the parks of each worker, then every other
 * type of event in one run. Readers sort by time, and find each worker's polls, and its parks, sorted already.
 *
 * Where events were lost a reader has to know what came before and what after, so a gap has to keep its place.
 */
#ifndef PLR_REGROUP_H
#define PLR_REGROUP_H

#include <stddef.h>
#include <stdint.h>

/* Ends of stretches of one kind, so that each can have statistics of its own. Further ones are left out. */
#define PLR_REGROUP_MAX_CUTS 64

typedef struct _PlrRegroup PlrRegroup;

/* Valid until the next call. */
typedef struct
{
  const uint8_t *data;
  size_t size;
  size_t cuts[PLR_REGROUP_MAX_CUTS]; /* ascending, below size */
  unsigned n_cuts;
} PlrRegrouped;

/* NULL when memory is short. */
PlrRegroup *plr_regroup_new (void);
void        plr_regroup_free (PlrRegroup *self);

/* Regroups each of the whole batches in @raw on its own, frames and values unchanged. Order is kept within a run.
 *
 * Returns: 0; -EPROTO when there is a gap or something this recorder does not write, -ENOMEM */
int plr_regroup (PlrRegroup *self, const uint8_t *raw, size_t size, PlrRegrouped *out);

#endif /* PLR_REGROUP_H */
