/* pl-session-files.h: paths and directories → the files of a session, in order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SESSION_FILES_H
#define PL_SESSION_FILES_H

#include <gio/gio.h>

G_BEGIN_DECLS

GPtrArray *pl_session_files_list (const char * const *paths,
                                  GCancellable       *cancellable,
                                  GError            **error);

G_END_DECLS

#endif /* PL_SESSION_FILES_H */
