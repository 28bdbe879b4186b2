/* pl-index-check.h: whether what an index says may be true
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INDEX_CHECK_H
#define PL_INDEX_CHECK_H

#include "pl-piece.h"
#include "pl-trace.h"

G_BEGIN_DECLS

gboolean pl_index_piece_is_sound (const PlPiece *piece);
gboolean pl_index_file_is_sound  (const PlTraceFile *info,
                                  GPtrArray         *pieces);

G_END_DECLS

#endif /* PL_INDEX_CHECK_H */
