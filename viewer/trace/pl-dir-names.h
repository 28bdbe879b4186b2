/* pl-dir-names.h: the names in a directory that traces have, without reading a large one again and again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DIR_NAMES_H
#define PL_DIR_NAMES_H

#include <gio/gio.h>

G_BEGIN_DECLS

GPtrArray *pl_dir_names_list (int           dir_fd,
                              GCancellable *cancellable);

G_END_DECLS

#endif /* PL_DIR_NAMES_H */
