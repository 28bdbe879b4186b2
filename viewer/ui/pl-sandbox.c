/* pl-sandbox.c: what of the computer is seen from here
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-sandbox.h"

#include <glib/gi18n.h>

/* What Flatpak puts into each sandbox. */
#define SANDBOX_FILE "/.flatpak-info"

/**
 * pl_sandbox_is_around:
 *
 * Tells whether this program sees and starts only what its sandbox lets it. Any thread.
 */
gboolean
pl_sandbox_is_around (void)
{
  return g_file_test (SANDBOX_FILE, G_FILE_TEST_EXISTS);
}

/**
 * pl_sandbox_explain_absence:
 * @path: what somebody wants to open
 *
 * Explains why @path may be on the computer although it is not seen. Main thread: only after it could not be opened.
 *
 * Returns: (nullable): a sentence for people and a way out; %NULL where no sandbox stands between
 */
const char *
pl_sandbox_explain_absence (const char *path)
{
  if (!pl_sandbox_is_around () || g_str_has_prefix (path, "/var/log/"))
    return NULL;
  return _("Parklane runs in a sandbox: of this computer it sees /var/log, and what was chosen with Open. If it is "
           "elsewhere, choose it there.");
}
