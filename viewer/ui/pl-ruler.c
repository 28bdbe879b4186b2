/* pl-ruler.c: the time axis above the lanes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A drawn axis with one child, the button in the gutter that chooses how time is told.
 */
#include "config.h"

#include "pl-ruler.h"

#include <glib/gi18n.h>

#include "pl-canvas.h"

struct _PlRuler
{
  GtkWidget parent_instance;

  PlView *view;
  GtkWidget *button;
};

G_DEFINE_FINAL_TYPE (PlRuler, pl_ruler, GTK_TYPE_WIDGET)

static const char *
get_format_name (PlViewTimeFormat format)
{
  switch (format)
    {
    case PL_VIEW_WALL_LOCAL:
      return _("local time");
    case PL_VIEW_WALL_UTC:
      return _("UTC");
    default:
      /* Translators: time since the start of the trace */
      return _("relative");
    }
}

static void
time_format_changed (PlView  *view,
                     PlRuler *self)
{
  const char *name = get_format_name (pl_view_get_time_format (view));

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, name, -1);
}

static GMenuModel *
make_menu (void)
{
  GMenu *menu = g_menu_new ();

  g_menu_append (menu, _("Relative to the Start"), "win.time-format::relative");
  g_menu_append (menu, _("Local Time"), "win.time-format::wall-local");
  g_menu_append (menu, _("UTC"), "win.time-format::wall-utc");
  return G_MENU_MODEL (menu);
}

static void
pl_ruler_measure (GtkWidget      *widget,
                  GtkOrientation  orientation,
                  int             for_size,
                  int            *minimum,
                  int            *natural,
                  int            *minimum_baseline,
                  int            *natural_baseline)
{
  PlRuler *self = PL_RULER (widget);

  gtk_widget_measure (self->button, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = *natural = (int) PL_SCENE_RULER_HEIGHT;
}

static void
pl_ruler_size_allocate (GtkWidget *widget,
                        int        width,
                        int        height,
                        int        baseline)
{
  PlRuler *self = PL_RULER (widget);
  int minimum;
  int natural;

  gtk_widget_measure (self->button, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, &natural, NULL, NULL);
  gtk_widget_size_allocate (self->button,
                            &(GtkAllocation) { 0, 0, CLAMP (natural, minimum, (int) PL_SCENE_GUTTER_WIDTH), height },
                            -1);
}

static void
pl_ruler_snapshot (GtkWidget   *widget,
                   GtkSnapshot *snapshot)
{
  PlRuler *self = PL_RULER (widget);
  int width = gtk_widget_get_width (widget);
  int height = gtk_widget_get_height (widget);
  PlScene scene;
  cairo_t *cr;

  if (self->view == NULL || width <= 0)
    return;

  pl_canvas_fill_scene (widget, self->view, &scene);
  cr = gtk_snapshot_append_cairo (snapshot, &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  pl_scene_draw_ruler (&scene, cr, width, height);
  cairo_destroy (cr);
  gtk_widget_snapshot_child (widget, self->button, snapshot);
}

static void
pl_ruler_dispose (GObject *object)
{
  PlRuler *self = PL_RULER (object);

  g_clear_pointer (&self->button, gtk_widget_unparent);
  g_clear_object (&self->view);

  G_OBJECT_CLASS (pl_ruler_parent_class)->dispose (object);
}

static void
pl_ruler_class_init (PlRulerClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_ruler_dispose;
  widget_class->measure = pl_ruler_measure;
  widget_class->size_allocate = pl_ruler_size_allocate;
  widget_class->snapshot = pl_ruler_snapshot;

  gtk_widget_class_set_css_name (widget_class, "ruler");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
pl_ruler_init (PlRuler *self)
{
  g_autoptr(GMenuModel) menu = make_menu ();

  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (self->button), menu);
  gtk_menu_button_set_has_frame (GTK_MENU_BUTTON (self->button), FALSE);
  gtk_widget_add_css_class (self->button, "time-format");
  gtk_widget_set_tooltip_text (self->button, _("How time is told"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _("Time format"), -1);
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, _("Time axis"), -1);
}

/**
 * pl_ruler_set_view:
 * @self: a ruler
 * @view: what to show; set once
 *
 * Gives the ruler its state.
 */
void
pl_ruler_set_view (PlRuler *self,
                   PlView  *view)
{
  g_return_if_fail (PL_IS_RULER (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TIME_FORMAT, G_CALLBACK (time_format_changed), self, 0);
  g_signal_connect_object (view, "changed", G_CALLBACK (gtk_widget_queue_draw), self, G_CONNECT_SWAPPED);
  time_format_changed (view, self);
}
