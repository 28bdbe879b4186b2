/* test-follow-packed.c: segments of a followed session that are compressed, and such as are damaged
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "pl-detail.h"
#include "pl-lane-private.h"
#include "pl-load-job.h"
#include "pl-trace-error.h"
#include "pl-trace-private.h"
#include "test-packing.h"
#include "test-trace.h"

#define N_BATCHES 15
#define N_SETTLED 30 /* enough for chunks that snapshots share */
#define N_POLLS 40000 /* of a batch, and more than 1 MiB */
#define US G_GINT64_CONSTANT (1000)
#define BUDGET (64 * 1024 * 1024)

typedef struct
{
  char *directory;
  PlStrings *strings;
  PlFollow *follow;
} Session;

static void
set_up (Session *self, gconstpointer budget)
{
  self->directory = g_dir_make_tmp ("parklane-packed-XXXXXX", NULL);
  self->strings = pl_strings_new ();
  self->follow = pl_follow_new ((const char *const[]) { self->directory, NULL }, self->strings, GPOINTER_TO_SIZE (budget));
}

static char *
get_path (Session *self, const char *suffix)
{
  return g_strconcat (self->directory, "/trace.0", suffix, NULL);
}

static void
remove_file (Session *self, const char *suffix)
{
  g_autofree char *path = get_path (self, suffix);

  g_unlink (path);
}

static void
tear_down (Session *self, gconstpointer budget)
{
  remove_file (self, ".bin.active");
  remove_file (self, ".bin");
  remove_file (self, ".bin.zst");
  g_rmdir (self->directory);
  g_free (self->directory);
  pl_follow_free (self->follow);
  pl_strings_unref (self->strings);
}

static void
save (Session *self, const char *suffix, const void *bytes, gsize size)
{
  g_autofree char *path = get_path (self, suffix);

  g_assert_true (g_file_set_contents (path, bytes, (gssize) size, NULL));
}

static void
add_batch (TestTrace *trace, guint batch, gboolean is_grouped)
{
  test_trace_header (trace);
  for (guint i = 0; i < N_POLLS; i++)
    {
      /* As they came, or those of each worker together. */
      guint worker = is_grouped ? i / (N_POLLS / 2) : i % 2;
      guint place = is_grouped ? i % (N_POLLS / 2) * 2 + worker : i;

      test_trace_poll (trace, worker, 1 + place, "a.rs:1:1", ((gint64) (batch + 1) * N_POLLS + place) * 10 * US, 3 * US);
    }
}

/* The same in the order in which it is written, or in the one in which it packs better. */
static TestTrace *
make_trace (guint n_batches, gboolean is_grouped)
{
  TestTrace *trace = test_trace_new ();

  for (guint i = 0; i < n_batches; i++)
    add_batch (trace, i, is_grouped);
  return trace;
}

static GByteArray *
pack (TestTrace *trace)
{
  GByteArray *packed = g_byte_array_new ();

  test_packing_append_zstd (packed, test_trace_get_bytes (trace), test_trace_get_size (trace));
  return packed;
}

/* Follows a segment until it is sealed, and then lets @packed take its place. */
static PlTrace *
follow_to_packed (Session *self, TestTrace *trace, GByteArray *packed)
{
  g_autofree char *active = get_path (self, ".bin.active");
  g_autofree char *sealed = get_path (self, ".bin");
  PlTrace *snapshot;

  save (self, ".bin.active", test_trace_get_bytes (trace), test_trace_get_size (trace));
  pl_follow_step (self->follow);
  g_assert_cmpint (g_rename (active, sealed), ==, 0);
  pl_follow_step (self->follow);
  snapshot = pl_follow_build (self->follow);
  save (self, ".bin.zst", packed->data, packed->len);
  remove_file (self, ".bin");
  return snapshot;
}

static gboolean
count_poll (const PlPoll *poll, gpointer user_data)
{
  (*(guint *) user_data)++;
  return TRUE;
}

