/* spawn.h: starts the recorder's own threads, and lets them wait
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SPAWN_H
#define PLR_SPAWN_H

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Starts a thread that takes no signal of the host's. @name: at most 15 bytes. 0 or a negative errno. */
int plr_spawn (pthread_t *out_thread, const char *name, void *(*run) (void *), void *data);

/* Waits for a post, at most @timeout_ns, which is below a second. Whether there was one. */
bool plr_await (sem_t *semaphore, uint64_t timeout_ns);

/* On a thread of the host's: a write beyond its limit of file sizes is an error, not a signal that ends it. Between the two no
 * such signal arrives, save one that was on its way before. */
typedef struct
{
  sigset_t before;
  bool is_pending;
} PlrSignals;

void plr_signals_hold (PlrSignals *out_signals);
void plr_signals_let (const PlrSignals *signals);

#endif /* PLR_SPAWN_H */
