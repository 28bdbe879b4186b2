/* test-source.c: raw, gzip and zstd files in all the forms that people make of them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>
#include <zstd.h>

#include "pl-seek-table.h"
#include "pl-trace-error.h"
#include "test-packing.h"
#include "test-trace.h"

#define N_POLLS 3000

/* A stream of polls that begin at @from_ns. */
static TestTrace *
new_part (gint64 from_ns)
{
  TestTrace *bytes = test_trace_new ();

  for (guint i = 0; i < N_POLLS; i++)
    test_trace_poll (bytes, i % 3, i, "a.rs:1:1", from_ns + (gint64) i * 1000, 500);
  return bytes;
}

static void
append_u32 (GByteArray *out, guint32 value)
{
  guint32 le = GUINT32_TO_LE (value);

  g_byte_array_append (out, (const guint8 *) &le, 4);
}

/* A skippable frame with the footer of the seekable format: entries of compressed and raw size, as claimed. */
static void
append_seek_table (GByteArray *out, guint32 claimed, guint n, const guint32 *sizes)
{
  append_u32 (out, 0x184d2a5e);
  append_u32 (out, n * 8 + 9);
  for (guint i = 0; i < n * 2; i++)
    append_u32 (out, sizes[i]);
  append_u32 (out, claimed);
  g_byte_array_append (out, (const guint8 *) "", 1);
  append_u32 (out, 0x8f92eab1);
}

static PlTrace *
load (GByteArray *bytes)
{
  return test_trace_load_bytes (bytes->data, bytes->len);
}

static void
assert_polls (PlTrace *trace, PlTraceFormat format, guint64 n_polls)
{
  g_assert_no_error (test_trace_get_file (trace, 0)->error);
  g_assert_cmpint (test_trace_get_file (trace, 0)->format, ==, format);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, n_polls);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 0);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->total_ns, ==, (gint64) n_polls * 500);
}

static void
test_gzip_of_many_members (void)
{
  g_autoptr(TestTrace) first = new_part (1000);
  g_autoptr(TestTrace) second = new_part (100000000);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  gsize half = test_trace_get_size (second) / 2;
  g_autoptr(PlTrace) trace = NULL;

  /* The border of members need not be one of frames, and a member may be empty. */
  test_packing_append_gzip (bytes, test_trace_get_bytes (first), test_trace_get_size (first));
  test_packing_append_gzip (bytes, NULL, 0);
  test_packing_append_gzip (bytes, test_trace_get_bytes (second), half);
  test_packing_append_gzip (bytes, test_trace_get_bytes (second) + half, test_trace_get_size (second) - half);
  g_byte_array_append (bytes, (const guint8 *) "\0\0\0\0\0\0\0\0", 8); /* padding */
  trace = load (bytes);

  assert_polls (trace, PL_TRACE_FORMAT_GZIP, 2 * N_POLLS);
  g_assert_cmpuint (test_trace_get_file (trace, 0)->raw_bytes, ==,
                    test_trace_get_size (first) + test_trace_get_size (second));
}

static void
test_zstd_of_many_frames (void)
{
  g_autoptr(TestTrace) part = new_part (1000);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  gsize size = test_trace_get_size (part);
  g_autoptr(PlTrace) trace = NULL;

  append_seek_table (bytes, 0, 0, NULL); /* a skippable frame first */
  for (gsize at = 0; at < size; at += 1000)
    test_packing_append_zstd (bytes, test_trace_get_bytes (part) + at, MIN (1000, size - at));
  test_packing_append_zstd (bytes, NULL, 0);
  append_seek_table (bytes, 0, 0, NULL);
  trace = load (bytes);

  assert_polls (trace, PL_TRACE_FORMAT_ZSTD, N_POLLS);
}

/* H04: the table at the end of two files put together tells only of the second. */
static void
test_concatenated_seekable_zstd (void)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(GError) error = NULL;

  for (gint64 i = 0; i < 2; i++)
    {
      g_autoptr(TestTrace) part = new_part (1000 + i * 100000000);
      guint before = bytes->len;
      guint32 sizes[2];

      test_packing_append_zstd (bytes, test_trace_get_bytes (part), test_trace_get_size (part));
      sizes[0] = bytes->len - before;
      sizes[1] = (guint32) test_trace_get_size (part);
      append_seek_table (bytes, 1, 1, sizes);
    }
  trace = load (bytes);

  assert_polls (trace, PL_TRACE_FORMAT_ZSTD, 2 * N_POLLS);
  g_assert_true (pl_seek_table_check (test_trace_get_file (trace, 0), &error));
  g_assert_no_error (error);
}

