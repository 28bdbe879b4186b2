/* pl-percentiles.h: exact percentiles of poll durations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_PERCENTILES_H
#define PL_PERCENTILES_H

#include "pl-trace.h"

G_BEGIN_DECLS

void pl_percentiles_of_polls (PlTrace *trace,
                              guint    n,
                              const double *shares,
                              gint64  *out_ns);

G_END_DECLS

#endif /* PL_PERCENTILES_H */
