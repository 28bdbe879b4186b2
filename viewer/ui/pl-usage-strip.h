/* pl-usage-strip.h: the disk usage of a watched session, under the overview
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_USAGE_STRIP_H
#define PL_USAGE_STRIP_H

#include <gtk/gtk.h>

#include "pl-view.h"
#include "pl-watch.h"

G_BEGIN_DECLS

#define PL_TYPE_USAGE_STRIP (pl_usage_strip_get_type ())
G_DECLARE_FINAL_TYPE (PlUsageStrip, pl_usage_strip, PL, USAGE_STRIP, GtkWidget)

void pl_usage_strip_set_view  (PlUsageStrip *self,
                               PlView       *view);
void pl_usage_strip_set_watch (PlUsageStrip *self,
                               PlWatch      *watch);

G_END_DECLS

#endif /* PL_USAGE_STRIP_H */