/* H05: whatever the table claims, the frames are read in order, and who asks is told. */
static void
test_hostile_seek_tables (void)
{
  static const guint32 claims[] = { 0xffffffff, 0x8000001, 0, 2, 1 };
  static const guint32 lies[] = { 0xffffffff, 0xffffffff };

  for (gsize i = 0; i < G_N_ELEMENTS (claims); i++)
    {
      g_autoptr(TestTrace) part = new_part (1000);
      g_autoptr(GByteArray) bytes = g_byte_array_new ();
      g_autoptr(PlTrace) trace = NULL;
      g_autoptr(GError) error = NULL;

      test_packing_append_zstd (bytes, test_trace_get_bytes (part), test_trace_get_size (part));
      append_seek_table (bytes, claims[i], 1, lies);
      trace = load (bytes);

      assert_polls (trace, PL_TRACE_FORMAT_ZSTD, N_POLLS);
      g_assert_false (pl_seek_table_check (test_trace_get_file (trace, 0), &error));
      g_assert_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT);
    }
}

/* H05: a table that is wrong by one byte of what a frame holds. */
static void
test_inexact_seek_table (void)
{
  for (guint32 excess = 0; excess < 2; excess++)
    {
      g_autoptr(TestTrace) part = new_part (1000);
      g_autoptr(GByteArray) bytes = g_byte_array_new ();
      g_autoptr(PlTrace) trace = NULL;
      g_autoptr(GError) error = NULL;
      guint32 sizes[2];

      test_packing_append_zstd (bytes, test_trace_get_bytes (part), test_trace_get_size (part));
      sizes[0] = bytes->len;
      sizes[1] = (guint32) test_trace_get_size (part) + excess;
      append_seek_table (bytes, 1, 1, sizes);
      trace = load (bytes);

      g_assert_true (pl_seek_table_check (test_trace_get_file (trace, 0), &error) == (excess == 0));
      g_assert_true ((error != NULL) == (excess > 0));
    }
}

static void
assert_keeps_what_came_before (GByteArray *bytes, guint cut, int code)
{
  g_autoptr(PlTrace) trace = test_trace_load_bytes (bytes->data, cut);
  const PlTraceFile *file = test_trace_get_file (trace, 0);

  g_assert_error (file->error, PL_TRACE_ERROR, code);
  g_assert_nonnull (strstr (file->error->message, "bytes.bin"));
  g_assert_nonnull (strstr (file->error->message, "byte"));
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, >=, N_POLLS);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, <, 2 * N_POLLS);
}

/* Two parts, the second broken off or damaged. */
static void
test_truncated_and_damaged (gconstpointer data)
{
  void (*append) (GByteArray *, const guint8 *, gsize) = data;
  g_autoptr(TestTrace) first = new_part (1000);
  g_autoptr(TestTrace) second = new_part (100000000);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  guint border;

  append (bytes, test_trace_get_bytes (first), test_trace_get_size (first));
  border = bytes->len;
  append (bytes, test_trace_get_bytes (second), test_trace_get_size (second));
  for (guint i = 3; i < 10; i++)
    assert_keeps_what_came_before (bytes, border + (bytes->len - border) * i / 10, PL_TRACE_ERROR_TRUNCATED);

  memset (bytes->data + border + (bytes->len - border) / 2, 0xa5, 40);
  assert_keeps_what_came_before (bytes, bytes->len, PL_TRACE_ERROR_CORRUPT);
}

static void
append_zstd_with_checksum (GByteArray *out, const guint8 *bytes, gsize size)
{
  ZSTD_CCtx *context = ZSTD_createCCtx ();

  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, 1);
  test_packing_append_frame (out, context, bytes, size);
  ZSTD_freeCCtx (context);
}

static void
test_any_byte_of_a_compressed_file (gconstpointer data)
{
  void (*append) (GByteArray *, const guint8 *, gsize) = data;
  g_autoptr(TestTrace) part = test_trace_new ();
  g_autoptr(GByteArray) bytes = g_byte_array_new ();

  test_trace_poll (part, 0, 1, "a.rs:1:1", 1000, 500);
  append (bytes, test_trace_get_bytes (part), test_trace_get_size (part));
  for (guint i = 0; i < bytes->len; i++)
    for (guint bit = 0; bit < 8; bit++)
      {
        g_autoptr(PlTrace) trace = NULL;

        bytes->data[i] ^= (guint8) (1 << bit);
        trace = load (bytes);
        g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, <=, 1);
        bytes->data[i] ^= (guint8) (1 << bit);
      }
}

