/* pl-dir-scanner.c: looks at a real session directory
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The directory in which a session was found is held open, so that it is still known when its name is gone. Everything
 * is looked up relative to it.
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pl-dir-names.h"
#include "pl-dir-scan.h"
#include "pl-dir-space.h"
#include "pl-segment-tail.h"
#include "pl-session-begin.h"
#include "pl-segment-name.h"
#include "pl-writer-sight.h"

/* Further sessions of one directory that are told of: as many services as write to one place, and then some. */
#define PL_MAX_OTHERS 15

/**
 * Scanner:
 * @prefix: (nullable): of the session; chosen once by the segments that are there, unless @has_fixed_prefix
 * @others: (element-type PlOtherSession): of the last look
 * @dir_fd: the session's directory, or -1
 */
typedef struct
{
  char *path;
  char *prefix;
  gboolean has_fixed_prefix;
  GArray *others;
  int dir_fd;
  gboolean has_session;
  gboolean has_segment;
  PlActiveSegment active;
  PlSessionBegin begin;
  PlSegmentTail *tail;
  PlWriterSight *sight;
} Scanner;

typedef struct
{
  PlSegmentName name;
  PlDirFile file;
} Entry;

static void
entry_clear (gpointer data)
{
  pl_segment_name_clear (&((Entry *) data)->name);
}

static gint64
get_clock_ns (clockid_t clock)
{
  struct timespec now;

  clock_gettime (clock, &now);
  return (gint64) now.tv_sec * 1000000000 + now.tv_nsec;
}

/* ---- the directory ---- */

static gboolean
is_same_dir (int a, int b)
{
  struct stat first;
  struct stat second;

  return fstat (a, &first) == 0 && fstat (b, &second) == 0 && first.st_dev == second.st_dev
         && first.st_ino == second.st_ino;
}

static PlForm
get_form (const char *suffix)
{
  if (strcmp (suffix, ".bin.active") == 0)
    return PL_FORM_ACTIVE;
  return strcmp (suffix, ".bin") == 0 ? PL_FORM_SEALED : PL_FORM_PACKED;
}

/* Whether there is a segment @name, of whatever prefix. */
static gboolean
describe (int dir_fd, const char *name, Entry *out_entry)
{
  struct stat info;

  if (!pl_segment_name_parse (name, &out_entry->name))
    return FALSE;
  if (fstatat (dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) < 0 || !S_ISREG (info.st_mode))
    {
      pl_segment_name_clear (&out_entry->name);
      return FALSE;
    }
  out_entry->file = (PlDirFile) {
    .index = out_entry->name.index,
    .form = get_form (out_entry->name.suffix),
    .size = (guint64) info.st_size,
    .mtime_wall_ns = (gint64) info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec,
  };
  return TRUE;
}

/* All segments of a directory; NULL with errno set. */
static GArray *
list (int dir_fd)
{
  g_autoptr(GPtrArray) names = pl_dir_names_list (dir_fd, NULL);
  GArray *entries;

  if (names == NULL)
    return NULL;
  entries = g_array_new (FALSE, FALSE, sizeof (Entry));
  g_array_set_clear_func (entries, entry_clear);
  for (guint i = 0; i < names->len; i++)
    {
      Entry entry = { 0 };

      if (describe (dir_fd, g_ptr_array_index (names, i), &entry))
        g_array_append_val (entries, entry);
    }
  return entries;
}

/* ---- the session in it ---- */

/* The one that was written to last; it stays the session, whatever comes beside it. */
static void
choose_prefix (Scanner *self, GArray *entries)
{
  const Entry *newest = NULL;

  if (self->prefix != NULL)
    return;
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (newest == NULL || entry->file.mtime_wall_ns > newest->file.mtime_wall_ns)
        newest = entry;
    }
  if (newest != NULL)
    self->prefix = g_strdup (newest->name.stem);
}

static int
compare_files (gconstpointer a, gconstpointer b)
{
  const PlDirFile *first = a;
  const PlDirFile *second = b;

  if (first->index != second->index)
    return first->index < second->index ? -1 : 1;
  return (int) first->form - (int) second->form;
}

