/* pl-timeline-input.c: pointer and touch on the lanes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain vertical scrolling is left to the scrolled window around the timeline. A press becomes a drag after 3 px and
 * is a click before; the modifiers at the press decide what the drag does.
 */
#include "config.h"

#include "pl-timeline-private.h"

#include <math.h>

#include "pl-canvas.h"

#define DRAG_DISTANCE 3.0

/* One notch of a wheel: as the trace viewers people come from. */
#define ZOOM_PER_NOTCH 1.3
#define PAN_PER_NOTCH 0.1
/* A touchpad reports pixels; as many as this are one notch. */
#define PIXELS_PER_NOTCH 50.0

static double
get_axis_width (PlTimeline *self)
{
  return MAX (gtk_widget_get_width (GTK_WIDGET (self)) - PL_SCENE_GUTTER_WIDTH, 1.0);
}

static gint64
time_at (PlTimeline *self,
         double      x)
{
  PlScene scene;

  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  return pl_scene_x_to_time (&scene, gtk_widget_get_width (GTK_WIDGET (self)), MAX (x, PL_SCENE_GUTTER_WIDTH));
}

static gboolean
find_poll (PlTimeline *self,
           double      x,
           double      y,
           PlPoll     *out_poll)
{
  PlScene scene;

  if (x < PL_SCENE_GUTTER_WIDTH || pl_view_get_trace (self->view) == NULL)
    return FALSE;
  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  return pl_scene_poll_at (&scene, gtk_widget_get_width (GTK_WIDGET (self)), x, y + pl_timeline_get_scroll_y (self),
                           out_poll);
}

static gboolean
find_row (PlTimeline *self,
          double      y,
          PlRow      *out_row)
{
  PlScene scene;

  if (pl_view_get_trace (self->view) == NULL)
    return FALSE;
  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  return pl_scene_row_at (&scene, y + pl_timeline_get_scroll_y (self), out_row);
}

/**
 * pl_timeline_point:
 * @self: a timeline
 *
 * Tells the view what lies under the pointer, after the pointer or what is under it has moved.
 */
void
pl_timeline_point (PlTimeline *self)
{
  PlViewPointer pointer = { 0 };
  PlRow row;

  if (self->view == NULL)
    return;
  if (!self->has_pointer || self->pointer_x < PL_SCENE_GUTTER_WIDTH || pl_view_get_trace (self->view) == NULL)
    {
      pl_view_set_pointer (self->view, NULL);
      return;
    }

  pointer.at_ns = time_at (self, self->pointer_x);
  if (find_row (self, self->pointer_y, &row) && row.kind == PL_ROW_LANE)
    {
      pointer.has_lane = TRUE;
      pointer.worker = pl_lane_get_worker (pl_trace_get_lane (pl_view_get_trace (self->view), row.index));
      pointer.has_poll = find_poll (self, self->pointer_x, self->pointer_y, &pointer.poll);
    }
  pl_view_set_pointer (self->view, &pointer);
  gtk_widget_trigger_tooltip_query (GTK_WIDGET (self));
}

static void
pointer_moved (GtkEventControllerMotion *controller,
               double                    x,
               double                    y,
               PlTimeline               *self)
{
  self->has_pointer = TRUE;
  self->pointer_x = x;
  self->pointer_y = y;
  pl_timeline_point (self);
}

static void
pointer_left (GtkEventControllerMotion *controller,
              PlTimeline               *self)
{
  self->has_pointer = FALSE;
  pl_timeline_point (self);
}

static gint64
anchor_at_pointer (PlTimeline *self)
{
  const PlViewPointer *pointer = pl_view_get_pointer (self->view);
  PlRange visible = pl_view_get_visible (self->view);

  return pointer != NULL ? pointer->at_ns : visible.from_ns + pl_range_span (visible) / 2;
}

static gboolean
scrolled (GtkEventControllerScroll *controller,
          double                    dx,
          double                    dy,
          PlTimeline               *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  gboolean in_pixels = gtk_event_controller_scroll_get_unit (controller) == GDK_SCROLL_UNIT_SURFACE;
  double span_ns;
  double notches;

  if (self->view == NULL || pl_view_get_trace (self->view) == NULL)
    return GDK_EVENT_PROPAGATE;

  if (state & GDK_CONTROL_MASK)
    {
      notches = in_pixels ? dy / PIXELS_PER_NOTCH : dy;
      pl_view_zoom (self->view, pow (ZOOM_PER_NOTCH, notches), anchor_at_pointer (self), PL_VIEW_CONTINUE);
      return GDK_EVENT_STOP;
    }
  if ((state & GDK_SHIFT_MASK) == 0 && fabs (dx) <= fabs (dy))
    return GDK_EVENT_PROPAGATE;

  if (fabs (dx) < fabs (dy))
    dx = dy;
  span_ns = (double) pl_range_span (pl_view_get_visible (self->view));
  pl_view_pan (self->view, llround (span_ns * (in_pixels ? dx / get_axis_width (self) : dx * PAN_PER_NOTCH)),
               PL_VIEW_CONTINUE);
  return GDK_EVENT_STOP;
}

static void
pinch_began (GtkGesture       *gesture,
             GdkEventSequence *sequence,
             PlTimeline       *self)
{
  double x;
  double y;

  if (self->view == NULL || !gtk_gesture_get_bounding_box_center (gesture, &x, &y))
    return;
  self->pinch_visible = pl_view_get_visible (self->view);
  self->pinch_at_ns = time_at (self, x);
}

static void
pinched (GtkGestureZoom *gesture,
         double          scale,
         PlTimeline     *self)
{
  double span_ns = (double) pl_range_span (self->pinch_visible);

  if (self->view == NULL || pl_range_is_empty (self->pinch_visible) || scale <= 0)
    return;
  pl_view_show (self->view,
                pl_range_zoom (self->pinch_visible, span_ns / scale, self->pinch_at_ns,
                               pl_view_get_bounds (self->view)),
                PL_VIEW_CONTINUE);
}

