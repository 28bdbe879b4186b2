/* vigil.c: lets go of a prefix's lock and takes it again, through a descriptor that the host may have closed
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "vigil.h"

#include <stdbool.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "io.h"

static bool
is_ours (const PlrVigil *self)
{
  struct stat info;

  return self->fd >= 0 && fstat (self->fd, &info) == 0 && info.st_dev == self->device && info.st_ino == self->inode;
}

void
plr_vigil_interrupt (const PlrVigil *self)
{
  if (is_ours (self))
    (void) flock (self->fd, LOCK_UN);
}

void
plr_vigil_resume (PlrVigil *self)
{
  if (self->fd < 0)
    return;
  if (is_ours (self) && flock (self->fd, LOCK_EX | LOCK_NB) == 0)
    plr_io_own (PLR_OWN_LOCK, self->fd);
  else
    plr_vigil_end (self);
}

void
plr_vigil_end (PlrVigil *self)
{
  if (self->fd >= 0)
    plr_io_close (self->fd, self->device, self->inode);
  *self = PLR_VIGIL_NONE;
}
