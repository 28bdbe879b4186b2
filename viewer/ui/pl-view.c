/* pl-view.c: what one window shows: snapshot, range, selection, threshold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The one state object of a window. Widgets read it, redraw on its "changed" and change it through these functions or
 * through actions; none of them knows another. The visible range and its history are in pl-view-visible.c, sticking to the
 * end of what grows in pl-view-follow.c. Main thread only.
 */
#include "config.h"

#include "pl-view-private.h"

#define DEFAULT_THRESHOLD_NS G_GINT64_CONSTANT (1000000)

G_DEFINE_FINAL_TYPE (PlView, pl_view, G_TYPE_OBJECT)

enum
{
  CHANGED,
  N_SIGNALS
};

static guint signals[N_SIGNALS];

/**
 * pl_view_emit_changed:
 * @self: a view
 * @detail: one of PL_VIEW_CHANGED_…
 *
 * Tells the widgets that something has changed.
 */
void
pl_view_emit_changed (PlView     *self,
                      const char *detail)
{
  g_signal_emit (self, signals[CHANGED], g_quark_from_static_string (detail));
}

static void
find_collapsed (PlView *self)
{
  guint n_runtimes = 0;
  const PlRuntime *runtimes = NULL;

  if (self->trace != NULL)
    runtimes = pl_trace_get_runtimes (self->trace, &n_runtimes);

  g_byte_array_set_size (self->collapsed, n_runtimes);
  for (guint i = 0; i < n_runtimes; i++)
    self->collapsed->data[i] = g_hash_table_contains (self->folded, runtimes[i].name);
}

/**
 * pl_view_take_snapshot:
 * @self: a view
 * @trace: (nullable): a snapshot
 *
 * Puts a snapshot in place of the one before, without a word.
 */
void
pl_view_take_snapshot (PlView  *self,
                       PlTrace *trace)
{
  PlTrace *old = self->trace;

  /* First the new reference: it may be the same snapshot. */
  self->trace = trace != NULL ? pl_trace_ref (trace) : NULL;
  g_clear_pointer (&old, pl_trace_unref);

  self->bounds = pl_range_bounds (trace != NULL ? pl_trace_get_start_ns (trace) : 0,
                                  trace != NULL ? pl_trace_get_end_ns (trace) : 0);
  find_collapsed (self);
}

/**
 * pl_view_refresh_selected:
 * @self: a view with another snapshot
 *
 * A poll that was open in the last snapshot may have ended in this one.
 *
 * Returns: whether the selected poll is not what it was
 */
gboolean
pl_view_refresh_selected (PlView *self)
{
  const PlLane *lane;
  PlPoll poll;

  if (!self->has_selected || (self->selected.flags & PL_POLL_OPEN) == 0)
    return FALSE;

  lane = pl_trace_find_lane (self->trace, self->selected.worker, NULL);
  if (lane == NULL || !pl_lane_find_poll (lane, self->selected.start_ns, 0, &poll)
      || !pl_poll_same (&poll, &self->selected))
    return FALSE;

  self->selected = poll;
  return TRUE;
}

static void
expand_lane (PlView  *self,
             guint64  worker)
{
  const PlRuntime *runtimes;
  guint n_runtimes;
  const PlLane *lane = pl_trace_find_lane (self->trace, worker, NULL);
  guint runtime;

  if (lane == NULL)
    return;

  runtime = pl_lane_get_runtime (lane);
  runtimes = pl_trace_get_runtimes (self->trace, &n_runtimes);
  if (runtime < n_runtimes && g_hash_table_remove (self->folded, runtimes[runtime].name))
    {
      find_collapsed (self);
      pl_view_emit_changed (self, PL_VIEW_CHANGED_COLLAPSED);
    }
}

static void
pl_view_finalize (GObject *object)
{
  PlView *self = PL_VIEW (object);

  g_clear_handle_id (&self->settle_id, g_source_remove);
  g_clear_handle_id (&self->tell_id, g_source_remove);
  g_clear_pointer (&self->trace, pl_trace_unref);
  g_clear_pointer (&self->history, pl_history_free);
  g_clear_pointer (&self->folded, g_hash_table_unref);
  g_clear_pointer (&self->collapsed, g_byte_array_unref);
  g_clear_pointer (&self->cache, pl_scene_cache_free);

  G_OBJECT_CLASS (pl_view_parent_class)->finalize (object);
}

