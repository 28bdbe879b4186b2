/* pl-dir-names.c: the names in a directory that traces have, without reading a large one again and again
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Other programs may keep a million files beside a session, which take half a second to read through; loading, following
 * and watching all want to know its segments, many times a minute. So it is remembered which names there are in a
 * large directory. Until it is to be read again, the file system is only asked for those, for the other forms that a
 * segment may have taken, and for the numbers that come next.
 */
#include "config.h"

#include "pl-dir-names.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-segment-name.h"

/* Fewer entries are read within less than a millisecond. */
#define LARGE 1000

/* To ask for a name takes as long as to read so many, or less. */
#define ENTRIES_FOR_A_NAME 4

/* Directories that are remembered: more than a window shows at a time. */
#define MAX_DIRECTORIES 8

/* Reading gets at most one in so many parts of the time, where names come and go, and where none does: not every file
 * system tells. */
#define SHARE_CHANGING 50
#define SHARE_STILL 500

/* A change that is younger may be followed by another one within the same tick of the file system's clock. */
#define TICK_NS (G_GINT64_CONSTANT (3) * 1000000000)

/**
 * Identity:
 * @made_ns: when it was made, 0 where that is not known: the number of a directory that is removed is given to the next
 */
typedef struct
{
  guint64 device;
  guint64 inode;
  gint64 made_ns;
} Identity;

/**
 * Directory:
 * @names: (element-type filename): as they were seen last
 * @changed_ns: when the directory had changed last as it was read
 * @is_settled: whether a later change would show in that
 * @read_us: when that began, by the monotonic clock
 */
typedef struct
{
  Identity identity;
  GPtrArray *names;
  gint64 changed_ns;
  gboolean is_settled;
  gint64 read_us;
  gint64 took_us;
} Directory;

static GMutex lock;
static GArray *directories; /* (element-type Directory), the newest last */

static void
directory_clear (gpointer data)
{
  g_clear_pointer (&((Directory *) data)->names, g_ptr_array_unref);
}

/* ---- what is remembered ---- */

static gint64
to_ns (const struct statx_timestamp *time)
{
  return time->tv_sec * 1000000000 + time->tv_nsec;
}

static gboolean
identify (int dir_fd, Identity *out_identity, gint64 *out_changed_ns)
{
  struct statx info;

  if (statx (dir_fd, "", AT_EMPTY_PATH, STATX_INO | STATX_CTIME | STATX_BTIME, &info) < 0)
    return FALSE;
  *out_identity = (Identity) {
    .device = (guint64) info.stx_dev_major << 32 | info.stx_dev_minor,
    .inode = info.stx_ino,
    .made_ns = (info.stx_mask & STATX_BTIME) != 0 ? to_ns (&info.stx_btime) : 0,
  };
  *out_changed_ns = to_ns (&info.stx_ctime);
  return TRUE;
}

/* Caller holds the lock. */
static Directory *
find (const Identity *identity)
{
  for (guint i = 0; directories != NULL && i < directories->len; i++)
    {
      Directory *directory = &g_array_index (directories, Directory, i);

      if (directory->identity.device == identity->device && directory->identity.inode == identity->inode
          && directory->identity.made_ns == identity->made_ns)
        return directory;
    }
  return NULL;
}

/* Caller holds the lock. */
static void
forget (const Identity *identity)
{
  Directory *directory = find (identity);

  if (directory != NULL)
    g_array_remove_index (directories, (guint) (directory - (Directory *) (gpointer) directories->data));
}

/* Caller holds the lock. Takes the names. */
static void
remember (const Directory *read)
{
  if (directories == NULL)
    {
      directories = g_array_new (FALSE, FALSE, sizeof (Directory));
      g_array_set_clear_func (directories, directory_clear);
    }
  if (directories->len == MAX_DIRECTORIES)
    g_array_remove_index (directories, 0);
  g_array_append_val (directories, *read);
}

/* NULL where the directory has to be read. Who is told so does it for all others, who go on with what is known. */
static GPtrArray *
recall (const Identity *identity, gint64 changed_ns)
{
  gint64 now = g_get_monotonic_time ();
  GPtrArray *names = NULL;
  Directory *directory;

  g_mutex_lock (&lock);
  directory = find (identity);
  if (directory != NULL)
    {
      gboolean is_still = directory->is_settled && directory->changed_ns == changed_ns;

      if (now - directory->read_us < directory->took_us * (is_still ? SHARE_STILL : SHARE_CHANGING))
        names = g_ptr_array_ref (directory->names);
      else
        directory->read_us = now;
    }
  g_mutex_unlock (&lock);
  return names;
}

static void
keep_up (const Identity *identity, GPtrArray *names)
{
  Directory *directory;

  g_mutex_lock (&lock);
  directory = find (identity);
  if (directory != NULL)
    {
      g_ptr_array_unref (directory->names);
      directory->names = g_ptr_array_ref (names);
    }
  g_mutex_unlock (&lock);
}

/* ---- asking for single names ---- */

