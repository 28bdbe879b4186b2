/* pl-detail-walk.c: walks over all polls of a trace, whether their detail is in memory or not
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-detail-private.h"

#include "pl-parallel.h"
#include "pl-trace-private.h"

typedef struct
{
  PlTrace *trace;
  gint64 min_ns;
  PlPollFunc func;
  gpointer user_data;
} Foreach;

static gboolean
tell (const Foreach *foreach, const PlPoll *poll)
{
  if (poll->duration_ns < foreach->min_ns || poll->start_ns < foreach->trace->start_ns
      || pl_poll_end_ns (poll) > foreach->trace->end_ns)
    return TRUE;
  return foreach->func (poll, foreach->user_data);
}

static gboolean
tell_array (const Foreach *foreach, GArray *polls)
{
  for (guint i = 0; i < polls->len; i++)
    if (!tell (foreach, &g_array_index (polls, PlPoll, i)))
      return FALSE;
  return TRUE;
}

/**
 * pl_detail_foreach_poll_of_piece:
 * @min_duration_ns: shortest poll to report
 * @func: called for each finished poll of the piece that lies in the sane range, in no particular order
 *
 * Returns: %FALSE when @func ended it
 */
gboolean
pl_detail_foreach_poll_of_piece (PlTrace *trace, PlPiece *piece, gint64 min_duration_ns, PlPollFunc func,
                                 gpointer user_data)
{
  Foreach foreach = { trace, min_duration_ns, func, user_data };

  for (guint i = 0; i < piece->lanes->len; i++)
    {
      const PlPieceLane *lane = &g_array_index (piece->lanes, PlPieceLane, i);
      PlPoll poll;

      for (guint j = 0; j < lane->polls->len; j++)
        {
          const PlBlock *block = lane->polls->pdata[j];

          for (guint k = pl_block_find_over (block, 0, block->n, min_duration_ns); k < block->n;
               k = pl_block_find_over (block, k + 1, block->n, min_duration_ns))
            {
              pl_block_get_poll (block, k, lane->worker, &poll);
              if (!tell (&foreach, &poll))
                return FALSE;
            }
        }
      if (!tell_array (&foreach, lane->detached))
        return FALSE;
    }
  return TRUE;
}

typedef struct
{
  PlTrace *trace;
  PlPieceFunc needs_detail;
  PlPieceFunc func;
  gpointer user_data;
  GCancellable *cancellable;
  GMutex lock; /* held while @func runs */
  gboolean is_ended;
} Walk;

static gboolean
is_to_be_read (const Walk *walk, PlPiece *piece)
{
  return piece->is_summary && (walk->needs_detail == NULL || walk->needs_detail (piece, walk->user_data));
}

static void
visit_piece (guint i, gpointer user_data)
{
  Walk *walk = user_data;
  PlPiece *piece = walk->trace->pieces->pdata[i];
  g_autoptr(PlPiece) decoded = NULL;

  if (g_cancellable_is_cancelled (walk->cancellable))
    return;
  if (is_to_be_read (walk, piece))
    decoded = pl_detail_decode_piece (walk->trace, piece, walk->cancellable);
  g_mutex_lock (&walk->lock);
  if (!walk->is_ended)
    walk->is_ended = !walk->func (decoded != NULL ? decoded : piece, walk->user_data)
                     || g_cancellable_is_cancelled (walk->cancellable);
  g_mutex_unlock (&walk->lock);
}

/**
 * pl_detail_foreach_piece:
 * @needs_detail: (nullable): whether a piece that is held as a summary has to be read again; %NULL = all. Called on several
 *   threads at once
 * @func: called for each piece, one at a time but in no particular order, nor on one thread; of one that could not be read
 *   again, with the summary
 * @cancellable: (nullable): a cancellable
 *
 * Reads on all processors. Any thread but the main one.
 *
 * Returns: %FALSE when @func ended it or it was cancelled
 */
gboolean
pl_detail_foreach_piece (PlTrace *trace, PlPieceFunc needs_detail, PlPieceFunc func, gpointer user_data,
                         GCancellable *cancellable)
{
  Walk walk = { trace, needs_detail, func, user_data, cancellable, { 0 }, FALSE };
  guint n_to_read = 0;

  for (guint i = 0; i < trace->pieces->len; i++)
    n_to_read += is_to_be_read (&walk, trace->pieces->pdata[i]);
  g_mutex_init (&walk.lock);
  /* Where nothing is read, helpers would but wait for each other. */
  pl_parallel_foreach (trace->pieces->len, n_to_read > 1 ? 0 : 1, visit_piece, &walk);
  g_mutex_clear (&walk.lock);
  return !walk.is_ended && !g_cancellable_is_cancelled (cancellable);
}

/**
 * pl_detail_foreach_joined_poll:
 * @min_duration_ns: shortest poll to report
 * @func: called for each finished poll in the sane range that lies in no piece, as it began in one and ended in another
 *
 * Returns: %FALSE when @func ended it
 */
gboolean
pl_detail_foreach_joined_poll (PlTrace *trace, gint64 min_duration_ns, PlPollFunc func, gpointer user_data)
{
  Foreach foreach = { trace, min_duration_ns, func, user_data };

  for (guint i = 0; i < pl_trace_get_n_all_lanes (trace); i++)
    if (!tell_array (&foreach, pl_trace_get_any_lane (trace, i)->joined))
      return FALSE;
  return TRUE;
}

static gboolean
is_under_floor (PlPiece *piece, gpointer user_data)
{
  const Foreach *foreach = user_data;

  return foreach->min_ns < PL_SUMMARY_FLOOR_NS;
}

static gboolean
tell_piece (PlPiece *piece, gpointer user_data)
{
  const Foreach *foreach = user_data;

  return pl_detail_foreach_poll_of_piece (foreach->trace, piece, foreach->min_ns, foreach->func, foreach->user_data);
}

/**
 * pl_detail_foreach_poll:
 * @min_duration_ns: shortest poll to report
 * @func: called for each finished poll of the session, in no particular order
 * @cancellable: (nullable): a cancellable
 *
 * Exact also where the snapshot holds summaries: polls under %PL_SUMMARY_FLOOR_NS are then read again from the files,
 * one piece on each processor at a time. Any thread but the main one; @func is called on others as well, but never twice at
 * a time.
 *
 * Returns: %FALSE when @func ended it or it was cancelled
 */
gboolean
pl_detail_foreach_poll (PlTrace *trace, gint64 min_duration_ns, PlPollFunc func, gpointer user_data,
                        GCancellable *cancellable)
{
  Foreach foreach = { trace, min_duration_ns, func, user_data };

  return pl_detail_foreach_joined_poll (trace, min_duration_ns, func, user_data)
         && pl_detail_foreach_piece (trace, is_under_floor, tell_piece, &foreach, cancellable);
}
