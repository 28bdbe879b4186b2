/* pl-installation.h: where the program is installed, and its language
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INSTALLATION_H
#define PL_INSTALLATION_H

#include <glib.h>

G_BEGIN_DECLS

const char *pl_installation_get_data_dir      (void);
void        pl_installation_start_translation (void);

G_END_DECLS

#endif /* PL_INSTALLATION_H */
