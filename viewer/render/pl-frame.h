/* pl-frame.h: what all parts of one picture share while it is drawn
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_FRAME_H
#define PL_FRAME_H

#include "pl-axis.h"
#include "pl-columns.h"
#include "pl-palette.h"
#include "pl-scene.h"
#include "pl-text.h"

G_BEGIN_DECLS

#define PL_FRAME_MARGIN 11.0 /* of the gutter's labels */

/**
 * PlFrame:
 * @scene: what to draw
 * @cr: where to draw it, cut to @width × @height
 * @palette: in which colours
 * @axis: the time axis
 * @text: its texts
 * @cache: the scene's, or one of the frame's own
 * @width: in units
 * @height: in units
 * @width_px: in device pixels
 * @height_px: in device pixels
 * @hair_px: width of a thin line, in device pixels
 */
typedef struct
{
  const PlScene *scene;
  cairo_t *cr;
  const PlPalette *palette;
  PlAxis axis;
  PlText text;
  PlSceneCache *cache;
  double width;
  double height;
  int width_px;
  int height_px;
  int hair_px;
} PlFrame;

void   pl_frame_begin     (PlFrame       *self,
                           const PlScene *scene,
                           cairo_t       *cr,
                           double         width,
                           double         height,
                           gint64         from_ns,
                           gint64         to_ns);
void   pl_frame_end       (PlFrame *self);

void   pl_frame_prepare   (PlFrame   *self,
                           GPtrArray *lanes);
const PlColumns *pl_frame_get_columns (PlFrame      *self,
                                       const PlLane *lane);
int    pl_frame_to_px     (const PlFrame *self,
                           double         units);
void   pl_frame_fill_px   (PlFrame *self,
                           PlColor  color,
                           double   alpha,
                           int      x,
                           int      y,
                           int      width,
                           int      height);
void   pl_frame_draw_span (PlFrame *self,
                           gint64   from_ns,
                           gint64   to_ns);
void   pl_frame_draw_cursor (PlFrame *self);

G_END_DECLS

#endif /* PL_FRAME_H */
