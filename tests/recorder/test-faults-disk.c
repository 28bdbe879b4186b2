/* test-faults-disk.c: a real disk fills up, turns read-only, and changes its permissions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib/gstdio.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fault-session.h"

typedef void (*MountedTest) (FaultSession *fixture, const char *disk);

/* Runs @test in a process of its own with a tmpfs of a megabyte, where the system lets us mount one. */
static void
run_on_small_disk (FaultSession *fixture, MountedTest test)
{
  int status;
  pid_t pid;

  SKIP_WITHOUT_FORK;
  g_assert_cmpint (parklane_recorder_stop (fixture->recorder), ==, 0);
  fixture->recorder = NULL;
  pid = fork ();
  if (pid == 0)
    {
      g_autofree char *disk = g_build_filename (fixture->top, "disk", NULL);

      if (unshare (CLONE_NEWNS) != 0 || mount ("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0
          || g_mkdir (disk, 0750) != 0 || mount ("none", disk, "tmpfs", 0, "size=1m") != 0)
        _exit (77);
      g_free (fixture->dir);
      fixture->dir = g_build_filename (disk, "out", NULL);
      g_strlcpy (fixture->config.output_dir, fixture->dir, sizeof fixture->config.output_dir);
      g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
      test (fixture, disk);
      _exit (0);
    }
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  if (WIFEXITED (status) && WEXITSTATUS (status) == 77)
    g_test_skip ("needs the right to mount");
  else
    g_assert_cmpint (status, ==, 0);
}

static void
fill_and_free (FaultSession *fixture, const char *disk)
{
  g_autofree char *other = g_build_filename (disk, "other", NULL);
  g_autofree char *ballast = g_strnfill (700 * 1024, 'x');

  g_assert_true (g_file_set_contents (other, ballast, 700 * 1024, NULL));
  for (guint i = 0; i < 12 && get_metrics ().writer_healthy; i++)
    {
      record (fixture, 3000);
      g_usleep (20000);
    }
  await_health (0);
  record (fixture, 3000);
  g_assert_cmpint (g_unlink (other), ==, 0); /* somebody frees space */
  await_health (1);
  flush (fixture);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_disk_full_then_space_again (FaultSession *fixture, gconstpointer data)
{
  run_on_small_disk (fixture, fill_and_free);
}

static void
remount (FaultSession *fixture, const char *disk)
{
  record (fixture, 100);
  flush (fixture);
  /* A file that is open for writing keeps a file system from going read-only: rotate into the remount. */
  while (mount ("none", disk, NULL, MS_REMOUNT | MS_RDONLY, NULL) != 0)
    {
      parklane_recorder_rotate (fixture->recorder);
      g_usleep (2000);
    }
  record (fixture, 50);
  await_health (0);
  g_assert_cmpint (mount ("none", disk, NULL, MS_REMOUNT, NULL), ==, 0);
  await_health (1);
  flush (fixture);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_read_only_remount (FaultSession *fixture, gconstpointer data)
{
  run_on_small_disk (fixture, remount);
}

/* No room for the compressed file: the raw one stays, and recording does not notice. */
static void
fill_while_compressing (FaultSession *fixture, const char *disk)
{
  g_autofree char *other = g_build_filename (disk, "other", NULL);
  g_autofree char *ballast = g_strnfill (900 * 1024, 'x');
  guint64 n_sealed = get_metrics ().segments_sealed_total;

  stop (fixture);
  fixture->config.compress = PARKLANE_COMPRESS_ZSTD;
  fixture->config.max_file_size = 65536;
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
  g_assert_true (g_file_set_contents (other, ballast, 900 * 1024, NULL));
  for (guint i = 0; i < 200 && get_metrics ().writer_healthy; i++)
    {
      record (fixture, 1000);
      (void) parklane_recorder_flush (fixture->recorder); /* until it no longer can */
    }
  g_assert_cmpuint (get_metrics ().segments_sealed_total, >, n_sealed);
  await_health (0);
  g_assert_cmpint (g_unlink (other), ==, 0);
  await_health (1);
  record (fixture, 1000);
  flush (fixture);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_disk_full_during_compression (FaultSession *fixture, gconstpointer data)
{
  run_on_small_disk (fixture, fill_while_compressing);
}

/* The directory's owner takes away the right to write to it, from a user that has no other. */
static void
lose_permission (FaultSession *fixture, const char *disk)
{
  g_autofree char *blocked = g_build_filename (fixture->dir, "app.1.bin.active", NULL);

  stop (fixture);
  g_assert_cmpint (chown (disk, 65534, 65534), ==, 0);
  g_assert_cmpint (chown (fixture->dir, 65534, 65534), ==, 0);
  g_assert_cmpint (chmod (fixture->top, 0755), ==, 0);
  remove_tree (fixture->dir);
  if (setgid (65534) != 0 || setuid (65534) != 0)
    _exit (77);
  g_assert_cmpint (parklane_recorder_start (&fixture->config, &fixture->recorder), ==, 0);
  record (fixture, 100);
  flush (fixture);
  g_assert_cmpint (g_chmod (fixture->dir, 0), ==, 0);
  parklane_recorder_rotate (fixture->recorder);
  record (fixture, 50);
  await_health (0);
  g_assert_false (g_file_test (blocked, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_chmod (fixture->dir, 0750), ==, 0);
  await_health (1);
  flush (fixture);
  g_assert_cmpuint (assert_nothing_is_missing (fixture), ==, 0);
}

static void
test_permission_lost (FaultSession *fixture, gconstpointer data)
{
  run_on_small_disk (fixture, lose_permission);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_FAULT ("/recorder/faults/disk-full-then-space-again", test_disk_full_then_space_again);
  ADD_FAULT ("/recorder/faults/read-only-remount", test_read_only_remount);
  ADD_FAULT ("/recorder/faults/disk-full-during-compression", test_disk_full_during_compression);
  ADD_FAULT ("/recorder/faults/permission-lost", test_permission_lost);
  return g_test_run ();
}