static void
pl_view_class_init (PlViewClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = pl_view_finalize;

  /**
   * PlView::changed:
   *
   * Something the view shows has changed; the detail, one of PL_VIEW_CHANGED_…, says what.
   */
  signals[CHANGED] = g_signal_new ("changed", PL_TYPE_VIEW, G_SIGNAL_RUN_LAST | G_SIGNAL_DETAILED,
                                   0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
pl_view_init (PlView *self)
{
  self->history = pl_history_new ();
  self->threshold_ns = DEFAULT_THRESHOLD_NS;
  self->folded = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->collapsed = g_byte_array_new ();
  self->cache = pl_scene_cache_new ();
  self->bounds = pl_range_bounds (0, 0);
  pl_view_jump (self, self->bounds);
}

/**
 * pl_view_new:
 *
 * Creates a view without a trace, with a threshold of 1 ms.
 *
 * Returns: (transfer full): a view
 */
PlView *
pl_view_new (void)
{
  return g_object_new (PL_TYPE_VIEW, NULL);
}

/**
 * pl_view_get_trace:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the snapshot that is shown
 */
PlTrace *
pl_view_get_trace (PlView *self)
{
  return self->trace;
}

/**
 * pl_view_set_trace:
 * @self: a view
 * @trace: (nullable): a snapshot of another trace than before
 *
 * Shows all of @trace and forgets selection, history and folded runtimes of the trace before.
 */
void
pl_view_set_trace (PlView  *self,
                   PlTrace *trace)
{
  g_return_if_fail (PL_IS_VIEW (self));

  pl_view_set_following (self, FALSE);
  g_hash_table_remove_all (self->folded);
  pl_history_clear (self->history);
  pl_view_take_snapshot (self, trace);
  pl_view_jump (self, self->bounds);
  self->has_pointer = FALSE;

  pl_view_emit_changed (self, PL_VIEW_CHANGED_TRACE);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_VISIBLE);
  pl_view_select (self, NULL);
  pl_view_set_range (self, (PlRange) { 0, 0 });
}

/**
 * pl_view_grow_trace:
 * @self: a view
 * @trace: a later snapshot of the same trace
 *
 * Shows a later snapshot. Selection and visible range stay, but a view of the whole trace goes on being one.
 */
void
pl_view_grow_trace (PlView  *self,
                    PlTrace *trace)
{
  gboolean was_whole;
  PlRange before;

  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (trace != NULL);

  was_whole = self->trace == NULL || pl_range_equal (self->visible, self->bounds);
  before = self->visible;
  pl_view_take_snapshot (self, trace);
  pl_view_jump (self, was_whole ? self->bounds : pl_range_clamp (self->visible, self->bounds));

  pl_view_emit_changed (self, PL_VIEW_CHANGED_TRACE);
  if (!pl_range_equal (before, self->visible))
    pl_view_emit_changed (self, PL_VIEW_CHANGED_VISIBLE);
  if (pl_view_refresh_selected (self))
    pl_view_emit_changed (self, PL_VIEW_CHANGED_SELECTED);
}

/**
 * pl_view_set_detail:
 * @self: a view
 * @trace: a snapshot of the same trace that holds other parts of it in full
 *
 * Shows what is the same trace in all figures, sharper where it is looked at.
 */
void
pl_view_set_detail (PlView  *self,
                    PlTrace *trace)
{
  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (trace != NULL);

  pl_view_take_snapshot (self, trace);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_DETAIL);
}

/**
 * pl_view_get_bounds:
 * @self: a view
 *
 * Returns: the range of the whole trace; the visible range never leaves it
 */
PlRange
pl_view_get_bounds (PlView *self)
{
  return self->bounds;
}

/**
 * pl_view_get_visible:
 * @self: a view
 *
 * Returns: the range on screen, at least %PL_RANGE_MIN_NS long
 */
PlRange
pl_view_get_visible (PlView *self)
{
  return self->visible;
}

/**
 * pl_view_get_threshold:
 * @self: a view
 *
 * Returns: the duration from which on a poll is long, in ns
 */
gint64
pl_view_get_threshold (PlView *self)
{
  return self->threshold_ns;
}

/**
 * pl_view_set_threshold:
 * @self: a view
 * @threshold_ns: 0 or more
 *
 * Changes what a long poll is. The selection stays.
 */
void
pl_view_set_threshold (PlView *self,
                       gint64  threshold_ns)
{
  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (threshold_ns >= 0);

  if (self->threshold_ns == threshold_ns)
    return;
  self->threshold_ns = threshold_ns;
  pl_view_emit_changed (self, PL_VIEW_CHANGED_THRESHOLD);
}

/**
 * pl_view_get_selected:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): the selected poll, until the selection changes
 */
const PlPoll *
pl_view_get_selected (PlView *self)
{
  return self->has_selected ? &self->selected : NULL;
}

/**
 * pl_view_select:
 * @self: a view
 * @poll: (nullable): a poll of the trace, or %NULL for none
 *
 * Selects a poll; a folded runtime it belongs to is unfolded.
 */
