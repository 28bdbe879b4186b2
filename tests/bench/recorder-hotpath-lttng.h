/* recorder-hotpath-lttng.h: an LTTng-UST tracepoint with two integers, to compare with
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
/* Where LTTng is not installed this says nothing, and the benchmark leaves the comparison out. */
#if __has_include (<lttng/tracepoint.h>)

#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER parklane_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "recorder-hotpath-lttng.h"

#if !defined(RECORDER_HOTPATH_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define RECORDER_HOTPATH_LTTNG_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT (parklane_bench, event, LTTNG_UST_TP_ARGS (int, task, int, queue),
                            LTTNG_UST_TP_FIELDS (lttng_ust_field_integer (int, task, task)
                                                   lttng_ust_field_integer (int, queue, queue)))

#endif

#include <lttng/tracepoint-event.h>

#endif
