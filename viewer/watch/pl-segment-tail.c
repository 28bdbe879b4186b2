/* pl-segment-tail.c: reads on at the end of a growing segment
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Only what has come since the last time is read and decoded. Of a segment that is large when it is seen first, the
 * opening is read, which has the metadata, and then what follows the last header near the end.
 */
#include "config.h"

#include "pl-segment-tail.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-decoder.h"
#include "pl-session-lock.h"

#define CHUNK_BYTES (256 * 1024)

/* A larger file is not read from its begin. */
#define SMALL_BYTES (1024 * 1024)
#define OPENING_BYTES (64 * 1024)

/* Batches have about 1 MiB, so there is a header in this much. */
#define NEAR_END_BYTES (4 * 1024 * 1024)

/* Of what came since the last look; a writer that is faster is read by and by. */
#define MAX_BYTES_PER_LOOK (64 * 1024 * 1024)

/* A frame that is larger is none. */
#define MAX_PENDING_BYTES (16 * 1024 * 1024)

struct _PlSegmentTail
{
  int fd;
  guint64 index;
  guint64 offset;        /* of what was read */
  guint64 seen_size;
  GByteArray *pending;   /* read and not decoded: a part of a frame */
  PlDecoder *decoder;    /* NULL: looking for the next header */
  PlWriterFacts facts;   /* of what earlier decoders read */
  guint64 n_events;
  gboolean is_understood;
  gboolean is_cut;
  gboolean is_whole;     /* all of it was read, frame by frame, and was sound so far */
  gboolean is_damaged;
  guint64 damage_offset;
};

PlSegmentTail *
pl_segment_tail_new (void)
{
  PlSegmentTail *self = g_new0 (PlSegmentTail, 1);

  self->fd = -1;
  self->is_whole = TRUE;
  self->pending = g_byte_array_new ();
  return self;
}

/* What was read of the file. */
static void
forget_content (PlSegmentTail *self)
{
  g_clear_pointer (&self->decoder, pl_decoder_free);
  g_byte_array_set_size (self->pending, 0);
  self->offset = 0;
  self->seen_size = 0;
  self->facts = (PlWriterFacts) { 0 };
  self->n_events = 0;
  self->is_understood = FALSE;
  self->is_cut = FALSE;
  self->is_whole = TRUE;
  self->is_damaged = FALSE;
}

static void
forget (PlSegmentTail *self)
{
  if (self->fd >= 0)
    close (self->fd);
  self->fd = -1;
  forget_content (self);
}

void
pl_segment_tail_free (PlSegmentTail *self)
{
  forget (self);
  g_byte_array_unref (self->pending);
  g_free (self);
}

/* @later goes on where @self ended: declarations stay, counts add up, the last health holds. */
static PlWriterFacts
add_facts (const PlWriterFacts *self, const PlWriterFacts *later)
{
  PlWriterFacts sum = *self;

  if (later->heartbeat_period_ns > 0)
    sum.heartbeat_period_ns = later->heartbeat_period_ns;
  if (later->budget_bytes > 0)
    sum.budget_bytes = later->budget_bytes;
  if (later->pid > 0)
    sum.pid = later->pid;
  if (later->n_heartbeats > 0)
    {
      sum.health = later->health;
      sum.n_dropped = later->n_dropped;
      sum.n_degraded = later->n_degraded == later->n_heartbeats ? self->n_degraded + later->n_degraded : later->n_degraded;
    }
  sum.n_heartbeats += later->n_heartbeats;
  sum.n_queue_samples += later->n_queue_samples;
  sum.n_framing += later->n_framing;
  return sum;
}

/* Gives the decoder up, and with it the strings it has collected. */
static void
end_decoder (PlSegmentTail *self)
{
  if (self->decoder == NULL)
    return;
  self->facts = add_facts (&self->facts, pl_decoder_get_writer_facts (self->decoder));
  self->n_events += pl_decoder_get_n_events (self->decoder);
  g_clear_pointer (&self->decoder, pl_decoder_free);
}

