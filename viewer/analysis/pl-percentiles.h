/* pl-percentiles.h: exact percentiles of poll durations
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_PERCENTILES_H
#define PL_PERCENTILES_H

#include "pl-trace.h"

G_BEGIN_DECLS

/* How many polls took how long. */
typedef guint64 PlPercentiles;

PlPercentiles *pl_percentiles_new (void);
void pl_percentiles_add      (PlPercentiles *self,
                              gint64   duration_ns);
void pl_percentiles_finish   (const PlPercentiles *self,
                              PlTrace *trace,
                              guint    n,
                              const double *shares,
                              gint64  *out_ns);
void pl_percentiles_of_polls (PlTrace *trace,
                              guint    n,
                              const double *shares,
                              gint64  *out_ns);

G_END_DECLS

#endif /* PL_PERCENTILES_H */
