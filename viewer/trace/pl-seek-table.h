/* pl-seek-table.h: whether the seek table of a zstd file is true
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SEEK_TABLE_H
#define PL_SEEK_TABLE_H

#include "pl-trace.h"

G_BEGIN_DECLS

gboolean pl_seek_table_check (const PlTraceFile *file,
                              GError           **error);

G_END_DECLS

#endif /* PL_SEEK_TABLE_H */
