/* test-dir-names.c: segments in a directory that other programs fill with files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "pl-dir-names.h"

/* What counts as large, and some. */
#define N_OTHERS 1100

/* Reading cannot be due before half of so many lists, however slow all is: it gets a fiftieth of the time. */
#define N_LISTS 300

/* Linked in the place of the C library's. */
DIR *__wrap_fdopendir (int fd);
DIR *__real_fdopendir (int fd);

static guint n_readings;

DIR *
__wrap_fdopendir (int fd)
{
  n_readings++;
  return __real_fdopendir (fd);
}

typedef struct
{
  char *path;
  int fd;
} Fixture;

static void
touch (Fixture *self, const char *name)
{
  int fd = openat (self->fd, name, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);

  g_assert_cmpint (fd, >=, 0);
  close (fd);
}

static void
set_up (Fixture *self, gconstpointer n_others)
{
  self->path = g_dir_make_tmp ("parklane-names-XXXXXX", NULL);
  self->fd = g_open (self->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  g_assert_cmpint (self->fd, >=, 0);
  for (guint i = 0; i < GPOINTER_TO_UINT (n_others); i++)
    {
      g_autofree char *name = g_strdup_printf ("obj-%07u.dat", i);

      touch (self, name);
    }
  n_readings = 0;
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autoptr(GDir) dir = g_dir_open (self->path, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    unlinkat (self->fd, name, 0);
  close (self->fd);
  g_rmdir (self->path);
  g_free (self->path);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
assert_names (Fixture *self, const char *expected)
{
  g_autoptr(GPtrArray) names = pl_dir_names_list (self->fd, NULL);
  g_autoptr(GString) joined = g_string_new (NULL);

  g_assert_nonnull (names);
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (joined, "%s%s", i > 0 ? " " : "", (char *) g_ptr_array_index (names, i));
  g_assert_cmpstr (joined->str, ==, expected);
}

static void
test_read_rarely (Fixture *self, gconstpointer data)
{
  touch (self, "t.0.bin");
  for (guint i = 0; i < N_LISTS; i++)
    assert_names (self, "t.0.bin");
  g_assert_cmpuint (n_readings, <, N_LISTS / 2);
}

static void
test_read_rarely_while_others_come (Fixture *self, gconstpointer data)
{
  touch (self, "t.0.bin");
  for (guint i = 0; i < N_LISTS; i++)
    {
      g_autofree char *name = g_strdup_printf ("more-%u", i);

      touch (self, name);
      assert_names (self, "t.0.bin");
    }
  g_assert_cmpuint (n_readings, <, N_LISTS / 2);
}

/* To read them is cheaper than to ask for each. */
static void
test_session_of_many (Fixture *self, gconstpointer data)
{
  for (guint i = 0; i < N_OTHERS; i++)
    {
      g_autofree char *name = g_strdup_printf ("t.%u.bin", i);

      touch (self, name);
    }
  for (guint i = 1; i <= 3; i++)
    {
      g_autoptr(GPtrArray) names = pl_dir_names_list (self->fd, NULL);

      g_assert_cmpuint (names->len, ==, N_OTHERS);
      g_assert_cmpuint (n_readings, ==, i);
    }
}

static void
test_small (Fixture *self, gconstpointer data)
{
  touch (self, "t.0.bin");
  assert_names (self, "t.0.bin");
  touch (self, "another.7.bin.active");
  assert_names (self, "another.7.bin.active t.0.bin");
}

static void
test_next_segments (Fixture *self, gconstpointer data)
{
  touch (self, "t.8.bin.active");
  touch (self, "b.x.0.bin");
  assert_names (self, "b.x.0.bin t.8.bin.active");
  g_assert_cmpint (renameat (self->fd, "t.8.bin.active", self->fd, "t.8.bin"), ==, 0);
  touch (self, "t.9.bin.zst");
  touch (self, "t.10.bin");
  touch (self, "t.10.bin.gz");
  touch (self, "t.11.bin.active");
  touch (self, "b.x.1.bin.active");
  assert_names (self, "b.x.0.bin b.x.1.bin.active t.10.bin t.10.bin.gz t.11.bin.active t.8.bin t.9.bin.zst");
  g_assert_cmpint (unlinkat (self->fd, "t.8.bin", 0), ==, 0);
  g_assert_cmpint (unlinkat (self->fd, "t.10.bin", 0), ==, 0);
  touch (self, "t.12.bin.active");
  assert_names (self, "b.x.0.bin b.x.1.bin.active t.10.bin.gz t.11.bin.active t.12.bin.active t.9.bin.zst");
}

/* Each segment is gone before the next one is looked for. */
static void
test_evicted (Fixture *self, gconstpointer data)
{
  touch (self, "t.0.bin");
  assert_names (self, "t.0.bin");
  for (guint i = 1; i < 20; i++)
    {
      g_autofree char *last = g_strdup_printf ("t.%u.bin", i - 1);
      g_autofree char *next = g_strdup_printf ("t.%u.bin", i);

      touch (self, next);
      g_assert_cmpint (unlinkat (self->fd, last, 0), ==, 0);
      assert_names (self, next);
    }
}

static void
test_all_gone (Fixture *self, gconstpointer data)
{
  touch (self, "t.5.bin");
  assert_names (self, "t.5.bin");
  g_assert_cmpint (unlinkat (self->fd, "t.5.bin", 0), ==, 0);
  touch (self, "another.0.bin.active");
  assert_names (self, "another.0.bin.active");
}

static void
test_without_number (Fixture *self, gconstpointer data)
{
  touch (self, "a.bin");
  touch (self, "b.bin.gz");
  assert_names (self, "a.bin b.bin.gz");
  g_assert_cmpint (unlinkat (self->fd, "a.bin", 0), ==, 0);
  assert_names (self, "b.bin.gz");
}

static void
test_last_number (Fixture *self, gconstpointer data)
{
  touch (self, "t.4294967295.bin");
  assert_names (self, "t.4294967295.bin");
  touch (self, "t.4294967296.bin");
  touch (self, "t.0.bin.tmp");
  assert_names (self, "t.4294967295.bin");
}

static void
test_cancelled (Fixture *self, gconstpointer data)
{
  g_autoptr(GCancellable) cancellable = g_cancellable_new ();

  touch (self, "t.0.bin");
  g_cancellable_cancel (cancellable);
  g_assert_null (pl_dir_names_list (self->fd, cancellable));
  g_assert_cmpint (errno, ==, ECANCELED);
  assert_names (self, "t.0.bin");
}

#define ADD(name, n_others, function)                                                                                  \
  g_test_add ("/trace/dir-names/" name, Fixture, GUINT_TO_POINTER (n_others), set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("large-directory-is-read-rarely", N_OTHERS, test_read_rarely);
  ADD ("large-directory-is-read-rarely-while-files-come", N_OTHERS, test_read_rarely_while_others_come);
  ADD ("small-directory-is-read-each-time", 0, test_small);
  ADD ("directory-of-segments-is-read-each-time", 0, test_session_of_many);
  ADD ("next-segments-and-forms-are-seen-at-once", N_OTHERS, test_next_segments);
  ADD ("evicted-segments-are-missed-by-none", N_OTHERS, test_evicted);
  ADD ("another-session-is-seen-when-all-is-gone", N_OTHERS, test_all_gone);
  ADD ("names-without-number-are-kept", N_OTHERS, test_without_number);
  ADD ("last-number-has-none-after-it", N_OTHERS, test_last_number);
  ADD ("cancelled-reading-is-done-again", N_OTHERS, test_cancelled);
  return g_test_run ();
}
