/* pl-palette.c: the colours of all themes, by role
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-palette.h"

#include <math.h>

/* Where a role's colour is too close to its ground for text (4.5 : 1), the text has a shade of its own: @text_over in
 * the light theme, and the slightly darker grounds under white labels. */
static const PlPalette palettes[] = {
  [PL_THEME_LIGHT] = {
    .ground = 0xffffff,
    .gutter = 0xfafafb,
    .header = 0xeeeef0,
    .ruler = 0xf1f1f2,
    .line = 0xd5d5d9,
    .tick = 0x8a8a90,
    .text = 0x1f1f22,
    .text_dim = 0x5e5c64,
    .text_over = 0xbf3d0a,
    .poll = 0x3b7ab8,
    .over = 0xd9480f,
    .active = 0xc9dcec,
    .parked = 0xeceef1,
    .no_data = 0xe3e3e6,
    .selection = 0x1a1a1a,
    .queue = 0x8a6d00,
    .accent = 0x1c71d8,
    .label = 0xffffff,
    .label_on_poll = 0x3874af,
    .label_on_over = 0xcd440e,
  },
  [PL_THEME_DARK] = {
    .ground = 0x1b1b1f,
    .gutter = 0x222226,
    .header = 0x2b2b30,
    .ruler = 0x29292d,
    .line = 0x3f3f45,
    .tick = 0x85858c,
    .text = 0xf2f2f4,
    .text_dim = 0xa9a8b0,
    .text_over = 0xff7b3a,
    .poll = 0x5b9bd5,
    .over = 0xff7b3a,
    .active = 0x2f4559,
    .parked = 0x2b2c31,
    .no_data = 0x2f2f34,
    .selection = 0xffffff,
    .queue = 0xd9b93a,
    .accent = 0x78aeed,
    .label = 0x161616,
    .label_on_poll = 0x5b9bd5,
    .label_on_over = 0xff7b3a,
  },
  [PL_THEME_LIGHT_CONTRAST] = {
    .ground = 0xffffff,
    .gutter = 0xffffff,
    .header = 0xffffff,
    .ruler = 0xffffff,
    .line = 0x6e6e6e,
    .tick = 0x3a3a3a,
    .text = 0x000000,
    .text_dim = 0x303030,
    .text_over = 0x8f2300,
    .poll = 0x1a4f8b,
    .over = 0x8f2300,
    .active = 0x8fb4d9,
    .parked = 0xdcdcdc,
    .no_data = 0x8a8a8a,
    .selection = 0x000000,
    .queue = 0x5a4700,
    .accent = 0x0b3f8f,
    .label = 0xffffff,
    .label_on_poll = 0x1a4f8b,
    .label_on_over = 0x8f2300,
  },
  [PL_THEME_DARK_CONTRAST] = {
    .ground = 0x000000,
    .gutter = 0x000000,
    .header = 0x000000,
    .ruler = 0x000000,
    .line = 0x8a8a8a,
    .tick = 0xc8c8c8,
    .text = 0xffffff,
    .text_dim = 0xd8d8d8,
    .text_over = 0xff9a5c,
    .poll = 0x62a8ea,
    .over = 0xff9a5c,
    .active = 0x35577a,
    .parked = 0x1c1c1c,
    .no_data = 0x707070,
    .selection = 0xffffff,
    .queue = 0xffe066,
    .accent = 0x9ccaff,
    .label = 0x000000,
    .label_on_poll = 0x62a8ea,
    .label_on_over = 0xff9a5c,
  },
};

/**
 * pl_palette_get:
 *
 * Returns: (transfer none): the colours of @theme
 */
const PlPalette *
pl_palette_get (PlTheme theme)
{
  return &palettes[(guint) theme < G_N_ELEMENTS (palettes) ? theme : PL_THEME_LIGHT];
}

static int
channel (PlColor color, int shift)
{
  return (int) (color >> shift & 0xff);
}

/**
 * pl_color_mix:
 * @share: 0 gives @a, 1 gives @b
 *
 * Returns: the colour between @a and @b
 */
PlColor
pl_color_mix (PlColor a, PlColor b, double share)
{
  int weight = (int) lround (CLAMP (share, 0.0, 1.0) * 256.0);
  PlColor mixed = 0;

  for (int shift = 0; shift <= 16; shift += 8)
    {
      int from = channel (a, shift);

      mixed |= (PlColor) (from + (channel (b, shift) - from) * weight / 256) << shift;
    }
  return mixed;
}

/* Relative luminance as WCAG 2.1 defines it. */
static double
luminance (PlColor color)
{
  static const double weights[] = { 0.0722, 0.7152, 0.2126 };
  double sum = 0.0;

  for (int i = 0; i < 3; i++)
    {
      double value = channel (color, 8 * i) / 255.0;

      sum += weights[i] * (value <= 0.04045 ? value / 12.92 : pow ((value + 0.055) / 1.055, 2.4));
    }
  return sum;
}

/**
 * pl_color_contrast:
 *
 * Returns: the contrast ratio of WCAG 2.1, 1 to 21
 */
double
pl_color_contrast (PlColor a, PlColor b)
{
  double first = luminance (a) + 0.05;
  double second = luminance (b) + 0.05;

  return MAX (first, second) / MIN (first, second);
}

/**
 * pl_color_set:
 * @alpha: opacity, 0 to 1
 *
 * Makes @self the source of @cr.
 */
void
pl_color_set (PlColor self, cairo_t *cr, double alpha)
{
  cairo_set_source_rgba (cr, channel (self, 16) / 255.0, channel (self, 8) / 255.0, channel (self, 0) / 255.0,
                         alpha);
}
