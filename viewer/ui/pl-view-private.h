/* pl-view-private.h: what the two halves of the view share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_VIEW_PRIVATE_H
#define PL_VIEW_PRIVATE_H

#include "pl-history.h"
#include "pl-view.h"

G_BEGIN_DECLS

struct _PlView
{
  GObject parent_instance;

  PlTrace *trace;
  PlRange bounds;
  PlRange visible;
  PlHistory *history;
  /* What zooming asked for before it was rounded to whole nanoseconds: without it small steps near the floor would
   * round to no step at all. */
  double exact_span_ns;
  guint settle_id;
  gboolean is_following;
  guint tell_id;         /* "trace" and "visible" are due */
  gint64 told_us;

  gint64 threshold_ns;
  PlPoll selected;
  gboolean has_selected;
  PlRange range;
  PlViewTimeFormat time_format;
  PlViewPointer pointer;
  gboolean has_pointer;

  GHashTable *folded;    /* names of runtimes that are folded away */
  GByteArray *collapsed; /* the same by index in the present snapshot */
  PlSceneCache *cache;
};

void pl_view_emit_changed (PlView     *self,
                           const char *detail);
void pl_view_take_snapshot (PlView    *self,
                            PlTrace   *trace);
gboolean pl_view_refresh_selected (PlView *self);
void pl_view_jump         (PlView     *self,
                           PlRange     visible);

G_END_DECLS

#endif /* PL_VIEW_PRIVATE_H */
