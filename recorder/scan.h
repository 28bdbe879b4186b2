/* scan.h: finds where the whole frames of a trace file end
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_SCAN_H
#define PLR_SCAN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  uint64_t size;     /* of the file */
  uint64_t end;      /* offset after the last whole frame */
  uint64_t n_events; /* recorded ones: no clock, metadata or heartbeat event */
  bool is_understood; /* the frames end at `end` for sure: what follows is a torn frame or nothing */
} PlrScan;

/* Reads @fd from its beginning, as if it ended at @limit at the latest. A file with something that this recorder never writes is not understood;
 * its `end` is then where understanding ended. 0 or a negative errno. */
int plr_scan (int fd, uint64_t limit, PlrScan *out_scan);

#endif /* PLR_SCAN_H */
