/* test-session-files.c: which files of a directory are a session, and in which order
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pl-loader.h"
#include "pl-segment-name.h"
#include "pl-session-files.h"
#include "pl-trace-error.h"
#include "test-trace.h"

/* Each case has a directory of its own. */
typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *self, gconstpointer data)
{
  static guint n;
  g_autofree char *name = g_strdup_printf ("session-%u", n++);

  self->directory = g_build_filename (test_trace_directory (), name, NULL);
  g_assert_cmpint (g_mkdir (self->directory, 0700), ==, 0);
}

static void
tear_down (Fixture *self, gconstpointer data)
{
  g_free (self->directory);
}

static void
touch (Fixture *self, const char *name)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  FILE *file = g_fopen (path, "wb");

  g_assert_nonnull (file);
  fclose (file);
}

/* Names of the files of the directory, joined by spaces. */
static char *
list (Fixture *self)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GPtrArray) files = pl_session_files_list ((const char *const[]) { self->directory, NULL }, NULL,
                                                      &error);
  GString *names = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < files->len; i++)
    {
      g_autofree char *name = g_path_get_basename (g_ptr_array_index (files, i));

      g_string_append_printf (names, "%s%s", i > 0 ? " " : "", name);
    }
  return g_string_free (names, FALSE);
}

static void
test_names (void)
{
  static const struct { const char *name, *stem; guint64 index; const char *suffix; } good[] = {
    { "trace.0.bin", "trace", 0, ".bin" },
    { "trace.10.bin.active", "trace", 10, ".bin.active" },
    { "trace.007.bin.gz", "trace", 7, ".bin.gz" },
    { "my.app-1.2.3.bin.zst", "my.app-1.2", 3, ".bin.zst" },
    { "a b.bin.4294967295.bin", "a b.bin", 4294967295, ".bin" },
    { "1.2.bin", "1", 2, ".bin" },
  };
  static const char *const bad[] = {
    "trace.bin", "trace.0", "trace.0.bin.tmp", ".0.bin", "0.bin", "trace..bin", "trace.-1.bin", "trace.+1.bin",
    "trace.x.bin", "trace.1e3.bin", "trace. 1.bin", "trace.4294967296.bin", "trace.0.BIN", "", ".bin",
    "trace.0.bin.zst.tmp",
    "trace.0.binx", "trace.0x1.bin",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++)
    {
      PlSegmentName segment = { NULL };

      g_assert_true (pl_segment_name_parse (good[i].name, &segment));
      g_assert_cmpstr (segment.stem, ==, good[i].stem);
      g_assert_cmpuint (segment.index, ==, good[i].index);
      g_assert_cmpstr (segment.suffix, ==, good[i].suffix);
      pl_segment_name_clear (&segment);
    }
  for (gsize i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      PlSegmentName segment = { NULL };

      g_assert_false (pl_segment_name_parse (bad[i], &segment));
      g_assert_null (segment.stem);
    }
}

static void
test_ten_after_nine (Fixture *self, gconstpointer data)
{
  g_autofree char *names = NULL;

  touch (self, "t.10.bin");
  touch (self, "t.9.bin.zst");
  touch (self, "t.11.bin.active");
  touch (self, "t.2.bin.gz");
  touch (self, "t.100.bin");
  names = list (self);

  g_assert_cmpstr (names, ==, "t.2.bin.gz t.9.bin.zst t.10.bin t.11.bin.active t.100.bin");
}

static void
test_each_segment_once (Fixture *self, gconstpointer data)
{
  g_autofree char *names = NULL;

  touch (self, "t.1.bin.zst");
  touch (self, "t.1.bin");
  touch (self, "t.1.bin.gz");
  touch (self, "t.2.bin.gz");
  touch (self, "t.2.bin.zst");
  touch (self, "t.3.bin.active");
  touch (self, "t.3.bin");
  names = list (self);

  g_assert_cmpstr (names, ==, "t.1.bin t.2.bin.zst t.3.bin");
}

