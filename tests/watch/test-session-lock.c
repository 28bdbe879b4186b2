/* test-session-lock.c: whether somebody holds a session's lock, and that asking harms nobody
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pl-session-lock.h"

#define S G_GINT64_CONSTANT (1000000000)

static guint n_tries;
static long fs_magic; /* of a file system that is put in the place of the real one, 0 = none */

/* Linked in the place of the C library's. */
int __wrap_flock (int fd, int operation);
int __real_flock (int fd, int operation);
int __wrap_fstatfs64 (int fd, struct statfs *out_info);
int __real_fstatfs64 (int fd, struct statfs *out_info);

int
__wrap_flock (int fd, int operation)
{
  n_tries++;
  return __real_flock (fd, operation);
}

int
__wrap_fstatfs64 (int fd, struct statfs *out_info)
{
  int result = __real_fstatfs64 (fd, out_info);

  if (fs_magic != 0)
    out_info->f_type = fs_magic;
  return result;
}

typedef struct
{
  char *directory;
  int dir_fd;
  PlSessionLock lock;
  gint64 now_ns;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->directory = g_dir_make_tmp ("parklane-lock-XXXXXX", NULL);
  self->dir_fd = open (self->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  self->now_ns = g_get_real_time () * 1000;
  n_tries = 0;
  fs_magic = 0;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  unlinkat (self->dir_fd, "api.lock", 0);
  unlinkat (self->dir_fd, ".lock", 0);
  close (self->dir_fd);
  g_rmdir (self->directory);
  g_free (self->directory);
}

static void
make (Fixture *self, const char *name)
{
  close (openat (self->dir_fd, name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
}

/* A process that holds the lock until it is killed. */
static GPid
hold (Fixture *self, const char *name)
{
  int ready[2];
  GPid pid;
  char byte = 0;

  make (self, name);
  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      int fd = openat (self->dir_fd, name, O_RDWR);

      if (__real_flock (fd, LOCK_EX) == 0 && write (ready[1], &byte, 1) == 1)
        pause ();
      _exit (1);
    }
  close (ready[1]);
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  close (ready[0]);
  return pid;
}

static void
end (GPid pid)
{
  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);
}

static PlLockState
look (Fixture *self, gint64 after_ns, guint32 *out_pid)
{
  return pl_session_lock_look (&self->lock, self->dir_fd, "api", self->now_ns + after_ns, out_pid);
}

static void
test_none (Fixture *self, gconstpointer data)
{
  guint32 pid = 0;

  g_assert_cmpint (look (self, 0, &pid), ==, PL_LOCK_NONE);
}

static void
test_held (Fixture *self, gconstpointer data)
{
  GPid holder = hold (self, "api.lock");
  guint32 pid = 0;

  g_assert_cmpint (look (self, 0, &pid), ==, PL_LOCK_HELD);
  g_assert_cmpint (pid, ==, holder);
  end (holder);
  pid = 0;
  /* What the kernel has listed once and does not list any more is free, however young it is. */
  g_assert_cmpint (look (self, 0, &pid), ==, PL_LOCK_FREE);
  g_assert_cmpint (pid, ==, 0);
  g_assert_cmpuint (n_tries, ==, 0);
}

/* dial9's newer recorders have one for the directory, which is one process's. */
static void
test_of_directory (Fixture *self, gconstpointer data)
{
  GPid holder = hold (self, ".lock");
  guint32 pid = 0;

  g_assert_cmpint (look (self, 0, &pid), ==, PL_LOCK_HELD);
  g_assert_cmpint (pid, ==, holder);
  /* One for the session says more. */
  make (self, "api.lock");
  g_assert_cmpint (look (self, 60 * S, &pid), ==, PL_LOCK_FREE);
  end (holder);
}

/* A writer that starts in the instant in which it is tried would be refused. */
static void
test_young (Fixture *self, gconstpointer data)
{
  guint32 pid = 0;

  make (self, ".lock");
  g_assert_cmpint (look (self, 5 * S, &pid), ==, PL_LOCK_UNKNOWN);
  g_assert_cmpuint (n_tries, ==, 0);
  g_assert_cmpint (look (self, 15 * S, &pid), ==, PL_LOCK_FREE);
  g_assert_cmpint (look (self, 16 * S, &pid), ==, PL_LOCK_FREE);
  g_assert_cmpuint (n_tries, ==, 1);
}

static void
test_shared (Fixture *self, gconstpointer data)
{
  guint32 pid = 0;

  make (self, "api.lock");
  fs_magic = NFS_SUPER_MAGIC;
  g_assert_cmpint (look (self, 60 * S, &pid), ==, PL_LOCK_UNKNOWN);
  g_assert_cmpuint (n_tries, ==, 0);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *, gconstpointer);
  } cases[] = {
    { "/watch/session-lock/none-says-nothing", test_none },
    { "/watch/session-lock/held-names-the-holder-and-then-is-free", test_held },
    { "/watch/session-lock/of-the-directory-counts-where-there-is-no-other", test_of_directory },
    { "/watch/session-lock/young-one-is-not-tried-and-old-one-once", test_young },
    { "/watch/session-lock/on-a-network-says-nothing", test_shared },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, NULL, set_up, cases[i].run, tear_down);
  return g_test_run ();
}
