/* pl-long-polls.c: polls at or over a threshold
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-long-polls.h"

#include <string.h>

#include "pl-detail.h"
#include "pl-poll-sort.h"
#include "pl-trace-private.h"

/* How many polls are collected between two looks at the cancellable. */
#define CANCEL_INTERVAL 4096

typedef struct
{
  guint64 n;
  gint64 longest_ns;
} Count;

static gboolean
count_poll (const PlPoll *poll, gpointer user_data)
{
  Count *count = user_data;

  count->n++;
  count->longest_ns = MAX (count->longest_ns, poll->duration_ns);
  return TRUE;
}

/**
 * pl_long_polls_count:
 * @from_ns: start of a stretch
 * @to_ns: its end
 * @threshold_ns: a poll of this duration or more is long
 * @out_longest_ns: (out) (optional): the longest of them, 0 when there is none
 *
 * Counts the finished polls at or over the threshold that touch the stretch. Any thread; O(log n) for each. In
 * a snapshot with summaries only those of %PL_SUMMARY_FLOOR_NS or more are known to it.
 *
 * Returns: how many
 */
guint64
pl_long_polls_count (PlTrace *trace, gint64 from_ns, gint64 to_ns, gint64 threshold_ns, gint64 *out_longest_ns)
{
  Count count = { 0, 0 };

  for (guint i = 0; i < pl_trace_get_n_all_lanes (trace); i++)
    pl_lane_foreach_poll (pl_trace_get_any_lane (trace, i), from_ns, to_ns, threshold_ns, count_poll, &count);
  if (out_longest_ns != NULL)
    *out_longest_ns = count.longest_ns;
  return count.n;
}

typedef struct
{
  GArray *polls;
  GCancellable *cancellable;
} Find;

static gboolean
add_poll (const PlPoll *poll, gpointer user_data)
{
  Find *find = user_data;

  g_array_append_val (find->polls, *poll);
  return find->polls->len % CANCEL_INTERVAL != 0 || !g_cancellable_is_cancelled (find->cancellable);
}

/**
 * pl_long_polls_add_growing:
 * @threshold_ns: a poll of this duration or more is long
 * @polls: (element-type PlPoll): what to add to
 *
 * Adds the polls that are seen growing past the threshold while a session is being recorded, those of ids without a row
 * included.
 */
void
pl_long_polls_add_growing (PlTrace *trace, gint64 threshold_ns, GArray *polls)
{
  for (guint i = 0; i < pl_trace_get_n_all_lanes (trace); i++)
    {
      const PlLane *lane = pl_trace_get_any_lane (trace, i);

      for (guint j = 0; j < lane->open->len; j++)
        {
          const PlPoll *poll = &g_array_index (lane->open, PlPoll, j);

          if (pl_poll_is_long (poll, threshold_ns))
            g_array_append_val (polls, *poll);
        }
    }
}

/**
 * pl_long_polls_find:
 * @threshold_ns: a poll of this duration or more is long
 * @cancellable: (nullable): ends the search early, with what was found until then
 *
 * Finds the finished polls at or over the threshold, and those of pl_long_polls_add_growing(). May read from the files
 * where the snapshot holds summaries and the threshold is low: not on the main thread.
 *
 * Returns: (transfer full) (element-type PlPoll): the polls, longest first
 */
GArray *
pl_long_polls_find (PlTrace *trace, gint64 threshold_ns, GCancellable *cancellable)
{
  g_autoptr(GArray) polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  Find find = { polls, cancellable };

  pl_detail_foreach_poll (trace, threshold_ns, add_poll, &find, cancellable);
  pl_long_polls_add_growing (trace, threshold_ns, polls);
  return pl_long_polls_sort (trace, polls, PL_LONG_POLLS_BY_DURATION, TRUE, NULL);
}

static guint64
get_worker (const PlPoll *poll, gpointer user_data)
{
  return poll->worker;
}

static guint64
get_start (const PlPoll *poll, gpointer user_data)
{
  return (guint64) poll->start_ns;
}

static guint64
get_duration (const PlPoll *poll, gpointer user_data)
{
  return (guint64) poll->duration_ns;
}

static guint64
get_task (const PlPoll *poll, gpointer user_data)
{
  return poll->task_id;
}

static guint64
get_rank (const PlPoll *poll, gpointer user_data)
{
  GHashTable *ranks = user_data;

  return GPOINTER_TO_UINT (g_hash_table_lookup (ranks, GUINT_TO_POINTER (poll->spawn_loc)));
}

