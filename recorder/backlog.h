/* backlog.h: events on their way from the rings to the file
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A ring of events between one side that appends and one that writes. Both know events by their position, which
 * only grows; what lies between `written` and `taken` is held. All that is needed to go on after a kill lies in
 * PlrBacklogState and the events behind it, in words that are stored one at a time.
 */
#ifndef PLR_BACKLOG_H
#define PLR_BACKLOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "event.h"
#include "segment.h"

/* A write that is going on: when it has returned, all events before `to` are on file. */
typedef struct
{
  _Atomic uint64_t to;     /* not above `written`: there is none */
  _Atomic uint32_t index;  /* of the segment */
  _Atomic uint64_t offset; /* where the write begins */
  _Atomic uint64_t end;    /* and where it ends */
} PlrBacklogIntent;

/* Events that a file holds, or held. */
typedef struct
{
  _Atomic uint64_t n;
  _Atomic uint64_t first_ns;
  _Atomic uint64_t last_ns;
} PlrBacklogSpan;

typedef struct
{
  _Atomic uint64_t origin;  /* position that lies in the first place; changes only while nothing is held */
  _Atomic uint64_t written; /* events before it are on file, or given up and told */
  _Atomic uint64_t taken;   /* events before it are here */
  PlrBacklogIntent intent;

  /* So that what somebody takes away is told even when a kill comes first. */
  PlrBacklogSpan segment;        /* the one being written; none when `n` is 0 */
  _Atomic uint32_t segment_index;
  _Atomic uint64_t segment_size; /* that it must have at least */
  PlrBacklogSpan lost;           /* of segments that are gone, and no gap tells yet */
} PlrBacklogState;

typedef struct
{
  PlrBacklogState *state;
  PlrEvent *events;
  uint64_t capacity;
  size_t mapped_bytes; /* 0: the memory is somebody else's */
} PlrBacklog;

/* Bytes that a backlog takes which holds @size bytes of events. */
size_t plr_backlog_get_bytes (uint64_t size);

/* Maps memory for @size bytes of events; what is not used costs nothing. -ENOMEM. */
int  plr_backlog_open (PlrBacklog *self, uint64_t size);
void plr_backlog_close (PlrBacklog *self);

/* Begins with nothing held in @memory of plr_backlog_get_bytes(). */
void plr_backlog_place (PlrBacklog *self, void *memory, uint64_t size);

/* Position of the next event that is appended. Never 0. */
uint64_t plr_backlog_get_taken (const PlrBacklog *self);

/* Position of the oldest event that is held. */
uint64_t plr_backlog_get_written (const PlrBacklog *self);

/* Number of events held. */
uint64_t plr_backlog_get_n (const PlrBacklog *self);

/* Number of events that can still be appended. */
uint64_t plr_backlog_get_room (const PlrBacklog *self);

/* ---- the side that appends: under a lock ---- */

/* Places for the next events, *out_n of them, at most @max; 0 when there is no room. */
PlrEvent *plr_backlog_get_places (PlrBacklog *self, size_t max, size_t *out_n);

/* Takes in the first @n places. */
void plr_backlog_publish (PlrBacklog *self, size_t n);

/* Appends one event; without room it is left out. */
void plr_backlog_append (PlrBacklog *self, const PlrEvent *event);

/* ---- the side that writes ---- */

/* The oldest events held, *out_n of them in a row. They stay where they are until acknowledged. */
const PlrEvent *plr_backlog_get_oldest (const PlrBacklog *self, size_t *out_n);

/* The event that @n older ones precede; @n is below the number held. */
const PlrEvent *plr_backlog_peek (const PlrBacklog *self, uint64_t n);

/* A write of the @n oldest events begins, to @offset of segment @index. */
void plr_backlog_intend (PlrBacklog *self, size_t n, uint32_t index, uint64_t offset, uint64_t size);

/* The @n oldest events are done with. */
void plr_backlog_acknowledge (PlrBacklog *self, size_t n);

/* What the segment that is being written holds; NULL: there is none. */
void plr_backlog_note_segment (PlrBacklog *self, const PlrSpan *events, uint32_t index, uint64_t size);

/* What is lost and not told. */
void plr_backlog_note_lost (PlrBacklog *self, const PlrSpan *events);

/* ---- both sides at once: under the lock, while nothing is being written ---- */

/* Puts @event in the place of the @n oldest. */
void plr_backlog_replace_oldest (PlrBacklog *self, size_t n, const PlrEvent *event);

#endif /* PLR_BACKLOG_H */
