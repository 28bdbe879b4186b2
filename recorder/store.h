/* store.h: the directory of a prefix: lock, numbering, budget, adoption
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Everything happens relative to a directory handle. Files whose names are not exactly those of the
 * prefix, and files that are no regular files, are never touched.
 */
#ifndef PLR_STORE_H
#define PLR_STORE_H

#include "finisher.h"
#include "segment.h"
#include "vigil.h"

/* Highest number a segment can have. A file that claims a higher one is not ours; so there is always a
 * next number, whatever lies in the directory. */
#define PLR_INDEX_MAX UINT32_C (4000000000)

typedef enum
{
  PLR_FILE_SEALED,    /* PREFIX.N.bin */
  PLR_FILE_ACTIVE,    /* PREFIX.N.bin.active */
  PLR_FILE_ZSTD,      /* PREFIX.N.bin.zst */
  PLR_FILE_GZIP,      /* PREFIX.N.bin.gz */
  PLR_FILE_TEMPORARY, /* PREFIX.N.bin.zst.tmp */
  PLR_N_FILE_KINDS,
} PlrFileKind;

typedef struct _PlrStore PlrStore;

/* A left-over of this process: what lies beyond its last whole write is offered again, so it must go. */
typedef struct
{
  bool is_set;
  uint32_t index;
  uint64_t size;
} PlrCut;

/* Makes the directory when it is missing and replaces its path, of at most @size bytes with the NUL, by one
 * without links. A link that is put in its place later is then seen as what it is. */
int  plr_store_resolve (char *dir, size_t size);

/* Makes the directory when it is missing, locks the prefix and adopts what a dead run left: torn frames
 * are cut off, files without events removed, the others sealed. @cut may be NULL. -EBUSY when the prefix is locked. */
int  plr_store_open (PlrStore **out_store, const char *dir, const char *prefix, uint64_t budget_bytes, const PlrCut *cut);

/* Releases the lock and frees. NULL does nothing. */
void plr_store_close (PlrStore *self);

/* Frees, and hands the lock over to @vigil, which holds nothing yet. */
void plr_store_close_watching (PlrStore *self, PlrVigil *vigil);

/* -ESTALE or the error of looking when the path no longer leads to the directory that is open, -EBADF when
 * the handle is no longer ours. */
int plr_store_check (const PlrStore *self);

/* Numbers go on above @index, which a segment of this session has, even where nothing of it is left. */
void plr_store_go_on_above (PlrStore *self, uint32_t index);

/* Begins the next segment. */
int plr_store_create_segment (PlrStore *self, PlrSegment *segment, uint64_t now_ns);

/* Removes the oldest sealed segments until @active_bytes, all others and what is being compressed fit the budget. An error when one
 * that must go cannot be removed. */
int plr_store_make_room (PlrStore *self, uint64_t active_bytes);

/* Seals @segment, or removes it when it holds no events. It is closed in any case. */
int plr_store_seal_segment (PlrStore *self, PlrSegment *segment);

/* From now on sealed segments are synced, and compressed if @compresses, by @finisher, which outlives the store. */
void plr_store_set_finisher (PlrStore *self, PlrFinisher *finisher, bool compresses);

/* Takes what the finisher has done and gives it the next segment; never waits for it. @active_bytes: of the
 * segment being written. The error of syncing one or of opening it. */
int plr_store_finish (PlrStore *self, uint64_t active_bytes);

/* After the finisher has stopped: takes what it has done, and syncs here what it has not. */
int plr_store_finish_last (PlrStore *self);

uint64_t plr_store_get_sealed_bytes (const PlrStore *self);

/* Whether @name is one of the prefix's files. */
bool plr_store_parse_name (const char *prefix, const char *name, uint32_t *out_index, PlrFileKind *out_kind);

#endif /* PLR_STORE_H */
