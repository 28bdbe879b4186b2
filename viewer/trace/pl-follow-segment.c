/* pl-follow-segment.c: one segment of a followed session, through all its forms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A segment is renamed when it is sealed, which leaves the file as it is, and later replaced by a compressed one. It is
 * decoded once: a compressed form takes its place by name, and is only asked where the same events lie in it. While a file
 * may grow it is held open by a tail. One that has come to rest is closed, and when it grows once more it is read again
 * from the start of its last piece. One that is cut off ends with what was read.
 */
#include "config.h"

#include "pl-follow-segment.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-trace-error.h"

/* Looks without growth after which a file that is still called active is closed: a directory may hold many that nobody
 * will ever write to again. */
#define MAX_IDLE 60

/* Seconds without growth, or looks, after which nobody seems to write to it. The recorders write each second. */
#define RECENT 10

/* Looks, a second apart, that must see a fault before it is told. */
#define LASTING 2

/**
 * pl_follow_segment_new:
 * @file: its place in the snapshots
 *
 * Returns: (transfer full): a segment of which nothing is known
 */
PlFollowSegment *
pl_follow_segment_new (guint file)
{
  PlFollowSegment *self = g_new0 (PlFollowSegment, 1);

  self->file = file;
  self->pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);
  return self;
}

/**
 * pl_follow_segment_wish_for:
 * @wish: what is to be read from here on, instead of what was wished for before
 */
void
pl_follow_segment_wish_for (PlFollowSegment *self, PlFollowWish wish)
{
  g_clear_pointer (&self->unpack, pl_follow_unpack_free);
  self->wish = wish;
}

/**
 * pl_follow_segment_forget:
 *
 * Lets go of what was read, and of what is being read.
 */
void
pl_follow_segment_forget (PlFollowSegment *self)
{
  pl_follow_segment_wish_for (self, PL_FOLLOW_WISH_NONE);
  g_clear_pointer (&self->tail, pl_follow_tail_free);
  g_clear_pointer (&self->peeked, pl_piece_unref);
  g_ptr_array_set_size (self->pieces, 0);
  g_clear_error (&self->info.error);
  g_clear_pointer (&self->info.index, g_array_unref);
  self->info.error_offset = self->info.lost_bytes = self->info.raw_bytes = self->info.n_batches = 0;
  self->detail_bytes = self->bytes = 0;
}

void
pl_follow_segment_free (PlFollowSegment *self)
{
  pl_follow_segment_forget (self);
  g_ptr_array_unref (self->pieces);
  g_free (self->info.path);
  g_free (self->key);
  g_free (self);
}

/**
 * pl_follow_segment_drop:
 *
 * Lets go of everything but the place and the name.
 */
void
pl_follow_segment_drop (PlFollowSegment *self)
{
  pl_follow_segment_forget (self);
  g_clear_pointer (&self->key, g_free);
  self->is_dropped = TRUE;
  self->is_listed = self->is_active = FALSE;
  self->inode = 0;
  self->predecessor = 0;
}

/**
 * pl_follow_segment_measure:
 *
 * Brings sizes and the number of batches up to date, after pieces have changed.
 */
void
pl_follow_segment_measure (PlFollowSegment *self)
{
  self->detail_bytes = self->bytes = 0;
  self->info.n_batches = 0;
  for (guint i = 0; i < self->pieces->len; i++)
    {
      PlPiece *piece = self->pieces->pdata[i];
      gsize bytes = pl_piece_get_memory (piece);

      self->info.n_batches += piece->n_batches;
      self->bytes += bytes;
      if (!piece->is_summary)
        self->detail_bytes += bytes;
    }
}

static void
take_fault (PlFollowSegment *self, GError *error)
{
  g_clear_error (&self->info.error);
  self->info.error = error;
  self->info.error_offset = error != NULL ? pl_follow_tail_get_offset (self->tail) : 0;
  self->info.lost_bytes = error != NULL ? self->info.raw_bytes - MIN (self->info.raw_bytes, self->info.error_offset) : 0;
}

