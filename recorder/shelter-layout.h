/* shelter-layout.h: what lies in the shared memory that outlives a killed process
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * A root segment names the others: slabs of rings, the backlog, the names. Everything is read by another process than
 * wrote it, after a kill at any moment; so a count is published after what it counts.
 */
#ifndef PLR_SHELTER_LAYOUT_H
#define PLR_SHELTER_LAYOUT_H

#include "backlog.h"
#include "encoder.h"
#include "parklane-recorder.h"
#include "ring.h"
#include "writer.h"

#define PLR_SHELTER_MAGIC UINT64_C (0x31524c544c485350)

/* Raised with each change of what lies in shared memory; sizes are part of the layout by themselves. */
#define PLR_SHELTER_VERSION 3
#define PLR_SHELTER_LAYOUT                                                                                     \
  ((uint64_t) PLR_SHELTER_VERSION << 56 ^ (uint64_t) sizeof (PlrRing) << 40 ^ (uint64_t) sizeof (PlrRecord) << 32 \
   ^ (uint64_t) sizeof (PlrEvent) << 24 ^ (uint64_t) PLR_RING_N_BLOCKS << 16 ^ (uint64_t) sizeof (PlrShelterRoot) << 4  \
   ^ (uint64_t) PLR_N_EVENT_KINDS)

#define PLR_SHELTER_IS_ROOT UINT64_C (0x3130544f4f525250)

#define PLR_SHELTER_MAX_SLABS 256
#define PLR_SHELTER_MAX_NAMES 64

/* Rings of a slab. System V segments are few on a system (4096), and threads may be many. */
#define PLR_SLAB_RINGS 16
#define PLR_SLAB_HEADER 4096
#define PLR_SLAB_STRIDE ((PLR_RING_BYTES + 4095) & ~(size_t) 4095)
#define PLR_SLAB_BYTES (PLR_SLAB_HEADER + PLR_SLAB_RINGS * PLR_SLAB_STRIDE)

#define PLR_NAMES_BYTES (512 * 1024)

typedef enum
{
  PLR_SHELTER_CLEAN,  /* no session, or all of it is on file */
  PLR_SHELTER_IN_USE, /* a session runs, or was killed */
} PlrShelterState;

/* Begins every segment. */
typedef struct
{
  uint64_t magic;
  uint64_t layout;
  uint8_t token[16]; /* random, the same in all segments of a process */
} PlrShelterHeader;

/* Begins every root, of whatever version: another one can read this and no more, so it stays as it is for ever. */
typedef struct
{
  PlrShelterHeader header;
  uint64_t is_root; /* PLR_SHELTER_IS_ROOT */
  _Atomic uint32_t state;
  char version[36]; /* of the library; likewise the session's: */
  char output_dir[1024];
  char file_prefix[128];
} PlrShelterLabel;

typedef struct
{
  PlrShelterLabel label;
  ParklaneConfig config; /* of the session; the log callback means nothing here */
  PlrSessionInfo info;   /* its service name is the configuration's */
  PlrRescueNote rescue;
  _Atomic int32_t backlog_id;
  _Atomic uint32_t n_slabs;
  _Atomic int32_t slab_ids[PLR_SHELTER_MAX_SLABS];
  _Atomic uint32_t n_names;
  _Atomic int32_t name_ids[PLR_SHELTER_MAX_NAMES];
} PlrShelterRoot;

typedef struct
{
  PlrShelterHeader header;
  _Atomic uint32_t n_rings; /* given out */
} PlrSlab;

typedef enum
{
  PLR_NAME_LOCATION,
  PLR_NAME_RUNTIME,
} PlrNameKind;

/* A name's text follows, then the next one at a multiple of four bytes. */
typedef struct
{
  uint32_t kind;
  uint32_t id;
  uint32_t first_worker; /* of a runtime; likewise: */
  uint32_t n_workers;
  uint32_t length;
} PlrNameRecord;

typedef struct
{
  PlrShelterHeader header;
  _Atomic uint32_t n_used; /* bytes of records */
  uint8_t records[];
} PlrNameChunk;

/* The backlog's segment: its header, then what backlog.h says, from the next page on. */
#define PLR_SHELTER_BACKLOG_OFFSET 4096

static inline PlrRing *
plr_slab_get_ring (PlrSlab *slab, uint32_t i)
{
  return (PlrRing *) ((char *) slab + PLR_SLAB_HEADER + i * PLR_SLAB_STRIDE);
}

#endif /* PLR_SHELTER_LAYOUT_H */
