/* pl-follow-tail.h: decodes a raw file as it grows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_TAIL_H
#define PL_FOLLOW_TAIL_H

#include "pl-piece.h"
#include "pl-strings.h"

G_BEGIN_DECLS

typedef struct _PlFollowTail PlFollowTail;

PlFollowTail *pl_follow_tail_new        (int           fd,
                                         PlStrings    *strings,
                                         guint         file,
                                         guint64       raw_from);
void          pl_follow_tail_free       (PlFollowTail *self);
int           pl_follow_tail_dup_fd     (PlFollowTail *self);
guint64       pl_follow_tail_get_size   (PlFollowTail *self);
gboolean      pl_follow_tail_read       (PlFollowTail *self,
                                         GPtrArray    *pieces);
PlPiece      *pl_follow_tail_peek       (PlFollowTail *self);
PlPiece      *pl_follow_tail_end        (PlFollowTail *self);
guint64       pl_follow_tail_get_offset (PlFollowTail *self);
gboolean      pl_follow_tail_is_at_end  (PlFollowTail *self);
gboolean      pl_follow_tail_has_fault (PlFollowTail *self);
GError       *pl_follow_tail_get_fault  (PlFollowTail *self,
                                         const char   *path);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlFollowTail, pl_follow_tail_free)

G_END_DECLS

#endif /* PL_FOLLOW_TAIL_H */
