/* parklane-recorder.h: the public interface of the Parklane recorder
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The recorder writes what the worker threads of a runtime do (polls, parks, task life, queue depths)
 * to rotating trace segments in one directory. It works without a display, a daemon or privileges.
 *
 *   ParklaneConfig config;
 *   ParklaneRecorder *recorder;
 *
 *   parklane_config_init (&config);
 *   snprintf (config.output_dir, sizeof config.output_dir, "/var/log/service/telemetry");
 *   if (parklane_recorder_start (&config, &recorder) == 0)
 *     …
 *
 *   worker thread:  parklane_thread_attach (worker_id);
 *                   parklane_poll_start (task_id, location, local_queue); … parklane_poll_end ();
 *
 * Rules that hold for the whole interface
 * - One session at a time in a process. Threads, locations and runtimes belong to the process: they may
 *   be registered before a session starts and outlive it.
 * - Functions return 0 or a negative errno unless they say otherwise. Output parameters are written only
 *   on success. No function aborts, prints, changes a signal handler or unwinds.
 * - Time is nanoseconds of CLOCK_MONOTONIC, see parklane_now_ns().
 * - "Hot path" means: no lock, no allocation, no system call, never blocks; any thread. A thread that was
 *   not attached is attached by its first event, which maps memory once. Not for signal handlers.
 * - Strings are UTF-8, copied by the call and never kept.
 */
#ifndef PARKLANE_RECORDER_H
#define PARKLANE_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef PARKLANE_API
#define PARKLANE_API __attribute__ ((visibility ("default")))
#endif

/** A running session. Opaque; from parklane_recorder_start() to parklane_recorder_stop(). */
typedef struct ParklaneRecorder ParklaneRecorder;

/** Worker id of a thread that is no worker (dial9's convention). */
#define PARKLANE_WORKER_NONE 255u

/** Largest worker id that can be recorded. */
#define PARKLANE_WORKER_MAX 65534u

/** Location id of a task whose spawn location is unknown. */
#define PARKLANE_LOCATION_UNKNOWN 0u

/** "Not measured", for the optional time of parklane_unpark_with(). */
#define PARKLANE_NOT_MEASURED UINT64_MAX

/* ---- Configuration ------------------------------------------------------------------------------- */

#define PARKLANE_PATH_SIZE 1024
#define PARKLANE_NAME_SIZE 128

/** How serious a message to the log callback is. */
typedef enum
{
  PARKLANE_LOG_INFO,
  PARKLANE_LOG_WARNING,
  PARKLANE_LOG_ERROR,
} ParklaneLogLevel;

/**
 * Receives one message, without a newline, valid during the call. Called from the thread that reads a
 * configuration or starts a session and from the recorder's own threads, never from a recording thread.
 * It may block or fail without harm to the host.
 */
typedef void (*ParklaneLogFunc) (ParklaneLogLevel level, const char *message, void *data);

/** Which clock events are stamped with. Both tell nanoseconds of CLOCK_MONOTONIC. */
typedef enum
{
  PARKLANE_CLOCK_AUTO,      /**< the processor's cycle counter where it keeps time, else the system's clock */
  PARKLANE_CLOCK_MONOTONIC, /**< the system's clock always */
} ParklaneClock;

/** What becomes of a segment after it is sealed. */
typedef enum
{
  PARKLANE_COMPRESS_NONE, /**< it stays PREFIX.N.bin */
  PARKLANE_COMPRESS_ZSTD, /**< it becomes PREFIX.N.bin.zst: zstd frames of about a mebibyte of raw bytes, each readable
                               without the others, and the seek table of zstd's seekable format. `zstd -d` makes a
                               PREFIX.N.bin of it with the same events, those of each worker together. Done by a
                               thread of lowest priority while the session runs; what is left at its stop, the next
                               session with this setting compresses */
} ParklaneCompress;