/* Drops what lies before the next header. FALSE when there is none yet. */
static gboolean
find_header (PlSegmentTail *self)
{
  static const guint8 header[TRC_HEADER_SIZE] = { 'T', 'R', 'C', 0, TRC_VERSION };
  const guint8 *found = memmem (self->pending->data, self->pending->len, header, sizeof header);
  guint keep = MIN (self->pending->len, (guint) sizeof header - 1);

  if (found == NULL)
    {
      g_byte_array_remove_range (self->pending, 0, self->pending->len - keep);
      return FALSE;
    }
  g_byte_array_remove_range (self->pending, 0, (guint) (found - self->pending->data));
  return TRUE;
}

static void
begin_decoder (PlSegmentTail *self)
{
  g_autoptr(PlStrings) strings = pl_strings_new ();
  guint64 at = self->offset - self->pending->len;

  self->decoder = pl_decoder_new (strings, 0, at);
  pl_decoder_set_cut (self->decoder, at + 1);
}

static PlWireResult
feed (PlSegmentTail *self)
{
  PlWireResult result;
  gsize consumed;
  guint size = self->pending->len;

  g_byte_array_set_size (self->pending, size + PL_WIRE_PADDING);
  memset (self->pending->data + size, 0, PL_WIRE_PADDING);
  result = pl_decoder_feed (self->decoder, self->pending->data, size, &consumed);
  g_byte_array_set_size (self->pending, size);
  if (consumed > 0)
    g_byte_array_remove_range (self->pending, 0, (guint) consumed);
  return result;
}

/* What follows a header that was only guessed may be none, and what comes over a network may not have arrived yet. */
static void
note_damage (PlSegmentTail *self)
{
  self->is_damaged |= self->is_whole && self->is_understood && !pl_session_lock_is_shared_fs (self->fd);
  if (self->is_whole)
    self->damage_offset = pl_decoder_get_offset (self->decoder);
  self->is_whole = FALSE;
}

/* Decodes all whole frames that are pending. */
static void
decode (PlSegmentTail *self)
{
  PlWireResult result = PL_WIRE_OK;

  while (self->pending->len > 0 && result == PL_WIRE_OK)
    {
      if (self->decoder == NULL)
        {
          if (!find_header (self))
            return;
          begin_decoder (self);
        }
      result = feed (self);
      if (pl_decoder_is_at_cut (self->decoder))
        {
          pl_piece_unref (pl_decoder_take_piece (self->decoder));
          pl_decoder_set_cut (self->decoder, pl_decoder_get_offset (self->decoder) + 1);
        }
      if (pl_decoder_get_n_events (self->decoder) > 0)
        self->is_understood = TRUE;
      if (result == PL_WIRE_MORE && self->pending->len < MAX_PENDING_BYTES)
        break;
      if (result != PL_WIRE_OK)
        {
          note_damage (self);
          end_decoder (self);
          g_byte_array_remove_range (self->pending, 0, 1);
          result = PL_WIRE_OK;
        }
    }
  self->is_cut = self->decoder != NULL && self->pending->len > 0;
}

/* Reads up to @limit and decodes it. */
static void
read_on (PlSegmentTail *self, guint64 limit)
{
  while (self->offset < limit)
    {
      guint before = self->pending->len;
      gsize wanted = (gsize) MIN (limit - self->offset, CHUNK_BYTES);
      gssize n;

      g_byte_array_set_size (self->pending, before + (guint) wanted);
      n = pread (self->fd, self->pending->data + before, wanted, (off_t) self->offset);
      g_byte_array_set_size (self->pending, before + (guint) (n > 0 ? n : 0));
      if (n <= 0)
        return;
      self->offset += (guint64) n;
      decode (self);
    }
}

static void
skip_to (PlSegmentTail *self, guint64 offset)
{
  end_decoder (self);
  g_byte_array_set_size (self->pending, 0);
  self->offset = offset;
  self->is_cut = FALSE;
  self->is_whole = FALSE;
}

