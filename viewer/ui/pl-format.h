/* pl-format.h: numbers, instants and places as people read them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FORMAT_H
#define PL_FORMAT_H

#include "pl-long-poll-model.h"

G_BEGIN_DECLS

char *pl_format_count    (guint64      n);
char *pl_format_rows     (PlLongPollModel *model);
char *pl_format_rows_in  (PlLongPollModel *model,
                          PlRange      range);
char *pl_format_bytes    (guint64      n_bytes);
char *pl_format_share    (gint64       part,
                          gint64       whole);
gint64 pl_format_resolution (PlView     *view);
char *pl_format_relative (PlTrace     *trace,
                          gint64       at_ns,
                          gint64       resolution_ns);
char *pl_format_wall     (PlTrace     *trace,
                          gint64       at_ns,
                          gboolean     utc);
char *pl_format_instant  (PlView      *view,
                          gint64       at_ns);
char *pl_format_duration (const PlPoll *poll);
char *pl_format_threshold (gint64      threshold_ns);
char *pl_format_worker   (PlTrace     *trace,
                          guint64      worker);
char *pl_format_task     (guint64      task_id);
char *pl_format_location (PlTrace     *trace,
                          guint32      spawn_loc);

G_END_DECLS

#endif /* PL_FORMAT_H */
