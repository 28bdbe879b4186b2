/* pl-columns-batch.h: the columns of several lanes, made on all cores
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_COLUMNS_BATCH_H
#define PL_COLUMNS_BATCH_H

#include "pl-columns.h"

G_BEGIN_DECLS

GThreadPool *pl_columns_batch_pool_new (void);
void         pl_columns_batch_run      (GThreadPool         *pool,
                                        const PlAxis        *axis,
                                        const PlPalette     *palette,
                                        gint64               threshold_ns,
                                        guint                n_lanes,
                                        const PlLane *const *lanes,
                                        PlColumns          **out_columns);

G_END_DECLS

#endif /* PL_COLUMNS_BATCH_H */
