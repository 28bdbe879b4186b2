/* pl-threshold-entry.h: the entry for the duration from which on a poll is long
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_THRESHOLD_ENTRY_H
#define PL_THRESHOLD_ENTRY_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_THRESHOLD_ENTRY (pl_threshold_entry_get_type ())
G_DECLARE_FINAL_TYPE (PlThresholdEntry, pl_threshold_entry, PL, THRESHOLD_ENTRY, GtkWidget)

void pl_threshold_entry_set_view (PlThresholdEntry *self,
                                  PlView           *view);

G_END_DECLS

#endif /* PL_THRESHOLD_ENTRY_H */
