/* fuzz-index.c: an index whose checksum is right is not believed, or gives a trace that does not contradict itself
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first byte of the input chooses a trace. The rest changes the words of its index, one after the other: an operation,
 * the word (16 bits) and a value (64 bits), little endian; the checksum is then made right.
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "check-trace.h"
#include "fuzz-target.h"
#include "hostile-index.h"
#include "pl-detail.h"
#include "pl-report.h"
#include "test-packing.h"
#include "test-trace.h"

enum
{
  SET,
  SET_LOW,
  SET_HIGH,
  SET_BYTE,
  ADD,
  COPY,
  CUT,
  N_OPERATIONS,
};

#define OPERATION_SIZE 11
#define N_INDICES 3

static HostileIndex *indices[N_INDICES];

static char *directory;

static void
remove_directory (void)
{
  const char *const command[] = { "rm", "-rf", directory, NULL };

  g_spawn_sync (NULL, (char **) command, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

/* In memory where that can be had, as the index is written anew for each input. */
static void
make_directory (void)
{
  const char *parent = access ("/dev/shm", W_OK) == 0 ? "/dev/shm" : g_get_tmp_dir ();

  directory = g_build_filename (parent, "parklane-fuzz-XXXXXX", NULL);
  g_assert_nonnull (g_mkdtemp (directory));
  atexit (remove_directory);
  g_setenv ("XDG_CACHE_HOME", directory, TRUE);
}

/* Every part that an index has: two batches, tasks, queues, a gap, a wide duration, silences, what is open. */
static TestTrace *
make_trace (void)
{
  TestTrace *trace = test_trace_new ();
  gint64 at = 1000000;

  test_trace_metadata (trace, at, "service", "index");
  test_trace_clock_sync (trace, at, G_GUINT64_CONSTANT (1700000000000000000));
  for (guint i = 0; i < 300; i++)
    {
      if (i == 150)
        test_trace_header (trace);
      test_trace_spawn (trace, i + 1, "spawn.rs:1:1", at);
      test_trace_poll (trace, i % 2, i + 1, i % 3 ? "a.rs:1:1" : "b.rs:2:2", at, i % 31 == 0 ? 2000000 : 700);
      at += i % 31 == 0 ? 2001000 : 1000;
      test_trace_park (trace, i % 2, 7 + i % 2, at);
      test_trace_unpark (trace, i % 2, 7 + i % 2, at + (i == 70 ? G_GINT64_CONSTANT (5000000000) : 100));
      at += i == 70 ? G_GINT64_CONSTANT (5000000100) : i == 200 ? 300000000 : 200;
      if (i % 50 == 0)
        test_trace_queue (trace, "main", i, 3, at);
    }
  test_trace_gap (trace, &(PlGap) { at, at + 1000, 12, 1, 8, PL_GAP_RING_FULL });
  test_trace_poll_start (trace, 0, 1, "open.rs:1:1", at + 1000);
  return trace;
}

/* A worker that passes from thread to thread in a poll: its blocks are kept in full, with a poll beside them. */
static TestTrace *
make_hand_over (void)
{
  TestTrace *trace = test_trace_new ();

  test_trace_park (trace, 1, 7, 1000);
  test_trace_unpark (trace, 1, 7, 2000);
  test_trace_poll (trace, 1, 2, "short.rs:1:1", 2500, 100);
  test_trace_poll_start (trace, 1, 3, "blocking.rs:1:1", 3000);
  test_trace_poll_end (trace, 1, 900000);
  test_trace_header (trace);
  for (guint i = 0; i < 40; i++)
    {
      test_trace_poll (trace, 1, i + 10, "other.rs:1:1", 10000 + 1000 * i, 400);
      test_trace_park (trace, 1, 8, 10500 + 1000 * i);
      test_trace_unpark (trace, 1, 8, 10600 + 1000 * i);
    }
  return trace;
}

static HostileIndex *
index_trace (const char *name, const guint8 *bytes, gsize size)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  g_autoptr(GError) error = NULL;

  g_file_set_contents (path, (const char *) bytes, (gssize) size, &error);
  g_assert_no_error (error);
  return hostile_index_new (path);
}

static void
set_up (void)
{
  g_autoptr(TestTrace) trace = make_trace ();
  g_autoptr(TestTrace) hand_over = make_hand_over ();
  g_autoptr(GByteArray) packed = g_byte_array_new ();
  const guint8 *bytes = test_trace_get_bytes (trace);
  gsize size = test_trace_get_size (trace);

  make_directory ();
  test_packing_append_zstd (packed, bytes, size / 2);
  test_packing_append_zstd (packed, bytes + size / 2, size - size / 2);
  indices[0] = index_trace ("raw.bin", bytes, size);
  indices[1] = index_trace ("hand-over.bin", test_trace_get_bytes (hand_over), test_trace_get_size (hand_over));
  indices[2] = index_trace ("packed.bin.zst", packed->data, packed->len);
}

static guint64
take (const guint8 *bytes, guint n)
{
  guint64 value = 0;

  for (guint i = n; i > 0; i--)
    value = value << 8 | bytes[i - 1];
  return value;
}

static guint64
replace (guint64 old, guint64 mask, guint64 value)
{
  return (old & ~mask) | (value & mask);
}

static void
change (HostileIndex *index, guint operation, guint place, guint64 value)
{
  guint n_words = hostile_index_n_words (index);
  guint word = place % n_words;
  guint64 old = hostile_index_get (index, word);

  switch (operation)
    {
    case SET:
      hostile_index_set (index, word, value);
      break;
    case SET_LOW:
      hostile_index_set (index, word, replace (old, G_MAXUINT32, value));
      break;
    case SET_HIGH:
      hostile_index_set (index, word, replace (old, ~(guint64) G_MAXUINT32, value << 32));
      break;
    case SET_BYTE:
      hostile_index_set (index, word, replace (old, (guint64) 0xff << value / 256 % 8 * 8,
                                               (value & 0xff) << value / 256 % 8 * 8));
      break;
    case ADD:
      hostile_index_set (index, word, old + value);
      break;
    case COPY:
      hostile_index_set (index, word, hostile_index_get (index, (guint) (value % n_words)));
      break;
    case CUT:
    default:
      hostile_index_cut (index, word);
      break;
    }
}

/* What the file really says may be anything else, so that figures need not agree with each other. */
static void
check_detail (PlTrace *trace)
{
  g_autoptr(PlTrace) sharp = pl_detail_sharpen (trace, pl_trace_get_start_ns (trace), pl_trace_get_end_ns (trace) + 1,
                                                100000, 1024 * 1024, NULL);
  g_autoptr(PlReport) report = pl_report_new (trace, 1000);

  g_assert_nonnull (report);
  check_snapshot (sharp);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr(PlTrace) trace = NULL;
  HostileIndex *index;

  if (indices[0] == NULL)
    set_up ();
  if (size == 0)
    return 0;
  index = indices[bytes[0] % N_INDICES];
  hostile_index_reset (index);
  for (gsize at = 1; at + OPERATION_SIZE <= size; at += OPERATION_SIZE)
    change (index, bytes[at] % N_OPERATIONS, (guint) take (bytes + at + 1, 2), take (bytes + at + 3, 8));
  trace = hostile_index_recall (index);
  if (trace == NULL)
    return 0;
  check_snapshot (trace);
  check_detail (trace);
  return 0;
}
