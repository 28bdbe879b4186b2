/* event.h: the event kinds inside the recorder, as rings and the encoder pass them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_EVENT_H
#define PLR_EVENT_H

#include <stdint.h>

/* What `arg` and `payload` of an event hold is said per kind; `queue` is the local queue depth where
 * the trace's event has one. */
typedef enum
{
  PLR_EVENT_NONE,
  PLR_EVENT_POLL_START,     /* arg: location; payload: task */
  PLR_EVENT_POLL_END,
  PLR_EVENT_PARK,           /* payload: CPU time */
  PLR_EVENT_UNPARK,         /* payload: CPU time; arg: 1 when a SCHED_WAIT of the same thread precedes */
  PLR_EVENT_SCHED_WAIT,     /* payload: ns; belongs to the UNPARK that follows, no event of its own */
  PLR_EVENT_TASK_SPAWN,     /* arg: location; payload: task */
  PLR_EVENT_TASK_TERMINATE, /* payload: task */
  PLR_EVENT_QUEUE_DEPTH,    /* arg: runtime; payload: depth | alive << 32 */
  PLR_EVENT_GAP,            /* time: end; payload: begin; arg: events lost, saturating; queue: a PlrGapCause */
  PLR_EVENT_HEARTBEAT,      /* payload: bytes written; queue: a PlrBeatHealth */
  PLR_EVENT_CLOCK_SYNC,     /* payload: wall-clock ns */
  PLR_EVENT_SCHED_DELAY,    /* payload: ns; belongs to the POLL_START that follows, no event of its own */
  PLR_EVENT_BLOCKING_START, /* arg: location; payload: ns in the queue, PARKLANE_NOT_MEASURED */
  PLR_EVENT_BLOCKING_END,
  PLR_EVENT_COUNTER,        /* arg: runtime | ParklaneCounter << 16; payload: value */
  PLR_EVENT_BEAT_COUNT,     /* queue: a PlrBeatCount; payload: its value; belongs to the HEARTBEAT that follows */
  PLR_N_EVENT_KINDS,
} PlrEventKind;

/* Why events are missing from a time range. */
typedef enum
{
  PLR_GAP_RING,   /* a thread's ring was full */
  PLR_GAP_OUTPUT, /* the file could not be written and the memory buffer was full, or a segment was lost */
  PLR_GAP_PAUSE,  /* recording was paused */
  PLR_GAP_MEMORY, /* a thread had no ring, since memory was refused */
  PLR_N_GAP_CAUSES,
} PlrGapCause;

/* How the session was when its heart beat. */
typedef enum
{
  PLR_BEAT_OK,
  PLR_BEAT_DEGRADED,
  PLR_BEAT_PAUSED,
  PLR_N_BEAT_HEALTHS,
} PlrBeatHealth;

typedef enum
{
  PLR_BEAT_EVENTS,
  PLR_BEAT_DROPPED,
  PLR_N_BEAT_COUNTS,
} PlrBeatCount;

/* Whether the host recorded it: neither a gap, nor what the recorder itself adds, nor what only says more of another. */
static inline int
plr_event_is_recorded (PlrEventKind kind)
{
  const uint32_t others = 1u << PLR_EVENT_GAP | 1u << PLR_EVENT_HEARTBEAT | 1u << PLR_EVENT_CLOCK_SYNC
                          | 1u << PLR_EVENT_SCHED_WAIT | 1u << PLR_EVENT_SCHED_DELAY | 1u << PLR_EVENT_BEAT_COUNT;

  return kind >= PLR_N_EVENT_KINDS || (others >> kind & 1) == 0;
}

/* kind, queue, worker and arg in one word, so that a record is three stores. */
static inline uint64_t
plr_event_word (PlrEventKind kind, uint32_t queue, uint32_t worker, uint32_t arg)
{
  return (uint64_t) kind | (uint64_t) (queue & 0xff) << 8 | (uint64_t) (worker & 0xffff) << 16
         | (uint64_t) arg << 32;
}

/* Of a gap of @n lost events; more than its arg holds are told as the most that it holds. */
static inline uint64_t
plr_gap_word (PlrGapCause cause, uint32_t worker, uint64_t n)
{
  return plr_event_word (PLR_EVENT_GAP, cause, worker, n > UINT32_MAX ? UINT32_MAX : (uint32_t) n);
}

static inline PlrEventKind
plr_word_kind (uint64_t word)
{
  return (PlrEventKind) (word & 0xff);
}

static inline uint32_t
plr_word_queue (uint64_t word)
{
  return (uint32_t) (word >> 8) & 0xff;
}

static inline uint32_t
plr_word_worker (uint64_t word)
{
  return (uint32_t) (word >> 16) & 0xffff;
}

static inline uint32_t
plr_word_arg (uint64_t word)
{
  return (uint32_t) (word >> 32);
}

/* An event on its way from the rings to the file. */
typedef struct
{
  uint64_t time_ns;
  uint64_t word;
  uint64_t payload;
  uint32_t tid; /* of the recording thread; 0: the recorder itself */
} PlrEvent;

#endif /* PLR_EVENT_H */
