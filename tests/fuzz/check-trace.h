/* check-trace.h: asks a trace everything that window and command line ask
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef CHECK_TRACE_H
#define CHECK_TRACE_H

#include "pl-trace.h"

G_BEGIN_DECLS

/* Loads @paths in full and as a summary, and aborts when either contradicts itself or the other. Returns (transfer full)
 * (nullable): the trace; NULL when there was nothing to read, which has been said in words. */
PlTrace *check_load     (const char *const *paths,
                         guint              n_threads);

/* Aborts when lanes and queues contradict themselves. */
void     check_snapshot (PlTrace *trace);

G_END_DECLS

#endif /* CHECK_TRACE_H */
