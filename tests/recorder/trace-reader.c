/* trace-reader.c: reads TRC frames for the recorder's tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Written from the format's description alone, and strict: it knows only what our recorder writes.
 */
#include "trace-reader.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define MAX_TYPES 32

typedef struct
{
  const char *name;
  guint n_fields;
  const char *fields[MAX_EVENT_FIELDS];
  guint8 types[MAX_EVENT_FIELDS];
} Type;

typedef struct
{
  const guint8 *p;
  const guint8 *end;
  Type types[MAX_TYPES];
  GPtrArray *strings;
  guint64 base_ns;
  Trace *trace;
  gboolean is_cut;
} Reader;

static gboolean
have (Reader *self, gsize n)
{
  if ((gsize) (self->end - self->p) < n)
    self->is_cut = TRUE;
  return !self->is_cut;
}

static guint64
take (Reader *self, guint n_bytes)
{
  guint64 value = 0;

  if (!have (self, n_bytes))
    return 0;
  for (guint i = 0; i < n_bytes; i++)
    value |= (guint64) self->p[i] << (8 * i);
  self->p += n_bytes;
  return value;
}

static guint64
take_varint (Reader *self)
{
  guint64 value = 0;
  guint8 byte;

  for (guint shift = 0; shift < 70; shift += 7)
    {
      byte = (guint8) take (self, 1);
      value |= (guint64) (byte & 0x7f) << shift;
      if (byte < 0x80)
        break;
    }
  return value;
}

static const char *
take_text (Reader *self, guint length_size)
{
  gsize length = take (self, length_size);
  g_autofree char *text = NULL;

  if (!have (self, length))
    return NULL;
  g_assert_true (g_utf8_validate ((const char *) self->p, (gssize) length, NULL));
  text = g_strndup ((const char *) self->p, length);
  self->p += length;
  return g_intern_string (text);
}

static void
take_map (Reader *self)
{
  guint n = (guint) take (self, 4);

  for (guint i = 0; i < n && !self->is_cut; i++)
    {
      const char *key = take_text (self, 4);
      const char *value = take_text (self, 4);

      if (!self->is_cut)
        g_hash_table_insert (self->trace->metadata, (gpointer) key, (gpointer) value);
    }
}

static void
take_schema (Reader *self)
{
  guint id = (guint) take (self, 2);
  Type type = { .name = take_text (self, 2) };

  g_assert_cmpuint (take (self, 1), <=, 1);
  type.n_fields = (guint) take (self, 2);
  g_assert_cmpuint (type.n_fields, <=, MAX_EVENT_FIELDS);
  for (guint i = 0; i < type.n_fields && !self->is_cut; i++)
    {
      type.fields[i] = take_text (self, 2);
      type.types[i] = (guint8) take (self, 1);
    }
  if (self->is_cut)
    return;
  g_assert_cmpuint (id, <, MAX_TYPES);
  g_assert_null (self->types[id].name);
  self->types[id] = type;
}

static void
take_value (Reader *self, EventField *field, guint8 type)
{
  guint id;

  field->is_there = TRUE;
  if (type & 0x80)
    {
      field->is_there = take (self, 1) != 0;
      if (!field->is_there)
        return;
    }
  switch (type & 0x7f)
    {
    case 3:
    case 11:
      field->number = take (self, 1);
      break;
    case 13:
      field->number = take (self, 4);
      break;
    case 9:
      field->number = take_varint (self);
      break;
    case 7:
      id = (guint) take (self, 4);
      if (self->is_cut)
        break;
      g_assert_cmpuint (id, <, self->strings->len);
      field->text = g_ptr_array_index (self->strings, id);
      break;
    case 10:
      take_map (self);
      break;
    default:
      g_error ("field type %u is not one the recorder uses", type);
    }
}

static void
take_event (Reader *self)
{
  guint id = (guint) take (self, 2);
  guint64 delta = take (self, 3);
  const Type *type;
  Event event;

  if (self->is_cut)
    return;
  g_assert_cmpuint (id, <, MAX_TYPES);
  type = &self->types[id];
  g_assert_nonnull (type->name);

  event = (Event) { .name = type->name, .time_ns = self->base_ns + delta, .n_fields = type->n_fields };
  for (guint i = 0; i < type->n_fields; i++)
    {
      event.fields[i].name = type->fields[i];
      take_value (self, &event.fields[i], type->types[i]);
    }
  if (self->is_cut)
    return;
  self->base_ns = event.time_ns;
  g_array_append_val (self->trace->events, event);
}

static void
take_string (Reader *self)
{
  const char *text;
  guint id;

  g_assert_cmpuint (take (self, 4), <=, 1);
  id = (guint) take (self, 4);
  text = take_text (self, 4);
  if (self->is_cut)
    return;
  g_assert_cmpuint (id, ==, self->strings->len);
  g_ptr_array_add (self->strings, (gpointer) text);
}

