/* pl-cli-memory.c: what happens where the system refuses memory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The engine asks before it takes much and does with less. What is left over, a list that grows with the input or a thread
 * of a library, GLib ends the program for: here with a sentence and an exit status instead of a core.
 */
#include "config.h"

#include "pl-cli-memory.h"

#include <glib/gi18n.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "pl-cli.h"

/* Translated beforehand, since nothing can be when they are needed. */
static const char *too_little_memory;
static const char *too_few_threads;

static gint is_ending; /* atomic */

static void
say (const char *text)
{
  /* On its way out there is nothing to do about a stderr that takes nothing. */
  G_GNUC_UNUSED ssize_t written = write (STDERR_FILENO, text, strlen (text));
}

/* GLib's own words for what it ends a program for; they are not translated. There are none where even those found no
 * memory. */
static void
end_with_sentence (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  const char *sentence = NULL;

  if (message == NULL || strstr (message, "failed to allocate") != NULL || strstr (message, "overflow allocating") != NULL)
    sentence = too_little_memory;
  else if (strstr (message, "creating thread") != NULL)
    sentence = too_few_threads;
  if (sentence == NULL)
    {
      g_log_default_handler (domain, level, message, user_data);
      return;
    }
  /* What one thread is refused another one is as well: the first of them speaks, and ends both. */
  while (!g_atomic_int_compare_and_exchange (&is_ending, FALSE, TRUE))
    pause ();
  say (sentence);
  _exit (PL_CLI_INPUT_ERROR);
}

/* Where addresses are limited, each thread's heap would take 64 MiB of them whatever is in it. */
static void
spare_addresses (void)
{
#ifdef M_ARENA_MAX
  struct rlimit limit;

  if (getrlimit (RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    mallopt (M_ARENA_MAX, 1);
#endif
}

static char *
make_line (const char *sentence)
{
  return g_strdup_printf ("parklane-cli: %s\n", sentence);
}

/**
 * pl_cli_memory_init:
 *
 * From here on a command that is refused memory says so and exits. Once, before any thread is started, after translation.
 */
void
pl_cli_memory_init (void)
{
  spare_addresses ();
  too_little_memory = make_line (_("there is too little memory for this: the system refuses more"));
  too_few_threads = make_line (_("the system refuses another thread: too many are running, or there is too little memory"));
  g_log_set_handler ("GLib", G_LOG_LEVEL_ERROR | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION, end_with_sentence, NULL);
}
