/* encoder-open.c: begins a batch with what is going on: open polls, and workers that are parked
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The start of it lies in an earlier batch, which a reader may not have: its segment was evicted, or its frame was not read.
 */
#include "encoder-private.h"

#include "schemas.h"

/* How far to go: what began at @before_ns or later is left out, and so is what comes when the buffer holds @end bytes. */
typedef struct
{
  uint64_t before_ns;
  size_t end;
} Bounds;

static void
tell_polls (PlrEncoder *self, Bounds bounds)
{
  for (uint32_t worker = 0; worker < self->open_polls.n_workers && self->size < bounds.end; worker++)
    {
      const PlrOpenPoll *poll = &self->open_polls.polls[worker];
      uint32_t pool_id;
      uint8_t *p;

      if (poll->start_ns == 0 || poll->start_ns >= bounds.before_ns)
        continue;
      pool_id = plr_encoder_intern_location (self, poll->location);
      p = plr_encoder_begin_event (self, PLR_TYPE_OPEN_POLL, poll->start_ns);
      p = trc_write_varint (p, poll->task);
      *p++ = poll->queue;
      p = trc_write_varint (p, worker);
      plr_encoder_end_event (self, trc_write_u32 (p, pool_id));
    }
}

static void
tell_parks (PlrEncoder *self, Bounds bounds)
{
  for (uint32_t worker = 0; worker < self->open_parks.n_workers && self->size < bounds.end; worker++)
    {
      const PlrOpenPark *park = &self->open_parks.parks[worker];
      uint8_t *p;

      if (park->since_ns == 0 || park->since_ns >= bounds.before_ns)
        continue;
      p = plr_encoder_begin_event (self, PLR_TYPE_OPEN_PARK, park->since_ns);
      p = trc_write_varint (p, plr_encoder_round (self, park->cpu_ns));
      p = trc_write_varint (p, worker);
      p = trc_write_u32 (p, park->tid);
      *p++ = park->queue;
      plr_encoder_end_event (self, p);
    }
}

/* A worker's gap hides what its thread did, and one of all hides that of everybody. A thread that is no worker has nothing
 * open that is told. */
void
plr_encoder_follow_gap (PlrEncoder *self, const PlrEvent *event)
{
  uint32_t worker = plr_word_worker (event->word);

  if (worker == PARKLANE_WORKER_NONE && event->tid != 0)
    return;
  if (worker == PARKLANE_WORKER_NONE && event->time_ns == self->known_to_ns)
    {
      self->is_behind_gap = true;
      return;
    }
  plr_open_polls_forget (&self->open_polls, worker, event->time_ns);
  plr_open_parks_forget (&self->open_parks, worker, event->time_ns);
}

static void
skip_hand_over (PlrEncoder *self, const PlrEvent *event)
{
  if (plr_open_polls_is_handed_over (&self->open_polls, event))
    plr_open_polls_detach (&self->open_polls, plr_word_worker (event->word), event->time_ns);
}

void
plr_encoder_skip (PlrEncoder *self, const PlrEvent *event)
{
  PlrDetachedPoll detached;

  switch ((int) plr_word_kind (event->word))
    {
    case PLR_EVENT_POLL_START:
      skip_hand_over (self, event);
      plr_open_polls_start (&self->open_polls, event);
      break;

    case PLR_EVENT_POLL_END:
      if (!plr_open_polls_take_detached (&self->open_polls, plr_word_worker (event->word), event->tid, &detached))
        plr_open_polls_end (&self->open_polls, event);
      break;

    case PLR_EVENT_PARK:
      skip_hand_over (self, event);
      plr_open_parks_begin (&self->open_parks, event);
      break;

    case PLR_EVENT_UNPARK:
      skip_hand_over (self, event);
      plr_open_parks_end (&self->open_parks, plr_word_worker (event->word));
      break;

    case PLR_EVENT_GAP:
      plr_encoder_follow_gap (self, event);
      break;

    default:
      break;
    }
}

void
plr_encoder_know_gap (PlrEncoder *self, uint64_t to_ns)
{
  self->known_to_ns = to_ns;
}

bool
plr_encoder_is_behind_gap (const PlrEncoder *self)
{
  return self->is_behind_gap;
}

void
plr_encoder_begin_events (PlrEncoder *self, uint64_t before_ns, size_t limit)
{
  Bounds bounds = { before_ns, self->size + limit };

  self->is_behind_gap = false;
  plr_encoder_begin_batch (self);
  tell_polls (self, bounds);
  tell_parks (self, bounds);
}
