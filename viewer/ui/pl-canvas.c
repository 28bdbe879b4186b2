/* pl-canvas.c: what the drawn parts of the window share
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-canvas.h"

#include "pl-theme.h"

/**
 * pl_canvas_fill_scene:
 * @widget: the widget that draws
 * @view: what to draw
 * @out_scene: (out caller-allocates): the scene, valid until @view or the style of @widget changes
 *
 * Makes the scene that @widget draws, in its theme, font and scale.
 */
void
pl_canvas_fill_scene (GtkWidget *widget,
                      PlView    *view,
                      PlScene   *out_scene)
{
  pl_view_fill_scene (view, out_scene);
  out_scene->theme = pl_theme_get ();
  out_scene->font = pango_context_get_font_description (gtk_widget_get_pango_context (widget));
  out_scene->device_scale = gtk_widget_get_scale_factor (widget);
}
