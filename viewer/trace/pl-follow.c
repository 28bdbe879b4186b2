/* pl-follow.c: a session that is being recorded, decoded as it grows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each step looks at the directory, decodes what has grown, and gives up what is too much; nothing happens between steps.
 * A segment is known by directory, stem and number, in whatever form it lies there. Other content under the same name is
 * another segment: the first stays in view beside it, unless both tell of the same time. All calls from one thread at a
 * time, which they may block.
 */
#include "config.h"

#include "pl-follow-private.h"

#include "pl-trace-error.h"
#include "pl-trace-file.h"
#include "pl-trace-private.h"

/**
 * pl_follow_new:
 * @paths: (array zero-terminated=1): files and directories, there or not
 * @strings: where strings are interned
 * @memory_budget: how many bytes of detail to hold
 *
 * Returns: (transfer full): a session of which nothing has been read
 */
PlFollow *
pl_follow_new (const char *const *paths, PlStrings *strings, guint64 memory_budget)
{
  PlFollow *self = g_new0 (PlFollow, 1);

  self->paths = g_strdupv ((char **) paths);
  self->strings = pl_strings_ref (strings);
  self->memory_budget = memory_budget;
  self->segments = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_follow_segment_free);
  self->by_key = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->gathered = pl_gathered_new (NULL);
  return self;
}

void
pl_follow_free (PlFollow *self)
{
  g_strfreev (self->paths);
  pl_strings_unref (self->strings);
  g_ptr_array_unref (self->segments);
  g_hash_table_unref (self->by_key);
  pl_gathered_free (self->gathered);
  g_free (self);
}

static void
set_key (PlFollow *self, PlFollowSegment *segment, const char *key)
{
  segment->key = g_strdup (key);
  g_hash_table_replace (self->by_key, g_strdup (key), segment);
}

/**
 * pl_follow_adopt:
 * @info: a file that has been read already
 * @pieces: (element-type PlPiece): what was found in it
 *
 * Takes over what somebody else has read, in the order of the pieces' file numbers and before the first step.
 */
void
pl_follow_adopt (PlFollow *self, const PlTraceFile *info, GPtrArray *pieces)
{
  PlFollowSegment *segment = pl_follow_segment_new (self->segments->len);
  PlFollowEntry entry = { 0 };

  g_ptr_array_add (self->segments, segment);
  /* What was renamed or deleted before it could be read keeps its place alone. */
  if (pieces->len == 0 && info->error != NULL && !g_file_test (info->path, G_FILE_TEST_EXISTS))
    {
      segment->info.path = g_strdup (info->path);
      pl_follow_segment_drop (segment);
      return;
    }
  segment->info = *info;
  segment->info.path = g_strdup (info->path);
  segment->info.index = info->index != NULL ? g_array_ref (info->index) : NULL;
  segment->is_active = g_str_has_suffix (info->path, ".active");
  segment->is_raw = info->format == PL_TRACE_FORMAT_RAW;
  segment->size = info->size_bytes;
  segment->info.error = info->error != NULL ? g_error_copy (info->error) : NULL;
  /* The end of a frame may still be written. */
  if (segment->is_active && g_error_matches (info->error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED))
    g_clear_error (&segment->info.error);
  for (guint i = 0; i < pieces->len; i++)
    g_ptr_array_add (segment->pieces, pl_piece_ref (pieces->pdata[i]));
  pl_follow_segment_measure (segment);
  pl_follow_entry_init (&entry, info->path);
  set_key (self, segment, entry.key);
  pl_follow_entry_clear (&entry);
}

/**
 * pl_follow_look_at:
 * @from_ns: start of the view
 * @to_ns: its end
 *
 * Says near which stretch of time detail is worth most.
 */
void
pl_follow_look_at (PlFollow *self, gint64 from_ns, gint64 to_ns)
{
  self->view_from_ns = from_ns;
  self->view_to_ns = to_ns;
}

/* A place that nobody needs any more, or a new one. */
static PlFollowSegment *
make_segment (PlFollow *self)
{
  PlFollowSegment *segment;

  for (guint i = 0; i < self->segments->len; i++)
    if (((PlFollowSegment *) self->segments->pdata[i])->is_dropped)
      {
        pl_follow_segment_free (self->segments->pdata[i]);
        return self->segments->pdata[i] = pl_follow_segment_new (i);
      }
  segment = pl_follow_segment_new (self->segments->len);
  g_ptr_array_add (self->segments, segment);
  return segment;
}

static gboolean
is_same_segment (const PlFollowSegment *segment, const PlFollowEntry *entry)
{
  if (segment->is_cut_off)
    return FALSE;
  return segment->inode == 0 || (segment->inode == entry->inode && segment->device == entry->device)
         || entry->is_packed;
}

static gboolean
see_entry (PlFollow *self, const PlFollowEntry *entry)
{
  PlFollowSegment *known = g_hash_table_lookup (self->by_key, entry->key);
  PlFollowSegment *added;

  if (known != NULL && !known->is_cut_off && pl_follow_segment_is_cut_by (known, entry))
    pl_follow_segment_cut_off (known);
  if (known != NULL && is_same_segment (known, entry))
    return pl_follow_segment_see (known, entry, self->strings);

  added = make_segment (self);
  set_key (self, added, entry->key);
  if (known != NULL)
    added->predecessor = known->file + 1;
  pl_follow_segment_see (added, entry, self->strings);
  return TRUE;
}