/** What a start does when another process records to the same directory and prefix. */
typedef enum
{
  PARKLANE_BUSY_FAIL,   /**< it fails with -EBUSY */
  PARKLANE_BUSY_SUFFIX, /**< it records under PREFIX-2, or the first of PREFIX-3 to PREFIX-99 that is free */
} ParklaneBusy;

/**
 * What a session does. Fill with parklane_config_init() or parklane_config_from_env(), then change
 * fields. A plain value: copy it freely.
 */
typedef struct ParklaneConfig
{
  uint32_t struct_size;        /**< set by parklane_config_init(); tells the library which fields exist */
  uint32_t enabled;            /**< 0: parklane_recorder_start() refuses with -ECANCELED. Default 1 from
                                    parklane_config_init(), 0 from the environment */
  char output_dir[PARKLANE_PATH_SIZE];   /**< directory of the segments; made when missing (mode 0750) */
  char file_prefix[PARKLANE_NAME_SIZE];  /**< segments are PREFIX.N.bin; 1 to 100 bytes, no '/', no leading '.' */
  char service_name[PARKLANE_NAME_SIZE]; /**< metadata `service_name`; empty: none */
  uint64_t max_file_size;      /**< bytes of a segment before it is sealed; at least 65536. Default 104857600 */
  uint32_t rotation_count;     /**< budget = max_file_size × rotation_count bytes on disk; at least 1. Default 10 */
  uint32_t max_segment_age_s;  /**< seal a segment after so many seconds; 0: never by age. Default 0 */
  uint32_t drain_interval_ms;  /**< how often rings are emptied into the file, 1 to 1000. Default 10 */
  ParklaneClock clock;         /**< default PARKLANE_CLOCK_AUTO */
  ParklaneCompress compress;   /**< default PARKLANE_COMPRESS_ZSTD */
  uint32_t time_resolution_ns; /**< times are told as multiples of so many ns, rounded down, 1 to 1000000; a power of two
                                    packs best. Default 1 */
  uint64_t buffer_size;        /**< bytes of memory for events that cannot be written at present, 1048576 to 4294967296;
                                    taken only as far as it is used. Default 16777216 */
  uint32_t control;            /**< 1: PREFIX.sock in @output_dir is a socket for `parklane-cli record`. Default 0 */
  uint32_t crash_safe;         /**< 1: rings lie in shared memory (System V), which outlives the process: after a SIGKILL
                                    the next start, or parklane_recover(), writes what they held. Default 1; where
                                    the system refuses such memory, the session runs without, and says so */
  uint32_t retry_start_s;      /**< a start that fails for a reason that may pass is tried again by a thread after so
                                    many seconds, until it succeeds or is stopped; 0: never. Default 0 */
  ParklaneBusy busy;           /**< default PARKLANE_BUSY_FAIL */
  ParklaneLogFunc log;         /**< NULL: silent */
  void *log_data;              /**< passed to @log */
} ParklaneConfig;

/**
 * Fills @config with the defaults: enabled, directory `/var/log/parklane`, prefix `parklane`. Any thread.
 */
PARKLANE_API void parklane_config_init (ParklaneConfig *config);

