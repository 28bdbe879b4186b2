/* pl-lane-item.h: a lane of the timeline as assistive technology meets it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LANE_ITEM_H
#define PL_LANE_ITEM_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_LANE_ITEM (pl_lane_item_get_type ())
G_DECLARE_FINAL_TYPE (PlLaneItem, pl_lane_item, PL, LANE_ITEM, GtkWidget)

GtkWidget *pl_lane_item_new    (void);
void       pl_lane_item_update (PlLaneItem   *self,
                                PlView       *view,
                                const PlLane *lane);

G_END_DECLS

#endif /* PL_LANE_ITEM_H */