static void
take_files (Scanner *self, GArray *entries, PlDirScan *scan)
{
  for (guint i = 0; i < entries->len && self->prefix != NULL; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (strcmp (entry->name.stem, self->prefix) == 0)
        g_array_append_val (scan->files, entry->file);
    }
  g_array_sort (scan->files, compare_files);
}

/* ---- other sessions in it ---- */

static PlOtherSession *
find_other (Scanner *self, const char *prefix)
{
  for (guint i = 0; i < self->others->len; i++)
    {
      PlOtherSession *other = &g_array_index (self->others, PlOtherSession, i);

      if (strcmp (other->prefix, prefix) == 0)
        return other;
    }
  return NULL;
}

static void
add_others (Scanner *self, GArray *entries, gint64 begin_ns)
{
  for (guint i = 0; i < entries->len && self->others->len < PL_MAX_OTHERS; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);
      gboolean is_older = entry->file.mtime_wall_ns < begin_ns;
      PlOtherSession *known;

      if (entry->file.form != PL_FORM_ACTIVE || strcmp (entry->name.stem, self->prefix) == 0)
        continue;
      known = find_other (self, entry->name.stem);
      if (known != NULL)
        known->is_older &= is_older;
      else
        {
          PlOtherSession other = { g_strdup (entry->name.stem), is_older };

          g_array_append_val (self->others, other);
        }
    }
}

static gboolean
has_others (Scanner *self, GArray *entries)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const Entry *entry = &g_array_index (entries, Entry, i);

      if (entry->file.form == PL_FORM_ACTIVE && strcmp (entry->name.stem, self->prefix) != 0)
        return TRUE;
    }
  return FALSE;
}

/* Who names a session has asked for no other. */
static void
tell_others (Scanner *self, GArray *entries, PlDirScan *scan)
{
  g_array_set_size (self->others, 0);
  scan->others = self->others;
  if (self->has_fixed_prefix || self->prefix == NULL || !has_others (self, entries))
    return;
  add_others (self, entries,
              scan->files->len > 0 ? pl_session_begin_find (&self->begin, self->dir_fd, self->prefix, scan) : G_MININT64);
  for (guint i = 0; i < self->others->len; i++)
    scan->n_left += g_array_index (self->others, PlOtherSession, i).is_older;
}

static void
follow_current (Scanner *self, PlDirScan *scan)
{
  const PlDirFile *oldest = scan->files->len > 0 ? &g_array_index (scan->files, PlDirFile, 0) : NULL;
  const PlDirFile *current;

  pl_dir_scan_find_current (scan, &self->active);
  current = scan->current;
  self->has_segment = current != NULL && current->form == PL_FORM_ACTIVE;
  if (current != NULL && current->form != PL_FORM_PACKED)
    {
      g_autofree char *name = g_strdup_printf ("%s.%" G_GUINT64_FORMAT "%s", self->prefix, current->index,
                                               self->has_segment ? ".bin.active" : ".bin");

      pl_segment_tail_follow (self->tail, self->dir_fd, name, current->index);
      pl_segment_tail_tell (self->tail, scan);
    }
  /* A segment reaches back further than its last write; by how much, only decoding it would tell. */
  if (oldest != NULL)
    scan->oldest_wall_ns = oldest->mtime_wall_ns;
}

/* ---- the look ---- */

/* The name leads nowhere: what is known is what the open directory and segment still show. */
static void
look_without_name (Scanner *self, PlDirState state, gboolean is_frozen, PlDirScan *scan)
{
  struct stat info;

  scan->dir = state;
  if (!self->has_session)
    {
      pl_writer_sight_seek_lost (self->sight, self->path, scan);
      return;
    }
  scan->old_dir_grows = pl_segment_tail_has_grown (self->tail);
  scan->is_old_dir_named = fstat (self->dir_fd, &info) == 0 && info.st_nlink > 0;
  pl_writer_sight_look (self->sight, self->dir_fd, self->prefix, self->has_segment ? pl_segment_tail_get_fd (self->tail) : -1,
                        is_frozen, scan);
}

