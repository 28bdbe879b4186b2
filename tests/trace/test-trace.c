/* test-trace.c: makes the bytes of a trace, event by event, for tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "test-trace.h"

#include <glib/gstdio.h>
#include <string.h>

#include "pl-loader.h"
#include "pl-trace-error.h"
#include "recorder/trc.h"

typedef struct
{
  const char *name;
  const char *fields[6];
  const char *types;
} Schema;

enum
{
  POLL_START, POLL_END, PARK, UNPARK, SPAWN, TERMINATE, QUEUE, CLOCK, METADATA, GAP, BEAT, N_SCHEMAS,
};

static const Schema schemas[N_SCHEMAS] = {
  [POLL_START] = { "PollStartEvent", { "worker_id", "local_queue", "task_id", "spawn_loc" }, "\x09\x0b\x09\x07" },
  [POLL_END] = { "PollEndEvent", { "worker_id" }, "\x09" },
  [PARK] = { "WorkerParkEvent", { "worker_id", "local_queue", "cpu_time_ns", "tid" }, "\x09\x0b\x09\x0d" },
  [UNPARK] = { "WorkerUnparkEvent", { "worker_id", "local_queue", "cpu_time_ns", "sched_wait_ns", "tid" },
               "\x09\x0b\x09\x89\x0d" },
  [SPAWN] = { "TaskSpawnEvent", { "task_id", "spawn_loc", "instrumented" }, "\x09\x07\x03" },
  [TERMINATE] = { "TaskTerminateEvent", { "task_id" }, "\x09" },
  [QUEUE] = { "RuntimeMetricsEvent", { "runtime_name", "global_queue_depth", "alive_tasks" }, "\x07\x0d\x0d" },
  [CLOCK] = { "ClockSyncEvent", { "realtime_ns" }, "\x09" },
  [METADATA] = { "SegmentMetadataEvent", { "entries" }, "\x0a" },
  [GAP] = { "ParklaneGapEvent", { "from_ns", "to_ns", "dropped", "worker_id", "tid", "cause" },
            "\x09\x09\x09\x09\x0d\x07" },
  [BEAT] = { "ParklaneHeartbeatEvent", { "events", "dropped", "bytes", "health" }, "\x09\x09\x09\x07" },
};

struct _TestTrace
{
  GByteArray *bytes;
  guint64 base;
  guint8 local_queue;
  gboolean has_schema[N_SCHEMAS];
  GHashTable *strings;  /* text → id + 1 in the batch */
  GHashTable *customs;  /* name → type id */
};

static void
put (TestTrace *self, const void *bytes, gsize size)
{
  g_byte_array_append (self->bytes, bytes, (guint) size);
}

static void
put_u8 (TestTrace *self, guint8 value)
{
  put (self, &value, 1);
}

static void
put_u16 (TestTrace *self, guint16 value)
{
  guint8 bytes[2];

  trc_write_u16 (bytes, value);
  put (self, bytes, 2);
}

static void
put_u32 (TestTrace *self, guint32 value)
{
  guint8 bytes[4];

  trc_write_u32 (bytes, value);
  put (self, bytes, 4);
}

static void
put_varint (TestTrace *self, guint64 value)
{
  guint8 bytes[TRC_MAX_VARINT_SIZE];

  put (self, bytes, (gsize) (trc_write_varint (bytes, value) - bytes));
}

static void
put_text (TestTrace *self, const char *text)
{
  put_u32 (self, (guint32) strlen (text));
  put (self, text, strlen (text));
}

static void
put_schema (TestTrace *self, guint16 type_id, const char *name, const char *const *fields, const char *types)
{
  put_u8 (self, TRC_TAG_SCHEMA);
  put_u16 (self, type_id);
  put_u16 (self, (guint16) strlen (name));
  put (self, name, strlen (name));
  put_u8 (self, 1);
  put_u16 (self, (guint16) strlen (types));
  for (gsize i = 0; types[i] != '\0'; i++)
    {
      put_u16 (self, (guint16) strlen (fields[i]));
      put (self, fields[i], strlen (fields[i]));
      put_u8 (self, (guint8) types[i]);
    }
}

