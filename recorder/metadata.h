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
  const char *key;
  const char *value;
} PlrMetadata;

/* Entries set by now. Any thread, no lock. */
uint32_t    plr_metadata_get_n (void);
PlrMetadata plr_metadata_get (uint32_t i);

/* Raised with each change. */
uint32_t plr_metadata_get_version (void);

#endif /* PLR_METADATA_H */
