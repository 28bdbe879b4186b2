/* pl-details.h: the pane that shows what is selected
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DETAILS_H
#define PL_DETAILS_H

#include <gtk/gtk.h>

#include "pl-long-poll-model.h"

G_BEGIN_DECLS

#define PL_TYPE_DETAILS (pl_details_get_type ())
G_DECLARE_FINAL_TYPE (PlDetails, pl_details, PL, DETAILS, GtkWidget)

void pl_details_set_view     (PlDetails       *self,
                              PlView          *view,
                              PlLongPollModel *model);
void pl_details_set_closable (PlDetails       *self,
                              gboolean         closable);

G_END_DECLS

#endif /* PL_DETAILS_H */
