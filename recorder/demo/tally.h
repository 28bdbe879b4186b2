/* tally.h: what the demo did, counted by itself
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef DEMO_TALLY_H
#define DEMO_TALLY_H

#include <stdint.h>

#define TALLY_N_LIMITS 4

/* One per thread, so that counting needs no atomics; added up when the threads are gone. What is counted here has been
 * handed to the recorder before. */
typedef struct
{
  _Alignas (128) uint64_t n_polls;
  uint64_t longest_ns;
  uint64_t at_least[TALLY_N_LIMITS]; /* 1, 5, 40 and 100 ms */
  uint64_t n_spawned;
  uint64_t n_terminated;
  uint64_t n_recorded; /* calls of the recorder that took a time stamp */
} Tally;

void tally_poll (Tally *self, uint64_t duration_ns);
void tally_add (Tally *self, const Tally *other);

/* Tallies for @n threads; with @log in that file, so that they can be read whenever and however the process ends. NULL with
 * errno. */
Tally *tally_new_array (const char *log, unsigned n);

/* Prints the line that ends the demo's output; @workers has @n_workers elements. */
void tally_print (const Tally *total, const Tally *workers, unsigned n_workers, uint64_t n_dropped);

#endif /* DEMO_TALLY_H */
