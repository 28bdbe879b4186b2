/* dir-files.h: the files of a session directory, as a look finds them, changed by hand
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef DIR_FILES_H
#define DIR_FILES_H

#include "pl-dir-scan.h"

G_BEGIN_DECLS

/* @files are of PlDirFile, sorted as in a #PlDirScan. NULL when there is none of that number and form. */
PlDirFile *dir_files_find (GArray           *files,
                           guint64           index,
                           PlForm            form);

/* Makes the file, or changes it. */
void       dir_files_put  (GArray           *files,
                           const PlDirFile  *file);

/* The file is there. */
void       dir_files_drop (GArray           *files,
                           guint64           index,
                           PlForm            form);

G_END_DECLS

#endif /* DIR_FILES_H */
