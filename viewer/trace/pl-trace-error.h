/* pl-trace-error.h: the error domain of everything that reads traces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TRACE_ERROR_H
#define PL_TRACE_ERROR_H

#include <glib.h>

G_BEGIN_DECLS

#define PL_TRACE_ERROR (pl_trace_error_quark ())

/**
 * PlTraceError:
 * @PL_TRACE_ERROR_NOT_A_TRACE: the bytes are something else; the message names what they look like
 * @PL_TRACE_ERROR_UNSUPPORTED: a trace, but of a version or with frames this reader does not know
 * @PL_TRACE_ERROR_CORRUPT: a frame contradicts the format; what came before it was kept
 * @PL_TRACE_ERROR_TRUNCATED: the data end inside a frame, as they do after a kill
 * @PL_TRACE_ERROR_IO: the file could not be opened or read
 * @PL_TRACE_ERROR_TOO_LARGE: a limit of this reader was reached
 *
 * Codes by what the user can do about it. Messages name file, byte offset and what was expected.
 */
typedef enum
{
  PL_TRACE_ERROR_NOT_A_TRACE,
  PL_TRACE_ERROR_UNSUPPORTED,
  PL_TRACE_ERROR_CORRUPT,
  PL_TRACE_ERROR_TRUNCATED,
  PL_TRACE_ERROR_IO,
  PL_TRACE_ERROR_TOO_LARGE,
} PlTraceError;

GQuark pl_trace_error_quark (void);

G_END_DECLS

#endif /* PL_TRACE_ERROR_H */