void
pl_view_select (PlView       *self,
                const PlPoll *poll)
{
  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (poll == NULL || self->trace != NULL);

  if (poll == NULL ? !self->has_selected : self->has_selected && pl_poll_same (poll, &self->selected))
    return;

  self->has_selected = poll != NULL;
  if (poll != NULL)
    {
      self->selected = *poll;
      expand_lane (self, poll->worker);
    }
  pl_view_emit_changed (self, PL_VIEW_CHANGED_SELECTED);
}

/**
 * pl_view_get_range:
 * @self: a view
 *
 * Returns: the selected range of time, empty when none is selected
 */
PlRange
pl_view_get_range (PlView *self)
{
  return self->range;
}

/**
 * pl_view_set_range:
 * @self: a view
 * @range: the range to select; an empty one selects none
 *
 * Selects a range of time, as far as it lies in the trace.
 */
void
pl_view_set_range (PlView  *self,
                   PlRange  range)
{
  g_return_if_fail (PL_IS_VIEW (self));

  range.from_ns = MAX (range.from_ns, self->bounds.from_ns);
  range.to_ns = MIN (range.to_ns, self->bounds.to_ns);
  if (pl_range_is_empty (range))
    range = (PlRange) { 0, 0 };

  if (pl_range_equal (range, self->range))
    return;
  self->range = range;
  pl_view_emit_changed (self, PL_VIEW_CHANGED_RANGE);
}

/**
 * pl_view_get_time_format:
 * @self: a view
 *
 * Returns: how instants are told
 */
PlViewTimeFormat
pl_view_get_time_format (PlView *self)
{
  return self->time_format;
}

/**
 * pl_view_set_time_format:
 * @self: a view
 * @format: how instants are told
 */
void
pl_view_set_time_format (PlView           *self,
                         PlViewTimeFormat  format)
{
  g_return_if_fail (PL_IS_VIEW (self));

  if (self->time_format == format)
    return;
  self->time_format = format;
  pl_view_emit_changed (self, PL_VIEW_CHANGED_TIME_FORMAT);
}

/**
 * pl_view_get_pointer:
 * @self: a view
 *
 * Returns: (transfer none) (nullable): what lies under the pointer; %NULL while it is elsewhere
 */
const PlViewPointer *
pl_view_get_pointer (PlView *self)
{
  return self->has_pointer ? &self->pointer : NULL;
}

/**
 * pl_view_set_pointer:
 * @self: a view
 * @pointer: (nullable): what lies under the pointer, or %NULL when it left the time axis
 */
void
pl_view_set_pointer (PlView              *self,
                     const PlViewPointer *pointer)
{
  g_return_if_fail (PL_IS_VIEW (self));

  if (pointer == NULL && !self->has_pointer)
    return;
  self->has_pointer = pointer != NULL;
  if (pointer != NULL)
    self->pointer = *pointer;
  pl_view_emit_changed (self, PL_VIEW_CHANGED_POINTER);
}

/**
 * pl_view_toggle_runtime:
 * @self: a view
 * @runtime: index of a runtime in the snapshot
 *
 * Folds the lanes of a runtime away, or unfolds them. The selection stays.
 */
void
pl_view_toggle_runtime (PlView *self,
                        guint   runtime)
{
  const PlRuntime *runtimes;
  guint n_runtimes;

  g_return_if_fail (PL_IS_VIEW (self));
  g_return_if_fail (self->trace != NULL);

  runtimes = pl_trace_get_runtimes (self->trace, &n_runtimes);
  g_return_if_fail (runtime < n_runtimes);

  if (!g_hash_table_remove (self->folded, runtimes[runtime].name))
    g_hash_table_add (self->folded, g_strdup (runtimes[runtime].name));
  find_collapsed (self);
  pl_view_emit_changed (self, PL_VIEW_CHANGED_COLLAPSED);
}

/**
 * pl_view_fill_scene:
 * @self: a view
 * @out_scene: (out caller-allocates): a scene
 *
 * Fills in all of a scene that does not depend on the widget that draws it: theme, font and device scale are left
 * alone. The scene is valid until the view changes.
 */
void
pl_view_fill_scene (PlView  *self,
                    PlScene *out_scene)
{
  out_scene->trace = self->trace;
  out_scene->from_ns = self->visible.from_ns;
  out_scene->to_ns = self->visible.to_ns;
  out_scene->threshold_ns = self->threshold_ns;
  out_scene->selected = pl_view_get_selected (self);
  out_scene->range_from_ns = self->range.from_ns;
  out_scene->range_to_ns = self->range.to_ns;
  out_scene->cursor_ns = self->has_pointer ? self->pointer.at_ns : G_MININT64;
  out_scene->wall_clock = self->time_format != PL_VIEW_RELATIVE;
  out_scene->utc = self->time_format == PL_VIEW_WALL_UTC;
  out_scene->collapsed = self->collapsed->len > 0 ? self->collapsed->data : NULL;
  out_scene->cache = self->cache;
}
