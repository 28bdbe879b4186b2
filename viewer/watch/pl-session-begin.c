/* pl-session-begin.c: when a session began, as far as what is left of it tells
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Segments open with the time on the wall clock. Files tell when they were made where their file system does, and when they
 * were written to last. All of it may be later than the begin, as the oldest segments may be gone, and none is earlier.
 */
#include "config.h"

#include "pl-session-begin.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "pl-decoder.h"
#include "pl-source.h"

/* The clock is what comes first; openings have some hundred bytes. */
#define OPENING_BYTES 4096

/* The ways in which a file of each form may be called, up to NULL. */
static const char *const suffixes[PL_N_FORMS][3] = {
  [PL_FORM_ACTIVE] = { ".bin.active" },
  [PL_FORM_SEALED] = { ".bin" },
  [PL_FORM_PACKED] = { ".bin.zst", ".bin.gz" },
};

/* The earliest time on the wall clock in an opening. @bytes have room for padding. */
static gint64
find_clock (guint8 *bytes, gsize size)
{
  g_autoptr(PlStrings) strings = pl_strings_new ();
  g_autoptr(PlDecoder) decoder = pl_decoder_new (strings, 0, 0);
  g_autoptr(PlPiece) piece = NULL;
  gint64 wall_ns = G_MAXINT64;
  gsize consumed;

  memset (bytes + size, 0, PL_WIRE_PADDING);
  pl_decoder_feed (decoder, bytes, size, &consumed);
  piece = pl_decoder_take_piece (decoder);
  for (guint i = 0; i < piece->anchors->len; i++)
    {
      gint64 anchor_ns = g_array_index (piece->anchors, PlClockAnchor, i).wall_ns;

      if (anchor_ns > 0 && anchor_ns < wall_ns)
        wall_ns = anchor_ns;
    }
  return wall_ns;
}

static gint64
read_clock (const char *path)
{
  g_autoptr(PlSource) source = pl_source_open (path, NULL);
  guint8 bytes[OPENING_BYTES + PL_WIRE_PADDING];
  gssize n = source != NULL ? pl_source_read (source, bytes, OPENING_BYTES, NULL) : 0;

  return n > 0 ? find_clock (bytes, (gsize) n) : G_MAXINT64;
}

/* What its opening says of when a file was begun. */
static gint64
read_begin (int dir_fd, const char *prefix, const PlDirFile *file)
{
  gint64 wall_ns = G_MAXINT64;

  for (const char *const *suffix = suffixes[file->form]; *suffix != NULL && wall_ns == G_MAXINT64; suffix++)
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d/%s.%" G_GUINT64_FORMAT "%s", dir_fd, prefix,
                                               file->index, *suffix);

      wall_ns = read_clock (path);
    }
  return wall_ns;
}

static gint64
get_birth_ns (int dir_fd, const char *name)
{
  struct statx info;

  if (statx (dir_fd, name, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &info) < 0 || (info.stx_mask & STATX_BTIME) == 0)
    return G_MAXINT64;
  return info.stx_btime.tv_sec * 1000000000 + info.stx_btime.tv_nsec;
}

/* Whether @file is the one that was read, in whatever form, and has told something. */
static gboolean
is_known (const PlSessionBegin *self, const PlDirFile *file)
{
  gboolean has_shrunk = file->form != PL_FORM_PACKED && file->size < self->file.size;

  if (self->file.size == 0 || self->file.index != file->index || has_shrunk)
    return FALSE;
  return self->wall_ns < G_MAXINT64 || self->file.size == file->size;
}

/**
 * pl_session_begin_find:
 * @dir_fd: the session's directory
 * @prefix: of its segments
 * @scan: with at least one file
 *
 * Reads a file only when it is another one than before.
 *
 * Returns: when the session began on the wall clock, or later
 */
gint64
pl_session_begin_find (PlSessionBegin *self, int dir_fd, const char *prefix, const PlDirScan *scan)
{
  const PlDirFile *oldest = &g_array_index (scan->files, PlDirFile, 0);
  g_autofree char *lock = g_strconcat (prefix, ".lock", NULL);
  g_autofree char *active = g_strdup_printf ("%s.%" G_GUINT64_FORMAT ".bin.active", prefix, oldest->index);
  gint64 written_ns = MIN (oldest->mtime_wall_ns, scan->wall_ns);
  gint64 lock_ns = get_birth_ns (dir_fd, lock);
  gint64 active_ns = get_birth_ns (dir_fd, active);
  gint64 born_ns = MIN (lock_ns, active_ns);
  gint64 begin_ns = MIN (written_ns, born_ns);

  if (!is_known (self, oldest))
    {
      self->file = *oldest;
      self->wall_ns = read_begin (dir_fd, prefix, oldest);
    }
  return MIN (begin_ns, self->wall_ns);
}