/**
 * Fills @config from the environment. Reads PREFIX followed by
 *
 *   ENABLED          1, true, yes, on; 0, false, no, off. Default false
 *   OUTPUT_DIR       default /var/log/parklane; prefix RUSTFS_RUNTIME_DIAL9_: /var/log/rustfs/telemetry
 *   FILE_PREFIX      default parklane; prefix RUSTFS_RUNTIME_DIAL9_: rustfs-tokio
 *   MAX_FILE_SIZE    bytes, default 104857600; less than 65536 is taken as 65536
 *   ROTATION_COUNT   default 10
 *   S3_BUCKET, S3_PREFIX   not built in; segments have to be fetched from OUTPUT_DIR
 *
 * and, unless the prefix is RUSTFS_RUNTIME_DIAL9_, whose settings are exactly those,
 *
 *   SERVICE_NAME     default none
 *   MAX_SEGMENT_AGE  seconds, default 0: never by age
 *   DRAIN_INTERVAL   milliseconds, 1 to 1000, default 10
 *   CLOCK            auto or monotonic, default auto
 *   COMPRESS         zst or none, default zst
 *   TIME_RESOLUTION  nanoseconds, 1 to 1000000, default 1
 *   BUFFER_SIZE      bytes, 1048576 to 4294967296, default 16777216
 *   CONTROL          as ENABLED, default false
 *   CRASH_SAFE       as ENABLED, default true
 *   RETRY_START      seconds, default 0: never
 *   BUSY             fail or suffix, default fail
 *
 * A value that cannot be honoured leaves the default in place and is reported to @log (NULL: to standard
 * error) with variable, value and what is used instead; so is a variable of the prefix that is no setting.
 * An empty value counts as unset. Warnings change nothing else.
 *
 * @prefix: for example "PARKLANE_"
 * Thread: reads the environment, so not beside setenv().
 * Returns: the number of warnings, 0 or more; -EINVAL for a NULL argument
 */
PARKLANE_API int parklane_config_from_env (ParklaneConfig *config, const char *prefix,
                                           ParklaneLogFunc log, void *log_data);

/* ---- Session ------------------------------------------------------------------------------------- */

/**
 * Starts a session: locks the prefix, seals what a dead run left behind, opens the first segment and
 * starts the recorder's thread.
 *
 * @out_recorder: the session; may be NULL when only the process's one session matters
 * Thread: any; may block on the file system.
 * Returns: 0; -EINVAL for a field out of its range; -ECANCELED when not enabled; -EALREADY when a session
 *   runs in this process; -EBUSY when another process records to the same directory and prefix; -ENOMEM;
 *   or the errno of the failing file operation. After an error nothing runs.
 */
PARKLANE_API int parklane_recorder_start (const ParklaneConfig *config, ParklaneRecorder **out_recorder);

/**
 * Stops the session: what the rings hold is written, the segment is sealed and synced, @recorder is freed. Threads
 * stay attached and may go on calling the recording functions, which do nothing then.
 *
 * @recorder: from parklane_recorder_start(), not used afterwards; NULL does nothing
 * Thread: any but the recorder's own callbacks; waits for the recorder's thread.
 * Returns: 0, or the error that kept the last events from the file
 */
PARKLANE_API int parklane_recorder_stop (ParklaneRecorder *recorder);

/**
 * Asks for the current segment to be sealed and a new one to be begun, at the next drain.
 * Returns: 0; -EINVAL for NULL
 */
PARKLANE_API int parklane_recorder_rotate (ParklaneRecorder *recorder);

/**
 * Suspends recording: events are not taken until parklane_recorder_resume(), the heartbeat goes on. The
 * trace tells the pause as a gap. Pausing twice is the same as once.
 * Returns: 0; -EINVAL for NULL
 */
PARKLANE_API int parklane_recorder_pause (ParklaneRecorder *recorder);

/** Takes events again after parklane_recorder_pause(). Returns: 0; -EINVAL for NULL */
PARKLANE_API int parklane_recorder_resume (ParklaneRecorder *recorder);

/**
 * Waits until every event that the calling thread recorded before is in the segment file, or was counted
 * as dropped. Waits at most two seconds.
 * Returns: 0; -EINVAL for NULL; -ETIMEDOUT when the file cannot be written at present
 */
PARKLANE_API int parklane_recorder_flush (ParklaneRecorder *recorder);