static void
move_to (Scanner *self, int fd, PlDirScan *scan)
{
  scan->is_other_dir = self->has_session;
  if (self->dir_fd >= 0)
    close (self->dir_fd);
  self->dir_fd = fd;
}

static gboolean
has_files_of (GArray *entries, const char *prefix)
{
  for (guint i = 0; i < entries->len; i++)
    if (prefix == NULL || strcmp (g_array_index (entries, Entry, i).name.stem, prefix) == 0)
      return TRUE;
  return FALSE;
}

/* Takes @fd, the directory that the path leads to now. */
static void
look_into (Scanner *self, int fd, gboolean is_frozen, PlDirScan *scan)
{
  g_autoptr(GArray) entries = list (fd);
  int segment_fd;

  if (entries == NULL)
    {
      scan->dir = PL_DIR_UNREADABLE;
      scan->dir_error = errno;
      close (fd);
      return;
    }
  if (self->dir_fd >= 0 && is_same_dir (self->dir_fd, fd))
    close (fd);
  else if (!self->has_session || has_files_of (entries, self->prefix))
    move_to (self, fd, scan);
  else
    {
      close (fd);
      tell_others (self, entries, scan);
      look_without_name (self, PL_DIR_REPLACED, is_frozen, scan);
      return;
    }

  choose_prefix (self, entries);
  take_files (self, entries, scan);
  tell_others (self, entries, scan);
  self->has_session |= scan->files->len > 0;
  if (!self->has_session)
    {
      pl_writer_sight_seek_lost (self->sight, self->path, scan);
      return;
    }
  follow_current (self, scan);
  segment_fd = pl_segment_tail_get_fd (self->tail);
  pl_dir_space_look (self->dir_fd, self->path, segment_fd, is_frozen, scan);
  pl_writer_sight_look (self->sight, self->dir_fd, self->prefix, self->has_segment ? segment_fd : -1, is_frozen, scan);
}

static void
look (gpointer data, gboolean is_frozen, PlDirScan *scan)
{
  Scanner *self = data;
  int fd = open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int error = errno;

  scan->mono_ns = get_clock_ns (CLOCK_MONOTONIC);
  scan->boot_ns = get_clock_ns (CLOCK_BOOTTIME);
  scan->wall_ns = get_clock_ns (CLOCK_REALTIME);
  if (fd >= 0)
    look_into (self, fd, is_frozen, scan);
  else if (error == ENOENT || error == ENOTDIR)
    look_without_name (self, PL_DIR_MISSING, is_frozen, scan);
  /* A file that was always there is no directory that will come. */
  if (fd < 0 && error != ENOENT && (error != ENOTDIR || (!self->has_session && !scan->has_lost_session)))
    {
      scan->dir = PL_DIR_UNREADABLE;
      scan->dir_error = error;
    }
  scan->prefix = self->prefix;
}

static void
scanner_free (gpointer data)
{
  Scanner *self = data;

  if (self->dir_fd >= 0)
    close (self->dir_fd);
  pl_segment_tail_free (self->tail);
  pl_writer_sight_free (self->sight);
  g_array_unref (self->others);
  g_free (self->path);
  g_free (self->prefix);
  g_free (self);
}

static const PlDirScannerClass scanner_class = { look, scanner_free };

/**
 * pl_dir_scanner_new:
 * @directory: need not exist
 * @prefix: (nullable): of the segments' names; %NULL for the session that was written to last
 *
 * Returns: a scanner of the real file system and clock; free its data with its class's free()
 */
PlDirScanner
pl_dir_scanner_new (const char *directory, const char *prefix)
{
  Scanner *self = g_new0 (Scanner, 1);

  self->path = g_strdup (directory);
  self->prefix = g_strdup (prefix);
  self->has_fixed_prefix = prefix != NULL;
  self->others = pl_other_sessions_copy (NULL);
  self->dir_fd = -1;
  self->active = PL_ACTIVE_SEGMENT_NONE;
  self->tail = pl_segment_tail_new ();
  self->sight = pl_writer_sight_new ();
  return (PlDirScanner) { &scanner_class, self };
}
