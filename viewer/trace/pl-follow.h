/* pl-follow.h: a session that is being recorded, decoded as it grows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOLLOW_H
#define PL_FOLLOW_H

#include "pl-piece.h"
#include "pl-strings.h"
#include "pl-trace.h"

G_BEGIN_DECLS

/**
 * PlFollowState: what the last look at the paths found
 * @PL_FOLLOW_MISSING: none of them is there (any more)
 * @PL_FOLLOW_EMPTY: they are there, and hold no segment (any more)
 * @PL_FOLLOW_UNREADABLE: one cannot be listed
 */
typedef enum
{
  PL_FOLLOW_PRESENT,
  PL_FOLLOW_MISSING,
  PL_FOLLOW_EMPTY,
  PL_FOLLOW_UNREADABLE,
} PlFollowState;

typedef struct _PlFollow PlFollow;

PlFollow     *pl_follow_new         (const char *const *paths,
                                     PlStrings         *strings,
                                     guint64            memory_budget);
void          pl_follow_free        (PlFollow          *self);
void          pl_follow_adopt       (PlFollow          *self,
                                     const PlTraceFile *info,
                                     GPtrArray         *pieces);
void          pl_follow_look_at     (PlFollow          *self,
                                     gint64             from_ns,
                                     gint64             to_ns);
gboolean      pl_follow_scan        (PlFollow          *self);
gboolean      pl_follow_read        (PlFollow          *self);
gboolean      pl_follow_step        (PlFollow          *self);
gboolean      pl_follow_take_detail (PlFollow          *self,
                                     PlTrace           *trace);
PlTrace      *pl_follow_build       (PlFollow          *self);
PlFollowState pl_follow_get_state   (PlFollow          *self);
guint64       pl_follow_get_bytes   (PlFollow          *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlFollow, pl_follow_free)

G_END_DECLS

#endif /* PL_FOLLOW_H */
