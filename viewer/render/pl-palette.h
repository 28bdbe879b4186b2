/* pl-palette.h: the colours of both themes, by role
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_PALETTE_H
#define PL_PALETTE_H

#include <cairo.h>
#include <glib.h>

#include "pl-scene.h"

G_BEGIN_DECLS

/* 0xRRGGBB, which is also a pixel of a %CAIRO_FORMAT_RGB24 surface. */
typedef guint32 PlColor;

#define PL_PALETTE_OPEN_TINT 0.62 /* of the poll's colour: an open poll is paler than one that ended */

/**
 * PlPalette:
 * @ground: behind lanes and tracks
 * @gutter: behind the labels at the left
 * @header: behind runtime headers
 * @ruler: behind the ruler
 * @line: between rows
 * @tick: of the ruler
 * @text: names and values
 * @text_dim: everything that explains them
 * @text_over: the warning colour where it is text
 * @poll: a poll
 * @over: a poll at or over the threshold
 * @active: awake, not polling
 * @parked: parked
 * @no_data: strokes of the hatch
 * @selection: outline of the selected poll
 * @queue: local and global queues
 * @accent: view, selected range
 * @label: text in a bar
 * @label_on_poll: ground of that text in a poll
 * @label_on_over: ground of that text in a poll over the threshold
 */
typedef struct
{
  PlColor ground;
  PlColor gutter;
  PlColor header;
  PlColor ruler;
  PlColor line;
  PlColor tick;
  PlColor text;
  PlColor text_dim;
  PlColor text_over;
  PlColor poll;
  PlColor over;
  PlColor active;
  PlColor parked;
  PlColor no_data;
  PlColor selection;
  PlColor queue;
  PlColor accent;
  PlColor label;
  PlColor label_on_poll;
  PlColor label_on_over;
} PlPalette;

const PlPalette *pl_palette_get    (PlTheme theme);

PlColor          pl_color_mix      (PlColor a,
                                    PlColor b,
                                    double  share);
double           pl_color_contrast (PlColor a,
                                    PlColor b);
void             pl_color_set      (PlColor  self,
                                    cairo_t *cr,
                                    double   alpha);

G_END_DECLS

#endif /* PL_PALETTE_H */
