/* counters.h: what the recorder counts, readable by any thread at any time
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_COUNTERS_H
#define PLR_COUNTERS_H

#include <stdatomic.h>
#include <stdint.h>

/* Written by the recorder's thread and by start and stop, all relaxed: each number is true by itself. */
typedef struct
{
  _Atomic uint32_t is_configured;
  _Atomic uint32_t n_sessions;
  _Atomic uint32_t is_healthy;
  _Atomic uint64_t n_events;
  _Atomic uint64_t n_dropped;
  _Atomic uint64_t n_bytes;
  _Atomic uint64_t disk_bytes;
  _Atomic uint64_t n_sealed;
  _Atomic uint64_t n_incomplete;
  _Atomic uint64_t n_evicted;
  _Atomic uint64_t n_compressed_bytes;
  _Atomic uint64_t n_errors;
  _Atomic uint64_t n_left_out;        /* times that rings were left out for want of memory */
  _Atomic uint64_t last_write_ns;
  _Atomic uint64_t health_since_ns;
  _Atomic (const char *) health_what; /* what failed last; a literal */
  _Atomic int health_error;
  _Atomic uint64_t segment;           /* number of the one being written + 1; 0: none */
  _Atomic uint32_t has_directory;     /* the output directory is open and its prefix locked */
} PlrCounters;

/* One for the process, so that reading never meets a session that is just being freed. */
extern PlrCounters plr_counters;

static inline void
plr_count (_Atomic uint64_t *counter, uint64_t n)
{
  atomic_fetch_add_explicit (counter, n, memory_order_relaxed);
}

static inline void
plr_set (_Atomic uint64_t *counter, uint64_t value)
{
  atomic_store_explicit (counter, value, memory_order_relaxed);
}

static inline uint64_t
plr_get (_Atomic uint64_t *counter)
{
  return atomic_load_explicit (counter, memory_order_relaxed);
}

/* Zeroes what counts from the start of a session. */
void plr_counters_reset (void);

#endif /* PLR_COUNTERS_H */