static void
test_keeps_its_pieces (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) raw = make_trace (N_SETTLED, FALSE);
  g_autoptr(TestTrace) grouped = make_trace (N_SETTLED, TRUE);
  g_autoptr(GByteArray) packed = pack (grouped);
  g_autoptr(PlTrace) before = follow_to_packed (self, raw, packed);
  g_autoptr(PlTrace) after = NULL;
  g_autoptr(PlTrace) sharp = NULL;
  guint n_polls = 0;

  pl_follow_step (self->follow);
  after = pl_follow_build (self->follow);
  g_assert_cmpuint (before->pieces->len, >, 2);
  g_assert_cmpuint (after->pieces->len, ==, before->pieces->len);
  for (guint i = 0; i < before->pieces->len; i++)
    g_assert_true (((PlPiece *) before->pieces->pdata[i])->lanes == ((PlPiece *) after->pieces->pdata[i])->lanes);
  for (guint i = 0; i < pl_trace_get_n_lanes (after); i++)
    {
      const PlTrack *first = &pl_trace_get_lane (before, i)->polls;
      const PlTrack *second = &pl_trace_get_lane (after, i)->polls;

      g_assert_cmpuint (first->n_blocks, >, PL_TRACK_CHUNK);
      g_assert_true (first->chunks[0] == second->chunks[0]);
    }
  g_assert_cmpuint (((PlPiece *) after->pieces->pdata[1])->raw_from, !=,
                    ((PlPiece *) before->pieces->pdata[1])->raw_from);
  g_assert_cmpuint (test_trace_get_size (grouped), ==, test_trace_get_file (after, 0)->raw_bytes);

  /* What was given up is found again where it lies now. */
  sharp = pl_detail_sharpen (after, pl_trace_get_start_ns (after), pl_trace_get_end_ns (after), 1000000,
                             G_GUINT64_CONSTANT (1) << 32, NULL);
  g_assert_cmpint (pl_trace_is_summary (after), ==, GPOINTER_TO_SIZE (budget) == 1);
  g_assert_false (pl_trace_is_summary (sharp));
  g_assert_true (pl_detail_foreach_poll (after, 0, count_poll, &n_polls, NULL));
  g_assert_cmpuint (n_polls, ==, N_SETTLED * N_POLLS);
  pl_follow_take_detail (self->follow, sharp);
  {
    g_autoptr(PlTrace) next = pl_follow_build (self->follow);

    g_assert_false (pl_trace_is_summary (next));
    g_assert_cmpuint (pl_trace_get_n_events (next), ==, pl_trace_get_n_events (before));
  }
}

/* Of other batches than the raw form, as somebody else packs. */
static void
test_other_batches (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) raw = make_trace (N_BATCHES, FALSE);
  g_autoptr(TestTrace) other = test_trace_new ();
  g_autoptr(GByteArray) packed = NULL;
  g_autoptr(PlTrace) before = NULL;
  g_autoptr(PlTrace) after = NULL;

  for (guint i = 0; i < N_BATCHES; i++)
    {
      add_batch (other, i, FALSE);
      test_trace_header (other);
    }
  packed = pack (other);
  before = follow_to_packed (self, raw, packed);
  pl_follow_step (self->follow);
  after = pl_follow_build (self->follow);
  g_assert_cmpuint (pl_trace_get_n_events (after), ==, pl_trace_get_n_events (before));
  g_assert_cmpuint (test_trace_get_file (after, 0)->n_batches, ==, test_trace_get_file (before, 0)->n_batches + N_BATCHES);
  g_assert_false (pl_trace_has_losses (after));
}

/* Decoding takes long: no step waits for it. */
static void
test_is_read_beside (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) trace = make_trace (N_BATCHES, FALSE);
  g_autoptr(GByteArray) packed = pack (trace);

  save (self, ".bin.zst", packed->data, packed->len);
  pl_follow_scan (self->follow);
  {
    g_autoptr(PlTrace) snapshot = pl_follow_build (self->follow);

    g_assert_cmpuint (pl_trace_get_n_events (snapshot), ==, 0);
  }
  while (!pl_follow_read (self->follow))
    g_usleep (1000);
  {
    g_autoptr(PlTrace) snapshot = pl_follow_build (self->follow);

    g_assert_cmpuint (pl_trace_get_n_events (snapshot), ==, 2 * N_BATCHES * N_POLLS);
  }
}

/* Its folder may be renamed in the moment in which it would be read. */
static void
test_away_for_a_moment (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) trace = make_trace (1, FALSE);
  g_autoptr(GByteArray) packed = pack (trace);
  g_autofree char *path = get_path (self, ".bin.zst");
  g_autofree char *away = get_path (self, ".away");
  g_autoptr(PlTrace) snapshot = NULL;

  save (self, ".bin.zst", packed->data, packed->len);
  pl_follow_scan (self->follow);
  g_assert_cmpint (g_rename (path, away), ==, 0);
  while (!pl_follow_read (self->follow))
    g_usleep (1000);
  g_assert_cmpint (g_rename (away, path), ==, 0);
  pl_follow_step (self->follow);
  snapshot = pl_follow_build (self->follow);
  g_assert_cmpuint (pl_trace_get_n_events (snapshot), ==, 2 * N_POLLS);
}

