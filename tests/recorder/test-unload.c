/* test-unload.c: a host that loads the library at run time, and unloads it while it records
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <dlfcn.h>
#include <glib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PARKLANE_NO_INLINE /* nothing is linked: all is looked up */

#include "parklane-recorder.h"
#include "trace-reader.h"

static struct
{
  __typeof__ (&parklane_config_init) config_init;
  __typeof__ (&parklane_recorder_start) start;
  __typeof__ (&parklane_recorder_stop) stop;
  __typeof__ (&parklane_thread_attach) attach;
  __typeof__ (&parklane_poll_start) poll_start;
  __typeof__ (&parklane_poll_end) poll_end;
} calls;

static void *
load (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), "recorder", "libparklane-recorder.so.0", NULL);
  void *library = dlopen (path, RTLD_NOW | RTLD_LOCAL);

  if (library == NULL)
    g_error ("%s", dlerror ());
  calls.config_init = (__typeof__ (calls.config_init)) dlsym (library, "parklane_config_init");
  calls.start = (__typeof__ (calls.start)) dlsym (library, "parklane_recorder_start");
  calls.stop = (__typeof__ (calls.stop)) dlsym (library, "parklane_recorder_stop");
  calls.attach = (__typeof__ (calls.attach)) dlsym (library, "parklane_thread_attach");
  calls.poll_start = (__typeof__ (calls.poll_start)) dlsym (library, "parklane_poll_start");
  calls.poll_end = (__typeof__ (calls.poll_end)) dlsym (library, "parklane_poll_end");
  return library;
}

static ParklaneRecorder *
start (const char *dir)
{
  ParklaneRecorder *recorder = NULL;
  ParklaneConfig config;

  calls.config_init (&config);
  config.enabled = 1;
  config.compress = PARKLANE_COMPRESS_NONE;
  g_strlcpy (config.output_dir, dir, sizeof config.output_dir);
  g_strlcpy (config.file_prefix, "app", sizeof config.file_prefix);
  g_assert_cmpint (calls.start (&config, &recorder), ==, 0);
  return recorder;
}

static gint is_unloaded;

static void *
record_across (void *data)
{
  g_assert_cmpint (calls.attach (3), ==, 0);
  calls.poll_start (1, 0, 0);
  g_atomic_int_set ((gint *) data, 1);
  while (!g_atomic_int_get (&is_unloaded))
    g_usleep (1000);
  calls.poll_end ();
  return NULL; /* the library's own function runs at the thread's end */
}

/* Its threads, the ends of the host's, and the child of a fork go on as if nothing had been. */
static void
test_unloading_changes_nothing (void)
{
  g_autofree char *dir = g_dir_make_tmp ("parklane-unload-XXXXXX", NULL);
  void *library = load ();
  ParklaneRecorder *recorder = start (dir);
  g_autoptr(Trace) trace = NULL;
  gint is_recording = 0;
  GThread *thread;
  int status;
  pid_t pid;

  thread = g_thread_new ("across", record_across, &is_recording);
  while (!g_atomic_int_get (&is_recording))
    g_usleep (1000);
  g_assert_cmpint (dlclose (library), ==, 0);
  g_atomic_int_set (&is_unloaded, 1);
  g_thread_join (thread);
  pid = fork ();
  if (pid == 0)
    _exit (0);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_cmpint (status, ==, 0);
  g_assert_cmpint (calls.stop (recorder), ==, 0);

  trace = trace_read_session (dir, "app");
  g_assert_cmpuint (trace_get_polls (trace).per_worker[3], ==, 1);
  remove_tree (dir);
}

/* And it may be loaded again. */
static void
test_loaded_again_it_is_the_same (void)
{
  g_autofree char *dir = g_dir_make_tmp ("parklane-unload-XXXXXX", NULL);
  void *first = load ();
  ParklaneRecorder *recorder = start (dir);
  void *second;

  g_assert_cmpint (dlclose (first), ==, 0);
  second = load ();
  g_assert_cmpuint (calls.poll_start (1, 0, 0), >, 0); /* into the session that runs */
  g_assert_cmpint (calls.stop (recorder), ==, 0);
  g_assert_cmpint (dlclose (second), ==, 0);
  remove_tree (dir);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("PARKLANE_BUILD_DIR") == NULL)
    return 77;
  g_test_add_func ("/recorder/unload/changes-nothing", test_unloading_changes_nothing);
  g_test_add_func ("/recorder/unload/loaded-again-it-is-the-same", test_loaded_again_it_is_the_same);
  return g_test_run ();
}
