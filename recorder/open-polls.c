/* open-polls.c: polls that have begun and not ended, of each worker
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "open-polls.h"

#include <errno.h>
#include <stdlib.h>

int
plr_open_polls_open (PlrOpenPolls *self)
{
  *self = (PlrOpenPolls) {
    .polls = calloc (PLR_N_WORKERS, sizeof *self->polls), /* pages of workers that never poll are never touched */
    .detached = calloc (PLR_MAX_DETACHED, sizeof *self->detached),
  };
  return self->polls == NULL || self->detached == NULL ? -ENOMEM : 0;
}

void
plr_open_polls_close (PlrOpenPolls *self)
{
  free (self->polls);
  free (self->detached);
}

void
plr_open_polls_detach (PlrOpenPolls *self, uint32_t worker, uint64_t now_ns)
{
  if (self->n_detached < PLR_MAX_DETACHED)
    self->detached[self->n_detached++] = (PlrDetachedPoll) { self->polls[worker], worker, now_ns };
  self->polls[worker].start_ns = 0;
}

static void
remove_detached (PlrOpenPolls *self, uint32_t i)
{
  self->detached[i] = self->detached[--self->n_detached];
}

bool
plr_open_polls_take_detached (PlrOpenPolls *self, uint32_t worker, uint32_t tid, PlrDetachedPoll *out)
{
  for (uint32_t i = 0; i < self->n_detached; i++)
    if (self->detached[i].worker == worker && self->detached[i].poll.tid == tid)
      {
        *out = self->detached[i];
        remove_detached (self, i);
        return true;
      }
  return false;
}

static void
forget_poll (PlrOpenPoll *poll, uint64_t to_ns)
{
  if (poll->start_ns <= to_ns)
    poll->start_ns = 0;
}

void
plr_open_polls_forget (PlrOpenPolls *self, uint32_t worker, uint64_t to_ns)
{
  bool is_of_all = worker == PARKLANE_WORKER_NONE;

  if (is_of_all)
    for (uint32_t i = 0; i < self->n_workers; i++)
      forget_poll (&self->polls[i], to_ns);
  else if (worker < self->n_workers)
    forget_poll (&self->polls[worker], to_ns);
  for (uint32_t i = self->n_detached; i > 0; i--)
    if ((is_of_all || self->detached[i - 1].worker == worker) && self->detached[i - 1].lost_ns <= to_ns)
      remove_detached (self, i - 1);
}