static void
take_header (Reader *self)
{
  static const guint8 header[] = { 'T', 'R', 'C', 0, 1 };

  if (!have (self, sizeof header))
    return;
  g_assert_cmpmem (self->p, sizeof header, header, sizeof header);
  self->p += sizeof header;
  memset (self->types, 0, sizeof self->types);
  g_ptr_array_set_size (self->strings, 0);
  self->base_ns = 0;
  self->trace->n_batches++;
}

static void
take_frame (Reader *self)
{
  if (*self->p == 'T')
    {
      take_header (self);
      return;
    }
  g_assert_cmpuint (self->trace->n_batches, >, 0);
  switch (take (self, 1))
    {
    case 1:
      take_schema (self);
      break;
    case 2:
      take_event (self);
      break;
    case 3:
      take_string (self);
      break;
    case 5:
      self->base_ns = take (self, 8);
      break;
    default:
      g_error ("frame tag %u is not one the recorder writes", self->p[-1]);
    }
}

static void
read_into (Trace *trace, const guint8 *data, gsize size, gboolean may_be_cut)
{
  Reader reader = { .p = data, .end = data + size, .trace = trace, .strings = g_ptr_array_new () };

  while (reader.p < reader.end)
    {
      const guint8 *frame = reader.p;

      take_frame (&reader);
      if (reader.is_cut)
        {
          g_assert_true (may_be_cut);
          reader.p = frame;
          break;
        }
    }
  trace->end = (gsize) (reader.p - data);
  g_ptr_array_unref (reader.strings);
}

static Trace *
trace_new (void)
{
  Trace *self = g_new0 (Trace, 1);

  self->events = g_array_new (FALSE, FALSE, sizeof (Event));
  self->metadata = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

Trace *
trace_read (const guint8 *data, gsize size, gboolean may_be_cut)
{
  Trace *self = trace_new ();

  read_into (self, data, size, may_be_cut);
  return self;
}

/* What `zstd -d` makes of a segment. */
static GByteArray *
decompress (const char *data, gsize size)
{
  GByteArray *raw = g_byte_array_new ();
  ZSTD_DStream *stream = ZSTD_createDStream ();
  ZSTD_inBuffer in = { .src = data, .size = size };

  while (in.pos < in.size)
    {
      guint8 buffer[65536];
      ZSTD_outBuffer out = { .dst = buffer, .size = sizeof buffer };

      g_assert_false (ZSTD_isError (ZSTD_decompressStream (stream, &out, &in)));
      g_byte_array_append (raw, buffer, (guint) out.pos);
    }
  ZSTD_freeDStream (stream);
  return raw;
}

static void
read_file_into (Trace *self, const char *path, gboolean may_be_cut)
{
  g_autoptr(GError) error = NULL;
  g_autofree char *data = NULL;
  gsize size;

  g_file_get_contents (path, &data, &size, &error);
  g_assert_no_error (error);
  if (g_str_has_suffix (path, ".zst"))
    {
      g_autoptr(GByteArray) raw = decompress (data, size);

      read_into (self, raw->data, raw->len, may_be_cut);
    }
  else
    read_into (self, (const guint8 *) data, size, may_be_cut);
}

Trace *
trace_read_file (const char *path, gboolean may_be_cut)
{
  Trace *self = trace_new ();

  read_file_into (self, path, may_be_cut);
  return self;
}

static int
compare_numbers (gconstpointer a, gconstpointer b)
{
  guint left = *(const guint *) a;
  guint right = *(const guint *) b;

  return (left > right) - (left < right);
}

Trace *
trace_read_session (const char *dir, const char *prefix)
{
  g_autoptr(GDir) handle = g_dir_open (dir, 0, NULL);
  g_autofree char *head = g_strconcat (prefix, ".", NULL);
  g_autoptr(GArray) numbers = g_array_new (FALSE, FALSE, sizeof (guint));
  Trace *self = trace_new ();
  const char *name;

  g_assert_nonnull (handle);
  while ((name = g_dir_read_name (handle)) != NULL)
    if (g_str_has_prefix (name, head)
        && (g_str_has_suffix (name, ".bin") || g_str_has_suffix (name, ".bin.active") || g_str_has_suffix (name, ".bin.zst")))
      {
        guint number = (guint) strtoul (name + strlen (head), NULL, 10);

        g_array_append_val (numbers, number);
      }
  g_array_sort (numbers, compare_numbers);

  for (guint i = 0; i < numbers->len; i++)
    {
      g_autofree char *sealed = g_strdup_printf ("%s/%s%u.bin", dir, head, g_array_index (numbers, guint, i));
      g_autofree char *active = g_strconcat (sealed, ".active", NULL);
      g_autofree char *packed = g_strconcat (sealed, ".zst", NULL);

      if (i > 0 && g_array_index (numbers, guint, i) == g_array_index (numbers, guint, i - 1))
        continue;
      if (g_file_test (sealed, G_FILE_TEST_EXISTS))
        read_file_into (self, sealed, FALSE);
      else if (g_file_test (packed, G_FILE_TEST_EXISTS))
        read_file_into (self, packed, FALSE);
      else
        read_file_into (self, active, TRUE);
    }
  return self;
}

void
trace_free (Trace *self)
{
  g_array_unref (self->events);
  g_hash_table_unref (self->metadata);
  g_free (self);
}

const Event *
trace_get (const Trace *self, guint index)
{
  g_assert_cmpuint (index, <, self->events->len);
  return &g_array_index (self->events, Event, index);
}

const Event *
trace_find (const Trace *self, const char *name, guint nth)
{
  for (guint i = 0; i < self->events->len; i++)
    if (g_str_equal (trace_get (self, i)->name, name) && nth-- == 0)
      return trace_get (self, i);
  return NULL;
}

guint
trace_count (const Trace *self, const char *name)
{
  guint n = 0;

  for (guint i = 0; i < self->events->len; i++)
    n += g_str_equal (trace_get (self, i)->name, name);
  return n;
}

static const EventField *
find_field (const Event *event, const char *name)
{
  for (guint i = 0; i < event->n_fields; i++)
    if (g_str_equal (event->fields[i].name, name))
      return &event->fields[i];
  g_error ("%s has no field %s", event->name, name);
}

guint64
event_number (const Event *event, const char *field)
{
  return find_field (event, field)->number;
}

const char *
event_text (const Event *event, const char *field)
{
  return find_field (event, field)->text;
}

static char *
describe (const Event *event)
{
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "%020" G_GUINT64_FORMAT " %s", event->time_ns, event->name);
  for (guint i = 0; i < event->n_fields; i++)
    {
      const EventField *field = &event->fields[i];

      if (field->text != NULL)
        g_string_append_printf (text, " %s=%s", field->name, field->text);
      else if (field->is_there)
        g_string_append_printf (text, " %s=%" G_GUINT64_FORMAT, field->name, field->number);
    }
  return g_string_free (text, FALSE);
}

