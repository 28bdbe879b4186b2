/* workload.h: what the demo's tasks do, and the faults it injects
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef DEMO_WORKLOAD_H
#define DEMO_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime.h"

#define MAX_LONG_POLLS 1024

typedef struct
{
  unsigned n_workers;
  uint64_t duration_ns;
  uint64_t rate; /* polls per second, all workers together */
  uint64_t seed;
  uint64_t long_polls_ns[MAX_LONG_POLLS];
  unsigned n_long_polls;
  uint64_t starve_ns; /* 0: no such fault; likewise below */
  uint64_t idle_ns;
  uint64_t burst;
  bool hog;
} WorkloadOptions;

/* Drives @runtime for the time of @options, or until *@must_stop. Injects each fault once, lets all tasks
 * end, and returns the number of workers that never will (the hog's). Counts in @tally. */
unsigned workload_run (const WorkloadOptions *options, Runtime *runtime, Tally *tally, const volatile int *must_stop);

#endif /* DEMO_WORKLOAD_H */
