/* pl-sheet.h: a sheet that can be pulled up over what lies below it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SHEET_H
#define PL_SHEET_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_SHEET (pl_sheet_get_type ())
G_DECLARE_FINAL_TYPE (PlSheet, pl_sheet, PL, SHEET, GtkWidget)

void pl_sheet_set_content (PlSheet    *self,
                           GtkWidget  *content);
void pl_sheet_set_sheet   (PlSheet    *self,
                           GtkWidget  *sheet);
void pl_sheet_set_label   (PlSheet    *self,
                           const char *label);

G_END_DECLS

#endif /* PL_SHEET_H */
