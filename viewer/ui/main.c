/* main.c: starts the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gi18n.h>
#include <locale.h>

#include "pl-application.h"

int
main (int   argc,
      char *argv[])
{
  g_autoptr(PlApplication) application = NULL;

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, PARKLANE_LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);

  g_set_prgname ("org.parklane.Parklane");
  g_set_application_name ("Parklane");
  gtk_window_set_default_icon_name ("org.parklane.Parklane");

  application = pl_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
