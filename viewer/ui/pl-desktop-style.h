/* pl-desktop-style.h: the colours that the desktop asks programs for
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DESKTOP_STYLE_H
#define PL_DESKTOP_STYLE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_DESKTOP_STYLE (pl_desktop_style_get_type ())
G_DECLARE_FINAL_TYPE (PlDesktopStyle, pl_desktop_style, PL, DESKTOP_STYLE, GObject)

/* Properties, readable:
 *   "dark"          boolean
 *   "high-contrast" boolean
 */
PlDesktopStyle *pl_desktop_style_new (void);

G_END_DECLS

#endif /* PL_DESKTOP_STYLE_H */
