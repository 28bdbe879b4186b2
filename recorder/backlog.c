/* backlog.c: events on their way from the rings to the file
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "backlog.h"

#include <errno.h>
#include <sys/mman.h>

/* The events begin on a cache line of their own. */
#define HEADER_BYTES 256

#define FIRST_POSITION 1

_Static_assert (sizeof (PlrBacklogState) <= HEADER_BYTES, "the state lies before the events");

size_t
plr_backlog_get_bytes (uint64_t size)
{
  return HEADER_BYTES + (size_t) size;
}

void
plr_backlog_place (PlrBacklog *self, void *memory, uint64_t size)
{
  *self = (PlrBacklog) {
    .state = memory,
    .events = (PlrEvent *) ((char *) memory + HEADER_BYTES),
    .capacity = size / sizeof (PlrEvent),
  };
  atomic_store_explicit (&self->state->intent.to, 0, memory_order_relaxed);
  atomic_store_explicit (&self->state->segment.n, 0, memory_order_relaxed);
  atomic_store_explicit (&self->state->lost.n, 0, memory_order_relaxed);
  atomic_store_explicit (&self->state->origin, FIRST_POSITION, memory_order_relaxed);
  atomic_store_explicit (&self->state->written, FIRST_POSITION, memory_order_relaxed);
  atomic_store_explicit (&self->state->taken, FIRST_POSITION, memory_order_release);
}

int
plr_backlog_open (PlrBacklog *self, uint64_t size)
{
  size_t bytes = plr_backlog_get_bytes (size);
  void *memory;

  memory = mmap (NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return -ENOMEM;
  plr_backlog_place (self, memory, size);
  self->mapped_bytes = bytes;
  return 0;
}

void
plr_backlog_close (PlrBacklog *self)
{
  if (self->mapped_bytes > 0)
    (void) munmap (self->state, self->mapped_bytes); /* cannot fail on a mapping of ours */
  *self = (PlrBacklog) { 0 };
}

uint64_t
plr_backlog_get_taken (const PlrBacklog *self)
{
  /* pairs with the release in plr_backlog_publish(): what was taken is there to be read */
  return atomic_load_explicit (&self->state->taken, memory_order_acquire);
}

uint64_t
plr_backlog_get_written (const PlrBacklog *self)
{
  /* pairs with the release in plr_backlog_acknowledge(): the writer has read what it gives back */
  return atomic_load_explicit (&self->state->written, memory_order_acquire);
}

static uint64_t
get_place (const PlrBacklog *self, uint64_t position)
{
  return (position - atomic_load_explicit (&self->state->origin, memory_order_relaxed)) % self->capacity;
}

uint64_t
plr_backlog_get_n (const PlrBacklog *self)
{
  uint64_t written = plr_backlog_get_written (self); /* first: it never overtakes */

  return plr_backlog_get_taken (self) - written;
}

uint64_t
plr_backlog_get_room (const PlrBacklog *self)
{
  return self->capacity - plr_backlog_get_n (self);
}

PlrEvent *
plr_backlog_get_places (PlrBacklog *self, size_t max, size_t *out_n)
{
  uint64_t taken = plr_backlog_get_taken (self);
  uint64_t room = plr_backlog_get_room (self);
  uint64_t place;

  /* Back to the first place, which is still in the cache, whenever nothing is held. */
  if (room == self->capacity)
    atomic_store_explicit (&self->state->origin, taken, memory_order_relaxed);

  place = get_place (self, taken);
  if (room > self->capacity - place)
    room = self->capacity - place;
  *out_n = room < max ? (size_t) room : max;
  return self->events + place;
}

void
plr_backlog_publish (PlrBacklog *self, size_t n)
{
  /* pairs with the acquire in plr_backlog_get_taken() */
  atomic_fetch_add_explicit (&self->state->taken, n, memory_order_release);
}

void
plr_backlog_append (PlrBacklog *self, const PlrEvent *event)
{
  size_t n;
  PlrEvent *place = plr_backlog_get_places (self, 1, &n);

  if (n == 0)
    return;
  *place = *event;
  plr_backlog_publish (self, 1);
}

const PlrEvent *
plr_backlog_get_oldest (const PlrBacklog *self, size_t *out_n)
{
  uint64_t place = get_place (self, plr_backlog_get_written (self));
  uint64_t n = plr_backlog_get_n (self);

  *out_n = (size_t) (n < self->capacity - place ? n : self->capacity - place);
  return self->events + place;
}

const PlrEvent *
plr_backlog_peek (const PlrBacklog *self, uint64_t n)
{
  return self->events + get_place (self, plr_backlog_get_written (self) + n);
}

void
plr_backlog_intend (PlrBacklog *self, size_t n, uint32_t index, uint64_t offset, uint64_t size)
{
  PlrBacklogIntent *intent = &self->state->intent;

  /* Each store comes after those before it, so that whoever reads this after a kill sees either no intent or all of it. */
  atomic_store_explicit (&intent->to, 0, memory_order_release);
  atomic_store_explicit (&intent->index, index, memory_order_release);
  atomic_store_explicit (&intent->offset, offset, memory_order_release);
  atomic_store_explicit (&intent->end, offset + size, memory_order_release);
  atomic_store_explicit (&intent->to, plr_backlog_get_written (self) + n, memory_order_release);
}

void
plr_backlog_acknowledge (PlrBacklog *self, size_t n)
{
  /* pairs with the acquire in get_written() */
  atomic_fetch_add_explicit (&self->state->written, n, memory_order_release);
}

static void
store_span (PlrBacklogSpan *to, const PlrSpan *from)
{
  /* A kill in between finds the old number or the new one. */
  atomic_store_explicit (&to->first_ns, from->first_ns, memory_order_relaxed);
  atomic_store_explicit (&to->last_ns, from->last_ns, memory_order_relaxed);
  atomic_store_explicit (&to->n, from->n, memory_order_release);
}

void
plr_backlog_note_segment (PlrBacklog *self, const PlrSpan *events, uint32_t index, uint64_t size)
{
  if (events == NULL)
    {
      atomic_store_explicit (&self->state->segment.n, 0, memory_order_release);
      return;
    }
  atomic_store_explicit (&self->state->segment_index, index, memory_order_relaxed);
  atomic_store_explicit (&self->state->segment_size, size, memory_order_relaxed);
  store_span (&self->state->segment, events);
}

void
plr_backlog_note_lost (PlrBacklog *self, const PlrSpan *events)
{
  store_span (&self->state->lost, events);
}

void
plr_backlog_replace_oldest (PlrBacklog *self, size_t n, const PlrEvent *event)
{
  self->events[get_place (self, plr_backlog_get_written (self) + n - 1)] = *event;
  plr_backlog_acknowledge (self, n - 1);
}