/* What can be said of a file that is being read. That the end of it is missing is nothing to tell while more may come, nor
 * that something is wrong there which may not have arrived yet. */
static void
note_state (PlFollowSegment *self)
{
  g_autoptr(GError) error = pl_follow_tail_get_fault (self->tail, self->info.path);
  gboolean may_grow = self->is_active && (g_error_matches (error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED)
                                          || self->n_faulty < LASTING);

  self->info.size_bytes = self->info.raw_bytes = pl_follow_tail_get_size (self->tail);
  self->info.is_complete = TRUE;
  take_fault (self, may_grow ? NULL : g_steal_pointer (&error));
}

/* Ends what was read of a raw file and closes it. */
static void
rest (PlFollowSegment *self)
{
  PlPiece *last = pl_follow_tail_end (self->tail);

  note_state (self);
  self->size = self->info.size_bytes;
  if (last != NULL)
    g_ptr_array_add (self->pieces, last);
  g_clear_pointer (&self->peeked, pl_piece_unref);
  g_clear_pointer (&self->tail, pl_follow_tail_free);
  pl_follow_segment_measure (self);
}

/* Whether the open file's bytes are compressed, whatever it is called. */
static gboolean
is_compressed (int fd)
{
  guint8 magic[4] = { 0 };
  gssize n = pread (fd, magic, sizeof magic, 0);

  if (n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b)
    return TRUE;
  return n == 4 && magic[2] == (magic[0] == 0x28 ? 0x2f : 0x4d) && magic[1] == (magic[0] == 0x28 ? 0xb5 : 0x2a);
}

/* Reads a raw file on from its last piece, which may have been cut off. */
static void
resume (PlFollowSegment *self, int fd, PlStrings *strings)
{
  guint64 from = 0;

  if (self->pieces->len > 0)
    {
      PlPiece *last = self->pieces->pdata[self->pieces->len - 1];

      from = last->raw_from;
      self->peeked = pl_piece_ref (last);
      g_ptr_array_remove_index (self->pieces, self->pieces->len - 1);
    }
  self->tail = pl_follow_tail_new (fd, strings, self->file, from);
  self->is_raw = TRUE;
  self->n_idle = self->n_faulty = 0;
}

static guint64
get_end (PlFollowSegment *self)
{
  return self->pieces->len > 0 ? ((PlPiece *) self->pieces->pdata[self->pieces->len - 1])->raw_to : 0;
}

