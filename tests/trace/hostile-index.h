/* hostile-index.h: an index whose content says anything while its checksum is right
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef HOSTILE_INDEX_H
#define HOSTILE_INDEX_H

#include "pl-trace.h"

G_BEGIN_DECLS

typedef struct _HostileIndex HostileIndex;

/* Loads @path as a summary and keeps what its index says. The cache directory is emptied for it. */
HostileIndex *hostile_index_new     (const char         *path);
void          hostile_index_free    (HostileIndex       *self);
void          hostile_index_reset   (HostileIndex       *self);

/* The words of the content, 64 bits each; the first is the number of blocks that the header claims. */
guint         hostile_index_n_words (const HostileIndex *self);
guint64       hostile_index_get     (const HostileIndex *self,
                                     guint               word);
void          hostile_index_set     (HostileIndex       *self,
                                     guint               word,
                                     guint64             value);
void          hostile_index_cut     (HostileIndex       *self,
                                     guint               n_words);

/* Returns (transfer full) (nullable): the snapshot that the index alone gives; %NULL when it is not believed. */
PlTrace      *hostile_index_recall  (HostileIndex       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (HostileIndex, hostile_index_free)

G_END_DECLS

#endif /* HOSTILE_INDEX_H */
