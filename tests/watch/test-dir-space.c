/* test-dir-space.c: room and rights of a directory, with quotas that this system need not have
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixmounts.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/quota.h>
#include <unistd.h>

#include "pl-dir-space.h"

/* What the kernel is made to answer, and what it was asked. */
static struct
{
  int error;
  struct dqblk answer;
  guint n_asked;
  int command;
  int id;
  char *device;
} quota;

/* Linked in the place of the C library's. */
int __wrap_quotactl (int command, const char *device, int id, char *out_answer);

int
__wrap_quotactl (int command, const char *device, int id, char *out_answer)
{
  quota.n_asked++;
  quota.command = command;
  quota.id = id;
  g_free (quota.device);
  quota.device = g_strdup (device);
  if (quota.error != 0)
    {
      errno = quota.error;
      return -1;
    }
  memcpy (out_answer, &quota.answer, sizeof quota.answer);
  return 0;
}

/* Looks at a directory with a segment of this user's. */
static PlDirScan
look (gboolean is_frozen)
{
  g_autofree char *path = g_dir_make_tmp ("parklane-space-XXXXXX", NULL);
  g_autofree char *name = g_build_filename (path, "trace.0.bin.active", NULL);
  int dir_fd = open (path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int segment_fd = open (name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  PlDirScan scan = { 0 };

  g_assert_cmpint (segment_fd, >=, 0);
  pl_dir_space_look (dir_fd, path, segment_fd, is_frozen, &scan);
  close (dir_fd);
  close (segment_fd);
  g_unlink (name);
  g_rmdir (path);
  return scan;
}

static void
answer (int error, guint32 valid, guint64 limit_kib, guint64 used_bytes, guint64 inode_limit, guint64 n_inodes)
{
  quota.error = error;
  quota.answer = (struct dqblk) {
    .dqb_bhardlimit = limit_kib,
    .dqb_curspace = used_bytes,
    .dqb_ihardlimit = inode_limit,
    .dqb_curinodes = n_inodes,
    .dqb_valid = valid,
  };
}

/* A quota is asked for by the device, which a process under another root than the system's may not be told. */
static gboolean
skip_without_device (void)
{
  g_autoptr(GUnixMountEntry) mount = g_unix_mount_for (g_get_tmp_dir (), NULL);

  if (mount == NULL)
    g_test_skip ("the file system of the temporary directory is not among the mounts");
  return mount == NULL;
}

static void
test_used_up (void)
{
  if (skip_without_device ())
    return;
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 1024, 1024 * 1024, 0, 5);
  g_assert_true (look (TRUE).is_over_quota);
  /* What a recorder writes at a time does not fit any more. */
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 1024, 1000 * 1024, 0, 5);
  g_assert_true (look (TRUE).is_over_quota);
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 1024, 512 * 1024, 0, 5);
  g_assert_false (look (TRUE).is_over_quota);
}

static void
test_inodes_used_up (void)
{
  if (skip_without_device ())
    return;
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 0, 1 << 20, 100, 100);
  g_assert_true (look (TRUE).is_over_quota);
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 0, 1 << 20, 100, 99);
  g_assert_false (look (TRUE).is_over_quota);
}

static void
test_no_limit (void)
{
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 0, 1 << 30, 0, 1000);
  g_assert_false (look (TRUE).is_over_quota);
  /* Numbers that the kernel does not vouch for. */
  answer (0, 0, 1, 1 << 30, 1, 1000);
  g_assert_false (look (TRUE).is_over_quota);
  answer (ESRCH, 0, 0, 0, 0, 0);
  g_assert_false (look (TRUE).is_over_quota);
}

static void
test_asks_for_the_writer (void)
{
  if (skip_without_device ())
    return;
  answer (0, QIF_LIMITS | QIF_SPACE | QIF_INODES, 1024, 0, 0, 0);
  quota.n_asked = 0;
  look (TRUE);
  g_assert_cmpuint (quota.n_asked, ==, 1);
  g_assert_cmpint (quota.command, ==, (int) QCMD ((unsigned) Q_GETQUOTA, USRQUOTA));
  g_assert_cmpint (quota.id, ==, (int) getuid ());
  g_assert_nonnull (quota.device);
  /* While it grows nobody needs to know. */
  look (FALSE);
  g_assert_cmpuint (quota.n_asked, ==, 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/watch/dir-space/quota-that-is-used-up-is-seen", test_used_up);
  g_test_add_func ("/watch/dir-space/quota-of-inodes-is-seen", test_inodes_used_up);
  g_test_add_func ("/watch/dir-space/no-limit-is-no-quota", test_no_limit);
  g_test_add_func ("/watch/dir-space/quota-is-that-of-the-writer", test_asks_for_the_writer);
  status = g_test_run ();
  g_free (quota.device);
  return status;
}
