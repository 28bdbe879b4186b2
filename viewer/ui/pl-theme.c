/* pl-theme.c: light and dark, and high contrast of both
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One style sheet for everything, and one with the named colours for each theme. Which of them counts goes to GTK's own
 * settings as well, so that our parts and GTK's always agree.
 */
#include "config.h"

#include "pl-theme.h"

#include <gtk/gtk.h>

#include "pl-desktop-style.h"

#define RESOURCES "/org/parklane/Parklane/ui/"

static GtkCssProvider *colors;
static PlDesktopStyle *desktop;
static char *gtk_theme; /* light, in whatever the desktop has named */
static const char *chosen = "system";
static gboolean chose_contrast;
static PlTheme current;

static void
apply (void)
{
  static const char *const style_sheets[] = {
    [PL_THEME_LIGHT] = RESOURCES "colors-light.css",
    [PL_THEME_DARK] = RESOURCES "colors-dark.css",
    [PL_THEME_LIGHT_CONTRAST] = RESOURCES "colors-light-contrast.css",
    [PL_THEME_DARK_CONTRAST] = RESOURCES "colors-dark-contrast.css",
  };
  gboolean dark;
  gboolean contrast;

  g_object_get (desktop, "dark", &dark, "high-contrast", &contrast, NULL);
  if (!g_str_equal (chosen, "system"))
    dark = g_str_equal (chosen, "dark");
  contrast = contrast || chose_contrast;
  if (contrast)
    current = dark ? PL_THEME_DARK_CONTRAST : PL_THEME_LIGHT_CONTRAST;
  else
    current = dark ? PL_THEME_DARK : PL_THEME_LIGHT;

  gtk_css_provider_load_from_resource (colors, style_sheets[current]);
  g_object_set (gtk_settings_get_default (), "gtk-application-prefer-dark-theme", dark,
                "gtk-theme-name", contrast ? "HighContrast" : gtk_theme, NULL);
}

/* GTK's themes have their dark variant in themselves, and one that is named as such is dark always. */
static void
find_gtk_theme (void)
{
  g_object_get (gtk_settings_get_default (), "gtk-theme-name", &gtk_theme, NULL);
  if (gtk_theme == NULL || g_str_has_prefix (gtk_theme, "HighContrast"))
    {
      g_free (gtk_theme);
      gtk_theme = g_strdup ("Adwaita");
    }
  else if (g_str_has_suffix (gtk_theme, "-dark"))
    gtk_theme[strlen (gtk_theme) - strlen ("-dark")] = '\0';
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
  g_autoptr(GtkCssProvider) style = gtk_css_provider_new ();

  colors = gtk_css_provider_new ();
  desktop = pl_desktop_style_new ();
  find_gtk_theme ();
  apply ();
  gtk_css_provider_load_from_resource (style, RESOURCES "style.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (colors),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (style),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_signal_connect (desktop, "notify", G_CALLBACK (apply), NULL);
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
  g_return_if_fail (pl_theme_is_name (name));

  chosen = g_intern_string (name);
  apply ();
}

/**
 * pl_theme_set_high_contrast:
 * @high_contrast: whether to, even where the desktop does not ask for it
 *
 * Changes the palette of all windows.
 */
void
pl_theme_set_high_contrast (gboolean high_contrast)
{
  chose_contrast = high_contrast;
  apply ();
}

/**
 * pl_theme_get:
 *
 * Returns: the theme that counts now
 */
PlTheme
pl_theme_get (void)
{
  return current;
}
