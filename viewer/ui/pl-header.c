/* pl-header.c: the window's title bar
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * GtkHeaderBar cannot get narrower than all it holds. This bar leaves out what matters least where there is no room,
 * in the order of the @optional table, and gives the title what is left.
 */
#include "config.h"

#include "pl-header.h"

#include <glib/gi18n.h>

#include "pl-format.h"
#include "pl-threshold-entry.h"
#include "pl-verdict-chip.h"

#define SPACING 8
/* A shorter piece of a name does not tell which trace it is. */
#define MIN_TITLE 90

struct _PlHeader
{
  GtkWidget parent_instance;

  PlView *view;
  PlLongPollModel *model;
  GtkWidget *start_controls;
  GtkWidget *open;
  GtkWidget *navigation;
  GtkWidget *follow;
  GtkWidget *titles;
  GtkLabel *title;
  GtkLabel *summary;
  GtkWidget *chip;
  GtkWidget *threshold_label;
  GtkWidget *threshold;
  GtkWidget *count;
  GtkWidget *menu;
  GtkWidget *end_controls;
};

G_DEFINE_FINAL_TYPE (PlHeader, pl_header, GTK_TYPE_WIDGET)

static int
get_width (GtkWidget *child)
{
  int natural = 0;

  if (gtk_widget_should_layout (child))
    gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return natural > 0 ? natural + SPACING : 0;
}

static int
get_min_width (GtkWidget *child)
{
  int minimum = 0;

  if (gtk_widget_should_layout (child))
    gtk_widget_measure (child, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum > 0 ? minimum + SPACING : 0;
}

static int
get_fixed_width (PlHeader *self)
{
  return SPACING + get_width (self->start_controls) + get_width (self->open) + get_min_width (self->threshold)
         + get_width (self->menu) + get_width (self->end_controls);
}

static void
pl_header_measure (GtkWidget      *widget,
                   GtkOrientation  orientation,
                   int             for_size,
                   int            *minimum,
                   int            *natural,
                   int            *minimum_baseline,
                   int            *natural_baseline)
{
  PlHeader *self = PL_HEADER (widget);

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    {
      *minimum = get_fixed_width (self);
      *natural = *minimum - get_min_width (self->threshold) + get_width (self->threshold)
                 + get_width (self->chip)
                 + get_width (self->navigation) + get_width (self->titles) + get_width (self->threshold_label)
                 + get_width (self->count);
      return;
    }

  *minimum = *natural = 0;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      int height = 0;

      if (gtk_widget_should_layout (child))
        gtk_widget_measure (child, orientation, -1, NULL, &height, NULL, NULL);
      *minimum = *natural = MAX (*natural, height);
    }
}

static int
place (GtkWidget *child,
       int        x,
       int        height)
{
  int width = get_width (child);

  if (width == 0 || !gtk_widget_get_child_visible (child))
    return x;
  gtk_widget_size_allocate (child, &(GtkAllocation) { x, 0, width - SPACING, height }, -1);
  return x + width;
}

static int
place_at_end (GtkWidget *child,
              int        width,
              int        right,
              int        height)
{
  if (width == 0 || !gtk_widget_get_child_visible (child))
    return right;
  gtk_widget_size_allocate (child, &(GtkAllocation) { right - width, 0, width - SPACING, height }, -1);
  return right - width;
}

/* In the middle of the bar if there is room for it there, else in the middle of what is free. */
static void
place_titles (PlHeader *self,
              int       left,
              int       right,
              int       width,
              int       height)
{
  int natural;
  int x;

  gtk_widget_measure (self->titles, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  natural = MIN (natural, MAX (right - left - SPACING, 0));
  x = CLAMP ((width - natural) / 2, left, MAX (right - natural - SPACING, left));
  gtk_widget_size_allocate (self->titles, &(GtkAllocation) { x, 0, natural, height }, -1);
}

static void
pl_header_size_allocate (GtkWidget *widget,
                         int        width,
                         int        height,
                         int        baseline)
{
  PlHeader *self = PL_HEADER (widget);
  GtkWidget *optional[] = { self->count, self->titles, self->navigation, self->threshold_label };
  int room = width - get_fixed_width (self);
  int chip_width = get_min_width (self->chip);
  gboolean has_open = chip_width <= room;
  int threshold_width;
  int left = SPACING;
  int right = width;

  /* How a session is matters more than how to open another, which the menu offers as well. */
  gtk_widget_set_child_visible (self->open, has_open);
  gtk_widget_set_child_visible (self->chip, chip_width > 0);
  room += (has_open ? 0 : get_width (self->open)) - chip_width;
  threshold_width = CLAMP (get_width (self->threshold), get_min_width (self->threshold),
                           get_min_width (self->threshold) + MAX (room, 0));
  room -= threshold_width - get_min_width (self->threshold);
  if (chip_width > 0 && get_width (self->chip) - chip_width <= room)
    {
      room -= get_width (self->chip) - chip_width;
      chip_width = get_width (self->chip);
    }

  for (guint i = 0; i < G_N_ELEMENTS (optional); i++)
    {
      int wanted = optional[i] == self->titles ? MIN (get_width (self->titles), MIN_TITLE) : get_width (optional[i]);

      gtk_widget_set_child_visible (optional[i], wanted <= room);
      if (wanted <= room)
        room -= wanted;
    }

  gtk_widget_set_child_visible (self->start_controls, get_width (self->start_controls) > 0);
  gtk_widget_set_child_visible (self->end_controls, get_width (self->end_controls) > 0);
  left = place (self->start_controls, left, height);
  left = place (self->open, left, height);
  left = place (self->navigation, left, height);
  right = place_at_end (self->end_controls, get_width (self->end_controls), right, height);
  right = place_at_end (self->menu, get_width (self->menu), right, height);
  right = place_at_end (self->count, get_width (self->count), right, height);
  right = place_at_end (self->threshold, threshold_width, right, height);
  right = place_at_end (self->threshold_label, get_width (self->threshold_label), right, height);
  right = place_at_end (self->chip, chip_width, right, height);
  if (gtk_widget_get_child_visible (self->titles))
    place_titles (self, left, right, width, height);
}

static void
update_count (PlHeader *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->model));
  gboolean has_trace = pl_view_get_trace (self->view) != NULL;
  g_autofree char *number = pl_format_rows (self->model);
  g_autofree char *text = g_strdup_printf ("%s ≥", number);
  /* Translators: %s is a number */
  g_autofree char *spoken = g_strdup_printf (ngettext ("%s poll at or over the threshold",
                                                       "%s polls at or over the threshold", n),
                                             number);

  gtk_widget_set_visible (self->count, has_trace);
  /* While a session is recorded this is told all the time, and a tooltip costs a question to the display server. */
  if (g_strcmp0 (gtk_label_get_text (GTK_LABEL (self->count)), text) == 0)
    return;
  gtk_label_set_text (GTK_LABEL (self->count), text);
  gtk_widget_set_tooltip_text (self->count, spoken);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->count), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
}

