/* pl-index-io.h: values of an index, written to and read from one block of bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_INDEX_IO_H
#define PL_INDEX_IO_H

#include "pl-piece.h"
#include "pl-strings.h"

G_BEGIN_DECLS

/* Strings are written once, at their first use, and then by number. */
typedef struct
{
  GByteArray *bytes;
  PlStrings *strings;
  GHashTable *numbers; /* of the trace → of the index + 1 */
} PlIndexWriter;

/* After the first thing that does not fit everything reads as zero, and @is_broken stays set. */
typedef struct
{
  const guint8 *p;
  const guint8 *end;
  gboolean is_broken;
  PlStrings *strings;
  GArray *numbers; /* guint32: of the index → of the trace */
} PlIndexReader;

void      pl_index_writer_init  (PlIndexWriter *self,
                                 PlStrings     *strings);
void      pl_index_writer_clear (PlIndexWriter *self);
void      pl_index_put_u64      (PlIndexWriter *self,
                                 guint64        value);
void      pl_index_put_bytes    (PlIndexWriter *self,
                                 const void    *bytes,
                                 gsize          size);
void      pl_index_put_string   (PlIndexWriter *self,
                                 guint32        id);
void      pl_index_put_array    (PlIndexWriter *self,
                                 GArray        *array);
void      pl_index_put_polls    (PlIndexWriter *self,
                                 GArray        *polls);
void      pl_index_put_block    (PlIndexWriter *self,
                                 const PlBlock *block);

void      pl_index_reader_init  (PlIndexReader *self,
                                 const guint8  *bytes,
                                 gsize          size,
                                 PlStrings     *strings);
void      pl_index_reader_clear (PlIndexReader *self);
guint64   pl_index_get_u64      (PlIndexReader *self);
gsize     pl_index_get_count    (PlIndexReader *self,
                                 gsize          element_size);
gboolean  pl_index_get_bytes    (PlIndexReader *self,
                                 void          *out_bytes,
                                 gsize          size);
guint32   pl_index_get_string   (PlIndexReader *self);
void      pl_index_get_array    (PlIndexReader *self,
                                 GArray        *array);
void      pl_index_get_polls    (PlIndexReader *self,
                                 GArray        *polls);
PlBlock  *pl_index_get_block    (PlIndexReader *self);

G_END_DECLS

#endif /* PL_INDEX_IO_H */
