/* test-compress.c: sealed segments: compressed, synced, and there exactly once
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "compress.h"
#include "encoder.h"
#include "io.h"
#include "parklane-recorder.h"
#include "store.h"
#include "recording.h"
#include "trace-reader.h"

#define SEEK_FOOTER_SIZE 9

typedef struct
{
  char *dir;
  ParklaneConfig config;
  PlrIo io;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("parklane-compress-XXXXXX", NULL);
  fixture->io = plr_io;
  init_config (&fixture->config, fixture->dir);
  fixture->config.compress = PARKLANE_COMPRESS_ZSTD;
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  plr_io = fixture->io;
  remove_tree (fixture->dir);
  g_free (fixture->dir);
}

static char *
path_of (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->dir, name, NULL);
}

static void
put (Fixture *fixture, const char *name, const void *content, gsize size)
{
  g_autofree char *path = path_of (fixture, name);

  g_assert_true (g_file_set_contents (path, content, (gssize) size, NULL));
}

static GBytes *
get (Fixture *fixture, const char *name)
{
  g_autofree char *path = path_of (fixture, name);
  char *content;
  gsize size;

  g_assert_true (g_file_get_contents (path, &content, &size, NULL));
  return g_bytes_new_take (content, size);
}

static gboolean
exists (Fixture *fixture, const char *name)
{
  g_autofree char *path = path_of (fixture, name);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

/* Decodes one file from its beginning to its end, as `zstd -d` does. */
static GByteArray *
unpack (GBytes *packed)
{
  GByteArray *raw = g_byte_array_new ();
  ZSTD_DStream *stream = ZSTD_createDStream ();
  guint8 buffer[65536];
  ZSTD_inBuffer in = { .pos = 0 };
  size_t left = 0;

  in.src = g_bytes_get_data (packed, &in.size);
  while (in.pos < in.size)
    {
      ZSTD_outBuffer out = { buffer, sizeof buffer, 0 };

      left = ZSTD_decompressStream (stream, &out, &in);
      g_assert_false (ZSTD_isError (left));
      g_byte_array_append (raw, buffer, (guint) out.pos);
    }
  while (left > 0)
    {
      ZSTD_outBuffer out = { buffer, sizeof buffer, 0 };
      size_t before = left;

      left = ZSTD_decompressStream (stream, &out, &in);
      g_assert_false (ZSTD_isError (left) || (left == before && out.pos == 0));
      g_byte_array_append (raw, buffer, (guint) out.pos);
    }
  ZSTD_freeDStream (stream);
  return raw;
}

/* Batches of so many events each. */
static GByteArray *
make_batches (const guint *counts, guint n)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (7);
  PlrEncoder *encoder = plr_encoder_new ();
  GByteArray *bytes = g_byte_array_new ();
  guint64 time_ns = 1000;

  for (guint i = 0; i < n; i++)
    {
      plr_encoder_begin_batch (encoder);
      for (guint j = 0; j < counts[i]; j++)
        {
          PlrEvent event = { .time_ns = time_ns += g_rand_int_range (rand, 1, 9000),
                             .word = plr_event_word (PLR_EVENT_TASK_TERMINATE, 0, 1, 0),
                             .payload = g_rand_int (rand) % 512 };

          plr_encoder_event (encoder, &event);
          if (plr_encoder_get_size (encoder) < 100000 && j + 1 < counts[i])
            continue;
          g_byte_array_append (bytes, plr_encoder_get_data (encoder), (guint) plr_encoder_get_size (encoder));
          plr_encoder_reset_buffer (encoder);
        }
    }
  plr_encoder_free (encoder);
  return bytes;
}

static PlrFile
open_file (Fixture *fixture, const char *name, int flags)
{
  g_autofree char *path = path_of (fixture, name);
  PlrFile file;

  g_assert_cmpint (plr_file_identify (&file, open (path, flags | O_CLOEXEC, 0600)), ==, 0);
  return file;
}

