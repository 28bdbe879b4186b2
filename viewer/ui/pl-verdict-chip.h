/* pl-verdict-chip.h: how the writer of a session is, in a word
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_VERDICT_CHIP_H
#define PL_VERDICT_CHIP_H

#include <gtk/gtk.h>

#include "pl-watch-set.h"

G_BEGIN_DECLS

#define PL_TYPE_VERDICT_CHIP (pl_verdict_chip_get_type ())
G_DECLARE_FINAL_TYPE (PlVerdictChip, pl_verdict_chip, PL, VERDICT_CHIP, GtkWidget)

void pl_verdict_chip_set_watch (PlVerdictChip *self,
                                PlWatchSet    *sessions,
                                PlWatch       *watch);

G_END_DECLS

#endif /* PL_VERDICT_CHIP_H */
