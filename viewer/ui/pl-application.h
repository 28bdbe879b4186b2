/* pl-application.h: the program: command line, windows, theme
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_APPLICATION_H
#define PL_APPLICATION_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_APPLICATION (pl_application_get_type ())
G_DECLARE_FINAL_TYPE (PlApplication, pl_application, PL, APPLICATION, GtkApplication)

PlApplication *pl_application_new (void);

G_END_DECLS

#endif /* PL_APPLICATION_H */
