/* pl-index.h: summaries of files seen before, in the user's cache directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INDEX_H
#define PL_INDEX_H

#include "pl-piece.h"
#include "pl-strings.h"
#include "pl-trace.h"

G_BEGIN_DECLS

GPtrArray *pl_index_load (PlTraceFile *info,
                          guint        file,
                          PlStrings   *strings);
gboolean   pl_index_save (const PlTraceFile *info,
                          GPtrArray         *pieces,
                          PlStrings         *strings,
                          GError           **error);
void       pl_index_prune (void);

G_END_DECLS

#endif /* PL_INDEX_H */
