/* generate-model.c: what the worker threads of a made-up service do, with the statistics of real ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A Markov chain over the events of a thread, with the times between them. All numbers were counted in the recorded
 * trace v057-rotate (dial9 0.5.7: a TCP echo server, 4 workers, 6 s, 240,333 events): of 65,030 polls 85.1 % do
 * nothing else, 7.45 % spawn a task, and 7.45 % are the only poll of such a task, which wakes its parent and ends.
 * 24 tasks live as long as the process. Half of the wakes come from the I/O driver of a parked worker, in bursts.
 */
#include "config.h"

#include "generate-model.h"

#include <math.h>

const char *const model_locations[MODEL_N_LOCATIONS] = {
  "src/main.rs:92:19",
  "src/../../workloads.rs:40:24",
  "src/../../workloads.rs:48:17",
  "src/../../workloads.rs:56:25",
  "src/../../workloads.rs:61:13",
};

/* The long-lived tasks have the ids 7 to 30: one byte on the wire, as in the recording. */
#define FIRST_TASK 7
#define N_LONG_TASKS 24
#define FIRST_SHORT_TASK 146
#define SHORT_TASK_LOCATION 2

/* Where a worker is: after which event, in which context. */
typedef enum
{
  AFTER_UNPARK,
  IN_PLAIN_POLL,
  IN_SPAWNING_POLL,
  IN_SHORT_POLL,
  AFTER_SPAWN,
  AFTER_WAKE_IN_POLL,
  AFTER_TERMINATE,
  AFTER_POLL,
  AFTER_FREE_WAKE,
  PARKED,
  PARKED_AND_WOKEN,
} State;

/* Probabilities of what comes next, of 65,536. */
#define P_PARK_AFTER_UNPARK 12440    /* 18.98 %, else a poll */
#define P_SPAWNING_POLL 4882         /*  7.45 % */
#define P_SHORT_POLL 4882            /*  7.45 % */
#define P_PARK_AFTER_POLL 16240      /* 24.78 % */
#define P_WAKE_AFTER_POLL 600        /*  0.91 %, else a poll */
#define P_MEASURED_WAIT 6554         /* one unpark in ten */

/* How many wakes a parked worker issues before it goes on: cumulative, of 65,536, for 0 to 11; else 12. */
static const guint16 wake_bursts[] = {
  16982, 27800, 35521, 44056, 51184, 56559, 60022, 62098, 63103, 63897, 64395, 64721,
};

/* Local queue at a poll's start: cumulative for 0 to 8; else 9. */
static const guint16 queue_depths[] = { 21115, 34614, 44951, 52183, 57120, 60185, 62096, 63293, 64158 };

/* Times between two events of a thread, ns, at these fractions of all cases. */
static const double fractions[] = { 0, .01, .05, .1, .25, .5, .75, .9, .95, .99, .999, .9999, 1 };
#define N_FRACTIONS G_N_ELEMENTS (fractions)

typedef enum
{
  GAP_START_END,
  GAP_START_SPAWN,
  GAP_START_WAKE,
  GAP_SPAWN_END,
  GAP_WAKE_TERMINATE,
  GAP_TERMINATE_END,
  GAP_END_START,
  GAP_END_PARK,
  GAP_END_WAKE,
  GAP_WAKE_START,
  GAP_PARK_UNPARK,
  GAP_PARK_WAKE,
  GAP_WAKE_WAKE,
  GAP_WAKE_UNPARK,
  GAP_UNPARK_START,
  GAP_UNPARK_PARK,
  N_GAPS,
} Gap;

static const double quantiles[N_GAPS][N_FRACTIONS] = {
  [GAP_START_END] = { 365, 430, 635, 683, 1325, 2677, 3998, 7220, 21248, 30879, 73237, 1327259, 4113419 },
  [GAP_START_SPAWN] = { 705, 744, 793, 857, 1186, 3131, 3806, 4586, 12613, 41938, 1145126, 7210153, 7210153 },
  [GAP_START_WAKE] = { 400, 533, 2443, 4194, 8508, 16363, 23831, 28509, 30032, 39217, 89317, 101634, 101634 },
  [GAP_SPAWN_END] = { 171, 176, 185, 198, 270, 1430, 1750, 1957, 2102, 2882, 30204, 2677530, 2677530 },
  [GAP_WAKE_TERMINATE] = { 102, 104, 109, 120, 152, 218, 260, 308, 350, 688, 6349, 9751, 9751 },
  [GAP_TERMINATE_END] = { 90, 97, 100, 105, 137, 469, 562, 636, 680, 820, 3078, 10448, 10448 },
  [GAP_END_START] = { 79, 85, 106, 117, 123, 154, 219, 406, 636, 1365, 4166, 30463, 66311 },
  [GAP_END_PARK] = { 491, 518, 547, 569, 624, 803, 1632, 3274, 5203, 6823, 25479, 572687, 2153273 },
  [GAP_END_WAKE] = { 873, 926, 984, 1035, 1182, 1765, 3024, 3541, 3888, 4783, 6657, 6657, 6657 },
  [GAP_WAKE_START] = { 288, 328, 388, 399, 431, 544, 646, 798, 903, 3112, 29074, 29074, 29074 },
  [GAP_PARK_UNPARK] = { 1283, 8353, 10687, 31679, 1086992, 1171705, 1279114, 2839534, 5437231, 55332356, 264820820,
                        598587965, 598587965 },
  [GAP_PARK_WAKE] = { 717, 779, 875, 973, 1304, 3142, 1088324, 1115226, 1131484, 3060880, 5193043, 7269280, 7731362 },
  [GAP_WAKE_WAKE] = { 102, 122, 132, 137, 154, 211, 324, 797, 2128, 2853, 6593, 42408, 79708 },
  [GAP_WAKE_UNPARK] = { 446, 536, 549, 558, 675, 919, 3506, 8624, 81471, 372354, 3013339, 4411156, 5535485 },
  [GAP_UNPARK_START] = { 251, 261, 269, 280, 317, 460, 1773, 4500, 11689, 91693, 1152838, 2671411, 5337566 },
  [GAP_UNPARK_PARK] = { 573, 618, 674, 839, 950, 1157, 1423, 2954, 5010, 6440, 14066, 80460, 80460 },
};

