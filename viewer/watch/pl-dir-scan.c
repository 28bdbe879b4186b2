/* pl-dir-scan.c: which of a session's files is the one that counts
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-dir-scan.h"

/* A file that was written this much before another is not being written; clocks of file systems tick in steps of up to
 * two seconds. */
#define ORPHAN_NS (G_GINT64_CONSTANT (2) * 1000000000)

static gboolean
is_orphan (const PlDirFile *active, gint64 newest_ns, const PlActiveSegment *before)
{
  gint64 index = (gint64) active->index;
  gboolean is_new = before->highest >= 0 && index > before->highest;

  return active->mtime_wall_ns + ORPHAN_NS < newest_ns && index != before->index && !is_new;
}

/**
 * pl_dir_scan_find_current:
 * @self: gets `current`; has its files and the time
 * @active: (inout): what the look before found; becomes what this one finds
 *
 * Finds the segment that is being written; where there is none, the one that was written last; %NULL when there are no files.
 *
 * A segment that is not sealed, but was written before others were, is an orphan of an older run: numbers begin anew
 * with some recorders, so the highest does not tell. Compressing writes late, and so is not asked; nor is a file that was
 * written in the future, before the clock was set back. One that was being written stays so until it is sealed or another
 * takes its place.
 */
void
pl_dir_scan_find_current (PlDirScan *self, PlActiveSegment *active)
{
  const PlDirFile *latest = NULL; /* of those not sealed */
  const PlDirFile *raw = NULL;
  const PlDirFile *packed = NULL;
  PlActiveSegment before = *active;
  gint64 newest_ns = G_MININT64;

  *active = PL_ACTIVE_SEGMENT_NONE;
  for (guint i = 0; i < self->files->len; i++)
    {
      const PlDirFile *file = &g_array_index (self->files, PlDirFile, i);

      if (file->form == PL_FORM_PACKED)
        {
          packed = file;
          continue;
        }
      if (raw == NULL || file->mtime_wall_ns >= raw->mtime_wall_ns)
        raw = file;
      if (file->mtime_wall_ns <= self->wall_ns + ORPHAN_NS)
        newest_ns = MAX (newest_ns, file->mtime_wall_ns);
      if (file->form != PL_FORM_ACTIVE)
        continue;
      active->highest = (gint64) file->index;
      if (latest == NULL || file->mtime_wall_ns >= latest->mtime_wall_ns)
        latest = file;
    }
  if (latest != NULL && !is_orphan (latest, newest_ns, &before))
    {
      active->index = (gint64) latest->index;
      self->current = latest;
      return;
    }
  self->current = raw != NULL && (packed == NULL || raw->index >= packed->index) ? raw : packed;
}

static void
clear_other (gpointer data)
{
  g_free (((PlOtherSession *) data)->prefix);
}

/**
 * pl_other_sessions_copy:
 * @others: (nullable) (element-type PlOtherSession): %NULL for none
 *
 * Returns: (transfer full): an array that owns its elements
 */
GArray *
pl_other_sessions_copy (const GArray *others)
{
  GArray *copy = g_array_new (FALSE, FALSE, sizeof (PlOtherSession));

  g_array_set_clear_func (copy, clear_other);
  for (guint i = 0; others != NULL && i < others->len; i++)
    {
      const PlOtherSession *other = &g_array_index (others, PlOtherSession, i);
      PlOtherSession own = { g_strdup (other->prefix), other->is_older };

      g_array_append_val (copy, own);
    }
  return copy;
}
