/* recorder-history.c: how much more time a budget on disk holds than with the segments of dial9's recorder
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Usage: recorder-history TRACE… with raw segments of dial9. Their events, in the order of time, go through this
 * recorder's encoder and its compression. ratio_raw: bytes of dial9's segments for each byte of ours. Events that this
 * recorder has no counterpart of stay out on both sides; recorded_share tells how many went in. Locations keep their
 * numbers but not their names, which weigh nothing over a segment.
 */
#include "config.h"

#include <fcntl.h>
#include <glib.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compress.h"
#include "encoder.h"
#include "frame-walk.h"
#include "parklane-recorder.h"
#include "writer.h"

#define N_VALUES 6

typedef struct
{
  const char *name;
  PlrEventKind kind;
  const char *fields[N_VALUES]; /* worker, queue, location, payload, thread, wait; NULL: none */
} Counterpart;

static const Counterpart counterparts[] = {
  { "PollStartEvent", PLR_EVENT_POLL_START, { "worker_id", "local_queue", "spawn_loc", "task_id", NULL } },
  { "PollEndEvent", PLR_EVENT_POLL_END, { "worker_id", NULL, NULL, NULL, NULL } },
  { "WorkerParkEvent", PLR_EVENT_PARK, { "worker_id", "local_queue", NULL, "cpu_time_ns", "tid" } },
  { "WorkerUnparkEvent", PLR_EVENT_UNPARK, { "worker_id", "local_queue", NULL, "cpu_time_ns", "tid", "sched_wait_ns" } },
  { "TaskSpawnEvent", PLR_EVENT_TASK_SPAWN, { NULL, NULL, "spawn_loc", "task_id", NULL } },
  { "TaskTerminateEvent", PLR_EVENT_TASK_TERMINATE, { NULL, NULL, NULL, "task_id", NULL } },
  { "RuntimeMetricsEvent", PLR_EVENT_QUEUE_DEPTH, { NULL, NULL, NULL, "global_queue_depth", NULL } },
};

typedef struct
{
  GArray *events; /* of PlrEvent */
  guint64 n_seen;
  guint64 n_taken;
  guint64 n_bytes; /* of dial9's segments without the events that stay out */
} Stream;

static gboolean
read_value (PlWire *wire, guint8 type, guint64 *out_value)
{
  guint8 byte = 1;
  guint16 u16;
  guint32 u32;

  *out_value = 0;
  if (type & TRC_OPTIONAL)
    {
      if (pl_wire_read_u8 (wire, &byte) != PL_WIRE_OK)
        return FALSE;
      if (byte == 0)
        {
          *out_value = PARKLANE_NOT_MEASURED;
          return TRUE;
        }
    }
  switch (type & ~TRC_OPTIONAL)
    {
    case TRC_BOOL:
    case TRC_U8:
      if (pl_wire_read_u8 (wire, &byte) != PL_WIRE_OK)
        return FALSE;
      *out_value = byte;
      return TRUE;
    case TRC_U16:
      if (pl_wire_read_u16 (wire, &u16) != PL_WIRE_OK)
        return FALSE;
      *out_value = u16;
      return TRUE;
    case TRC_U32:
    case TRC_POOLED_STRING:
      if (pl_wire_read_u32 (wire, &u32) != PL_WIRE_OK)
        return FALSE;
      *out_value = u32;
      return TRUE;
    case TRC_VARINT:
      return pl_wire_read_varint (wire, out_value) == PL_WIRE_OK;
    default:
      return FALSE;
    }
}

/* The values of an event that @counterpart takes, in its order. What it has no field for is 0, a value that is not
 * there is PARKLANE_NOT_MEASURED. */
static gboolean
read_event (const Counterpart *counterpart, const Frame *frame, guint64 values[N_VALUES])
{
  PlWire wire = { frame->body, frame->end };

  memset (values, 0, N_VALUES * sizeof *values);
  for (guint i = 0; i < frame->schema->n_fields; i++)
    {
      const FrameField *field = &frame->schema->fields[i];
      guint64 value;

      if (!read_value (&wire, field->type, &value))
        return FALSE;
      for (guint j = 0; j < N_VALUES; j++)
        if (counterpart->fields[j] != NULL && frame_name_equals (&field->name, counterpart->fields[j]))
          values[j] = value;
    }
  return TRUE;
}

