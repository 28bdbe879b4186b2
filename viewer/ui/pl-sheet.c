/* pl-sheet.c: a sheet that can be pulled up over what lies below it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Its handle stays visible at the bottom: a click pulls the sheet up or pushes it down, a drag puts it anywhere. Without
 * a sheet there is only the content.
 */
#include "config.h"

#include "pl-sheet.h"

#include <glib/gi18n.h>

/* Share of the height that a click pulls the sheet up to. */
#define PULLED_UP 0.6
/* A strip of the content stays to be seen under a sheet that was dragged to the top. */
#define MIN_CONTENT 40

struct _PlSheet
{
  GtkWidget parent_instance;

  GtkWidget *content;
  GtkWidget *sheet;
  GtkWidget *handle;
  GtkWidget *arrow;
  GtkLabel *label;
  double pulled; /* height of the sheet below its handle, 0 when it is down */
  gboolean is_dragged;
};

G_DEFINE_FINAL_TYPE (PlSheet, pl_sheet, GTK_TYPE_WIDGET)

static int
get_handle_height (PlSheet *self)
{
  int height;

  gtk_widget_measure (self->handle, GTK_ORIENTATION_VERTICAL, -1, NULL, &height, NULL, NULL);
  return height;
}

static void
set_pulled (PlSheet *self,
            double   pulled)
{
  double most = gtk_widget_get_height (GTK_WIDGET (self)) - get_handle_height (self) - MIN_CONTENT;

  self->pulled = CLAMP (pulled, 0, MAX (most, 0));
  gtk_image_set_from_icon_name (GTK_IMAGE (self->arrow), self->pulled > 0 ? "pan-down-symbolic" : "pan-up-symbolic");
  gtk_accessible_update_state (GTK_ACCESSIBLE (self->handle), GTK_ACCESSIBLE_STATE_EXPANDED, self->pulled > 0, -1);
  if (self->sheet != NULL)
    gtk_widget_set_child_visible (self->sheet, self->pulled > 0);
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}

static void
handle_clicked (PlSheet *self)
{
  set_pulled (self, self->pulled > 0 ? 0 : PULLED_UP * gtk_widget_get_height (GTK_WIDGET (self)));
}

static void
press_began (GtkGestureDrag *gesture,
             double          x,
             double          y,
             PlSheet        *self)
{
  self->is_dragged = FALSE;
}

static void
dragged (GtkGestureDrag *gesture,
         double          dx,
         double          dy,
         PlSheet        *self)
{
  double x;
  double y;

  /* The handle moves along, and with it where the gesture measures from. */
  gtk_gesture_drag_get_start_point (gesture, &x, &y);
  if (!self->is_dragged
      && !gtk_drag_check_threshold (self->handle, (int) x, (int) y, (int) (x + dx), (int) (y + dy)))
    return;
  self->is_dragged = TRUE;
  gtk_gesture_set_state (GTK_GESTURE (gesture), GTK_EVENT_SEQUENCE_CLAIMED);
  set_pulled (self, self->pulled - dy);
}

static void
pl_sheet_measure (GtkWidget      *widget,
                  GtkOrientation  orientation,
                  int             for_size,
                  int            *minimum,
                  int            *natural,
                  int            *minimum_baseline,
                  int            *natural_baseline)
{
  PlSheet *self = PL_SHEET (widget);

  *minimum = *natural = 0;
  if (self->content != NULL)
    gtk_widget_measure (self->content, orientation, -1, minimum, natural, NULL, NULL);
  if (self->sheet != NULL && orientation == GTK_ORIENTATION_VERTICAL)
    {
      *minimum += get_handle_height (self);
      *natural += get_handle_height (self);
    }
}

