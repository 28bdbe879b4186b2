/* runtime.h: a little work-stealing runtime for cooperative tasks
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Tasks are polled until they are done. A poll that returns "pending" is not repeated before somebody
 * wakes the task. Workers take tasks from their own queue, from the global one, and from each other.
 */
#ifndef DEMO_RUNTIME_H
#define DEMO_RUNTIME_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "deque.h"
#include "tally.h"

typedef struct _Runtime Runtime;
typedef struct _Worker Worker;

typedef enum
{
  TASK_PENDING,
  TASK_DONE, /* the runtime frees the task, unless it is kept */
} TaskResult;

/* @worker polls; @start_ns: when the poll began. */
typedef TaskResult (*TaskFunc) (Task *task, Worker *worker, uint64_t start_ns);

struct _Task
{
  _Atomic uint32_t state;
  uint32_t location;
  uint64_t id;
  TaskFunc poll;
  void *data;      /* the workload's */
  Task *next;      /* in the global queue */
  bool is_kept;    /* the workload may still wake it when it is done, so the runtime must not free it */
};

struct _Worker
{
  Runtime *runtime;
  unsigned index;
  uint32_t id;        /* for the recorder */
  uint64_t random;
  uint64_t tick;
  Tally *tally;
  bool is_notified;   /* guarded by the runtime's lock */
  _Atomic bool has_ended;
  pthread_cond_t wake;
  pthread_t thread;
  Deque queue;
};

/* @n_workers from 1; @tallies: one for each, which live as long as the workers. NULL when memory or threads are refused. */
Runtime *runtime_new (unsigned n_workers, uint64_t seed, Tally *tallies);

/* Makes a task and puts it into the global queue. Any thread but a worker polling; @tally is the caller's. */
Task *runtime_spawn (Runtime *self, Tally *tally, TaskFunc poll, void *data, uint32_t location);

/* Makes a task runnable: on the worker's own queue, or with @worker NULL on the global one. Any thread. */
void runtime_wake (Runtime *self, Worker *worker, Task *task);

/* Whether workers may take from the global queue. While they may not, they park although work waits. */
void runtime_set_starving (Runtime *self, bool is_starving);

uint32_t runtime_get_queue_depth (Runtime *self);
uint32_t runtime_get_n_alive (Runtime *self);
uint32_t runtime_get_recorder_id (const Runtime *self);

/* Ends all workers but those of @n_stuck that never return from a poll, once their queues are empty. Frees the
 * runtime, unless a worker is stuck and uses it for ever. */
void runtime_stop (Runtime *self, unsigned n_stuck);

/* The next number of a xorshift generator. */
uint64_t random_next (uint64_t *state);

#endif /* DEMO_RUNTIME_H */
