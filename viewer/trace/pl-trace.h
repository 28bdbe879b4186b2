/* pl-trace.h: an immutable snapshot of a trace, as far as it has been read
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TRACE_H
#define PL_TRACE_H

#include <glib-object.h>

#include "pl-gap.h"
#include "pl-lane.h"

G_BEGIN_DECLS

typedef struct _PlTrace PlTrace;

typedef enum
{
  PL_TRACE_FORMAT_RAW,
  PL_TRACE_FORMAT_GZIP,
  PL_TRACE_FORMAT_ZSTD,
} PlTraceFormat;

/**
 * PlTraceFile:
 * @path: as given, or found in a directory that was given
 * @format: by content, never by name
 * @size_bytes: on disk
 * @raw_bytes: after decompression, as far as it was read
 * @n_batches: headers
 * @error: (nullable): why reading ended before the end of the file; everything before it was kept
 * @error_offset: byte offset of the fault in the decompressed stream
 * @lost_bytes: bytes that were not read because of @error
 * @is_complete: read to its end, with or without @error
 * @is_gone: it is not on disk any more; what was read of it before is still there
 * @is_growing: it is being written, as far as can be told: more may come
 * @index: (nullable): where its decompression can begin
 */
typedef struct
{
  char *path;
  PlTraceFormat format;
  guint64 size_bytes;
  guint64 raw_bytes;
  guint64 n_batches;
  GError *error;
  guint64 error_offset;
  guint64 lost_bytes;
  gboolean is_complete;
  gboolean is_gone;
  gboolean is_growing;
  GArray *index;
} PlTraceFile;

/**
 * PlRuntime: a runtime of the process and the lanes that belong to it
 * @name: from the metadata; "" for the lanes that no metadata claims
 */
typedef struct
{
  const char *name;
  guint first_lane;
  guint n_lanes;
} PlRuntime;

/**
 * PlEventCount: how many events of one schema name the trace holds
 */
typedef struct
{
  const char *name;
  guint64 count;
} PlEventCount;

/**
 * PlMetadata: one entry of the segment metadata, the latest of each key
 */
typedef struct
{
  const char *key;
  const char *value;
} PlMetadata;

/**
 * PlPollTotals:
 * @n_polls: polls with both ends
 * @n_open: started, no end yet at the end of the data
 * @n_unpaired: starts and ends whose other half is missing otherwise
 * @total_ns: sum of the durations of the @n_polls
 * @max_ns: the longest of them
 */
typedef struct
{
  guint64 n_polls;
  guint64 n_open;
  guint64 n_unpaired;
  gint64 total_ns;
  gint64 max_ns;
} PlPollTotals;

/**
 * PlTask: what spawn, termination and polls tell of a task
 * @spawn_ns: when it was spawned, if @has_spawn
 * @end_ns: when it terminated, if @has_end
 * @spawn_loc: string id
 */
typedef struct
{
  guint64 id;
  gint64 spawn_ns;
  gint64 end_ns;
  guint32 spawn_loc;
  guint has_spawn : 1;
  guint has_end : 1;
} PlTask;

/**
 * PlQueueSlice: a runtime's global queue in one pixel column
 * @max_depth: waiting tasks, -1 where nothing was recorded by then, or since events were lost
 * @max_alive: tasks alive, -1 likewise
 */
typedef struct
{
  gint64 max_depth;
  gint64 max_alive;
} PlQueueSlice;

#define PL_TYPE_TRACE (pl_trace_get_type ())
GType               pl_trace_get_type           (void);
PlTrace            *pl_trace_ref                (PlTrace *self);
void                pl_trace_unref              (PlTrace *self);

/* Time: monotonic ns of the recording process. The range fits the sane events; outliers are counted, not fitted. */
gint64              pl_trace_get_start_ns       (PlTrace *self);
gint64              pl_trace_get_end_ns         (PlTrace *self);
guint64             pl_trace_get_n_outliers     (PlTrace *self);
gboolean            pl_trace_to_wall_ns         (PlTrace *self,
                                                 gint64   at_ns,
                                                 gint64  *out_wall_ns);

guint               pl_trace_get_n_lanes        (PlTrace *self);
const PlLane       *pl_trace_get_lane           (PlTrace *self,
                                                 guint    index);
const PlLane       *pl_trace_find_lane          (PlTrace *self,
                                                 guint64  worker,
                                                 guint   *out_index);
const PlRuntime    *pl_trace_get_runtimes       (PlTrace *self,
                                                 guint   *out_n);

const char         *pl_trace_get_string         (PlTrace *self,
                                                 guint32  id);

guint64             pl_trace_get_n_events       (PlTrace *self);
const PlEventCount *pl_trace_get_event_counts   (PlTrace *self,
                                                 guint   *out_n);
const PlMetadata   *pl_trace_get_metadata       (PlTrace *self,
                                                 guint   *out_n);
const PlTraceFile  *pl_trace_get_files          (PlTrace *self,
                                                 guint   *out_n);
const PlPollTotals *pl_trace_get_poll_totals    (PlTrace *self);
const PlGap        *pl_trace_get_gaps           (PlTrace *self,
                                                 guint   *out_n,
                                                 guint64 *out_n_lost);
gboolean            pl_trace_find_gap           (PlTrace *self,
                                                 gint64   from_ns,
                                                 gint64   to_ns,
                                                 PlGap   *out_gap);

gboolean            pl_trace_find_task          (PlTrace *self,
                                                 guint64  task_id,
                                                 PlTask  *out_task);
void                pl_trace_get_task_events    (PlTrace *self,
                                                 guint64 *out_spawned,
                                                 guint64 *out_terminated);

/* Global queues: one track per runtime name that was sampled; name "" for samples without a runtime. */
guint               pl_trace_get_n_queues       (PlTrace *self);
const char         *pl_trace_get_queue_name     (PlTrace *self,
                                                 guint    index);
void                pl_trace_get_queue_slices   (PlTrace      *self,
                                                 guint         index,
                                                 gint64        from_ns,
                                                 gint64        to_ns,
                                                 guint         n_slices,
                                                 PlQueueSlice *out_slices);
void                pl_trace_get_queue_maxima   (PlTrace *self,
                                                 guint    index,
                                                 gint64  *out_max_depth,
                                                 gint64  *out_max_alive);

gboolean            pl_trace_is_summary         (PlTrace *self);
gboolean            pl_trace_is_complete        (PlTrace *self);
gboolean            pl_trace_has_losses         (PlTrace *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlTrace, pl_trace_unref)

G_END_DECLS

#endif /* PL_TRACE_H */
