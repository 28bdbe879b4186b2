/* rescue.h: writes what killed sessions have left in shared memory
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_RESCUE_H
#define PLR_RESCUE_H

#include "parklane-recorder.h"

/* Writes what killed sessions of @dir, a path without links, and @prefix (NULL: any) left, into segments of theirs, and removes
 * it from memory. What cannot be written stays for the next time. The number of events written, or the first error. */
int64_t plr_rescue (const char *dir, const char *prefix, ParklaneLogFunc log, void *log_data);

#endif /* PLR_RESCUE_H */