/**
 * Writes what killed sessions with `crash_safe` left in shared memory, into segments of their own beside what they wrote
 * themselves, as a start with the same directory and prefix does by itself. Only memory of this user and of the
 * directory's owner is looked at, and none that a living process uses.
 *
 * @output_dir: theirs
 * @file_prefix: theirs; NULL: any
 * @log, @log_data: told of each session, and of what cannot be written; @log may be NULL
 * Thread: any; may block on the file system.
 * Returns: the number of events written, 0 when nothing was left; -EINVAL; -EALREADY when a session runs in this
 *   process; -EBUSY when a process records to the prefix; -EOPNOTSUPP when there is some that another version of this
 *   library left, which waits a day for that version's own; or the errno of the failing file operation: what could not be
 *   written is there still
 */
PARKLANE_API int64_t parklane_recover (const char *output_dir, const char *file_prefix, ParklaneLogFunc log,
                                       void *log_data);

/* ---- Names: registered once, used by number on the hot path --------------------------------------- */

/**
 * Registers a place in a program, as in "src/server.c:42:7". The same text gives the same id again. Meant
 * for once per call site: takes a lock and allocates.
 *
 * @line, @column: 0 leaves the part out
 * Returns: an id from 1, good for the life of the process; PARKLANE_LOCATION_UNKNOWN when @file is NULL,
 *   memory is short or 65535 locations exist
 */
PARKLANE_API uint32_t parklane_location_register (const char *file, uint32_t line, uint32_t column);

/**
 * Registers a runtime and gives its workers a contiguous block of ids, over all runtimes of the process.
 * Ids 254 and 255 are never given. Names go into every segment as metadata `runtime.NAME`.
 *
 * @name: at most 100 bytes; NULL or empty: unnamed
 * @out_first_worker: (may be NULL) id of the first worker; the others follow
 * Returns: the runtime's id, 0 or more; -EINVAL for no worker or a name too long; -ENOSPC when ids or
 *   the 64 runtimes are used up
 */
PARKLANE_API int parklane_runtime_register (const char *name, uint32_t n_workers, uint32_t *out_first_worker);

/**
 * Writes the file name of a place in the host's program to @file (at most @size bytes with the NUL), its line and column to
 * @line and @column. Called by the recorder's threads, once for each place.
 */
typedef void (*ParklaneDescribeFunc) (const void *place, char *file, size_t size, uint32_t *line, uint32_t *column);

/**
 * Lets a host whose language knows places in its program by address record them so, without registering each before: the
 * recording calls that take a place (`…_at`, parklane_blocking_start()) are given addresses of what describes a place, which
 * must stay for the life of the process. 16384 different ones are told apart.
 *
 * @func: says what lies at such an address. One for the process
 */
PARKLANE_API void parklane_place_set_describe (ParklaneDescribeFunc func);

/**
 * Sets an entry of the metadata that each segment has, for the life of the process: what the host wants readers to know of it.
 * Keys that begin with `parklane.` belong to the recorder and its bridges. Not in what is rescued after a kill. A key that is
 * set again has the new value, and takes no more memory.
 *
 * @key, @value: at most 256 bytes each, copied
 * Thread: any; takes a lock.
 * Returns: 0; -EINVAL for a text too long or an empty key; -ENOSPC when there are 32 others
 */
PARKLANE_API int parklane_metadata_set (const char *key, const char *value);

/* ---- Threads -------------------------------------------------------------------------------------- */

/**
 * Attaches the calling thread: gives it a ring of its own and the worker id under which its events are
 * recorded. Calling it again only changes the worker. A thread detaches by itself when it ends.
 *
 * @worker_id: 0 to PARKLANE_WORKER_MAX, or PARKLANE_WORKER_NONE
 * Thread: maps memory the first time.
 * Returns: 0; -EINVAL; -ENOMEM (events of the thread are dropped and counted, and it is tried again
 *   once a second)
 */
PARKLANE_API int parklane_thread_attach (uint32_t worker_id);

/**
 * Gives the calling thread's ring back. What it holds is still written. Needed only by a thread that goes
 * on for long without recording.
 */
PARKLANE_API void parklane_thread_detach (void);