static void
begin_event (TestTrace *self, guint16 type_id, gint64 at_ns)
{
  guint8 delta[3];

  if ((guint64) at_ns < self->base || (guint64) at_ns - self->base > TRC_MAX_DELTA)
    test_trace_reset (self, (guint64) at_ns);
  put_u8 (self, TRC_TAG_EVENT);
  put_u16 (self, type_id);
  trc_write_u24 (delta, (guint32) ((guint64) at_ns - self->base));
  put (self, delta, 3);
  self->base = (guint64) at_ns;
}

static void
begin_known (TestTrace *self, guint type, gint64 at_ns)
{
  if (!self->has_schema[type])
    put_schema (self, (guint16) type, schemas[type].name, schemas[type].fields, schemas[type].types);
  self->has_schema[type] = TRUE;
  begin_event (self, (guint16) type, at_ns);
}

static guint32
pool (TestTrace *self, const char *text)
{
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (self->strings, text));

  if (id == 0)
    {
      id = g_hash_table_size (self->strings) + 1;
      g_hash_table_insert (self->strings, g_strdup (text), GUINT_TO_POINTER (id));
      put_u8 (self, TRC_TAG_STRING_POOL);
      put_u32 (self, 1);
      put_u32 (self, id - 1);
      put_text (self, text);
    }
  return id - 1;
}

