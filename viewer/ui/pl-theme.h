/* pl-theme.h: light and dark, and high contrast of both
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_THEME_H
#define PL_THEME_H

#include <glib.h>

#include "pl-scene.h"

G_BEGIN_DECLS

gboolean pl_theme_is_name           (const char *name);
void     pl_theme_start             (void);
void     pl_theme_set               (const char *name);
void     pl_theme_set_high_contrast (gboolean    high_contrast);
PlTheme  pl_theme_get               (void);

G_END_DECLS

#endif /* PL_THEME_H */
