/* pl-file-load.h: reading one file in chunks, on several threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FILE_LOAD_H
#define PL_FILE_LOAD_H

#include "pl-chunk.h"

G_BEGIN_DECLS

/**
 * PlFileLoad:
 * @info: what is known of the file so far; no index when it is read in one chunk
 * @pieces: (element-type PlPiece): those that are certain, in order
 * @preview: (nullable) (element-type PlPiece): all of the file from the index, to be shown until it has been read
 * @known: what the index says of the file that @preview is of; its path is that of @info
 *
 * Which chunks of a file have been read, and how far they join up. Its owner's lock guards it.
 */
typedef struct
{
  guint file;
  PlTraceFile info;
  PlTraceFile known;
  guint64 raw_size;
  guint64 chunk_size;
  guint n_chunks;
  gboolean is_planned;
  gboolean is_remembered; /* by the index */
  guint n_begun;
  guint n_busy;
  GHashTable *read;    /* start → PlChunk: read, and not known to be right yet */
  GPtrArray *pieces;
  GPtrArray *preview;
  guint64 certain_to;  /* up to here the chunks join up */
} PlFileLoad;

PlFileLoad *pl_file_load_new      (guint           file,
                                   const char     *path);
void        pl_file_load_free     (PlFileLoad     *self);
void        pl_file_load_plan     (PlFileLoad     *self,
                                   guint           n_threads,
                                   guint64         session_bytes,
                                   GMutex         *lock);
void        pl_file_load_recall   (PlFileLoad     *self,
                                   PlStrings      *strings,
                                   gboolean        is_enough);
GPtrArray  *pl_file_load_get_shown (const PlFileLoad   *self,
                                   const PlTraceFile **out_info);
gboolean    pl_file_load_is_previewed (const PlFileLoad *self);
gboolean    pl_file_load_next     (PlFileLoad     *self,
                                   PlChunkRequest *out_request);
void        pl_file_load_remember (PlFileLoad     *self,
                                   PlStrings      *strings);
void        pl_file_load_finished (PlFileLoad     *self,
                                   PlChunk        *chunk);

G_END_DECLS

#endif /* PL_FILE_LOAD_H */