/* Where there is nothing to be opened the next look will see it. */
static void
begin_reading (PlFollowSegment *self, PlStrings *strings)
{
  /* O_NONBLOCK: a FIFO must not hang it. */
  int fd = open (self->info.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat info;

  if (fd < 0 || fstat (fd, &info) < 0 || !S_ISREG (info.st_mode))
    {
      if (fd >= 0)
        close (fd);
      return;
    }
  self->device = info.st_dev;
  self->inode = info.st_ino;
  if (is_compressed (fd))
    {
      close (fd);
      pl_follow_segment_wish_for (self, PL_FOLLOW_WISH_ALL);
      return;
    }
  pl_follow_segment_wish_for (self, PL_FOLLOW_WISH_NONE);
  resume (self, fd, strings);
}

/* What is left of the raw form, whose name is gone but which is held open. */
static void
read_to_end (PlFollowSegment *self, PlStrings *strings)
{
  do
    pl_follow_segment_read (self, strings);
  while (!pl_follow_tail_is_at_end (self->tail));
  rest (self);
}

/* Takes a compressed form for what was read of the raw one. */
static void
take_packed (PlFollowSegment *self, PlStrings *strings)
{
  if (self->tail != NULL)
    read_to_end (self, strings);
  if (self->pieces->len == 0 || self->info.error != NULL)
    {
      begin_reading (self, strings);
      return;
    }
  pl_follow_segment_wish_for (self, PL_FOLLOW_WISH_PLACES);
  self->is_raw = FALSE;
  self->info.format = g_str_has_suffix (self->info.path, ".gz") ? PL_TRACE_FORMAT_GZIP : PL_TRACE_FORMAT_ZSTD;
  self->info.size_bytes = self->size;
  g_clear_pointer (&self->info.index, g_array_unref);
}

/**
 * pl_follow_segment_see:
 * @entry: how it lies in the directory now; of the same segment
 *
 * Takes notice of another name or form, and opens what is new or has changed.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_segment_see (PlFollowSegment *self, const PlFollowEntry *entry, PlStrings *strings)
{
  gboolean is_new = self->info.path == NULL;
  gboolean is_same_file = self->inode == 0 || (self->inode == entry->inode && self->device == entry->device);
  gboolean is_renamed = g_strcmp0 (self->info.path, entry->path) != 0;
  gboolean has_changed = self->size != entry->size
                         || (!self->is_raw && self->mtime_ns != 0 && self->mtime_ns != entry->mtime_ns);
  gboolean was_active = self->is_active;

  self->is_listed = TRUE;
  self->is_active = entry->is_active;
  if (is_renamed)
    {
      g_free (self->info.path);
      self->info.path = g_strdup (entry->path);
    }
  self->device = entry->device;
  self->inode = entry->inode;
  self->mtime_ns = entry->mtime_ns;
  if (self->tail != NULL && is_same_file)
    return is_renamed;
  self->size = entry->size;
  if (!is_same_file || (is_renamed && entry->is_packed && self->is_raw))
    {
      take_packed (self, strings);
      return TRUE;
    }
  if (was_active && !self->is_active && self->info.error == NULL && self->size != get_end (self))
    has_changed = TRUE; /* what was no fault yet is one now */
  if (is_new || has_changed)
    begin_reading (self, strings);
  return is_renamed;
}

/**
 * pl_follow_segment_is_cut_by:
 * @entry: how it lies in the directory now
 *
 * Returns: whether the same file has become shorter than what was read of it
 */
gboolean
pl_follow_segment_is_cut_by (PlFollowSegment *self, const PlFollowEntry *entry)
{
  guint64 end = self->tail != NULL ? pl_follow_tail_get_offset (self->tail) : get_end (self);

  return self->is_raw && self->inode == entry->inode && self->device == entry->device && entry->size < end;
}

/**
 * pl_follow_segment_cut_off:
 *
 * Ends it with what was read: another recording begins in its file.
 */
void
pl_follow_segment_cut_off (PlFollowSegment *self)
{
  guint64 end = self->tail != NULL ? pl_follow_tail_get_offset (self->tail) : get_end (self);

  if (self->tail != NULL)
    rest (self);
  self->is_cut_off = TRUE;
  self->is_active = FALSE;
  g_clear_error (&self->info.error);
  self->info.error = g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED,
                                  _("%s: is shorter than the %" PRIu64 " bytes that had been read of it; they are still shown"),
                                  self->info.path, end);
  self->info.error_offset = end;
  self->info.lost_bytes = 0;
}

/**
 * pl_follow_segment_has_shrunk:
 *
 * Returns: whether the open file has become shorter than what was read of it
 */
gboolean
pl_follow_segment_has_shrunk (PlFollowSegment *self)
{
  return self->tail != NULL && pl_follow_tail_get_size (self->tail) < pl_follow_tail_get_offset (self->tail);
}

/**
 * pl_follow_segment_go_on_with:
 * @self: a new one
 * @cut_off: whose open file has shrunk; ends here
 *
 * Reads the file from its start, whatever has become of its name.
 */
void
pl_follow_segment_go_on_with (PlFollowSegment *self, PlFollowSegment *cut_off, PlStrings *strings)
{
  int fd = pl_follow_tail_dup_fd (cut_off->tail);

  self->info.path = g_strdup (cut_off->info.path);
  self->device = cut_off->device;
  self->inode = cut_off->inode;
  self->mtime_ns = cut_off->mtime_ns;
  self->is_active = cut_off->is_active;
  self->is_listed = cut_off->is_listed;
  if (fd >= 0)
    resume (self, fd, strings);
  pl_follow_segment_cut_off (cut_off);
  cut_off->is_listed = FALSE;
}

