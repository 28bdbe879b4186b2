/* pl-marks.h: the triangles above long polls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_MARKS_H
#define PL_MARKS_H

#include "pl-columns.h"
#include "pl-raster.h"

G_BEGIN_DECLS

void pl_marks_draw (PlRaster     *raster,
                    const guint8 *flags,
                    guint8        long_flag,
                    int           n_columns,
                    const GArray *bars,
                    int           tip,
                    int           height,
                    PlColor       color);

G_END_DECLS

#endif /* PL_MARKS_H */
