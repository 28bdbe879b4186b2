/* fuzz-file.c: gives bytes a path
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "fuzz-file.h"

#include <sys/mman.h>
#include <unistd.h>

const char *
fuzz_file_write (const guint8 *bytes, gsize size)
{
  /* One file for all runs, in memory and without a name. */
  static char path[64];
  static int fd = -1;

  if (fd < 0)
    {
      fd = memfd_create ("fuzz", MFD_CLOEXEC);
      g_assert_cmpint (fd, >=, 0);
      g_snprintf (path, sizeof path, "/proc/self/fd/%d", fd);
    }
  g_assert_cmpint (ftruncate (fd, 0), ==, 0);
  g_assert_cmpint (pwrite (fd, bytes, size, 0), ==, (gssize) size);
  return path;
}
