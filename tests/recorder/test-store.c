/* test-store.c: the directory: names, numbers, budget, adoption, lock
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "encoder.h"
#include "parklane-recorder.h"
#include "store.h"
#include "trace-reader.h"

#define BUDGET (10 * 1024)

typedef struct
{
  char *dir;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->dir = g_dir_make_tmp ("parklane-store-XXXXXX", NULL);
  g_assert_nonnull (fixture->dir);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  remove_tree (fixture->dir);
  g_free (fixture->dir);
}

static char *
path_of (Fixture *fixture, const char *name)
{
  return g_build_filename (fixture->dir, name, NULL);
}

static void
put (Fixture *fixture, const char *name, const char *content, gssize size)
{
  g_autofree char *path = path_of (fixture, name);

  g_assert_true (g_file_set_contents (path, content, size, NULL));
}

static void
put_size (Fixture *fixture, const char *name, gsize size)
{
  g_autofree char *content = g_strnfill (size, 'x');

  put (fixture, name, content, (gssize) size);
}

static PlrStore *
open_store (Fixture *fixture)
{
  PlrStore *store = NULL;

  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", BUDGET, NULL), ==, 0);
  return store;
}

static void
assert_files (Fixture *fixture, const char *expected)
{
  g_autofree char *files = list_directory (fixture->dir);

  g_assert_cmpstr (files, ==, expected);
}

/* A batch with @n recorded events. */
static GByteArray *
make_events (guint n)
{
  PlrEncoder *encoder = plr_encoder_new ();
  GByteArray *bytes = g_byte_array_new ();

  plr_encoder_begin_batch (encoder);
  for (guint i = 0; i < n; i++)
    plr_encoder_event (encoder, &(PlrEvent) { .time_ns = 1000 + i, .word = plr_event_word (PLR_EVENT_POLL_END, 0, 1, 0) });
  g_byte_array_append (bytes, plr_encoder_get_data (encoder), (guint) plr_encoder_get_size (encoder));
  plr_encoder_free (encoder);
  return bytes;
}

static void
test_knows_its_own_names_exactly (void)
{
  static const char *const others[] = {
    "app", "app.bin", "app..bin", "app.1", "app.1.bin2", "app.1.binx", "app.01.bin", "app.-1.bin", "app.+1.bin", "app. 1.bin",
    "app.1.bin.active.active", "app.1.bin.zst.bak", "app.1.bin.", "app.1.bin.active~", "xapp.1.bin", "app.1.BIN",
    "app.4000000001.bin", "app.99999999999999999999.bin", "app.1e3.bin", "app.0x1.bin", "app.1 .bin", "app.2.1.bin",
    "app2.1.bin", "app.1.bin/..", "", ".", "app.lock",
  };
  static const struct
  {
    const char *name;
    guint index;
    PlrFileKind kind;
  } own[] = {
    { "app.0.bin", 0, PLR_FILE_SEALED },         { "app.17.bin.active", 17, PLR_FILE_ACTIVE },
    { "app.4000000000.bin.zst", 4000000000u, PLR_FILE_ZSTD }, { "app.3.bin.gz", 3, PLR_FILE_GZIP },
    { "app.3.bin.zst.tmp", 3, PLR_FILE_TEMPORARY },
  };
  PlrFileKind kind;
  guint32 index;

  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_false (plr_store_parse_name ("app", others[i], &index, &kind));
  for (guint i = 0; i < G_N_ELEMENTS (own); i++)
    {
      g_assert_true (plr_store_parse_name ("app", own[i].name, &index, &kind));
      g_assert_cmpuint (index, ==, own[i].index);
      g_assert_cmpint (kind, ==, own[i].kind);
    }
  g_assert_true (plr_store_parse_name ("a.2", "a.2.1.bin", &index, &kind));
  g_assert_cmpuint (index, ==, 1);
  g_assert_false (plr_store_parse_name ("a", "a.2.1.bin", &index, &kind));
  g_assert_false (plr_store_parse_name ("a*", "abc.1.bin", &index, &kind));
}

static void
test_makes_its_directory_and_locks_it (Fixture *fixture, gconstpointer data)
{
  g_autofree char *dir = path_of (fixture, "a/b/c");
  g_autofree char *files = NULL;
  PlrStore *store = NULL;
  PlrStore *second = NULL;
  PlrStore *other = NULL;

  g_assert_cmpint (plr_store_open (&store, dir, "app", BUDGET, NULL), ==, 0);
  g_assert_cmpint (plr_store_open (&second, dir, "app", BUDGET, NULL), ==, -EBUSY);
  g_assert_null (second);
  g_assert_cmpint (plr_store_open (&other, dir, "app2", BUDGET, NULL), ==, 0);
  plr_store_close (other);
  plr_store_close (store);

  g_assert_cmpint (plr_store_open (&second, dir, "app", BUDGET, NULL), ==, 0);
  plr_store_close (second);
  files = list_directory (dir);
  g_assert_cmpstr (files, ==, "app.lock app2.lock");
}

