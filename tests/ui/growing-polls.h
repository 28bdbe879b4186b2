/* growing-polls.h: open polls that outgrow others
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef GROWING_POLLS_H
#define GROWING_POLLS_H

#include "test-trace.h"

G_BEGIN_DECLS

/* Polls of 1 to 40 ms, and @n_growing that have lasted until @end_ns and outgrow them: where their rows go does not depend
 * on whether they are over. */
PlTrace *growing_polls_load (guint  n_growing,
                             gint64 end_ns);

G_END_DECLS

#endif /* GROWING_POLLS_H */
