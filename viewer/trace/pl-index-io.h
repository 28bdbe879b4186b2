/* pl-index-io.h: values of an index, written to and read from one block of bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INDEX_IO_H
#define PL_INDEX_IO_H

#include "pl-block.h"
#include "pl-strings.h"

G_BEGIN_DECLS

/* Each value begins at a multiple of 8. Strings stand apart, once each. */
typedef struct
{
  GByteArray *bytes;
  GByteArray *texts;
  PlStrings *strings;
  GHashTable *numbers; /* of the trace → of the index + 1 */
  guint64 n_blocks;
} PlIndexWriter;

/**
 * PlIndexReader:
 * @memory: the bytes that are read and, behind them, room for the blocks; blocks keep it alive, and refer into it
 * @numbers: (array length=n_numbers): string of the index → of the trace
 * @block: room for the next one
 *
 * After the first thing that does not fit everything reads as zero, and @is_broken stays set.
 */
typedef struct
{
  guint8 *p;
  guint8 *end;
  gboolean is_broken;
  guint32 *numbers;
  gsize n_numbers;
  GBytes *memory;
  PlBlock *block;
  guint64 n_blocks_left;
} PlIndexReader;

void      pl_index_writer_init  (PlIndexWriter *self,
                                 PlStrings     *strings);
void      pl_index_writer_clear (PlIndexWriter *self);
void      pl_index_put_u64      (PlIndexWriter *self,
                                 guint64        value);
void      pl_index_put_bytes    (PlIndexWriter *self,
                                 const void    *bytes,
                                 gsize          size);
guint32   pl_index_number       (PlIndexWriter *self,
                                 guint32        id);
void      pl_index_put_string   (PlIndexWriter *self,
                                 guint32        id);
void      pl_index_put_array    (PlIndexWriter *self,
                                 GArray        *array);
void      pl_index_put_polls    (PlIndexWriter *self,
                                 GArray        *polls);

void      pl_index_reader_init  (PlIndexReader *self,
                                 GBytes        *memory,
                                 gsize          size,
                                 guint64        n_blocks,
                                 PlStrings     *strings);
void      pl_index_reader_clear (PlIndexReader *self);
gboolean  pl_index_reader_is_done (const PlIndexReader *self);
guint64   pl_index_get_u64      (PlIndexReader *self);
gsize     pl_index_get_count    (PlIndexReader *self,
                                 gsize          element_size);
void     *pl_index_get_bytes    (PlIndexReader *self,
                                 gsize          size);
guint32   pl_index_resolve      (PlIndexReader *self,
                                 guint64        number);
guint32   pl_index_get_string   (PlIndexReader *self);
void      pl_index_get_array    (PlIndexReader *self,
                                 GArray        *array);
void      pl_index_get_polls    (PlIndexReader *self,
                                 GArray        *polls);

G_END_DECLS

#endif /* PL_INDEX_IO_H */
