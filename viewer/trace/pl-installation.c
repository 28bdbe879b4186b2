/* pl-installation.c: where the program is installed, and its language
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An installed tree may be packed, moved and mounted elsewhere: what belongs to it is found from the executable's place.
 */
#include "config.h"

#include "pl-installation.h"

#include <glib/gi18n.h>
#include <locale.h>
#include <string.h>

/* The folder that PARKLANE_BINDIR is below; NULL where the program is not in such a folder, as in a build tree. */
static char *
find_prefix (void)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  g_autofree char *folder = program != NULL ? g_path_get_dirname (program) : NULL;

  if (folder == NULL || g_path_is_absolute (PARKLANE_BINDIR) || !g_str_has_suffix (folder, "/" PARKLANE_BINDIR))
    return NULL;
  return g_strndup (folder, strlen (folder) - strlen ("/" PARKLANE_BINDIR));
}

/**
 * pl_installation_get_data_dir:
 *
 * Any thread.
 *
 * Returns: (nullable): the folder of shared data of the tree that this program lies in, such as `/usr/share`; %NULL when it
 *   does not run from an installed tree
 */
const char *
pl_installation_get_data_dir (void)
{
  static char *data_dir;
  static gsize is_known;

  if (g_once_init_enter (&is_known))
    {
      g_autofree char *prefix = find_prefix ();

      data_dir = prefix != NULL ? g_canonicalize_filename (PARKLANE_DATADIR, prefix) : NULL;
      g_once_init_leave (&is_known, 1);
    }
  return data_dir;
}

/**
 * pl_installation_start_translation:
 *
 * Takes over the language of the environment. To be called first of all in main(), while there is one thread.
 */
void
pl_installation_start_translation (void)
{
  g_autofree char *prefix = find_prefix ();
  g_autofree char *locale_dir = g_canonicalize_filename (PARKLANE_LOCALEDIR, prefix != NULL ? prefix : PARKLANE_PREFIX);

  setlocale (LC_ALL, "");
  bindtextdomain (GETTEXT_PACKAGE, locale_dir);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
