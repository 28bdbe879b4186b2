/* trace-reader.h: a small reader of what the recorder writes, independent of recorder and viewer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef TRACE_READER_H
#define TRACE_READER_H

#include <glib.h>

#define MAX_EVENT_FIELDS 8

typedef struct
{
  const char *name;  /* interned */
  guint64 number;
  const char *text;  /* interned; NULL for a number */
  gboolean is_there; /* FALSE for an optional field that is absent */
} EventField;

typedef struct
{
  const char *name; /* interned: compare with g_str_equal() */
  guint64 time_ns;
  guint n_fields;
  EventField fields[MAX_EVENT_FIELDS];
} Event;

typedef struct
{
  GArray *events;       /* of Event */
  GHashTable *metadata; /* of all SegmentMetadataEvents, the last of a key */
  guint n_batches;
  gsize end;            /* bytes of whole frames */
} Trace;

/* Reads the frames of @data. Fails the test on anything that is not a whole, valid frame, unless
 * @may_be_cut: then it ends at the last whole one. */
Trace *trace_read (const guint8 *data, gsize size, gboolean may_be_cut);
Trace *trace_read_file (const char *path, gboolean may_be_cut);

/* All segments of a prefix in a directory, compressed or not, in the order of their numbers, as one trace. */
Trace *trace_read_session (const char *dir, const char *prefix);
void   trace_free (Trace *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Trace, trace_free)

const Event *trace_get (const Trace *self, guint index);
guint        trace_count (const Trace *self, const char *name);

/* The @nth event of a name, NULL when there are fewer. */
const Event *trace_find (const Trace *self, const char *name, guint nth);

/* A field's value; fails the test when the event has no such field. */
guint64      event_number (const Event *event, const char *field);
const char  *event_text (const Event *event, const char *field);

/* Whether the host recorded it: the recorder adds gaps, heartbeats and what opens segments and batches. */
gboolean     event_is_recorded (const Event *event);

/* Fails the test unless both hold the same events with the same values; in any order. */
void trace_assert_same_events (const Trace *a, const Trace *b);

/* Polls by pairing starts and ends per worker. */
typedef struct
{
  guint64 n_polls;
  guint64 n_open;
  guint64 n_unpaired;
  guint64 longest_ns;
  guint64 per_worker[256];
  guint64 at_least[4]; /* 1, 5, 40, 100 ms */
} Polls;

Polls trace_get_polls (const Trace *self);

/* Names of the files in a directory, sorted, joined by blanks. */
char *list_directory (const char *dir);

/* Removes a directory and what is in it. */
void remove_tree (const char *dir);

#endif /* TRACE_READER_H */