static void
pl_header_dispose (GObject *object)
{
  PlHeader *self = PL_HEADER (object);

  g_clear_object (&self->model);
  g_clear_object (&self->view);
  gtk_widget_dispose_template (GTK_WIDGET (self), PL_TYPE_HEADER);

  G_OBJECT_CLASS (pl_header_parent_class)->dispose (object);
}

static void
pl_header_class_init (PlHeaderClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = pl_header_dispose;
  widget_class->measure = pl_header_measure;
  widget_class->size_allocate = pl_header_size_allocate;
  g_type_ensure (PL_TYPE_THRESHOLD_ENTRY);
  g_type_ensure (PL_TYPE_VERDICT_CHIP);
  gtk_widget_class_set_template_from_resource (widget_class, "/org/parklane/Parklane/ui/pl-header.ui");
  gtk_widget_class_bind_template_child (widget_class, PlHeader, start_controls);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, open);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, navigation);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, follow);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, titles);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, title);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, summary);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, chip);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, threshold_label);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, threshold);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, count);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, menu);
  gtk_widget_class_bind_template_child (widget_class, PlHeader, end_controls);
  gtk_widget_class_set_css_name (widget_class, "header");
}

static void
pl_header_init (PlHeader *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

/**
 * pl_header_set_view:
 * @self: a header
 * @view: whose threshold to show
 * @model: the long polls of @view; both are set once
 *
 * Gives the header its state.
 */
void
pl_header_set_view (PlHeader        *self,
                    PlView          *view,
                    PlLongPollModel *model)
{
  g_return_if_fail (PL_IS_HEADER (self));
  g_return_if_fail (self->view == NULL);

  self->view = g_object_ref (view);
  self->model = g_object_ref (model);
  pl_threshold_entry_set_view (PL_THRESHOLD_ENTRY (self->threshold), view);
  g_signal_connect_object (model, "notify::busy", G_CALLBACK (update_count), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "changed::" PL_VIEW_CHANGED_TRACE, G_CALLBACK (update_count), self,
                           G_CONNECT_SWAPPED);
  update_count (self);
}

/**
 * pl_header_set_followed:
 * @self: a header
 * @followed: whether the trace grows as it is recorded
 *
 * Offers to stick to the end of what is shown, or not.
 */
void
pl_header_set_followed (PlHeader *self,
                        gboolean  followed)
{
  g_return_if_fail (PL_IS_HEADER (self));

  gtk_widget_set_visible (self->follow, followed);
}

/**
 * pl_header_set_title:
 * @self: a header
 * @title: the service or file that is shown
 * @summary: (nullable): a line on it
 */
void
pl_header_set_title (PlHeader   *self,
                     const char *title,
                     const char *summary)
{
  g_return_if_fail (PL_IS_HEADER (self));

  gtk_label_set_text (self->title, title);
  gtk_label_set_text (self->summary, summary != NULL ? summary : "");
  gtk_widget_set_visible (GTK_WIDGET (self->summary), summary != NULL);
  gtk_widget_set_tooltip_text (self->titles, summary);
}

/**
 * pl_header_set_watch:
 * @self: a header
 * @sessions: (nullable): all that are watched
 * @watch: (nullable): that of them whose verdict to show
 */
void
pl_header_set_watch (PlHeader   *self,
                     PlWatchSet *sessions,
                     PlWatch    *watch)
{
  g_return_if_fail (PL_IS_HEADER (self));

  pl_verdict_chip_set_watch (PL_VERDICT_CHIP (self->chip), sessions, watch);
}
