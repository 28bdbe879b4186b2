/* pl-reader.h: one file → its pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_READER_H
#define PL_READER_H

#include <gio/gio.h>

#include "pl-piece.h"
#include "pl-strings.h"
#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlReaderClient:
 * @piece: takes over a finished piece
 * @progress: how far the file has been read; called about every 256 KiB
 *
 * What a reader tells while it works, on the thread that it works on.
 */
typedef struct
{
  void (*piece)    (PlPiece *piece, gpointer user_data);
  void (*progress) (guint file, guint64 disk_offset, guint64 raw_bytes, guint64 n_events, gpointer user_data);
} PlReaderClient;

void pl_reader_read_file (PlTraceFile          *info,
                          guint                 file,
                          PlStrings            *strings,
                          GCancellable         *cancellable,
                          const PlReaderClient *client,
                          gpointer              user_data);

G_END_DECLS

#endif /* PL_READER_H */
