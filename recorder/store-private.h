/* store-private.h: what store.c and store-finish.c share
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_STORE_PRIVATE_H
#define PLR_STORE_PRIVATE_H

#include <sys/stat.h>

#include "store.h"

typedef struct
{
  uint32_t index;
  uint32_t kinds;          /* bit per PlrFileKind */
  uint64_t bytes;
  bool needs_sync;         /* sealed by this process and not synced yet */
  bool stays_uncompressed; /* it was tried */
} PlrFamily;

struct _PlrStore
{
  int dir_fd;
  int lock_fd;
  struct stat dir_identity;
  struct stat lock_identity;
  char *path;
  char *prefix;
  uint64_t budget_bytes;
  PlrFamily *families; /* by index, ascending; without the segment being written */
  size_t n_families;
  size_t capacity;
  uint64_t sealed_bytes;
  uint32_t next_index;

  PlrFinisher *finisher; /* NULL: nothing is synced or compressed */
  bool compresses;
  bool has_job;            /* at the finisher, and its result is awaited; then: */
  bool job_compresses;
  uint32_t job_index;
  uint64_t reserved_bytes; /* what its output may grow to */
};

/* Writes the name of a file of ours. */
void       plr_store_format_name (const PlrStore *self, char name[PLR_FILE_NAME_SIZE], uint32_t index, PlrFileKind kind);

/* NULL when no file has this number. */
PlrFamily *plr_store_find_family (PlrStore *self, uint32_t index);

/* Removes what compressions that were cut short left beside the raw segment. */
int        plr_store_drop_doubles (PlrStore *self);

/* Ends the job at the finisher without waiting for it and removes what it has written. */
void       plr_store_abandon_job (PlrStore *self);

#endif /* PLR_STORE_PRIVATE_H */
