/* pl-ruler.h: the time axis above the lanes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_RULER_H
#define PL_RULER_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_RULER (pl_ruler_get_type ())
G_DECLARE_FINAL_TYPE (PlRuler, pl_ruler, PL, RULER, GtkWidget)

void pl_ruler_set_view (PlRuler *self,
                        PlView  *view);

G_END_DECLS

#endif /* PL_RULER_H */
