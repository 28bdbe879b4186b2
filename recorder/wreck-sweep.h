/* wreck-sweep.h: removes shared memory of killed sessions that no start will ask for
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_WRECK_SWEEP_H
#define PLR_WRECK_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

#include "parklane-recorder.h"

/* All that one process has left. */
typedef struct
{
  time_t created_s;  /* its latest segment */
  bool is_busy;      /* its process lives, or somebody is attached to any of it */
  bool is_ours;      /* of this version's layout */
  bool has_root;     /* which names output directory and state */
  bool is_clean;     /* it had ended its session */
  bool is_dir_gone;
  size_t first;      /* of its segments, among those that the sweep has found */
  size_t n_parts;

  /* plr_wreck_judge()'s answers */
  bool is_waiting;   /* somebody may ask for it */
  bool must_go;      /* which it may all the same where very many wait */
} PlrWreckSession;

/* Decides what goes. A pure function, but for the answers in @sessions, which it puts in order of age. */
void plr_wreck_judge (PlrWreckSession *sessions, size_t n, time_t now_s);

/* Looks through the system's segments. This user's only. */
void plr_wreck_sweep (ParklaneLogFunc log, void *log_data);

#endif /* PLR_WRECK_SWEEP_H */
