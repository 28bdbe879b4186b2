/* generate-replay.c: recorded traces, over and over, with their times moved on
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All times of a stream hang on its reset frames, so a copy at another time is the same bytes with other resets; only
 * the wall-clock time of ClockSyncEvent has to move along. Batches stand alone, so copies can follow one another. The
 * files of one directory are one session and stay together; sessions follow one another in time.
 */
#include "config.h"

#include "generate-replay.h"

#include <gio/gio.h>
#include <string.h>

#include "frame-walk.h"

/* From here on a time is wall-clock time, of metadata of before dial9 0.3. */
#define WALL_CLOCK_NS (G_GUINT64_CONSTANT (1577836800) * 1000000000)

/* Between a session and the next one. */
#define PAUSE_NS 1000000

typedef enum
{
  PATCH_RESET,
  PATCH_WALL_CLOCK, /* a varint of 9 bytes */
} PatchKind;

typedef struct
{
  gsize offset;
  guint64 value;
  PatchKind kind;
} Patch;

typedef struct
{
  char *directory;
  guint8 *bytes;
  guint8 *copy;
  gsize size; /* whole frames */
  GArray *patches;
  GArray *batches; /* gsize: where they begin */
  guint64 min_ns;
  guint64 max_ns;
} Recording;

struct _Replay
{
  GPtrArray *recordings;
  guint64 at_ns; /* when the next session begins */
};

static void
recording_free (gpointer data)
{
  Recording *self = data;

  g_free (self->directory);
  g_free (self->bytes);
  g_free (self->copy);
  g_array_unref (self->patches);
  g_array_unref (self->batches);
  g_free (self);
}

static gboolean
is_monotonic (guint64 ns)
{
  return ns > 0 && ns < WALL_CLOCK_NS;
}

static GBytes *
unpack (const guint8 *bytes, gsize size, GError **error)
{
  g_autoptr(GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  g_autoptr(GInputStream) packed = g_memory_input_stream_new_from_data (bytes, (gssize) size, NULL);
  g_autoptr(GInputStream) stream = g_converter_input_stream_new (packed, G_CONVERTER (gzip));
  g_autoptr(GOutputStream) memory = g_memory_output_stream_new_resizable ();

  if (g_output_stream_splice (memory, stream, G_OUTPUT_STREAM_SPLICE_CLOSE_TARGET, NULL, error) < 0)
    return NULL;
  return g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (memory));
}

static void
note_clock_sync (Recording *self, const Frame *frame)
{
  PlWire wire = { frame->body, frame->end };
  Patch patch = { (gsize) (frame->body - self->bytes), 0, PATCH_WALL_CLOCK };

  if (frame->schema->n_fields == 1 && frame->schema->fields[0].type == TRC_VARINT
      && frame->end - frame->body == 9 && pl_wire_read_varint (&wire, &patch.value) == PL_WIRE_OK)
    g_array_append_val (self->patches, patch);
}

static void
note_frame (Recording *self, const Frame *frame)
{
  gsize offset = (gsize) (frame->begin - self->bytes);

  switch (frame->tag)
    {
    case TRC_TAG_HEADER:
      g_array_append_val (self->batches, offset);
      break;
    case TRC_TAG_RESET:
      if (is_monotonic (frame->at_ns))
        {
          Patch patch = { offset + 1, frame->at_ns, PATCH_RESET };

          g_array_append_val (self->patches, patch);
        }
      break;
    case TRC_TAG_EVENT:
      if (is_monotonic (frame->at_ns) && frame->schema->has_timestamp)
        {
          self->min_ns = MIN (self->min_ns, frame->at_ns);
          self->max_ns = MAX (self->max_ns, frame->at_ns);
        }
      if (frame_name_equals (&frame->schema->name, "ClockSyncEvent"))
        note_clock_sync (self, frame);
      break;
    default:
      break;
    }
}

