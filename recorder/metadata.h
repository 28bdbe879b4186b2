/* metadata.h: what the host says about itself in the metadata of each segment
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_METADATA_H
#define PLR_METADATA_H

#include <stdint.h>

#define PLR_MAX_METADATA 32
#define PLR_MAX_METADATA_TEXT 256

typedef struct
{
  char key[PLR_MAX_METADATA_TEXT + 1];
  char value[PLR_MAX_METADATA_TEXT + 1];
} PlrMetadata;

/* Entries set by now; a copy of one of them. Any thread; the copy takes the lock of the names. */
uint32_t plr_metadata_get_n (void);
void     plr_metadata_get (uint32_t i, PlrMetadata *out_entry);

/* Raised with each change. */
uint32_t plr_metadata_get_version (void);

#endif /* PLR_METADATA_H */
