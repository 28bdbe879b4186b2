/* pl-detail.h: detail of a trace that does not fit into memory, where it is looked at
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DETAIL_H
#define PL_DETAIL_H

#include <gio/gio.h>

#include "pl-trace.h"

G_BEGIN_DECLS

#define PL_DETAIL_DEFAULT_BUDGET (G_GUINT64_CONSTANT (512) * 1024 * 1024)

gboolean pl_detail_is_sharp     (PlTrace      *trace,
                                 gint64        from_ns,
                                 gint64        to_ns,
                                 guint         n_columns);
PlTrace *pl_detail_sharpen      (PlTrace      *trace,
                                 gint64        from_ns,
                                 gint64        to_ns,
                                 guint         n_columns,
                                 guint64       budget_bytes,
                                 GCancellable *cancellable);
gboolean pl_detail_foreach_poll (PlTrace      *trace,
                                 gint64        min_duration_ns,
                                 PlPollFunc    func,
                                 gpointer      user_data,
                                 GCancellable *cancellable);

G_END_DECLS

#endif /* PL_DETAIL_H */
