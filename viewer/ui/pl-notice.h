/* pl-notice.h: a state in words, where there is nothing to show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_NOTICE_H
#define PL_NOTICE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_NOTICE (pl_notice_get_type ())
G_DECLARE_FINAL_TYPE (PlNotice, pl_notice, PL, NOTICE, GtkWidget)

void pl_notice_set_text   (PlNotice   *self,
                           const char *title,
                           const char *body);
void pl_notice_set_action (PlNotice   *self,
                           const char *label,
                           const char *action_name,
                           GVariant   *target);

G_END_DECLS

#endif /* PL_NOTICE_H */
