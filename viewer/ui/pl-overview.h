/* pl-overview.h: the whole session in a strip, with the visible range as a box
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_OVERVIEW_H
#define PL_OVERVIEW_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_OVERVIEW (pl_overview_get_type ())
G_DECLARE_FINAL_TYPE (PlOverview, pl_overview, PL, OVERVIEW, GtkWidget)

void pl_overview_set_view (PlOverview *self,
                           PlView     *view);

G_END_DECLS

#endif /* PL_OVERVIEW_H */
