/* pl-draw-gaps.c: draws where events of a lane, or of the session, were lost
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A gap is as wide as it lasted, but never too narrow to be seen: crossed strokes between two broken edges, and a cross
 * below where there is room.
 */
#include "config.h"

#include "pl-draw-private.h"

#define MIN_WIDTH 3.0
#define DASH 3.0
#define CROSS_TOP 3.0 /* below the band */
#define CROSS_REACH 3.0

/* A cross needs this much room, so that a row of gaps does not become a line. */
#define CROSS_STEP 9.0

typedef struct
{
  int first;
  int end;
  gboolean has_cross;
} Place;

/* The columns of a gap, which are drawn in the view though the gap is narrower than that, or goes on beyond it. */
static Place
locate (PlFrame *frame, const PlGap *gap)
{
  const PlAxis *axis = &frame->axis;
  int least = pl_frame_to_px (frame, MIN_WIDTH);
  Place place = { pl_axis_time_to_column (axis, gap->from_ns), 0, FALSE };
  int missing;

  place.end = pl_axis_end_to_column (axis, MAX (gap->to_ns, gap->from_ns + 1));
  missing = least - (place.end - place.first);
  if (missing > 0)
    {
      place.first -= missing / 2;
      place.end = place.first + least;
    }
  place.first = CLAMP (place.first, 0, axis->n_columns - 1);
  place.end = CLAMP (place.end, place.first + 1, axis->n_columns);
  return place;
}

static void
dash_edge (PlRaster *raster, int x, int top, int height, int dash, PlColor color)
{
  for (int y = 0; y < height; y += 2 * dash)
    pl_raster_fill (raster, x, top + y, raster->unit, MIN (dash, height - y), color);
}

static void
draw_place (PlFrame *frame, PlRaster *raster, const Place *place, int top, int height)
{
  const PlPalette *palette = frame->palette;
  int dash = pl_frame_to_px (frame, DASH);
  int reach = pl_frame_to_px (frame, CROSS_REACH);
  int cross_top = top + height + pl_frame_to_px (frame, CROSS_TOP);

  pl_raster_cross_hatch (raster, place->first, top, place->end - place->first, height, palette->tick);
  dash_edge (raster, place->first, top, height, dash, palette->text);
  dash_edge (raster, place->end - raster->unit, top, height, dash, palette->text);
  if (place->has_cross && cross_top + 2 * reach < raster->height)
    pl_raster_cross (raster, (place->first + place->end) / 2, cross_top, reach, palette->text);
}

/* Goes on behind the columns of a gap: what else lies in them is drawn with it. */
static gint64
get_time_behind (const PlAxis *axis, const PlGap *gap, int end)
{
  gint64 column_ns = end < axis->n_columns ? pl_axis_slice_start (axis, pl_axis_get_slice (axis, end))
                                           : axis->from_ns + axis->span_ns;

  return MAX (column_ns, gap->to_ns + 1);
}

/**
 * pl_draw_gaps:
 * @frame: the picture
 * @raster: what to draw into, a column each
 * @find: finds the first gap that touches a stretch of time
 * @of: passed to it
 * @top: first line
 * @height: lines
 *
 * Draws the gaps in view. O(columns × log gaps)
 */
void
pl_draw_gaps (PlFrame *frame, PlRaster *raster, PlGapFinder find, gconstpointer of, int top, int height)
{
  const PlAxis *axis = &frame->axis;
  gint64 to_ns = axis->from_ns + axis->span_ns;
  gint64 at_ns = axis->from_ns;
  int last_cross = G_MININT / 2;
  PlGap gap;

  while (at_ns < to_ns && find (of, at_ns, to_ns, &gap))
    {
      Place place = locate (frame, &gap);
      int center = (place.first + place.end) / 2;

      place.has_cross = center - last_cross >= pl_frame_to_px (frame, CROSS_STEP);
      if (place.has_cross)
        last_cross = center;
      draw_place (frame, raster, &place, top, height);
      at_ns = get_time_behind (axis, &gap, place.end);
    }
}
