/* finisher.h: the second thread, for what a sealed segment still needs
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_FINISHER_H
#define PLR_FINISHER_H

#include <pthread.h>
#include <semaphore.h>

#include "compress.h"

/* Descriptors pass to the finisher with the job. */
typedef struct
{
  PlrFile in;     /* the sealed segment */
  PlrFile out;    /* empty, to be compressed to; PLR_FILE_NONE: sync only */
  uint64_t limit; /* bytes of output that must not be exceeded */
  PlrCompressEffort effort;
  bool must_sync; /* @in has not been synced yet */
} PlrFinishJob;

typedef struct
{
  int sync_error;     /* of syncing @in */
  int compress_error; /* of writing and syncing @out */
  uint64_t size;      /* of @out */
} PlrFinishResult;

/* One job at a time. All functions are for the recorder's thread, none waits but stop. */
typedef struct
{
  pthread_t thread;
  sem_t wake;
  _Atomic int state;
  atomic_bool must_stop;
  atomic_bool is_cancelled;
  PlrFinishJob job;
  PlrFinishResult result;
} PlrFinisher;

int  plr_finisher_start (PlrFinisher *self);

/* Cancels, waits for the thread and ends it. A job's result can be collected afterwards. */
void plr_finisher_stop (PlrFinisher *self);

/* Whether a job can be submitted. */
bool plr_finisher_is_idle (PlrFinisher *self);

void plr_finisher_submit (PlrFinisher *self, const PlrFinishJob *job);

/* Makes a compression that runs end soon, with -ECANCELED unless it is done. */
void plr_finisher_cancel (PlrFinisher *self);

/* Takes the result of a job that has ended; false while there is none. */
bool plr_finisher_collect (PlrFinisher *self, PlrFinishResult *out_result);

#endif /* PLR_FINISHER_H */
