/* test-packing.h: gzip members and zstd frames, as people's tools write them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef TEST_PACKING_H
#define TEST_PACKING_H

#include <glib.h>
#include <zstd.h>

/* Both append @size bytes, packed on their own, to @out. */
void test_packing_append_gzip (GByteArray   *out,
                               const guint8 *bytes,
                               gsize         size);
void test_packing_append_zstd (GByteArray   *out,
                               const guint8 *bytes,
                               gsize         size);

/* The same with the parameters of @context. */
void test_packing_append_frame (GByteArray   *out,
                                ZSTD_CCtx    *context,
                                const guint8 *bytes,
                                gsize         size);

#endif /* TEST_PACKING_H */
