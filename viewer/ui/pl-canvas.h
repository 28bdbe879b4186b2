/* pl-canvas.h: what the drawn parts of the window share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_CANVAS_H
#define PL_CANVAS_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

void pl_canvas_fill_scene (GtkWidget *widget,
                           PlView    *view,
                           PlScene   *out_scene);

G_END_DECLS

#endif /* PL_CANVAS_H */
