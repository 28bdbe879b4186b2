/* test-dir-scanner.c: what is seen of a real directory, on a file system that does not tell when files were made
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "pl-dir-scan.h"
#include "test-packing.h"
#include "test-trace.h"

#define S G_GINT64_CONSTANT (1000000000)

/* Linked in the place of the C library's. */
int __wrap_statx (int dir_fd, const char *path, int flags, unsigned mask, struct statx *out_info);
int __real_statx (int dir_fd, const char *path, int flags, unsigned mask, struct statx *out_info);

int
__wrap_statx (int dir_fd, const char *path, int flags, unsigned mask, struct statx *out_info)
{
  int result = __real_statx (dir_fd, path, flags, mask, out_info);

  out_info->stx_mask &= ~(unsigned) STATX_BTIME;
  return result;
}

typedef struct
{
  char *directory;
  gint64 now_ns;
  PlDirScanner scanner;
  PlDirScan scan;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  self->directory = g_dir_make_tmp ("parklane-scanner-XXXXXX", NULL);
  self->now_ns = g_get_real_time () * 1000;
  self->scanner = pl_dir_scanner_new (self->directory, NULL);
  self->scan.files = g_array_new (FALSE, FALSE, sizeof (PlDirFile));
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_autoptr(GDir) dir = g_dir_open (self->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (self->directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (self->directory);
  g_free (self->directory);
  self->scanner.klass->free (self->scanner.data);
  g_array_unref (self->scan.files);
}

/* A segment that was begun and written to last so many seconds ago. */
static void
put (Fixture *self, const char *name, gint64 begun_s, gint64 written_s)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  g_autoptr(TestTrace) trace = test_trace_new ();
  g_autoptr(GByteArray) bytes = g_byte_array_new ();
  gint64 written_us = (self->now_ns - written_s * S) / 1000;
  struct timeval times[2] = { { written_us / G_USEC_PER_SEC, written_us % G_USEC_PER_SEC } };

  test_trace_clock_sync (trace, 1000, (guint64) (self->now_ns - begun_s * S));
  test_trace_poll (trace, 0, 1, "a.rs:1:1", 2000, 1000);
  if (g_str_has_suffix (name, ".zst"))
    test_packing_append_zstd (bytes, test_trace_get_bytes (trace), test_trace_get_size (trace));
  else
    g_byte_array_append (bytes, test_trace_get_bytes (trace), (guint) test_trace_get_size (trace));
  g_assert_true (g_file_set_contents (path, (const char *) bytes->data, (gssize) bytes->len, NULL));
  times[1] = times[0];
  g_assert_cmpint (utimes (path, times), ==, 0);
}

static void
look (Fixture *self)
{
  pl_dir_scan_clear (&self->scan);
  pl_dir_scanner_look (&self->scanner, TRUE, &self->scan);
  g_assert_cmpstr (self->scan.prefix, ==, "api");
}

static void
assert_other (Fixture *self, gboolean is_older)
{
  g_assert_cmpuint (self->scan.others->len, ==, 1);
  g_assert_cmpstr (g_array_index (self->scan.others, PlOtherSession, 0).prefix, ==, "db");
  g_assert_cmpint (g_array_index (self->scan.others, PlOtherSession, 0).is_older, ==, is_older);
  g_assert_cmpuint (self->scan.n_left, ==, is_older);
}

static void
test_killed_beside (Fixture *self, gconstpointer data)
{
  put (self, "db.0.bin.active", 300, 60);
  put (self, "api.0.bin.active", 120, 0);
  look (self);
  assert_other (self, FALSE);
}

static void
test_killed_before (Fixture *self, gconstpointer data)
{
  put (self, "db.0.bin.active", 900, 600);
  put (self, "api.0.bin.active", 120, 0);
  look (self);
  assert_other (self, TRUE);
}

static void
test_packed (Fixture *self, gconstpointer data)
{
  put (self, "db.0.bin.active", 900, 600);
  put (self, "api.0.bin.zst", 3600, 60);
  put (self, "api.1.bin.active", 60, 0);
  look (self);
  assert_other (self, FALSE);
  /* What is left after eviction tells of less. */
  {
    g_autofree char *path = g_build_filename (self->directory, "api.0.bin.zst", NULL);

    g_unlink (path);
  }
  look (self);
  assert_other (self, TRUE);
}

static void
test_without_clock (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->directory, "api.0.bin.active", NULL);

  put (self, "db.0.bin.active", 900, 600);
  g_assert_true (g_file_set_contents (path, "no trace at all", -1, NULL));
  look (self);
  assert_other (self, TRUE);
}

static void
test_damage (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->directory, "api.0.bin.active", NULL);
  g_autoptr(TestTrace) trace = test_trace_new ();
  gsize sound;

  test_trace_poll (trace, 0, 1, "a.rs:1:1", 2000, 1000);
  sound = test_trace_get_size (trace);
  g_assert_true (g_file_set_contents (path, (const char *) test_trace_get_bytes (trace), (gssize) sound - 3, NULL));
  look (self);
  g_assert_true (self->scan.is_cut);
  g_assert_false (self->scan.is_damaged);

  test_trace_hex (trace, "ee ee ee ee ee ee ee ee ee ee ee ee");
  test_trace_header (trace);
  test_trace_poll (trace, 0, 1, "a.rs:1:1", 5000, 1000);
  g_assert_true (g_file_set_contents (path, (const char *) test_trace_get_bytes (trace),
                                      (gssize) test_trace_get_size (trace), NULL));
  look (self);
  g_assert_false (self->scan.is_cut);
  g_assert_true (self->scan.is_damaged);
  g_assert_cmpuint (self->scan.damage_offset, ==, sound);
}

static void
test_file (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->directory, "file", NULL);
  PlDirScanner scanner = pl_dir_scanner_new (path, NULL);

  g_assert_true (g_file_set_contents (path, "no directory", -1, NULL));
  pl_dir_scanner_look (&scanner, TRUE, &self->scan);
  g_assert_cmpint (self->scan.dir, ==, PL_DIR_UNREADABLE);
  g_assert_cmpint (self->scan.dir_error, ==, ENOTDIR);
  g_unlink (path);
  pl_dir_scan_clear (&self->scan);
  pl_dir_scanner_look (&scanner, TRUE, &self->scan);
  g_assert_cmpint (self->scan.dir, ==, PL_DIR_MISSING);
  scanner.klass->free (scanner.data);
}

int
main (int argc, char **argv)
{
  static const struct
  {
    const char *path;
    void (*run) (Fixture *, gconstpointer);
  } cases[] = {
    { "/watch/dir-scanner/who-was-killed-beside-the-session-is-of-now", test_killed_beside },
    { "/watch/dir-scanner/who-was-killed-before-the-session-is-an-older-run", test_killed_before },
    { "/watch/dir-scanner/packed-segments-tell-of-the-begin-too", test_packed },
    { "/watch/dir-scanner/damage-in-the-segment-is-seen-with-its-place", test_damage },
    { "/watch/dir-scanner/file-is-no-directory-that-will-come", test_file },
    { "/watch/dir-scanner/without-a-clock-the-last-write-counts", test_without_clock },
  };

  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    g_test_add (cases[i].path, Fixture, NULL, set_up, cases[i].run, tear_down);
  return g_test_run ();
}
