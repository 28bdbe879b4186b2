/* pl-zstd-frames.h: where the frames of a zstd file begin, without reading it through
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_ZSTD_FRAMES_H
#define PL_ZSTD_FRAMES_H

#include "pl-source-private.h"

G_BEGIN_DECLS

/* The longest header of a frame: magic number, descriptor, window, dictionary and content size. */
#define PL_ZSTD_MAX_FRAME_HEADER 18

gboolean pl_zstd_frames_is_skippable (const guint8 *bytes);
GArray  *pl_zstd_frames_find_points  (PlSourceFile *file,
                                      guint64      *out_raw_size);

G_END_DECLS

#endif /* PL_ZSTD_FRAMES_H */
