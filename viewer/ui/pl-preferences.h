/* pl-preferences.h: the window with the preferences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_PREFERENCES_H
#define PL_PREFERENCES_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_PREFERENCES (pl_preferences_get_type ())
G_DECLARE_FINAL_TYPE (PlPreferences, pl_preferences, PL, PREFERENCES, GtkWindow)

PlPreferences *pl_preferences_new (GtkWindow *parent);

G_END_DECLS

#endif /* PL_PREFERENCES_H */
