/* pl-slab.h: memory for blocks, many to a mapping
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SLAB_H
#define PL_SLAB_H

#include <glib.h>

G_BEGIN_DECLS

gpointer pl_slab_alloc (gsize    size,
                        GBytes **out_memory);
void     pl_slab_end   (void);

G_END_DECLS

#endif /* PL_SLAB_H */
