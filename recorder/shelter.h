/* shelter.h: memory for rings, backlog and names that a kill leaves behind
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * There is one for the process, made by the first session that asks for it, and it stays until the process ends.
 */
#ifndef PLR_SHELTER_H
#define PLR_SHELTER_H

#include <stdbool.h>

#include "backlog.h"
#include "encoder.h"
#include "names.h"
#include "parklane-recorder.h"
#include "ring.h"

/* Makes the shelter, or empties the one there is, and places @backlog in it. -ENOMEM or -ENOSPC when the system refuses
 * shared memory; the session goes on without then. */
int plr_shelter_open (const ParklaneConfig *config, PlrBacklog *backlog);

/* From now on a kill leaves a session behind. After the store is open. */
void plr_shelter_begin (const PlrSessionInfo *info);

/* The session has ended in order: there is nothing to rescue. */
void plr_shelter_end (void);

/* Whether rings shall be sheltered. */
bool plr_shelter_is_open (void);

/* A new ring, or NULL. */
PlrRing *plr_shelter_new_ring (void);

/* Notes a name, if there is a shelter. Under the lock of the names. */
void plr_shelter_add_location (uint32_t id, const char *text);
void plr_shelter_add_runtime (uint32_t id, const PlrRuntime *runtime);

/* Holds the shelter across a fork, and leaves it to the parent. */
void plr_shelter_lock (void);
void plr_shelter_unlock (void);
void plr_shelter_forget (void);

#endif /* PLR_SHELTER_H */
