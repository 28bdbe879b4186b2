/* pl-rate-limiter.h: not more often than so often, for each of many subjects
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_RATE_LIMITER_H
#define PL_RATE_LIMITER_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _PlRateLimiter PlRateLimiter;

PlRateLimiter *pl_rate_limiter_new   (gint64         interval_ns);
void           pl_rate_limiter_free  (PlRateLimiter *self);
gboolean       pl_rate_limiter_allow (PlRateLimiter *self,
                                      const char    *subject,
                                      gint64         now_ns,
                                      guint         *out_n_held);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlRateLimiter, pl_rate_limiter_free)

G_END_DECLS

#endif /* PL_RATE_LIMITER_H */
