/* pl-zstd-frames.h: where the frames of a zstd file begin, without reading it through
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_ZSTD_FRAMES_H
#define PL_ZSTD_FRAMES_H

#include "pl-source-private.h"

G_BEGIN_DECLS

GArray *pl_zstd_frames_find_points (PlSourceFile *file,
                                    guint64      *out_raw_size);

G_END_DECLS

#endif /* PL_ZSTD_FRAMES_H */
