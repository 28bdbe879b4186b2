/* record.c: the hot path: one function per event
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#define PARKLANE_NO_INLINE /* the functions themselves are here */

#include "clock.h"
#include "parklane-recorder.h"
#include "places.h"
#include "thread.h"

/* May exchange the ring. */
static inline uint64_t
take_time (PlrRing **ring)
{
  uint64_t time_ns = plr_clock_now ();

  if (PLR_UNLIKELY (time_ns < plr_ring_get_last_ns (*ring)))
    {
      *ring = plr_thread_settle (*ring);
      if (time_ns < plr_ring_get_last_ns (*ring))
        time_ns = plr_ring_get_last_ns (*ring);
    }
  plr_ring_set_last_ns (*ring, time_ns);
  return time_ns;
}

static inline PlrRing *
get_ring (void)
{
  if (PLR_LIKELY (plr_thread_ring != NULL))
    return plr_thread_ring;
  return plr_thread_attach_first ();
}

static inline bool
is_recording (void)
{
  return atomic_load_explicit (&plr_recording, memory_order_relaxed);
}

/* Apart from its callers, so that while nothing records they need no stack frame: a load and a branch.
 * @word has no worker yet. */
static __attribute__ ((noinline)) uint64_t
push (uint64_t word, uint64_t payload)
{
  PlrRing *ring = get_ring ();
  uint64_t time_ns;

  if (PLR_UNLIKELY (ring == NULL))
    return 0;

  time_ns = take_time (&ring);
  plr_ring_push (ring, time_ns, word | plr_event_word (PLR_EVENT_NONE, 0, ring->worker, 0), payload);
  return time_ns;
}

static inline uint64_t
record (PlrEventKind kind, uint32_t queue, uint32_t arg, uint64_t payload)
{
  if (PLR_LIKELY (is_recording ()))
    return push (plr_event_word (kind, queue, 0, arg), payload);
  return 0;
}

/* The trace's field has eight bits; a full value says "at least". */
static inline uint32_t
saturate (uint32_t queue)
{
  return queue > UINT8_MAX ? UINT8_MAX : queue;
}

uint64_t
parklane_poll_start (uint64_t task_id, uint32_t spawn_location, uint32_t local_queue)
{
  return record (PLR_EVENT_POLL_START, saturate (local_queue), spawn_location, task_id);
}

uint64_t
parklane_poll_end (void)
{
  return record (PLR_EVENT_POLL_END, 0, 0, 0);
}

uint64_t
parklane_park (uint32_t local_queue)
{
  return record (PLR_EVENT_PARK, saturate (local_queue), 0, 0);
}

uint64_t
parklane_unpark (uint32_t local_queue)
{
  return record (PLR_EVENT_UNPARK, saturate (local_queue), 0, 0);
}

uint64_t
parklane_park_with (uint32_t local_queue, uint64_t cpu_time_ns)
{
  return record (PLR_EVENT_PARK, saturate (local_queue), 0, cpu_time_ns);
}

uint64_t
parklane_unpark_with (uint32_t local_queue, uint64_t cpu_time_ns, uint64_t sched_wait_ns)
{
  PlrRing *ring = is_recording () ? get_ring () : NULL;
  uint64_t time_ns;

  if (PLR_UNLIKELY (ring == NULL))
    return 0;

  /* The wait needs a record of its own. Both carry one time, so that the merge keeps them together. */
  time_ns = take_time (&ring);
  if (sched_wait_ns != PARKLANE_NOT_MEASURED)
    plr_ring_push (ring, time_ns, plr_event_word (PLR_EVENT_SCHED_WAIT, 0, ring->worker, 0), sched_wait_ns);
  plr_ring_push (ring, time_ns, plr_event_word (PLR_EVENT_UNPARK, saturate (local_queue), ring->worker, 0), cpu_time_ns);
  return time_ns;
}

uint64_t
parklane_task_spawn (uint64_t task_id, uint32_t spawn_location)
{
  return record (PLR_EVENT_TASK_SPAWN, 0, spawn_location, task_id);
}

uint64_t
parklane_task_terminate (uint64_t task_id)
{
  return record (PLR_EVENT_TASK_TERMINATE, 0, 0, task_id);
}

uint64_t
parklane_poll_start_at (uint64_t task_id, const void *place, uint32_t local_queue, uint64_t sched_delay_ns)
{
  PlrRing *ring = is_recording () ? get_ring () : NULL;
  uint64_t time_ns;

  if (PLR_UNLIKELY (ring == NULL))
    return 0;

  time_ns = take_time (&ring);
  if (PLR_UNLIKELY (sched_delay_ns != PARKLANE_NOT_MEASURED)) /* as the wait of an unpark */
    plr_ring_push (ring, time_ns, plr_event_word (PLR_EVENT_SCHED_DELAY, 0, ring->worker, 0), sched_delay_ns);
  plr_ring_push (ring, time_ns,
                 plr_event_word (PLR_EVENT_POLL_START, saturate (local_queue), ring->worker, plr_places_find (place)), task_id);
  return time_ns;
}

uint64_t
parklane_task_spawn_at (uint64_t task_id, const void *place)
{
  return record (PLR_EVENT_TASK_SPAWN, 0, plr_places_find (place), task_id);
}

uint64_t
parklane_blocking_start (const void *place, uint64_t queue_wait_ns)
{
  return record (PLR_EVENT_BLOCKING_START, 0, plr_places_find (place), queue_wait_ns);
}

uint64_t
parklane_blocking_end (void)
{
  return record (PLR_EVENT_BLOCKING_END, 0, 0, 0);
}

uint64_t
parklane_counter (uint32_t runtime, ParklaneCounter counter, uint64_t value)
{
  return record (PLR_EVENT_COUNTER, 0, (runtime & 0xffff) | (uint32_t) counter << 16, value);
}

uint64_t
parklane_queue_depth (uint32_t runtime, uint32_t global_queue_depth, uint32_t alive_tasks)
{
  return record (PLR_EVENT_QUEUE_DEPTH, 0, runtime, global_queue_depth | (uint64_t) alive_tasks << 32);
}
