/* pl-view-visible.c: the range on screen: zooming, panning, and the way back
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-view-private.h"

/* A wheel or a held key that rests this long has come to its end. */
#define SETTLE_MS 400

/**
 * pl_view_jump:
 * @self: a view
 * @visible: a range in its bounds
 *
 * Changes the visible range without a word and without a step in the history.
 */
void
pl_view_jump (PlView  *self,
              PlRange  visible)
{
  self->visible = visible;
  self->exact_span_ns = (double) pl_range_span (visible);
}

static gboolean
settle_after_rest (gpointer user_data)
{
  PlView *self = user_data;

  self->settle_id = 0;
  pl_view_settle (self);
  return G_SOURCE_REMOVE;
}

/**
 * pl_view_show:
 * @self: a view
 * @wanted: the range to show; it is clamped to the bounds
 * @move: whether this is a step or part of a movement
 *
 * Changes the visible range.
 */
void
pl_view_show (PlView     *self,
              PlRange     wanted,
              PlViewMove  move)
{
  PlRange visible;

  g_return_if_fail (PL_IS_VIEW (self));

  visible = pl_range_clamp (wanted, self->bounds);
  if (visible.to_ns != self->bounds.to_ns)
    pl_view_set_following (self, FALSE);
  if (pl_range_equal (visible, self->visible))
    return;

  pl_history_leave (self->history, self->visible, move == PL_VIEW_CONTINUE);
  pl_view_jump (self, visible);
  g_clear_handle_id (&self->settle_id, g_source_remove);
  if (move == PL_VIEW_CONTINUE)
    self->settle_id = g_timeout_add (SETTLE_MS, settle_after_rest, self);

  pl_view_emit_changed (self, PL_VIEW_CHANGED_VISIBLE);
  if (move == PL_VIEW_STEP)
    pl_view_emit_changed (self, PL_VIEW_CHANGED_SETTLED);
}

/**
 * pl_view_zoom:
 * @self: a view
 * @factor: below 1 shows less, above 1 shows more
 * @at_ns: the instant that keeps its place on screen; that is the end while the view sticks to it
 * @move: whether this is a step or part of a movement
 *
 * Zooms.
 */
void
pl_view_zoom (PlView     *self,
              double      factor,
              gint64      at_ns,
              PlViewMove  move)
{
  double span_ns;

  g_return_if_fail (PL_IS_VIEW (self));

  if (self->is_following)
    at_ns = self->visible.to_ns;
  span_ns = CLAMP (self->exact_span_ns * factor, (double) PL_RANGE_MIN_NS, (double) pl_range_span (self->bounds));
  pl_view_show (self, pl_range_zoom (self->visible, span_ns, at_ns, self->bounds), move);
  self->exact_span_ns = span_ns;
}

/**
 * pl_view_pan:
 * @self: a view
 * @delta_ns: how far, to later times when positive
 * @move: whether this is a step or part of a movement
 *
 * Moves the visible range and keeps its span; it stops at the ends of the trace.
 */
void
pl_view_pan (PlView     *self,
             gint64      delta_ns,
             PlViewMove  move)
{
  g_return_if_fail (PL_IS_VIEW (self));

  pl_view_show (self, pl_range_pan (self->visible, delta_ns, self->bounds), move);
}

/**
 * pl_view_fit:
 * @self: a view
 *
 * Shows the whole trace.
 */
void
pl_view_fit (PlView *self)
{
  g_return_if_fail (PL_IS_VIEW (self));

  pl_view_show (self, self->bounds, PL_VIEW_STEP);
}

/**
 * pl_view_reveal:
 * @self: a view
 * @poll: a poll of the trace
 *
 * Selects @poll and shows it with what happened around it, as pl_range_around() places it.
 */
void
pl_view_reveal (PlView       *self,
                const PlPoll *poll)
{
  PlPoll target;

  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (poll != NULL);

  target = *poll;
  pl_view_select (self, &target);
  pl_view_set_following (self, FALSE);
  pl_view_show (self, pl_range_around (target.start_ns, target.duration_ns, self->bounds), PL_VIEW_STEP);
}

/**
 * pl_view_select_nearby:
 * @self: a view
 * @poll: a poll of the trace
 *
 * Selects @poll and, where it is out of sight, moves the visible range to it without zooming.
 */
void
pl_view_select_nearby (PlView       *self,
                       const PlPoll *poll)
{
  PlPoll target;

  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (poll != NULL);

  target = *poll;
  pl_view_select (self, &target);
  if (target.start_ns < self->visible.from_ns || target.start_ns >= self->visible.to_ns)
    {
      gint64 middle_ns = self->visible.from_ns + pl_range_span (self->visible) / 2;

      pl_view_pan (self, target.start_ns - middle_ns, PL_VIEW_CONTINUE);
    }
}

/**
 * pl_view_settle:
 * @self: a view
 *
 * Ends a continuous movement: one can go back to before it. It ends by itself when it rests.
 */
void
pl_view_settle (PlView *self)
{
  g_return_if_fail (PL_IS_VIEW (self));

  g_clear_handle_id (&self->settle_id, g_source_remove);
  pl_history_settle (self->history);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_SETTLED);
}

/**
 * pl_view_can_go_back:
 * @self: a view
 */
gboolean
pl_view_can_go_back (PlView *self)
{
  return pl_history_can_go_back (self->history);
}

/**
 * pl_view_can_go_forward:
 * @self: a view
 */
gboolean
pl_view_can_go_forward (PlView *self)
{
  return pl_history_can_go_forward (self->history);
}

/**
 * pl_view_go_back:
 * @self: a view
 *
 * Shows the range before the last change; does nothing at the beginning of the history.
 */
void
pl_view_go_back (PlView *self)
{
  g_return_if_fail (PL_IS_VIEW (self));

  if (!pl_history_can_go_back (self->history))
    return;
  pl_view_set_following (self, FALSE);
  pl_view_jump (self, pl_range_clamp (pl_history_go_back (self->history, self->visible), self->bounds));
  pl_view_emit_changed (self, PL_VIEW_CHANGED_VISIBLE);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_SETTLED);
}

/**
 * pl_view_go_forward:
 * @self: a view
 *
 * Undoes pl_view_go_back(); does nothing when there is nothing to undo.
 */
void
pl_view_go_forward (PlView *self)
{
  g_return_if_fail (PL_IS_VIEW (self));

  if (!pl_history_can_go_forward (self->history))
    return;
  pl_view_set_following (self, FALSE);
  pl_view_jump (self, pl_range_clamp (pl_history_go_forward (self->history, self->visible), self->bounds));
  pl_view_emit_changed (self, PL_VIEW_CHANGED_VISIBLE);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_SETTLED);
}