/* ---- Recording: the hot path ---------------------------------------------------------------------- */

/* Each function takes the time itself and returns it, so that a host that needs the time of the event
 * needs no second clock read and agrees with the trace to the nanosecond. It returns 0 when no session
 * records. An event that found its ring full is counted as dropped and its time returned all the same. */

/**
 * Time of the recorder's clock: nanoseconds of CLOCK_MONOTONIC. Any thread, with or without a session. A
 * session that reads the cycle counter deviates from the system's clock by some ten nanoseconds; what was
 * measured stands in the segment's metadata as `parklane.clock_error_ns`.
 */
PARKLANE_API uint64_t parklane_now_ns (void);

/**
 * The calling worker begins to poll a task (`PollStartEvent`).
 * @task_id: 0: unknown
 * @spawn_location: from parklane_location_register()
 * @local_queue: tasks waiting in this worker's queue; 255 and more are recorded as 255
 */
PARKLANE_API uint64_t parklane_poll_start (uint64_t task_id, uint32_t spawn_location, uint32_t local_queue);

/** The calling worker's poll returned (`PollEndEvent`). */
PARKLANE_API uint64_t parklane_poll_end (void);

/** The calling worker is about to block, out of work (`WorkerParkEvent`); CPU time is recorded as 0, unknown. */
PARKLANE_API uint64_t parklane_park (uint32_t local_queue);

/** The calling worker has woken up (`WorkerUnparkEvent`); CPU time is recorded as 0, unknown. */
PARKLANE_API uint64_t parklane_unpark (uint32_t local_queue);

/**
 * As parklane_park(), with the thread's CPU time so far, for example from parklane_thread_cpu_time_ns().
 * @cpu_time_ns: 0: unknown
 */
PARKLANE_API uint64_t parklane_park_with (uint32_t local_queue, uint64_t cpu_time_ns);

/**
 * As parklane_unpark(), with measurements.
 * @cpu_time_ns: 0: unknown
 * @sched_wait_ns: time the thread was runnable but not running since it parked; PARKLANE_NOT_MEASURED
 */
PARKLANE_API uint64_t parklane_unpark_with (uint32_t local_queue, uint64_t cpu_time_ns, uint64_t sched_wait_ns);

/** A task was spawned (`TaskSpawnEvent`, with `instrumented` false). */
PARKLANE_API uint64_t parklane_task_spawn (uint64_t task_id, uint32_t spawn_location);

/** A task has ended (`TaskTerminateEvent`). */
PARKLANE_API uint64_t parklane_task_terminate (uint64_t task_id);

/**
 * As parklane_poll_start(), with the place where the task was spawned, and how long the task was ready before.
 * @place: see parklane_place_set_describe(); NULL: unknown
 * @sched_delay_ns: PARKLANE_NOT_MEASURED
 */
PARKLANE_API uint64_t parklane_poll_start_at (uint64_t task_id, const void *place, uint32_t local_queue,
                                              uint64_t sched_delay_ns);

/** As parklane_task_spawn(), with a place as in parklane_poll_start_at(). */
PARKLANE_API uint64_t parklane_task_spawn_at (uint64_t task_id, const void *place);

/**
 * The calling thread, which is no worker, begins work that may block (`ParklaneBlockingStartEvent`).
 * @place: where it was asked for, as in parklane_poll_start_at()
 * @queue_wait_ns: from then to now; PARKLANE_NOT_MEASURED
 */
PARKLANE_API uint64_t parklane_blocking_start (const void *place, uint64_t queue_wait_ns);

/** The calling thread has done what parklane_blocking_start() told (`ParklaneBlockingEndEvent`). */
PARKLANE_API uint64_t parklane_blocking_end (void);

