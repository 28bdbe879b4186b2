/* pl-column-order.h: which column header of a column view was clicked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_COLUMN_ORDER_H
#define PL_COLUMN_ORDER_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define PL_COLUMN_ORDER_MAX 16

GtkSorter *pl_column_order_new  (guint      column);
gboolean   pl_column_order_read (GtkSorter *sorter,
                                 guint      n_columns,
                                 guint     *out_column,
                                 gboolean  *out_descending);

G_END_DECLS

#endif /* PL_COLUMN_ORDER_H */
