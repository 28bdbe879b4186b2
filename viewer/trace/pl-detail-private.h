/* pl-detail-private.h: walks over the pieces of a trace with their detail
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DETAIL_PRIVATE_H
#define PL_DETAIL_PRIVATE_H

#include "pl-detail.h"
#include "pl-piece.h"

G_BEGIN_DECLS

typedef gboolean (*PlPieceFunc) (PlPiece *piece,
                                 gpointer user_data);

PlPiece *pl_detail_decode_piece          (PlTrace      *trace,
                                          PlPiece      *piece,
                                          GCancellable *cancellable);
gboolean pl_detail_foreach_joined_poll   (PlTrace      *trace,
                                          gint64        min_duration_ns,
                                          PlPollFunc    func,
                                          gpointer      user_data);
gboolean pl_detail_foreach_piece         (PlTrace      *trace,
                                          PlPieceFunc   needs_detail,
                                          PlPieceFunc   func,
                                          gpointer      user_data,
                                          GCancellable *cancellable);
gboolean pl_detail_foreach_poll_of_piece (PlTrace      *trace,
                                          PlPiece      *piece,
                                          gint64        min_duration_ns,
                                          PlPollFunc    func,
                                          gpointer      user_data);

G_END_DECLS

#endif /* PL_DETAIL_PRIVATE_H */
