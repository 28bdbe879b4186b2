/* pl-loader-private.h: what a loader is, for the files that make it
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_LOADER_PRIVATE_H
#define PL_LOADER_PRIVATE_H

#include "pl-follow-thread.h"
#include "pl-load-job.h"
#include "pl-loader.h"

struct _PlLoader
{
  GObject parent;
  GStrv paths;
  PlLoadJob *job;
  PlTrace *trace;
  guint64 memory_budget;
  gint64 view_from_ns; /* what is looked at; empty until something is */
  gint64 view_to_ns;
  guint view_columns;
  GCancellable *sharpening;
  gboolean awaits_detail; /* that was sharpened, and comes with the next snapshot that is followed */
  gboolean follows;
  PlFollow *follow;       /* between loading and following */
  PlFollowThread *thread; /* while it is followed */
  PlFollowState state;
  guint pace_ms;
  GMainContext *context;
  gboolean is_loading;
  gint64 started_us;
  gint64 elapsed_us;
};

/* Makes @trace the newest snapshot and tells so. */
void pl_loader_set_trace (PlLoader *self,
                          PlTrace  *trace);

/* Begins to read the detail of what is looked at, where it is missing and nothing else is going on. */
void pl_loader_sharpen   (PlLoader *self);

#endif /* PL_LOADER_PRIVATE_H */
