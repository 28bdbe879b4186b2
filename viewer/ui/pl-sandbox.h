/* pl-sandbox.h: what of the computer is seen from here
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SANDBOX_H
#define PL_SANDBOX_H

#include <glib.h>

G_BEGIN_DECLS

gboolean    pl_sandbox_is_around       (void);
const char *pl_sandbox_explain_absence (const char *path);

G_END_DECLS

#endif /* PL_SANDBOX_H */
