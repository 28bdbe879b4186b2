/* writer.h: events → segments: encodes, rotates, and survives what the disk does
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_WRITER_H
#define PLR_WRITER_H

#include "backlog.h"
#include "encoder.h"
#include "health.h"
#include "segment.h"
#include "store.h"

/* Raw bytes after which a segment's next batch begins, so that files can be split and read in parallel. */
#define PLR_BATCH_BYTES (1024 * 1024)

/* Segments that a rescue has begun, each number raised by one; 0: none. Who finds them takes them back before it rescues
 * again, since the one before may have been killed. */
typedef struct
{
  _Atomic uint32_t first;
  _Atomic uint32_t last;
} PlrRescueNote;

/* Used by the recorder's thread only, after start. */
typedef struct
{
  const ParklaneConfig *config;
  PlrBacklog *backlog;
  PlrSessionInfo info;
  PlrEncoder *encoder;
  PlrFinisher finisher;
  PlrStore *store;    /* NULL while the directory is not available */
  PlrVigil vigil;     /* holds the lock meanwhile */
  PlrSegment segment;
  uint32_t last_index; /* of the session's segments with events; UINT32_MAX: none yet */
  PlrHealth health;
  uint32_t n_runtimes_told; /* in the segment's metadata; likewise: */
  uint32_t metadata_told;   /* version */
  const char *clock_told;
  size_t n_encoded;         /* how many of the backlog's events are in the encoder's buffer */
  PlrSpan pending;          /* recorded events in the encoder's buffer */
  uint64_t n_left_out;      /* rings, when the segment was opened */
  bool is_complete;         /* the segment ends with all that the threads had recorded by then */
  uint64_t again_until;     /* position in the backlog before which events were encoded in vain */
  uint64_t checked_ns;      /* when the directory's identity was last checked */

  PlrRescueNote *note;      /* NULL, unless this is a rescue */
  PlrCut cut;               /* a segment that could not be cut back to its last whole write */
  PlrSpan lost;             /* events of segments that somebody removed or cut; told as a gap in the next one */
} PlrWriter;

/* A session of a process that is gone, in whose name a writer goes on. */
typedef struct
{
  PlrRescueNote *note;
  PlrSessionInfo info;
  PlrCut cut; /* a segment whose last write is not to count */
} PlrLegacy;

/* @config and @backlog live as long as the writer. Opens the directory and the first segment; after an error there
 * is nothing to close. @legacy: NULL for a session of its own. */
int plr_writer_open (PlrWriter *self, const ParklaneConfig *config, PlrBacklog *backlog, const PlrLegacy *legacy,
                     uint64_t now_ns);

/* Writes the @n oldest events of the backlog, which lie at @events, and acknowledges what is on file. The others stay,
 * and are to be offered again. */
void plr_writer_write (PlrWriter *self, const PlrEvent *events, size_t n, uint64_t now_ns);

/* Once per drain, events or not: retries, age, checks. */
void plr_writer_tick (PlrWriter *self, uint64_t now_ns);

/* Seals the segment; the next event begins a new one. */
void plr_writer_rotate (PlrWriter *self, uint64_t now_ns);

/* Seals, releases everything. The health's last error. */
int plr_writer_close (PlrWriter *self, uint64_t now_ns);

#endif /* PLR_WRITER_H */
