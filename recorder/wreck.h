/* wreck.h: what a killed session has left in shared memory, read with distrust
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_WRECK_H
#define PLR_WRECK_H

#include <sys/shm.h>
#include <sys/types.h>
#include <time.h>

#include "names.h"
#include "shelter-layout.h"

/* Copies of what was found, each value checked. */
typedef struct
{
  int id; /* of the root's segment */
  uid_t owner;
  PlrShelterRoot *shared; /* itself, attached while it is rescued; nobody else attaches it then */
  PlrShelterRoot root; /* a copy; its configuration can be used, its other parts are for the functions below */

  uint64_t written;    /* positions of the backlog, as backlog.h says */
  uint64_t taken;
  PlrEvent *events;    /* from `written` to `taken` */
  struct
  {
    uint64_t to;
    uint32_t index;
    uint64_t offset;
    uint64_t end;
  } intent;            /* `to` is 0 when there is none */

  PlrSpan segment;     /* what the segment that was being written should hold */
  uint32_t segment_index;
  uint64_t segment_size;
  PlrSpan lost;        /* what was lost, and no gap tells */

  PlrRing *rings;      /* a list, NULL when all are empty */
  char **locations;    /* PLR_MAX_LOCATIONS of them, or NULL */
  char *runtime_names[PLR_MAX_RUNTIMES];
  PlrRuntime runtimes[PLR_MAX_RUNTIMES];
  uint32_t n_runtimes;
} PlrWreck;

/* Finds the next session of @dir and @prefix (NULL: any) whose process is gone, from *@cursor on, which begins with 0. It must
 * belong to this user or to the directory's owner. False when there are no more. */
bool plr_wreck_find (PlrWreck *self, const char *dir, const char *prefix, int *cursor);

/* Whether a ring's or a backlog's record can be one. */
bool plr_wreck_is_kept (uint64_t word);

/* Reads all that was not on file. -ENOMEM; -EBADMSG when it makes no sense. */
int  plr_wreck_read (PlrWreck *self);

/* Frees the copies. */
void plr_wreck_clear (PlrWreck *self);

/* Removes the session's shared memory from the system. */
void plr_wreck_remove (PlrWreck *self);

/* For wreck-other.c and wreck-sweep.c: whether the segment is @owner's own, whether the process that made it is gone (whoever
 * is attached then is another start that looks around, as this one does), and the kernel's highest number of a segment. */
bool plr_wreck_is_owned_by (const struct shmid_ds *segment, uid_t owner);
bool plr_wreck_is_creator_gone (const struct shmid_ds *segment);
int  plr_wreck_get_last (void);

/* Likewise: copies the beginning of the segment @id, of which @segment tells, as far as it goes; zeros behind, and texts that
 * end. False unless it begins with a header that has our magic number. */
bool plr_wreck_copy_label (int id, const struct shmid_ds *segment, PlrShelterLabel *label);

#endif /* PLR_WRECK_H */