/* A stream without a single byte. */
TestTrace *
test_trace_new_empty (void)
{
  TestTrace *self = g_new0 (TestTrace, 1);

  self->bytes = g_byte_array_new ();
  self->strings = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->customs = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

/* A stream that begins with a header. */
TestTrace *
test_trace_new (void)
{
  TestTrace *self = test_trace_new_empty ();

  test_trace_header (self);
  return self;
}

void
test_trace_free (TestTrace *self)
{
  g_byte_array_unref (self->bytes);
  g_hash_table_unref (self->strings);
  g_hash_table_unref (self->customs);
  g_free (self);
}

/* A header, and with it a new batch. */
void
test_trace_header (TestTrace *self)
{
  put (self, TRC_MAGIC, TRC_MAGIC_SIZE);
  put_u8 (self, TRC_VERSION);
  self->base = 0;
  memset (self->has_schema, 0, sizeof self->has_schema);
  g_hash_table_remove_all (self->strings);
  g_hash_table_remove_all (self->customs);
}

void
test_trace_bytes (TestTrace *self, const void *bytes, gsize size)
{
  put (self, bytes, size);
}

void
test_trace_reset (TestTrace *self, guint64 at_ns)
{
  guint8 bytes[8];

  put_u8 (self, TRC_TAG_RESET);
  trc_write_u64 (bytes, at_ns);
  put (self, bytes, 8);
  self->base = at_ns;
}

void
test_trace_metadata (TestTrace *self, gint64 at_ns, const char *key, const char *value)
{
  begin_known (self, METADATA, at_ns);
  put_u32 (self, 1);
  put_text (self, key);
  put_text (self, value);
}

void
test_trace_clock_sync (TestTrace *self, gint64 at_ns, guint64 wall_ns)
{
  begin_known (self, CLOCK, at_ns);
  put_varint (self, wall_ns);
}

void
test_trace_poll_start (TestTrace *self, guint64 worker, guint64 task, const char *spawn_loc, gint64 at_ns)
{
  guint32 loc = pool (self, spawn_loc);

  begin_known (self, POLL_START, at_ns);
  put_varint (self, worker);
  put_u8 (self, self->local_queue);
  put_varint (self, task);
  put_u32 (self, loc);
}

void
test_trace_poll_end (TestTrace *self, guint64 worker, gint64 at_ns)
{
  begin_known (self, POLL_END, at_ns);
  put_varint (self, worker);
}

void
test_trace_poll (TestTrace *self, guint64 worker, guint64 task, const char *spawn_loc, gint64 at_ns,
                 gint64 duration_ns)
{
  test_trace_poll_start (self, worker, task, spawn_loc, at_ns);
  test_trace_poll_end (self, worker, at_ns + duration_ns);
}

void
test_trace_park (TestTrace *self, guint64 worker, guint32 tid, gint64 at_ns)
{
  begin_known (self, PARK, at_ns);
  put_varint (self, worker);
  put_u8 (self, self->local_queue);
  put_varint (self, 1000);
  put_u32 (self, tid);
}

void
test_trace_unpark (TestTrace *self, guint64 worker, guint32 tid, gint64 at_ns)
{
  begin_known (self, UNPARK, at_ns);
  put_varint (self, worker);
  put_u8 (self, self->local_queue);
  put_varint (self, 1000);
  put_u8 (self, 0);
  put_u32 (self, tid);
}

void
test_trace_spawn (TestTrace *self, guint64 task, const char *spawn_loc, gint64 at_ns)
{
  guint32 loc = pool (self, spawn_loc);

  begin_known (self, SPAWN, at_ns);
  put_varint (self, task);
  put_u32 (self, loc);
  put_u8 (self, 1);
}

void
test_trace_terminate (TestTrace *self, guint64 task, gint64 at_ns)
{
  begin_known (self, TERMINATE, at_ns);
  put_varint (self, task);
}

void
test_trace_queue (TestTrace *self, const char *runtime, guint32 depth, guint32 alive, gint64 at_ns)
{
  guint32 name = pool (self, runtime);

  begin_known (self, QUEUE, at_ns);
  put_u32 (self, name);
  put_u32 (self, depth);
  put_u32 (self, alive);
}

/* Stands where the gap ends. */
void
test_trace_gap (TestTrace *self, const PlGap *gap)
{
  static const char *const causes[] = {
    [PL_GAP_OTHER] = "no reason at all",
    [PL_GAP_RING_FULL] = "ring full",
    [PL_GAP_OUTPUT] = "output",
    [PL_GAP_PAUSED] = "paused",
    [PL_GAP_NO_MEMORY] = "no memory",
  };
  guint32 cause = pool (self, causes[gap->cause]);

  begin_known (self, GAP, gap->to_ns);
  put_varint (self, (guint64) gap->from_ns);
  put_varint (self, (guint64) gap->to_ns);
  put_varint (self, gap->n_lost);
  put_varint (self, gap->worker);
  put_u32 (self, gap->tid);
  put_u32 (self, cause);
}

void
test_trace_heartbeat (TestTrace *self, const char *health, gint64 at_ns)
{
  guint32 word = pool (self, health);

  begin_known (self, BEAT, at_ns);
  put_varint (self, 0);
  put_varint (self, 0);
  put_varint (self, 0);
  put_u32 (self, word);
}

/* An event of a type of the application, without fields. */
void
test_trace_custom (TestTrace *self, const char *name, gint64 at_ns)
{
  guint16 type_id = (guint16) GPOINTER_TO_UINT (g_hash_table_lookup (self->customs, name));

  if (type_id == 0)
    {
      type_id = (guint16) (256 + g_hash_table_size (self->customs));
      g_hash_table_insert (self->customs, g_strdup (name), GUINT_TO_POINTER (type_id));
      put_schema (self, type_id, name, NULL, "");
    }
  begin_event (self, type_id, at_ns);
}

void
test_trace_local_queue (TestTrace *self, guint8 depth)
{
  self->local_queue = depth;
}

void
test_trace_schema (TestTrace *self, guint16 type_id, const char *name, const char *const *fields, const char *types)
{
  put_schema (self, type_id, name, fields, types);
}

/* A string pool frame with one entry. */
void
test_trace_string (TestTrace *self, guint32 id, const char *text)
{
  put_u8 (self, TRC_TAG_STRING_POOL);
  put_u32 (self, 1);
  put_u32 (self, id);
  put_text (self, text);
}

/* The head of an event of a timestamped type; its values are for the caller to add. */
void
test_trace_event (TestTrace *self, guint16 type_id, gint64 at_ns)
{
  begin_event (self, type_id, at_ns);
}

void
test_trace_u8 (TestTrace *self, guint8 value)
{
  put_u8 (self, value);
}

void
test_trace_u16 (TestTrace *self, guint16 value)
{
  put_u16 (self, value);
}

void
test_trace_u32 (TestTrace *self, guint32 value)
{
  put_u32 (self, value);
}

void
test_trace_u64 (TestTrace *self, guint64 value)
{
  guint8 bytes[8];

  trc_write_u64 (bytes, value);
  put (self, bytes, 8);
}

void
test_trace_varint (TestTrace *self, guint64 value)
{
  put_varint (self, value);
}

/* A u32 length and the bytes. */
void
test_trace_text (TestTrace *self, const char *text)
{
  put_text (self, text);
}

/* Bytes as hexadecimal digits; everything else between them is ignored. */
void
test_trace_hex (TestTrace *self, const char *digits)
{
  int high = -1;

  for (; *digits != '\0'; digits++)
    {
      int value = g_ascii_xdigit_value (*digits);

      if (value < 0)
        continue;
      if (high >= 0)
        put_u8 (self, (guint8) (high << 4 | value));
      high = high < 0 ? value : -1;
    }
  g_assert_cmpint (high, ==, -1);
}

gsize
test_trace_get_size (TestTrace *self)
{
  return self->bytes->len;
}

const guint8 *
test_trace_get_bytes (TestTrace *self)
{
  return self->bytes->data;
}

static char *directory;

const char *
test_trace_directory (void)
{
  if (directory == NULL)
    directory = g_dir_make_tmp ("parklane-test-XXXXXX", NULL);
  return directory;
}

static void
remove_tree (const char *path)
{
  g_autoptr(GDir) dir = g_dir_open (path, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *child = g_build_filename (path, name, NULL);

      if (g_file_test (child, G_FILE_TEST_IS_DIR) && !g_file_test (child, G_FILE_TEST_IS_SYMLINK))
        remove_tree (child);
      else
        g_unlink (child);
    }
  g_rmdir (path);
}

void
test_trace_cleanup (void)
{
  if (directory != NULL)
    remove_tree (directory);
  g_clear_pointer (&directory, g_free);
}

/* Without the care for power cuts that g_file_set_contents() takes. */
static void
save (const char *path, const void *bytes, gsize size)
{
  FILE *file = g_fopen (path, "wb");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* Writes the stream to a file of the scratch directory. Returns its path. */
char *
test_trace_save (TestTrace *self, const char *name)
{
  char *path = g_build_filename (test_trace_directory (), name, NULL);

  save (path, self->bytes->data, self->bytes->len);
  return path;
}

PlTrace *
test_trace_load_paths (const char *const *paths, guint n_threads)
{
  g_autoptr(GError) error = NULL;
  PlTrace *trace = pl_loader_load (paths, n_threads, NULL, &error);

  g_assert_no_error (error);
  g_assert_true (pl_trace_is_complete (trace));
  return trace;
}

PlTrace *
test_trace_load_path (const char *path)
{
  const char *const paths[] = { path, NULL };

  return test_trace_load_paths (paths, 1);
}

/* Loads bytes that need not be a trace. */
PlTrace *
test_trace_load_bytes (const void *bytes, gsize size)
{
  g_autofree char *path = g_build_filename (test_trace_directory (), "bytes.bin", NULL);

  save (path, bytes, size);
  return test_trace_load_path (path);
}

PlTrace *
test_trace_load (TestTrace *self)
{
  g_autofree char *path = test_trace_save (self, "stream.bin");

  return test_trace_load_path (path);
}

const PlTraceFile *
test_trace_get_file (PlTrace *trace, guint index)
{
  guint n;
  const PlTraceFile *files = pl_trace_get_files (trace, &n);

  g_assert_cmpuint (index, <, n);
  return &files[index];
}

/* How many events of that schema name there are. */
guint64
test_trace_count (PlTrace *trace, const char *event)
{
  guint n;
  const PlEventCount *counts = pl_trace_get_event_counts (trace, &n);

  for (guint i = 0; i < n; i++)
    if (strcmp (counts[i].name, event) == 0)
      return counts[i].count;
  return 0;
}

/* The first file broke off there, which its message says together with its name. */
void
test_trace_assert_fault (PlTrace *trace, int code, guint64 offset)
{
  const PlTraceFile *file = test_trace_get_file (trace, 0);
  g_autofree char *place = g_strdup_printf ("byte %" G_GUINT64_FORMAT, offset);

  g_assert_error (file->error, PL_TRACE_ERROR, code);
  g_assert_cmpuint (file->error_offset, ==, offset);
  g_assert_nonnull (strstr (file->error->message, file->path));
  g_assert_nonnull (strstr (file->error->message, place));
  g_assert_true (pl_trace_has_losses (trace));
}
