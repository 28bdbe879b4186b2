/* pl-gap.h: a stretch of time from which events are missing, as the recorder says
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_GAP_H
#define PL_GAP_H

#include <glib.h>

#include "recorder/trc.h"

G_BEGIN_DECLS

typedef enum
{
  PL_GAP_OTHER, /* one that this version does not know */
  PL_GAP_RING_FULL,
  PL_GAP_OUTPUT,
  PL_GAP_PAUSED,
  PL_GAP_NO_MEMORY,
  PL_N_GAP_CAUSES,
} PlGapCause;

/**
 * PlGap:
 * @from_ns: since when events are missing
 * @to_ns: until when, not before @from_ns
 * @n_lost: at most so many; 0 when nobody counted, as while recording was paused
 * @worker: whose events are missing, or %TRC_WORKER_NONE
 * @tid: the thread whose events are missing; 0 = those of all threads may be, or it is not known which
 * @cause: #PlGapCause
 */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
  guint64 n_lost;
  guint64 worker;
  guint32 tid;
  guint32 cause;
} PlGap;

/* A stretch of which something may not be known. */
typedef struct
{
  gint64 from_ns;
  gint64 to_ns;
} PlHole;

/* Whether events of any worker may be missing. A thread that is known and has no worker says nothing of workers. */
static inline gboolean
pl_gap_is_of_all (const PlGap *self)
{
  return self->worker == TRC_WORKER_NONE && self->tid == 0;
}

PlGapCause  pl_gap_cause_parse    (const char  *name);
const char *pl_gap_get_cause_name (const PlGap *self);
const char *pl_gap_get_cause_text (const PlGap *self);

G_END_DECLS

#endif /* PL_GAP_H */
