/* pl-dir-space.c: whether a session directory has room and may be written to
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-dir-space.h"

#include <fcntl.h>
#include <gio/gunixmounts.h>
#include <stdio.h>
#include <string.h>
#include <sys/quota.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

/* A recorder writes some tens of KiB at a time, so less than this left is nothing left. */
#define QUOTA_MARGIN (64 * 1024)

/* Of the numbers as they are the macro would shift a bit out of an int. */
#define GET_USER_QUOTA ((int) QCMD ((unsigned) Q_GETQUOTA, USRQUOTA))

static gboolean
is_over_quota (const char *path, uid_t uid)
{
  g_autoptr(GUnixMountEntry) mount = g_unix_mount_for (path, NULL);
  struct dqblk quota;

  if (mount == NULL || quotactl (GET_USER_QUOTA, g_unix_mount_get_device_path (mount), (int) uid,
                                 (char *) &quota) < 0)
    return FALSE;
  if ((quota.dqb_valid & QIF_BLIMITS) && quota.dqb_bhardlimit > 0
      && quota.dqb_curspace + QUOTA_MARGIN >= quota.dqb_bhardlimit * 1024)
    return TRUE;
  return (quota.dqb_valid & QIF_ILIMITS) && quota.dqb_ihardlimit > 0 && quota.dqb_curinodes >= quota.dqb_ihardlimit;
}

/* By the mode bits, for the user and the group that the segment belongs to. */
static gboolean
may_write (const struct stat *dir, const struct stat *segment)
{
  mode_t needed = S_IWUSR | S_IXUSR;

  if (segment->st_uid == 0)
    return TRUE;
  if (segment->st_uid != dir->st_uid)
    needed >>= segment->st_gid == dir->st_gid ? 3 : 6;
  return (dir->st_mode & needed) == needed;
}

/* The options of the file system itself in a line of mountinfo (proc_pid_mountinfo(5)): the last word. */
static gboolean
has_read_only_option (const char *line)
{
  const char *options = strrchr (line, ' ');
  g_auto(GStrv) words = options != NULL ? g_strsplit (options + 1, ",", -1) : NULL;

  return words != NULL && g_strv_contains ((const char *const *) words, "ro");
}

/* Whether nobody can write there. That we cannot is no proof: a container often has the directory mounted read-only, of a
 * file system that the service writes to. */
static gboolean
is_read_only_for_all (int dir_fd)
{
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;
  struct statx info;

  if (statx (dir_fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &info) < 0 || (info.stx_mask & STATX_MNT_ID) == 0
      || !g_file_get_contents ("/proc/self/mountinfo", &text, NULL, NULL))
    return TRUE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    {
      guint64 id;

      if (sscanf (lines[i], "%" G_GUINT64_FORMAT, &id) == 1 && id == info.stx_mnt_id)
        return has_read_only_option (lines[i]);
    }
  return TRUE;
}

/**
 * pl_dir_space_look:
 * @path: of the directory
 * @segment_fd: one that the writer has made, or -1
 * @is_frozen: nothing was written lately; else the quota is of no interest
 * @scan: gets what is found
 */
void
pl_dir_space_look (int dir_fd, const char *path, int segment_fd, gboolean is_frozen, PlDirScan *scan)
{
  struct statvfs space;
  struct stat dir;
  struct stat segment;

  if (fstatvfs (dir_fd, &space) == 0)
    {
      scan->has_space = TRUE;
      scan->free_bytes = (guint64) space.f_bavail * space.f_frsize;
      scan->total_bytes = (guint64) space.f_blocks * space.f_frsize;
      /* Some file systems have no fixed number of inodes, and say zero. */
      scan->has_no_inodes = space.f_files > 0 && space.f_favail == 0;
      scan->is_read_only = (space.f_flag & ST_RDONLY) != 0 && is_read_only_for_all (dir_fd);
    }
  if (segment_fd < 0 || fstat (segment_fd, &segment) < 0 || fstat (dir_fd, &dir) < 0)
    return;
  scan->writer_uid = segment.st_uid;
  scan->dir_mode = dir.st_mode & 07777;
  scan->may_not_write = !may_write (&dir, &segment);
  scan->is_over_quota = is_frozen && is_over_quota (path, segment.st_uid);
}
