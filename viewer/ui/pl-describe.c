/* pl-describe.c: what is under the pointer or selected, as sentences
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The same facts reach a person through the status line, a tooltip, a screen reader and the clipboard; they are put
 * into words here alone.
 */
#include "config.h"

#include "pl-describe.h"

#include <glib/gi18n.h>

#include "pl-duration.h"
#include "pl-format.h"

/* A gap is drawn at least this share of the view wide: somebody points at it from as far. */
#define GAP_REACH 512

static char *
describe_gap (PlView      *view,
              const PlGap *gap)
{
  g_autofree char *from = pl_format_instant (view, gap->from_ns);
  g_autofree char *to = pl_format_instant (view, gap->to_ns);
  g_autofree char *count = NULL;

  if (gap->n_lost == 0)
    /* Translators: two instants and why */
    return g_strdup_printf (_("nothing recorded from %s to %s: %s"), from, to, pl_gap_get_cause_text (gap));
  count = pl_format_count (gap->n_lost);
  /* Translators: a number, two instants and why */
  return g_strdup_printf (ngettext ("%s event lost from %s to %s: %s", "%s events lost from %s to %s: %s",
                                    (gulong) gap->n_lost),
                          count, from, to, pl_gap_get_cause_text (gap));
}

/**
 * pl_describe_gap_at:
 * @view: a view
 * @lane: a lane of its trace
 * @at_ns: an instant
 *
 * Returns: (transfer full) (nullable): how many events of the lane were lost there, from when to when and why; %NULL when
 *   none were
 */
char *
pl_describe_gap_at (PlView       *view,
                    const PlLane *lane,
                    gint64        at_ns)
{
  gint64 reach_ns = pl_range_span (pl_view_get_visible (view)) / GAP_REACH;
  PlGap gap;

  if (!pl_lane_find_gap (lane, at_ns, at_ns + 1, &gap)
      && !pl_lane_find_gap (lane, at_ns - reach_ns, at_ns + reach_ns + 1, &gap))
    return NULL;
  return describe_gap (view, &gap);
}

static char *
describe_polling (PlView       *view,
                  const PlPoll *poll,
                  gint64        at_ns)
{
  g_autofree char *task = pl_format_task (poll->task_id);
  g_autofree char *elapsed = pl_duration_format (CLAMP (at_ns - poll->start_ns, 0, poll->duration_ns));
  g_autofree char *duration = pl_format_duration (poll);
  g_autofree char *location = pl_format_location (pl_view_get_trace (view), poll->spawn_loc);

  /* Translators: task id, how long the poll has run at the pointer, how long it took in all, where the task was
   * spawned */
  return g_strdup_printf (_("polling task %s for %s of %s · %s"), task, elapsed, duration, location);
}

static char *
describe_state (PlView              *view,
                const PlViewPointer *pointer,
                const PlLane        *lane)
{
  gint64 since_ns;
  gint64 until_ns;
  g_autofree char *length = NULL;
  PlLaneState state;

  if (pointer->has_poll)
    return describe_polling (view, &pointer->poll, pointer->at_ns);

  state = pl_lane_get_state (lane, pointer->at_ns, &since_ns, &until_ns);
  if (state == PL_LANE_UNKNOWN)
    return g_strdup (_("no data"));

  length = pl_duration_format (MAX (until_ns - since_ns, 0));
  switch (state)
    {
    case PL_LANE_PARKED:
      /* Translators: %s is a duration */
      return g_strdup_printf (_("parked for %s"), length);
    case PL_LANE_POLLING:
      return g_strdup_printf (_("polling for %s"), length);
    default:
      return g_strdup_printf (_("awake, not polling, for %s"), length);
    }
}

/**
 * pl_describe_pointer:
 * @view: a view
 *
 * Returns: (transfer full) (nullable): a line on what lies under the pointer, %NULL while it is elsewhere
 */
