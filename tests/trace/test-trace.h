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
void       test_trace_custom         (TestTrace  *self,
                                      const char *name,
                                      gint64      at_ns);

gsize      test_trace_get_size       (TestTrace  *self);
const guint8 *test_trace_get_bytes   (TestTrace  *self);
char      *test_trace_save           (TestTrace  *self,
                                      const char *name);
PlTrace   *test_trace_load           (TestTrace  *self);
PlTrace   *test_trace_load_path      (const char *path);

/* A scratch directory of the process, removed by test_trace_cleanup(). */
const char *test_trace_directory     (void);
void        test_trace_cleanup       (void);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TestTrace, test_trace_free)

G_END_DECLS

#endif /* TEST_TRACE_H */
