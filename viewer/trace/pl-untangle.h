/* pl-untangle.h: blocks that overlap → a row of blocks that do not, and the polls beside it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_UNTANGLE_H
#define PL_UNTANGLE_H

#include "pl-block-builder.h"

G_BEGIN_DECLS

/**
 * PlUntangle:
 * @kind: polls or parks
 * @worker: the lane's worker
 * @from_ns: sane range of the trace; intervals that leave it are dropped
 * @to_ns: its end
 * @detached: (nullable) (element-type PlPoll): polls that lost the worker are added here
 *
 * What the blocks of one row are, and what they must fit.
 */
typedef struct
{
  PlBlockKind kind;
  guint64 worker;
  gint64 from_ns;
  gint64 to_ns;
  GArray *detached;
} PlUntangle;

GPtrArray *pl_untangle (const PlUntangle *self,
                        GPtrArray        *blocks);

int        pl_poll_compare (gconstpointer a,
                            gconstpointer b);

G_END_DECLS

#endif /* PL_UNTANGLE_H */
