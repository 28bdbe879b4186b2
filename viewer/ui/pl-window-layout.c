/* pl-window-layout.c: how the panes of the window lie, by its width
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All panes may shrink to nothing, so that the window can get narrow first and is rearranged then. Until somebody drags
 * a divider its pane has the size it asks for; a position set at the wrong moment of a resize would go wrong.
 */
#include "config.h"

#include "pl-window-private.h"

#include "pl-settings.h"

#define WIDE_FROM 1100
#define MEDIUM_FROM 700
#define MIN_WINDOW_WIDTH 360
#define MIN_WINDOW_HEIGHT 300
#define MIN_DETAILS_WIDTH 200
#define MIN_LIST_HEIGHT 80
/* Of a low window the lanes keep more than half. */
#define MAX_LIST_SHARE 0.42

static PlWindowLayout
choose_layout (int width)
{
  if (width >= WIDE_FROM)
    return PL_WINDOW_WIDE;
  return width >= MEDIUM_FROM ? PL_WINDOW_MEDIUM : PL_WINDOW_NARROW;
}

static void
update_details (PlWindow *self)
{
  gboolean has_selection = pl_view_get_selected (self->view) != NULL
                           || !pl_range_is_empty (pl_view_get_range (self->view));

  gtk_widget_set_visible (GTK_WIDGET (self->details),
                          self->layout == PL_WINDOW_WIDE || (has_selection && !self->details_closed));
}

static void
selection_changed (PlWindow *self)
{
  self->details_closed = FALSE;
  update_details (self);
}

/* Takes the movable panes out of wherever they are. */
static void
detach_panes (PlWindow *self)
{
  GtkWidget *details = GTK_WIDGET (self->details);

  if (gtk_paned_get_end_child (self->across) == details)
    gtk_paned_set_end_child (self->across, NULL);
  else if (gtk_widget_get_parent (details) != NULL)
    gtk_overlay_remove_overlay (self->bottom, details);

  if (gtk_paned_get_end_child (self->down) != NULL)
    gtk_paned_set_end_child (self->down, NULL);
  pl_sheet_set_sheet (self->sheet, NULL);
}

static void
place_details (PlWindow *self)
{
  GtkWidget *details = GTK_WIDGET (self->details);
  int width;

  g_object_get (pl_settings_get_default (), "details-width", &width, NULL);
  if (self->layout == PL_WINDOW_WIDE)
    {
      gtk_widget_set_halign (details, GTK_ALIGN_FILL);
      gtk_widget_set_size_request (details, MAX (width, MIN_DETAILS_WIDTH), -1);
      gtk_paned_set_end_child (self->across, details);
      g_object_set (self->across, "position-set", FALSE, NULL);
    }
  else
    {
      gtk_widget_set_halign (details, self->layout == PL_WINDOW_NARROW ? GTK_ALIGN_FILL : GTK_ALIGN_END);
      gtk_widget_set_size_request (details, self->layout == PL_WINDOW_NARROW ? -1 : width, -1);
      gtk_overlay_add_overlay (self->bottom, details);
    }
  pl_details_set_closable (self->details, self->layout != PL_WINDOW_WIDE);
}

static int
choose_list_height (PlWindow *self)
{
  int available = gtk_widget_get_height (GTK_WIDGET (self->down));
  int height;

  g_object_get (pl_settings_get_default (), "list-height", &height, NULL);
  return CLAMP (height, MIN_LIST_HEIGHT, MAX ((int) (MAX_LIST_SHARE * available), MIN_LIST_HEIGHT));
}

static void
place_list (PlWindow *self)
{
  GtkWidget *bottom = GTK_WIDGET (self->bottom);

  gtk_widget_set_visible (self->tabs, self->layout != PL_WINDOW_NARROW);
  gtk_widget_set_size_request (bottom, -1, -1);
  if (self->layout == PL_WINDOW_NARROW)
    {
      pl_sheet_set_sheet (self->sheet, bottom);
      return;
    }
  gtk_widget_set_size_request (bottom, -1, choose_list_height (self));
  gtk_paned_set_end_child (self->down, bottom);
  g_object_set (self->down, "position-set", FALSE, NULL);
}

static gboolean
is_dragged (GtkPaned *paned)
{
  gboolean position_set;

  g_object_get (paned, "position-set", &position_set, NULL);
  return position_set;
}