char *
pl_describe_pointer (PlView *view)
{
  const PlViewPointer *pointer = pl_view_get_pointer (view);
  PlTrace *trace = pl_view_get_trace (view);
  const PlLane *lane = NULL;
  GString *text;
  g_autofree char *relative = NULL;
  g_autofree char *wall = NULL;
  g_autofree char *worker = NULL;
  g_autofree char *state = NULL;
  g_autofree char *gap = NULL;
  int queue;

  if (pointer == NULL || trace == NULL)
    return NULL;

  relative = pl_format_relative (trace, pointer->at_ns, pl_format_resolution (view));
  text = g_string_new (relative);
  wall = pl_format_wall (trace, pointer->at_ns, pl_view_get_time_format (view) == PL_VIEW_WALL_UTC);
  if (wall != NULL)
    g_string_append_printf (text, " · %s", wall);

  if (pointer->has_lane)
    lane = pl_trace_find_lane (trace, pointer->worker, NULL);
  if (lane == NULL)
    return g_string_free (text, FALSE);

  worker = g_strdup_printf ("%" G_GUINT64_FORMAT, pointer->worker);
  state = describe_state (view, pointer, lane);
  g_string_append (text, "   ");
  /* Translators: a worker's number and what it does */
  g_string_append_printf (text, _("worker %s · %s"), worker, state);

  gap = pl_describe_gap_at (view, lane, pointer->at_ns);
  if (gap != NULL)
    g_string_append_printf (text, "   %s", gap);

  queue = pl_lane_get_queue (lane, pointer->at_ns);
  if (queue >= 0)
    {
      g_string_append (text, "   ");
      /* Translators: number of tasks in a worker's local queue */
      g_string_append_printf (text, _("queue %d"), queue);
    }
  return g_string_free (text, FALSE);
}

/**
 * pl_describe_poll:
 * @view: a view
 * @poll: a poll of its trace
 *
 * Returns: (transfer full): all of @poll in one sentence, for a screen reader
 */
char *
pl_describe_poll (PlView       *view,
                  const PlPoll *poll)
{
  PlTrace *trace = pl_view_get_trace (view);
  g_autofree char *worker = pl_format_worker (trace, poll->worker);
  g_autofree char *duration = pl_format_duration (poll);
  g_autofree char *task = pl_format_task (poll->task_id);
  g_autofree char *location = pl_format_location (trace, poll->spawn_loc);
  g_autofree char *start = pl_format_instant (view, poll->start_ns);

  if (pl_poll_is_long (poll, pl_view_get_threshold (view)))
    /* Translators: worker, duration, task, spawn location, start */
    return g_strdup_printf (_("Worker %s: poll of %s, over the threshold, task %s, spawned at %s, started %s"),
                            worker, duration, task, location, start);
  return g_strdup_printf (_("Worker %s: poll of %s, task %s, spawned at %s, started %s"),
                          worker, duration, task, location, start);
}

/**
 * pl_describe_tooltip:
 * @view: a view
 * @poll: a poll of its trace
 *
 * Returns: (transfer full): the facts of @poll, a line each
 */
char *
pl_describe_tooltip (PlView       *view,
                     const PlPoll *poll)
{
  PlTrace *trace = pl_view_get_trace (view);
  g_autofree char *duration = pl_format_duration (poll);
  g_autofree char *task = pl_format_task (poll->task_id);
  g_autofree char *location = pl_format_location (trace, poll->spawn_loc);
  g_autofree char *start = pl_format_relative (trace, poll->start_ns, pl_format_resolution (view));
  g_autofree char *wall = pl_format_wall (trace, poll->start_ns,
                                          pl_view_get_time_format (view) == PL_VIEW_WALL_UTC);
  GString *text = g_string_new (NULL);

  /* Translators: task id and duration */
  g_string_append_printf (text, _("Poll of task %s: %s"), task, duration);
  /* Translators: where the task was spawned */
  g_string_append_printf (text, "\n%s %s", _("Spawned at"), location);
  g_string_append_printf (text, "\n%s %s", _("Started"), start);
  if (wall != NULL)
    g_string_append_printf (text, " · %s", wall);
  g_string_append_c (text, '\n');
  g_string_append_printf (text, _("Local queue %u at the start"), poll->local_queue);
  if (poll->flags & PL_POLL_DETACHED)
    g_string_append_printf (text, "\n%s", _("Its thread handed the worker over while it ran"));
  if (poll->flags & PL_POLL_CUT_OFF)
    g_string_append_printf (text, "\n%s", _("Its end was lost, with other events"));
  return g_string_free (text, FALSE);
}

