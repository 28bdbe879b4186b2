/* pl-parallel.h: the same for many things, on all processors
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_PARALLEL_H
#define PL_PARALLEL_H

#include <glib.h>

G_BEGIN_DECLS

typedef void (*PlParallelFunc) (guint    i,
                                gpointer user_data);

void pl_parallel_foreach (guint          n,
                          guint          n_threads,
                          PlParallelFunc func,
                          gpointer       user_data);

G_END_DECLS

#endif /* PL_PARALLEL_H */
