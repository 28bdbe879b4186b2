/* pl-join.h: polls and parks whose two ends lie in different batches
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_JOIN_H
#define PL_JOIN_H

#include "pl-piece.h"

G_BEGIN_DECLS

/**
 * PlJoined:
 * @polls: (element-type PlPoll): with an end from a later batch
 * @parks: (element-type PlPoll): likewise; @flags is the queue depth at the end
 * @holes: (element-type PlHole): what is not known of the worker, in order of time: from a gap on, up to the end of
 *   something that began in it
 * @open_polls: (element-type PlPoll): without an end at the end of the data; as long as they were certainly running
 * @open_park_ns: latest park without an unpark, or %G_MININT64
 * @open_park_queue: queue depth then
 * @n_unpaired: starts and ends whose other half is missing for another reason
 * @first_ns: first event of the worker
 * @frontier_ns: last event of the worker
 *
 * What the edges of one worker's runs add to what is paired inside them.
 */
typedef struct
{
  GArray *polls;
  GArray *parks;
  GArray *holes;
  GArray *open_polls;
  gint64 open_park_ns;
  guint8 open_park_queue;
  guint64 n_unpaired;
  gint64 first_ns;
  gint64 frontier_ns;
} PlJoined;

/* Where the pairing of one worker's edges has come to. */
typedef struct _PlJoin PlJoin;

PlJoin  *pl_join_new   (void);
PlJoin  *pl_join_copy  (const PlJoin *self);
void     pl_join_free  (PlJoin       *self);
gboolean pl_join_go_on (PlJoin       *self,
                        GArray       *edges);
void     pl_join_break (PlJoin       *self,
                        gint64        at_ns);
gint64   pl_join_get_waiting_ns (const PlJoin *self);
void     pl_join_take  (PlJoin       *self,
                        PlJoined     *out_joined);
void     pl_join_clear (PlJoined     *joined);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (PlJoin, pl_join_free)

G_END_DECLS

#endif /* PL_JOIN_H */
