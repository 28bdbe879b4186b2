/* pl-poll-facts.h: the facts of the selected poll
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_POLL_FACTS_H
#define PL_POLL_FACTS_H

#include <gtk/gtk.h>

#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_POLL_FACTS (pl_poll_facts_get_type ())
G_DECLARE_FINAL_TYPE (PlPollFacts, pl_poll_facts, PL, POLL_FACTS, GtkWidget)

void pl_poll_facts_set_view (PlPollFacts *self,
                             PlView      *view);

G_END_DECLS

#endif /* PL_POLL_FACTS_H */