static int
compare_locations (gconstpointer a, gconstpointer b, gpointer user_data)
{
  return strcmp (pl_trace_get_string (user_data, *(const guint32 *) a),
                 pl_trace_get_string (user_data, *(const guint32 *) b));
}

/* The place of each spawn location among those of the polls, by name. */
static GHashTable *
rank_locations (PlTrace *trace, GArray *polls)
{
  GHashTable *ranks = g_hash_table_new (NULL, NULL);
  g_autoptr(GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint32));

  for (guint i = 0; i < polls->len; i++)
    {
      guint32 id = g_array_index (polls, PlPoll, i).spawn_loc;

      if (g_hash_table_add (ranks, GUINT_TO_POINTER (id)))
        g_array_append_val (ids, id);
    }
  g_array_sort_with_data (ids, compare_locations, trace);
  for (guint i = 0; i < ids->len; i++)
    g_hash_table_insert (ranks, GUINT_TO_POINTER (g_array_index (ids, guint32, i)), GUINT_TO_POINTER (i));
  return ranks;
}

/**
 * pl_long_polls_sort:
 * @polls: (element-type PlPoll): in any order
 * @order: by what
 * @descending: largest first
 * @cancellable: (nullable): ends it soon, with nothing
 *
 * Ties come in time order, so that the list is the same whatever way it was sorted before. Any thread, as long as nobody
 * changes @polls. O(n): still not on the main thread for long lists.
 *
 * Returns: (transfer full) (element-type PlPoll): the polls in that order
 */
GArray *
pl_long_polls_sort (PlTrace *trace, GArray *polls, PlLongPollsOrder order, gboolean descending,
                    GCancellable *cancellable)
{
  static const PlPollKeyFunc getters[] = {
    [PL_LONG_POLLS_BY_DURATION] = get_duration, [PL_LONG_POLLS_BY_START] = get_start,
    [PL_LONG_POLLS_BY_WORKER] = get_worker,     [PL_LONG_POLLS_BY_TASK] = get_task,
    [PL_LONG_POLLS_BY_SPAWN_LOC] = get_rank,
  };
  g_autoptr(GHashTable) ranks = order == PL_LONG_POLLS_BY_SPAWN_LOC ? rank_locations (trace, polls) : NULL;
  const PlPollKey keys[] = {
    { get_worker, NULL, FALSE },
    { get_start, NULL, FALSE },
    { getters[order], ranks, descending },
  };

  return pl_poll_sort (polls, keys, G_N_ELEMENTS (keys), cancellable);
}

/**
 * pl_long_polls_next:
 * @after_ns: a time
 * @after_worker: of polls that start at that time, those of this worker and of smaller ones are behind already;
 *   %G_MAXUINT64 for all of them
 * @out_poll: (out): the first long poll of any lane after that, in order of start and worker
 *
 * Returns: whether there is one
 */
gboolean
pl_long_polls_next (PlTrace *trace, gint64 after_ns, guint64 after_worker, gint64 threshold_ns, PlPoll *out_poll)
{
  gboolean found = FALSE;
  PlPoll poll;

  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    {
      const PlLane *lane = pl_trace_get_lane (trace, i);
      gint64 from_ns = after_ns - (pl_lane_get_worker (lane) > after_worker);

      if (pl_lane_next_poll (lane, from_ns, MAX (threshold_ns, 1), &poll)
          && (!found || poll.start_ns < out_poll->start_ns
              || (poll.start_ns == out_poll->start_ns && poll.worker < out_poll->worker)))
        {
          *out_poll = poll;
          found = TRUE;
        }
    }
  return found;
}

/**
 * pl_long_polls_previous:
 * @before_ns: a time
 * @before_worker: of polls that start at that time, those of smaller workers than this come before it; 0 for none
 * @out_poll: (out): the last long poll of any lane before that, in order of start and worker
 *
 * Returns: whether there is one
 */
gboolean
pl_long_polls_previous (PlTrace *trace, gint64 before_ns, guint64 before_worker, gint64 threshold_ns,
                        PlPoll *out_poll)
{
  gboolean found = FALSE;
  PlPoll poll;

  for (guint i = 0; i < pl_trace_get_n_lanes (trace); i++)
    {
      const PlLane *lane = pl_trace_get_lane (trace, i);
      gint64 to_ns = before_ns + (pl_lane_get_worker (lane) < before_worker);

      if (pl_lane_previous_poll (lane, to_ns, MAX (threshold_ns, 1), &poll)
          && (!found || poll.start_ns > out_poll->start_ns
              || (poll.start_ns == out_poll->start_ns && poll.worker > out_poll->worker)))
        {
          *out_poll = poll;
          found = TRUE;
        }
    }
  return found;
}
