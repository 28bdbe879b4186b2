/* test-task-events.c: spawns and ends of tasks in few bytes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-task-events.h"

#define N_EVENTS 1000

/* A few milliseconds apart, across the end of 32 bits. */
static GArray *
make_events (guint64 first_task, guint64 task_step)
{
  GArray *events = g_array_new (FALSE, FALSE, sizeof (PlTaskEvent));

  for (guint i = 0; i < N_EVENTS; i++)
    {
      PlTaskEvent event = {
        .at_ns = (gint64) G_MAXUINT32 - 500000 + i * 1000,
        .task_id = first_task + i * task_step,
        .spawn_loc = i % 7,
      };

      g_array_append_val (events, event);
    }
  return events;
}

static void
check (GArray *expected, gboolean in_slab)
{
  g_autoptr(PlTaskEvents) events = pl_task_events_new (expected, in_slab);

  g_assert_cmpuint (pl_task_events_get_n (events), ==, expected->len);
  for (guint i = 0; i < expected->len; i++)
    {
      const PlTaskEvent *wanted = &g_array_index (expected, PlTaskEvent, i);
      PlTaskEvent found = pl_task_events_get (events, i);

      g_assert_cmpint (found.at_ns, ==, wanted->at_ns);
      g_assert_cmpuint (found.task_id, ==, wanted->task_id);
      g_assert_cmpuint (found.spawn_loc, ==, wanted->spawn_loc);
    }
}

static void
test_same_as_collected (void)
{
  static const guint64 firsts[] = { 0, 1, 200, 65000, G_MAXUINT32 - 10, G_MAXUINT64 - 5 };
  static const guint64 steps[] = { 0, 1, 1000, G_GUINT64_CONSTANT (1) << 40, -(guint64) 1 };

  for (guint i = 0; i < G_N_ELEMENTS (firsts); i++)
    for (guint j = 0; j < G_N_ELEMENTS (steps); j++)
      {
        g_autoptr(GArray) events = make_events (firsts[i], steps[j]);

        check (events, FALSE);
        check (events, TRUE);
      }
}

static void
test_few_bytes_each (void)
{
  g_autoptr(GArray) collected = make_events (40000, 3);
  g_autoptr(PlTaskEvents) events = NULL;

  for (guint i = 0; i < collected->len; i++)
    g_array_index (collected, PlTaskEvent, i).at_ns += 1000000000;
  events = pl_task_events_new (collected, FALSE);
  g_assert_cmpuint (pl_task_events_get_memory (events), <, 7 * N_EVENTS + 256);
}

static void
test_none (void)
{
  g_autoptr(GArray) collected = g_array_new (FALSE, FALSE, sizeof (PlTaskEvent));

  g_assert_null (pl_task_events_new (collected, TRUE));
  g_assert_cmpuint (pl_task_events_get_n (NULL), ==, 0);
  g_assert_cmpuint (pl_task_events_get_memory (NULL), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/task-events/same-as-collected", test_same_as_collected);
  g_test_add_func ("/trace/task-events/few-bytes-each", test_few_bytes_each);
  g_test_add_func ("/trace/task-events/none", test_none);
  return g_test_run ();
}