/* H04: three segments, each in another form, tell what the raw concatenation tells. */
static void
test_parts_in_three_forms (void)
{
  g_autoptr(GByteArray) gzip = g_byte_array_new ();
  g_autoptr(GByteArray) zstd = g_byte_array_new ();
  g_autoptr(TestTrace) a = test_trace_new ();
  g_autoptr(TestTrace) b = test_trace_new_empty ();
  g_autoptr(TestTrace) c = test_trace_new_empty ();
  g_autoptr(TestTrace) all = test_trace_new_empty ();
  g_autoptr(TestTrace) second = test_trace_new ();
  g_autoptr(TestTrace) rest = new_part (100000000);
  g_autoptr(TestTrace) third = new_part (200000000);
  g_autofree char *a_path = NULL;
  g_autofree char *b_path = NULL;
  g_autofree char *c_path = NULL;
  g_autoptr(PlTrace) separate = NULL;
  g_autoptr(PlTrace) together = NULL;

  for (guint i = 0; i < N_POLLS; i++)
    test_trace_poll (a, i % 3, i, "a.rs:1:1", 1000 + (gint64) i * 1000, 500);
  test_trace_poll_start (a, 0, 9, "b.rs:2:2", 5000000);
  test_trace_poll_end (second, 0, 5000500);
  test_trace_bytes (second, test_trace_get_bytes (rest), test_trace_get_size (rest));
  test_packing_append_gzip (gzip, test_trace_get_bytes (second), test_trace_get_size (second));
  test_packing_append_zstd (zstd, test_trace_get_bytes (third), test_trace_get_size (third));
  test_trace_bytes (b, gzip->data, gzip->len);
  test_trace_bytes (c, zstd->data, zstd->len);
  test_trace_bytes (all, test_trace_get_bytes (a), test_trace_get_size (a));
  test_trace_bytes (all, test_trace_get_bytes (second), test_trace_get_size (second));
  test_trace_bytes (all, test_trace_get_bytes (third), test_trace_get_size (third));

  a_path = test_trace_save (a, "a.bin");
  b_path = test_trace_save (b, "b.bin.gz");
  c_path = test_trace_save (c, "c.bin.zst");
  separate = test_trace_load_paths ((const char *const[]) { a_path, b_path, c_path, NULL }, 2);
  together = test_trace_load (all);

  assert_polls (separate, PL_TRACE_FORMAT_RAW, 3 * N_POLLS + 1);
  assert_polls (together, PL_TRACE_FORMAT_RAW, 3 * N_POLLS + 1);
  g_assert_cmpuint (pl_trace_get_n_events (separate), ==, pl_trace_get_n_events (together));
  g_assert_cmpint (pl_trace_get_start_ns (separate), ==, pl_trace_get_start_ns (together));
  g_assert_cmpint (pl_trace_get_end_ns (separate), ==, pl_trace_get_end_ns (together));
}

/* Compressed forms are told by content: the suffix says nothing. */
static void
test_suffix_is_not_believed (void)
{
  g_autoptr(TestTrace) part = new_part (1000);
  g_autoptr(TestTrace) packed = test_trace_new_empty ();
  g_autoptr(GByteArray) gzip = g_byte_array_new ();
  g_autofree char *raw_path = test_trace_save (part, "raw.0.bin.gz");
  g_autofree char *packed_path = NULL;
  g_autoptr(PlTrace) raw = test_trace_load_path (raw_path);
  g_autoptr(PlTrace) unpacked = NULL;

  test_packing_append_gzip (gzip, test_trace_get_bytes (part), test_trace_get_size (part));
  test_trace_bytes (packed, gzip->data, gzip->len);
  packed_path = test_trace_save (packed, "packed.0.bin.zst");
  unpacked = test_trace_load_path (packed_path);

  assert_polls (raw, PL_TRACE_FORMAT_RAW, N_POLLS);
  assert_polls (unpacked, PL_TRACE_FORMAT_GZIP, N_POLLS);
}

/* A compressed file whose content is no trace is named as such. */
static void
test_compressed_text (void)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_packing_append_gzip (bytes, (const guint8 *) "2026-01-01 a log line\n", 22);
  trace = load (bytes);

  g_assert_error (test_trace_get_file (trace, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_NOT_A_TRACE);
  g_assert_nonnull (strstr (test_trace_get_file (trace, 0)->error->message, "text"));
}

static void
append_zstd_plain (GByteArray *out, const guint8 *bytes, gsize size)
{
  test_packing_append_zstd (out, bytes, size);
}

/* Bytes as a frame of stored blocks, whose header claims another size. */
static void
append_lying_frame (GByteArray *out, guint64 claimed, const guint8 *bytes, guint size)
{
  guint64 le = GUINT64_TO_LE (claimed);
  guint32 block = GUINT32_TO_LE (size << 3 | 1);

  append_u32 (out, 0xfd2fb528);
  g_byte_array_append (out, (const guint8 *) "\xc0\x58", 2); /* 8 bytes of content size, a window of 2 MiB */
  g_byte_array_append (out, (const guint8 *) &le, 8);
  g_byte_array_append (out, (const guint8 *) &block, 3);
  g_byte_array_append (out, bytes, size);
}

