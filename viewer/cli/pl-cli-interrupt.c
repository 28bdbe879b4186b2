/* pl-cli-interrupt.c: what a command leaves behind when it is interrupted
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reading and drawing have nothing to bring to an end, so that a command ends at once, wherever it is: it takes away its
 * line of progress and the file that is not whole, says a word to who pressed Ctrl-C, and dies of the signal, from which a
 * shell knows what to do.
 */
#include "config.h"

#include "pl-cli-interrupt.h"

#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "pl-cli-progress.h"

/* What the handler uses. Each is whole once it is set: on whichever thread a signal is taken, it sees all or nothing. */
static const char *sentence;    /* translated beforehand */
static const char *partial;     /* atomic, (nullable) */
static gint has_progress_line;  /* atomic */

/* Only what may be called wherever the program is. */
static void
say (const char *text)
{
  /* On its way out there is nothing to do about a stderr that takes nothing. */
  G_GNUC_UNUSED ssize_t written = write (STDERR_FILENO, text, strlen (text));
}

static void
end (int number)
{
  const char *path = g_atomic_pointer_get (&partial);

  if (path != NULL)
    unlink (path);
  if (g_atomic_int_get (&has_progress_line))
    say (PL_CLI_PROGRESS_CLEAR);
  if (number == SIGINT)
    say (sentence);
  /* The handler is gone by now: this ends the program as the signal does. */
  raise (number);
}

/**
 * pl_cli_interrupt_init:
 *
 * From here on Ctrl-C, a hang-up and a polite kill end the program so. Once, after translation; signals that whoever started
 * the program ignores stay ignored.
 */
void
pl_cli_interrupt_init (void)
{
  static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
  struct sigaction action = { .sa_handler = end, .sa_flags = (int) SA_RESETHAND };

  sentence = g_strconcat (_("parklane-cli: interrupted"), "\n", NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      struct sigaction before;

      if (sigaction (numbers[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction (numbers[i], &action, NULL);
    }
  /* A file that may not become so large is an error like a full disk. */
  signal (SIGXFSZ, SIG_IGN);
}

/**
 * pl_cli_interrupt_set_partial:
 * @path: (nullable): a file to be removed when the program is interrupted, valid until the next call; %NULL for none
 */
void
pl_cli_interrupt_set_partial (const char *path)
{
  g_atomic_pointer_set (&partial, path);
}

/**
 * pl_cli_interrupt_set_has_line:
 * @has_line: whether a line of progress is on the terminal
 */
void
pl_cli_interrupt_set_has_line (gboolean has_line)
{
  g_atomic_int_set (&has_progress_line, has_line);
}
