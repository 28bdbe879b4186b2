/* pl-view.h: what one window shows: snapshot, range, selection, threshold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_VIEW_H
#define PL_VIEW_H

#include <glib-object.h>

#include "pl-range.h"
#include "pl-scene.h"

G_BEGIN_DECLS

#define PL_TYPE_VIEW (pl_view_get_type ())
G_DECLARE_FINAL_TYPE (PlView, pl_view, PL, VIEW, GObject)

/**
 * PlViewMove:
 * @PL_VIEW_STEP: a change of its own, one can go back before it
 * @PL_VIEW_CONTINUE: part of a movement that lasts until pl_view_settle(), one step in all
 */
typedef enum
{
  PL_VIEW_STEP,
  PL_VIEW_CONTINUE,
} PlViewMove;

typedef enum
{
  PL_VIEW_RELATIVE,
  PL_VIEW_WALL_LOCAL,
  PL_VIEW_WALL_UTC,
} PlViewTimeFormat;

/**
 * PlViewPointer:
 * @at_ns: the instant under the pointer
 * @has_lane: whether it is over a lane
 * @worker: that lane's worker, if @has_lane
 * @has_poll: whether a poll lies under it
 * @poll: that poll, if @has_poll
 */
typedef struct
{
  gint64 at_ns;
  gboolean has_lane;
  guint64 worker;
  gboolean has_poll;
  PlPoll poll;
} PlViewPointer;

/* Signal "changed", with one of these details: */
#define PL_VIEW_CHANGED_TRACE "trace"             /* a new or grown snapshot */
#define PL_VIEW_CHANGED_GROWTH "growth"           /* the same trace, longer; "trace" and "visible" follow within half a second */
#define PL_VIEW_CHANGED_FOLLOWING "following"     /* whether the view sticks to the end */
#define PL_VIEW_CHANGED_DETAIL "detail"           /* the same trace, with detail elsewhere */
#define PL_VIEW_CHANGED_VISIBLE "visible"         /* the visible range, or whether one can go back or forward */
#define PL_VIEW_CHANGED_SETTLED "settled"         /* a continuous movement has ended */
#define PL_VIEW_CHANGED_THRESHOLD "threshold"
#define PL_VIEW_CHANGED_SELECTED "selected"       /* the selected poll */
#define PL_VIEW_CHANGED_RANGE "range"             /* the selected range */
#define PL_VIEW_CHANGED_TIME_FORMAT "time-format"
#define PL_VIEW_CHANGED_POINTER "pointer"
#define PL_VIEW_CHANGED_COLLAPSED "collapsed"     /* runtimes folded away */

PlView              *pl_view_new             (void);

PlTrace             *pl_view_get_trace       (PlView              *self);
void                 pl_view_set_trace       (PlView              *self,
                                              PlTrace             *trace);
void                 pl_view_grow_trace      (PlView              *self,
                                              PlTrace             *trace);
void                 pl_view_set_detail      (PlView              *self,
                                              PlTrace             *trace);
void                 pl_view_extend_trace    (PlView              *self,
                                              PlTrace             *trace);
gboolean             pl_view_is_following    (PlView              *self);
void                 pl_view_set_following   (PlView              *self,
                                              gboolean             following);

PlRange              pl_view_get_bounds      (PlView              *self);
PlRange              pl_view_get_visible     (PlView              *self);
void                 pl_view_show            (PlView              *self,
                                              PlRange              wanted,
                                              PlViewMove           move);
void                 pl_view_zoom            (PlView              *self,
                                              double               factor,
                                              gint64               at_ns,
                                              PlViewMove           move);
void                 pl_view_pan             (PlView              *self,
                                              gint64               delta_ns,
                                              PlViewMove           move);
void                 pl_view_fit             (PlView              *self);
void                 pl_view_reveal          (PlView              *self,
                                              const PlPoll        *poll);
void                 pl_view_select_nearby   (PlView              *self,
                                              const PlPoll        *poll);
void                 pl_view_settle          (PlView              *self);
gboolean             pl_view_can_go_back     (PlView              *self);
gboolean             pl_view_can_go_forward  (PlView              *self);
void                 pl_view_go_back         (PlView              *self);
void                 pl_view_go_forward      (PlView              *self);

gint64               pl_view_get_threshold   (PlView              *self);
void                 pl_view_set_threshold   (PlView              *self,
                                              gint64               threshold_ns);

const PlPoll        *pl_view_get_selected    (PlView              *self);
void                 pl_view_select          (PlView              *self,
                                              const PlPoll        *poll);

PlRange              pl_view_get_range       (PlView              *self);
void                 pl_view_set_range       (PlView              *self,
                                              PlRange              range);

PlViewTimeFormat     pl_view_get_time_format (PlView              *self);
void                 pl_view_set_time_format (PlView              *self,
                                              PlViewTimeFormat     format);

const PlViewPointer *pl_view_get_pointer     (PlView              *self);
void                 pl_view_set_pointer     (PlView              *self,
                                              const PlViewPointer *pointer);

void                 pl_view_toggle_runtime  (PlView              *self,
                                              guint                runtime);
void                 pl_view_fill_scene      (PlView              *self,
                                              PlScene             *out_scene);

G_END_DECLS

#endif /* PL_VIEW_H */
