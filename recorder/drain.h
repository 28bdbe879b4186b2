/* drain.h: the recorder's thread: empties the rings into the writer
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_DRAIN_H
#define PLR_DRAIN_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "backlog.h"
#include "merge.h"
#include "writer.h"

/* What other threads ask for, and see. Outlives the drain. */
typedef struct
{
  _Atomic bool must_stop;
  _Atomic bool must_rotate;
  _Atomic uint64_t n_flushed; /* cycles that left nothing in memory */
} PlrRequests;

typedef struct
{
  const ParklaneConfig *config;
  PlrRequests *requests;
  PlrWriter writer; /* the recorder's thread alone: it may wait for the disk */

  /* Rings to backlog. Under the lock, which is never held while somebody waits for the disk. */
  pthread_mutex_t lock;
  PlrMerge *merge;
  bool is_sheltered; /* rings and backlog outlive a kill */
  bool is_merging; /* begun, and not all is taken */
  uint64_t merging_ns; /* up to here */
  uint64_t paused_ns;  /* when the pause began that is not told yet, 0 when there is none */
  uint64_t resumed_ns; /* when it ended, 0 while it lasts */
  PlrBacklog backlog;

  uint64_t heartbeat_ns; /* of the last heartbeat */
  uint64_t n_refused;    /* events without a ring that were told */
  uint64_t refused_ns;   /* when they were counted */

  /* for the standby */
  _Atomic uint64_t alive_ns; /* when the rings were last looked after */
  _Atomic bool is_writing;   /* the recorder's thread may be waiting for the disk */
} PlrDrain;

/* Opens the directory and the first segment. After an error there is nothing to close. */
int plr_drain_open (PlrDrain *self, const ParklaneConfig *config, PlrRequests *requests);

/* The thread's function, for pthread_create(): cycles until must_stop, then once more. */
void *plr_drain_run (void *drain);

/* Switches recording off, or on again, so that what is not recorded lies in the gap that tells of the pause. Any thread;
 * not while it closes. */
void plr_drain_pause  (PlrDrain *self);
void plr_drain_resume (PlrDrain *self);

/* One cycle: everything published by now goes to the writer. @is_last takes also what is later than now
 * and tells the gaps of threads that still live. */
void plr_drain_cycle (PlrDrain *self, bool is_last);

/* Takes what the rings have published while the recorder's thread cannot, as far as there is room. The standby. */
void plr_drain_stand_in (PlrDrain *self);

/* Seals the segment and frees. After the thread has ended. 0, or what kept events from the file. */
int plr_drain_close (PlrDrain *self);

#endif /* PLR_DRAIN_H */
