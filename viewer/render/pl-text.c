/* pl-text.c: short texts in the few styles of the timeline
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-text.h"

#include <string.h>

#include <pango/pangocairo.h>

#define DEFAULT_FONT "Sans 10"
#define VALUE_SIZE 0.88 /* of the base font */

static PangoFontDescription *
derive_font (const PangoFontDescription *base, double factor, PangoWeight weight)
{
  PangoFontDescription *font = pango_font_description_copy (base);
  double size = pango_font_description_get_size (base) * factor;

  if (pango_font_description_get_size_is_absolute (base))
    pango_font_description_set_absolute_size (font, size);
  else
    pango_font_description_set_size (font, (int) (size + 0.5));
  pango_font_description_set_weight (font, weight);
  return font;
}

/**
 * pl_text_init:
 * @cr: what to draw on; must outlive @self
 * @font: (nullable): base font
 */
void
pl_text_init (PlText *self, cairo_t *cr, const PangoFontDescription *font)
{
  PangoFontDescription *base = font != NULL ? pango_font_description_copy (font)
                                            : pango_font_description_from_string (DEFAULT_FONT);
  cairo_font_options_t *options = cairo_font_options_create ();
  PangoContext *context = pango_font_map_create_context (pango_cairo_font_map_get_default ());

  if (pango_font_description_get_size (base) <= 0)
    pango_font_description_set_size (base, 10 * PANGO_SCALE);

  /* Text takes the same room at every scale, so that what fits does not depend on the monitor. */
  cairo_font_options_set_hint_metrics (options, CAIRO_HINT_METRICS_OFF);
  pango_cairo_context_set_font_options (context, options);
  pango_cairo_update_context (cr, context);

  self->cr = cr;
  self->layout = pango_layout_new (context);
  self->fonts[PL_TEXT_NAME] = derive_font (base, 1.0, PANGO_WEIGHT_BOLD);
  self->fonts[PL_TEXT_VALUE] = derive_font (base, VALUE_SIZE, PANGO_WEIGHT_NORMAL);
  self->fonts[PL_TEXT_STRONG] = derive_font (base, VALUE_SIZE, PANGO_WEIGHT_BOLD);
  self->style = -1;
  pango_layout_set_single_paragraph_mode (self->layout, TRUE);
  pango_layout_set_ellipsize (self->layout, PANGO_ELLIPSIZE_END);

  cairo_font_options_destroy (options);
  pango_font_description_free (base);
  g_object_unref (context);
}

/**
 * pl_text_clear:
 *
 * Frees layout and fonts.
 */
void
pl_text_clear (PlText *self)
{
  g_clear_object (&self->layout);
  for (int i = 0; i < PL_TEXT_N_STYLES; i++)
    g_clear_pointer (&self->fonts[i], pango_font_description_free);
}

/* Text may come from a trace and be as long as that is; shaping it takes seconds a megabyte. */
#define MAX_BYTES 1000

static double
set_text (PlText *self, PlTextStyle style, double max_width, const char *text)
{
  gsize n = strnlen (text, MAX_BYTES + 1);
  int width;

  if (self->style != (int) style)
    pango_layout_set_font_description (self->layout, self->fonts[style]);
  self->style = (int) style;
  pango_layout_set_width (self->layout, max_width >= 0.0 ? pango_units_from_double (max_width) : -1);
  if (n > MAX_BYTES)
    n = (gsize) (g_utf8_find_prev_char (text, text + MAX_BYTES) - text);
  pango_layout_set_text (self->layout, text, (int) n);
  pango_layout_get_size (self->layout, &width, NULL);
  return pango_units_to_double (width);
}

/**
 * pl_text_prepare:
 *
 * Shapes @text for pl_text_show().
 *
 * Returns: its width, in units
 */
double
pl_text_prepare (PlText *self, PlTextStyle style, const char *text)
{
  return set_text (self, style, -1.0, text);
}

/**
 * pl_text_show:
 * @x: left edge, in units
 * @baseline: where the letters stand, in units
 *
 * Draws the text that was prepared last.
 */
void
pl_text_show (PlText *self, PlColor color, double x, double baseline)
{
  pl_color_set (color, self->cr, 1.0);
  cairo_move_to (self->cr, x, baseline);
  pango_cairo_show_layout_line (self->cr, pango_layout_get_line_readonly (self->layout, 0));
}

/**
 * pl_text_draw:
 * @x: left edge, in units
 * @baseline: where the letters stand, in units
 * @max_width: where to cut with an ellipsis, or -1
 *
 * Returns: the width that was drawn
 */
double
pl_text_draw (PlText     *self,
              PlTextStyle style,
              PlColor     color,
              double      x,
              double      baseline,
              double      max_width,
              const char *text)
{
  double width = set_text (self, style, max_width, text);

  pl_text_show (self, color, x, baseline);
  return width;
}