static int
compress_file (Fixture *fixture, guint64 limit, gboolean is_cancelled, guint64 *out_size)
{
  PlrFile in = open_file (fixture, "raw", O_RDONLY);
  PlrFile out = open_file (fixture, "packed", O_RDWR | O_CREAT | O_TRUNC);
  atomic_bool cancelled = is_cancelled;
  int r;

  r = plr_compress (&in, &out, PLR_COMPRESS_THOROUGH, limit, &cancelled, out_size);
  close (in.fd);
  close (out.fd);
  return r;
}

static guint32
get_u32 (const guint8 *p)
{
  return p[0] | (guint32) p[1] << 8 | (guint32) p[2] << 16 | (guint32) p[3] << 24;
}

/* Two small batches share the first frame with a long one; each later frame is a batch. */
static void
test_each_frame_stands_alone (Fixture *fixture, gconstpointer data)
{
  static const guint counts[] = { 10, 20, 150000, 140000, 160000, 3 };
  g_autoptr(GByteArray) raw = make_batches (counts, G_N_ELEMENTS (counts));
  g_autoptr(GByteArray) unpacked = NULL;
  g_autoptr(GBytes) packed = NULL;
  const guint8 *bytes;
  const guint8 *table;
  guint64 written = 0;
  gsize raw_offset = 0;
  gsize offset = 0;
  guint n_events = 0;
  guint n_frames;
  gsize size;

  put (fixture, "raw", raw->data, raw->len);
  g_assert_cmpint (compress_file (fixture, G_MAXUINT64, FALSE, &written), ==, 0);
  packed = get (fixture, "packed");
  bytes = g_bytes_get_data (packed, &size);
  g_assert_cmpuint (written, ==, size);

  g_assert_cmphex (get_u32 (bytes + size - 4), ==, 0x8F92EAB1);
  g_assert_cmpuint (bytes[size - 5], ==, 0);
  n_frames = get_u32 (bytes + size - SEEK_FOOTER_SIZE);
  g_assert_cmpuint (n_frames, ==, 4);
  table = bytes + size - SEEK_FOOTER_SIZE - 8 * n_frames;
  g_assert_cmphex (get_u32 (table - 8), ==, 0x184D2A5E);
  g_assert_cmpuint (get_u32 (table - 4), ==, 8 * n_frames + SEEK_FOOTER_SIZE);

  for (guint i = 0; i < n_frames; i++)
    {
      guint32 packed_size = get_u32 (table + 8 * i);
      guint32 raw_size = get_u32 (table + 8 * i + 4);
      g_autofree guint8 *frame = g_malloc (raw_size);
      g_autoptr(Trace) trace = NULL;

      g_assert_cmpuint (ZSTD_getFrameContentSize (bytes + offset, packed_size), ==, raw_size);
      g_assert_cmpuint (ZSTD_decompress (frame, raw_size, bytes + offset, packed_size), ==, raw_size);
      g_assert_cmpmem (frame, raw_size, raw->data + raw_offset, raw_size);
      trace = trace_read (frame, raw_size, FALSE);
      g_assert_cmpuint (trace->n_batches, ==, i == 0 ? 3 : 1);
      n_events += trace->events->len;
      offset += packed_size;
      raw_offset += raw_size;
    }
  g_assert_true (bytes + offset == table - 8);
  g_assert_cmpuint (n_events, ==, 10 + 20 + 150000 + 140000 + 160000 + 3);

  unpacked = unpack (packed);
  g_assert_cmpmem (unpacked->data, unpacked->len, raw->data, raw->len);
}

static void
test_says_why_not (Fixture *fixture, gconstpointer data)
{
  static const guint counts[] = { 1000 };
  g_autoptr(GByteArray) raw = make_batches (counts, G_N_ELEMENTS (counts));
  guint64 size = 0;

  put (fixture, "raw", raw->data, raw->len);
  g_assert_cmpint (compress_file (fixture, 100, FALSE, &size), ==, -E2BIG);
  g_assert_cmpint (compress_file (fixture, G_MAXUINT64, TRUE, &size), ==, -ECANCELED);
  put (fixture, "raw", "not a trace", 11);
  g_assert_cmpint (compress_file (fixture, G_MAXUINT64, FALSE, &size), ==, -EPROTO);
  g_assert_cmpuint (size, ==, 0);
}

