/* recorder-drain.c: how fast the recorder's thread turns rings into a file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * events_per_s: events merged, encoded and written per second of one core, rings of four threads that
 * interleave. core_share_at_1m: share of one core that a session takes at a million events a second.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "drain.h"

#define N_RINGS 4
#define EVENTS_PER_RING 100000
#define N_ROUNDS 30

#define RATE 1000000
#define SECONDS 3

static uint64_t
thread_cpu_ns (clockid_t clock)
{
  struct timespec ts;

  clock_gettime (clock, &ts);
  return (uint64_t) ts.tv_sec * 1000000000u + (uint64_t) ts.tv_nsec;
}

static void
configure (ParklaneConfig *config, const char *dir)
{
  parklane_config_init (config);
  snprintf (config->output_dir, sizeof config->output_dir, "%s", dir);
  config->rotation_count = 2;
  config->compress = PARKLANE_COMPRESS_NONE; /* another thread's work, of the lowest priority */
  config->clock = PARKLANE_CLOCK_MONOTONIC;
}

/* ---- throughput: the drain's own functions, called here, over rings filled before ---- */

typedef struct
{
  pthread_barrier_t *filled;
  pthread_barrier_t *drained;
  unsigned index;
} Filler;

static _Atomic uint64_t round_base_ns;

/* Polls of 20 µs, one after the other, each ring's a little later: as four busy workers interleave. */
static void *
fill (void *data)
{
  Filler *filler = data;

  parklane_thread_attach (filler->index);
  for (unsigned round = 0; round < N_ROUNDS; round++)
    {
      uint64_t time_ns = atomic_load (&round_base_ns) + filler->index * 5000;

      for (unsigned i = 0; i < EVENTS_PER_RING; i += 2, time_ns += 20000)
        {
          plr_ring_push (plr_thread_ring, time_ns, plr_event_word (PLR_EVENT_POLL_START, 3, filler->index, 1), i % 5000 + 1);
          plr_ring_push (plr_thread_ring, time_ns + 17000, plr_event_word (PLR_EVENT_POLL_END, 0, filler->index, 0), 0);
        }
      pthread_barrier_wait (filler->filled);
      pthread_barrier_wait (filler->drained);
    }
  return NULL;
}

static double
measure_throughput (const char *dir)
{
  pthread_barrier_t filled;
  pthread_barrier_t drained;
  pthread_t threads[N_RINGS];
  Filler fillers[N_RINGS];
  ParklaneConfig config;
  uint64_t cpu_ns = 0;
  PlrRequests requests = { 0 };
  PlrDrain drain;

  configure (&config, dir);
  if (plr_thread_init () < 0 || plr_drain_open (&drain, &config, &requests) < 0)
    exit (1);
  pthread_barrier_init (&filled, NULL, N_RINGS + 1);
  pthread_barrier_init (&drained, NULL, N_RINGS + 1);
  atomic_store (&round_base_ns, plr_clock_now () - 3600 * PLR_NS_PER_S);

  for (unsigned i = 0; i < N_RINGS; i++)
    {
      fillers[i] = (Filler) { &filled, &drained, i };
      pthread_create (&threads[i], NULL, fill, &fillers[i]);
    }
  for (unsigned round = 0; round < N_ROUNDS; round++)
    {
      uint64_t begin_ns;

      pthread_barrier_wait (&filled);
      begin_ns = thread_cpu_ns (CLOCK_THREAD_CPUTIME_ID);
      plr_drain_cycle (&drain, false);
      cpu_ns += thread_cpu_ns (CLOCK_THREAD_CPUTIME_ID) - begin_ns;
      atomic_fetch_add (&round_base_ns, EVENTS_PER_RING / 2 * UINT64_C (20000));
      pthread_barrier_wait (&drained);
    }
  for (unsigned i = 0; i < N_RINGS; i++)
    pthread_join (threads[i], NULL);
  plr_drain_close (&drain);
  printf ("# %d rounds of %d events in %.3f s of CPU time\n", N_ROUNDS, N_RINGS * EVENTS_PER_RING, (double) cpu_ns * 1e-9);
  return (double) N_ROUNDS * N_RINGS * EVENTS_PER_RING / ((double) cpu_ns * 1e-9);
}

/* ---- share of a core: a whole session ---- */

static double
measure_share (const char *dir)
{
  ParklaneRecorder *recorder = NULL;
  ParklaneConfig config;
  uint64_t begin_ns;
  uint64_t own_ns;
  uint64_t all_ns;
  uint64_t n = 0;

  configure (&config, dir);
  config.clock = PARKLANE_CLOCK_AUTO;
  if (parklane_recorder_start (&config, &recorder) < 0)
    exit (1);
  parklane_thread_attach (0);

  begin_ns = plr_clock_read_system ();
  own_ns = thread_cpu_ns (CLOCK_THREAD_CPUTIME_ID);
  all_ns = thread_cpu_ns (CLOCK_PROCESS_CPUTIME_ID);
  for (uint64_t elapsed_ns = 0; elapsed_ns < SECONDS * UINT64_C (1000000000);
       elapsed_ns = plr_clock_read_system () - begin_ns)
    {
      const struct timespec pause = { .tv_nsec = 500000 };

      for (; n < elapsed_ns * RATE / 1000000000u; n += 2)
        {
          parklane_poll_start (n % 5000, 1, 0);
          parklane_poll_end ();
        }
      nanosleep (&pause, NULL);
    }
  own_ns = thread_cpu_ns (CLOCK_THREAD_CPUTIME_ID) - own_ns;
  all_ns = thread_cpu_ns (CLOCK_PROCESS_CPUTIME_ID) - all_ns;
  parklane_recorder_stop (recorder);
  printf ("# %llu events in %d s; recorder's thread %.3f s of CPU time\n", (unsigned long long) n, SECONDS,
          (double) (all_ns - own_ns) * 1e-9);
  return (double) (all_ns - own_ns) / (SECONDS * 1e9);
}

int
main (void)
{
  char dir[] = "/tmp/parklane-drain-XXXXXX";
  char command[64];

  if (mkdtemp (dir) == NULL)
    return 1;
  printf ("events_per_s\t%.0f\n", measure_throughput (dir));
  printf ("core_share_at_1m\t%.4f\n", measure_share (dir));
  snprintf (command, sizeof command, "rm -rf %s", dir);
  return system (command) == 0 ? 0 : 1;
}
