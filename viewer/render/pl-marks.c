/* pl-marks.c: the triangles above long polls
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A poll that is wide enough has a mark at its middle. Narrower ones share a mark where their marks would overlap, so
 * that a crowd shows as a row of marks and none is without one.
 */
#include "config.h"

#include "pl-marks.h"

/**
 * pl_marks_draw:
 * @raster: where to draw
 * @flags: (array length=n_columns): what each column shows
 * @long_flag: set in @flags where that is a long poll
 * @n_columns: columns
 * @bars: (nullable) (element-type PlBar): long polls that have their own marks; others are found by @flags
 * @tip: the line below the marks
 * @height: of a mark, in device pixels
 * @color: of the marks
 */
void
pl_marks_draw (PlRaster     *raster,
               const guint8 *flags,
               guint8        long_flag,
               int           n_columns,
               const GArray *bars,
               int           tip,
               int           height,
               PlColor       color)
{
  int width = 2 * height - 1;
  guint bar = 0;
  int column = 0;

  while (column < n_columns)
    {
      int first = column;
      const PlBar *own;

      while (bars != NULL && bar < bars->len && g_array_index (bars, PlBar, bar).end <= column)
        bar++;
      own = bars != NULL && bar < bars->len ? &g_array_index (bars, PlBar, bar) : NULL;

      if (own != NULL && own->first <= column)
        {
          pl_raster_mark (raster, (own->first + own->end) / 2, tip - height, height, color);
          column = own->end;
          continue;
        }
      while (column < n_columns && column < first + width && (flags[column] & long_flag) != 0
             && (own == NULL || column < own->first))
        column++;
      if (column > first)
        pl_raster_mark (raster, (first + column - 1) / 2, tip - height, height, color);
      else
        column++;
    }
}
