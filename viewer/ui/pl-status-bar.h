/* pl-status-bar.h: what lies under the pointer, and what is in view
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_STATUS_BAR_H
#define PL_STATUS_BAR_H

#include <gtk/gtk.h>

#include "pl-long-poll-model.h"

G_BEGIN_DECLS

#define PL_TYPE_STATUS_BAR (pl_status_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlStatusBar, pl_status_bar, PL, STATUS_BAR, GtkWidget)

void pl_status_bar_set_view (PlStatusBar     *self,
                             PlView          *view,
                             PlLongPollModel *model);

G_END_DECLS

#endif /* PL_STATUS_BAR_H */
