/* pl-trace-file.h: lists of files that own their parts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TRACE_FILE_H
#define PL_TRACE_FILE_H

#include "pl-trace.h"

G_BEGIN_DECLS

GArray *pl_trace_files_new (void);
void    pl_trace_files_add (GArray            *files,
                            const PlTraceFile *file);

G_END_DECLS

#endif /* PL_TRACE_FILE_H */