static void
test_lock_of_a_killed_process_is_free (Fixture *fixture, gconstpointer data)
{
  PlrStore *store = NULL;
  int ready[2];
  char byte;
  pid_t pid;

  g_assert_cmpint (pipe (ready), ==, 0);
  pid = fork ();
  if (pid == 0)
    {
      if (plr_store_open (&store, fixture->dir, "app", BUDGET, NULL) == 0)
        (void) !write (ready[1], "x", 1);
      pause ();
      _exit (0);
    }
  g_assert_cmpint (read (ready[0], &byte, 1), ==, 1);
  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", BUDGET, NULL), ==, -EBUSY);

  kill (pid, SIGKILL);
  waitpid (pid, NULL, 0);

  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", BUDGET, NULL), ==, 0);
  plr_store_close (store);
  close (ready[0]);
  close (ready[1]);
}

static void
test_numbers_go_on_above_the_highest (Fixture *fixture, gconstpointer data)
{
  PlrSegment segment = PLR_SEGMENT_CLOSED;
  PlrStore *store;

  put_size (fixture, "app.9.bin", 10);
  put_size (fixture, "app.10.bin", 10);
  put_size (fixture, "app.2.bin.zst", 10);
  put_size (fixture, "app.4294967295.bin", 10); /* a number that leaves no next one is not ours */
  store = open_store (fixture);

  g_assert_cmpint (plr_store_create_segment (store, &segment, 0), ==, 0);
  g_assert_cmpuint (segment.index, ==, 11);
  plr_store_close (store);
  close (segment.fd);
}

static void
test_oldest_goes_first_by_number (Fixture *fixture, gconstpointer data)
{
  PlrStore *store;

  put_size (fixture, "app.10.bin", 3000);
  put_size (fixture, "app.9.bin", 3000);
  put_size (fixture, "app.9.bin.gz", 1000); /* one family */
  put_size (fixture, "app.100.bin", 3000);
  put_size (fixture, "app.9.bin.bak", 100000);
  put_size (fixture, "appendix.1.bin", 100000);
  store = open_store (fixture);
  g_assert_cmpuint (plr_store_get_sealed_bytes (store), ==, 10000);

  g_assert_cmpint (plr_store_make_room (store, BUDGET - 10000), ==, 0);
  assert_files (fixture, "app.10.bin app.100.bin app.9.bin app.9.bin.bak app.9.bin.gz app.lock appendix.1.bin");
  g_assert_cmpint (plr_store_make_room (store, BUDGET - 9999), ==, 0);
  assert_files (fixture, "app.10.bin app.100.bin app.9.bin.bak app.lock appendix.1.bin");
  g_assert_cmpuint (plr_store_get_sealed_bytes (store), ==, 6000);
  g_assert_cmpint (plr_store_make_room (store, BUDGET * 2), ==, 0);
  assert_files (fixture, "app.9.bin.bak app.lock appendix.1.bin");
  plr_store_close (store);
}

/* Names of ours that are no regular files: neither counted, nor followed, nor removed, nor written over. */
static void
test_links_and_directories_are_left_alone (Fixture *fixture, gconstpointer data)
{
  g_autofree char *precious = path_of (fixture, "precious");
  g_autofree char *link = path_of (fixture, "app.0.bin");
  g_autofree char *active_link = path_of (fixture, "app.1.bin.active");
  g_autofree char *next_link = path_of (fixture, "app.4.bin.active");
  g_autofree char *directory = path_of (fixture, "app.2.bin");
  g_autofree char *fifo = path_of (fixture, "app.3.bin.active");
  g_autofree char *content = NULL;
  PlrSegment segment = PLR_SEGMENT_CLOSED;
  PlrStore *store;

  put (fixture, "precious", "precious", -1);
  g_assert_cmpint (symlink (precious, link), ==, 0);
  g_assert_cmpint (symlink (precious, active_link), ==, 0);
  g_assert_cmpint (g_mkdir (directory, 0700), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);

  store = open_store (fixture);
  g_assert_cmpuint (plr_store_get_sealed_bytes (store), ==, 0);
  g_assert_cmpint (symlink (precious, next_link), ==, 0); /* laid after the directory was read */
  g_assert_cmpint (plr_store_create_segment (store, &segment, 0), ==, 0);
  g_assert_cmpuint (segment.index, ==, 5);
  g_assert_cmpint (plr_segment_append (&segment, "data", 4), ==, 0);
  g_assert_cmpint (plr_store_make_room (store, G_MAXINT64), ==, 0);
  plr_store_close (store);
  close (segment.fd);

  g_assert_true (g_file_get_contents (precious, &content, NULL, NULL));
  g_assert_cmpstr (content, ==, "precious");
  assert_files (fixture, "app.0.bin app.1.bin.active app.2.bin app.3.bin.active app.4.bin.active app.5.bin.active app.lock "
                         "precious");
}

