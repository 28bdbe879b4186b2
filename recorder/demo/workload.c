/* workload.c: a service that echoes, and its misfortunes
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Connections live as long as the demo and hand tokens to each other: a poll takes one token, works for a
 * moment, gives the rest to its peer and wakes it. So the number of tokens that the driver puts in is the
 * number of polls that come of it. Requests are tasks that live for a few polls.
 */
#include "workload.h"

#include <stdlib.h>
#include <time.h>

#include "parklane-recorder.h"

#define NS_PER_S UINT64_C (1000000000)
#define TICK_NS UINT64_C (1000000)
#define SAMPLE_NS UINT64_C (10000000)

#define TOKENS_PER_WAKE 4
#define POLLS_PER_REQUEST 4

/* One part in so many of the polls is made by requests. */
#define REQUEST_SHARE 8

#define MIN_CONNECTIONS 64
#define MAX_CONNECTIONS 4096

/* Longest usual work of a poll; less where the rate leaves less time. */
#define MAX_WORK_NS UINT64_C (16000)

/* How long tasks that are under way get to end. */
#define GRACE_NS (10 * NS_PER_S)

typedef struct _Workload Workload;

typedef struct
{
  Workload *workload;
  Task *task;
  unsigned peer;
  _Atomic uint64_t tokens;
} Connection;

typedef struct
{
  Workload *workload;
  unsigned n_polls_left;
  uint64_t hold_ns; /* how long its last poll blocks */
} Request;

enum
{
  PLACE_ACCEPT,
  PLACE_STREAM,
  PLACE_HEARTBEAT,
  PLACE_PROXY,
  PLACE_GET,
  PLACE_LIST,
  PLACE_PUT,
  PLACE_DELETE,
  PLACE_BLOCKING_READ,
  PLACE_BURST,
  PLACE_HOG,
  N_PLACES,
};

struct _Workload
{
  const WorkloadOptions *options;
  Runtime *runtime;
  Tally *tally;
  Connection *connections;
  unsigned n_connections;
  uint64_t work_ns;
  uint64_t random;
  uint32_t places[N_PLACES];
  _Atomic uint64_t n_tokens; /* on their way */
  _Atomic bool is_closing;
  _Atomic bool is_hogged; /* the hog polls; what its worker counted before is seen with this */
  double tokens_due;
  double requests_due;
};

static void
spin (uint64_t until_ns)
{
  while (parklane_now_ns () < until_ns)
    ;
}

/* Blocks the worker, as a read from a slow drive inside a poll does. */
static void
block (uint64_t until_ns)
{
  uint64_t now_ns;

  while ((now_ns = parklane_now_ns ()) < until_ns)
    {
      uint64_t left_ns = until_ns - now_ns;
      struct timespec pause = { .tv_sec = (time_t) (left_ns / NS_PER_S), .tv_nsec = (long) (left_ns % NS_PER_S) };

      nanosleep (&pause, NULL);
    }
}

static void
work (Workload *self, Worker *worker, uint64_t start_ns)
{
  spin (start_ns + random_next (&worker->random) % self->work_ns);
}

static TaskResult
poll_connection (Task *task, Worker *worker, uint64_t start_ns)
{
  Connection *connection = task->data;
  Workload *self = connection->workload;
  uint64_t tokens = atomic_exchange (&connection->tokens, 0);

  if (tokens == 0)
    return atomic_load (&self->is_closing) ? TASK_DONE : TASK_PENDING;

  work (self, worker, start_ns);
  if (tokens > 1)
    {
      Connection *peer = &self->connections[connection->peer];

      atomic_fetch_add (&peer->tokens, tokens - 1);
      runtime_wake (self->runtime, worker, peer->task);
    }
  atomic_fetch_sub (&self->n_tokens, 1);
  return TASK_PENDING;
}

static TaskResult
poll_request (Task *task, Worker *worker, uint64_t start_ns)
{
  Request *request = task->data;
  Workload *self = request->workload;

  if (request->n_polls_left-- > 1)
    {
      work (self, worker, start_ns);
      runtime_wake (self->runtime, worker, task);
      return TASK_PENDING;
    }

  if (request->hold_ns > 0)
    block (start_ns + request->hold_ns);
  else
    work (self, worker, start_ns);
  atomic_fetch_sub (&self->n_tokens, 1);
  free (request);
  return TASK_DONE;
}

static TaskResult
poll_hog (Task *task, Worker *worker, uint64_t start_ns)
{
  Workload *self = task->data;

  atomic_store (&self->is_hogged, true);
  spin (UINT64_MAX);
  return TASK_PENDING;
}

static void
spawn_request (Workload *self, unsigned place, unsigned n_polls, uint64_t hold_ns)
{
  Request *request = malloc (sizeof *request);

  if (request == NULL)
    return;
  *request = (Request) { .workload = self, .n_polls_left = n_polls, .hold_ns = hold_ns };
  atomic_fetch_add (&self->n_tokens, 1);
  if (runtime_spawn (self->runtime, self->tally, poll_request, request, self->places[place]) == NULL)
    {
      atomic_fetch_sub (&self->n_tokens, 1);
      free (request);
    }
}