static void
test_other_files_are_left_alone (Fixture *self, gconstpointer data)
{
  g_autofree char *names = NULL;

  touch (self, "t.1.bin");
  touch (self, "t.2.bin.zst.tmp");
  touch (self, "t.lock");
  touch (self, "notes.txt");
  touch (self, "loose.bin");
  names = list (self);

  g_assert_cmpstr (names, ==, "t.1.bin");
}

static void
test_stems_stay_together (Fixture *self, gconstpointer data)
{
  g_autofree char *names = NULL;

  touch (self, "b.1.bin");
  touch (self, "a.x.2.bin");
  touch (self, "a.x.10.bin");
  touch (self, "a.3.bin");
  names = list (self);

  g_assert_cmpstr (names, ==, "a.3.bin a.x.2.bin a.x.10.bin b.1.bin");
}

static void
test_directory_without_numbers (Fixture *self, gconstpointer data)
{
  g_autofree char *names = NULL;

  touch (self, "second.bin");
  touch (self, "first.bin.gz");
  touch (self, "readme.md");
  names = list (self);

  g_assert_cmpstr (names, ==, "first.bin.gz second.bin");
}

/* Refused with a sentence that names the path, once for the whole request. */
static void
assert_refused (const char *path, const char *said)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(PlTrace) trace = pl_loader_load ((const char *const[]) { path, NULL }, 1, NULL, &error);

  g_assert_null (trace);
  g_assert_error (error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_assert_nonnull (strstr (error->message, said));
}

static void
test_empty_directory (Fixture *self, gconstpointer data)
{
  assert_refused (self->directory, "holds no trace");
}

static void
test_unreadable_directory (Fixture *self, gconstpointer data)
{
  if (geteuid () == 0)
    {
      g_test_skip ("the superuser may read everything");
      return;
    }
  g_assert_cmpint (chmod (self->directory, 0), ==, 0);
  assert_refused (self->directory, "cannot be listed");
  g_assert_cmpint (chmod (self->directory, 0700), ==, 0);
}

/* What cannot be read has its error, and takes nothing from the rest. */
static void
assert_file_error (const char *path, const char *said)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *good = NULL;
  g_autoptr(PlTrace) trace = NULL;
  const PlTraceFile *file;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  good = test_trace_save (bytes, "good.bin");
  trace = test_trace_load_paths ((const char *const[]) { path, good, NULL }, 2);
  file = test_trace_get_file (trace, 0);

  g_assert_error (file->error, PL_TRACE_ERROR, PL_TRACE_ERROR_IO);
  g_assert_true (g_str_has_prefix (file->error->message, path));
  g_assert_nonnull (strstr (file->error->message, said));
  g_assert_no_error (test_trace_get_file (trace, 1)->error);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
}

static void
test_what_is_no_file (Fixture *self, gconstpointer data)
{
  g_autofree char *fifo = g_build_filename (self->directory, "t.0.bin", NULL);
  g_autofree char *missing = g_build_filename (self->directory, "missing.bin", NULL);

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  assert_file_error (fifo, "not a regular file");
  assert_file_error (missing, "No such file");
  assert_file_error ("/dev/zero", "not a regular file");
}

static void
test_directory_named_like_a_segment (Fixture *self, gconstpointer data)
{
  g_autofree char *inner = g_build_filename (self->directory, "t.0.bin", NULL);
  g_autofree char *segment = g_build_filename (self->directory, "t.1.bin", NULL);
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *saved = NULL;
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  saved = test_trace_save (bytes, "inner.bin");
  g_assert_cmpint (g_rename (saved, segment), ==, 0);
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  trace = test_trace_load_path (self->directory);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
}