static PlTimelineDrag
choose_drag (GtkGestureDrag *gesture)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (gesture));

  if (state & GDK_SHIFT_MASK)
    return PL_TIMELINE_SELECTING;
  if (state & GDK_ALT_MASK)
    return PL_TIMELINE_ZOOMING;
  return PL_TIMELINE_PANNING;
}

static void
press_began (GtkGestureDrag *gesture,
             double          x,
             double          y,
             PlTimeline     *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->view == NULL || pl_view_get_trace (self->view) == NULL)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }

  self->drag = PL_TIMELINE_PRESSED;
  self->drag_becomes = choose_drag (gesture);
  self->drag_visible = pl_view_get_visible (self->view);
  self->drag_range = pl_view_get_range (self->view);
  self->drag_scroll_y = pl_timeline_get_scroll_y (self);
  self->drag_at_ns = time_at (self, x);
}

static void
pan_to (PlTimeline *self,
        double      dx,
        double      dy)
{
  double span_ns = (double) pl_range_span (self->drag_visible);

  pl_view_show (self->view,
                pl_range_pan (self->drag_visible, -llround (dx / get_axis_width (self) * span_ns),
                              pl_view_get_bounds (self->view)),
                PL_VIEW_CONTINUE);
  if (self->vadjustment != NULL)
    gtk_adjustment_set_value (self->vadjustment, self->drag_scroll_y - dy);
}

static void
select_to (PlTimeline *self,
           gint64      at_ns)
{
  pl_view_set_range (self->view, (PlRange) { MIN (self->drag_at_ns, at_ns), MAX (self->drag_at_ns, at_ns) });
}

static void
dragged (GtkGestureDrag *gesture,
         double          dx,
         double          dy,
         PlTimeline     *self)
{
  double x;
  double y;

  if (self->drag == PL_TIMELINE_IDLE || !gtk_gesture_drag_get_start_point (gesture, &x, &y))
    return;
  if (self->drag == PL_TIMELINE_PRESSED)
    {
      if (hypot (dx, dy) < DRAG_DISTANCE)
        return;
      self->drag = self->drag_becomes;
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
      if (self->drag == PL_TIMELINE_PANNING)
        gtk_widget_set_cursor_from_name (GTK_WIDGET (self), "grabbing");
    }

  if (self->drag == PL_TIMELINE_PANNING)
    pan_to (self, dx, dy);
  else
    select_to (self, time_at (self, x + dx));
}

static void
click (PlTimeline *self,
       double      x,
       double      y)
{
  PlPoll poll;
  PlRow row;

  if (find_row (self, y, &row) && row.kind == PL_ROW_RUNTIME)
    {
      pl_view_toggle_runtime (self->view, row.index);
      return;
    }
  if (find_poll (self, x, y, &poll))
    {
      pl_view_select (self->view, &poll);
      return;
    }
  pl_view_set_range (self->view, (PlRange) { 0, 0 });
  pl_view_select (self->view, NULL);
}

static void
press_ended (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             PlTimeline     *self)
{
  PlTimelineDrag drag = self->drag;
  double x;
  double y;

  self->drag = PL_TIMELINE_IDLE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
  if (drag == PL_TIMELINE_PRESSED && gtk_gesture_drag_get_start_point (gesture, &x, &y))
    click (self, x, y);
  else if (drag == PL_TIMELINE_PANNING)
    pl_view_settle (self->view);
  else if (drag == PL_TIMELINE_ZOOMING)
    {
      PlRange wanted = pl_view_get_range (self->view);

      pl_view_set_range (self->view, self->drag_range);
      if (!pl_range_is_empty (wanted))
        pl_view_show (self->view, wanted, PL_VIEW_STEP);
    }
}

static void
press_cancelled (GtkGesture       *gesture,
                 GdkEventSequence *sequence,
                 PlTimeline       *self)
{
  if (self->drag == PL_TIMELINE_ZOOMING || self->drag == PL_TIMELINE_SELECTING)
    pl_view_set_range (self->view, self->drag_range);
  self->drag = PL_TIMELINE_IDLE;
  gtk_widget_set_cursor (GTK_WIDGET (self), NULL);
}

static void
clicked_twice (GtkGestureClick *gesture,
               int              n_press,
               double           x,
               double           y,
               PlTimeline      *self)
{
  PlPoll poll;

  if (n_press == 2 && self->view != NULL && find_poll (self, x, y, &poll))
    pl_view_reveal (self->view, &poll);
}

/**
 * pl_timeline_add_input:
 * @self: a timeline that is being made
 *
 * Adds what listens to pointer and touch.
 */
void
pl_timeline_add_input (PlTimeline *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *twice = gtk_gesture_click_new ();

  g_signal_connect (motion, "enter", G_CALLBACK (pointer_moved), self);
  g_signal_connect (motion, "motion", G_CALLBACK (pointer_moved), self);
  g_signal_connect (motion, "leave", G_CALLBACK (pointer_left), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scrolled), self);
  g_signal_connect (pinch, "begin", G_CALLBACK (pinch_began), self);
  g_signal_connect (pinch, "scale-changed", G_CALLBACK (pinched), self);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (press_began), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (dragged), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (press_ended), self);
  g_signal_connect (drag, "cancel", G_CALLBACK (press_cancelled), self);
  g_signal_connect (twice, "pressed", G_CALLBACK (clicked_twice), self);

  gtk_widget_add_controller (widget, motion);
  gtk_widget_add_controller (widget, scroll);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (pinch));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (twice));
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
}
