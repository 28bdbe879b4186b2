/* pl-long-poll-model.h: the polls at or over the threshold, as a list
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LONG_POLL_MODEL_H
#define PL_LONG_POLL_MODEL_H

#include <gio/gio.h>

#include "pl-long-polls.h"
#include "pl-view.h"

G_BEGIN_DECLS

#define PL_TYPE_LONG_POLL_MODEL (pl_long_poll_model_get_type ())
G_DECLARE_FINAL_TYPE (PlLongPollModel, pl_long_poll_model, PL, LONG_POLL_MODEL, GObject)

/* A #GListModel of #PlPollItem. Properties (read-only):
 *   "busy"  boolean: the rows are of an earlier snapshot, threshold or order, and newer ones are being found
 */
PlLongPollModel *pl_long_poll_model_new       (PlView           *view);
void             pl_long_poll_model_set_order (PlLongPollModel  *self,
                                               PlLongPollsOrder  order,
                                               gboolean          descending);
gboolean         pl_long_poll_model_is_busy   (PlLongPollModel  *self);
gboolean         pl_long_poll_model_is_current (PlLongPollModel *self);
gboolean         pl_long_poll_model_find      (PlLongPollModel  *self,
                                               const PlPoll     *poll,
                                               guint            *out_position);
gboolean         pl_long_poll_model_keep      (PlLongPollModel  *self,
                                               const PlPoll     *poll);
guint            pl_long_poll_model_count_in  (PlLongPollModel  *self,
                                               PlRange           range);
gint64           pl_long_poll_model_get_longest (PlLongPollModel *self);

G_END_DECLS

#endif /* PL_LONG_POLL_MODEL_H */
