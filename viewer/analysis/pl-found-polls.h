/* pl-found-polls.h: the long polls of a session that grows, each piece of it searched once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FOUND_POLLS_H
#define PL_FOUND_POLLS_H

#include <gio/gio.h>

#include "pl-long-polls.h"

G_BEGIN_DECLS

typedef struct _PlFoundPolls PlFoundPolls;

PlFoundPolls *pl_found_polls_new            (void);
PlFoundPolls *pl_found_polls_ref            (PlFoundPolls     *self);
void          pl_found_polls_unref          (PlFoundPolls     *self);
GArray       *pl_found_polls_find           (PlFoundPolls     *self,
                                             PlTrace          *trace,
                                             gint64            threshold_ns,
                                             PlLongPollsOrder  order,
                                             gboolean          descending,
                                             GCancellable     *cancellable);
guint64       pl_found_polls_get_n_searched (PlFoundPolls     *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlFoundPolls, pl_found_polls_unref)

G_END_DECLS

#endif /* PL_FOUND_POLLS_H */
