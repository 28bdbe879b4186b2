/* pl-load-job.h: reading all files of a session on several threads
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LOAD_JOB_H
#define PL_LOAD_JOB_H

#include <gio/gio.h>

#include "pl-follow.h"
#include "pl-trace.h"

G_BEGIN_DECLS

typedef struct _PlLoadJob PlLoadJob;

/**
 * PlLoadJobFunc:
 * @trace: (nullable) (transfer none): a new snapshot, if something was added since the last
 *
 * Called about every 100 ms while a job runs, on the thread that runs it.
 */
typedef void (*PlLoadJobFunc) (PlLoadJob *job, PlTrace *trace, gpointer user_data);

PlLoadJob *pl_load_job_new            (const char * const *paths,
                                       guint               n_threads,
                                       guint64             memory_budget);
void       pl_load_job_free           (PlLoadJob          *self);
PlTrace   *pl_load_job_run            (PlLoadJob          *self,
                                       GCancellable       *cancellable,
                                       PlLoadJobFunc       func,
                                       gpointer            user_data,
                                       GError            **error);
PlTrace   *pl_load_job_run_once       (PlLoadJob          *self,
                                       GCancellable       *cancellable,
                                       GError            **error);
PlFollow  *pl_load_job_hand_over      (PlLoadJob          *self);
void       pl_load_job_remember       (PlLoadJob          *self);
void       pl_load_job_get_progress   (PlLoadJob          *self,
                                       guint64            *out_bytes_read,
                                       guint64            *out_bytes_total,
                                       guint64            *out_n_events);

G_END_DECLS

#endif /* PL_LOAD_JOB_H */