/* H31 */
static void
test_six_thousand_segments (Fixture *self, gconstpointer data)
{
  const guint n = 6000;
  g_autoptr(PlTrace) trace = NULL;
  guint n_files;
  const PlTraceFile *files;

  for (guint i = 0; i < n; i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autofree char *path = g_strdup_printf ("%s/t.%u.bin", self->directory, i);
      FILE *file = g_fopen (path, "wb");

      test_trace_clock_sync (bytes, 1000 + i * 1000, 1700000000000000000);
      test_trace_poll_end (bytes, 0, 1000 + i * 1000);
      test_trace_poll (bytes, 0, i, "a.rs:1:1", 1100 + i * 1000, 50);
      test_trace_poll_start (bytes, 0, i, "a.rs:1:1", 1200 + i * 1000);
      g_assert_cmpuint (fwrite (test_trace_get_bytes (bytes), test_trace_get_size (bytes), 1, file), ==, 1);
      fclose (file);
    }
  trace = test_trace_load_path (self->directory);
  files = pl_trace_get_files (trace, &n_files);

  g_assert_cmpuint (n_files, ==, n);
  g_assert_true (g_str_has_suffix (files[9].path, "/t.9.bin"));
  g_assert_true (g_str_has_suffix (files[10].path, "/t.10.bin"));
  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 2 * n - 1);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_unpaired, ==, 1);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
  g_assert_cmpint (pl_trace_get_poll_totals (trace)->max_ns, ==, 800);
}

/* The order on the command line is not to be trusted: metadata of the later segment win in any case. */
static void
test_later_metadata_win_in_any_order (Fixture *self, gconstpointer data)
{
  g_autofree char *first = g_build_filename (self->directory, "t.9.bin", NULL);
  g_autofree char *second = g_build_filename (self->directory, "t.10.bin", NULL);
  const char *const paths[] = { second, first, NULL };
  g_autoptr(PlTrace) trace = NULL;
  const PlMetadata *metadata;
  guint n;

  for (guint i = 0; i < 2; i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autofree char *saved = NULL;

      test_trace_metadata (bytes, 1000 + i, "k", i == 0 ? "old" : "new");
      saved = test_trace_save (bytes, "saved.bin");
      g_assert_cmpint (g_rename (saved, i == 0 ? first : second), ==, 0);
    }
  trace = test_trace_load_paths (paths, 2);
  metadata = pl_trace_get_metadata (trace, &n);

  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpstr (metadata[0].value, ==, "new");
}

/* A file named twice, or in a directory that is named as well, is one file. */
static void
test_same_file_twice_is_one (Fixture *self, gconstpointer data)
{
  g_autofree char *path = g_build_filename (self->directory, "t.0.bin", NULL);
  const char *const paths[] = { path, self->directory, path, NULL };
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autofree char *saved = NULL;
  g_autoptr(PlTrace) trace = NULL;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  saved = test_trace_save (bytes, "saved.bin");
  g_assert_cmpint (g_rename (saved, path), ==, 0);
  trace = test_trace_load_paths (paths, 2);

  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_polls, ==, 1);
}

#define ADD(name, function) g_test_add ("/trace/session-files/" name, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/session-files/names", test_names);
  ADD ("ten-after-nine", test_ten_after_nine);
  ADD ("each-segment-once", test_each_segment_once);
  ADD ("other-files-are-left-alone", test_other_files_are_left_alone);
  ADD ("stems-stay-together", test_stems_stay_together);
  ADD ("directory-without-numbers", test_directory_without_numbers);
  ADD ("empty-directory-is-refused", test_empty_directory);
  ADD ("unreadable-directory-is-refused", test_unreadable_directory);
  ADD ("what-is-no-file-has-a-plain-error", test_what_is_no_file);
  ADD ("directory-named-like-a-segment-harms-nothing", test_directory_named_like_a_segment);
  ADD ("six-thousand-segments", test_six_thousand_segments);
  ADD ("later-metadata-win-in-any-order", test_later_metadata_win_in_any_order);
  ADD ("same-file-twice-is-one", test_same_file_twice_is_one);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
