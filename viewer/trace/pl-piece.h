/* pl-piece.h: what decoding a run of batches gave, immutable
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A piece begins and ends at a header, so it needs nothing from its neighbours to be decoded. What crosses its edges
 * is kept per run, and pl-join.c ties it together once the pieces are there, in any order.
 */
#ifndef PL_PIECE_H
#define PL_PIECE_H

#include "pl-block.h"
#include "pl-gap.h"
#include "pl-task-events.h"

G_BEGIN_DECLS

/**
 * PlRunEdge:
 * @worker: id on the wire
 * @tid: OS thread whose buffer the batch is; 0 = not known, or several threads wrote it
 * @tid_is_own: @tid came from a park or unpark of this very worker, not from another worker in the batch
 * @first_ns: earliest event of the worker in the batch
 * @last_ns: latest
 * @known_to_ns: last scheduler event of the whole batch: until then a poll without an end was certainly running
 * @stretch: raised, modulo 256, at each gap in the numbers of a session's segments; set when a snapshot is built
 *
 * A run is what one batch says of one worker. Its inner polls are paired already; this is what sticks out: an end
 * (unpark) before any start (park), and a start (park) without an end. One with an open poll (park) but no poll (park)
 * events repeats a start of an earlier batch. Where events of the worker are missing stands an edge with @is_gap, whose
 * @first_ns is when that began: what was open then is known until then.
 */
typedef struct
{
  guint64 worker;
  guint32 tid;
  guint8 tid_is_own : 1;
  guint8 has_poll_events : 1;
  guint8 has_park_events : 1;
  guint8 has_leading_end : 1;
  guint8 has_leading_unpark : 1;
  guint8 has_open_poll : 1;
  guint8 has_open_park : 1;
  guint8 is_gap : 1;
  guint8 unpark_queue;
  guint8 park_queue;
  guint8 stretch;
  gint64 first_ns;
  gint64 last_ns;
  gint64 known_to_ns;
  gint64 leading_end_ns;
  gint64 leading_unpark_ns;
  gint64 park_ns;
  PlPoll open;
} PlRunEdge;

/* Blocks of one worker in time order, none overlapping another; and beside them polls that lost the worker. */
typedef struct
{
  guint64 worker;
  GPtrArray *polls;
  GPtrArray *parks;
  GArray *detached; /* PlPoll */
} PlPieceLane;

/* Times that belong together: every gap between two neighbours is less than an hour. A list holds so many of them. */
#define PL_MAX_TIME_SPANS 64

typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
  guint64 n_events;
} PlTimeSpan;

typedef struct
{
  gint64 at_ns;
  gint64 wall_ns;
} PlClockAnchor;

typedef struct
{
  gint64 at_ns;
  guint32 depth;
  guint32 alive;
} PlQueueSample;

#define PL_QUEUE_ALIVE_UNKNOWN G_MAXUINT32

/* Makes @self the maximum of both; an unknown number of tasks counts for nothing. */
static inline void
pl_queue_sample_raise (PlQueueSample *self, const PlQueueSample *other)
{
  self->depth = MAX (self->depth, other->depth);
  if (other->alive != PL_QUEUE_ALIVE_UNKNOWN
      && (self->alive == PL_QUEUE_ALIVE_UNKNOWN || other->alive > self->alive))
    self->alive = other->alive;
}

/* More than any process has: what a hostile file may make us keep and look through stays bounded. */
#define PL_MAX_RUNTIMES 1024

/* Samples that one maximum covers. */
#define PL_QUEUE_STRIDE 64

/* @samples and what follows are there when the piece is sealed; they lie in @collected or, from an index, in @memory. */
typedef struct
{
  guint32 name;
  GArray *collected;            /* (nullable): PlQueueSample, as decoding found them */
  GBytes *memory;               /* (nullable) */
  const PlQueueSample *samples; /* sorted */
  guint n_samples;
  GArray *maxima; /* PlQueueSample of every PL_QUEUE_STRIDE samples: largest depth, largest known alive or unknown */
  PlQueueSample max; /* of all */
} PlPieceQueue;

typedef struct
{
  guint32 name;
  guint64 count;
} PlPieceCount;

typedef struct
{
  guint64 at_ns; /* may be wall-clock time, as before clock anchors existed */
  guint32 key;
  guint32 value;
} PlPieceMetadata;

/**
 * PlPiece:
 * @summary: (nullable): the same piece without its detail, once it was made; %NULL in a summary
 * @may_grow: another piece will take its place when more is there
 * @paused_ns: of such a piece: since when the writer has not recorded, as it said last; %G_MAXINT64 while it does
 * @from_ns: earliest start of its polls and parks; behind @to_ns when it has none
 * @to_ns: latest end
 * @is_summary: blocks are summaries; @spawns and @ends are %NULL, their numbers and the range of task ids are kept
 */
typedef struct _PlPiece PlPiece;

struct _PlPiece
{
  gatomicrefcount ref_count;
  PlPiece *summary;
  gboolean may_grow;
  gboolean is_summary;
  gint64 paused_ns;
  gint64 from_ns;
  gint64 to_ns;
  guint64 n_spawns;
  guint64 n_ends;
  guint64 min_task;
  guint64 max_task;
  guint file;         /* which file of the trace */
  guint64 raw_from;   /* its bytes in the decompressed stream */
  guint64 raw_to;
  gboolean is_merged; /* its metadata say that all threads of the file share one stream */
  guint64 n_events;
  guint64 n_batches;
  guint64 n_unpaired; /* polls inside runs that lost an end or a start */
  guint64 n_outliers; /* events at impossible times, counted and otherwise ignored */
  gint64 legacy_wall_ns; /* time of a metadata event from before clock anchors existed, 0 = none */
  GArray *lanes;      /* PlPieceLane */
  GArray *edges;      /* PlRunEdge */
  GArray *spans;      /* PlTimeSpan, sorted */
  GArray *anchors;    /* PlClockAnchor */
  GArray *metadata;   /* PlPieceMetadata */
  GArray *gaps;       /* PlGap */
  PlTaskEvents *spawns; /* (nullable) */
  PlTaskEvents *ends;   /* (nullable) */
  GArray *queues;     /* PlPieceQueue */
  GArray *counts;     /* PlPieceCount */
};

PlPiece *pl_piece_new        (guint    file,
                              guint64  raw_from);
PlPiece *pl_piece_ref        (PlPiece *self);
void     pl_piece_unref      (PlPiece *self);
gsize    pl_piece_get_memory (PlPiece *self);

void     pl_piece_set_tasks  (PlPiece *self,
                              GArray  *spawns,
                              GArray  *ends,
                              gboolean in_slab);
void     pl_piece_seal       (PlPiece *self);
PlPiece *pl_piece_summarize  (PlPiece *self);
PlPiece *pl_piece_move       (PlPiece *self,
                              guint64  raw_from,
                              guint64  raw_to);
void     pl_piece_note_range (PlPiece *self);
gboolean pl_piece_get_range  (PlPiece *self,
                              gint64  *out_from_ns,
                              gint64  *out_to_ns);

void     pl_time_spans_add   (GArray  *spans,
                              gint64   from_ns,
                              gint64   to_ns,
                              guint64  n_events);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlPiece, pl_piece_unref)

G_END_DECLS

#endif /* PL_PIECE_H */
