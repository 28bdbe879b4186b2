/* fuzz-compressed.c: compressed files give their bytes whatever their seek table says, and damaged ones a sentence
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The first byte of the input says what becomes of the rest: a file as it is, or the payload of a gzip or zstd file in
 * several parts, with a seek table behind it that the input describes as well.
 */
#include "config.h"

#include <string.h>

#include "check-trace.h"
#include "fuzz-file.h"
#include "fuzz-target.h"
#include "pl-source.h"
#include "test-packing.h"

enum
{
  AS_IT_IS,
  GZIP,
  ZSTD,
  ZSTD_SEEKABLE,
  N_FORMS,
};

#define MAX_PARTS 8

/* What is compared of a file that unpacks to much more than it holds. */
#define MAX_COMPARED (256 * 1024)

/* A skippable frame that ends as a seek table does, whatever is in it. */
static void
add_seek_table (GByteArray *file, const guint8 *bytes, gsize size)
{
  static const guint8 magic[] = { 0x5e, 0x2a, 0x4d, 0x18 };
  static const guint8 footer_magic[] = { 0xb1, 0xea, 0x92, 0x8f };
  guint32 content_size = GUINT32_TO_LE ((guint32) (size + sizeof footer_magic));

  g_byte_array_append (file, magic, sizeof magic);
  g_byte_array_append (file, (const guint8 *) &content_size, sizeof content_size);
  g_byte_array_append (file, bytes, (guint) size);
  g_byte_array_append (file, footer_magic, sizeof footer_magic);
}

/* Reads at most @limit bytes from where @source stands. */
static GByteArray *
read_some (PlSource *source, gsize limit, gboolean *out_is_damaged)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr(GError) error = NULL;
  guint8 buffer[4099];
  gssize n = 0;

  while (bytes->len < limit
         && (n = pl_source_read (source, buffer, MIN (sizeof buffer, limit - bytes->len), &error)) > 0)
    g_byte_array_append (bytes, buffer, (guint) n);
  g_assert_cmpint (n < 0, ==, error != NULL);
  if (error != NULL)
    g_assert_true (g_utf8_validate (error->message, -1, NULL));
  *out_is_damaged = error != NULL;
  return bytes;
}

static void
check_seek (PlSource *source, guint64 offset, GByteArray *expected)
{
  g_autoptr(GByteArray) found = NULL;
  gboolean is_damaged;

  if (offset >= expected->len)
    return;
  g_assert_true (pl_source_seek (source, offset, NULL, NULL));
  found = read_some (source, expected->len - offset, &is_damaged);
  g_assert_cmpmem (found->data, found->len, expected->data + offset, expected->len - offset);
}

static void
check_file (const char *path, GByteArray *payload)
{
  g_autoptr(PlSource) source = pl_source_open (path, NULL);
  g_autoptr(GByteArray) bytes = NULL;
  g_autoptr(GArray) index = NULL;
  gboolean is_damaged;
  guint64 raw_size;

  g_assert_nonnull (source);
  bytes = read_some (source, MAX_COMPARED, &is_damaged);
  if (payload != NULL)
    {
      g_assert_false (is_damaged);
      g_assert_cmpmem (bytes->data, bytes->len, payload->data, payload->len);
    }
  index = pl_source_make_index (source, &raw_size);
  if (index != NULL && !is_damaged && bytes->len < MAX_COMPARED)
    g_assert_cmpuint (raw_size, ==, bytes->len);
  pl_source_set_index (source, index);
  check_seek (source, bytes->len / 2, bytes);
  check_seek (source, 0, bytes);
  for (guint i = 0; index != NULL && i < MIN (index->len, MAX_PARTS); i++)
    check_seek (source, g_array_index (index, PlSourcePoint, i).raw_offset, bytes);
}

/* The payload in parts, cut where the bytes at @cuts say. */
static void
pack (GByteArray *file, GByteArray *payload, guint form, const guint8 *cuts, guint n_cuts)
{
  gsize from = 0;

  for (guint i = 0; i <= n_cuts; i++)
    {
      gsize to = i == n_cuts ? payload->len : MAX (from, (gsize) cuts[i] * payload->len / 256);

      (form == GZIP ? test_packing_append_gzip : test_packing_append_zstd) (file, payload->data + from, to - from);
      from = to;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t size)
{
  g_autoptr(GByteArray) file = g_byte_array_new ();
  g_autoptr(GByteArray) payload = g_byte_array_new ();
  g_autoptr(PlTrace) trace = NULL;
  const char *path;
  guint form;
  guint n_cuts;
  gsize n_table;

  if (size <= 2 + MAX_PARTS)
    return 0;
  form = bytes[0] % N_FORMS;
  n_cuts = bytes[0] / N_FORMS % MAX_PARTS;
  n_table = MIN (bytes[1], size - 3 - MAX_PARTS);
  if (form == AS_IT_IS)
    g_byte_array_append (file, bytes + 1, (guint) size - 1);
  else
    {
      gsize before = 2 + MAX_PARTS + (form == ZSTD_SEEKABLE ? n_table : 0);

      g_byte_array_append (payload, bytes + before, (guint) (size - before));
      pack (file, payload, form, bytes + 2, n_cuts);
      if (form == ZSTD_SEEKABLE)
        add_seek_table (file, bytes + 2 + MAX_PARTS, n_table);
    }

  path = fuzz_file_write (file->data, file->len);
  check_file (path, form == AS_IT_IS ? NULL : payload);
  trace = check_load ((const char *const[]) { path, NULL }, 1);
  g_assert_nonnull (trace);
  return 0;
}