/* What an interrupted compression leaves: the raw segment is the whole one. */
static void
test_start_keeps_the_whole_one (Fixture *fixture, gconstpointer data)
{
  static const guint counts[] = { 1000 };
  g_autoptr(GByteArray) raw = make_batches (counts, G_N_ELEMENTS (counts));
  g_autofree char *files = NULL;
  PlrStore *store;

  put (fixture, "app.2.bin.zst", raw->data, 50);
  put (fixture, "app.3.bin", raw->data, raw->len);
  put (fixture, "app.3.bin.zst", raw->data, 100);
  put (fixture, "app.4.bin", raw->data, raw->len);
  put (fixture, "app.4.bin.zst.tmp", raw->data, 100);
  put (fixture, "app.5.bin.zst.tmp", raw->data, 100);
  put (fixture, "app.5.bin.zst.tmp2", raw->data, 100);
  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", 1 << 20, NULL), ==, 0);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.2.bin.zst app.3.bin app.4.bin app.5.bin.zst.tmp2 app.lock");
  g_assert_cmpuint (plr_store_get_sealed_bytes (store), ==, 50 + 2 * raw->len);
  plr_store_close (store);
}

static guint64
get_usage (Fixture *fixture)
{
  g_autofree char *list = list_directory (fixture->dir);
  g_auto(GStrv) names = g_strsplit (list, " ", -1);
  guint64 bytes = 0;

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr(GBytes) content = get (fixture, names[i]);

      bytes += g_bytes_get_size (content);
    }
  return bytes;
}

/* The file that is compressed to takes its place before it is written, at the cost of the oldest segments. */
static void
test_budget_counts_what_is_being_compressed (Fixture *fixture, gconstpointer data)
{
  static const guint counts[] = { 6000 };
  g_autoptr(GByteArray) raw = make_batches (counts, G_N_ELEMENTS (counts));
  const guint64 budget = 5 * raw->len;
  g_autofree char *files = NULL;
  PlrFinisher finisher;
  PlrStore *store;

  for (guint i = 0; i < 4; i++)
    {
      g_autofree char *name = g_strdup_printf ("app.%u.bin", i + 8);

      put (fixture, name, raw->data, raw->len);
    }
  g_assert_cmpint (plr_finisher_start (&finisher), ==, 0);
  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", budget, NULL), ==, 0);
  plr_store_set_finisher (store, &finisher, true);

  while (exists (fixture, "app.9.bin"))
    {
      g_assert_cmpint (plr_store_finish (store, raw->len), ==, 0);
      g_assert_cmpuint (get_usage (fixture) + raw->len, <=, budget);
    }
  plr_finisher_stop (&finisher);
  g_assert_cmpint (plr_store_finish_last (store), ==, 0);
  g_assert_cmpuint (plr_store_get_sealed_bytes (store), ==, get_usage (fixture));
  plr_store_close (store);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.10.bin.zst app.11.bin.zst app.9.bin.zst app.lock");
}

static void
record (ParklaneRecorder *recorder, guint n_polls)
{
  for (guint i = 0; i < n_polls; i++)
    {
      parklane_poll_start (i % 100, 0, 0);
      parklane_poll_end ();
    }
  g_assert_cmpint (parklane_recorder_flush (recorder), ==, 0);
}

static guint64
count_polls (const guint8 *bytes, gsize size)
{
  g_autoptr(Trace) trace = trace_read (bytes, size, FALSE);

  return trace_count (trace, "PollEndEvent");
}

/* Waits for a file's coming or going; the test's own deadline ends a wait in vain. */
static void
await_file (Fixture *fixture, const char *name, gboolean is_there)
{
  while (exists (fixture, name) != is_there)
    g_usleep (1000);
}

