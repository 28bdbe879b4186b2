/* main.c: starts the window
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-application.h"
#include "pl-installation.h"

int
main (int   argc,
      char *argv[])
{
  g_autoptr(PlApplication) application = NULL;

  pl_installation_start_translation ();

  g_set_prgname ("org.parklane.Parklane");
  g_set_application_name ("Parklane");
  gtk_window_set_default_icon_name ("org.parklane.Parklane");

  application = pl_application_new ();
  return g_application_run (G_APPLICATION (application), argc, argv);
}
