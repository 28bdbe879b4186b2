/* follow-world.c: a session directory that a made-up writer and others change at random
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "follow-world.h"

#include <gio/gio.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "pl-loader.h"
#include "test-packing.h"

#define N_WORKERS 5

typedef enum
{
  FORM_ACTIVE,
  FORM_SEALED,
  FORM_GZIP,
  FORM_ZSTD,
  FORM_GONE,
} Form;

static const char *const suffixes[] = { ".bin.active", ".bin", ".bin.gz", ".bin.zst", "" };

typedef struct
{
  TestTrace *trace;
  gsize n_written; /* of the trace's bytes */
  gsize n_seen;    /* of these, when it was looked at last */
  Form form;
  gboolean was_seen;
  guint number;
} Segment;

struct _FollowWorld
{
  FollowWorldOptions options;
  GRand *rand;
  char *directory;
  char *hidden;
  char *copy;
  GArray *segments;
  GArray *cut_off; /* Segment: what was seen of those that were cut off */
  gint64 now_ns;
  guint64 task;
  guint64 open_task[N_WORKERS]; /* 0 = none */
  gboolean is_parked[N_WORKERS];
  gboolean is_hidden;
  gboolean was_cut_off;
};

static void
clear_segment (gpointer data)
{
  test_trace_free (((Segment *) data)->trace);
}

static Segment *
get (FollowWorld *self, guint number)
{
  return &g_array_index (self->segments, Segment, number);
}

static Segment *
get_active (FollowWorld *self)
{
  return get (self, self->segments->len - 1);
}

static char *
make_path (FollowWorld *self, const char *directory, guint number, Form form)
{
  g_autofree char *name = g_strdup_printf ("trace.%u%s", number, suffixes[form]);

  return g_build_filename (directory, name, NULL);
}

static const char *
get_place (FollowWorld *self)
{
  return self->is_hidden ? self->hidden : self->directory;
}

