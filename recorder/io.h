/* io.h: the system calls that can fail on a disk, replaceable so that tests can make them fail
 *
 * SPDX-License-Identifier: MIT OR Apache-2.0
 */
#ifndef PLR_IO_H
#define PLR_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

/* Each member has the meaning, result and errno of the call it is named after. */
typedef struct
{
  int (*openat) (int dir_fd, const char *name, int flags, mode_t mode);
  ssize_t (*pwrite) (int fd, const void *data, size_t size, off_t offset);
  int (*ftruncate) (int fd, off_t size);
  int (*fdatasync) (int fd);
  int (*renameat2) (int from_dir_fd, const char *from, int to_dir_fd, const char *to, unsigned flags);
  int (*unlinkat) (int dir_fd, const char *name, int flags);
  int (*mkdir) (const char *path, mode_t mode);
} PlrIo;

/* The real calls, unless a test has changed a member. */
extern PlrIo plr_io;

/* As openat(), but never a number below 3. */
int plr_io_open (int dir_fd, const char *name, int flags, mode_t mode);

/* Moves a descriptor away from those numbers: where the host runs without standard input, output or error, what it prints, and
 * what libraries print for it, would go into our file. The new number, or -1 with errno set and @fd closed; -1 for -1. */
int plr_io_lift (int fd);

/* Writes all of @data at @offset, through short writes and interruptions. 0 or a negative errno. */
int plr_io_write_all (int fd, const void *data, size_t size, off_t offset);

/* Closes @fd if it still is the file of this identity. A host that closes all descriptors may have been
 * given the number for a file of its own. */
void plr_io_close (int fd, uint64_t device, uint64_t inode);

/* Descriptors that the child of a fork must not keep: a lock it would go on holding, a socket on which nobody answers. */
typedef enum
{
  PLR_OWN_LOCK,
  PLR_OWN_SOCKET,
  PLR_N_OWN,
} PlrOwn;

/* Notes a descriptor, or with -1 that there is none. */
void plr_io_own (PlrOwn which, int fd);

/* Closes what is noted. In the child of a fork. */
void plr_io_forget_owned (void);

/* Renames within a directory without ever replacing what is there: -EEXIST then. */
int plr_io_rename (int dir_fd, const char *from, const char *to);

#endif /* PLR_IO_H */
