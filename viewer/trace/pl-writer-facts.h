/* pl-writer-facts.h: what a stream says of its writer's state
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#ifndef PL_WRITER_FACTS_H
#define PL_WRITER_FACTS_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  PL_WRITER_HEALTH_UNKNOWN,
  PL_WRITER_HEALTH_OK,
  PL_WRITER_HEALTH_PAUSED,
  PL_WRITER_HEALTH_DEGRADED,
} PlWriterHealth;

/**
 * PlWriterFacts:
 * @heartbeat_period_ns: as declared in `parklane.heartbeat_ns`; 0 = no heartbeat is promised
 * @budget_bytes: from `parklane.budget_bytes`; 0 = not declared
 * @pid: from `parklane.pid`, in the writer's own process namespace; 0 = not declared
 * @n_heartbeats: `ParklaneHeartbeatEvent`s
 * @health: as the last of them told it
 * @n_dropped: events that the writer had dropped by then
 * @n_degraded: heartbeats in a row that told of a fault, the last one included
 * @n_queue_samples: of which a dial9 recorder writes a hundred a second, however idle the service
 * @n_framing: clock and metadata events, which say nothing of the service
 */
typedef struct
{
  guint64 heartbeat_period_ns;
  guint64 budget_bytes;
  guint64 pid;
  guint64 n_heartbeats;
  PlWriterHealth health;
  guint64 n_dropped;
  guint64 n_degraded;
  guint64 n_queue_samples;
  guint64 n_framing;
} PlWriterFacts;

G_END_DECLS

#endif /* PL_WRITER_FACTS_H */
