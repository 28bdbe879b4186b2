/* pl-timeline.h: the lanes: drawing, scrolling, pointer and touch
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TIMELINE_H
#define PL_TIMELINE_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_TIMELINE (pl_timeline_get_type ())
G_DECLARE_FINAL_TYPE (PlTimeline, pl_timeline, PL, TIMELINE, GtkWidget)

void pl_timeline_set_view (PlTimeline *self,
                           PlView     *view);

G_END_DECLS

#endif /* PL_TIMELINE_H */
