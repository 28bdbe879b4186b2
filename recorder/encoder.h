/* encoder.h: events → TRC frames in a buffer
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The encoder keeps the state of one batch (known schemas, pooled strings, time base). Every batch it
 * begins decodes on its own, and one of events repeats the start of each poll that is open then, and since when a worker is
 * parked. It writes no annotations and no containers, so that the oldest readers of the format open what it wrote.
 */
#ifndef PLR_ENCODER_H
#define PLR_ENCODER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"

/* More than one event can take with its schema, strings and reset. */
#define PLR_ENCODER_MAX_EVENT 4096

/* Holds the largest metadata there can be: 65,535 worker ids of up to 6 bytes, beside the usual load. */
#define PLR_ENCODER_BUFFER (1024 * 1024)

/* What a session writes into the metadata of each segment. */
typedef struct
{
  const char *service_name;
  char run_id[33];
  uint32_t pid;
  uint64_t budget_bytes;
  uint64_t heartbeat_ns;
  uint32_t time_resolution_ns;
} PlrSessionInfo;

typedef struct _PlrEncoder PlrEncoder;

/* NULL when memory is short. */
PlrEncoder *plr_encoder_new (void);
void        plr_encoder_free (PlrEncoder *self);

/* From now on times are multiples of @ns, rounded down. 0 is as 1. */
void plr_encoder_set_time_resolution (PlrEncoder *self, uint32_t ns);

/* What was encoded and not yet taken by plr_encoder_reset_buffer(). */
const uint8_t *plr_encoder_get_data (const PlrEncoder *self);
size_t         plr_encoder_get_size (const PlrEncoder *self);
void           plr_encoder_reset_buffer (PlrEncoder *self);

/* Bytes since the batch began, its header included. */
size_t plr_encoder_get_batch_size (const PlrEncoder *self);

/* Writes a header and forgets schemas, strings and time base. */
void plr_encoder_begin_batch (PlrEncoder *self);

/* The same, and repeats what began before @before_ns and has not ended: polls, and parks of workers. Once that takes @limit
 * bytes the rest is left out; up to PLR_ENCODER_MAX_EVENT more may be written. */
void plr_encoder_begin_events (PlrEncoder *self, uint64_t before_ns, size_t limit);

/* Follows an event that will not be encoded, so that what is open stays known. */
void plr_encoder_skip (PlrEncoder *self, const PlrEvent *event);

/* The gap of all threads that ends at @to_ns is of events that were skipped or encoded: none is unknown. */
void plr_encoder_know_gap (PlrEncoder *self, uint64_t to_ns);

/* Whether the last event was such a gap. Readers do not know what is open behind it: plr_encoder_begin_events() tells them. */
bool plr_encoder_is_behind_gap (const PlrEncoder *self);

/* Appends one event. The caller sees to it that PLR_ENCODER_MAX_EVENT bytes are free. */
void plr_encoder_event (PlrEncoder *self, const PlrEvent *event);

/* Appends events while what is in the buffer is below @limit bytes, but one of @n at the least, and none behind a gap of skipped
 * events; returns how many. The caller sees to it that PLR_ENCODER_MAX_EVENT bytes are free behind the limit. */
size_t plr_encoder_events (PlrEncoder *self, const PlrEvent *events, size_t n, size_t limit);

/* No more bytes than plr_encoder_end_segment() adds. */
#define PLR_ENCODER_END_BYTES 128

/* Appends a batch that says, under dial9's key `segment.complete`, whether all threads were drained before the end. */
void plr_encoder_end_segment (PlrEncoder *self, uint64_t time_ns, bool is_complete);

/* Appends the metadata event: session, segment number and the runtimes registered by now. */
void plr_encoder_metadata (PlrEncoder *self, uint64_t time_ns, const PlrSessionInfo *info, uint32_t segment);

#endif /* PLR_ENCODER_H */
