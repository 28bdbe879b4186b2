/* test-picture.h: draws a scene and looks at its pixels
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef TEST_PICTURE_H
#define TEST_PICTURE_H

#include "pl-palette.h"
#include "pl-scene.h"

G_BEGIN_DECLS

/**
 * TestPicture: a drawn scene in device pixels
 */
typedef struct
{
  cairo_surface_t *surface;
  const guint32 *pixels;
  int stride;
  int width;
  int height;
} TestPicture;

typedef void (*TestPictureDraw) (const PlScene *scene,
                                 cairo_t       *cr,
                                 double         width,
                                 double         height);

PlScene      test_scene            (PlTrace *trace);
TestPicture *test_picture_new      (const PlScene  *scene,
                                    TestPictureDraw draw,
                                    double          width,
                                    double          height);
TestPicture *test_picture_lanes    (const PlScene *scene,
                                    double         width,
                                    double         height,
                                    double         scroll_y);
void         test_picture_free     (TestPicture *self);

PlColor      test_picture_get      (const TestPicture *self,
                                    int                x,
                                    int                y);
guint        test_picture_count    (const TestPicture *self,
                                    int                x,
                                    int                y,
                                    int                width,
                                    int                height,
                                    PlColor            color);
int          test_picture_find     (const TestPicture *self,
                                    int                x,
                                    int                y,
                                    PlColor            color);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestPicture, test_picture_free)

G_END_DECLS

#endif /* TEST_PICTURE_H */
