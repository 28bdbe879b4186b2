/* pl-segment-tail.h: reads on at the end of a growing segment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SEGMENT_TAIL_H
#define PL_SEGMENT_TAIL_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

typedef struct _PlSegmentTail PlSegmentTail;

PlSegmentTail *pl_segment_tail_new         (void);
void           pl_segment_tail_free        (PlSegmentTail *self);
void           pl_segment_tail_follow      (PlSegmentTail *self,
                                            int            dir_fd,
                                            const char    *name,
                                            guint64        index);
void           pl_segment_tail_tell        (PlSegmentTail *self,
                                            PlDirScan     *scan);
int            pl_segment_tail_get_fd      (PlSegmentTail *self);
gboolean       pl_segment_tail_has_grown   (PlSegmentTail *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlSegmentTail, pl_segment_tail_free)

G_END_DECLS

#endif /* PL_SEGMENT_TAIL_H */