static void
test_damage_is_told (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) raw = make_trace (N_BATCHES, FALSE);
  g_autoptr(GByteArray) packed = pack (raw);
  g_autoptr(PlTrace) before = NULL;
  g_autoptr(PlTrace) after = NULL;

  for (guint i = packed->len / 2; i < packed->len / 2 + 16; i++)
    packed->data[i] ^= 0xff;
  before = follow_to_packed (self, raw, packed);
  g_assert_false (pl_trace_has_losses (before));
  pl_follow_step (self->follow);
  after = pl_follow_build (self->follow);
  g_assert_error (test_trace_get_file (after, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT);
  g_assert_cmpuint (pl_trace_get_n_events (after), ==, pl_trace_get_n_events (before));
}

/* A file that is being written: what is wrong may be something that has not arrived yet, but not for long. */
static void
test_damage_while_written (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) trace = test_trace_new ();
  gsize sound;

  test_trace_poll (trace, 0, 1, "a.rs:1:1", 1000 * US, 3 * US);
  save (self, ".bin.active", test_trace_get_bytes (trace), test_trace_get_size (trace));
  pl_follow_step (self->follow);
  sound = test_trace_get_size (trace);
  test_trace_hex (trace, "ee ee ee ee ee ee ee ee");
  {
    g_autofree char *path = get_path (self, ".bin.active");
    FILE *file = g_fopen (path, "ab");

    fwrite (test_trace_get_bytes (trace) + sound, 1, test_trace_get_size (trace) - sound, file);
    fclose (file);
  }
  pl_follow_scan (self->follow);
  pl_follow_read (self->follow);
  {
    g_autoptr(PlTrace) snapshot = pl_follow_build (self->follow);

    g_assert_false (pl_trace_has_losses (snapshot));
  }
  pl_follow_scan (self->follow);
  g_assert_true (pl_follow_scan (self->follow));
  {
    g_autoptr(PlTrace) snapshot = pl_follow_build (self->follow);

    g_assert_error (test_trace_get_file (snapshot, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_CORRUPT);
    g_assert_cmpuint (test_trace_get_file (snapshot, 0)->error_offset, ==, sound);
  }
  pl_follow_read (self->follow);
  g_assert_false (pl_follow_scan (self->follow));
}

/* Renamed over the first: what has the same name is not the same for that. */
static void
test_other_file (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) first = test_trace_new ();
  g_autoptr(TestTrace) second = test_trace_new ();
  g_autoptr(PlTrace) snapshot = NULL;

  add_batch (first, 0, FALSE);
  test_trace_poll (second, 0, 1, "a.rs:1:1", (gint64) N_POLLS * 100 * US, 3 * US);
  save (self, ".bin", test_trace_get_bytes (first), test_trace_get_size (first));
  pl_follow_step (self->follow);
  save (self, ".bin", test_trace_get_bytes (second), test_trace_get_size (second));
  pl_follow_step (self->follow);
  snapshot = pl_follow_build (self->follow);
  g_assert_cmpuint (pl_trace_get_n_events (snapshot), ==, 2 * N_POLLS + 2);
  g_assert_false (pl_trace_has_losses (snapshot));
}

static void
cut (Session *self, const char *suffix)
{
  g_autofree char *path = get_path (self, suffix);

  g_assert_cmpint (truncate (path, 0), ==, 0);
}

static void
append (Session *self, TestTrace *trace)
{
  g_autofree char *path = get_path (self, ".bin.active");
  FILE *file = g_fopen (path, "ab");

  fwrite (test_trace_get_bytes (trace), 1, test_trace_get_size (trace), file);
  fclose (file);
}

static void
assert_cut_off (Session *self, guint64 n_events, guint n_broken)
{
  g_autoptr(PlTrace) snapshot = pl_follow_build (self->follow);
  guint n_files;
  const PlTraceFile *files = pl_trace_get_files (snapshot, &n_files);
  guint n = 0;

  for (guint i = 0; i < n_files; i++)
    n += files[i].error != NULL && files[i].is_gone;
  g_assert_cmpuint (n, ==, n_broken);
  g_assert_cmpuint (pl_trace_get_n_events (snapshot), ==, n_events);
}