/* A frame header may claim exabytes. Files large enough to be read in parallel are planned by these claims. */
static void
test_absurd_content_size (void)
{
  g_autoptr(TestTrace) part = new_part (1000);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autofree guint8 *zeros = g_malloc0 (100000);
  g_autoptr(TestTrace) file = test_trace_new_empty ();
  g_autofree char *path = NULL;
  g_autoptr(PlTrace) trace = NULL;

  test_packing_append_zstd (bytes, test_trace_get_bytes (part), test_trace_get_size (part));
  for (guint i = 0; i < 20; i++)
    append_lying_frame (bytes, G_GUINT64_CONSTANT (1) << 55, zeros, 100000);
  test_trace_bytes (file, bytes->data, bytes->len);
  path = test_trace_save (file, "absurd.bin");
  trace = test_trace_load_paths ((const char *const[]) { path, NULL }, 2);

  g_assert_nonnull (test_trace_get_file (trace, 0)->error);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, N_POLLS);
}

/* Very many tiny frames. */
static void
test_very_many_frames (void)
{
  g_autoptr(TestTrace) part = new_part (1000);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(TestTrace) file = test_trace_new_empty ();
  g_autofree char *path = NULL;
  g_autoptr(PlTrace) trace = NULL;

  test_packing_append_zstd (bytes, test_trace_get_bytes (part), test_trace_get_size (part));
  for (guint i = 0; i < 500000; i++)
    {
      append_u32 (bytes, 0x184d2a50);
      append_u32 (bytes, 0);
    }
  test_trace_bytes (file, bytes->data, bytes->len);
  path = test_trace_save (file, "frames.bin");
  trace = test_trace_load_paths ((const char *const[]) { path, NULL }, 2);

  assert_polls (trace, PL_TRACE_FORMAT_ZSTD, N_POLLS);
}

/* A few kilobytes that unpack to one frame of 200 MB: what is held stays in proportion. */
static void
test_frame_out_of_proportion (gconstpointer data)
{
  void (*append) (GByteArray *, const guint8 *, gsize) = data;
  const gsize size = 200 * 1000 * 1000;
  g_autoptr(TestTrace) part = new_part (1000);
  g_autofree guint8 *raw = g_malloc0 (size);
  gsize n = test_trace_get_size (part);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(PlTrace) trace = NULL;

  memcpy (raw, test_trace_get_bytes (part), n);
  memcpy (raw + n, "\3\377\377\377\377", 5); /* a pool of four billion strings */
  append (bytes, raw, size);
  trace = load (bytes);

  test_trace_assert_fault (trace, PL_TRACE_ERROR_TOO_LARGE, n);
  g_assert_cmpuint (test_trace_get_file (trace, 0)->lost_bytes, ==, size - n);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, N_POLLS);
}

#define ADD_FOR(name, function, append) g_test_add_data_func ("/trace/source/" name, (gconstpointer) append, function)

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/source/h04-gzip-of-many-members", test_gzip_of_many_members);
  g_test_add_func ("/trace/source/h04-zstd-of-many-frames", test_zstd_of_many_frames);
  g_test_add_func ("/trace/source/h04-concatenated-seekable-zstd", test_concatenated_seekable_zstd);
  g_test_add_func ("/trace/source/h05-hostile-seek-tables-are-ignored", test_hostile_seek_tables);
  g_test_add_func ("/trace/source/h05-inexact-seek-table-is-told-of", test_inexact_seek_table);
  ADD_FOR ("gzip-truncated-or-damaged-keeps-what-came-before", test_truncated_and_damaged, test_packing_append_gzip);
  ADD_FOR ("zstd-truncated-or-damaged-keeps-what-came-before", test_truncated_and_damaged, append_zstd_with_checksum);
  ADD_FOR ("any-bit-of-a-gzip-file-is-survived", test_any_byte_of_a_compressed_file, test_packing_append_gzip);
  ADD_FOR ("any-bit-of-a-zstd-file-is-survived", test_any_byte_of_a_compressed_file, append_zstd_plain);
  g_test_add_func ("/trace/source/h04-parts-in-three-forms", test_parts_in_three_forms);
  g_test_add_func ("/trace/source/suffix-is-not-believed", test_suffix_is_not_believed);
  g_test_add_func ("/trace/source/compressed-text-is-named", test_compressed_text);
  g_test_add_func ("/trace/source/absurd-content-size-costs-nothing", test_absurd_content_size);
  g_test_add_func ("/trace/source/very-many-frames-are-passed-over", test_very_many_frames);
  ADD_FOR ("gzip-frame-out-of-proportion-is-refused", test_frame_out_of_proportion, test_packing_append_gzip);
  ADD_FOR ("zstd-frame-out-of-proportion-is-refused", test_frame_out_of_proportion, append_zstd_plain);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
