/* pl-follow-tail.c: decodes a raw file as it grows
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The file is held open, so that what is written to it is seen whatever happens to its name. A frame that is not whole
 * yet is left in the file and read again. A frame that is wrong may be one that a network file system shows before its
 * bytes have arrived: it is tried again when the file has grown, and is a fault only at the end.
 */
#include "config.h"

#include "pl-follow-tail.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-decoder.h"
#include "pl-trace-error.h"

#define BUFFER_SIZE (256 * 1024)

/* A larger frame is taken for damage. */
#define MAX_BUFFER_SIZE (64 * 1024 * 1024)

/* Pieces end at the first header behind this many bytes: our recorder begins a batch with each MiB. What lies behind the
 * last piece is copied for each snapshot. */
#define PIECE_SIZE (4 * 1024 * 1024)

/* Read at a time, so that somebody who has fallen behind sees how he catches up. */
#define READ_SIZE (16 * 1024 * 1024)

struct _PlFollowTail
{
  int fd;
  PlDecoder *decoder;
  guint8 *buffer;
  gsize capacity; /* without the padding */
  gsize n;        /* bytes of a frame that is not whole */
  guint64 seen_size;
  PlWireResult fault;
  char *fault_text;
};

/**
 * pl_follow_tail_new:
 * @fd: (transfer full): the open file
 * @strings: where strings are interned
 * @file: index of the file, for the pieces
 * @raw_from: where to begin; at a header
 *
 * Returns: (transfer full): a tail that has read nothing yet
 */
PlFollowTail *
pl_follow_tail_new (int fd, PlStrings *strings, guint file, guint64 raw_from)
{
  PlFollowTail *self = g_new0 (PlFollowTail, 1);

  self->fd = fd;
  self->decoder = pl_decoder_new (strings, file, raw_from);
  self->capacity = BUFFER_SIZE;
  self->buffer = g_malloc0 (self->capacity + PL_WIRE_PADDING);
  pl_decoder_set_cut (self->decoder, raw_from + PIECE_SIZE);
  return self;
}

void
pl_follow_tail_free (PlFollowTail *self)
{
  close (self->fd);
  pl_decoder_free (self->decoder);
  g_free (self->buffer);
  g_free (self->fault_text);
  g_free (self);
}

/**
 * pl_follow_tail_dup_fd:
 *
 * Returns: another descriptor of the file, for another tail; -1 when there is none to be had
 */
int
pl_follow_tail_dup_fd (PlFollowTail *self)
{
  return fcntl (self->fd, F_DUPFD_CLOEXEC, 0);
}

/**
 * pl_follow_tail_get_size:
 *
 * Returns: bytes in the file now
 */
guint64
pl_follow_tail_get_size (PlFollowTail *self)
{
  struct stat info;

  return fstat (self->fd, &info) == 0 ? (guint64) info.st_size : self->seen_size;
}

static gboolean
make_room (PlFollowTail *self)
{
  if (self->n < self->capacity)
    return TRUE;
  if (self->capacity >= MAX_BUFFER_SIZE)
    return FALSE;
  self->capacity *= 2;
  self->buffer = g_realloc (self->buffer, self->capacity + PL_WIRE_PADDING);
  memset (self->buffer + self->n, 0, self->capacity + PL_WIRE_PADDING - self->n);
  return TRUE;
}

static void
fail (PlFollowTail *self, PlWireResult result)
{
  self->fault = result;
  g_free (self->fault_text);
  self->fault_text = pl_decoder_describe (self->decoder, result, self->buffer, self->n);
  self->n = 0;
}

static void
end_piece (PlFollowTail *self, GPtrArray *pieces)
{
  g_ptr_array_add (pieces, pl_decoder_take_piece (self->decoder));
  pl_decoder_set_cut (self->decoder, pl_decoder_get_offset (self->decoder) + PIECE_SIZE);
}

/* Decodes what is in the buffer and keeps what is not whole. */
static PlWireResult
decode (PlFollowTail *self, GPtrArray *pieces)
{
  PlWireResult result = PL_WIRE_OK;
  gsize done = 0;

  while (done < self->n && result == PL_WIRE_OK)
    {
      gsize consumed;

      result = pl_decoder_feed (self->decoder, self->buffer + done, self->n - done, &consumed);
      done += consumed;
      /* Read once more, from the start of the piece. */
      if (pl_decoder_is_unsorted (self->decoder))
        {
          pl_decoder_rewind_sorted (self->decoder);
          self->n = 0;
          return PL_WIRE_OK;
        }
      if (pl_decoder_is_at_cut (self->decoder))
        end_piece (self, pieces);
    }
  memmove (self->buffer, self->buffer + done, self->n - done);
  self->n -= done;
  return result;
}

