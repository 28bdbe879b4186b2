/* pl-stall-bar.h: that nothing is recorded any more, why, and what to do about it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_STALL_BAR_H
#define PL_STALL_BAR_H

#include <gtk/gtk.h>

#include "pl-watch.h"

G_BEGIN_DECLS

#define PL_TYPE_STALL_BAR (pl_stall_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlStallBar, pl_stall_bar, PL, STALL_BAR, GtkWidget)

void pl_stall_bar_set_watch (PlStallBar *self,
                             PlWatch    *watch);

G_END_DECLS

#endif /* PL_STALL_BAR_H */
