/* io.c: the replaceable system calls and the loops around them
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static int
real_openat (int dir_fd, const char *name, int flags, mode_t mode)
{
  return openat (dir_fd, name, flags, mode);
}

PlrIo plr_io = {
  .openat = real_openat,
  .pwrite = pwrite,
  .ftruncate = ftruncate,
  .fdatasync = fdatasync,
  .renameat2 = renameat2,
  .unlinkat = unlinkat,
  .mkdir = mkdir,
};

int
plr_io_lift (int fd)
{
  int saved_errno;
  int lifted;

  if (fd < 0 || fd > STDERR_FILENO)
    return fd;
  lifted = fcntl (fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  saved_errno = errno;
  (void) close (fd); /* nothing was written through it */
  errno = saved_errno;
  return lifted;
}

int
plr_io_open (int dir_fd, const char *name, int flags, mode_t mode)
{
  return plr_io_lift (plr_io.openat (dir_fd, name, flags, mode));
}

int
plr_io_write_all (int fd, const void *data, size_t size, off_t offset)
{
  const uint8_t *p = data;

  while (size > 0)
    {
      ssize_t n = plr_io.pwrite (fd, p, size, offset);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return -errno;
      if (n == 0)
        return -EIO;
      p += n;
      offset += n;
      size -= (size_t) n;
    }
  return 0;
}

void
plr_io_close (int fd, uint64_t device, uint64_t inode)
{
  struct stat st;

  if (fd >= 0 && fstat (fd, &st) == 0 && st.st_dev == device && st.st_ino == inode)
    (void) close (fd); /* all writes have returned; there is nothing it could tell */
}

static struct
{
  atomic_int fd;
  _Atomic uint64_t device;
  _Atomic uint64_t inode;
} owned[PLR_N_OWN] = { { .fd = -1 }, { .fd = -1 } };

void
plr_io_own (PlrOwn which, int fd)
{
  struct stat st;

  atomic_store (&owned[which].fd, -1);
  if (fd < 0 || fstat (fd, &st) < 0)
    return;
  atomic_store (&owned[which].device, st.st_dev);
  atomic_store (&owned[which].inode, st.st_ino);
  atomic_store (&owned[which].fd, fd);
}

void
plr_io_forget_owned (void)
{
  for (PlrOwn i = 0; i < PLR_N_OWN; i++)
    {
      plr_io_close (atomic_load (&owned[i].fd), atomic_load (&owned[i].device), atomic_load (&owned[i].inode));
      atomic_store (&owned[i].fd, -1);
    }
}

int
plr_io_rename (int dir_fd, const char *from, const char *to)
{
  struct stat st;

  if (plr_io.renameat2 (dir_fd, from, dir_fd, to, RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS)
    return -errno;

  /* The file system does not know the flag. The prefix is locked, so looking first is good enough. */
  if (fstatat (dir_fd, to, &st, AT_SYMLINK_NOFOLLOW) == 0)
    return -EEXIST;
  if (plr_io.renameat2 (dir_fd, from, dir_fd, to, 0) == 0)
    return 0;
  if (errno == ENOSYS && renameat (dir_fd, from, dir_fd, to) == 0)
    return 0;
  return -errno;
}
