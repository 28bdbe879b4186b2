/* pl-raster.h: a strip of device pixels that is filled by hand and painted in one go
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_RASTER_H
#define PL_RASTER_H

#include "pl-palette.h"

G_BEGIN_DECLS

/**
 * PlRaster:
 * @surface: the image that holds the pixels
 * @pixels: first pixel of the first line
 * @stride: pixels from one line to the next
 * @width: device pixels
 * @height: device pixels
 * @unit: device pixels per unit, at least 1: the width of a hair line
 *
 * As large as what is visible of one row, whatever the whole content measures (H32).
 */
typedef struct
{
  cairo_surface_t *surface;
  guint32 *pixels;
  int stride;
  int width;
  int height;
  int unit;
} PlRaster;

gboolean pl_raster_init     (PlRaster *self,
                             int       width,
                             int       height,
                             double    scale);
void     pl_raster_clear    (PlRaster *self);

void     pl_raster_begin    (PlRaster *self,
                             PlColor   color);
void     pl_raster_fill     (PlRaster *self,
                             int       x,
                             int       y,
                             int       width,
                             int       height,
                             PlColor   color);
void     pl_raster_cross_hatch (PlRaster *self,
                                int       x,
                                int       y,
                                int       width,
                                int       height,
                                PlColor   color);
void     pl_raster_cross       (PlRaster *self,
                                int       center,
                                int       y,
                                int       reach,
                                PlColor   color);
void     pl_raster_hatch    (PlRaster *self,
                             int       x,
                             int       y,
                             int       width,
                             int       height,
                             PlColor   color);
void     pl_raster_mark     (PlRaster *self,
                             int       center,
                             int       y,
                             int       height,
                             PlColor   color);
void     pl_raster_paint    (PlRaster *self,
                             cairo_t  *cr,
                             double    scale,
                             int       x,
                             int       y,
                             int       height);

G_END_DECLS

#endif /* PL_RASTER_H */