/* Somebody empties the file that is written, or a recorder of another make begins anew in it. */
static void
test_cut_in_place (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) first = test_trace_new ();
  g_autoptr(TestTrace) second = test_trace_new ();

  add_batch (first, 0, FALSE);
  add_batch (second, 1, FALSE);
  save (self, ".bin.active", test_trace_get_bytes (first), test_trace_get_size (first));
  pl_follow_step (self->follow);
  cut (self, ".bin.active");
  pl_follow_step (self->follow);
  assert_cut_off (self, 2 * N_POLLS, 1);
  append (self, second);
  pl_follow_step (self->follow);
  assert_cut_off (self, 4 * N_POLLS, 1);

  /* The same once more is no second recording. */
  cut (self, ".bin.active");
  pl_follow_step (self->follow);
  append (self, second);
  pl_follow_step (self->follow);
  pl_follow_step (self->follow);
  assert_cut_off (self, 4 * N_POLLS, 1);
}

/* One that is closed, since nothing more was expected of it. */
static void
test_cut_at_rest (Session *self, gconstpointer budget)
{
  g_autoptr(TestTrace) trace = test_trace_new ();

  add_batch (trace, 0, FALSE);
  save (self, ".bin", test_trace_get_bytes (trace), test_trace_get_size (trace));
  pl_follow_step (self->follow);
  cut (self, ".bin");
  pl_follow_step (self->follow);
  assert_cut_off (self, 2 * N_POLLS, 1);
}

/* A file that was listed, and then evicted or packed before it could be read. */
static void
test_vanished (Session *self, gconstpointer budget)
{
  g_autofree char *path = get_path (self, ".bin");
  g_autoptr(GPtrArray) nothing = g_ptr_array_new ();
  g_autoptr(TestTrace) trace = test_trace_new ();
  g_autoptr(GByteArray) packed = NULL;
  g_autoptr(PlTrace) snapshot = NULL;
  PlTraceFile info = { .path = path, .error = g_error_new (PL_TRACE_ERROR, PL_TRACE_ERROR_IO, "no such file") };

  add_batch (trace, 0, FALSE);
  packed = pack (trace);
  save (self, ".bin.zst", packed->data, packed->len);
  pl_follow_adopt (self->follow, &info, nothing);
  pl_follow_step (self->follow);
  snapshot = pl_follow_build (self->follow);
  g_assert_false (pl_trace_has_losses (snapshot));
  g_assert_cmpuint (pl_trace_get_n_events (snapshot), ==, 2 * N_POLLS);
  g_error_free (info.error);
}

static void
add (const char *name, gsize budget, void (*test) (Session *, gconstpointer))
{
  g_test_add (name, Session, GSIZE_TO_POINTER (budget), set_up, test, tear_down);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/trace/follow-packed/h25-a-packed-segment-keeps-its-pieces", BUDGET, test_keeps_its_pieces);
  add ("/trace/follow-packed/detail-is-read-again-from-the-packed-form", 1, test_keeps_its_pieces);
  add ("/trace/follow-packed/a-segment-in-other-batches-is-read-anew", BUDGET, test_other_batches);
  add ("/trace/follow-packed/no-step-decodes-a-compressed-file", BUDGET, test_is_read_beside);
  add ("/trace/follow-packed/a-file-that-was-away-for-a-moment-is-read", BUDGET, test_away_for_a_moment);
  add ("/trace/follow-packed/damage-in-the-packed-form-is-told-and-nothing-lost", BUDGET, test_damage_is_told);
  add ("/trace/follow-packed/damage-in-a-growing-file-is-told-once-it-lasts", BUDGET, test_damage_while_written);
  add ("/trace/follow-packed/h25-another-file-of-the-same-name-is-a-segment-of-its-own", BUDGET, test_other_file);
  add ("/trace/follow-packed/h26-what-was-read-of-a-file-that-is-cut-stays", BUDGET, test_cut_in_place);
  add ("/trace/follow-packed/h26-what-was-read-of-a-file-at-rest-that-is-cut-stays", BUDGET, test_cut_at_rest);
  add ("/trace/follow-packed/what-vanished-while-loading-is-no-damage", BUDGET, test_vanished);
  return g_test_run ();
}
