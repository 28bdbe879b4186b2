/* pl-editor.h: a place in the source, in the person's editor
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_EDITOR_H
#define PL_EDITOR_H

#include <gio/gio.h>

G_BEGIN_DECLS

char   **pl_editor_make_argv (const char  *command,
                              const char  *source_folder,
                              const char  *location,
                              GError     **error);
gboolean pl_editor_open      (const char  *location,
                              GError     **error);

G_END_DECLS

#endif /* PL_EDITOR_H */