static void
pl_sheet_size_allocate (GtkWidget *widget,
                        int        width,
                        int        height,
                        int        baseline)
{
  PlSheet *self = PL_SHEET (widget);
  int handle_height;
  int pulled;
  int minimum;
  int sheet_width;

  if (self->sheet == NULL)
    {
      if (self->content != NULL)
        gtk_widget_size_allocate (self->content, &(GtkAllocation) { 0, 0, width, height }, -1);
      return;
    }

  handle_height = get_handle_height (self);
  pulled = (int) CLAMP (self->pulled, 0, MAX (height - handle_height - MIN_CONTENT, 0));
  if (self->content != NULL)
    gtk_widget_size_allocate (self->content, &(GtkAllocation) { 0, 0, width, height - handle_height }, -1);
  gtk_widget_size_allocate (self->handle,
                            &(GtkAllocation) { 0, height - handle_height - pulled, width, handle_height }, -1);
  if (pulled > 0)
    {
      gtk_widget_measure (self->sheet, GTK_ORIENTATION_HORIZONTAL, -1, &sheet_width, NULL, NULL, NULL);
      sheet_width = MAX (sheet_width, width);
      gtk_widget_measure (self->sheet, GTK_ORIENTATION_VERTICAL, sheet_width, &minimum, NULL, NULL, NULL);
      gtk_widget_size_allocate (self->sheet,
                                &(GtkAllocation) { 0, height - pulled, sheet_width, MAX (pulled, minimum) }, -1);
    }
}

static void
pl_sheet_dispose (GObject *object)
{
  PlSheet *self = PL_SHEET (object);

  g_clear_pointer (&self->content, gtk_widget_unparent);
  g_clear_pointer (&self->sheet, gtk_widget_unparent);
  g_clear_pointer (&self->handle, gtk_widget_unparent);

  G_OBJECT_CLASS (pl_sheet_parent_class)->dispose (object);
}

static void
pl_sheet_class_init (PlSheetClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_sheet_dispose;
  widget_class->measure = pl_sheet_measure;
  widget_class->size_allocate = pl_sheet_size_allocate;
  gtk_widget_class_set_css_name (widget_class, "sheet");
}

static void
pl_sheet_init (PlSheet *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkGesture *drag = gtk_gesture_drag_new ();

  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);

  self->label = GTK_LABEL (gtk_label_new (NULL));
  self->arrow = gtk_image_new_from_icon_name ("pan-up-symbolic");
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_label_set_xalign (self->label, 0);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->label));
  gtk_box_append (GTK_BOX (box), self->arrow);

  self->handle = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (self->handle), box);
  gtk_widget_add_css_class (self->handle, "sheet-handle");
  gtk_widget_set_tooltip_text (self->handle, _("Pull the list up or push it down"));
  gtk_widget_set_parent (self->handle, GTK_WIDGET (self));
  gtk_widget_set_child_visible (self->handle, FALSE);
  g_signal_connect_swapped (self->handle, "clicked", G_CALLBACK (handle_clicked), self);

  /* Before the button's own gesture sees the press. */
  gtk_event_controller_set_propagation_phase (GTK_EVENT_CONTROLLER (drag), GTK_PHASE_CAPTURE);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (press_began), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (dragged), self);
  gtk_widget_add_controller (self->handle, GTK_EVENT_CONTROLLER (drag));
}

static void
replace_child (PlSheet    *self,
               GtkWidget **member,
               GtkWidget  *child)
{
  if (*member == child)
    return;
  if (*member != NULL)
    gtk_widget_set_child_visible (*member, TRUE);
  g_clear_pointer (member, gtk_widget_unparent);
  *member = child;
  /* The content comes first, the handle lies over it, and the sheet over both. */
  if (child != NULL)
    gtk_widget_insert_before (child, GTK_WIDGET (self), member == &self->content ? self->handle : NULL);
  gtk_widget_queue_resize (GTK_WIDGET (self));
}

/**
 * pl_sheet_set_content:
 * @self: a sheet
 * @content: (nullable): what lies below the sheet
 */
void
pl_sheet_set_content (PlSheet   *self,
                      GtkWidget *content)
{
  g_return_if_fail (PL_IS_SHEET (self));

  replace_child (self, &self->content, content);
}

/**
 * pl_sheet_set_sheet:
 * @self: a sheet
 * @sheet: (nullable): what can be pulled up, or %NULL for no sheet and no handle
 */
void
pl_sheet_set_sheet (PlSheet   *self,
                    GtkWidget *sheet)
{
  g_return_if_fail (PL_IS_SHEET (self));

  replace_child (self, &self->sheet, sheet);
  gtk_widget_set_child_visible (self->handle, sheet != NULL);
  set_pulled (self, 0);
}

/**
 * pl_sheet_set_label:
 * @self: a sheet
 * @label: what the handle says
 */
void
pl_sheet_set_label (PlSheet    *self,
                    const char *label)
{
  g_return_if_fail (PL_IS_SHEET (self));

  gtk_label_set_text (self->label, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->handle), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
}
