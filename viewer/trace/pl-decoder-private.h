/* pl-decoder-private.h: the decoder's state, shared by its three files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * pl-decoder.c knows frames and batches, pl-decoder-fast.c the layouts of the frequent events,
 * pl-decoder-events.c every event by its fields.
 */
#ifndef PL_DECODER_PRIVATE_H
#define PL_DECODER_PRIVATE_H

#include "pl-decoder.h"
#include "pl-pool.h"
#include "pl-run.h"
#include "pl-schema.h"

G_BEGIN_DECLS

/* From here on a time is not monotonic nanoseconds: 1 January 2020 as wall-clock ns, the format's own border. */
#define PL_TIME_LIMIT_NS (G_GUINT64_CONSTANT (1577836800) * 1000000000)

/* Of a layout that no event of the batch has: three bytes never give it. */
#define PL_NO_HEAD G_MAXUINT32

struct _PlDecoder
{
  PlStrings *strings;
  PlSchemas *schemas;
  PlRuns *runs;
  PlPool pool;
  PlPiece *piece;
  GArray *spawns;           /* PlTaskEvent: those of the piece, until it is taken */
  GArray *ends;             /* PlTaskEvent */
  GHashTable *queues;       /* runtime name → index in piece->queues + 1 */
  guint64 offset;           /* in the decompressed stream */
  guint64 cut;
  guint64 cut_batches;
  guint64 n_events;         /* since the decoder began */
  PlWriterFacts facts;
  gint64 paused_ns;         /* last event of a worker before heartbeats that tell of a pause, 0 = none */
  char *recorder_version;   /* from the metadata, for messages */
  gboolean is_started;
  gboolean is_at_cut;

  /* of the current batch */
  guint64 base;
  guint64 span_from;        /* first time since the last reset; 0 = none yet */
  guint64 span_n_events;
  GArray *type_ids;         /* guint16: those that are set in types */
  guint32 heads[PL_N_LAYOUTS]; /* tag and type id that begin an event of the layout, or PL_NO_HEAD */
  PlSchema *types[65536];
};

const guint8 *pl_decoder_fast_events   (PlDecoder    *self,
                                        const guint8 *p,
                                        const guint8 *end);
PlWireResult  pl_decoder_event         (PlDecoder    *self,
                                        PlWire       *wire);

G_END_DECLS

#endif /* PL_DECODER_PRIVATE_H */
