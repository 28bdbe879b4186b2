/* pl-index-block.h: blocks in an index
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INDEX_BLOCK_H
#define PL_INDEX_BLOCK_H

#include "pl-index-io.h"

G_BEGIN_DECLS

/* Its record, and four columns of one stride. */
#define PL_INDEX_MIN_BLOCK_SIZE 80

void     pl_index_put_block (PlIndexWriter *self,
                             const PlBlock *block);
PlBlock *pl_index_get_block (PlIndexReader *self);

G_END_DECLS

#endif /* PL_INDEX_BLOCK_H */