static gssize
read_more (PlFollowTail *self)
{
  gssize n;

  do
    n = pread (self->fd, self->buffer + self->n, self->capacity - self->n,
               (off_t) (pl_decoder_get_offset (self->decoder) + self->n));
  while (n < 0 && errno == EINTR);
  return n;
}

/**
 * pl_follow_tail_read:
 * @pieces: (element-type PlPiece): where pieces that are complete are added
 *
 * Decodes what was written since the last call, at most 16 MiB.
 *
 * Returns: whether there was anything
 */
gboolean
pl_follow_tail_read (PlFollowTail *self, GPtrArray *pieces)
{
  guint64 size = pl_follow_tail_get_size (self);
  guint64 before = pl_decoder_get_offset (self->decoder);
  gsize budget = READ_SIZE;

  if (self->fault != PL_WIRE_OK && size == self->seen_size)
    return FALSE;
  self->seen_size = size;
  self->fault = PL_WIRE_OK;
  while (budget > 0 && self->fault == PL_WIRE_OK)
    {
      PlWireResult result;
      gssize n;

      if (!make_room (self))
        {
          fail (self, PL_WIRE_TOO_LARGE);
          break;
        }
      n = read_more (self);
      if (n <= 0)
        break;
      self->n += (gsize) n;
      budget -= MIN (budget, (gsize) n);
      result = decode (self, pieces);
      if (result != PL_WIRE_OK && result != PL_WIRE_MORE)
        fail (self, result);
    }
  return pl_decoder_get_offset (self->decoder) != before;
}

/**
 * pl_follow_tail_peek:
 *
 * Returns: (transfer full) (nullable): what lies behind the last piece so far
 */
PlPiece *
pl_follow_tail_peek (PlFollowTail *self)
{
  g_autoptr(PlPiece) piece = pl_decoder_peek_piece (self->decoder);

  return piece->raw_to > piece->raw_from ? g_steal_pointer (&piece) : NULL;
}

/**
 * pl_follow_tail_end:
 *
 * Ends the last piece. The tail is to be freed next.
 *
 * Returns: (transfer full) (nullable): what lies behind the piece before
 */
PlPiece *
pl_follow_tail_end (PlFollowTail *self)
{
  g_autoptr(PlPiece) piece = pl_decoder_take_piece (self->decoder);

  return piece->raw_to > piece->raw_from ? g_steal_pointer (&piece) : NULL;
}

/**
 * pl_follow_tail_get_offset:
 *
 * Returns: where the last whole frame ends
 */
guint64
pl_follow_tail_get_offset (PlFollowTail *self)
{
  return pl_decoder_get_offset (self->decoder);
}

/**
 * pl_follow_tail_is_at_end:
 *
 * Returns: whether all of the file has been read that can be
 */
gboolean
pl_follow_tail_is_at_end (PlFollowTail *self)
{
  return self->fault != PL_WIRE_OK
         || pl_decoder_get_offset (self->decoder) + self->n >= pl_follow_tail_get_size (self);
}

/**
 * pl_follow_tail_has_fault:
 *
 * Returns: whether what follows the last whole frame is wrong, as far as it can be seen
 */
gboolean
pl_follow_tail_has_fault (PlFollowTail *self)
{
  return self->fault != PL_WIRE_OK;
}

/**
 * pl_follow_tail_get_fault:
 * @path: the file's name, for the message
 *
 * Says why reading would end before the end of the file, if nothing more were written.
 *
 * Returns: (transfer full) (nullable): the error
 */
GError *
pl_follow_tail_get_fault (PlFollowTail *self, const char *path)
{
  guint64 offset = pl_decoder_get_offset (self->decoder);
  g_autofree char *text = NULL;

  if (self->fault == PL_WIRE_OK && offset >= pl_follow_tail_get_size (self))
    return NULL;
  if (self->fault != PL_WIRE_OK)
    return g_error_new (PL_TRACE_ERROR,
                        offset == 0 ? PL_TRACE_ERROR_NOT_A_TRACE
                        : self->fault == PL_WIRE_TOO_LARGE ? PL_TRACE_ERROR_TOO_LARGE
                        : self->fault == PL_WIRE_BAD_VERSION ? PL_TRACE_ERROR_UNSUPPORTED : PL_TRACE_ERROR_CORRUPT,
                        _("%s: at byte %" PRIu64 " %s"), path, offset, self->fault_text);
  text = pl_decoder_describe (self->decoder, PL_WIRE_MORE, self->buffer, self->n);
  return g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED, _("%s: at byte %" PRIu64 " %s"), path, offset, text);
}
