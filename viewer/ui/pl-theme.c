/* pl-theme.c: light and dark
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One style sheet for everything, and one with the named colours for each of the two themes. Which of them counts
 * follows GTK's own setting, so that our parts and GTK's always agree.
 */
#include "config.h"

#include "pl-theme.h"

#include <gtk/gtk.h>

#define RESOURCES "/org/parklane/Parklane/ui/"

static GtkCssProvider *colors;
static gboolean desktop_prefers_dark;

static void
load_colors (GtkSettings *settings)
{
  gboolean dark;

  g_object_get (settings, "gtk-application-prefer-dark-theme", &dark, NULL);
  gtk_css_provider_load_from_resource (colors, dark ? RESOURCES "colors-dark.css" : RESOURCES "colors-light.css");
}

/**
 * pl_theme_is_name:
 * @name: a name
 *
 * Tells whether pl_theme_set() knows @name. Any thread.
 */
gboolean
pl_theme_is_name (const char *name)
{
  return g_strcmp0 (name, "system") == 0 || g_strcmp0 (name, "light") == 0 || g_strcmp0 (name, "dark") == 0;
}

/**
 * pl_theme_start:
 *
 * Adds our style to the display. Once, after GTK was initialized.
 */
void
pl_theme_start (void)
{
  GdkDisplay *display = gdk_display_get_default ();
  GtkSettings *settings = gtk_settings_get_default ();
  g_autoptr(GtkCssProvider) style = gtk_css_provider_new ();

  g_object_get (settings, "gtk-application-prefer-dark-theme", &desktop_prefers_dark, NULL);

  colors = gtk_css_provider_new ();
  load_colors (settings);
  gtk_css_provider_load_from_resource (style, RESOURCES "style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (colors),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_signal_connect (settings, "notify::gtk-application-prefer-dark-theme", G_CALLBACK (load_colors), NULL);
}

/**
 * pl_theme_set:
 * @name: "system", "light" or "dark"
 *
 * Changes the theme of all windows.
 */
void
pl_theme_set (const char *name)
{
  gboolean dark = desktop_prefers_dark;

  g_return_if_fail (pl_theme_is_name (name));

  if (!g_str_equal (name, "system"))
    dark = g_str_equal (name, "dark");
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark, NULL);
}
