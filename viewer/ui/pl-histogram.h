/* pl-histogram.h: a task's polls by duration, a bar per power of ten
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_HISTOGRAM_H
#define PL_HISTOGRAM_H

#include <gtk/gtk.h>

#include "pl-task-summary.h"

G_BEGIN_DECLS

#define PL_TYPE_HISTOGRAM (pl_histogram_get_type ())
G_DECLARE_FINAL_TYPE (PlHistogram, pl_histogram, PL, HISTOGRAM, GtkWidget)

void pl_histogram_set_counts (PlHistogram   *self,
                              const guint64 *counts,
                              gint64         threshold_ns);

G_END_DECLS

#endif /* PL_HISTOGRAM_H */
