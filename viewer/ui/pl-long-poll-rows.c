/* pl-long-poll-rows.c: finds and sorts long polls, and counts those of a range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-long-poll-rows.h"

#include <string.h>

#define DIGIT_BITS 16
#define N_DIGITS (64 / DIGIT_BITS)
#define DIGIT_VALUES (1 << DIGIT_BITS)

/* Sorts by one digit after the other, from the last: for millions of instants several times as fast as by comparing
 * them, as digits that all have in common are left out. Monotonic instants are not negative. */
static void
sort_instants (gint64 **instants,
               gsize    n)
{
  g_autofree gint64 *spare = g_new (gint64, n);
  g_autofree gsize *starts = g_new (gsize, DIGIT_VALUES);

  for (guint digit = 0; digit < N_DIGITS; digit++)
    {
      guint shift = digit * DIGIT_BITS;
      gint64 *from = *instants;
      gsize start = 0;

      memset (starts, 0, DIGIT_VALUES * sizeof *starts);
      for (gsize i = 0; i < n; i++)
        starts[((guint64) from[i] >> shift) % DIGIT_VALUES]++;
      if (starts[((guint64) from[0] >> shift) % DIGIT_VALUES] == n)
        continue;

      for (guint value = 0; value < DIGIT_VALUES; value++)
        {
          gsize count = starts[value];

          starts[value] = start;
          start += count;
        }
      for (gsize i = 0; i < n; i++)
        spare[starts[((guint64) from[i] >> shift) % DIGIT_VALUES]++] = from[i];
      *instants = g_steal_pointer (&spare);
      spare = from;
    }
}

static void
index_instants (PlLongPollRows *self)
{
  gsize n = self->polls->len;

  if (n == 0)
    return;
  self->starts = g_new (gint64, n);
  self->ends = g_new (gint64, n);
  for (gsize i = 0; i < n; i++)
    {
      const PlPoll *poll = &g_array_index (self->polls, PlPoll, i);

      self->starts[i] = poll->start_ns;
      self->ends[i] = pl_poll_end_ns (poll);
    }
  self->n_instants = (guint) n;
  sort_instants (&self->starts, n);
  sort_instants (&self->ends, n);
}

/**
 * pl_long_poll_rows_new:
 * @threshold_ns: a threshold that nothing reaches
 *
 * Returns: (transfer full): no rows
 */
PlLongPollRows *
pl_long_poll_rows_new (gint64 threshold_ns)
{
  PlLongPollRows *self = g_new0 (PlLongPollRows, 1);

  self->threshold_ns = threshold_ns;
  self->polls = g_array_new (FALSE, FALSE, sizeof (PlPoll));
  return self;
}

/**
 * pl_long_poll_rows_find:
 * @found: what was found before, which is not sought again
 * @trace: a trace
 * @threshold_ns: polls of this duration or more are long
 * @order: what to sort by
 * @descending: largest first
 * @cancellable: (nullable): ends the search; there are none then, or not all
 *
 * Any thread. Takes its time in a large trace.
 *
 * Returns: (transfer full): the rows
 */
PlLongPollRows *
pl_long_poll_rows_find (PlFoundPolls     *found,
                        PlTrace          *trace,
                        gint64            threshold_ns,
                        PlLongPollsOrder  order,
                        gboolean          descending,
                        GCancellable     *cancellable)
{
  PlLongPollRows *self = pl_long_poll_rows_new (threshold_ns);

  g_array_unref (self->polls);
  self->polls = pl_found_polls_find (found, trace, threshold_ns, order, descending, cancellable);
  if (g_cancellable_is_cancelled (cancellable))
    return self;

  index_instants (self);
  self->longest_ns = pl_trace_get_poll_totals (trace)->max_ns;
  return self;
}

void
pl_long_poll_rows_free (PlLongPollRows *self)
{
  g_clear_pointer (&self->polls, g_array_unref);
  g_free (self->starts);
  g_free (self->ends);
  g_free (self);
}

/**
 * pl_long_poll_rows_find_poll:
 * @self: rows
 * @poll: a poll
 * @out_position: (out): its row; untouched when there is none
 *
 * Looks for the row of @poll. O(rows).
 *
 * Returns: whether there is one
 */
gboolean
pl_long_poll_rows_find_poll (const PlLongPollRows *self,
                             const PlPoll         *poll,
                             guint                *out_position)
{
  for (guint i = 0; i < self->polls->len; i++)
    if (pl_poll_same (&g_array_index (self->polls, PlPoll, i), poll))
      {
        *out_position = i;
        return TRUE;
      }
  return FALSE;
}

static guint
count_below (const gint64 *sorted,
             guint         n,
             gint64        limit)
{
  guint low = 0;
  guint high = n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (sorted[middle] < limit)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

/**
 * pl_long_poll_rows_count_in:
 * @self: rows
 * @from_ns: start of a range
 * @to_ns: its end, after @from_ns
 *
 * Counts the polls that touch the range: those that start before its end less those that end before its start, two binary
 * searches whatever the order of the rows.
 */
guint
pl_long_poll_rows_count_in (const PlLongPollRows *self,
                            gint64                from_ns,
                            gint64                to_ns)
{
  return count_below (self->starts, self->n_instants, to_ns) - count_below (self->ends, self->n_instants, from_ns);
}
