/* schemas.c: the types of event in a trace, as the encoder writes them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * Names and field types are dial9's (its events catalogue, 0.5); events of our own begin with "Parklane".
 */
#include "schemas.h"

#include "trc.h"

/* The order of the fields is free, readers know them by name. What differs from event to event stands first, behind the
 * time, so that it is one run of literals to a compressor and the rest one match: the queue of a worker that unparks does,
 * that of one that parks is empty. */
const PlrSchema plr_schemas[PLR_N_TYPES] = {
  [PLR_TYPE_POLL_START] = { "PollStartEvent",
                        { { "task_id", TRC_VARINT }, { "local_queue", TRC_U8 }, { "worker_id", TRC_VARINT },
                          { "spawn_loc", TRC_POOLED_STRING } } },
  [PLR_TYPE_POLL_END] = { "PollEndEvent", { { "worker_id", TRC_VARINT } } },
  [PLR_TYPE_PARK] = { "WorkerParkEvent",
                  { { "cpu_time_ns", TRC_VARINT }, { "worker_id", TRC_VARINT }, { "tid", TRC_U32 },
                    { "local_queue", TRC_U8 } } },
  [PLR_TYPE_UNPARK] = { "WorkerUnparkEvent",
                    { { "local_queue", TRC_U8 }, { "cpu_time_ns", TRC_VARINT }, { "sched_wait_ns", TRC_VARINT | TRC_OPTIONAL },
                      { "worker_id", TRC_VARINT }, { "tid", TRC_U32 } } },
  [PLR_TYPE_TASK_SPAWN] = { "TaskSpawnEvent",
                        { { "task_id", TRC_VARINT }, { "spawn_loc", TRC_POOLED_STRING }, { "instrumented", TRC_BOOL } } },
  [PLR_TYPE_TASK_TERMINATE] = { "TaskTerminateEvent", { { "task_id", TRC_VARINT } } },
  [PLR_TYPE_RUNTIME_METRICS] = { "RuntimeMetricsEvent",
                             { { "runtime_name", TRC_POOLED_STRING }, { "global_queue_depth", TRC_U32 },
                               { "alive_tasks", TRC_U32 } } },
  [PLR_TYPE_CLOCK_SYNC] = { "ClockSyncEvent", { { "realtime_ns", TRC_VARINT } } },
  [PLR_TYPE_METADATA] = { "SegmentMetadataEvent", { { "entries", TRC_STRING_MAP } } },
  [PLR_TYPE_HEARTBEAT] = { "ParklaneHeartbeatEvent",
                       { { "events", TRC_VARINT }, { "dropped", TRC_VARINT }, { "bytes", TRC_VARINT },
                         { "health", TRC_POOLED_STRING } } },
  [PLR_TYPE_GAP] = { "ParklaneGapEvent",
                 { { "from_ns", TRC_VARINT }, { "to_ns", TRC_VARINT }, { "dropped", TRC_VARINT },
                   { "worker_id", TRC_VARINT }, { "tid", TRC_U32 }, { "cause", TRC_POOLED_STRING } } },
  /* The start of a poll that an earlier batch has, repeated with its time for readers that lack that batch. */
  [PLR_TYPE_OPEN_POLL] = { "ParklaneOpenPollEvent",
                       { { "task_id", TRC_VARINT }, { "local_queue", TRC_U8 }, { "worker_id", TRC_VARINT },
                         { "spawn_loc", TRC_POOLED_STRING } } },
  /* Since when a worker is parked, likewise. */
  [PLR_TYPE_OPEN_PARK] = { "ParklaneOpenParkEvent",
                       { { "cpu_time_ns", TRC_VARINT }, { "worker_id", TRC_VARINT }, { "tid", TRC_U32 },
                         { "local_queue", TRC_U8 } } },
  /* A type of its own, so that a poll without the measurement does not pay for the field. */
  [PLR_TYPE_DELAYED_POLL_START] = { "PollStartEvent",
                                { { "task_id", TRC_VARINT }, { "scheduling_delay_ns", TRC_VARINT }, { "local_queue", TRC_U8 },
                                  { "worker_id", TRC_VARINT }, { "spawn_loc", TRC_POOLED_STRING } } },
  /* At the end of a poll whose thread had lost its worker at lost_ns; there, the poll has an end of its own. */
  [PLR_TYPE_DETACHED_POLL] = { "ParklaneDetachedPollEvent",
                           { { "task_id", TRC_VARINT }, { "start_ns", TRC_VARINT }, { "lost_ns", TRC_VARINT },
                             { "worker_id", TRC_VARINT }, { "tid", TRC_U32 }, { "spawn_loc", TRC_POOLED_STRING } } },
  [PLR_TYPE_BLOCKING_START] = { "ParklaneBlockingStartEvent",
                            { { "queue_wait_ns", TRC_VARINT | TRC_OPTIONAL }, { "tid", TRC_U32 },
                              { "spawn_loc", TRC_POOLED_STRING } } },
  [PLR_TYPE_BLOCKING_END] = { "ParklaneBlockingEndEvent", { { "tid", TRC_U32 } } },
  [PLR_TYPE_COUNTER] = { "ParklaneCounterEvent",
                     { { "runtime_name", TRC_POOLED_STRING }, { "counter", TRC_POOLED_STRING }, { "value", TRC_VARINT } } },
};
