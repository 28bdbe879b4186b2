/* test-changing-files.c: files that change, vanish or are no files end in a sentence, or in nothing noticed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "pl-chunk.h"
#include "pl-session-files.h"
#include "pl-trace-error.h"
#include "test-trace.h"

#define N_POLLS 200000
#define N_OTHERS 20000
#define N_SEGMENTS 6000

/* What is done to the file between two reads. */
typedef struct
{
  void (*change) (const char *path);
  const char *path;
  guint64 n_events;
} Change;

static char *
save_polls (const char *name, guint n)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  for (guint i = 0; i < n; i++)
    test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000 + 100 * (gint64) i, 50);
  return test_trace_save (bytes, name);
}

static void
note_progress (guint64 disk_bytes, guint64 n_events, gpointer user_data)
{
  Change *self = user_data;

  self->n_events += n_events;
  if (self->change != NULL)
    self->change (self->path);
  self->change = NULL;
}

/* Reads a file of several buffers, which is changed after the first. */
static PlChunk *
read_while (void (*change) (const char *path), guint64 *out_n_events)
{
  static const PlChunkClient client = { NULL, note_progress };
  g_autofree char *path = save_polls ("changing.bin", N_POLLS);
  g_autoptr(PlStrings) strings = pl_strings_new ();
  Change state = { change, path, 0 };
  PlChunkRequest request = { .path = path, .strings = strings, .to = G_MAXUINT64, .is_exact = TRUE };
  PlChunk *chunk = pl_chunk_read (&request, &client, &state);

  g_assert_null (state.change);
  *out_n_events = state.n_events;
  return chunk;
}

static void
cut_to_a_page (const char *path)
{
  g_assert_cmpint (truncate (path, 4096), ==, 0);
}

static void
test_cut_file_keeps_what_was_read (void)
{
  guint64 n_events;
  g_autoptr(PlChunk) chunk = read_while (cut_to_a_page, &n_events);

  g_assert_cmpuint (n_events, >, 1000);
  g_assert_cmpuint (n_events, <, 2 * N_POLLS);
  g_assert_true (chunk->is_at_end);
  if (chunk->error != NULL)
    {
      g_assert_error (chunk->error, PL_TRACE_ERROR, PL_TRACE_ERROR_TRUNCATED);
      g_assert_nonnull (strstr (chunk->error->message, "changing.bin: at byte "));
    }
}

static void
remove_it (const char *path)
{
  g_assert_cmpint (g_unlink (path), ==, 0);
}

static void
put_text_in_its_place (const char *path)
{
  g_autofree char *other = g_strconcat (path, ".new", NULL);

  g_assert_true (g_file_set_contents (other, "something else", -1, NULL));
  g_assert_cmpint (g_rename (other, path), ==, 0);
}

/* What a recorder does when it seals a segment. */
static void
rename_it (const char *path)
{
  g_autofree char *sealed = g_strconcat (path, ".sealed", NULL);

  g_assert_cmpint (g_rename (path, sealed), ==, 0);
}

static void
test_open_file_is_read_on (gconstpointer data)
{
  guint64 n_events;
  g_autoptr(PlChunk) chunk = read_while ((void (*) (const char *)) data, &n_events);

  g_assert_no_error (chunk->error);
  g_assert_cmpuint (n_events, ==, 2 * N_POLLS);
}

static void
assert_refused (const char *path, const char *why)
{
  g_autoptr(PlTrace) trace = test_trace_load_path (path);
  const PlTraceFile *file = test_trace_get_file (trace, 0);

  g_assert_error (file->error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO);
  g_assert_true (g_str_has_prefix (file->error->message, path));
  g_assert_nonnull (strstr (file->error->message, why));
}

static void
test_no_regular_file (void)
{
  g_autofree char *fifo = g_build_filename (test_trace_directory (), "fifo.0.bin", NULL);
  g_autofree char *loop = g_build_filename (test_trace_directory (), "loop.0.bin", NULL);
  g_autofree char *gone = g_build_filename (test_trace_directory (), "gone.0.bin", NULL);
  g_autofree char *socket_path = g_build_filename (test_trace_directory (), "socket.0.bin", NULL);
  struct sockaddr_un address = { .sun_family = AF_UNIX };
  int fd = socket (AF_UNIX, SOCK_STREAM, 0);

  g_strlcpy (address.sun_path, socket_path, sizeof address.sun_path);
  g_assert_cmpint (bind (fd, (const struct sockaddr *) &address, sizeof address), ==, 0);
  close (fd);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  g_assert_cmpint (symlink (loop, loop), ==, 0);
  assert_refused (fifo, "is not a regular file");
  assert_refused (socket_path, "is not a regular file");
  assert_refused ("/dev/zero", "is not a regular file");
  assert_refused ("/dev/null", "is not a regular file");
  assert_refused ("/dev/full", "is not a regular file");
  assert_refused (loop, "cannot be opened: Too many levels of symbolic links");
  assert_refused (gone, "cannot be opened: No such file or directory");
}

static void
test_unreadable (void)
{
  g_autofree char *path = save_polls ("secret.bin", 1);
  gboolean is_root = geteuid () == 0;

  g_assert_cmpint (g_chmod (path, 0), ==, 0);
  g_assert_cmpint (g_chmod (test_trace_directory (), 0755), ==, 0);
  if (is_root)
    g_assert_cmpint (seteuid (65534), ==, 0);
  assert_refused (path, "cannot be opened: Permission denied");
  if (is_root)
    g_assert_cmpint (seteuid (0), ==, 0);
}

