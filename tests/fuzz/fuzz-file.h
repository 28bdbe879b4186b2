/* fuzz-file.h: gives bytes a path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef FUZZ_FILE_H
#define FUZZ_FILE_H

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer none): a path under which @bytes lie until the next call */
const char *fuzz_file_write (const guint8 *bytes,
                             gsize         size);

G_END_DECLS

#endif /* FUZZ_FILE_H */