static Recording *
recording_new (const char *path, GError **error)
{
  g_autoptr(FrameWalk) walk = NULL;
  Recording *self;
  Frame frame;
  char *contents;
  gsize size;

  if (!g_file_get_contents (path, &contents, &size, error))
    return NULL;
  self = g_new0 (Recording, 1);
  self->directory = g_path_get_dirname (path);
  self->patches = g_array_new (FALSE, FALSE, sizeof (Patch));
  self->batches = g_array_new (FALSE, FALSE, sizeof (gsize));
  self->min_ns = G_MAXUINT64;
  self->bytes = (guint8 *) contents;
  if (size > 2 && self->bytes[0] == 0x1f && self->bytes[1] == 0x8b)
    {
      GBytes *raw = unpack (self->bytes, size, error);

      if (raw == NULL)
        {
          recording_free (self);
          return NULL;
        }
      g_free (self->bytes);
      self->bytes = g_bytes_unref_to_data (raw, &size);
    }

  walk = frame_walk_new (self->bytes, size);
  while (frame_walk_next (walk, &frame))
    {
      note_frame (self, &frame);
      self->size = (gsize) (frame.end - self->bytes);
    }
  if (self->batches->len == 0 || g_array_index (self->batches, gsize, 0) != 0 || self->max_ns == 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: not a trace with events", path);
      recording_free (self);
      return NULL;
    }
  self->copy = g_memdup2 (self->bytes, self->size);
  return self;
}

static void
shift (Recording *self, gint64 by_ns)
{
  for (guint i = 0; i < self->patches->len; i++)
    {
      const Patch *patch = &g_array_index (self->patches, Patch, i);
      guint64 value = patch->value + (guint64) by_ns;

      if (patch->kind == PATCH_RESET)
        trc_write_u64 (self->copy + patch->offset, value);
      else
        trc_write_varint (self->copy + patch->offset, value);
    }
}

/* Ends with the batch that fills the segment. */
static void
write_copy (Recording *self, Output *output)
{
  guint i = 0;

  while (i < self->batches->len && output_get_left (output) > 0)
    {
      gsize from = g_array_index (self->batches, gsize, i);
      gsize to = from;

      while (i < self->batches->len && to - from < output_get_left (output))
        to = ++i < self->batches->len ? g_array_index (self->batches, gsize, i) : self->size;
      output_write (output, self->copy + from, to - from);
    }
}

/* The recordings from @first on that belong to one session. */
static guint
count_session (GPtrArray *recordings, guint first, guint64 *out_min_ns, guint64 *out_max_ns)
{
  const Recording *begin = g_ptr_array_index (recordings, first);
  guint n = 0;

  *out_min_ns = G_MAXUINT64;
  *out_max_ns = 0;
  for (guint i = first; i < recordings->len; i++, n++)
    {
      const Recording *recording = g_ptr_array_index (recordings, i);

      if (strcmp (recording->directory, begin->directory) != 0)
        break;
      *out_min_ns = MIN (*out_min_ns, recording->min_ns);
      *out_max_ns = MAX (*out_max_ns, recording->max_ns);
    }
  return n;
}

/* All recordings once; the next time they follow in time. */
static void
write_pass (Replay *self, Output *output)
{
  guint first = 0;

  while (first < self->recordings->len)
    {
      guint64 min_ns;
      guint64 max_ns;
      guint n = count_session (self->recordings, first, &min_ns, &max_ns);

      for (guint i = first; i < first + n; i++)
        {
          Recording *recording = g_ptr_array_index (self->recordings, i);

          shift (recording, (gint64) (self->at_ns - min_ns));
          write_copy (recording, output);
        }
      self->at_ns += max_ns - min_ns + PAUSE_NS;
      first += n;
    }
}

/**
 * replay_new:
 * @paths: (array zero-terminated=1): recorded traces, raw or gzip, those of one session in order
 */
Replay *
replay_new (const char *const *paths, GError **error)
{
  g_autoptr(Replay) self = g_new0 (Replay, 1);

  self->recordings = g_ptr_array_new_with_free_func (recording_free);
  for (guint i = 0; paths[i] != NULL; i++)
    {
      Recording *recording = recording_new (paths[i], error);

      if (recording == NULL)
        return NULL;
      g_ptr_array_add (self->recordings, recording);
    }
  self->at_ns = ((Recording *) g_ptr_array_index (self->recordings, 0))->min_ns;
  return g_steal_pointer (&self);
}

void
replay_free (Replay *self)
{
  g_ptr_array_unref (self->recordings);
  g_free (self);
}

/**
 * replay_fill_segment:
 * @output: with a segment begun; is filled, with what follows in time on the segment before
 */
void
replay_fill_segment (Replay *self, Output *output)
{
  while (output_get_left (output) > 0)
    write_pass (self, output);
}
