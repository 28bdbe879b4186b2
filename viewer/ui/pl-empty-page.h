/* pl-empty-page.h: a window without a trace: what to do next
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_EMPTY_PAGE_H
#define PL_EMPTY_PAGE_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_EMPTY_PAGE (pl_empty_page_get_type ())
G_DECLARE_FINAL_TYPE (PlEmptyPage, pl_empty_page, PL, EMPTY_PAGE, GtkWidget)

void pl_empty_page_remember (GFile *file);

G_END_DECLS

#endif /* PL_EMPTY_PAGE_H */