/** What parklane_counter() tells: depths and numbers at this moment, all others counts since the start of the runtime. */
typedef enum
{
  PARKLANE_COUNTER_STEALS,                 /**< tasks that workers took from others */
  PARKLANE_COUNTER_STEAL_OPERATIONS,       /**< times that they did */
  PARKLANE_COUNTER_OVERFLOWS,              /**< times that a local queue was full */
  PARKLANE_COUNTER_REMOTE_SCHEDULES,       /**< tasks made ready by a thread that is no worker */
  PARKLANE_COUNTER_BUDGET_YIELDS,          /**< polls cut short by the cooperative budget */
  PARKLANE_COUNTER_BLOCKING_QUEUE,         /**< depth of the blocking pool's queue */
  PARKLANE_COUNTER_BLOCKING_THREADS,       /**< threads of the blocking pool */
  PARKLANE_COUNTER_IDLE_BLOCKING_THREADS,  /**< those of them without work */
  PARKLANE_COUNTER_SPAWNED_TASKS,
  PARKLANE_N_COUNTERS,
} ParklaneCounter;

/**
 * Tells a counter of a runtime (`ParklaneCounterEvent`); about once a second is usual.
 * @runtime: from parklane_runtime_register()
 */
PARKLANE_API uint64_t parklane_counter (uint32_t runtime, ParklaneCounter counter, uint64_t value);

/**
 * A runtime's queue at this moment (`RuntimeMetricsEvent`); about every 10 ms is usual.
 * @runtime: from parklane_runtime_register()
 * @global_queue_depth: tasks waiting in the queue shared by all workers
 * @alive_tasks: tasks spawned and not yet ended
 */
PARKLANE_API uint64_t parklane_queue_depth (uint32_t runtime, uint32_t global_queue_depth, uint32_t alive_tasks);

/**
 * CPU time of the calling thread so far, in nanoseconds; 0 where the system does not tell. This is a
 * system call, for hosts that want it at park and unpark, where they make one anyway.
 */
PARKLANE_API uint64_t parklane_thread_cpu_time_ns (void);

/* ---- Recording calls while nothing records --------------------------------------------------------- */

/** 1 while a session takes events, else 0. Read only, and at any time: a look at it spares the call. */
PARKLANE_API extern uint32_t parklane_recording;

/* Here the recording calls look at it first, in the caller, so that they cost a load and a branch while no session
 * takes events. Define PARKLANE_NO_INLINE to have the functions alone. */
#ifndef PARKLANE_NO_INLINE

static inline int
parklane_is_recording_ (void)
{
  return __builtin_expect (__atomic_load_n (&parklane_recording, __ATOMIC_RELAXED) != 0, 1);
}

static inline uint64_t
parklane_poll_start_ (uint64_t task_id, uint32_t spawn_location, uint32_t local_queue)
{
  return parklane_is_recording_ () ? parklane_poll_start (task_id, spawn_location, local_queue) : 0;
}

static inline uint64_t
parklane_poll_end_ (void)
{
  return parklane_is_recording_ () ? parklane_poll_end () : 0;
}

static inline uint64_t
parklane_park_ (uint32_t local_queue)
{
  return parklane_is_recording_ () ? parklane_park (local_queue) : 0;
}

static inline uint64_t
parklane_unpark_ (uint32_t local_queue)
{
  return parklane_is_recording_ () ? parklane_unpark (local_queue) : 0;
}

static inline uint64_t
parklane_park_with_ (uint32_t local_queue, uint64_t cpu_time_ns)
{
  return parklane_is_recording_ () ? parklane_park_with (local_queue, cpu_time_ns) : 0;
}

static inline uint64_t
parklane_unpark_with_ (uint32_t local_queue, uint64_t cpu_time_ns, uint64_t sched_wait_ns)
{
  return parklane_is_recording_ () ? parklane_unpark_with (local_queue, cpu_time_ns, sched_wait_ns) : 0;
}

static inline uint64_t
parklane_task_spawn_ (uint64_t task_id, uint32_t spawn_location)
{
  return parklane_is_recording_ () ? parklane_task_spawn (task_id, spawn_location) : 0;
}