/**
 * pl_follow_segment_read:
 *
 * Decodes what the file has grown by, at most 16 MiB.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_segment_read (PlFollowSegment *self, PlStrings *strings)
{
  guint n_pieces = self->pieces->len;

  if (self->tail == NULL)
    return FALSE;
  if (!pl_follow_tail_read (self->tail, self->pieces))
    return FALSE;

  self->n_idle = 0;
  g_clear_pointer (&self->peeked, pl_piece_unref);
  if (self->pieces->len != n_pieces)
    pl_follow_segment_measure (self);
  return TRUE;
}

/* Returns whether a fault is told from now on. */
static gboolean
watch_fault (PlFollowSegment *self)
{
  guint64 offset = pl_follow_tail_get_offset (self->tail);
  gboolean is_same = self->n_faulty > 0 && self->fault_offset == offset;

  self->fault_offset = offset;
  self->n_faulty = pl_follow_tail_has_fault (self->tail) ? (is_same ? self->n_faulty + 1 : 1) : 0;
  if (self->n_faulty != LASTING)
    return FALSE;
  note_state (self);
  return TRUE;
}

/**
 * pl_follow_segment_settle:
 *
 * After each look at the directory: closes the file if nothing more is to be expected of it.
 *
 * Returns: whether a snapshot would look different
 */
gboolean
pl_follow_segment_settle (PlFollowSegment *self)
{
  gboolean is_sealed = self->is_listed && !self->is_active;

  if (self->tail == NULL || !pl_follow_tail_is_at_end (self->tail))
    return FALSE;
  if (!is_sealed && ++self->n_idle < MAX_IDLE)
    return watch_fault (self);
  rest (self);
  return TRUE;
}

/**
 * pl_follow_segment_is_growing:
 *
 * Returns: whether it is being written, as far as can be told: it is called active and was written to not long ago
 */
gboolean
pl_follow_segment_is_growing (PlFollowSegment *self)
{
  if (!self->is_active || !self->is_listed)
    return FALSE;
  return (self->tail != NULL && self->n_idle < RECENT)
         || g_get_real_time () - self->mtime_ns / 1000 < RECENT * G_USEC_PER_SEC;
}

/**
 * pl_follow_segment_get_range:
 *
 * Returns: whether it holds anything that has a time
 */
gboolean
pl_follow_segment_get_range (PlFollowSegment *self, gint64 *out_from_ns, gint64 *out_to_ns)
{
  g_autoptr(GPtrArray) pieces = g_ptr_array_new_with_free_func ((GDestroyNotify) pl_piece_unref);

  *out_from_ns = G_MAXINT64;
  *out_to_ns = G_MININT64;
  pl_follow_segment_collect (self, pieces);
  for (guint i = 0; i < pieces->len; i++)
    {
      const PlPiece *piece = pieces->pdata[i];

      for (guint j = 0; j < piece->spans->len; j++)
        {
          const PlTimeSpan *span = &g_array_index (piece->spans, PlTimeSpan, j);

          *out_from_ns = MIN (*out_from_ns, span->from_ns);
          *out_to_ns = MAX (*out_to_ns, span->to_ns);
        }
    }
  return *out_from_ns <= *out_to_ns;
}

/**
 * pl_follow_segment_collect:
 * @pieces: (element-type PlPiece): where all of the segment's are added, that of the growing end included
 */
void
pl_follow_segment_collect (PlFollowSegment *self, GPtrArray *pieces)
{
  for (guint i = 0; i < self->pieces->len; i++)
    g_ptr_array_add (pieces, pl_piece_ref (self->pieces->pdata[i]));
  if (self->tail == NULL)
    return;
  if (self->peeked == NULL)
    {
      pl_follow_segment_measure (self);
      note_state (self);
      self->peeked = pl_follow_tail_peek (self->tail);
      if (self->peeked != NULL)
        self->info.n_batches += self->peeked->n_batches;
    }
  if (self->peeked != NULL)
    g_ptr_array_add (pieces, pl_piece_ref (self->peeked));
}
