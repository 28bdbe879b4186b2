/* pl-view-follow.c: a view of a trace that is being recorded, and how it sticks to the end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Snapshots come thirty times a second. What draws is told of each, and what counts, lists and describes twice a second:
 * nobody reads faster, and it would cost more than the drawing.
 */
#include "config.h"

#include "pl-view-private.h"

#define TELL_MS 500

/* A session that has just begun is seen as a whole, until it is this long. */
#define WHOLE_NS (G_GINT64_CONSTANT (10) * 1000000000)

static void
tell (PlView *self)
{
  g_clear_handle_id (&self->tell_id, g_source_remove);
  self->told_us = g_get_monotonic_time ();
  pl_view_emit_changed (self, PL_VIEW_CHANGED_TRACE);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_VISIBLE);
  if (pl_view_refresh_selected (self))
    pl_view_emit_changed (self, PL_VIEW_CHANGED_SELECTED);
}

static gboolean
tell_in_time (gpointer user_data)
{
  PlView *self = user_data;

  self->tell_id = 0;
  tell (self);
  return G_SOURCE_REMOVE;
}

static gboolean
has_same_lanes (PlTrace *a,
                PlTrace *b)
{
  guint n_a, n_b;

  pl_trace_get_runtimes (a, &n_a);
  pl_trace_get_runtimes (b, &n_b);
  return n_a == n_b && pl_trace_get_n_lanes (a) == pl_trace_get_n_lanes (b);
}

static PlRange
stick_to_end (PlView *self,
              gint64  span_ns)
{
  return pl_range_clamp ((PlRange) { self->bounds.to_ns - span_ns, self->bounds.to_ns }, self->bounds);
}

/**
 * pl_view_extend_trace:
 * @self: a view with a trace
 * @trace: a later snapshot of the same trace, which is being recorded
 *
 * Shows a later snapshot: as pl_view_grow_trace(), and a view that sticks to the end moves with it.
 */
void
pl_view_extend_trace (PlView  *self,
                      PlTrace *trace)
{
  gboolean was_whole;
  gboolean is_alike;
  gint64 span_ns;

  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (trace != NULL);
  g_return_if_fail (self->trace != NULL);

  was_whole = pl_range_equal (self->visible, self->bounds);
  span_ns = pl_range_span (self->visible);
  is_alike = has_same_lanes (self->trace, trace);
  pl_view_take_snapshot (self, trace);
  if (was_whole && self->is_following && span_ns < WHOLE_NS)
    pl_view_jump (self, stick_to_end (self, WHOLE_NS));
  else if (was_whole)
    pl_view_jump (self, self->bounds);
  else if (self->is_following)
    pl_view_jump (self, stick_to_end (self, span_ns));
  else
    pl_view_jump (self, pl_range_clamp (self->visible, self->bounds));

  pl_view_emit_changed (self, PL_VIEW_CHANGED_GROWTH);
  if (!is_alike || g_get_monotonic_time () - self->told_us >= TELL_MS * 1000)
    tell (self);
  else if (self->tell_id == 0)
    self->tell_id = g_timeout_add (TELL_MS, tell_in_time, self);
}

/**
 * pl_view_is_following:
 * @self: a view
 *
 * Returns: whether the view sticks to the end of the trace
 */
gboolean
pl_view_is_following (PlView *self)
{
  return self->is_following;
}

/**
 * pl_view_set_following:
 * @self: a view
 * @following: whether to stick to the end
 *
 * Goes to the end and stays there as the trace grows, until the visible range is changed to one that ends before it.
 */
void
pl_view_set_following (PlView   *self,
                       gboolean  following)
{
  g_return_if_fail (PL_IS_VIEW (self));

  if (following)
    pl_view_show (self, stick_to_end (self, pl_range_span (self->visible)), PL_VIEW_STEP);
  if (self->is_following == following)
    return;
  self->is_following = following;
  pl_view_emit_changed (self, PL_VIEW_CHANGED_FOLLOWING);
}
