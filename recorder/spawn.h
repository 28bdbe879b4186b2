/* spawn.h: starts the recorder's own threads
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SPAWN_H
#define PLR_SPAWN_H

#include <pthread.h>

/* Starts a thread that takes no signal of the host's. @name: at most 15 bytes. 0 or a negative errno. */
int plr_spawn (pthread_t *out_thread, const char *name, void *(*run) (void *), void *data);

#endif /* PLR_SPAWN_H */
