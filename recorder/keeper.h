/* keeper.h: the thread that a session has for what comes from outside
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_KEEPER_H
#define PLR_KEEPER_H

#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "control-message.h"
#include "control-socket.h"
#include "parklane-recorder.h"

/* What the keeper asks of its session. Called from its thread; may wait for the disk. */
typedef struct
{
  int (*obey) (void *session, PlrControlVerb verb);
  void (*tell) (void *session, PlrControlStatus *out_status);
  void (*retry) (void *session); /* the start, if it is wanted and time */
} PlrKeeperCalls;

typedef struct
{
  const ParklaneConfig *config;
  const PlrKeeperCalls *calls;
  void *session;
  pthread_t thread;
  sem_t stop; /* wakes it */
  atomic_bool must_stop;
  pthread_mutex_t lock; /* around opening and closing the socket, and looking at it from outside */
  PlrControlSocket socket;
  int told_error;       /* of opening the socket; 0: none */
} PlrKeeper;

/* @config, @calls and @session outlive the keeper. */
int  plr_keeper_start (PlrKeeper *self, const ParklaneConfig *config, const PlrKeeperCalls *calls, void *session);
void plr_keeper_stop (PlrKeeper *self);

#endif /* PLR_KEEPER_H */
