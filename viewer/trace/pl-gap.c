/* pl-gap.c: a stretch of time from which events are missing, as the recorder says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-gap.h"

#include <glib/gi18n.h>
#include <string.h>

/* @name stands in traces and in JSON. */
static const struct { const char *name; const char *text; } causes[] = {
  [PL_GAP_OTHER] = { "other", N_("for a reason that this version does not know") },
  [PL_GAP_RING_FULL] = { "ring full", N_("a thread recorded faster than it was written") },
  [PL_GAP_OUTPUT] = { "output", N_("the output could not be written") },
  [PL_GAP_PAUSED] = { "paused", N_("recording was paused") },
  [PL_GAP_NO_MEMORY] = { "no memory", N_("the recorder got no memory for a thread") },
};

PlGapCause
pl_gap_cause_parse (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (causes); i++)
    if (strcmp (causes[i].name, name) == 0)
      return (PlGapCause) i;
  return PL_GAP_OTHER;
}

/**
 * pl_gap_get_cause_name:
 *
 * Returns: a word for programs
 */
const char *
pl_gap_get_cause_name (const PlGap *self)
{
  return causes[self->cause].name;
}

/**
 * pl_gap_get_cause_text:
 *
 * Returns: a clause for people, in their language
 */
const char *
pl_gap_get_cause_text (const PlGap *self)
{
  return _(causes[self->cause].text);
}
