/* pl-follow-unpack.h: a compressed file of a followed session, decoded in a thread of its own
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_UNPACK_H
#define PL_FOLLOW_UNPACK_H

#include "pl-chunk.h"

G_BEGIN_DECLS

typedef struct _PlFollowUnpack PlFollowUnpack;

PlFollowUnpack *pl_follow_unpack_new         (const char      *path,
                                              guint            file,
                                              PlStrings       *strings,
                                              GPtrArray       *known);
void            pl_follow_unpack_free        (PlFollowUnpack  *self);
gboolean        pl_follow_unpack_start       (PlFollowUnpack  *self);
gboolean        pl_follow_unpack_is_done     (PlFollowUnpack  *self);
void            pl_follow_unpack_finish      (PlFollowUnpack  *self);
PlChunk        *pl_follow_unpack_get_chunk   (PlFollowUnpack  *self);
GArray         *pl_follow_unpack_get_index   (PlFollowUnpack  *self);

G_END_DECLS

#endif /* PL_FOLLOW_UNPACK_H */