static void
test_lock_that_is_a_link_is_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *precious = path_of (fixture, "precious");
  g_autofree char *lock = path_of (fixture, "app.lock");
  PlrStore *store = NULL;

  put (fixture, "precious", "precious", -1);
  g_assert_cmpint (symlink (precious, lock), ==, 0);
  g_assert_cmpint (plr_store_open (&store, fixture->dir, "app", BUDGET, NULL), ==, -ELOOP);
  g_assert_null (store);
}

static void
test_dead_run_is_sealed_to_its_last_whole_frame (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GByteArray) bytes = make_events (100);
  g_autofree char *sealed = path_of (fixture, "app.5.bin");
  g_autoptr(Trace) trace = NULL;
  PlrStore *store;

  put (fixture, "app.5.bin.active", (const char *) bytes->data, bytes->len - 3); /* the last event is torn */
  store = open_store (fixture);

  assert_files (fixture, "app.5.bin app.lock");
  g_assert_cmpuint (plr_store_get_sealed_bytes (store), ==, bytes->len - 7);
  trace = trace_read_file (sealed, FALSE);
  g_assert_cmpuint (trace_count (trace, "PollEndEvent"), ==, 99);
  plr_store_close (store);
}

/* The power went: what a file system had not written yet reads as zeros. */
static void
test_dead_run_that_ends_in_zeros_is_sealed_before_them (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sealed = path_of (fixture, "app.5.bin");
  GStatBuf st;

  for (guint n_kept = 0; n_kept < 7; n_kept++) /* of the last event */
    {
      g_autoptr(GByteArray) bytes = make_events (100);
      g_autoptr(Trace) trace = NULL;
      PlrStore *store;

      memset (bytes->data + bytes->len - 7 + n_kept, 0, 7 - n_kept);
      g_byte_array_set_size (bytes, bytes->len + 8192);
      memset (bytes->data + bytes->len - 8192, 0, 8192);
      put (fixture, "app.5.bin.active", (const char *) bytes->data, bytes->len);
      store = open_store (fixture);

      assert_files (fixture, "app.5.bin app.lock");
      trace = trace_read_file (sealed, FALSE);
      g_assert_cmpuint (trace_count (trace, "PollEndEvent"), >=, 99);
      g_assert_cmpuint (trace->end, <=, bytes->len - 8192);
      g_assert_cmpint (g_unlink (sealed), ==, 0);
      plr_store_close (store);
    }

  /* What has more than zeros in it is somebody's. */
  put (fixture, "app.5.bin.active", "TRC\0\1\0\0\0\0\0\0\0\0\0\0x", 16);
  plr_store_close (open_store (fixture));
  g_assert_cmpint (g_stat (sealed, &st), ==, 0);
  g_assert_cmpint (st.st_size, ==, 16);
}

/* Wherever the kill cuts, what was whole before stays, and the result reads to its end. */
static void
test_dead_run_survives_every_cut (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GByteArray) bytes = make_events (20);
  g_autofree char *sealed = path_of (fixture, "app.0.bin");

  for (guint size = 0; size <= bytes->len; size++)
    {
      g_autoptr(Trace) before = trace_read (bytes->data, size, TRUE);
      PlrStore *store;

      put (fixture, "app.0.bin.active", (const char *) bytes->data, size);
      store = open_store (fixture);
      if (before->events->len == 0)
        assert_files (fixture, "app.lock");
      else
        {
          g_autoptr(Trace) after = trace_read_file (sealed, FALSE);

          g_assert_cmpuint (after->events->len, ==, before->events->len);
          g_assert_cmpuint (after->end, ==, before->end);
          g_assert_cmpint (g_unlink (sealed), ==, 0);
        }
      plr_store_close (store);
    }
}