static void
across_moved (PlWindow *self)
{
  if (self->layout == PL_WINDOW_WIDE && is_dragged (self->across))
    gtk_widget_set_size_request (GTK_WIDGET (self->details), MIN_DETAILS_WIDTH, -1);
}

static void
down_moved (PlWindow *self)
{
  if (is_dragged (self->down))
    gtk_widget_set_size_request (GTK_WIDGET (self->bottom), -1, MIN_LIST_HEIGHT);
}

static gboolean
lay_out (gpointer user_data)
{
  PlWindow *self = user_data;

  self->layout_id = 0;
  /* The page with the panes is not shown yet: there is no height to share out. */
  if (gtk_widget_get_height (GTK_WIDGET (self->down)) <= 0)
    return G_SOURCE_REMOVE;

  if (self->is_laid_out && choose_layout (self->width) == self->layout)
    {
      if (self->layout != PL_WINDOW_NARROW && !is_dragged (self->down))
        gtk_widget_set_size_request (GTK_WIDGET (self->bottom), -1, choose_list_height (self));
      return G_SOURCE_REMOVE;
    }

  pl_window_save_layout (self);
  self->layout = choose_layout (self->width);
  detach_panes (self);
  place_details (self);
  place_list (self);
  update_details (self);
  self->is_laid_out = TRUE;
  return G_SOURCE_REMOVE;
}

/**
 * pl_window_update_layout:
 * @self: a window that is being allocated
 * @width: its new width
 * @height: its new height
 *
 * Rearranges the panes where the size asks for it, right after this allocation.
 */
void
pl_window_update_layout (PlWindow *self,
                         int       width,
                         int       height)
{
  gboolean resized = width != self->width || height != self->height;

  self->width = width;
  self->height = height;
  if (self->layout_id == 0 && (!self->is_laid_out || resized))
    self->layout_id = g_idle_add_full (GTK_PRIORITY_RESIZE, lay_out, self, NULL);
}

/**
 * pl_window_close_details:
 * @self: a window
 *
 * Hides details that cover the list, until something else is selected.
 */
void
pl_window_close_details (PlWindow *self)
{
  self->details_closed = TRUE;
  update_details (self);
}

/**
 * pl_window_save_layout:
 * @self: a window
 *
 * Remembers size and panes for the next window.
 */
void
pl_window_save_layout (PlWindow *self)
{
  PlSettings *settings = pl_settings_get_default ();
  int width;
  int height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  g_object_set (settings,
                "width", MAX (width, MIN_WINDOW_WIDTH),
                "height", MAX (height, MIN_WINDOW_HEIGHT),
                "maximized", gtk_window_is_maximized (GTK_WINDOW (self)),
                NULL);
  if (!self->is_laid_out)
    return;

  /* Only what somebody dragged: in a low window the list is lower than it should be in the next one. */
  if (self->layout == PL_WINDOW_WIDE && is_dragged (self->across))
    g_object_set (settings, "details-width",
                  MAX (gtk_widget_get_width (GTK_WIDGET (self->details)), MIN_DETAILS_WIDTH), NULL);
  if (self->layout != PL_WINDOW_NARROW && is_dragged (self->down))
    g_object_set (settings, "list-height",
                  MAX (gtk_widget_get_height (GTK_WIDGET (self->bottom)), MIN_LIST_HEIGHT), NULL);
}

/**
 * pl_window_add_layout:
 * @self: a window that is being made
 *
 * Puts the content together and restores the size of the window that was closed last.
 */
void
pl_window_add_layout (PlWindow *self)
{
  int width;
  int height;
  gboolean maximized;

  g_object_get (pl_settings_get_default (), "width", &width, "height", &height, "maximized", &maximized, NULL);
  gtk_widget_set_size_request (GTK_WIDGET (self), MIN_WINDOW_WIDTH, MIN_WINDOW_HEIGHT);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (maximized)
    gtk_window_maximize (GTK_WINDOW (self));

  pl_sheet_set_content (self->sheet, self->lanes);
  g_signal_connect_swapped (self->across, "notify::position", G_CALLBACK (across_moved), self);
  g_signal_connect_swapped (self->down, "notify::position", G_CALLBACK (down_moved), self);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_SELECTED, G_CALLBACK (selection_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_RANGE, G_CALLBACK (selection_changed), self,
                           G_CONNECT_SWAPPED);
}
