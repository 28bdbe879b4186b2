/* pl-session-lock.c: whether somebody holds a session's lock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Our recorder holds PREFIX.lock, dial9's newer ones .lock, for as long as their process lives. The kernel's list of
 * locks is asked first. It hides locks of processes that cannot be seen from here, and numbers of devices are not the
 * same everywhere, so that only what it shows counts; else the lock is tried, and got at most once in a silence: who
 * starts to record in the instant in which we hold it would be refused.
 */
#include "config.h"

#include "pl-session-lock.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

/* A writer that is just starting creates the file, and takes the lock a moment later. */
#define MIN_AGE_NS (G_GINT64_CONSTANT (10) * 1000000000)

/* Not in every linux/magic.h. */
#define NFS_MAGIC 0x6969
#define CIFS_MAGIC 0xFF534D42
#define SMB2_MAGIC 0xFE534D42
#define CEPH_MAGIC 0x00C36400
#define P9_MAGIC 0x01021997
#define FUSE_MAGIC 0x65735546
#define LUSTRE_MAGIC 0x0BD00BD0

/**
 * pl_session_lock_is_shared_fs:
 *
 * Returns: whether who writes there may be on another computer, or be seen through a file system that passes on neither
 *   locks nor inodes
 */
gboolean
pl_session_lock_is_shared_fs (int dir_fd)
{
  struct statfs info;

  if (fstatfs (dir_fd, &info) < 0)
    return TRUE;
  switch ((guint32) info.f_type)
    {
    case NFS_MAGIC:
    case CIFS_MAGIC:
    case SMB2_MAGIC:
    case CEPH_MAGIC:
    case P9_MAGIC:
    case FUSE_MAGIC:
    case LUSTRE_MAGIC:
    case AFS_SUPER_MAGIC:
    case CODA_SUPER_MAGIC:
      return TRUE;
    default:
      return FALSE;
    }
}

/* The pid that holds the lock of @info according to the kernel, or 0. */
static guint32
find_listed (const struct stat *info)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;

  if (!g_file_get_contents ("/proc/locks", &text, NULL, NULL))
    return 0;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      unsigned int major;
      unsigned int minor;
      unsigned long inode;
      int pid;

      if (sscanf (lines[i], "%*d: FLOCK %*s WRITE %d %x:%x:%lu", &pid, &major, &minor, &inode) == 4 && pid > 0
          && inode == info->st_ino && major == major (info->st_dev) && minor == minor (info->st_dev))
        return (guint32) pid;
    }
  return 0;
}

static int
open_lock (int dir_fd, const char *prefix)
{
  g_autofree char *name = g_strconcat (prefix, ".lock", NULL);
  int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  int fd = openat (dir_fd, name, flags);

  return fd >= 0 || errno != ENOENT ? fd : openat (dir_fd, ".lock", flags);
}

/* Closing lets go of it. */
static gboolean
try (int fd)
{
  return flock (fd, LOCK_SH | LOCK_NB) == 0;
}

static PlLockState
look_at (PlSessionLock *self, int fd, gint64 wall_ns, guint32 *out_pid)
{
  struct stat info;
  gint64 changed_ns;
  guint32 pid;

  if (fstat (fd, &info) < 0 || !S_ISREG (info.st_mode))
    return PL_LOCK_NONE;
  if (info.st_ino != self->inode)
    *self = (PlSessionLock) { .inode = info.st_ino };

  pid = find_listed (&info);
  if (pid != 0)
    {
      self->is_listed = TRUE;
      *out_pid = pid;
      return PL_LOCK_HELD;
    }
  if (pl_session_lock_is_shared_fs (fd))
    return PL_LOCK_UNKNOWN;
  if (self->is_listed)
    return PL_LOCK_FREE;
  changed_ns = (gint64) info.st_ctim.tv_sec * 1000000000 + info.st_ctim.tv_nsec;
  if (!self->was_tried && wall_ns - changed_ns < MIN_AGE_NS)
    return PL_LOCK_UNKNOWN;
  /* Trying a lock that is held harms nobody. */
  if (!self->was_tried || self->was_held)
    self->was_held = !try (fd);
  self->was_tried = TRUE;
  return self->was_held ? PL_LOCK_HELD : PL_LOCK_FREE;
}

/**
 * pl_session_lock_look:
 * @self: from the look before; set @was_tried to %FALSE when something was written since
 * @out_pid: (out): of who holds it; left alone when that is not known
 *
 * Returns: whether the lock of @prefix is held
 */
PlLockState
pl_session_lock_look (PlSessionLock *self, int dir_fd, const char *prefix, gint64 wall_ns, guint32 *out_pid)
{
  PlLockState state;
  int fd = open_lock (dir_fd, prefix);

  if (fd < 0)
    return errno == ENOENT ? PL_LOCK_NONE : PL_LOCK_UNKNOWN;
  state = look_at (self, fd, wall_ns, out_pid);
  close (fd);
  return state;
}
