/* test-packing.c: packs with the libraries' own functions, quickly rather than small
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "test-packing.h"

#include <zlib.h>

#define LEVEL 1

void
test_packing_append_gzip (GByteArray *out, const guint8 *bytes, gsize size)
{
  z_stream stream = { 0 };
  guint old = out->len;

  g_assert_cmpint (deflateInit2 (&stream, LEVEL, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), ==, Z_OK);
  g_byte_array_set_size (out, old + (guint) deflateBound (&stream, size));
  stream.next_in = (Bytef *) bytes;
  stream.avail_in = (uInt) size;
  stream.next_out = out->data + old;
  stream.avail_out = out->len - old;
  g_assert_cmpint (deflate (&stream, Z_FINISH), ==, Z_STREAM_END);
  g_byte_array_set_size (out, old + (guint) stream.total_out);
  deflateEnd (&stream);
}

void
test_packing_append_frame (GByteArray *out, ZSTD_CCtx *context, const guint8 *bytes, gsize size)
{
  guint old = out->len;
  gsize n;

  g_byte_array_set_size (out, old + (guint) ZSTD_compressBound (size));
  n = ZSTD_compress2 (context, out->data + old, out->len - old, bytes, size);
  g_assert_false (ZSTD_isError (n));
  g_byte_array_set_size (out, old + (guint) n);
}

void
test_packing_append_zstd (GByteArray *out, const guint8 *bytes, gsize size)
{
  ZSTD_CCtx *context = ZSTD_createCCtx ();

  ZSTD_CCtx_setParameter (context, ZSTD_c_compressionLevel, LEVEL);
  test_packing_append_frame (out, context, bytes, size);
  ZSTD_freeCCtx (context);
}