/**
 * pl_describe_visible:
 * @view: a view with a trace
 *
 * Returns: (transfer full): the visible range in words
 */
char *
pl_describe_visible (PlView *view)
{
  PlRange visible = pl_view_get_visible (view);
  g_autofree char *from = pl_format_instant (view, visible.from_ns);
  g_autofree char *to = pl_format_instant (view, visible.to_ns);
  g_autofree char *span = pl_duration_format (pl_range_span (visible));

  /* Translators: two instants and how long it is from one to the other */
  return g_strdup_printf (_("View from %s to %s, %s"), from, to, span);
}

/**
 * pl_describe_slice:
 * @lane: a lane
 * @range: a stretch of time
 * @slice: what happened on the lane there
 *
 * Returns: (transfer full): the lane's figures in the range; what is not known is not told as nothing
 */
char *
pl_describe_slice (const PlLane      *lane,
                   PlRange            range,
                   const PlLaneSlice *slice)
{
  gint64 span_ns = pl_range_span (range);
  gint64 longest_ns = MAX (slice->longest_ns, slice->detached_longest_ns);
  g_autofree char *busy = pl_format_share (slice->polling_ns, span_ns);
  g_autofree char *parked = pl_format_share (slice->parked_ns, span_ns);
  g_autofree char *unknown = pl_format_share (slice->unknown_ns, span_ns);
  g_autofree char *longest = pl_duration_format (longest_ns);
  g_autofree char *open = pl_duration_format (slice->open_ns);
  GString *text = g_string_new (NULL);
  PlGap gap;

  if (pl_lane_find_gap (lane, range.from_ns, range.to_ns, &gap))
    /* Translators: the recorder could not keep all that happened */
    g_string_append_printf (text, "%s · ", _("events were lost"));
  if (slice->unknown_ns >= span_ns)
    return g_string_free (g_string_append (text, _("no data")), FALSE);

  /* Translators: shares of the time of a worker */
  g_string_append_printf (text, _("busy %s · parked %s"), busy, parked);
  if (slice->unknown_ns > 0)
    {
      g_string_append (text, " · ");
      /* Translators: share of the time that nothing is known about */
      g_string_append_printf (text, _("no data %s"), unknown);
    }
  if (longest_ns > 0)
    {
      g_string_append (text, " · ");
      /* Translators: duration of the longest poll */
      g_string_append_printf (text, _("longest %s"), longest);
    }
  if (slice->open_ns > 0)
    {
      g_string_append (text, " · ");
      /* Translators: a poll that has not ended where the data end, and its duration until there */
      g_string_append_printf (text, _("open for at least %s"), open);
    }
  return g_string_free (text, FALSE);
}

/**
 * pl_describe_report:
 * @view: a view
 * @poll: a poll of its trace
 *
 * Returns: (transfer full): the facts of @poll with all digits and full paths, for pasting into a report
 */
char *
pl_describe_report (PlView       *view,
                    const PlPoll *poll)
{
  PlTrace *trace = pl_view_get_trace (view);
  g_autofree char *duration = pl_duration_format_exact (poll->duration_ns);
  g_autofree char *task = pl_format_task (poll->task_id);
  g_autofree char *worker = pl_format_worker (trace, poll->worker);
  g_autofree char *start = pl_format_relative (trace, poll->start_ns, 1);
  g_autofree char *location = g_utf8_make_valid (pl_trace_get_string (trace, poll->spawn_loc), -1);
  g_autofree char *wall = pl_format_wall (trace, poll->start_ns, TRUE);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, _("Poll of task %s: %s"), task, duration);
  if (poll->flags & PL_POLL_OPEN)
    g_string_append_printf (text, " (%s)", _("at least: the data end before it does"));
  if (poll->flags & PL_POLL_CUT_OFF)
    g_string_append_printf (text, " (%s)", _("at least: its end was lost"));
  g_string_append_printf (text, "\n%s: %s\n%s: %s", _("Worker"), worker, _("Started"), start);
  if (wall != NULL)
    g_string_append_printf (text, ", %s", wall);
  g_string_append_printf (text, "\n%s: %s\n", _("Spawned at"), *location != '\0' ? location : _("unknown"));
  return g_string_free (text, FALSE);
}
