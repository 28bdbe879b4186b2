/* pl-timeline.c: the lanes: drawing, scrolling and what assistive technology hears
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes are one drawn widget that scrolls in a scrolled window. Its children draw nothing: they are the lanes for
 * assistive technology. Pointer and touch are in pl-timeline-input.c, keys are actions of the window.
 */
#include "config.h"

#include "pl-timeline-private.h"

#include <glib/gi18n.h>
#include <math.h>

#include "pl-canvas.h"
#include "pl-describe.h"
#include "pl-lane-item.h"
#include "pl-rows.h"

/* Two lanes and a part of the next, so that one sees that there is more. */
#define MIN_HEIGHT 60
#define NATURAL_HEIGHT 300
#define MIN_WIDTH 200

/* A widget for each lane takes GTK minutes where there are tens of thousands. */
#define MAX_LANE_ITEMS 512u

enum
{
  PROP_0,
  PROP_HADJUSTMENT,
  PROP_VADJUSTMENT,
  PROP_HSCROLL_POLICY,
  PROP_VSCROLL_POLICY,
};

G_DEFINE_FINAL_TYPE_WITH_CODE (PlTimeline, pl_timeline, GTK_TYPE_WIDGET,
                               G_IMPLEMENT_INTERFACE (GTK_TYPE_SCROLLABLE, NULL))

/**
 * pl_timeline_get_scroll_y:
 * @self: a timeline
 *
 * Returns: how far the content is scrolled, in units
 */
double
pl_timeline_get_scroll_y (PlTimeline *self)
{
  return self->vadjustment != NULL ? floor (gtk_adjustment_get_value (self->vadjustment)) : 0;
}

static char *
describe_lanes (PlTimeline *self)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  const PlPoll *selected = pl_view_get_selected (self->view);
  guint n_lanes = trace != NULL ? pl_trace_get_n_lanes (trace) : 0;
  g_autofree char *lanes = NULL;
  g_autofree char *item = NULL;

  if (trace == NULL)
    return g_strdup (_("No trace"));

  lanes = g_strdup_printf (ngettext ("%u lane", "%u lanes", n_lanes), n_lanes);
  item = selected != NULL ? pl_describe_poll (self->view, selected) : pl_describe_visible (self->view);
  return g_strdup_printf ("%s. %s", item, lanes);
}

