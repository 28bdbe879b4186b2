/* pl-ticks.h: where a ruler has its ticks and what stands at them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TICKS_H
#define PL_TICKS_H

#include <glib.h>

G_BEGIN_DECLS

#define PL_TICKS_DAY_NS (G_GINT64_CONSTANT (86400) * 1000 * 1000 * 1000)

gint64   pl_ticks_get_step       (gint64   span_ns,
                                  double   max_ticks);
gint64   pl_ticks_get_minor_step (gint64   step_ns);
gboolean pl_ticks_get_first      (gint64   from_ns,
                                  gint64   origin_ns,
                                  gint64   step_ns,
                                  gint64  *out_first_ns);
char    *pl_ticks_format_offset  (gint64   offset_ns,
                                  gint64   step_ns);
char    *pl_ticks_format_clock   (gint64   local_ns,
                                  gint64   step_ns,
                                  gboolean with_day);

G_END_DECLS

#endif /* PL_TICKS_H */
