/* pl-cli-terminal.c: text from traces on its way to a terminal
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Names and places in a trace are untrusted and may hold anything, also what makes a terminal move its cursor, change
 * its title or answer. Everything printed passes here, so no command has to think of it.
 */
#include "config.h"

#include "pl-cli-terminal.h"

#include <glib/gi18n.h>
#include <stdio.h>

#include "pl-cli.h"

/* Replaces control characters but the end of a line, C0, DEL and C1, each by as many “?” as it has bytes. */
static void
defuse (char *text)
{
  for (guchar *p = (guchar *) text; *p != '\0'; p++)
    {
      if ((*p < 0x20 && *p != '\n') || *p == 0x7f)
        *p = '?';
      else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
        {
          p[0] = p[1] = '?';
          p++;
        }
    }
}

static void
print_to (FILE *stream, const char *text)
{
  g_autofree char *safe = g_strdup (text);
  g_autofree char *converted = NULL;
  const char *charset;

  defuse (safe);
  if (!g_get_charset (&charset))
    converted = g_convert_with_fallback (safe, -1, charset, "UTF-8", "?", NULL, NULL, NULL);
  fputs (converted != NULL ? converted : safe, stream);
  fflush (stream);
}

static void
print_out (const char *text)
{
  print_to (stdout, text);
}

static void
print_err (const char *text)
{
  print_to (stderr, text);
}

/**
 * pl_cli_terminal_init:
 *
 * From here on g_print() and g_printerr() print no control characters. Once, before anything is printed.
 */
void
pl_cli_terminal_init (void)
{
  g_set_print_handler (print_out);
  g_set_printerr_handler (print_err);
}

/**
 * pl_cli_terminal_finish:
 * @status: exit status so far
 *
 * Once, after everything is printed.
 *
 * Returns: @status, or that of an error when not all of the output found its place, as on a full disk; that is said on stderr
 */
int
pl_cli_terminal_finish (int status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  g_printerr (_("parklane-cli: not all of the output could be written\n"));
  return status == PL_CLI_DONE ? PL_CLI_INPUT_ERROR : status;
}
