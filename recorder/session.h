/* session.h: the one session of the process, inside
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SESSION_H
#define PLR_SESSION_H

#include <pthread.h>
#include <stdatomic.h>

#include "drain.h"
#include "standby.h"

struct ParklaneRecorder
{
  ParklaneConfig config;
  PlrDrain drain;
  PlrStandby standby;
  pthread_t thread;
};

/* In the child of a fork: the session is the parent's. */
void plr_session_forget (void);

#endif /* PLR_SESSION_H */
