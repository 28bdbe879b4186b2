/* test-zstd-frames.c: where the frames of a zstd file begin, found from their heads alone
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <zstd.h>

#include "pl-source.h"
#include "test-packing.h"

#define MAX_RAW (600 * 1024)
#define N_FILES 20
#define MAX_FRAMES 12

/* What libzstd packs into blocks of each kind: bytes as they are, one byte repeated, compressed. */
static void
fill (GRand *random, guint8 *raw, gsize size)
{
  guint kind = (guint) g_rand_int_range (random, 0, 3);

  for (gsize i = 0; i < size; i++)
    raw[i] = kind == 0 ? (guint8) g_rand_int (random) : kind == 1 ? 7 : (guint8) (i / 3 % 251 + i % 5);
}

static void
append_frame (GByteArray *out, GRand *random, gsize raw_size)
{
  static guint8 raw[MAX_RAW];
  ZSTD_CCtx *context = ZSTD_createCCtx ();

  fill (random, raw, raw_size);
  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, g_rand_int_range (random, 1, 8));
  ZSTD_CCtx_setParameter (context, ZSTD_c_checksumFlag, g_rand_boolean (random));
  ZSTD_CCtx_setParameter (context, ZSTD_c_windowLog, g_rand_int_range (random, 10, 22));
  test_packing_append_frame (out, context, raw, raw_size);
  ZSTD_freeCCtx (context);
}

static void
append_skippable (GByteArray *out, GRand *random)
{
  guint8 header[8] = { (guint8) (0x50 + g_rand_int_range (random, 0, 16)), 0x2a, 0x4d, 0x18 };
  guint8 zeros[200] = { 0 };

  header[4] = (guint8) g_rand_int_range (random, 0, sizeof zeros);
  g_byte_array_append (out, header, sizeof header);
  g_byte_array_append (out, zeros, header[4]);
}

static GByteArray *
make_file (GRand *random)
{
  GByteArray *out = g_byte_array_new ();

  append_frame (out, random, 1000);
  for (gint i = g_rand_int_range (random, 1, MAX_FRAMES); i > 0; i--)
    if (g_rand_int_range (random, 0, 4) == 0)
      append_skippable (out, random);
    else
      append_frame (out, random, (gsize) g_rand_int_range (random, 0, g_rand_boolean (random) ? 300 : MAX_RAW));
  append_frame (out, random, 5000);
  return out;
}

static GArray *
find_points (const char *path, const guint8 *bytes, gsize size, guint64 *out_raw_size)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(PlSource) source = NULL;

  g_file_set_contents (path, (const char *) bytes, (gssize) size, &error);
  g_assert_no_error (error);
  source = pl_source_open (path, &error);
  g_assert_no_error (error);
  return pl_source_make_index (source, out_raw_size);
}

/* The same by libzstd, which wants to see all of a frame. */
static GArray *
measure (GByteArray *bytes, guint64 *out_raw_size)
{
  GArray *points = g_array_new (FALSE, FALSE, sizeof (PlSourcePoint));
  PlSourcePoint point = { 0, 0 };

  while (point.disk_offset < bytes->len)
    {
      const guint8 *frame = bytes->data + point.disk_offset;
      gsize size = ZSTD_findFrameCompressedSize (frame, bytes->len - point.disk_offset);
      unsigned long long raw = ZSTD_getFrameContentSize (frame, bytes->len - point.disk_offset);

      g_assert_false (ZSTD_isError (size));
      if (raw > 0)
        g_array_append_val (points, point);
      point.raw_offset += raw;
      point.disk_offset += size;
    }
  *out_raw_size = point.raw_offset;
  return points;
}

static void
assert_same_points (GArray *points, GArray *wanted)
{
  g_assert_nonnull (points);
  g_assert_cmpuint (points->len, ==, wanted->len);
  for (guint i = 0; i < points->len; i++)
    {
      g_assert_cmpuint (g_array_index (points, PlSourcePoint, i).raw_offset, ==,
                        g_array_index (wanted, PlSourcePoint, i).raw_offset);
      g_assert_cmpuint (g_array_index (points, PlSourcePoint, i).disk_offset, ==,
                        g_array_index (wanted, PlSourcePoint, i).disk_offset);
    }
}

static void
test_same_as_libzstd (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (4);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "frames.zst", NULL);

  for (guint i = 0; i < N_FILES; i++)
    {
      g_autoptr(GByteArray) bytes = make_file (random);
      g_autoptr(GArray) points = NULL;
      g_autoptr(GArray) wanted = NULL;
      guint64 raw_size;
      guint64 wanted_size;

      points = find_points (path, bytes->data, bytes->len, &raw_size);
      wanted = measure (bytes, &wanted_size);
      assert_same_points (points, wanted);
      g_assert_cmpuint (raw_size, ==, wanted_size);
    }
  g_unlink (path);
}

static void
test_cut_off_has_none (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (5);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "cut-off.zst", NULL);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  guint last;

  append_frame (bytes, random, 1000);
  append_skippable (bytes, random);
  append_frame (bytes, random, 1000);
  last = bytes->len;
  append_frame (bytes, random, 300);
  for (gsize size = last + 1; size < bytes->len; size++)
    {
      guint64 raw_size;
      g_autoptr(GArray) points = find_points (path, bytes->data, size, &raw_size);

      g_assert_null (points);
    }
  g_unlink (path);
}

/* So small that one look at each would take longer than to read them in order. */
static void
test_many_small_frames_have_none (void)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (6);
  g_autofree char *path = g_build_filename (g_get_tmp_dir (), "small.zst", NULL);
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  g_autoptr(GArray) points = NULL;
  guint64 raw_size;

  for (guint i = 0; i < 3000; i++)
    append_frame (bytes, random, 20);
  points = find_points (path, bytes->data, bytes->len, &raw_size);
  g_assert_null (points);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, G_TEST_OPTION_ISOLATE_DIRS, NULL);
  g_test_add_func ("/trace/zstd-frames/same-as-libzstd", test_same_as_libzstd);
  g_test_add_func ("/trace/zstd-frames/cut-off-has-none", test_cut_off_has_none);
  g_test_add_func ("/trace/zstd-frames/many-small-frames-have-none", test_many_small_frames_have_none);
  return g_test_run ();
}
