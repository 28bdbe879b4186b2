/* test-trace.h: makes the bytes of a trace, event by event, for tests
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef TEST_TRACE_H
#define TEST_TRACE_H

#include "pl-trace.h"

G_BEGIN_DECLS

/* A stream under construction. Every function appends whole frames; events of the built-in types bring their schema
 * and strings with them at their first use in a batch, and a reset where the step in time demands one. */
typedef struct _TestTrace TestTrace;

TestTrace *test_trace_new            (void);
TestTrace *test_trace_new_empty      (void);
void       test_trace_free           (TestTrace  *self);

void       test_trace_header         (TestTrace  *self);
void       test_trace_bytes          (TestTrace  *self,
                                      const void *bytes,
                                      gsize       size);
void       test_trace_reset          (TestTrace  *self,
                                      guint64     at_ns);
void       test_trace_metadata       (TestTrace  *self,
                                      gint64      at_ns,
                                      const char *key,
                                      const char *value);
void       test_trace_clock_sync     (TestTrace  *self,
                                      gint64      at_ns,
                                      guint64     wall_ns);
void       test_trace_poll_start     (TestTrace  *self,
                                      guint64     worker,
                                      guint64     task,
                                      const char *spawn_loc,
                                      gint64      at_ns);
void       test_trace_poll_end       (TestTrace  *self,
                                      guint64     worker,
                                      gint64      at_ns);
void       test_trace_poll           (TestTrace  *self,
                                      guint64     worker,
                                      guint64     task,
                                      const char *spawn_loc,
                                      gint64      at_ns,
                                      gint64      duration_ns);
void       test_trace_park           (TestTrace  *self,
                                      guint64     worker,
                                      guint32     tid,
                                      gint64      at_ns);
void       test_trace_unpark         (TestTrace  *self,
                                      guint64     worker,
                                      guint32     tid,
                                      gint64      at_ns);
void       test_trace_spawn          (TestTrace  *self,
                                      guint64     task,
                                      const char *spawn_loc,
                                      gint64      at_ns);
void       test_trace_terminate      (TestTrace  *self,
                                      guint64     task,
                                      gint64      at_ns);
void       test_trace_queue          (TestTrace  *self,
                                      const char *runtime,
                                      guint32     depth,
                                      guint32     alive,
                                      gint64      at_ns);
void       test_trace_gap            (TestTrace  *self,
                                      const PlGap *gap);
void       test_trace_heartbeat      (TestTrace  *self,
                                      const char *health,
                                      gint64      at_ns);
void       test_trace_custom         (TestTrace  *self,
                                      const char *name,
                                      gint64      at_ns);

/* The local queue depth of the poll starts, parks and unparks that follow; 0 at first. */
void       test_trace_local_queue    (TestTrace  *self,
                                      guint8      depth);

/* Frames and values one by one, for what no recorder writes. @types holds one type code per field. */
void       test_trace_schema         (TestTrace  *self,
                                      guint16     type_id,
                                      const char *name,
                                      const char *const *fields,
                                      const char *types);
void       test_trace_string         (TestTrace  *self,
                                      guint32     id,
                                      const char *text);
void       test_trace_event          (TestTrace  *self,
                                      guint16     type_id,
                                      gint64      at_ns);
void       test_trace_u8             (TestTrace  *self,
                                      guint8      value);
void       test_trace_u16            (TestTrace  *self,
                                      guint16     value);
void       test_trace_u32            (TestTrace  *self,
                                      guint32     value);
void       test_trace_u64            (TestTrace  *self,
                                      guint64     value);
void       test_trace_varint         (TestTrace  *self,
                                      guint64     value);
void       test_trace_text           (TestTrace  *self,
                                      const char *text);
void       test_trace_hex            (TestTrace  *self,
                                      const char *digits);

gsize      test_trace_get_size       (TestTrace  *self);
const guint8 *test_trace_get_bytes   (TestTrace  *self);
char      *test_trace_save           (TestTrace  *self,
                                      const char *name);
PlTrace   *test_trace_load           (TestTrace  *self);
PlTrace   *test_trace_load_path      (const char *path);
PlTrace   *test_trace_load_paths     (const char *const *paths,
                                      guint       n_threads);
PlTrace   *test_trace_load_bytes     (const void *bytes,
                                      gsize       size);

/* Facts of a snapshot that most tests look at. */
const PlTraceFile *test_trace_get_file (PlTrace   *trace,
                                      guint       index);
guint64    test_trace_count          (PlTrace    *trace,
                                      const char *event);
void       test_trace_assert_fault   (PlTrace    *trace,
                                      int         code,
                                      guint64     offset);

/* A scratch directory of the process, removed by test_trace_cleanup(). */
const char *test_trace_directory     (void);
void        test_trace_cleanup       (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestTrace, test_trace_free)

G_END_DECLS

#endif /* TEST_TRACE_H */
