/* pl-announcement.h: labels that a screen reader reads out as they change
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_ANNOUNCEMENT_H
#define PL_ANNOUNCEMENT_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

void pl_announcement_set_text (GtkLabel   *label,
                               const char *text);

G_END_DECLS

#endif /* PL_ANNOUNCEMENT_H */
