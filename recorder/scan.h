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
  bool is_understood; /* the frames end at `end` for sure: what follows is a torn frame, zeros or nothing */
} PlrScan;

/* A batch begins at @offset. False ends the walk. */
typedef bool (*PlrBatchFunc) (uint64_t offset, void *data);

/* Reads @fd from its beginning, as if it ended at @limit at the latest. A file with something that this recorder never writes is not understood;
 * its `end` is then where understanding ended. 0 or a negative errno. */
int plr_scan (int fd, uint64_t limit, PlrScan *out_scan);

/* Likewise to the end of the file, and calls @func with each batch in turn. */
int plr_scan_batches (int fd, PlrBatchFunc func, void *data, PlrScan *out_scan);

#endif /* PLR_SCAN_H */
