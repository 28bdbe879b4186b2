/* pl-settings-file.h: a file that settings are kept in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SETTINGS_FILE_H
#define PL_SETTINGS_FILE_H

/* Asked for by the header of GSettings' backends, whose users have to know that they may change. */
#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>

G_BEGIN_DECLS

GSettingsBackend *pl_settings_file_open (const char       *path,
                                         GSettingsSchema  *schema,
                                         char            **out_complaint);

G_END_DECLS

#endif /* PL_SETTINGS_FILE_H */
