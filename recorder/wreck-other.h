/* wreck-other.h: what killed sessions of other versions of this library have left in shared memory
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_WRECK_OTHER_H
#define PLR_WRECK_OTHER_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct
{
  pid_t pid;
  char version[40];
} PlrOtherWreck;

/* Finds the next killed session of @dir and @prefix (NULL: any) that another version recorded and this one cannot read, from
 * *@cursor on, which begins with 0. It must belong to this user or to the directory's owner. False when there are no more. */
bool plr_other_wreck_find (PlrOtherWreck *self, const char *dir, const char *prefix, int *cursor);

#endif /* PLR_WRECK_OTHER_H */