static inline uint64_t
parklane_task_terminate_ (uint64_t task_id)
{
  return parklane_is_recording_ () ? parklane_task_terminate (task_id) : 0;
}

static inline uint64_t
parklane_queue_depth_ (uint32_t runtime, uint32_t global_queue_depth, uint32_t alive_tasks)
{
  return parklane_is_recording_ () ? parklane_queue_depth (runtime, global_queue_depth, alive_tasks) : 0;
}

#define parklane_poll_start parklane_poll_start_
#define parklane_poll_end parklane_poll_end_
#define parklane_park parklane_park_
#define parklane_unpark parklane_unpark_
#define parklane_park_with parklane_park_with_
#define parklane_unpark_with parklane_unpark_with_
#define parklane_task_spawn parklane_task_spawn_
#define parklane_task_terminate parklane_task_terminate_
#define parklane_queue_depth parklane_queue_depth_

#endif /* PARKLANE_NO_INLINE */

/* ---- Metrics -------------------------------------------------------------------------------------- */

/** Counters of the process and its session. The session's counts are since its start. */
typedef struct ParklaneMetrics
{
  uint32_t struct_size;         /**< set by the caller to sizeof (ParklaneMetrics) */
  uint32_t configured;          /**< 1: a session was asked for with `enabled` set, whether it runs or not */
  uint64_t errors_total;        /**< since the start of the process: starts that failed, faults of the disk */
  uint32_t attached_threads;
  uint32_t active_sessions;     /**< 0 or 1; with 0 all below are 0 and mean nothing */
  uint32_t writer_healthy;      /**< 1: what is recorded reaches the disk */
  uint64_t events_total;        /**< taken from the rings and written or waiting to be written */
  uint64_t dropped_events_total;
  uint64_t bytes_written_total; /**< raw bytes handed to the file system */
  uint64_t disk_usage_bytes;    /**< all segments of the prefix now */
  uint64_t segments_sealed_total;
  uint64_t evicted_segments_total;
  uint64_t compressed_bytes_total;  /**< sizes of the segments compressed, after it */
  uint64_t last_write_ns;       /**< parklane_now_ns() of the last write that succeeded; 0: none yet */
  uint64_t incomplete_segments_total; /**< of those sealed, which end before all threads were drained, since a fault ended
                                         * them or memory was short: what is missing stands in the next ones */
} ParklaneMetrics;

/**
 * Reads the counters. Any thread; takes no lock. Sets as much as struct_size says, and struct_size to how much that was.
 * Returns: 0; -EINVAL when @out_metrics is NULL or its struct_size too small
 */
PARKLANE_API int parklane_metrics_get (ParklaneMetrics *out_metrics);

/**
 * Writes the metrics as Prometheus text (exposition format 0.0.4), each name beginning with @prefix and an
 * underscore: supported, configured, active_sessions, errors_total; and while a session runs, else absent:
 * writer_healthy, attached_threads, events_total, dropped_events_total, bytes_written_total, disk_usage_bytes,
 * segments_sealed_total, incomplete_segments_total, evicted_segments_total, compressed_bytes_total, last_write_age_seconds.
 *
 * @prefix: for example "rustfs_dial9": a letter, then letters, digits and underscores
 * @text: receives at most @size bytes with the NUL; may be NULL when @size is 0
 * Thread: any; takes no lock.
 * Returns: the length of the whole text without the NUL, which may be @size or more, as snprintf() does;
 *   -EINVAL for a prefix that is none
 */
PARKLANE_API int parklane_metrics_format (const char *prefix, char *text, size_t size);

/** Version of the library that runs, as in "0.1.0". */
PARKLANE_API const char *parklane_recorder_version (void);

#ifdef __cplusplus
}
#endif

#endif /* PARKLANE_RECORDER_H */
