/* pl-memory.h: whether the system would give more memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_MEMORY_H
#define PL_MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

/* What a thread that reads may come to need for the pieces that it is at. */
#define PL_MEMORY_READER (G_GUINT64_CONSTANT (48) * 1024 * 1024)

gboolean pl_memory_has_room (gsize bytes);

G_END_DECLS

#endif /* PL_MEMORY_H */
