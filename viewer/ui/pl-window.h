/* pl-window.h: a window on one trace
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WINDOW_H
#define PL_WINDOW_H

#include <gtk/gtk.h>

#include "pl-open-request.h"

G_BEGIN_DECLS

#define PL_TYPE_WINDOW (pl_window_get_type ())
G_DECLARE_FINAL_TYPE (PlWindow, pl_window, PL, WINDOW, GtkApplicationWindow)

PlWindow *pl_window_new        (GtkApplication      *application);
gboolean  pl_window_is_empty   (PlWindow            *self);
void      pl_window_open       (PlWindow            *self,
                                const PlOpenRequest *request);
void      pl_window_open_files (PlWindow            *self,
                                GListModel          *files);

G_END_DECLS

#endif /* PL_WINDOW_H */
