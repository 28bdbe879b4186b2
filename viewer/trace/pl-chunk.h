/* pl-chunk.h: a stretch of a file → its pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Chunks of one file are read by several threads at once. A chunk begins at the first header in its stretch. That
 * header is only a guess, since the same five bytes may stand inside a string: it is believed when the chunk before,
 * decoding frame by frame, arrives at exactly this place. See pl-file-load.c.
 */
#ifndef PL_CHUNK_H
#define PL_CHUNK_H

#include <gio/gio.h>

#include "pl-piece.h"
#include "pl-strings.h"
#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlChunkRequest:
 * @path: the file
 * @file: its index in the trace
 * @index: (nullable): where its decompression can begin
 * @from: place in the decompressed stream
 * @is_exact: a header stands at @from; else the first one before @to is searched
 * @to: the chunk ends at the first header at or after this place
 * @batches: (nullable) (element-type guint64): of how many batches the pieces are to be, one after the other, and what is
 *   left is one more; %NULL for pieces of the usual size
 */
typedef struct
{
  const char *path;
  guint file;
  GArray *index;
  PlStrings *strings;
  GCancellable *cancellable;
  guint64 from;
  guint64 to;
  gboolean is_exact;
  GArray *batches;
} PlChunkRequest;

/**
 * PlChunk:
 * @from: where it really began, %G_MAXUINT64 when its stretch holds no header
 * @to: where it ended
 * @pieces: (element-type PlPiece): what was decoded
 * @error: (nullable): why it ended before its end
 * @is_at_end: it ended with the file or with @error
 */
typedef struct
{
  guint64 from;
  guint64 to;
  GPtrArray *pieces;
  GError *error;
  gboolean is_at_end;
  PlTraceFormat format;
  guint64 lost_bytes;
} PlChunk;

/**
 * PlChunkClient:
 * @piece: (nullable): is given a finished piece (transfer full) and returns the one to keep, perhaps its summary
 * @progress: (nullable): told what was read since the last call; about every 256 KiB
 *
 * What is told while a chunk is read, on the thread that reads it.
 */
typedef struct
{
  PlPiece *(*piece) (PlPiece *piece, gpointer user_data);
  void (*progress)  (guint64 disk_bytes, guint64 n_events, gpointer user_data);
} PlChunkClient;

PlChunk *pl_chunk_read (const PlChunkRequest *request,
                        const PlChunkClient  *client,
                        gpointer              user_data);
void     pl_chunk_free (PlChunk              *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlChunk, pl_chunk_free)

G_END_DECLS

#endif /* PL_CHUNK_H */
