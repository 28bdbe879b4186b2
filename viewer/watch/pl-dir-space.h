/* pl-dir-space.h: whether a session directory has room and may be written to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DIR_SPACE_H
#define PL_DIR_SPACE_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

void pl_dir_space_look (int         dir_fd,
                        const char *path,
                        int         segment_fd,
                        gboolean    is_frozen,
                        PlDirScan  *scan);

G_END_DECLS

#endif /* PL_DIR_SPACE_H */