/* The inverse distributions at 1,024 places; the last one of them is the tail, computed when drawn. */
#define TABLE_SIZE 1024
static guint32 tables[N_GAPS][TABLE_SIZE];
static guint8 burst_table[TABLE_SIZE];
static guint8 queue_table[TABLE_SIZE];

static double
get_quantile (Gap gap, double fraction)
{
  gsize i = 1;
  double within;

  while (i + 1 < N_FRACTIONS && fraction > fractions[i])
    i++;
  within = (fraction - fractions[i - 1]) / (fractions[i] - fractions[i - 1]);
  return quantiles[gap][i - 1] * pow (quantiles[gap][i] / quantiles[gap][i - 1], within);
}

static void
fill_steps (guint8 *table, const guint16 *cumulative, guint n)
{
  guint step = 0;

  for (guint i = 0; i < TABLE_SIZE; i++)
    {
      while (step < n && i * (65536 / TABLE_SIZE) >= cumulative[step])
        step++;
      table[i] = (guint8) step;
    }
}

/* Before the first worker. */
void
model_init (void)
{
  for (guint gap = 0; gap < N_GAPS; gap++)
    for (guint i = 0; i < TABLE_SIZE; i++)
      tables[gap][i] = (guint32) get_quantile (gap, (double) i / TABLE_SIZE);
  fill_steps (burst_table, wake_bursts, G_N_ELEMENTS (wake_bursts));
  fill_steps (queue_table, queue_depths, G_N_ELEMENTS (queue_depths));
}

static inline guint64
draw (ModelWorker *self)
{
  guint64 x = self->random;

  /* xorshift64*: fast, and the same everywhere */
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  self->random = x;
  return x * G_GUINT64_CONSTANT (0x2545f4914f6cdd1d);
}

/* @random: 32 bits */
static inline void
pass_time (ModelWorker *self, Gap gap, guint32 random)
{
  guint index = random >> 22;

  if (G_LIKELY (index + 1 < TABLE_SIZE))
    {
      guint32 low = tables[gap][index];

      self->at_ns += low + (guint32) (((guint64) (tables[gap][index + 1] - low) * (random & 0x3fffff)) >> 22);
    }
  else
    self->at_ns += (guint64) get_quantile (gap, (double) random / 4294967296.0);
}

/**
 * model_worker_init:
 * @id: of the worker
 * @start_ns: when it comes up
 */
void
model_worker_init (ModelWorker *self, guint id, guint n_workers, guint64 seed, guint64 start_ns)
{
  self->id = id;
  self->tid = 21000 + id;
  self->random = (seed + 1) * G_GUINT64_CONSTANT (0x9e3779b97f4a7c15) + id * G_GUINT64_CONSTANT (0xd1342543de82ef95);
  self->random |= 1;
  self->at_ns = start_ns + id * 1000;
  self->cpu_ns = 1000000;
  self->unparked_ns = self->at_ns;
  self->task = 0;
  self->oldest_task = self->next_task = FIRST_SHORT_TASK + id;
  self->n_threads = n_workers;
  self->n_wakes = 0;
  self->state = AFTER_UNPARK;
  self->queue = 0;
  for (guint i = 0; i < 8; i++)
    draw (self);
}

static void
start_poll (ModelWorker *self, ModelEvent *event, Gap gap, guint64 random)
{
  guint choice = (guint) random & 0xffff;

  pass_time (self, gap, (guint32) (random >> 32));
  self->queue = queue_table[(random >> 16) % TABLE_SIZE];
  event->kind = MODEL_POLL_START;
  if (choice < P_SHORT_POLL && self->oldest_task < self->next_task)
    {
      self->state = IN_SHORT_POLL;
      self->task = self->oldest_task;
      self->oldest_task += self->n_threads;
      event->location = SHORT_TASK_LOCATION;
    }
  else
    {
      self->state = choice < P_SHORT_POLL + P_SPAWNING_POLL ? IN_SPAWNING_POLL : IN_PLAIN_POLL;
      self->task = FIRST_TASK + (random >> 20) % N_LONG_TASKS;
      event->location = self->task % MODEL_N_LOCATIONS;
    }
  event->task = self->task;
}

