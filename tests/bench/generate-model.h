/* generate-model.h: what the worker threads of a made-up service do, with the statistics of real ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef GENERATE_MODEL_H
#define GENERATE_MODEL_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  MODEL_POLL_START,
  MODEL_POLL_END,
  MODEL_PARK,
  MODEL_UNPARK,
  MODEL_WAKE,
  MODEL_SPAWN,
  MODEL_TERMINATE,
} ModelKind;

/**
 * ModelEvent:
 * @task: polled, spawned, terminated or woken
 * @waker: task that wakes, 0 = none
 * @cpu_ns: CPU time of the thread so far
 * @wait_ns: of an unpark, how long the thread waited for a CPU; -1 = not measured
 * @location: 0 to MODEL_N_LOCATIONS - 1
 * @queue: tasks in the worker's queue
 */
typedef struct
{
  guint64 at_ns;
  guint64 task;
  guint64 waker;
  guint64 cpu_ns;
  gint64 wait_ns;
  guint8 kind; /* ModelKind */
  guint8 location;
  guint8 queue;
} ModelEvent;

#define MODEL_N_LOCATIONS 5
extern const char *const model_locations[MODEL_N_LOCATIONS];

/* Tasks that live, and that are waiting, for the samples of the runtime. */
#define MODEL_N_ALIVE 25
#define MODEL_SAMPLE_NS (10 * 1000 * 1000)

typedef struct
{
  guint id;
  guint32 tid;
  guint64 random;
  guint64 at_ns;
  guint64 cpu_ns;
  guint64 unparked_ns;
  guint64 task;        /* polled now */
  guint64 oldest_task; /* of the short tasks that wait for their poll; each thread has ids of its own */
  guint64 next_task;
  guint n_threads;
  guint n_wakes;       /* still to come while parked */
  guint8 state;
  guint8 queue;
} ModelWorker;

void model_init          (void);
void model_worker_init   (ModelWorker *self,
                          guint        id,
                          guint        n_workers,
                          guint64      seed,
                          guint64      start_ns);
void model_worker_next   (ModelWorker *self,
                          ModelEvent  *out_event);

G_END_DECLS

#endif /* GENERATE_MODEL_H */
