/* open-polls.h: polls that have begun and not ended, of each worker
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A worker is not a thread: a task that blocks in place hands its worker to another thread and goes on without it. Readers
 * pair polls by worker, since the trace has the events of all threads in one stream; so a poll whose thread has lost its
 * worker ends there, as far as the worker is concerned, and the rest of it is told apart.
 */
#ifndef PLR_OPEN_POLLS_H
#define PLR_OPEN_POLLS_H

#include <stdbool.h>
#include <stdint.h>

#include "event.h"
#include "parklane-recorder.h"

#define PLR_N_WORKERS (PARKLANE_WORKER_MAX + 1)

/* Threads that block in place at the same time; of any more, what they do after they lost their worker is not told. */
#define PLR_MAX_DETACHED 256

typedef struct
{
  uint64_t start_ns; /* 0: none is open */
  uint64_t task;
  uint32_t location;
  uint32_t tid;
  uint8_t queue;
} PlrOpenPoll;

typedef struct
{
  PlrOpenPoll poll;
  uint32_t worker;
  uint64_t lost_ns; /* when another thread had the worker */
} PlrDetachedPoll;

typedef struct
{
  PlrOpenPoll *polls;  /* by worker */
  uint32_t n_workers;  /* those beyond have had no poll */
  uint32_t n_detached;
  PlrDetachedPoll *detached;
} PlrOpenPolls;

/* 0 or -ENOMEM. Closing what failed to open, or is all zero, does nothing. */
int  plr_open_polls_open (PlrOpenPolls *self);
void plr_open_polls_close (PlrOpenPolls *self);

/* A thread shows up as @worker in whose name another one is in a poll: keeps that poll apart. Cold. */
void plr_open_polls_detach (PlrOpenPolls *self, uint32_t worker, uint64_t now_ns);

/* Takes the poll of a thread that had lost its worker. False when it had not. Cold. */
bool plr_open_polls_take_detached (PlrOpenPolls *self, uint32_t worker, uint32_t tid, PlrDetachedPoll *out);

/* What began by @to_ns and ended while events were lost is not known. PARKLANE_WORKER_NONE: of all workers. */
void plr_open_polls_forget (PlrOpenPolls *self, uint32_t worker, uint64_t to_ns);

/* Whether @event shows that another thread has the worker now than the one that polls in its name. */
static inline bool
plr_open_polls_is_handed_over (const PlrOpenPolls *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  return worker < self->n_workers && self->polls[worker].start_ns != 0 && self->polls[worker].tid != event->tid;
}

static inline void
plr_open_polls_start (PlrOpenPolls *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  if (worker >= PLR_N_WORKERS || worker == PARKLANE_WORKER_NONE)
    return;
  if (worker >= self->n_workers)
    self->n_workers = worker + 1;
  self->polls[worker] = (PlrOpenPoll) {
    .start_ns = event->time_ns,
    .task = event->payload,
    .location = plr_word_arg (event->word),
    .tid = event->tid,
    .queue = (uint8_t) plr_word_queue (event->word),
  };
}

static inline void
plr_open_polls_end (PlrOpenPolls *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  if (worker < self->n_workers)
    self->polls[worker].start_ns = 0;
}

#endif /* PLR_OPEN_POLLS_H */