static void
test_session_compresses_what_it_seals (Fixture *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = NULL;
  g_autoptr(GByteArray) raw = NULL;
  g_autoptr(GBytes) packed = NULL;
  g_autoptr(GBytes) rest = NULL;
  g_autofree char *files = NULL;

  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, 0);
  record (recorder, 2000);
  parklane_recorder_rotate (recorder);
  await_file (fixture, "app.0.bin.zst", TRUE);
  await_file (fixture, "app.0.bin", FALSE);
  record (recorder, 300);
  packed = get (fixture, "app.0.bin.zst");
  g_assert_cmpuint (get_metrics ().compressed_bytes_total, ==, g_bytes_get_size (packed));
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin.zst app.1.bin app.lock");
  raw = unpack (packed);
  rest = get (fixture, "app.1.bin");
  g_assert_cmpuint (count_polls (raw->data, raw->len), ==, 2000);
  g_assert_cmpuint (count_polls (g_bytes_get_data (rest, NULL), g_bytes_get_size (rest)), ==, 300);
}

static void
test_next_session_compresses_what_was_left (Fixture *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = NULL;
  g_autoptr(GByteArray) unpacked = NULL;
  g_autoptr(Trace) from_packed = NULL;
  g_autoptr(Trace) from_raw = NULL;
  g_autoptr(GBytes) packed = NULL;
  g_autofree char *path = path_of (fixture, "app.0.bin");

  fixture->config.compress = PARKLANE_COMPRESS_NONE;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, 0);
  record (recorder, 2000);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);
  from_raw = trace_read_file (path, FALSE);

  fixture->config.compress = PARKLANE_COMPRESS_ZSTD;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, 0);
  await_file (fixture, "app.0.bin", FALSE);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);

  packed = get (fixture, "app.0.bin.zst");
  unpacked = unpack (packed);
  from_packed = trace_read (unpacked->data, unpacked->len, FALSE);
  trace_assert_same_events (from_packed, from_raw);
}

static _Atomic guint n_refused;

static ssize_t
pwrite_without_room_to_compress (int fd, const void *data, size_t size, off_t offset)
{
  g_autofree char *link = g_strdup_printf ("/proc/self/fd/%d", fd);
  char target[1024] = "";

  if (readlink (link, target, sizeof target - 1) > 0 && g_str_has_suffix (target, ".zst.tmp"))
    {
      n_refused++;
      errno = ENOSPC;
      return -1;
    }
  return pwrite (fd, data, size, offset);
}

static void
test_full_disk_leaves_the_raw_segment (Fixture *fixture, gconstpointer data)
{
  ParklaneRecorder *recorder = NULL;
  g_autofree char *files = NULL;
  g_autoptr(GBytes) raw = NULL;

  n_refused = 0;
  plr_io.pwrite = pwrite_without_room_to_compress;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, 0);
  record (recorder, 2000);
  parklane_recorder_rotate (recorder);
  while (n_refused == 0)
    g_usleep (1000);
  await_file (fixture, "app.0.bin.zst.tmp", FALSE);
  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 1);
  record (recorder, 10);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, 0);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin app.1.bin app.lock");
  raw = get (fixture, "app.0.bin");
  g_assert_cmpuint (count_polls (g_bytes_get_data (raw, NULL), g_bytes_get_size (raw)), ==, 2000);
}

static int
fdatasync_that_fails (int fd)
{
  errno = EIO;
  return -1;
}

static void
test_failed_sync_is_told (Fixture *fixture, gconstpointer data)
{
  guint64 n_errors = get_metrics ().errors_total;
  ParklaneRecorder *recorder = NULL;
  g_autofree char *files = NULL;

  fixture->config.compress = PARKLANE_COMPRESS_NONE;
  plr_io.fdatasync = fdatasync_that_fails;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &recorder), ==, 0);
  record (recorder, 100);
  parklane_recorder_rotate (recorder);
  while (get_metrics ().errors_total == n_errors)
    g_usleep (1000);
  record (recorder, 100); /* goes on */
  g_assert_cmpuint (get_metrics ().writer_healthy, ==, 1);
  g_assert_cmpint (parklane_recorder_stop (recorder), ==, -EIO);

  files = list_directory (fixture->dir);
  g_assert_cmpstr (files, ==, "app.0.bin app.1.bin app.lock");
}

