/* pl-lane-lost.h: what is not known of a lane because events of it were lost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LANE_LOST_H
#define PL_LANE_LOST_H

#include "pl-join.h"
#include "pl-lane-private.h"

G_BEGIN_DECLS

void pl_lane_build_lost (PlLane     *self,
                         PlLaneGaps  gaps,
                         GArray     *holes);

G_END_DECLS

#endif /* PL_LANE_LOST_H */
