/* pl-memory.h: whether the system would give more memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_MEMORY_H
#define PL_MEMORY_H

#include <glib.h>

G_BEGIN_DECLS

gboolean pl_memory_has_room (gsize bytes);

G_END_DECLS

#endif /* PL_MEMORY_H */
