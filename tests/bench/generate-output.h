/* generate-output.h: where a made-up trace goes: one file or several segments, raw or zstd frames
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef GENERATE_OUTPUT_H
#define GENERATE_OUTPUT_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct _Output Output;

Output   *output_new          (const char   *path,
                               guint64       size_bytes,
                               guint         n_segments,
                               gboolean      is_zstd);
void      output_write        (Output       *self,
                               const guint8 *bytes,
                               gsize         size);
guint64   output_get_left     (Output       *self);
gboolean  output_next_segment (Output       *self,
                               GError      **error);
gboolean  output_close        (Output       *self,
                               GError      **error);
void      output_free         (Output       *self);
guint64   output_get_raw      (Output       *self);
guint64   output_get_disk     (Output       *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Output, output_free)

G_END_DECLS

#endif /* GENERATE_OUTPUT_H */
