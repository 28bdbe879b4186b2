/* encoder-private.h: an encoder's state, and how an event's frame begins and ends
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_ENCODER_PRIVATE_H
#define PLR_ENCODER_PRIVATE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "encoder.h"
#include "open-parks.h"
#include "open-polls.h"
#include "trc.h"

typedef struct
{
  uint32_t batch;
  uint32_t pool_id;
} PlrEncoderSlot;

struct _PlrEncoder
{
  uint8_t *data;
  size_t size;
  size_t batch_size; /* of the part of the batch that has left the buffer; wraps, see begin_batch */
  uint64_t base_ns;
  uint64_t resolution_ns;
  uint64_t sched_wait_ns;  /* for the next unpark; PARKLANE_NOT_MEASURED when there is none */
  uint64_t sched_delay_ns; /* for the next start of a poll; likewise */
  uint32_t known_types;   /* bit per type id */
  uint32_t batch;         /* number of this batch; slots of another number are unknown */
  uint32_t n_strings;
  uint64_t beat_counts[PLR_N_BEAT_COUNTS]; /* for the next heartbeat */
  PlrEncoderSlot *slots;
  PlrOpenPolls open_polls;
  PlrOpenParks open_parks;
  uint64_t known_to_ns; /* of a gap to come that hides nothing from the encoder; 0: of none */
  bool is_behind_gap;   /* which hid nothing, and what is open has not been told since */
};

/* Declares @type in the batch. */
void plr_encoder_write_schema (PlrEncoder *self, unsigned type);

/* The pool id of a location's text, declared in the batch if need be: before the event's frame begins. */
uint32_t plr_encoder_intern_location (PlrEncoder *self, uint32_t id);

/* What is open behind a gap. */
void plr_encoder_follow_gap (PlrEncoder *self, const PlrEvent *event);

static inline uint8_t *
plr_encoder_write_bytes (uint8_t *p, const char *text, size_t length)
{
  memcpy (p, text, length);
  return p + length;
}

/* @ns, as the trace tells it. Every time must pass, and those of one moment are equal still. */
static inline uint64_t
plr_encoder_round (const PlrEncoder *self, uint64_t ns)
{
  return __builtin_expect (self->resolution_ns > 1, 0) ? ns - ns % self->resolution_ns : ns;
}

/* Begins an event: schema if the batch has not seen it, reset if the delta cannot bridge the step. */
static inline uint8_t *
plr_encoder_begin_event (PlrEncoder *self, unsigned type, uint64_t time_ns)
{
  uint64_t delta;
  uint8_t *p;

  time_ns = plr_encoder_round (self, time_ns);
  delta = time_ns - self->base_ns;
  if (__builtin_expect (!(self->known_types & UINT32_C (1) << type), 0))
    plr_encoder_write_schema (self, type);

  p = self->data + self->size;
  if (__builtin_expect (delta > TRC_MAX_DELTA, 0)) /* a step back is a huge unsigned difference */
    {
      *p++ = TRC_TAG_RESET;
      p = trc_write_u64 (p, time_ns);
      delta = 0;
    }
  self->base_ns = time_ns;

  /* In one store: the two bytes behind are the first field's. */
  trc_write_u64 (p, TRC_TAG_EVENT | (uint64_t) type << 8 | delta << 24);
  return p + 6;
}

static inline void
plr_encoder_end_event (PlrEncoder *self, uint8_t *p)
{
  self->size = (size_t) (p - self->data);
}

#endif /* PLR_ENCODER_PRIVATE_H */