static gboolean
is_there (int dir_fd, const char *name)
{
  struct stat info;

  return fstatat (dir_fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Adds the forms in which the segment is there, and returns whether there are any. */
static gboolean
seek_segment (int dir_fd, const char *stem, guint64 index, GHashTable *found)
{
  gboolean is_any = FALSE;

  for (gsize i = 0; i < PL_N_SEGMENT_SUFFIXES; i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.%" G_GUINT64_FORMAT "%s", stem, index, pl_segment_suffixes[i]);

      if (!is_there (dir_fd, name))
        continue;
      g_hash_table_add (found, g_steal_pointer (&name));
      is_any = TRUE;
    }
  return is_any;
}

static void
seek_known (int dir_fd, GPtrArray *known, GHashTable *found, GHashTable *last_of_stem)
{
  for (guint i = 0; i < known->len; i++)
    {
      const char *name = g_ptr_array_index (known, i);
      gboolean is_found = is_there (dir_fd, name);
      PlSegmentName segment;
      guint64 *last;

      if (is_found)
        g_hash_table_add (found, g_strdup (name));
      if (!pl_segment_name_parse (name, &segment))
        continue;
      if (!is_found)
        seek_segment (dir_fd, segment.stem, segment.index, found);
      last = g_hash_table_lookup (last_of_stem, segment.stem);
      if (last != NULL)
        *last = MAX (*last, segment.index);
      else
        g_hash_table_insert (last_of_stem, g_strdup (segment.stem), g_memdup2 (&segment.index, sizeof segment.index));
      pl_segment_name_clear (&segment);
    }
}

static GPtrArray *
to_names (GHashTable *found)
{
  GPtrArray *names = g_ptr_array_new_full (g_hash_table_size (found), g_free);
  GHashTableIter iter;
  gpointer name;

  g_hash_table_iter_init (&iter, found);
  while (g_hash_table_iter_next (&iter, &name, NULL))
    {
      g_hash_table_iter_steal (&iter);
      g_ptr_array_add (names, name);
    }
  return names;
}

/* What has become of the names that were known. */
static GPtrArray *
look_after (int dir_fd, GPtrArray *known)
{
  g_autoptr(GHashTable) found = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr(GHashTable) last_of_stem = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  GHashTableIter iter;
  gpointer stem;
  gpointer last;

  seek_known (dir_fd, known, found, last_of_stem);
  g_hash_table_iter_init (&iter, last_of_stem);
  while (g_hash_table_iter_next (&iter, &stem, &last))
    for (guint64 index = *(guint64 *) last + 1; index <= G_MAXUINT32; index++)
      if (!seek_segment (dir_fd, stem, index, found))
        break;
  return to_names (found);
}

/* ---- reading ---- */

static GPtrArray *
read_names (int dir_fd, GCancellable *cancellable, guint *out_n_entries)
{
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  int fd = openat (dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *dir = fd >= 0 ? fdopendir (fd) : NULL;
  const struct dirent *entry;
  int saved_errno;

  *out_n_entries = 0;
  if (dir == NULL)
    {
      saved_errno = errno;
      if (fd >= 0)
        close (fd);
      errno = saved_errno;
      return NULL;
    }
  while (!g_cancellable_is_cancelled (cancellable) && (errno = 0, entry = readdir (dir)) != NULL)
    {
      ++*out_n_entries;
      if (pl_segment_name_has_suffix (entry->d_name))
        g_ptr_array_add (names, g_strdup (entry->d_name));
    }
  saved_errno = g_cancellable_is_cancelled (cancellable) ? ECANCELED : errno;
  closedir (dir);
  errno = saved_errno;
  return saved_errno == 0 ? g_steal_pointer (&names) : NULL;
}

static GPtrArray *
read_anew (int dir_fd, const Identity *identity, gint64 changed_ns, GCancellable *cancellable)
{
  Directory directory = {
    .identity = *identity,
    .changed_ns = changed_ns,
    .is_settled = g_get_real_time () * 1000 - changed_ns > TICK_NS,
    .read_us = g_get_monotonic_time (),
  };
  guint n_entries;
  GPtrArray *names = read_names (dir_fd, cancellable, &n_entries);
  int saved_errno = errno;

  directory.took_us = g_get_monotonic_time () - directory.read_us;
  g_mutex_lock (&lock);
  forget (identity);
  if (names != NULL && n_entries >= LARGE && names->len < n_entries / ENTRIES_FOR_A_NAME)
    {
      directory.names = g_ptr_array_ref (names);
      remember (&directory);
    }
  g_mutex_unlock (&lock);
  errno = saved_errno;
  return names;
}

/**
 * pl_dir_names_list:
 * @dir_fd: a directory
 * @cancellable: (nullable): a cancellable
 *
 * Lists what has a trace's suffix, in no order. A session of another name that begins in a directory with a million files
 * may be found only after some seconds, and minutes where nothing tells that the directory has changed. May block on the
 * disk. From any thread.
 *
 * Returns: (transfer full) (element-type filename): names, not to be changed; %NULL with errno set, which is %ECANCELED
 *   when it was cancelled
 */
GPtrArray *
pl_dir_names_list (int dir_fd, GCancellable *cancellable)
{
  g_autoptr(GPtrArray) known = NULL;
  GPtrArray *names;
  Identity identity;
  gint64 changed_ns;

  if (!identify (dir_fd, &identity, &changed_ns))
    return NULL;
  known = recall (&identity, changed_ns);
  if (known == NULL)
    return read_anew (dir_fd, &identity, changed_ns, cancellable);
  names = look_after (dir_fd, known);
  if (names->len == 0 && known->len > 0)
    {
      g_ptr_array_unref (names);
      return read_anew (dir_fd, &identity, changed_ns, cancellable);
    }
  keep_up (&identity, names);
  return names;
}
