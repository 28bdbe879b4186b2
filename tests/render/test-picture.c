/* test-picture.c: draws a scene and looks at its pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "test-picture.h"

#include <math.h>

/* The whole trace, light, with a threshold of 1 ms. */
PlScene
test_scene (PlTrace *trace)
{
  return (PlScene){
    .trace = trace,
    .from_ns = pl_trace_get_start_ns (trace),
    .to_ns = pl_trace_get_end_ns (trace),
    .threshold_ns = 1000 * 1000,
    .cursor_ns = G_MININT64,
    .device_scale = 1.0,
  };
}

static TestPicture *
begin (const PlScene *scene, double width, double height, cairo_t **out_cr)
{
  TestPicture *self = g_new0 (TestPicture, 1);

  self->width = (int) floor (width * scene->device_scale);
  self->height = (int) floor (height * scene->device_scale);
  self->surface = cairo_image_surface_create (CAIRO_FORMAT_RGB24, self->width, self->height);
  cairo_surface_set_device_scale (self->surface, scene->device_scale, scene->device_scale);
  *out_cr = cairo_create (self->surface);
  return self;
}

static void
end (TestPicture *self, cairo_t *cr)
{
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (self->surface);
  self->pixels = (const guint32 *) (gconstpointer) cairo_image_surface_get_data (self->surface);
  self->stride = cairo_image_surface_get_stride (self->surface) / 4;
}

/* Sizes in units; the picture has as many device pixels as the scene's scale makes of them. */
TestPicture *
test_picture_new (const PlScene *scene, TestPictureDraw draw, double width, double height)
{
  cairo_t *cr;
  TestPicture *self = begin (scene, width, height, &cr);

  draw (scene, cr, width, height);
  end (self, cr);
  return self;
}

TestPicture *
test_picture_lanes (const PlScene *scene, double width, double height, double scroll_y)
{
  cairo_t *cr;
  TestPicture *self = begin (scene, width, height, &cr);

  pl_scene_draw_lanes (scene, cr, width, height, scroll_y);
  end (self, cr);
  return self;
}

void
test_picture_free (TestPicture *self)
{
  cairo_surface_destroy (self->surface);
  g_free (self);
}

PlColor
test_picture_get (const TestPicture *self, int x, int y)
{
  g_assert_cmpint (x, >=, 0);
  g_assert_cmpint (x, <, self->width);
  g_assert_cmpint (y, >=, 0);
  g_assert_cmpint (y, <, self->height);
  return self->pixels[y * self->stride + x] & 0xffffff;
}

guint
test_picture_count (const TestPicture *self, int x, int y, int width, int height, PlColor color)
{
  guint n = 0;

  for (int row = y; row < y + height; row++)
    for (int column = x; column < x + width; column++)
      n += test_picture_get (self, column, row) == color;
  return n;
}

/* The first pixel of a line, from x on, that has the colour; -1 when none has. */
int
test_picture_find (const TestPicture *self, int x, int y, PlColor color)
{
  for (int column = x; column < self->width; column++)
    if (test_picture_get (self, column, y) == color)
      return column;
  return -1;
}
