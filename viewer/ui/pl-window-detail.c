/* pl-window-detail.c: detail of a trace that is too large to be held, where the window looks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-window-private.h"

static void
look (PlWindow *self)
{
  PlRange visible = pl_view_get_visible (self->view);
  int width = gtk_widget_get_width (GTK_WIDGET (self->timeline))
              * gtk_widget_get_scale_factor (GTK_WIDGET (self->timeline));

  if (self->detail != NULL && width > 0)
    pl_loader_look_at (self->detail, visible.from_ns, visible.to_ns, (guint) width);
}

static void
detail_arrived (PlWindow *self)
{
  g_autoptr(PlTrace) trace = pl_loader_dup_trace (self->detail);

  if (pl_loader_is_following (self->detail))
    pl_window_extend_trace (self, trace);
  else
    pl_view_set_detail (self->view, trace);
}

/**
 * pl_window_add_detail:
 * @self: a window with its view
 *
 * Lets the window ask for detail wherever its view goes. Once.
 */
void
pl_window_add_detail (PlWindow *self)
{
  g_signal_connect_object (self->view, "changed::" PL_VIEW_CHANGED_VISIBLE, G_CALLBACK (look), self,
                           G_CONNECT_SWAPPED);
}

/**
 * pl_window_set_detail:
 * @self: a window
 * @loader: (nullable): a loader that has loaded what the window shows, or %NULL
 *
 * Says who reads detail from now on.
 */
void
pl_window_set_detail (PlWindow *self,
                      PlLoader *loader)
{
  if (self->detail != NULL)
    g_signal_handlers_disconnect_by_data (self->detail, self);
  g_set_object (&self->detail, loader);
  if (loader == NULL)
    return;
  g_signal_connect_object (loader, "notify::trace", G_CALLBACK (detail_arrived), self, G_CONNECT_SWAPPED);
  look (self);
}