static void
take_event (Stream *self, const Frame *frame)
{
  guint64 values[N_VALUES];

  self->n_seen++;
  for (guint i = 0; i < G_N_ELEMENTS (counterparts); i++)
    if (frame_name_equals (&frame->schema->name, counterparts[i].name) && read_event (&counterparts[i], frame, values))
      {
        PlrEvent event = {
          .time_ns = frame->at_ns,
          .word = plr_event_word (counterparts[i].kind, (guint32) values[1], (guint32) values[0], (guint32) values[2]),
          .payload = values[3],
          .tid = (guint32) values[4],
        };

        if (counterparts[i].fields[5] != NULL && values[5] != PARKLANE_NOT_MEASURED)
          {
            PlrEvent wait = { .time_ns = frame->at_ns, .word = PLR_EVENT_SCHED_WAIT, .payload = values[5] };

            g_array_append_val (self->events, wait);
          }
        g_array_append_val (self->events, event);
        self->n_taken++;
        return;
      }
  self->n_bytes -= (guint64) (frame->end - frame->begin);
}

static void
take_file (Stream *self, const char *path)
{
  g_autoptr(FrameWalk) walk = NULL;
  g_autofree char *contents = NULL;
  gsize size;
  Frame frame;

  if (!g_file_get_contents (path, &contents, &size, NULL))
    {
      printf ("# %s is not there\n", path);
      return;
    }
  self->n_bytes += size;
  walk = frame_walk_new ((const guint8 *) contents, size);
  while (frame_walk_next (walk, &frame))
    if (frame.tag == TRC_TAG_EVENT)
      take_event (self, &frame);
}

static int
compare_times (const void *a, const void *b)
{
  guint64 left = ((const PlrEvent *) a)->time_ns;
  guint64 right = ((const PlrEvent *) b)->time_ns;

  return (left > right) - (left < right);
}

static guint64
encode (GArray *events, int fd)
{
  PlrEncoder *encoder = plr_encoder_new ();
  guint64 size = 0;

  plr_encoder_begin_events (encoder, G_MAXUINT64, PLR_BATCH_BYTES);
  for (guint i = 0; i < events->len; i++)
    {
      plr_encoder_event (encoder, &g_array_index (events, PlrEvent, i));
      if (plr_encoder_get_size (encoder) < 65536 && i + 1 < events->len)
        continue;
      if (write (fd, plr_encoder_get_data (encoder), plr_encoder_get_size (encoder)) < 0)
        exit (1);
      size += plr_encoder_get_size (encoder);
      plr_encoder_reset_buffer (encoder);
      if (plr_encoder_get_batch_size (encoder) >= PLR_BATCH_BYTES)
        plr_encoder_begin_events (encoder, G_MAXUINT64, PLR_BATCH_BYTES);
    }
  plr_encoder_free (encoder);
  return size;
}

static PlrFile
make_file (void)
{
  char path[] = "/tmp/parklane-history-XXXXXX";
  int fd = mkstemp (path);
  PlrFile file;

  if (fd < 0 || unlink (path) < 0 || plr_file_identify (&file, fd) < 0)
    exit (1);
  return file;
}

int
main (int argc, char **argv)
{
  Stream stream = { .events = g_array_new (FALSE, FALSE, sizeof (PlrEvent)) };
  PlrFile raw = make_file ();
  PlrFile packed = make_file ();
  guint64 packed_bytes = 0;
  guint64 raw_bytes;
  gint64 begin_us;
  double n;

  for (int i = 1; i < argc; i++)
    take_file (&stream, argv[i]);
  if (stream.events->len == 0)
    {
      puts ("# no recorded traces here: no figures");
      return 0;
    }
  /* Stable, so that events of one thread at one time keep their order. */
  g_array_sort (stream.events, compare_times);
  raw_bytes = encode (stream.events, raw.fd);
  begin_us = g_get_monotonic_time ();
  if (plr_compress (&raw, &packed, PLR_COMPRESS_THOROUGH, G_MAXUINT64, NULL, &packed_bytes) < 0)
    return 1;

  n = (double) stream.n_taken;
  printf ("# %llu of %llu events; %llu bytes by dial9\n", (unsigned long long) stream.n_taken,
          (unsigned long long) stream.n_seen, (unsigned long long) stream.n_bytes);
  printf ("ratio_raw\t%.3f\n", (double) stream.n_bytes / (double) packed_bytes);
  printf ("recorded_share\t%.4f\n", n / (double) stream.n_seen);
  printf ("raw_bytes_per_event\t%.2f\n", (double) raw_bytes / n);
  printf ("packed_bytes_per_event\t%.2f\n", (double) packed_bytes / n);
  printf ("compress_mib_per_s\t%.0f\n",
          (double) raw_bytes / 1048576 / ((double) (g_get_monotonic_time () - begin_us) * 1e-6));
  g_array_unref (stream.events);
  close (raw.fd);
  close (packed.fd);
  return 0;
}
