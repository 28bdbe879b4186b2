/* segment.c: creates, appends to and seals one segment
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#include "segment.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "io.h"

void
plr_segment_format_active (char name[PLR_FILE_NAME_SIZE], const char *prefix, uint32_t index)
{
  snprintf (name, PLR_FILE_NAME_SIZE, "%s.%u.bin.active", prefix, index);
}

void
plr_segment_format_sealed (char name[PLR_FILE_NAME_SIZE], const char *prefix, uint32_t index)
{
  snprintf (name, PLR_FILE_NAME_SIZE, "%s.%u.bin", prefix, index);
}

int
plr_segment_create (PlrSegment *self, int dir_fd, const char *prefix, uint32_t index, uint64_t now_ns)
{
  char name[PLR_FILE_NAME_SIZE];
  struct stat st;
  int fd;

  plr_segment_format_active (name, prefix, index);

  /* O_EXCL: a file of this name belongs to somebody, and is no link either. */
  fd = plr_io_open (dir_fd, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
  if (fd < 0)
    return -errno;

  if (fstat (fd, &st) < 0)
    {
      int r = -errno;

      (void) close (fd); /* empty: the next start removes it */
      return r;
    }
  *self = (PlrSegment) { .fd = fd, .index = index, .opened_ns = now_ns, .device = st.st_dev, .inode = st.st_ino };
  return 0;
}

int
plr_segment_append (PlrSegment *self, const void *data, size_t size)
{
  int r;

  r = plr_segment_check (self);
  if (r < 0)
    return r;
  r = plr_io_write_all (self->fd, data, size, (off_t) self->size);
  if (r < 0)
    {
      self->is_torn = plr_io.ftruncate (self->fd, (off_t) self->size) < 0;
      return r;
    }
  self->size += size;
  return 0;
}

int
plr_segment_check (const PlrSegment *self)
{
  struct stat st;

  if (fstat (self->fd, &st) < 0)
    return -errno;
  if (st.st_dev != self->device || st.st_ino != self->inode)
    return -EBADF;
  if (st.st_nlink == 0)
    return -ENOENT;
  if ((uint64_t) st.st_size < self->size)
    return -ESTALE;
  return 0;
}

void
plr_segment_close (PlrSegment *self)
{
  plr_io_close (self->fd, self->device, self->inode);
  *self = PLR_SEGMENT_CLOSED;
}

int
plr_segment_seal (PlrSegment *self, int dir_fd, const char *prefix)
{
  char active[PLR_FILE_NAME_SIZE];
  char sealed[PLR_FILE_NAME_SIZE];
  int r;

  plr_segment_format_active (active, prefix, self->index);
  plr_segment_format_sealed (sealed, prefix, self->index);
  r = plr_io_rename (dir_fd, active, sealed);

  plr_segment_close (self);
  return r;
}

void
plr_segment_discard (PlrSegment *self, int dir_fd, const char *prefix)
{
  char active[PLR_FILE_NAME_SIZE];

  plr_segment_format_active (active, prefix, self->index);
  (void) plr_io.unlinkat (dir_fd, active, 0); /* best effort: the next start removes it otherwise */
  plr_segment_close (self);
}