static void
park (ModelWorker *self, ModelEvent *event, Gap gap, guint64 random)
{
  pass_time (self, gap, (guint32) (random >> 32));
  self->cpu_ns += self->at_ns - self->unparked_ns;
  self->n_wakes = burst_table[random % TABLE_SIZE];
  self->state = PARKED;
  event->kind = MODEL_PARK;
  event->cpu_ns = self->cpu_ns;
}

static void
wake (ModelWorker *self, ModelEvent *event, Gap gap, guint64 random, State next)
{
  pass_time (self, gap, (guint32) (random >> 32));
  self->state = (guint8) next;
  event->kind = MODEL_WAKE;
  event->waker = next == AFTER_WAKE_IN_POLL ? self->task : 0;
  event->task = FIRST_TASK + random % N_LONG_TASKS;
}

static void
unpark (ModelWorker *self, ModelEvent *event, Gap gap, guint64 random)
{
  pass_time (self, gap, (guint32) (random >> 32));
  self->unparked_ns = self->at_ns;
  self->cpu_ns += 4000;
  self->state = AFTER_UNPARK;
  event->kind = MODEL_UNPARK;
  event->cpu_ns = self->cpu_ns;
  event->wait_ns = ((guint) random & 0xffff) < P_MEASURED_WAIT ? (gint64) (random >> 16 & 0xffff) : -1;
}

static void
spawn (ModelWorker *self, ModelEvent *event, guint64 random)
{
  pass_time (self, GAP_START_SPAWN, (guint32) (random >> 32));
  self->state = AFTER_SPAWN;
  event->kind = MODEL_SPAWN;
  event->task = self->next_task;
  event->location = SHORT_TASK_LOCATION;
  self->next_task += self->n_threads;
}

static void
end_poll (ModelWorker *self, ModelEvent *event, Gap gap, guint64 random)
{
  pass_time (self, gap, (guint32) (random >> 32));
  self->state = AFTER_POLL;
  event->kind = MODEL_POLL_END;
}

static void
go_on_after_poll (ModelWorker *self, ModelEvent *event, guint64 random)
{
  guint choice = (guint) (random >> 8) & 0xffff;

  if (choice < P_PARK_AFTER_POLL)
    park (self, event, GAP_END_PARK, random);
  else if (choice < P_PARK_AFTER_POLL + P_WAKE_AFTER_POLL)
    wake (self, event, GAP_END_WAKE, random, AFTER_FREE_WAKE);
  else
    start_poll (self, event, GAP_END_START, draw (self));
}

static void
go_on_parked (ModelWorker *self, ModelEvent *event, guint64 random)
{
  gboolean is_first = self->state == PARKED;

  if (self->n_wakes > 0)
    {
      self->n_wakes--;
      wake (self, event, is_first ? GAP_PARK_WAKE : GAP_WAKE_WAKE, random, PARKED_AND_WOKEN);
    }
  else
    unpark (self, event, is_first ? GAP_PARK_UNPARK : GAP_WAKE_UNPARK, random);
}

/**
 * model_worker_next:
 * @out_event: (out): the worker's next event; only the fields of its kind are set
 */
void
model_worker_next (ModelWorker *self, ModelEvent *out_event)
{
  guint64 random = draw (self);

  switch ((State) self->state)
    {
    case AFTER_UNPARK:
      if (((guint) (random >> 8) & 0xffff) < P_PARK_AFTER_UNPARK)
        park (self, out_event, GAP_UNPARK_PARK, random);
      else
        start_poll (self, out_event, GAP_UNPARK_START, draw (self));
      break;
    case IN_PLAIN_POLL:
      end_poll (self, out_event, GAP_START_END, random);
      break;
    case IN_SPAWNING_POLL:
      spawn (self, out_event, random);
      break;
    case IN_SHORT_POLL:
      wake (self, out_event, GAP_START_WAKE, random, AFTER_WAKE_IN_POLL);
      break;
    case AFTER_SPAWN:
      end_poll (self, out_event, GAP_SPAWN_END, random);
      break;
    case AFTER_WAKE_IN_POLL:
      pass_time (self, GAP_WAKE_TERMINATE, (guint32) (random >> 32));
      self->state = AFTER_TERMINATE;
      out_event->kind = MODEL_TERMINATE;
      out_event->task = self->task;
      break;
    case AFTER_TERMINATE:
      end_poll (self, out_event, GAP_TERMINATE_END, random);
      break;
    case AFTER_FREE_WAKE:
      start_poll (self, out_event, GAP_WAKE_START, random);
      break;
    case PARKED:
    case PARKED_AND_WOKEN:
      go_on_parked (self, out_event, random);
      break;
    case AFTER_POLL:
    default:
      go_on_after_poll (self, out_event, random);
      break;
    }
  out_event->at_ns = self->at_ns;
  out_event->queue = self->queue;
}
