/* pl-segment-name.c: names of the files that segments lie in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-segment-name.h"

#include <string.h>

const char *const pl_segment_suffixes[PL_N_SEGMENT_SUFFIXES] = { ".bin", ".bin.zst", ".bin.gz", ".bin.active" };

/**
 * pl_segment_name_parse:
 * @name: a file's name without its directory
 * @out_segment: (out): its parts; free with pl_segment_name_clear()
 *
 * Takes `STEM.N.bin`, `.bin.active`, `.bin.gz` and `.bin.zst`, N a decimal number that fits 32 bits. The stem may
 * hold dots.
 *
 * Returns: whether @name is such a name
 */
gboolean
pl_segment_name_parse (const char *name, PlSegmentName *out_segment)
{
  for (gsize i = 0; i < PL_N_SEGMENT_SUFFIXES; i++)
    {
      g_autofree char *rest = NULL;
      char *dot;
      guint64 index;

      if (!g_str_has_suffix (name, pl_segment_suffixes[i]))
        continue;
      rest = g_strndup (name, strlen (name) - strlen (pl_segment_suffixes[i]));
      dot = strrchr (rest, '.');
      if (dot == NULL || dot == rest || !g_ascii_string_to_unsigned (dot + 1, 10, 0, G_MAXUINT32, &index, NULL))
        return FALSE;
      out_segment->stem = g_strndup (rest, (gsize) (dot - rest));
      out_segment->index = index;
      out_segment->suffix = pl_segment_suffixes[i];
      return TRUE;
    }
  return FALSE;
}

void
pl_segment_name_clear (PlSegmentName *segment)
{
  g_clear_pointer (&segment->stem, g_free);
}

/**
 * pl_segment_name_has_suffix:
 * @name: a file's name
 *
 * Returns: whether it ends as that of a trace does, be it of a segment or without a number
 */
gboolean
pl_segment_name_has_suffix (const char *name)
{
  for (gsize i = 0; i < PL_N_SEGMENT_SUFFIXES; i++)
    if (g_str_has_suffix (name, pl_segment_suffixes[i]))
      return TRUE;
  return FALSE;
}
