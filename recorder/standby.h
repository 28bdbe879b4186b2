/* standby.h: empties the rings while the recorder's thread waits for the disk
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_STANDBY_H
#define PLR_STANDBY_H

#include <semaphore.h>

#include "drain.h"

typedef struct
{
  pthread_t thread;
  sem_t stop;
  PlrDrain *drain;
} PlrStandby;

/* @drain outlives the standby. */
int  plr_standby_start (PlrStandby *self, PlrDrain *drain);
void plr_standby_stop (PlrStandby *self);

#endif /* PLR_STANDBY_H */
