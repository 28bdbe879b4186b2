/* pl-duration.h: durations as text, one way for window, command line and tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DURATION_H
#define PL_DURATION_H

#include <glib.h>

G_BEGIN_DECLS

const char *pl_duration_get_decimal_point (void);
gboolean pl_duration_parse       (const char *text,
                                  gint64     *out_ns,
                                  GError    **error);
char    *pl_duration_format      (gint64      ns);
char    *pl_duration_format_exact (gint64     ns);
char    *pl_duration_format_offset (gint64    ns,
                                    gint64    resolution_ns);

G_END_DECLS

#endif /* PL_DURATION_H */
