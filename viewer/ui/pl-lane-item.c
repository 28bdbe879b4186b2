/* pl-lane-item.c: a lane of the timeline as assistive technology meets it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The lanes are drawn as one picture. This widget draws nothing: it lies over its lane and tells its name and figures.
 */
#include "config.h"

#include "pl-lane-item.h"

#include <glib/gi18n.h>

#include "pl-describe.h"
#include "pl-format.h"

struct _PlLaneItem
{
  GtkWidget parent_instance;
};

G_DEFINE_FINAL_TYPE (PlLaneItem, pl_lane_item, GTK_TYPE_WIDGET)

static void
pl_lane_item_class_init (PlLaneItemClass *klass)
{
  gtk_widget_class_set_accessible_role (GTK_WIDGET_CLASS (klass), GTK_ACCESSIBLE_ROLE_LIST_ITEM);
}

static void
pl_lane_item_init (PlLaneItem *self)
{
  gtk_widget_set_can_target (GTK_WIDGET (self), FALSE);
}

/**
 * pl_lane_item_new:
 *
 * Creates the accessible of a lane.
 *
 * Returns: (transfer floating): a widget
 */
GtkWidget *
pl_lane_item_new (void)
{
  return g_object_new (PL_TYPE_LANE_ITEM, NULL);
}

/**
 * pl_lane_item_update:
 * @self: the accessible of a lane
 * @view: a view
 * @lane: a lane of its trace
 *
 * Tells the lane's name and its figures in the visible range.
 */
void
pl_lane_item_update (PlLaneItem   *self,
                     PlView       *view,
                     const PlLane *lane)
{
  PlRange visible = pl_view_get_visible (view);
  PlLaneSlice slice;
  g_autofree char *worker = pl_format_worker (pl_view_get_trace (view), pl_lane_get_worker (lane));
  g_autofree char *label = NULL;
  g_autofree char *figures = NULL;
  g_autofree char *description = NULL;

  pl_lane_get_slice (lane, visible.from_ns, visible.to_ns, &slice);
  figures = pl_describe_slice (lane, visible, &slice);

  /* Translators: a worker's number, possibly with its runtime */
  label = g_strdup_printf (_("worker %s"), worker);
  /* Translators: %s are figures of a worker in the visible range */
  description = g_strdup_printf (_("in view: %s"), figures);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description,
                                  -1);
}
