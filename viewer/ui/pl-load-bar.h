/* pl-load-bar.h: how far loading has come, and a button that ends it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LOAD_BAR_H
#define PL_LOAD_BAR_H

#include <gtk/gtk.h>

#include "pl-loader.h"

G_BEGIN_DECLS

#define PL_TYPE_LOAD_BAR (pl_load_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlLoadBar, pl_load_bar, PL, LOAD_BAR, GtkWidget)

void pl_load_bar_set_loader (PlLoadBar *self,
                             PlLoader  *loader);

G_END_DECLS

#endif /* PL_LOAD_BAR_H */