static bool
open_connections (Workload *self)
{
  self->connections = calloc (self->n_connections, sizeof *self->connections);
  if (self->connections == NULL)
    return false;

  for (unsigned i = 0; i < self->n_connections; i++)
    {
      Connection *connection = &self->connections[i];

      connection->workload = self;
      connection->peer = (unsigned) (random_next (&self->random) % self->n_connections);
      connection->task = runtime_spawn (self->runtime, self->tally, poll_connection, connection,
                                        self->places[i % (PLACE_PROXY + 1)]);
      if (connection->task == NULL)
        return false;
      connection->task->is_kept = true; /* peers hold it */
    }
  return true;
}

static void
give_tokens (Workload *self, uint64_t n)
{
  while (n > 0)
    {
      Connection *connection = &self->connections[random_next (&self->random) % self->n_connections];
      uint64_t part = n < TOKENS_PER_WAKE ? n : TOKENS_PER_WAKE;

      atomic_fetch_add (&self->n_tokens, part);
      atomic_fetch_add (&connection->tokens, part);
      runtime_wake (self->runtime, NULL, connection->task);
      n -= part;
    }
}

/* Puts in what the rate asks for in @elapsed_ns. */
static void
feed (Workload *self, uint64_t elapsed_ns)
{
  double polls = (double) self->options->rate * (double) elapsed_ns / (double) NS_PER_S;
  uint64_t n_tokens;

  /* A runtime that is far behind gets no more until it has caught up: one second's worth. */
  if (atomic_load (&self->n_tokens) > self->options->rate + TOKENS_PER_WAKE)
    return;

  self->requests_due += polls / REQUEST_SHARE / POLLS_PER_REQUEST;
  self->tokens_due += polls - polls / REQUEST_SHARE;
  for (; self->requests_due >= 1; self->requests_due -= 1)
    spawn_request (self, PLACE_GET + (unsigned) (random_next (&self->random) % 4), POLLS_PER_REQUEST, 0);
  n_tokens = (uint64_t) self->tokens_due;
  self->tokens_due -= (double) n_tokens;
  give_tokens (self, n_tokens);
}

static void
sample (Workload *self)
{
  self->tally->n_recorded += parklane_queue_depth (runtime_get_recorder_id (self->runtime),
                                                   runtime_get_queue_depth (self->runtime),
                                                   runtime_get_n_alive (self->runtime))
                             != 0;
}

static void
register_places (Workload *self)
{
  /* Files of a service that could be; the lines keep the places apart. */
  self->places[PLACE_ACCEPT] = parklane_location_register ("service/accept.c", __LINE__, 7);
  self->places[PLACE_STREAM] = parklane_location_register ("service/stream.c", __LINE__, 7);
  self->places[PLACE_HEARTBEAT] = parklane_location_register ("service/heartbeat.c", __LINE__, 7);
  self->places[PLACE_PROXY] = parklane_location_register ("service/proxy.c", __LINE__, 7);
  self->places[PLACE_GET] = parklane_location_register ("service/get-object.c", __LINE__, 7);
  self->places[PLACE_LIST] = parklane_location_register ("service/list-objects.c", __LINE__, 7);
  self->places[PLACE_PUT] = parklane_location_register ("service/put-object.c", __LINE__, 7);
  self->places[PLACE_DELETE] = parklane_location_register ("service/delete-object.c", __LINE__, 7);
  self->places[PLACE_BLOCKING_READ] = parklane_location_register ("service/blocking-read.c", __LINE__, 7);
  self->places[PLACE_BURST] = parklane_location_register ("service/burst.c", __LINE__, 7);
  self->places[PLACE_HOG] = parklane_location_register ("service/hog.c", __LINE__, 7);
}

static uint64_t
choose_work_ns (const WorkloadOptions *options)
{
  /* A quarter of two cores' time, so that the rate is reached on a small machine. */
  uint64_t work_ns = options->rate > 0 ? NS_PER_S / options->rate : MAX_WORK_NS;

  if (work_ns > MAX_WORK_NS)
    work_ns = MAX_WORK_NS;
  return work_ns < 100 ? 100 : work_ns;
}

static unsigned
choose_n_connections (const WorkloadOptions *options)
{
  uint64_t n = options->rate / 200;

  return n < MIN_CONNECTIONS ? MIN_CONNECTIONS : n > MAX_CONNECTIONS ? MAX_CONNECTIONS : (unsigned) n;
}

/* When each fault comes, as offsets from the start. */
typedef struct
{
  uint64_t burst_ns;
  uint64_t hog_ns;
  uint64_t starve_ns;
  uint64_t idle_ns;
} Plan;

typedef struct
{
  unsigned n_long_polls_done;
  bool is_burst_done;
  bool is_hog_done;
  bool is_starving;
} Progress;