static void
announce (PlTimeline *self)
{
  g_autofree char *description = describe_lanes (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* The first lane that has an item: of more lanes than that those around what is in view have one. It goes along only once
 * the view comes near the end of them. */
static guint
choose_first_lane (PlTimeline *self,
                   guint       n_lanes)
{
  double scroll_y = pl_timeline_get_scroll_y (self);
  PlScene scene;
  PlRowIter rows;
  PlRow row;
  guint shown = 0;

  if (n_lanes <= MAX_LANE_ITEMS)
    return 0;
  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  pl_row_iter_init (&rows, &scene);
  while (pl_row_iter_next (&rows, &row) && row.y <= scroll_y)
    if (row.kind == PL_ROW_LANE)
      shown = row.index;
  if (shown >= self->first_lane + MAX_LANE_ITEMS / 4 && shown < self->first_lane + MAX_LANE_ITEMS * 3 / 4)
    return MIN (self->first_lane, n_lanes - MAX_LANE_ITEMS);
  return MIN (shown - MIN (shown, MAX_LANE_ITEMS / 2), n_lanes - MAX_LANE_ITEMS);
}

static void
update_lane_items (PlTimeline *self)
{
  PlTrace *trace = pl_view_get_trace (self->view);
  guint n_lanes = trace != NULL ? pl_trace_get_n_lanes (trace) : 0;
  guint n_items = MIN (n_lanes, MAX_LANE_ITEMS);

  self->first_lane = choose_first_lane (self, n_lanes);
  while (self->lane_items->len > n_items)
    {
      gtk_widget_unparent (g_ptr_array_index (self->lane_items, self->lane_items->len - 1));
      g_ptr_array_set_size (self->lane_items, self->lane_items->len - 1);
    }
  while (self->lane_items->len < n_items)
    {
      GtkWidget *item = pl_lane_item_new ();

      gtk_widget_set_parent (item, GTK_WIDGET (self));
      g_ptr_array_add (self->lane_items, item);
    }
  for (guint i = 0; i < n_items; i++)
    pl_lane_item_update (g_ptr_array_index (self->lane_items, i), self->view,
                         pl_trace_get_lane (trace, self->first_lane + i));
}

static double
get_content_height (PlTimeline *self)
{
  PlScene scene;

  if (self->view == NULL || pl_view_get_trace (self->view) == NULL)
    return 0;
  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  return pl_scene_get_content_height (&scene);
}

static void
configure_adjustments (PlTimeline *self,
                       int         width,
                       int         height)
{
  double content_height = MAX (get_content_height (self), height);

  if (self->hadjustment != NULL)
    gtk_adjustment_configure (self->hadjustment, 0, 0, width, 0, 0, width);
  if (self->vadjustment != NULL)
    gtk_adjustment_configure (self->vadjustment,
                              CLAMP (gtk_adjustment_get_value (self->vadjustment), 0, content_height - height),
                              0, content_height, 0.1 * height, 0.9 * height, height);
}

static void
scroll_to_selected (PlTimeline *self)
{
  const PlPoll *selected = pl_view_get_selected (self->view);
  PlScene scene;
  PlRow row;
  guint index;

  if (selected == NULL || self->vadjustment == NULL
      || pl_trace_find_lane (pl_view_get_trace (self->view), selected->worker, &index) == NULL)
    return;

  pl_canvas_fill_scene (GTK_WIDGET (self), self->view, &scene);
  if (pl_scene_find_row (&scene, PL_ROW_LANE, index, &row))
    gtk_adjustment_clamp_page (self->vadjustment, row.y, row.y + row.height);
}

/* Other content may need a scroll bar or need it no longer. The scrolled window can only take that while it is allocated
 * itself, so it has to be asked too: told by an allocation of the timeline alone, it never lays anything out again. */
static void
trace_changed (PlView     *view,
               PlTimeline *self)
{
  update_lane_items (self);
  announce (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
collapsed_changed (PlView     *view,
                   PlTimeline *self)
{
  gtk_widget_queue_resize (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
selected_changed (PlView     *view,
                  PlTimeline *self)
{
  scroll_to_selected (self);
  announce (self);
}

static void
visible_changed (PlView     *view,
                 PlTimeline *self)
{
  pl_timeline_point (self);
}

static void
view_settled (PlView     *view,
              PlTimeline *self)
{
  update_lane_items (self);
  announce (self);
}

static void
vadjustment_changed (GtkAdjustment *adjustment,
                     PlTimeline    *self)
{
  PlTrace *trace = self->view != NULL ? pl_view_get_trace (self->view) : NULL;

  if (trace != NULL && choose_first_lane (self, pl_trace_get_n_lanes (trace)) != self->first_lane)
    update_lane_items (self);
  pl_timeline_point (self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
set_adjustment (PlTimeline     *self,
                GtkAdjustment **member,
                GtkAdjustment  *adjustment)
{
  if (*member != NULL)
    g_signal_handlers_disconnect_by_func (*member, vadjustment_changed, self);
  g_set_object (member, adjustment);
  if (adjustment != NULL && member == &self->vadjustment)
    g_signal_connect (adjustment, "value-changed", G_CALLBACK (vadjustment_changed), self);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
pl_timeline_measure (GtkWidget      *widget,
                     GtkOrientation  orientation,
                     int             for_size,
                     int            *minimum,
                     int            *natural,
                     int            *minimum_baseline,
                     int            *natural_baseline)
{
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : MIN_HEIGHT;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? MIN_WIDTH : NATURAL_HEIGHT;
}

static void
pl_timeline_size_allocate (GtkWidget *widget,
                           int        width,
                           int        height,
                           int        baseline)
{
  PlTimeline *self = PL_TIMELINE (widget);
  g_autofree gboolean *is_shown = NULL;
  double scroll_y;
  PlScene scene;
  PlRowIter rows;
  PlRow row;

  configure_adjustments (self, width, height);
  if (self->lane_items->len == 0)
    return;

  scroll_y = pl_timeline_get_scroll_y (self);
  is_shown = g_new0 (gboolean, self->lane_items->len);
  pl_canvas_fill_scene (widget, self->view, &scene);
  pl_row_iter_init (&rows, &scene);
  while (pl_row_iter_next (&rows, &row))
    {
      GtkWidget *item;

      if (row.kind != PL_ROW_LANE || row.index < self->first_lane
          || row.index - self->first_lane >= self->lane_items->len)
        continue;
      item = g_ptr_array_index (self->lane_items, row.index - self->first_lane);
      is_shown[row.index - self->first_lane] = TRUE;
      gtk_widget_set_child_visible (item, TRUE);
      gtk_widget_size_allocate (item,
                                &(GtkAllocation) { 0, (int) (row.y - scroll_y), width, MAX ((int) row.height, 1) }, -1);
    }
  /* Those of a runtime that is folded up. */
  for (guint i = 0; i < self->lane_items->len; i++)
    if (!is_shown[i])
      gtk_widget_set_child_visible (g_ptr_array_index (self->lane_items, i), FALSE);
}

static void
pl_timeline_snapshot (GtkWidget   *widget,
                      GtkSnapshot *snapshot)
{
  PlTimeline *self = PL_TIMELINE (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  PlScene scene;
  cairo_t *cr;

  if (self->view == NULL || width <= 0 || height <= 0)
    return;

  pl_canvas_fill_scene (widget, self->view, &scene);
  if (self->drag > PL_TIMELINE_PRESSED)
    scene.cursor_ns = G_MININT64;
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  pl_scene_draw_lanes (&scene, cr, width, height, pl_timeline_get_scroll_y (self));
  cairo_destroy (cr);
}

/* What was lost under the pointer; NULL for nothing. */
static char *
describe_gap (PlTimeline *self)
{
  const PlViewPointer *pointer = self->view != NULL ? pl_view_get_pointer (self->view) : NULL;
  const PlLane *lane = NULL;

  if (pointer != NULL && pointer->has_lane)
    lane = pl_trace_find_lane (pl_view_get_trace (self->view), pointer->worker, NULL);
  return lane != NULL ? pl_describe_gap_at (self->view, lane, pointer->at_ns) : NULL;
}

static gboolean
pl_timeline_query_tooltip (GtkWidget  *widget,
                           int         x,
                           int         y,
                           gboolean    keyboard_tooltip,
                           GtkTooltip *tooltip)
{
  PlTimeline *self = PL_TIMELINE (widget);
  const PlViewPointer *pointer = self->view != NULL ? pl_view_get_pointer (self->view) : NULL;
  const PlPoll *poll = NULL;
  g_autofree char *text = NULL;

  if (keyboard_tooltip && self->view != NULL)
    poll = pl_view_get_selected (self->view);
  else if (pointer != NULL && pointer->has_poll)
    poll = &pointer->poll;
  text = poll != NULL ? pl_describe_tooltip (self->view, poll) : describe_gap (self);
  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  gtk_tooltip_set_tip_area (tooltip, &(GdkRectangle) { x - 8, y - 16, 16, 32 });
  return TRUE;
}

static void
pl_timeline_get_property (GObject    *object,
                          guint       prop_id,
                          GValue     *value,
                          GParamSpec *pspec)
{
  PlTimeline *self = PL_TIMELINE (object);

  switch (prop_id)
    {
    case PROP_HADJUSTMENT:
      g_value_set_object (value, self->hadjustment);
      break;
    case PROP_VADJUSTMENT:
      g_value_set_object (value, self->vadjustment);
      break;
    case PROP_HSCROLL_POLICY:
      g_value_set_enum (value, self->hscroll_policy);
      break;
    case PROP_VSCROLL_POLICY:
      g_value_set_enum (value, self->vscroll_policy);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
pl_timeline_set_property (GObject      *object,
                          guint         prop_id,
                          const GValue *value,
                          GParamSpec   *pspec)
{
  PlTimeline *self = PL_TIMELINE (object);

  switch (prop_id)
    {
    case PROP_HADJUSTMENT:
      set_adjustment (self, &self->hadjustment, g_value_get_object (value));
      break;
    case PROP_VADJUSTMENT:
      set_adjustment (self, &self->vadjustment, g_value_get_object (value));
      break;
    case PROP_HSCROLL_POLICY:
      self->hscroll_policy = g_value_get_enum (value);
      break;
    case PROP_VSCROLL_POLICY:
      self->vscroll_policy = g_value_get_enum (value);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
pl_timeline_dispose (GObject *object)
{
  PlTimeline *self = PL_TIMELINE (object);

  while (self->lane_items->len > 0)
    {
      gtk_widget_unparent (g_ptr_array_index (self->lane_items, self->lane_items->len - 1));
      g_ptr_array_set_size (self->lane_items, self->lane_items->len - 1);
    }
  set_adjustment (self, &self->hadjustment, NULL);
  set_adjustment (self, &self->vadjustment, NULL);
  g_clear_object (&self->view);

  G_OBJECT_CLASS (pl_timeline_parent_class)->dispose (object);
}

static void
pl_timeline_finalize (GObject *object)
{
  PlTimeline *self = PL_TIMELINE (object);

  g_ptr_array_unref (self->lane_items);

  G_OBJECT_CLASS (pl_timeline_parent_class)->finalize (object);
}

static void
pl_timeline_class_init (PlTimelineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = pl_timeline_get_property;
  object_class->set_property = pl_timeline_set_property;
  object_class->dispose = pl_timeline_dispose;
  object_class->finalize = pl_timeline_finalize;
  widget_class->measure = pl_timeline_measure;
  widget_class->size_allocate = pl_timeline_size_allocate;
  widget_class->snapshot = pl_timeline_snapshot;
  widget_class->query_tooltip = pl_timeline_query_tooltip;

  g_object_class_override_property (object_class, PROP_HADJUSTMENT, "hadjustment");
  g_object_class_override_property (object_class, PROP_VADJUSTMENT, "vadjustment");
  g_object_class_override_property (object_class, PROP_HSCROLL_POLICY, "hscroll-policy");
  g_object_class_override_property (object_class, PROP_VSCROLL_POLICY, "vscroll-policy");

  /* The scrolled window around it would take this key before the window's own shortcuts. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Home, 0, "win.fit", NULL);
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static void
pl_timeline_init (PlTimeline *self)
{
  self->lane_items = g_ptr_array_new ();
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Timeline"), -1);
  pl_timeline_add_input (self);
}

/**
 * pl_timeline_set_view:
 * @self: a timeline
 * @view: what to show; set once
 *
 * Gives the timeline its state.
 */
void
pl_timeline_set_view (PlTimeline *self,
                      PlView     *view)
{
  g_return_if_fail (PL_IS_TIMELINE (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (trace_changed), self, 0);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_COLLAPSED, G_CALLBACK (collapsed_changed), self, 0);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (selected_changed), self, 0);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_VISIBLE, G_CALLBACK (visible_changed), self, 0);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_SETTLED, G_CALLBACK (view_settled), self, 0);
  g_signal_connect_object (view, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  trace_changed (view, self);
}