/* What we cannot judge is somebody's data: kept as it is, under a sealed name. */
static void
test_foreign_left_over_is_kept_whole (Fixture *fixture, gconstpointer data)
{
  g_autofree char *sealed = path_of (fixture, "app.0.bin");
  g_autofree char *content = NULL;
  gsize size;

  put (fixture, "app.0.bin.active", "TRC\0\1\x06something else", 20);
  plr_store_close (open_store (fixture));

  assert_files (fixture, "app.0.bin app.lock");
  g_assert_true (g_file_get_contents (sealed, &content, &size, NULL));
  g_assert_cmpmem (content, size, "TRC\0\1\x06something else", 20);
}

static void
test_two_runs_under_one_number_both_stay (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GByteArray) bytes = make_events (5);

  put_size (fixture, "app.3.bin", 10);
  put_size (fixture, "app.7.bin", 10);
  put (fixture, "app.3.bin.active", (const char *) bytes->data, bytes->len);
  plr_store_close (open_store (fixture));

  assert_files (fixture, "app.3.bin app.7.bin app.8.bin app.lock");
}

static void
test_stopping_and_starting_costs_no_segment (Fixture *fixture, gconstpointer data)
{
  g_autoptr(GByteArray) bytes = make_events (5);

  for (guint i = 0; i < 5; i++)
    {
      PlrSegment segment = PLR_SEGMENT_CLOSED;
      PlrStore *store = open_store (fixture);

      g_assert_cmpint (plr_store_create_segment (store, &segment, 0), ==, 0);
      g_assert_cmpint (plr_store_make_room (store, bytes->len), ==, 0);
      g_assert_cmpint (plr_segment_append (&segment, bytes->data, bytes->len), ==, 0);
      segment.events.n = 5;
      g_assert_cmpint (plr_store_seal_segment (store, &segment), ==, 0);
      plr_store_close (store);
    }
  assert_files (fixture, "app.0.bin app.1.bin app.2.bin app.3.bin app.4.bin app.lock");
}

static void
test_notices_that_the_directory_was_replaced (Fixture *fixture, gconstpointer data)
{
  g_autofree char *dir = path_of (fixture, "d");
  g_autofree char *moved = path_of (fixture, "moved");
  PlrStore *store = NULL;

  g_assert_cmpint (plr_store_open (&store, dir, "app", BUDGET, NULL), ==, 0);
  g_assert_cmpint (plr_store_check (store), ==, 0);
  g_assert_cmpint (g_rename (dir, moved), ==, 0);
  g_assert_cmpint (plr_store_check (store), ==, -ENOENT);
  g_assert_cmpint (g_mkdir (dir, 0700), ==, 0);
  g_assert_cmpint (plr_store_check (store), ==, -ESTALE);
  plr_store_close (store);
}

#define ADD(path, function) g_test_add (path, Fixture, NULL, set_up, function, tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/store/knows-its-own-names-exactly", test_knows_its_own_names_exactly);
  ADD ("/recorder/store/makes-its-directory-and-locks-it", test_makes_its_directory_and_locks_it);
  ADD ("/recorder/store/lock-of-a-killed-process-is-free", test_lock_of_a_killed_process_is_free);
  ADD ("/recorder/store/numbers-go-on-above-the-highest", test_numbers_go_on_above_the_highest);
  ADD ("/recorder/store/oldest-goes-first-by-number", test_oldest_goes_first_by_number);
  ADD ("/recorder/store/links-and-directories-are-left-alone", test_links_and_directories_are_left_alone);
  ADD ("/recorder/store/lock-that-is-a-link-is-refused", test_lock_that_is_a_link_is_refused);
  ADD ("/recorder/store/dead-run-is-sealed-to-its-last-whole-frame", test_dead_run_is_sealed_to_its_last_whole_frame);
  ADD ("/recorder/store/dead-run-that-ends-in-zeros-is-sealed-before-them",
       test_dead_run_that_ends_in_zeros_is_sealed_before_them);
  ADD ("/recorder/store/dead-run-survives-every-cut", test_dead_run_survives_every_cut);
  ADD ("/recorder/store/foreign-left-over-is-kept-whole", test_foreign_left_over_is_kept_whole);
  ADD ("/recorder/store/two-runs-under-one-number-both-stay", test_two_runs_under_one_number_both_stay);
  ADD ("/recorder/store/stopping-and-starting-costs-no-segment", test_stopping_and_starting_costs_no_segment);
  ADD ("/recorder/store/notices-that-the-directory-was-replaced", test_notices_that_the_directory_was_replaced);
  return g_test_run ();
}