/* To the last header before the end, or just there when there is none. */
static void
skip_near_end (PlSegmentTail *self, guint64 size)
{
  guint64 from = size - MIN (size, NEAR_END_BYTES);
  g_autofree guint8 *bytes = g_malloc (NEAR_END_BYTES);
  gssize n = pread (self->fd, bytes, (gsize) (size - from), (off_t) from);

  for (gssize i = n - TRC_HEADER_SIZE; i >= 0; i--)
    if (memcmp (bytes + i, TRC_MAGIC, TRC_MAGIC_SIZE) == 0 && bytes[i + TRC_MAGIC_SIZE] == TRC_VERSION)
      {
        skip_to (self, from + (guint64) i);
        return;
      }
  skip_to (self, size);
}

static gboolean
is_same_file (PlSegmentTail *self, int dir_fd, const char *name)
{
  struct stat held;
  struct stat named;

  if (fstat (self->fd, &held) < 0 || fstatat (dir_fd, name, &named, AT_SYMLINK_NOFOLLOW) < 0)
    return FALSE;
  /* Some file systems make up numbers; a file that is as long as ours then is ours. */
  return (held.st_dev == named.st_dev && held.st_ino == named.st_ino) || held.st_size == named.st_size;
}

/**
 * pl_segment_tail_follow:
 * @name: of the segment that is written now, sealed or not, but not compressed
 * @index: its number
 *
 * Reads what has come since the last time. A segment that is renamed is the same one; one that became shorter, or
 * another file under the same name, is read anew.
 */
void
pl_segment_tail_follow (PlSegmentTail *self, int dir_fd, const char *name, guint64 index)
{
  struct stat info;
  gboolean is_new = FALSE;

  if (self->fd >= 0 && (index != self->index || !is_same_file (self, dir_fd, name)))
    forget (self);
  if (self->fd < 0)
    {
      self->fd = openat (dir_fd, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
      self->index = index;
      is_new = TRUE;
    }
  if (self->fd < 0 || fstat (self->fd, &info) < 0 || !S_ISREG (info.st_mode))
    return;

  if ((guint64) info.st_size < self->offset)
    {
      forget_content (self);
      is_new = TRUE;
    }
  self->seen_size = (guint64) info.st_size;
  if (is_new && info.st_size > SMALL_BYTES)
    {
      read_on (self, OPENING_BYTES);
      skip_near_end (self, (guint64) info.st_size);
    }
  read_on (self, MIN ((guint64) info.st_size, self->offset + MAX_BYTES_PER_LOOK));
}

/**
 * pl_segment_tail_tell:
 *
 * Puts what is known of the segment into @scan; nothing when none could be read.
 */
void
pl_segment_tail_tell (PlSegmentTail *self, PlDirScan *scan)
{
  guint64 n_events = self->n_events;

  if (self->fd < 0)
    return;
  scan->has_tail = TRUE;
  scan->tail_index = self->index;
  scan->is_understood = self->is_understood;
  scan->facts = self->facts;
  if (self->decoder != NULL)
    {
      scan->facts = add_facts (&self->facts, pl_decoder_get_writer_facts (self->decoder));
      n_events += pl_decoder_get_n_events (self->decoder);
    }
  scan->n_recorded = n_events - MIN (scan->facts.n_framing, n_events);
  scan->is_cut = self->is_cut;
  scan->tail_end = self->offset - self->pending->len;
  scan->is_damaged = self->is_damaged;
  scan->damage_offset = self->damage_offset;
}

/**
 * pl_segment_tail_get_fd:
 *
 * Returns: the open segment, which may have no name any more, or -1
 */
int
pl_segment_tail_get_fd (PlSegmentTail *self)
{
  return self->fd;
}

/**
 * pl_segment_tail_has_grown:
 *
 * Returns: whether the open segment is longer than when it was looked at last, whatever became of its name
 */
gboolean
pl_segment_tail_has_grown (PlSegmentTail *self)
{
  struct stat info;
  gboolean has_grown;

  if (self->fd < 0 || fstat (self->fd, &info) < 0)
    return FALSE;
  has_grown = (guint64) info.st_size > self->seen_size;
  self->seen_size = (guint64) info.st_size;
  return has_grown;
}
