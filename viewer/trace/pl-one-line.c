/* pl-one-line.c: text that others wrote, for a line of ours
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A spawn location or a file's name may hold anything. With the end of a line in it a table gets rows that nobody
 * counted, and what turns the direction of writing shows the figures beside it in another order.
 */
#include "config.h"

#include "pl-one-line.h"

/* Explicit embeddings, overrides and isolates; Unicode Standard Annex 9, 2. */
static gboolean
turns_direction (gunichar c)
{
  return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

static gboolean
breaks_line (gunichar c)
{
  return g_unichar_iscntrl (c) || c == 0x2028 || c == 0x2029;
}

/**
 * pl_one_line:
 * @text: any bytes
 *
 * Any thread.
 *
 * Returns: (transfer full): @text as valid UTF-8 with “?” for each character that would end the line, command a terminal
 *   or turn the direction of writing
 */
char *
pl_one_line (const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *line = g_string_sized_new (64);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);

      g_string_append_unichar (line, breaks_line (c) || turns_direction (c) ? '?' : c);
    }
  return g_string_free (line, FALSE);
}