static GPid
start_demo (Fixture *fixture)
{
  g_autofree char *demo = g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), "recorder", "demo", "parklane-demo", NULL);
  const char *argv[] = { demo, "--output", fixture->dir, "--prefix", "app", "--rate", "200000", "--seconds", "60", NULL };
  const GSpawnFlags flags = G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
  g_auto(GStrv) environment = g_get_environ ();
  g_autoptr(GError) error = NULL;
  GPid pid;

  environment = g_environ_setenv (environment, "PARKLANE_COMPRESS", "zst", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_MAX_FILE_SIZE", "200000", TRUE);
  environment = g_environ_setenv (environment, "PARKLANE_ROTATION_COUNT", "1000", TRUE);
  g_assert_true (g_spawn_async (NULL, (char **) argv, environment, flags, NULL, NULL, &pid, &error));
  g_assert_no_error (error);
  return pid;
}

static guint
count_packed (Fixture *fixture)
{
  g_autofree char *list = list_directory (fixture->dir);
  g_auto(GStrv) names = g_strsplit (list, " ", -1);
  guint n = 0;

  for (guint i = 0; names[i] != NULL; i++)
    n += g_str_has_suffix (names[i], ".bin.zst");
  return n;
}

static void
assert_each_once (Fixture *fixture)
{
  g_autofree char *list = list_directory (fixture->dir);
  g_auto(GStrv) names = g_strsplit (list, " ", -1);
  g_autoptr(GHashTable) seen = g_hash_table_new (NULL, NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autoptr(GByteArray) raw = NULL;
      g_autoptr(Trace) trace = NULL;
      g_autoptr(GBytes) bytes = NULL;
      PlrFileKind kind;
      guint32 index;

      if (g_str_equal (names[i], "app.lock"))
        continue;
      g_assert_true (plr_store_parse_name ("app", names[i], &index, &kind));
      g_assert_true (kind == PLR_FILE_SEALED || kind == PLR_FILE_ZSTD);
      g_assert_true (g_hash_table_add (seen, GUINT_TO_POINTER (index)));
      bytes = get (fixture, names[i]);
      raw = kind == PLR_FILE_ZSTD ? unpack (bytes) : g_bytes_unref_to_array (g_bytes_ref (bytes));
      trace = trace_read (raw->data, raw->len, FALSE);
      g_assert_cmpuint (trace->n_batches, >, 0);
    }
}

static void
test_killed_again_and_again (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GRand) rand = g_rand_new_with_seed (10);
  PlrStore *store;

  for (guint i = 0; i < 12; i++)
    {
      guint n_packed = count_packed (fixture);
      GPid pid = start_demo (fixture);

      while (count_packed (fixture) == n_packed)
        g_usleep (1000);
      g_usleep (g_rand_int_range (rand, 0, 50000)); /* somewhere in the next one or two */
      g_assert_cmpint (kill (pid, SIGKILL), ==, 0);
      g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
    }
  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", G_MAXINT64, NULL), ==, 0);
  plr_store_close (store);
  assert_each_once (fixture);
}

#define ADD(name, func) g_test_add ("/recorder/compress/" name, Fixture, NULL, set_up, func, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("each-frame-stands-alone", test_each_frame_stands_alone);
  ADD ("says-why-not", test_says_why_not);
  ADD ("start-keeps-the-whole-one", test_start_keeps_the_whole_one);
  ADD ("budget-counts-what-is-being-compressed", test_budget_counts_what_is_being_compressed);
  ADD ("session-compresses-what-it-seals", test_session_compresses_what_it_seals);
  ADD ("next-session-compresses-what-was-left", test_next_session_compresses_what_was_left);
  ADD ("full-disk-leaves-the-raw-segment", test_full_disk_leaves_the_raw_segment);
  ADD ("failed-sync-is-told", test_failed_sync_is_told);
  ADD ("killed-again-and-again", test_killed_again_and_again);
  return g_test_run ();
}