static int
compare_texts (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

static GPtrArray *
describe_all (const Trace *trace)
{
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < trace->events->len; i++)
    g_ptr_array_add (texts, describe (trace_get (trace, i)));
  g_ptr_array_sort (texts, compare_texts);
  return texts;
}

gboolean
event_is_recorded (const Event *event)
{
  return !g_str_equal (event->name, "ClockSyncEvent") && !g_str_equal (event->name, "SegmentMetadataEvent")
         && !g_str_equal (event->name, "ParklaneHeartbeatEvent") && !g_str_equal (event->name, "ParklaneGapEvent")
         && !g_str_equal (event->name, "ParklaneOpenPollEvent") && !g_str_equal (event->name, "ParklaneOpenParkEvent");
}

void
trace_assert_same_events (const Trace *a, const Trace *b)
{
  g_autoptr(GPtrArray) left = describe_all (a);
  g_autoptr(GPtrArray) right = describe_all (b);

  g_assert_cmpuint (left->len, ==, right->len);
  for (guint i = 0; i < left->len; i++)
    g_assert_cmpstr (left->pdata[i], ==, right->pdata[i]);
}

Polls
trace_get_polls (const Trace *self)
{
  static const guint64 limits_ns[] = { 1000000, 5000000, 40000000, 100000000 };
  guint64 open_ns[256] = { 0 };
  Polls polls = { 0 };

  for (guint i = 0; i < self->events->len; i++)
    {
      const Event *event = trace_get (self, i);
      guint64 worker;

      if (g_str_equal (event->name, "PollStartEvent"))
        {
          worker = event_number (event, "worker_id");
          g_assert_cmpuint (worker, <, 256);
          polls.n_unpaired += open_ns[worker] != 0;
          open_ns[worker] = event->time_ns;
        }
      else if (g_str_equal (event->name, "PollEndEvent"))
        {
          worker = event_number (event, "worker_id");
          g_assert_cmpuint (worker, <, 256);
          if (open_ns[worker] == 0)
            {
              polls.n_unpaired++;
              continue;
            }
          polls.n_polls++;
          polls.per_worker[worker]++;
          polls.longest_ns = MAX (polls.longest_ns, event->time_ns - open_ns[worker]);
          for (guint k = 0; k < G_N_ELEMENTS (limits_ns); k++)
            polls.at_least[k] += event->time_ns - open_ns[worker] >= limits_ns[k];
          open_ns[worker] = 0;
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (open_ns); i++)
    polls.n_open += open_ns[i] != 0;
  return polls;
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *) a, *(const char *const *) b);
}

char *
list_directory (const char *dir)
{
  g_autoptr(GDir) handle = g_dir_open (dir, 0, NULL);
  g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  g_assert_nonnull (handle);
  while ((name = g_dir_read_name (handle)) != NULL)
    g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  g_ptr_array_add (names, NULL);
  return g_strjoinv (" ", (char **) names->pdata);
}

void
remove_tree (const char *dir)
{
  g_autoptr(GDir) handle = g_dir_open (dir, 0, NULL);
  const char *name;

  while (handle != NULL && (name = g_dir_read_name (handle)) != NULL)
    {
      g_autofree char *path = g_build_filename (dir, name, NULL);

      if (g_file_test (path, G_FILE_TEST_IS_DIR) && !g_file_test (path, G_FILE_TEST_IS_SYMLINK))
        remove_tree (path);
      else
        g_unlink (path);
    }
  g_rmdir (dir);
}
