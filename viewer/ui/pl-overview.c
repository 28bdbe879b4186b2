/* pl-overview.c: the whole session in a strip, with the visible range as a box
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A click outside of the box centres it there; a drag keeps hold of the point that was grabbed.
 */
#include "config.h"

#include "pl-overview.h"

#include <glib/gi18n.h>
#include <math.h>

#include "pl-canvas.h"
#include "pl-describe.h"

/* Share of the visible span that an arrow key moves the box by. */
#define KEY_PAN 0.15
#define ZOOM_PER_NOTCH 1.3
#define MIN_WIDTH 200

struct _PlOverview
{
  GtkWidget parent_instance;

  PlView *view;
  gint64 grabbed_ns; /* distance of the grabbed point from the start of the visible range */
};

G_DEFINE_FINAL_TYPE (PlOverview, pl_overview, GTK_TYPE_WIDGET)

static gint64
time_at (PlOverview *self,
         double      x)
{
  PlScene scene;

  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  return pl_scene_overview_x_to_time (&scene, gtk_widget_get_width (GTK_WIDGET (self)),
                                      MAX (x, PL_SCENE_GUTTER_WIDTH));
}

static void
move_to (PlOverview *self,
         gint64      at_ns)
{
  PlRange visible = pl_view_get_visible (self->view);

  pl_view_pan (self->view, at_ns - self->grabbed_ns - visible.from_ns, PL_VIEW_CONTINUE);
}

static void
press_began (GtkGestureDrag *gesture,
             double          x,
             double          y,
             PlOverview     *self)
{
  PlRange visible;
  gint64 at_ns;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->view == NULL || pl_view_get_trace (self->view) == NULL || x < PL_SCENE_GUTTER_WIDTH)
    {
      gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_DENIED);
      return;
    }

  visible = pl_view_get_visible (self->view);
  at_ns = time_at (self, x);
  if (at_ns >= visible.from_ns && at_ns < visible.to_ns)
    self->grabbed_ns = at_ns - visible.from_ns;
  else
    self->grabbed_ns = pl_range_span (visible) / 2;
  move_to (self, at_ns);
}

static void
dragged (GtkGestureDrag *gesture,
         double          dx,
         double          dy,
         PlOverview     *self)
{
  double x;
  double y;

  if (gtk_gesture_drag_get_start_point (gesture, &x, &y))
    move_to (self, time_at (self, x + dx));
}

static void
press_ended (GtkGestureDrag *gesture,
             double          dx,
             double          dy,
             PlOverview     *self)
{
  if (self->view != NULL)
    pl_view_settle (self->view);
}

static gboolean
scrolled (GtkEventControllerScroll *controller,
          double                    dx,
          double                    dy,
          PlOverview               *self)
{
  GdkModifierType state = gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (controller));
  PlRange visible;

  if (self->view == NULL || pl_view_get_trace (self->view) == NULL || (state & GDK_CONTROL_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  visible = pl_view_get_visible (self->view);
  pl_view_zoom (self->view, pow (ZOOM_PER_NOTCH, dy), visible.from_ns + pl_range_span (visible) / 2,
                PL_VIEW_CONTINUE);
  return GDK_EVENT_STOP;
}

static gboolean
pan_by_key (GtkWidget *widget,
            GVariant  *args,
            gpointer   user_data)
{
  PlOverview *self = PL_OVERVIEW (widget);

  if (self->view == NULL)
    return GDK_EVENT_PROPAGATE;
  pl_view_pan (self->view,
               llround (g_variant_get_double (args) * (double) pl_range_span (pl_view_get_visible (self->view))),
               PL_VIEW_CONTINUE);
  return GDK_EVENT_STOP;
}

static void
view_settled (PlView     *view,
              PlOverview *self)
{
  g_autofree char *description = NULL;

  if (pl_view_get_trace (view) != NULL)
    description = pl_describe_visible (view);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description != NULL ? description : "", -1);
}

static void
pl_overview_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : (int) PL_SCENE_OVERVIEW_HEIGHT;
}

static void
pl_overview_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  PlOverview *self = PL_OVERVIEW (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  PlScene scene;
  cairo_t *cr;

  if (self->view == NULL || width <= 0)
    return;

  pl_canvas_fill_scene (widget, self->view, &scene);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  pl_scene_draw_overview (&scene, cr, width, height);
  cairo_destroy (cr);
}

static void
pl_overview_dispose (GObject *object)
{
  PlOverview *self = PL_OVERVIEW (object);

  g_clear_object (&self->view);

  G_OBJECT_CLASS (pl_overview_parent_class)->dispose (object);
}

static void
pl_overview_class_init (PlOverviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_overview_dispose;
  widget_class->measure = pl_overview_measure;
  widget_class->snapshot = pl_overview_snapshot;

  gtk_widget_class_set_css_name (widget_class, "overview");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Left, 0, pan_by_key, "d", -KEY_PAN);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Right, 0, pan_by_key, "d", KEY_PAN);
}

static void
pl_overview_init (PlOverview *self)
{
  GtkWidget *widget = GTK_WIDGET (self);
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkEventController *scroll = gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_VERTICAL);

  gtk_widget_set_focusable (widget, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Overview of the session"), -1);

  g_signal_connect (drag, "drag-begin", G_CALLBACK (press_began), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (dragged), self);
  g_signal_connect (drag, "drag-end", G_CALLBACK (press_ended), self);
  g_signal_connect (scroll, "scroll", G_CALLBACK (scrolled), self);
  gtk_widget_add_controller (widget, GTK_EVENT_CONTROLLER (drag));
  gtk_widget_add_controller (widget, scroll);
}

/**
 * pl_overview_set_view:
 * @self: an overview
 * @view: what to show; set once
 *
 * Gives the overview its state.
 */
void
pl_overview_set_view (PlOverview *self,
                      PlView     *view)
{
  g_return_if_fail (PL_IS_OVERVIEW (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_DETAIL, G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_VISIBLE, G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_THRESHOLD, G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_RANGE, G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SETTLED, G_CALLBACK (view_settled), self, 0);
  view_settled (view, self);
}
