/* pl-trace-error.c: the error domain of everything that reads traces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-trace-error.h"

G_DEFINE_QUARK (pl-trace-error-quark, pl_trace_error)
