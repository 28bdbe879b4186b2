/* pl-fact-row.h: a name and a value that can be copied
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FACT_ROW_H
#define PL_FACT_ROW_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_TYPE_FACT_ROW (pl_fact_row_get_type ())
G_DECLARE_FINAL_TYPE (PlFactRow, pl_fact_row, PL, FACT_ROW, GtkWidget)

void pl_fact_row_set_value (PlFactRow  *self,
                            const char *value);
void pl_fact_row_set_copy  (PlFactRow  *self,
                            const char *copy);

G_END_DECLS

#endif /* PL_FACT_ROW_H */
