/* pl-long-poll-notifier.c: tells of polls that pass the threshold while a session is followed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What was there when following began is not told, and of each spawn location one a minute: it is to call somebody to the
 * window, which has the list.
 */
#include "config.h"

#include "pl-long-poll-notifier.h"

#include "pl-rate-limiter.h"

#define INTERVAL_NS (G_GINT64_CONSTANT (60) * 1000000000)

struct _PlLongPollNotifier
{
  PlLongPollTell tell;
  gpointer data;
  PlRateLimiter *limiter;
  GHashTable *told; /* worker → start of its last poll that is no news, gint64 * both */
  gint64 threshold_ns;
  gboolean is_new; /* nothing was heard since the reset */
};

typedef struct
{
  PlLongPollNotifier *notifier;
  PlTrace *trace;
  gint64 from_ns; /* what starts up to here is no news */
  gint64 last_ns; /* the latest start of what was heard */
  gint64 now_ns;
} Hearing;

/**
 * pl_long_poll_notifier_new:
 *
 * Returns: (transfer full): a notifier that has heard nothing; knows no clock
 */
PlLongPollNotifier *
pl_long_poll_notifier_new (PlLongPollTell tell,
                           gpointer       data)
{
  PlLongPollNotifier *self = g_new0 (PlLongPollNotifier, 1);

  self->tell = tell;
  self->data = data;
  self->limiter = pl_rate_limiter_new (INTERVAL_NS);
  self->told = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  self->is_new = TRUE;
  return self;
}

void
pl_long_poll_notifier_free (PlLongPollNotifier *self)
{
  pl_rate_limiter_free (self->limiter);
  g_hash_table_unref (self->told);
  g_free (self);
}

/**
 * pl_long_poll_notifier_reset:
 *
 * Begins anew, as with another trace: what the next snapshot has is not told.
 */
void
pl_long_poll_notifier_reset (PlLongPollNotifier *self)
{
  g_hash_table_remove_all (self->told);
  self->is_new = TRUE;
}

static gboolean
hear_poll (const PlPoll *poll,
           gpointer      data)
{
  Hearing *hearing = data;
  PlLongPollNotifier *self = hearing->notifier;
  g_autofree char *location = NULL;
  guint n_held;

  if (poll->start_ns <= hearing->from_ns || !pl_poll_is_long (poll, self->threshold_ns))
    return TRUE;
  hearing->last_ns = MAX (hearing->last_ns, poll->start_ns);
  location = g_strdup (pl_trace_get_string (hearing->trace, poll->spawn_loc));
  if (pl_rate_limiter_allow (self->limiter, location != NULL ? location : "", hearing->now_ns, &n_held))
    self->tell (hearing->trace, poll, n_held, self->data);
  return TRUE;
}

/* Where what is news begins on a lane; a lane that comes later is new as a whole. */
static gint64 *
find_told (PlLongPollNotifier *self,
           const PlLane       *lane,
           gint64              frontier_ns)
{
  gint64 worker = (gint64) pl_lane_get_worker (lane);
  gint64 *told_ns = g_hash_table_lookup (self->told, &worker);

  if (told_ns != NULL)
    return told_ns;
  told_ns = g_new (gint64, 1);
  *told_ns = self->is_new ? frontier_ns : G_MININT64;
  g_hash_table_insert (self->told, g_memdup2 (&worker, sizeof worker), told_ns);
  return told_ns;
}

static void
hear_lane (PlLongPollNotifier *self,
           PlTrace            *trace,
           const PlLane       *lane,
           gint64              now_ns)
{
  gint64 first_ns;
  gint64 frontier_ns;
  gint64 *told_ns;
  Hearing hearing;
  PlPoll latest;

  if (!pl_lane_get_known_range (lane, &first_ns, &frontier_ns))
    return;
  told_ns = find_told (self, lane, frontier_ns);
  hearing = (Hearing) { self, trace, *told_ns, *told_ns, now_ns };
  pl_lane_foreach_poll (lane, MAX (*told_ns, first_ns), G_MAXINT64, self->threshold_ns, hear_poll, &hearing);
  if (pl_lane_previous_poll (lane, G_MAXINT64, self->threshold_ns, &latest) && (latest.flags & PL_POLL_OPEN) != 0)
    hear_poll (&latest, &hearing);
  *told_ns = hearing.last_ns;
}

/**
 * pl_long_poll_notifier_hear:
 * @self: a notifier
 * @trace: the newest snapshot of what is followed
 * @threshold_ns: a poll of this duration or more is long; with another one than before, only later polls count
 * @now_ns: monotonic time
 *
 * Tells of the long polls that @trace has beyond what the snapshot before had.
 */
void
pl_long_poll_notifier_hear (PlLongPollNotifier *self,
                            PlTrace            *trace,
                            gint64              threshold_ns,
                            gint64              now_ns)
{
  if (threshold_ns != self->threshold_ns)
    pl_long_poll_notifier_reset (self);
  self->threshold_ns = threshold_ns;

  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    hear_lane (self, trace, pl_trace_get_lane (trace, i), now_ns);
  self->is_new = FALSE;
}
