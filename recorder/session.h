/* session.h: the one session of the process, inside
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SESSION_H
#define PLR_SESSION_H

#include <pthread.h>
#include <stdatomic.h>

#include "drain.h"
#include "keeper.h"
#include "standby.h"

struct ParklaneRecorder
{
  ParklaneConfig config; /* its prefix has a suffix where the host's is busy */
  char prefix[PARKLANE_NAME_SIZE]; /* the host's */
  PlrRequests requests;
  PlrKeeper keeper;
  bool has_keeper;

  /* under the session lock */
  bool is_stopping;      /* the host has asked for its end */
  atomic_bool is_running;
  bool is_start_wanted;  /* a start has failed and is to be tried again */
  int start_error;
  uint64_t retry_ns;     /* not before */
  bool is_paused;
  int stop_result;       /* of a stop from outside, for the host's own */

  /* while it runs */
  PlrDrain drain;
  PlrStandby standby;
  pthread_t thread;
};

/* In the child of a fork: the session is the parent's. */
void plr_session_forget (void);

#endif /* PLR_SESSION_H */
