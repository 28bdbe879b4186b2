/* pl-settings.h: preferences and window state, with or without an installed schema
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SETTINGS_H
#define PL_SETTINGS_H

#include <gio/gio.h>

G_BEGIN_DECLS

#define PL_TYPE_SETTINGS (pl_settings_get_type ())
G_DECLARE_FINAL_TYPE (PlSettings, pl_settings, PL, SETTINGS, GObject)

/* Properties, all readable and writable, kept where the schema keys of the same name are:
 *   "threshold-ns"  int64
 *   "memory-budget" int, MiB of detail that a window holds of its trace; counts for what is opened from then on
 *   "theme"         string "system", "light" or "dark"
 *   "palette"       string "standard" or "high-contrast"
 *   "editor-command", "source-folder"  string, empty where the person has named none
 *   "follow-by-default"  boolean
 *   "notify-stalls", "notify-long-polls"  boolean
 *   "time-format"   string "relative", "wall-local" or "wall-utc"
 *   "width", "height", "details-width", "list-height"  int, pixels
 *   "maximized"     boolean
 *   "last-folder"   string, URI; empty at first
 */
PlSettings *pl_settings_get_default    (void);
char       *pl_settings_take_complaint (PlSettings *self);

G_END_DECLS

#endif /* PL_SETTINGS_H */