static void
append (const char *path, const guint8 *bytes, gsize size)
{
  FILE *file = g_fopen (path, "ab");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (bytes, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

static void
begin_segment (FollowWorld *self)
{
  Segment segment = { .trace = test_trace_new (), .number = self->segments->len };
  g_autofree char *path = make_path (self, get_place (self), self->segments->len, FORM_ACTIVE);

  if (self->options.is_merged)
    test_trace_metadata (segment.trace, self->now_ns, "parklane.stream", "merged");
  test_trace_clock_sync (segment.trace, self->now_ns, 1700000000000000000 + (guint64) self->now_ns);
  g_array_append_val (self->segments, segment);
  append (path, NULL, 0);
}

FollowWorld *
follow_world_new (const FollowWorldOptions *options)
{
  static guint n_worlds;
  FollowWorld *self = g_new0 (FollowWorld, 1);
  g_autofree char *name = g_strdup_printf ("world-%u", ++n_worlds);

  self->options = *options;
  self->rand = g_rand_new_with_seed (options->seed);
  self->directory = g_build_filename (test_trace_directory (), name, NULL);
  self->hidden = g_strconcat (self->directory, ".hidden", NULL);
  self->copy = g_strconcat (self->directory, ".copy", NULL);
  g_assert_cmpint (g_mkdir (self->directory, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (self->copy, 0700), ==, 0);
  self->segments = g_array_new (FALSE, TRUE, sizeof (Segment));
  g_array_set_clear_func (self->segments, clear_segment);
  self->cut_off = g_array_new (FALSE, TRUE, sizeof (Segment));
  g_array_set_clear_func (self->cut_off, clear_segment);
  self->now_ns = 1000000000;
  begin_segment (self);
  return self;
}

void
follow_world_free (FollowWorld *self)
{
  g_array_unref (self->segments);
  g_array_unref (self->cut_off);
  g_rand_free (self->rand);
  g_free (self->directory);
  g_free (self->hidden);
  g_free (self->copy);
  g_free (self);
}

const char *
follow_world_get_directory (FollowWorld *self)
{
  return self->directory;
}

/* ---- the writer ---- */

static gint64
get_time (FollowWorld *self)
{
  self->now_ns += g_rand_int_range (self->rand, 100, 400000);
  if (self->options.is_unsorted && g_rand_int_range (self->rand, 0, 40) == 0)
    return self->now_ns - 300000;
  return self->now_ns;
}

/* The next events of a worker, or of all, are lost, and with them perhaps the end of a poll or a park. */
static void
lose (FollowWorld *self, guint worker, gint64 at_ns)
{
  gboolean is_of_all = g_rand_boolean (self->rand);
  PlGap gap = { at_ns - 60, at_ns, 3, is_of_all ? TRC_WORKER_NONE : worker, is_of_all ? 0 : 100 + worker, PL_GAP_OUTPUT };

  test_trace_gap (get_active (self)->trace, &gap);
  for (guint i = is_of_all ? 0 : worker; i < (is_of_all ? N_WORKERS : worker + 1); i++)
    {
      self->open_task[i] = g_rand_boolean (self->rand) ? self->open_task[i] : 0;
      self->is_parked[i] = g_rand_boolean (self->rand) && self->is_parked[i];
    }
}

static void
record (FollowWorld *self)
{
  static const char *const places[] = { "src/a.rs:1:1", "src/b.rs:2:2", "src/c.rs:3:3" };
  TestTrace *trace = get_active (self)->trace;
  guint worker = (guint) g_rand_int_range (self->rand, 0, N_WORKERS);
  int choice = g_rand_int_range (self->rand, 0, 100);
  gint64 at_ns = get_time (self);

  if (choice < 3)
    test_trace_header (trace);
  else if (choice < 6)
    test_trace_queue (trace, "main", (guint32) choice, 10, at_ns);
  else if (choice < 9)
    test_trace_spawn (trace, ++self->task, places[0], at_ns);
  else if (choice < 11)
    test_trace_custom (trace, "request", at_ns);
  else if (choice == 11 && self->options.is_merged && !self->options.is_unsorted)
    lose (self, worker, at_ns);
  else if (self->open_task[worker] != 0)
    {
      test_trace_poll_end (trace, worker, at_ns);
      self->open_task[worker] = 0;
    }
  else if (self->is_parked[worker])
    {
      test_trace_unpark (trace, worker, 100 + worker, at_ns);
      self->is_parked[worker] = FALSE;
    }
  else if (choice < 30)
    {
      test_trace_park (trace, worker, 100 + worker, at_ns);
      self->is_parked[worker] = TRUE;
    }
  else
    {
      self->open_task[worker] = ++self->task;
      test_trace_poll_start (trace, worker, self->task, places[self->task % 3], at_ns);
    }
}

static void
write_bytes (FollowWorld *self, gsize n)
{
  Segment *segment = get_active (self);
  g_autofree char *path = make_path (self, get_place (self), self->segments->len - 1, FORM_ACTIVE);

  append (path, test_trace_get_bytes (segment->trace) + segment->n_written, n);
  segment->n_written += n;
}

void
follow_world_flush (FollowWorld *self)
{
  write_bytes (self, test_trace_get_size (get_active (self)->trace) - get_active (self)->n_written);
}

/* Ends anywhere, also in the middle of a frame. */
void
follow_world_write (FollowWorld *self, guint n_events)
{
  gsize left;

  for (guint i = 0; i < n_events; i++)
    record (self);
  left = test_trace_get_size (get_active (self)->trace) - get_active (self)->n_written;
  write_bytes (self, left > 0 ? (gsize) g_rand_int_range (self->rand, 0, (gint32) left + 1) : 0);
}

static void
rename_segment (FollowWorld *self, guint number, Form form)
{
  g_autofree char *from = make_path (self, get_place (self), number, get (self, number)->form);
  g_autofree char *to = make_path (self, get_place (self), number, form);

  g_assert_cmpint (g_rename (from, to), ==, 0);
  get (self, number)->form = form;
}

void
follow_world_rotate (FollowWorld *self)
{
  follow_world_flush (self);
  rename_segment (self, self->segments->len - 1, FORM_SEALED);
  begin_segment (self);
}

/* Cut to nothing, and another recording begins in it: what is polled goes on. */
static void
cut_off (FollowWorld *self)
{
  Segment *segment = get_active (self);
  g_autofree char *path = make_path (self, get_place (self), self->segments->len - 1, FORM_ACTIVE);

  g_assert_cmpint (truncate (path, 0), ==, 0);
  g_array_append_vals (self->cut_off, segment, 1);
  segment->trace = test_trace_new ();
  segment->n_written = segment->n_seen = 0;
  self->was_cut_off = TRUE;
}

gboolean
follow_world_was_cut_off (FollowWorld *self)
{
  gboolean was_cut_off = self->was_cut_off;

  self->was_cut_off = FALSE;
  return was_cut_off;
}

/* At any time of its life. */
gboolean
follow_world_has_cut_off (FollowWorld *self)
{
  return self->cut_off->len > 0;
}

/* ---- what happens to its segments ---- */

void
follow_world_compress (FollowWorld *self, guint number, gboolean with_gzip)
{
  Segment *segment = get (self, number);
  Form form = with_gzip ? FORM_GZIP : FORM_ZSTD;
  g_autofree char *old = make_path (self, get_place (self), number, segment->form);
  g_autofree char *path = make_path (self, get_place (self), number, form);
  g_autofree char *partial = g_strconcat (path, ".partial", NULL);
  g_autoptr(GByteArray) packed = g_byte_array_new ();

  (with_gzip ? test_packing_append_gzip : test_packing_append_zstd) (packed, test_trace_get_bytes (segment->trace),
                                                                     segment->n_written);
  append (partial, packed->data, packed->len);
  g_assert_cmpint (g_rename (partial, path), ==, 0);
  g_assert_cmpint (g_unlink (old), ==, 0);
  segment->form = form;
}

void
follow_world_evict (FollowWorld *self, guint number)
{
  g_autofree char *path = make_path (self, get_place (self), number, get (self, number)->form);

  g_assert_cmpint (g_unlink (path), ==, 0);
  get (self, number)->form = FORM_GONE;
}

void
follow_world_hide (FollowWorld *self, gboolean hide)
{
  if (hide != self->is_hidden)
    g_assert_cmpint (g_rename (get_place (self), hide ? self->hidden : self->directory), ==, 0);
  self->is_hidden = hide;
}

static void
change_sealed (FollowWorld *self)
{
  guint number = (guint) g_rand_int_range (self->rand, 0, (gint32) self->segments->len);
  Segment *segment = get (self, number);

  if (segment->form == FORM_SEALED && g_rand_boolean (self->rand))
    follow_world_compress (self, number, g_rand_boolean (self->rand));
  else if (self->options.evicts && segment->was_seen && segment->form != FORM_ACTIVE && segment->form != FORM_GONE)
    follow_world_evict (self, number);
}

void
follow_world_change (FollowWorld *self)
{
  int choice = g_rand_int_range (self->rand, 0, 100);

  if (choice < 60)
    follow_world_write (self, (guint) g_rand_int_range (self->rand, 0, choice < 5 ? 20000 : 300));
  else if (choice < 72)
    follow_world_rotate (self);
  else if (choice < 90)
    change_sealed (self);
  else if (choice < 92)
    cut_off (self);
  else if (choice < 96)
    follow_world_hide (self, !self->is_hidden);
  else
    follow_world_flush (self);
}

void
follow_world_finish (FollowWorld *self)
{
  follow_world_hide (self, FALSE);
  follow_world_flush (self);
  rename_segment (self, self->segments->len - 1, FORM_SEALED);
}

/* ---- what is to be seen of it ---- */

void
follow_world_was_seen (FollowWorld *self)
{
  for (guint i = 0; i < self->segments->len; i++)
    {
      Segment *segment = get (self, i);

      segment->was_seen |= !self->is_hidden;
      if (segment->was_seen)
        segment->n_seen = segment->n_written;
    }
}

static void
save (TestTrace *trace, gsize size, const char *path, GStrvBuilder *paths)
{
  g_assert_true (g_file_set_contents (path, (const char *) test_trace_get_bytes (trace), (gssize) size, NULL));
  g_strv_builder_add (paths, path);
}

PlTrace *
follow_world_load (FollowWorld *self)
{
  g_autoptr(GStrvBuilder) builder = g_strv_builder_new ();
  g_auto(GStrv) paths = NULL;
  g_autoptr(GError) error = NULL;
  PlTrace *trace;

  for (guint i = 0; i < self->segments->len; i++)
    {
      g_autofree char *path = make_path (self, self->copy, i, FORM_SEALED);

      if (get (self, i)->was_seen)
        save (get (self, i)->trace, get (self, i)->n_written, path, builder);
    }
  for (guint i = 0; i < self->cut_off->len; i++)
    {
      const Segment *segment = &g_array_index (self->cut_off, Segment, i);
      /* Beside what began in its file. */
      g_autofree char *path = g_strdup_printf ("%s/trace.%u.bin.cut-%u", self->copy, segment->number, i);

      if (segment->was_seen && segment->n_seen > 0)
        save (segment->trace, segment->n_seen, path, builder);
    }
  paths = g_strv_builder_end (builder);
  trace = pl_loader_load ((const char *const *) paths, 1, NULL, &error);
  g_assert_no_error (error);
  return trace;
}
