/* pl-describe.h: what is under the pointer or selected, as sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DESCRIBE_H
#define PL_DESCRIBE_H

#include "pl-view.h"

G_BEGIN_DECLS

char *pl_describe_pointer (PlView       *view);
char *pl_describe_poll    (PlView       *view,
                           const PlPoll *poll);
char *pl_describe_tooltip (PlView       *view,
                           const PlPoll *poll);
char *pl_describe_visible (PlView       *view);
char *pl_describe_slice   (const PlLane      *lane,
                           PlRange            range,
                           const PlLaneSlice *slice);
char *pl_describe_gap_at  (PlView       *view,
                           const PlLane *lane,
                           gint64        at_ns);
char *pl_describe_report  (PlView       *view,
                           const PlPoll *poll);

G_END_DECLS

#endif /* PL_DESCRIBE_H */
