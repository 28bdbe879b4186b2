/* vigil.h: the lock of a prefix, held on while its directory cannot be written to
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Whoever looks at the directory then, sees that its writer lives.
 */
#ifndef PLR_VIGIL_H
#define PLR_VIGIL_H

#include <stdint.h>

/* @fd is -1 where nothing is held. */
typedef struct
{
  int fd;
  uint64_t device;
  uint64_t inode;
} PlrVigil;

#define PLR_VIGIL_NONE ((PlrVigil) { .fd = -1 })

/* Lets go of the lock without forgetting it: the prefix is to be locked anew, through a descriptor of its own. */
void plr_vigil_interrupt (const PlrVigil *self);

/* Takes it again, unless another process has it meanwhile, or the descriptor is no longer ours. */
void plr_vigil_resume (PlrVigil *self);

/* Lets go for good. Nothing held does nothing. */
void plr_vigil_end (PlrVigil *self);

#endif /* PLR_VIGIL_H */
