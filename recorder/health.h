/* health.h: whether what is recorded reaches the disk, and when to try again
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_HEALTH_H
#define PLR_HEALTH_H

#include <stdbool.h>
#include <stdint.h>

#include "parklane-recorder.h"

/* Used by the recorder's thread only. */
typedef struct
{
  bool is_degraded;
  int error;               /* the last failure, a negative errno; 0 while all is well */
  uint64_t since_ns;       /* begin of the current state */
  uint64_t retry_ns;       /* not before */
  uint64_t backoff_ns;
  uint64_t n_failures;     /* since the state began */
  uint64_t reported_ns;    /* when the log callback was last told */
  ParklaneLogFunc log;
  void *log_data;
} PlrHealth;

void plr_health_init (PlrHealth *self, ParklaneLogFunc log, void *log_data, uint64_t now_ns);

/* Something failed: degraded from now on. @what: a literal, as in "open a segment". */
void plr_health_fail (PlrHealth *self, const char *what, int error, uint64_t now_ns);

/* A write succeeded. */
void plr_health_recover (PlrHealth *self, uint64_t now_ns);

/* Whether it is time to try: always while all is well. */
bool plr_health_may_try (const PlrHealth *self, uint64_t now_ns);

/* The next try need not wait. */
void plr_health_hurry (PlrHealth *self);

#endif /* PLR_HEALTH_H */
