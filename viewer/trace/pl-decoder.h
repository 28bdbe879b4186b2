/* pl-decoder.h: bytes of a TRC stream → pieces
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_DECODER_H
#define PL_DECODER_H

#include "pl-piece.h"
#include "pl-strings.h"
#include "pl-wire.h"
#include "pl-writer-facts.h"

G_BEGIN_DECLS

typedef struct _PlDecoder PlDecoder;

PlDecoder    *pl_decoder_new           (PlStrings    *strings,
                                        guint         file,
                                        guint64       raw_offset);
void          pl_decoder_free          (PlDecoder    *self);
PlWireResult  pl_decoder_feed          (PlDecoder    *self,
                                        const guint8 *bytes,
                                        gsize         size,
                                        gsize        *out_consumed);
void          pl_decoder_set_cut       (PlDecoder    *self,
                                        guint64       raw_offset);
void          pl_decoder_set_cut_batches (PlDecoder  *self,
                                          guint64       n_batches);
gboolean      pl_decoder_is_at_cut     (PlDecoder    *self);
gboolean      pl_decoder_is_unsorted   (PlDecoder    *self);
void          pl_decoder_rewind_sorted (PlDecoder    *self);
PlPiece      *pl_decoder_take_piece    (PlDecoder    *self);
PlPiece      *pl_decoder_peek_piece    (PlDecoder    *self);
guint64       pl_decoder_get_offset    (PlDecoder    *self);
guint64       pl_decoder_get_n_events  (PlDecoder    *self);
const PlWriterFacts *pl_decoder_get_writer_facts (PlDecoder *self);
char         *pl_decoder_describe      (PlDecoder    *self,
                                        PlWireResult  result,
                                        const guint8 *bytes,
                                        gsize         size);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlDecoder, pl_decoder_free)

G_END_DECLS

#endif /* PL_DECODER_H */