static void
inject (Workload *self, const Plan *plan, Progress *progress, uint64_t elapsed_ns)
{
  const WorkloadOptions *options = self->options;
  uint64_t duration_ns = options->duration_ns;
  bool must_starve;

  while (progress->n_long_polls_done < options->n_long_polls
         && elapsed_ns >= duration_ns / (options->n_long_polls + 1) * (progress->n_long_polls_done + 1))
    spawn_request (self, PLACE_BLOCKING_READ, 2, options->long_polls_ns[progress->n_long_polls_done++]);

  if (options->burst > 0 && !progress->is_burst_done && elapsed_ns >= plan->burst_ns)
    {
      for (uint64_t i = 0; i < options->burst; i++)
        spawn_request (self, PLACE_BURST, 1, 0);
      progress->is_burst_done = true;
    }

  if (options->hog && !progress->is_hog_done && elapsed_ns >= plan->hog_ns)
    progress->is_hog_done
      = runtime_spawn (self->runtime, self->tally, poll_hog, self, self->places[PLACE_HOG]) != NULL;

  must_starve = options->starve_ns > 0 && elapsed_ns >= plan->starve_ns
                && elapsed_ns < plan->starve_ns + options->starve_ns;
  if (must_starve != progress->is_starving)
    runtime_set_starving (self->runtime, must_starve);
  progress->is_starving = must_starve;
}

static void
sleep_until (uint64_t at_ns)
{
  uint64_t now_ns = parklane_now_ns ();

  if (at_ns > now_ns)
    block (at_ns);
}

static Progress
drive (Workload *self, const volatile int *must_stop)
{
  const WorkloadOptions *options = self->options;
  const Plan plan = {
    .burst_ns = options->duration_ns / 4,
    .hog_ns = options->duration_ns / 10,
    .starve_ns = options->duration_ns * 4 / 10,
    .idle_ns = options->duration_ns * 7 / 10,
  };
  Progress progress = { 0 };
  uint64_t start_ns = parklane_now_ns ();
  uint64_t fed_ns = 0;
  uint64_t sampled_ns = 0;

  for (uint64_t elapsed_ns = 0; elapsed_ns < options->duration_ns && !*must_stop;
       elapsed_ns = parklane_now_ns () - start_ns)
    {
      bool is_idle = elapsed_ns >= plan.idle_ns && elapsed_ns < plan.idle_ns + options->idle_ns;

      if (!is_idle)
        {
          inject (self, &plan, &progress, elapsed_ns);
          feed (self, elapsed_ns - fed_ns);
        }
      fed_ns = elapsed_ns;
      if (elapsed_ns - sampled_ns >= SAMPLE_NS || sampled_ns == 0)
        {
          sample (self);
          sampled_ns = elapsed_ns;
        }
      sleep_until (start_ns + elapsed_ns + TICK_NS);
    }

  if (progress.is_starving)
    runtime_set_starving (self->runtime, false);
  return progress;
}

/* Lets what is under way end, then ends the connections. */
static void
wind_up (Workload *self, unsigned n_stuck)
{
  uint64_t deadline_ns = parklane_now_ns () + GRACE_NS;

  while (n_stuck > 0 && !atomic_load (&self->is_hogged))
    sleep_until (parklane_now_ns () + TICK_NS);
  if (n_stuck == self->options->n_workers)
    return; /* nobody is left to end anything */
  for (unsigned i = 0; i < self->options->n_long_polls; i++)
    deadline_ns += self->options->long_polls_ns[i];

  while (atomic_load (&self->n_tokens) > 0 && parklane_now_ns () < deadline_ns)
    sleep_until (parklane_now_ns () + TICK_NS);

  atomic_store (&self->is_closing, true);
  for (unsigned i = 0; i < self->n_connections; i++)
    runtime_wake (self->runtime, NULL, self->connections[i].task);
  while (runtime_get_n_alive (self->runtime) > n_stuck && parklane_now_ns () < deadline_ns)
    sleep_until (parklane_now_ns () + TICK_NS);
}

/* Unless a task is left that uses it. */
static void
free_workload (Workload *self)
{
  if (runtime_get_n_alive (self->runtime) > 0)
    return;
  for (unsigned i = 0; i < self->n_connections; i++)
    free (self->connections[i].task);
  free (self->connections);
  free (self);
}

unsigned
workload_run (const WorkloadOptions *options, Runtime *runtime, Tally *tally, const volatile int *must_stop)
{
  Workload *self = calloc (1, sizeof *self);
  Progress progress;
  unsigned n_stuck;

  if (self == NULL)
    return 0;
  self->options = options;
  self->runtime = runtime;
  self->tally = tally;
  self->random = options->seed * 0x9e3779b97f4a7c15u | 1;
  self->work_ns = choose_work_ns (options);
  self->n_connections = choose_n_connections (options);
  register_places (self);
  if (!open_connections (self))
    return 0;

  progress = drive (self, must_stop);
  n_stuck = progress.is_hog_done;
  wind_up (self, n_stuck);
  sample (self);
  free_workload (self);
  return n_stuck;
}
