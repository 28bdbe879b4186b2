/* runtime.c: workers, queues, parking
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "parklane-recorder.h"

/* Every so many tasks a worker looks at the global queue first, so that it cannot starve behind a busy
 * local one. Tokio's number. */
#define GLOBAL_INTERVAL 61

enum
{
  IDLE,
  SCHEDULED,
  RUNNING,
  NOTIFIED, /* running, and to be polled again */
};

struct _Runtime
{
  unsigned n_workers;
  uint32_t recorder_id;
  Worker *workers;

  pthread_mutex_t lock; /* guards the global queue and who sleeps */
  Task *first;
  Task *last;
  _Atomic uint32_t depth;
  Worker **sleepers;
  unsigned n_sleepers;
  _Atomic unsigned n_asleep; /* n_sleepers, for whoever has no lock */

  _Atomic bool is_starving;
  _Atomic bool must_stop;
  _Atomic uint32_t n_alive;
  _Atomic uint64_t next_task_id;
  _Atomic unsigned n_ended;
};

uint64_t
random_next (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static void
push_global (Runtime *self, Task *task)
{
  task->next = NULL;
  pthread_mutex_lock (&self->lock);
  if (self->last != NULL)
    self->last->next = task;
  else
    self->first = task;
  self->last = task;
  atomic_fetch_add (&self->depth, 1);
  pthread_mutex_unlock (&self->lock);
}

static Task *
take_global (Runtime *self)
{
  Task *task;

  if (atomic_load (&self->depth) == 0 || atomic_load (&self->is_starving))
    return NULL;
  pthread_mutex_lock (&self->lock);
  task = self->first;
  if (task != NULL)
    {
      self->first = task->next;
      if (self->first == NULL)
        self->last = NULL;
      atomic_fetch_sub (&self->depth, 1);
    }
  pthread_mutex_unlock (&self->lock);
  return task;
}

static void
wake_one (Runtime *self)
{
  /* Sequentially consistent with the sleeper's last look: either it sees the work or we see it. */
  if (atomic_load (&self->n_asleep) == 0)
    return;

  pthread_mutex_lock (&self->lock);
  if (self->n_sleepers > 0)
    {
      Worker *worker = self->sleepers[--self->n_sleepers];

      atomic_store (&self->n_asleep, self->n_sleepers);
      worker->is_notified = true;
      pthread_cond_signal (&worker->wake);
    }
  pthread_mutex_unlock (&self->lock);
}

static void
wake_all (Runtime *self)
{
  for (unsigned i = 0; i < self->n_workers; i++)
    wake_one (self);
}

static void
schedule (Runtime *self, Worker *worker, Task *task)
{
  if (worker == NULL || !deque_push (&worker->queue, task))
    {
      push_global (self, task);
      if (atomic_load (&self->is_starving))
        return;
    }
  wake_one (self);
}

void
runtime_wake (Runtime *self, Worker *worker, Task *task)
{
  uint32_t state = atomic_load (&task->state);

  for (;;)
    switch (state)
      {
      case IDLE:
        if (atomic_compare_exchange_weak (&task->state, &state, SCHEDULED))
          {
            schedule (self, worker, task);
            return;
          }
        break;
      case RUNNING:
        if (atomic_compare_exchange_weak (&task->state, &state, NOTIFIED))
          return;
        break;
      default:
        return;
      }
}

Task *
runtime_spawn (Runtime *self, Tally *tally, TaskFunc poll, void *data, uint32_t location)
{
  Task *task = calloc (1, sizeof *task);

  if (task == NULL)
    return NULL;
  task->state = SCHEDULED;
  task->location = location;
  task->id = atomic_fetch_add (&self->next_task_id, 1);
  task->poll = poll;
  task->data = data;

  atomic_fetch_add (&self->n_alive, 1);
  tally->n_spawned++;
  tally->n_recorded += parklane_task_spawn (task->id, location) != 0;
  schedule (self, NULL, task);
  return task;
}

static void
finish (Worker *worker, Task *task)
{
  worker->tally->n_terminated++;
  worker->tally->n_recorded += parklane_task_terminate (task->id) != 0;
  if (!task->is_kept)
    free (task);
  atomic_fetch_sub (&worker->runtime->n_alive, 1); /* last: at 0 the workload frees the tasks it kept */
}

/* The demo's clock reads are the recorder's, where it records: so its count agrees with the trace. */
static void
run (Worker *worker, Task *task)
{
  uint32_t state = RUNNING;
  uint64_t recorded_ns;
  uint64_t start_ns;
  uint64_t end_ns;
  TaskResult result;

  atomic_store (&task->state, RUNNING);
  recorded_ns = parklane_poll_start (task->id, task->location, deque_length (&worker->queue));
  worker->tally->n_recorded += recorded_ns != 0;
  start_ns = recorded_ns != 0 ? recorded_ns : parklane_now_ns ();

  result = task->poll (task, worker, start_ns);

  recorded_ns = parklane_poll_end ();
  worker->tally->n_recorded += recorded_ns != 0;
  end_ns = recorded_ns != 0 ? recorded_ns : parklane_now_ns ();
  tally_poll (worker->tally, end_ns - start_ns);

  if (result == TASK_DONE)
    finish (worker, task);
  else if (!atomic_compare_exchange_strong (&task->state, &state, IDLE))
    {
      atomic_store (&task->state, SCHEDULED);
      schedule (worker->runtime, worker, task);
    }
}

static Task *
steal (Worker *worker)
{
  Runtime *runtime = worker->runtime;
  unsigned first = (unsigned) (random_next (&worker->random) % runtime->n_workers);

  for (unsigned i = 0; i < runtime->n_workers; i++)
    {
      Worker *victim = &runtime->workers[(first + i) % runtime->n_workers];
      Task *task = victim == worker ? NULL : deque_take (&victim->queue);

      if (task != NULL)
        return task;
    }
  return NULL;
}

static Task *
find_task (Worker *worker)
{
  Task *task = NULL;

  if (worker->tick++ % GLOBAL_INTERVAL == 0)
    task = take_global (worker->runtime);
  if (task == NULL)
    task = deque_take (&worker->queue);
  if (task == NULL)
    task = take_global (worker->runtime);
  if (task == NULL)
    task = steal (worker);
  return task;
}

static void
announce_sleep (Worker *worker)
{
  Runtime *runtime = worker->runtime;

  pthread_mutex_lock (&runtime->lock);
  worker->is_notified = false;
  runtime->sleepers[runtime->n_sleepers++] = worker;
  atomic_store (&runtime->n_asleep, runtime->n_sleepers);
  pthread_mutex_unlock (&runtime->lock);
}

/* Takes the worker off the list of sleepers, unless somebody has done so to wake it. */
static void
withdraw_sleep (Worker *worker)
{
  Runtime *runtime = worker->runtime;

  pthread_mutex_lock (&runtime->lock);
  for (unsigned i = 0; i < runtime->n_sleepers; i++)
    if (runtime->sleepers[i] == worker)
      {
        runtime->sleepers[i] = runtime->sleepers[--runtime->n_sleepers];
        break;
      }
  atomic_store (&runtime->n_asleep, runtime->n_sleepers);
  pthread_mutex_unlock (&runtime->lock);
}

static void
sleep_until_notified (Worker *worker)
{
  Runtime *runtime = worker->runtime;

  worker->tally->n_recorded += parklane_park_with (deque_length (&worker->queue), parklane_thread_cpu_time_ns ()) != 0;
  pthread_mutex_lock (&runtime->lock);
  while (!worker->is_notified)
    pthread_cond_wait (&worker->wake, &runtime->lock);
  pthread_mutex_unlock (&runtime->lock);
  worker->tally->n_recorded += parklane_unpark_with (deque_length (&worker->queue), parklane_thread_cpu_time_ns (),
                                                    PARKLANE_NOT_MEASURED)
                              != 0;
}

/* Sleeps until there is work, and returns it, or NULL after a wake-up. */
static Task *
park (Worker *worker)
{
  Task *task;

  announce_sleep (worker);
  task = find_task (worker);
  if (task != NULL || atomic_load (&worker->runtime->must_stop))
    withdraw_sleep (worker);
  else
    sleep_until_notified (worker);
  return task;
}

static void *
worker_run (void *data)
{
  Worker *worker = data;
  Runtime *runtime = worker->runtime;

  (void) parklane_thread_attach (worker->id); /* without memory the demo runs on and counts what is dropped */
  for (;;)
    {
      Task *task = find_task (worker);

      if (task == NULL && atomic_load (&runtime->must_stop))
        break;
      if (task == NULL)
        task = park (worker);
      if (task != NULL)
        run (worker, task);
    }
  atomic_store (&worker->has_ended, true);
  atomic_fetch_add (&runtime->n_ended, 1);
  return NULL;
}

Runtime *
runtime_new (unsigned n_workers, uint64_t seed, Tally *tallies)
{
  Runtime *self = calloc (1, sizeof *self);
  uint32_t first_id;
  int id;

  if (self == NULL)
    return NULL;
  self->n_workers = n_workers;
  self->next_task_id = 1;
  pthread_mutex_init (&self->lock, NULL);
  self->workers = aligned_alloc (64, n_workers * sizeof *self->workers);
  self->sleepers = calloc (n_workers, sizeof *self->sleepers);
  id = parklane_runtime_register ("demo", n_workers, &first_id);
  if (self->workers == NULL || self->sleepers == NULL || id < 0)
    return NULL;
  self->recorder_id = (uint32_t) id;

  memset (self->workers, 0, n_workers * sizeof *self->workers);
  for (unsigned i = 0; i < n_workers; i++)
    {
      Worker *worker = &self->workers[i];

      worker->runtime = self;
      worker->index = i;
      worker->tally = &tallies[i];
      worker->id = first_id + i;
      worker->random = seed * 0x9e3779b97f4a7c15u + i + 1;
      pthread_cond_init (&worker->wake, NULL);
    }
  for (unsigned i = 0; i < n_workers; i++)
    if (pthread_create (&self->workers[i].thread, NULL, worker_run, &self->workers[i]) != 0)
      return NULL;
  return self;
}

void
runtime_set_starving (Runtime *self, bool is_starving)
{
  atomic_store (&self->is_starving, is_starving);
  if (!is_starving)
    wake_all (self);
}

uint32_t
runtime_get_queue_depth (Runtime *self)
{
  return atomic_load (&self->depth);
}

uint32_t
runtime_get_n_alive (Runtime *self)
{
  return atomic_load (&self->n_alive);
}

uint32_t
runtime_get_recorder_id (const Runtime *self)
{
  return self->recorder_id;
}

void
runtime_stop (Runtime *self, unsigned n_stuck)
{
  const struct timespec pause = { .tv_nsec = 1000000 };

  atomic_store (&self->must_stop, true);
  while (atomic_load (&self->n_ended) + n_stuck < self->n_workers)
    {
      wake_all (self);
      nanosleep (&pause, NULL);
    }

  for (unsigned i = 0; i < self->n_workers; i++)
    {
      if (atomic_load (&self->workers[i].has_ended))
        pthread_join (self->workers[i].thread, NULL);
      else
        pthread_detach (self->workers[i].thread);
    }

  if (n_stuck > 0)
    return; /* a stuck worker still uses all of it */
  free (self->sleepers);
  free (self->workers);
  free (self);
}
