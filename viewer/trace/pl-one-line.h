/* pl-one-line.h: text that others wrote, for a line of ours
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_ONE_LINE_H
#define PL_ONE_LINE_H

#include <glib.h>

G_BEGIN_DECLS

char *pl_one_line (const char *text);

G_END_DECLS

#endif /* PL_ONE_LINE_H */
