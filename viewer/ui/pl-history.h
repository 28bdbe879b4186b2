/* pl-history.h: the views one can go back and forward through
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_HISTORY_H
#define PL_HISTORY_H

#include "pl-range.h"

G_BEGIN_DECLS

typedef struct _PlHistory PlHistory;

PlHistory *pl_history_new            (void);
void       pl_history_free           (PlHistory *self);
void       pl_history_clear          (PlHistory *self);
void       pl_history_leave          (PlHistory *self,
                                      PlRange    left,
                                      gboolean   continuous);
void       pl_history_settle         (PlHistory *self);
gboolean   pl_history_can_go_back    (PlHistory *self);
gboolean   pl_history_can_go_forward (PlHistory *self);
PlRange    pl_history_go_back        (PlHistory *self,
                                      PlRange    left);
PlRange    pl_history_go_forward     (PlHistory *self,
                                      PlRange    left);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlHistory, pl_history_free)

G_END_DECLS

#endif /* PL_HISTORY_H */
