/* wreck-other.c: what killed sessions of other versions of this library have left in shared memory
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * It cannot be read, but known, and its owner told of it; so it waits (wreck-sweep.c) for somebody who has that version.
 */
#include "wreck-other.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "shelter-layout.h"
#include "wreck.h"

/* Copies the beginning of the segment with the kernel's number @i, as far as there is one; whether it is of another version and
 * nobody is attached. */
static bool
read_label (int i, uid_t dir_owner, PlrShelterLabel *label, struct shmid_ds *segment)
{
  int id = shmctl (i, SHM_STAT, segment);

  if (id < 0 || segment->shm_nattch != 0
      || !(plr_wreck_is_owned_by (segment, geteuid ()) || plr_wreck_is_owned_by (segment, dir_owner)))
    return false;
  return plr_wreck_copy_label (id, segment, label) && label->header.layout != PLR_SHELTER_LAYOUT;
}

bool
plr_other_wreck_find (PlrOtherWreck *self, const char *dir, const char *prefix, int *cursor)
{
  int last = plr_wreck_get_last ();
  struct shmid_ds segment;
  PlrShelterLabel label;
  struct stat st;

  if (lstat (dir, &st) < 0)
    return false;
  while (*cursor <= last)
    if (read_label ((*cursor)++, st.st_uid, &label, &segment) && label.is_root == PLR_SHELTER_IS_ROOT
        && atomic_load_explicit (&label.state, memory_order_relaxed) == PLR_SHELTER_IN_USE
        && strcmp (label.output_dir, dir) == 0 && (prefix == NULL || strcmp (label.file_prefix, prefix) == 0))
      {
        self->pid = segment.shm_cpid;
        plr_copy_utf8 (self->version, sizeof self->version, label.version);
        return true;
      }
  return false;
}
