/* pl-timeline-private.h: what the two halves of the timeline share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TIMELINE_PRIVATE_H
#define PL_TIMELINE_PRIVATE_H

#include "pl-timeline.h"

G_BEGIN_DECLS

typedef enum
{
  PL_TIMELINE_IDLE,
  PL_TIMELINE_PRESSED, /* not far enough for a drag yet */
  PL_TIMELINE_PANNING,
  PL_TIMELINE_SELECTING,
  PL_TIMELINE_ZOOMING,
} PlTimelineDrag;

struct _PlTimeline
{
  GtkWidget parent_instance;

  PlView *view;
  GtkAdjustment *hadjustment;
  GtkAdjustment *vadjustment;
  GtkScrollablePolicy hscroll_policy;
  GtkScrollablePolicy vscroll_policy;
  GPtrArray *lane_items; /* of lanes from first_lane on */
  guint first_lane;

  gboolean has_pointer; /* over the widget, at @pointer_x and @pointer_y */
  double pointer_x;
  double pointer_y;

  PlTimelineDrag drag;
  PlTimelineDrag drag_becomes; /* once it is one, by the modifiers at the press */
  double drag_scroll_y;
  PlRange drag_visible;
  PlRange drag_range;
  gint64 drag_at_ns;
  PlRange pinch_visible;
  gint64 pinch_at_ns;
};

double pl_timeline_get_scroll_y (PlTimeline *self);
void   pl_timeline_add_input    (PlTimeline *self);
void   pl_timeline_point        (PlTimeline *self);

G_END_DECLS

#endif /* PL_TIMELINE_PRIVATE_H */