static char *
make_directory (const char *name)
{
  char *path = g_build_filename (test_trace_directory (), name, NULL);

  g_assert_cmpint (g_mkdir (path, 0700), ==, 0);
  return path;
}

static void
test_evicted_while_loading (void)
{
  g_autofree char *here = save_polls ("evict.1.bin", 10);
  g_autofree char *gone = g_build_filename (test_trace_directory (), "evict.0.bin", NULL);
  g_autoptr(PlTrace) trace = test_trace_load_paths ((const char *const[]) { gone, here, NULL }, 2);

  g_assert_error (test_trace_get_file (trace, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO);
  g_assert_no_error (test_trace_get_file (trace, 1)->error);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 10);
}

static void
test_many_other_files (void)
{
  g_autofree char *directory = make_directory ("crowd");
  g_autofree char *segment = save_polls ("crowd/s.0.bin", 3);
  g_autoptr(PlTrace) trace = NULL;

  for (guint i = 0; i < N_OTHERS; i++)
    {
      char path[4096];

      g_snprintf (path, sizeof path, "%s/other-%u", directory, i);
      g_assert_cmpint (mknod (path, S_IFREG | 0600, 0), ==, 0);
    }
  trace = test_trace_load_path (directory);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 3);
  for (guint i = 0; i < N_OTHERS; i++)
    {
      char path[4096];

      g_snprintf (path, sizeof path, "%s/other-%u", directory, i);
      g_unlink (path);
    }
}

static void
test_many_segments (void)
{
  if (!g_test_subprocess ())
    {
      g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
      g_test_trap_assert_passed ();
      return;
    }

  {
    const struct rlimit few = { 64, 64 };
    g_autofree char *directory = make_directory ("many");
    g_autoptr(GPtrArray) files = NULL;
    g_autoptr(PlTrace) trace = NULL;

    for (guint i = 0; i < N_SEGMENTS; i++)
      {
        g_autofree char *name = g_strdup_printf ("many/s.%u.bin", i);
        g_autofree char *path = save_polls (name, 1);
      }
    g_assert_cmpint (setrlimit (RLIMIT_NOFILE, &few), ==, 0);
    files = pl_session_files_list ((const char *const[]) { directory, NULL }, NULL, NULL);
    trace = test_trace_load_path (directory);

    g_assert_cmpuint (files->len, ==, N_SEGMENTS);
    g_assert_true (g_str_has_suffix (g_ptr_array_index (files, 10), "/s.10.bin"));
    g_assert_cmpuint (test_trace_count (trace, "PollStartEvent"), ==, N_SEGMENTS);
    test_trace_cleanup ();
  }
}

#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define IS_SANITIZED 1
#elif defined __has_feature
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
#define IS_SANITIZED 1
#endif
#endif

/* A frame that a file of zeros backs: what it needs is more than the process may have. */
static void
test_refused_memory (void)
{
#ifdef IS_SANITIZED
  g_test_skip ("a sanitizer needs more address space than the test leaves");
#else
  const guint32 claimed = 600 * 1024 * 1024;

  if (g_test_subprocess ())
    {
      const struct rlimit little = { 768 * 1024 * 1024, 768 * 1024 * 1024 };
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;
      g_autofree char *path = NULL;

      test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 50);
      test_trace_hex (bytes, "03 01000000 63000000");
      test_trace_u32 (bytes, claimed);
      path = test_trace_save (bytes, "claims.bin");
      g_assert_cmpint (truncate (path, (off_t) claimed + 4096), ==, 0);
      g_assert_cmpint (setrlimit (RLIMIT_AS, &little), ==, 0);
      trace = test_trace_load_path (path);

      g_assert_error (test_trace_get_file (trace, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_TOO_LARGE);
      g_assert_nonnull (strstr (test_trace_get_file (trace, 0)->error->message, "there is no memory"));
      g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
      test_trace_cleanup ();
      return;
    }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
#endif
}

#define ADD_READ_ON(name, change) \
  g_test_add_data_func ("/trace/changing-files/" name, (gconstpointer) change, test_open_file_is_read_on)

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/changing-files/h26-cut-file-keeps-what-was-read", test_cut_file_keeps_what_was_read);
  ADD_READ_ON ("removed-file-is-read-on", remove_it);
  ADD_READ_ON ("replaced-file-is-read-on", put_text_in_its_place);
  ADD_READ_ON ("renamed-file-is-read-on", rename_it);
  g_test_add_func ("/trace/changing-files/evicted-segment-leaves-the-others", test_evicted_while_loading);
  g_test_add_func ("/trace/changing-files/no-regular-file-is-refused", test_no_regular_file);
  g_test_add_func ("/trace/changing-files/unreadable-file-says-so", test_unreadable);
  g_test_add_func ("/trace/changing-files/many-other-files-are-passed-over", test_many_other_files);
  g_test_add_func ("/trace/changing-files/h31-many-segments-need-few-descriptors", test_many_segments);
  g_test_add_func ("/trace/changing-files/h29-refused-memory-is-an-error-of-the-file", test_refused_memory);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
