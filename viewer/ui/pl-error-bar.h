/* pl-error-bar.h: what could not be read, and why
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_ERROR_BAR_H
#define PL_ERROR_BAR_H

#include <gtk/gtk.h>

#include "pl-trace.h"

G_BEGIN_DECLS

#define PL_TYPE_ERROR_BAR (pl_error_bar_get_type ())
G_DECLARE_FINAL_TYPE (PlErrorBar, pl_error_bar, PL, ERROR_BAR, GtkWidget)

void pl_error_bar_show_message  (PlErrorBar *self,
                                 const char *message,
                                 const char *consequence);
void pl_error_bar_show_losses   (PlErrorBar *self,
                                 PlTrace    *trace);
void pl_error_bar_update_losses (PlErrorBar *self,
                                 PlTrace    *trace);
void pl_error_bar_clear         (PlErrorBar *self);
void pl_error_bar_forget        (PlErrorBar *self);

G_END_DECLS

#endif /* PL_ERROR_BAR_H */
