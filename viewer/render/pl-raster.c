/* pl-raster.c: a strip of device pixels that is filled by hand and painted in one go
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Cairo draws text and outlines; columns of a pixel are faster and sharper as plain memory.
 */
#include "config.h"

#include "pl-raster.h"

#include <math.h>

/* Hatch: strokes of 2 units in every 6, falling to the left. */
#define HATCH_PERIOD 6
#define HATCH_STROKE 2

/**
 * pl_raster_init:
 * @width: device pixels
 * @height: device pixels
 * @scale: device pixels per unit
 *
 * Returns: %FALSE when no image of this size can be made; @self is then empty and needs no pl_raster_clear()
 */
gboolean
pl_raster_init (PlRaster *self, int width, int height, double scale)
{
  cairo_surface_t *surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, width, height);

  *self = (PlRaster){ 0 };
  if (cairo_surface_status (surface) != CAIRO_STATUS_SUCCESS)
    {
      cairo_surface_destroy (surface);
      return FALSE;
    }

  self->surface = surface;
  self->pixels = (guint32 *) (gpointer) cairo_image_surface_get_data (surface);
  self->stride = cairo_image_surface_get_stride (surface) / 4;
  self->width = width;
  self->height = height;
  self->unit = MAX ((int) lround (scale), 1);
  return TRUE;
}

/**
 * pl_raster_clear:
 *
 * Frees the pixels.
 */
void
pl_raster_clear (PlRaster *self)
{
  g_clear_pointer (&self->surface, cairo_surface_destroy);
  self->pixels = NULL;
}

/**
 * pl_raster_begin:
 *
 * Makes the pixels writable and fills all of them with @color.
 */
void
pl_raster_begin (PlRaster *self, PlColor color)
{
  cairo_surface_flush (self->surface);
  pl_raster_fill (self, 0, 0, self->width, self->height, color);
}

/* Cuts a rectangle to the raster; FALSE when nothing is left. */
static gboolean
clip (const PlRaster *self, int *x, int *y, int *width, int *height)
{
  int right = MIN (*x + *width, self->width);
  int bottom = MIN (*y + *height, self->height);

  *x = MAX (*x, 0);
  *y = MAX (*y, 0);
  *width = right - *x;
  *height = bottom - *y;
  return *width > 0 && *height > 0;
}

/**
 * pl_raster_fill:
 *
 * Fills a rectangle, as far as it lies on the raster.
 */
void
pl_raster_fill (PlRaster *self, int x, int y, int width, int height, PlColor color)
{
  if (!clip (self, &x, &y, &width, &height))
    return;

  for (int row = y; row < y + height; row++)
    {
      guint32 *line = self->pixels + (gsize) row * (gsize) self->stride + x;

      for (int i = 0; i < width; i++)
        line[i] = color;
    }
}

/* Strokes rise to the right with a @slant of 1, to the left with -1. */
static void
hatch (PlRaster *self, int x, int y, int width, int height, int slant, PlColor color)
{
  int period = HATCH_PERIOD * self->unit;
  int stroke = HATCH_STROKE * self->unit;
  int offset = (self->height / period + 1) * period; /* nothing below zero */

  if (!clip (self, &x, &y, &width, &height))
    return;

  for (int row = y; row < y + height; row++)
    {
      guint32 *line = self->pixels + (gsize) row * (gsize) self->stride;

      for (int i = x; i < x + width; i++)
        if ((slant > 0 ? i + row : i - row + offset) % period < stroke)
          line[i] = color;
    }
}

/**
 * pl_raster_hatch:
 *
 * Draws slanted strokes over a rectangle; neighbouring rectangles continue each other.
 */
void
pl_raster_hatch (PlRaster *self, int x, int y, int width, int height, PlColor color)
{
  hatch (self, x, y, width, height, 1, color);
}

/**
 * pl_raster_cross_hatch:
 *
 * Draws strokes slanted both ways over a rectangle; neighbouring rectangles continue each other.
 */
void
pl_raster_cross_hatch (PlRaster *self, int x, int y, int width, int height, PlColor color)
{
  hatch (self, x, y, width, height, 1, color);
  hatch (self, x, y, width, height, -1, color);
}

/**
 * pl_raster_cross:
 * @center: column of its middle
 * @y: first line
 * @reach: lines above and below its middle, and columns beside it
 *
 * Draws two crossed strokes.
 */
void
pl_raster_cross (PlRaster *self, int center, int y, int reach, PlColor color)
{
  for (int row = -reach; row <= reach; row++)
    {
      pl_raster_fill (self, center + row, y + reach + row, self->unit, self->unit, color);
      pl_raster_fill (self, center - row, y + reach + row, self->unit, self->unit, color);
    }
}

/**
 * pl_raster_mark:
 * @center: column below the tip
 * @y: first line
 * @height: lines; the top is 2 × @height - 1 wide
 *
 * Draws a triangle that points down.
 */
void
pl_raster_mark (PlRaster *self, int center, int y, int height, PlColor color)
{
  for (int row = 0; row < height; row++)
    {
      int half = height - 1 - row;

      pl_raster_fill (self, center - half, y + row, 2 * half + 1, 1, color);
    }
}

/**
 * pl_raster_paint:
 * @scale: device pixels per unit of @cr
 * @x: device pixel column of the raster's left edge
 * @y: device pixel line of its top
 * @height: lines to paint
 *
 * Copies the pixels to @cr one to one.
 */
void
pl_raster_paint (PlRaster *self, cairo_t *cr, double scale, int x, int y, int height)
{
  cairo_surface_mark_dirty (self->surface);

  cairo_save (cr);
  cairo_scale (cr, 1.0 / scale, 1.0 / scale);
  cairo_set_source_surface (cr, self->surface, x, y);
  cairo_pattern_set_filter (cairo_get_source (cr), CAIRO_FILTER_NEAREST);
  cairo_rectangle (cr, x, y, self->width, MIN (height, self->height));
  cairo_fill (cr);
  cairo_restore (cr);
}