/* Of two files of one name that tell of the same time, the later one is a copy. */
static gboolean
drop_repeated (PlFollow *self)
{
  gboolean has_changed = FALSE;

  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];
      PlFollowSegment *before = segment->predecessor > 0 ? self->segments->pdata[segment->predecessor - 1] : NULL;
      gint64 from_ns, to_ns, before_from_ns, before_to_ns;

      if (before == NULL || !pl_follow_segment_get_range (segment, &from_ns, &to_ns))
        continue;
      segment->predecessor = 0;
      if (!before->is_listed && pl_follow_segment_get_range (before, &before_from_ns, &before_to_ns)
          && from_ns <= before_to_ns && before_from_ns <= to_ns)
        {
          pl_follow_segment_drop (before);
          has_changed = TRUE;
        }
    }
  return has_changed;
}

/**
 * pl_follow_scan:
 *
 * Looks at the paths: what is new there, has another name or form, or is gone.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_scan (PlFollow *self)
{
  g_autoptr(GArray) entries = g_array_new (FALSE, FALSE, sizeof (PlFollowEntry));
  gboolean has_changed = FALSE;

  g_array_set_clear_func (entries, (GDestroyNotify) pl_follow_entry_clear);
  self->state = pl_follow_list ((const char *const *) self->paths, entries);
  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];

      segment->was_listed = segment->is_listed;
      segment->is_listed = FALSE;
    }
  for (guint i = 0; i < entries->len; i++)
    has_changed |= see_entry (self, &g_array_index (entries, PlFollowEntry, i));
  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];

      has_changed |= segment->was_listed != segment->is_listed;
      has_changed |= pl_follow_segment_settle (segment);
      has_changed |= segment->info.is_growing != pl_follow_segment_is_growing (segment);
    }
  return has_changed;
}

/* What is written to a file that was cut off is another segment of the same name. */
static void
replace_cut_off (PlFollow *self, PlFollowSegment *segment)
{
  PlFollowSegment *added = make_segment (self);

  set_key (self, added, segment->key);
  added->predecessor = segment->file + 1;
  pl_follow_segment_go_on_with (added, segment, self->strings);
}

/**
 * pl_follow_read:
 *
 * Decodes what the files that are being written have grown by, at most 16 MiB of each. Compressed ones are decoded beside
 * it, and are there some calls later.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_read (PlFollow *self)
{
  gboolean has_changed = FALSE;

  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];

      if (pl_follow_segment_has_shrunk (segment))
        {
          replace_cut_off (self, segment);
          has_changed = TRUE;
        }
      has_changed |= pl_follow_segment_read (segment, self->strings);
    }
  has_changed |= pl_follow_grant_wishes (self, FALSE);
  has_changed |= drop_repeated (self);
  has_changed |= pl_follow_trim (self);
  return has_changed;
}

/**
 * pl_follow_step:
 *
 * Looks, and reads all that there is.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_step (PlFollow *self)
{
  gboolean has_changed = pl_follow_scan (self);
  gboolean has_read;

  do
    {
      has_changed |= pl_follow_grant_wishes (self, TRUE);
      has_read = pl_follow_read (self);
      has_changed |= has_read;
    }
  while (has_read);
  for (guint i = 0; i < self->segments->len; i++)
    has_changed |= pl_follow_segment_settle (self->segments->pdata[i]);
  return has_changed;
}

/* The segment's piece that @piece is another form of, if it is: where one was sharpened, or its detail given up. */
static gboolean
exchange (PlFollowSegment *segment, PlPiece *piece)
{
  for (guint i = 0; i < segment->pieces->len; i++)
    {
      PlPiece *held = segment->pieces->pdata[i];

      if (held != piece && (held->summary == piece || (piece->summary == held && held->is_summary)))
        {
          segment->pieces->pdata[i] = pl_piece_ref (piece);
          pl_piece_unref (held);
          return TRUE;
        }
    }
  return FALSE;
}

/**
 * pl_follow_take_detail:
 * @trace: from pl_detail_sharpen(), of a snapshot of this session
 *
 * Takes over where that snapshot holds detail, and where not.
 *
 * Returns: whether anything of it was new
 */
gboolean
pl_follow_take_detail (PlFollow *self, PlTrace *trace)
{
  gboolean has_changed = FALSE;

  for (guint i = 0; i < trace->pieces->len; i++)
    {
      PlPiece *piece = trace->pieces->pdata[i];

      if (piece->file < self->segments->len)
        has_changed |= exchange (self->segments->pdata[piece->file], piece);
    }
  for (guint i = 0; i < self->segments->len && has_changed; i++)
    pl_follow_segment_measure (self->segments->pdata[i]);
  return has_changed;
}

/**
 * pl_follow_build:
 *
 * Returns: (transfer full): a snapshot of what has been read
 */
PlTrace *
pl_follow_build (PlFollow *self)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  g_autoptr(GArray) files = pl_trace_files_new ();

  for (guint i = 0; i < self->segments->len; i++)
    {
      PlFollowSegment *segment = self->segments->pdata[i];

      pl_follow_segment_collect (segment, pieces);
      segment->info.is_gone = !segment->is_listed;
      segment->info.is_growing = pl_follow_segment_is_growing (segment);
      pl_trace_files_add (files, &segment->info);
    }
  return pl_trace_build_on (self->gathered, pieces, files, self->strings);
}

/**
 * pl_follow_get_state:
 *
 * Returns: what the last look found
 */
PlFollowState
pl_follow_get_state (PlFollow *self)
{
  return self->state;
}

/**
 * pl_follow_get_bytes:
 *
 * Returns: what the pieces take up in memory, but for those that still grow
 */
guint64
pl_follow_get_bytes (PlFollow *self)
{
  guint64 bytes = 0;

  for (guint i = 0; i < self->segments->len; i++)
    bytes += ((PlFollowSegment *) self->segments->pdata[i])->bytes;
  return bytes;
}
