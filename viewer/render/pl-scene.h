/* pl-scene.h: what a picture of the timeline is made from, for the window and for the command line's PNG
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_SCENE_H
#define PL_SCENE_H

#include <cairo.h>
#include <pango/pango.h>

#include "pl-trace.h"

G_BEGIN_DECLS

typedef struct _PlSceneCache PlSceneCache;

typedef enum
{
  PL_THEME_LIGHT,
  PL_THEME_DARK,
  PL_THEME_LIGHT_CONTRAST,
  PL_THEME_DARK_CONTRAST,
} PlTheme;

/**
 * PlScene:
 * @trace: (nullable): the snapshot to draw
 * @theme: which palette
 * @from_ns: start of the view
 * @to_ns: end of the view, after @from_ns
 * @threshold_ns: a poll of this duration or more is long
 * @selected: (nullable): the selected poll, outlined
 * @range_from_ns: selected range, empty when not before @range_to_ns
 * @range_to_ns: see @range_from_ns
 * @cursor_ns: time under the pointer for the dashed cross-hair, or %G_MININT64
 * @wall_clock: ruler labels in wall time instead of relative time
 * @utc: wall time in UTC instead of local time
 * @collapsed: (nullable): one byte per runtime, non-zero = its lanes are folded away
 * @font: (nullable): base font, default "Sans 10"
 * @device_scale: device pixels per unit, fractions included: 1.25 is drawn sharp
 * @cache: (nullable): keeps what pictures that follow each other have in common, so that a pointer that moves or a view
 *   that is dragged does not look at the whole session again
 *
 * Everything a picture depends on. Plain data: the caller keeps what the pointers point to alive while it draws.
 */
typedef struct
{
  PlTrace *trace;
  PlTheme theme;
  gint64 from_ns;
  gint64 to_ns;
  gint64 threshold_ns;
  const PlPoll *selected;
  gint64 range_from_ns;
  gint64 range_to_ns;
  gint64 cursor_ns;
  gboolean wall_clock;
  gboolean utc;
  const guint8 *collapsed;
  const PangoFontDescription *font;
  double device_scale;
  PlSceneCache *cache;
} PlScene;

PlSceneCache *pl_scene_cache_new  (void);
void          pl_scene_cache_free (PlSceneCache *self);

#define PL_SCENE_GUTTER_WIDTH 136.0 /* labels at the left of every row, in units */

/* Time and place on the time axis that begins at the gutter's right edge and ends at @width. 64-bit integers relative to the
 * view's start, so that a nanosecond after days of uptime still has a place of its own (H34). */
double  pl_scene_time_to_x (const PlScene *self,
                            double         width,
                            gint64         at_ns);
gint64  pl_scene_x_to_time (const PlScene *self,
                            double         width,
                            double         x);

/* The same for the overview, which always shows the whole session. */
double  pl_scene_overview_time_to_x (const PlScene *self,
                                     double         width,
                                     gint64         at_ns);
gint64  pl_scene_overview_x_to_time (const PlScene *self,
                                     double         width,
                                     double         x);

/* Rows of the lane area, top to bottom: runtime headers (only with more than one runtime), lanes, queue tracks. */
typedef enum
{
  PL_ROW_NONE,
  PL_ROW_RUNTIME,
  PL_ROW_LANE,
  PL_ROW_QUEUE,
  PL_ROW_ALIVE,
} PlRowKind;

/**
 * PlRow:
 * @kind: what the row shows
 * @index: of the runtime, lane or queue
 * @y: top, in units from the top of the whole content
 * @height: in units
 */
typedef struct
{
  PlRowKind kind;
  guint index;
  double y;
  double height;
} PlRow;

double   pl_scene_get_content_height (const PlScene *self);
gboolean pl_scene_row_at             (const PlScene *self,
                                      double         y,
                                      PlRow         *out_row);
gboolean pl_scene_find_row           (const PlScene *self,
                                      PlRowKind      kind,
                                      guint          index,
                                      PlRow         *out_row);
gboolean pl_scene_poll_at            (const PlScene *self,
                                      double         width,
                                      double         x,
                                      double         y,
                                      PlPoll        *out_poll);

/* Drawing. Each draws into [0, width) × [0, height) units of @cr; @scroll_y is how far the content is scrolled. */
void     pl_scene_draw_lanes         (const PlScene *self,
                                      cairo_t       *cr,
                                      double         width,
                                      double         height,
                                      double         scroll_y);
void     pl_scene_draw_ruler         (const PlScene *self,
                                      cairo_t       *cr,
                                      double         width,
                                      double         height);
void     pl_scene_draw_overview      (const PlScene *self,
                                      cairo_t       *cr,
                                      double         width,
                                      double         height);

/* Overview, ruler and lanes one above the other, as `render` saves and as the window shows without its chrome. */
void     pl_scene_draw               (const PlScene *self,
                                      cairo_t       *cr,
                                      double         width,
                                      double         height);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlSceneCache, pl_scene_cache_free)

#define PL_SCENE_OVERVIEW_HEIGHT 62.0
#define PL_SCENE_RULER_HEIGHT 28.0

G_END_DECLS

#endif /* PL_SCENE_H */
