/* pl-text.h: short texts in the few styles of the timeline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_TEXT_H
#define PL_TEXT_H

#include <cairo.h>
#include <pango/pango.h>

#include "pl-palette.h"

G_BEGIN_DECLS

typedef enum
{
  PL_TEXT_NAME,   /* bold, of a row */
  PL_TEXT_VALUE,  /* what explains a name, ticks */
  PL_TEXT_STRONG, /* bold, in the size of a value */
  PL_TEXT_N_STYLES,
} PlTextStyle;

/**
 * PlText: one layout that is used again for every text of a frame
 */
typedef struct
{
  cairo_t *cr;
  PangoLayout *layout;
  PangoFontDescription *fonts[PL_TEXT_N_STYLES];
  int style;
} PlText;

void   pl_text_init    (PlText                     *self,
                        cairo_t                    *cr,
                        const PangoFontDescription *font);
void   pl_text_clear   (PlText *self);

double pl_text_prepare (PlText      *self,
                        PlTextStyle  style,
                        const char  *text);
void   pl_text_show    (PlText *self,
                        PlColor color,
                        double  x,
                        double  baseline);
double pl_text_draw    (PlText      *self,
                        PlTextStyle  style,
                        PlColor      color,
                        double       x,
                        double       baseline,
                        double       max_width,
                        const char  *text);

G_END_DECLS

#endif /* PL_TEXT_H */
