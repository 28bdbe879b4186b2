/* test-long-poll-model.c: the list of long polls: rows, order, counts in a range
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "pl-long-poll-model.h"

#include "growing-polls.h"
#include "pl-poll-item.h"
#include "test-trace.h"

#define US G_GINT64_CONSTANT (1000)
#define MS G_GINT64_CONSTANT (1000000)
#define S G_GINT64_CONSTANT (1000000000)
#define N_MANY 1000000

typedef struct
{
  PlView *view;
  PlLongPollModel *model;
} Fixture;

static void
wait_for_rows (PlLongPollModel *model)
{
  while (pl_long_poll_model_is_busy (model))
    g_main_context_iteration (NULL, TRUE);
}

/* Polls of 1, 2 … 9 ms on worker 1 and 2 in turn, one each 100 ms, of tasks 9 … 1. */
static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  for (guint i = 1; i <= 9; i++)
    test_trace_poll (bytes, 1 + i % 2, 10 - i, i < 5 ? "b.rs:1:1" : "a.rs:1:1", i * 100 * MS, i * MS);
  trace = test_trace_load (bytes);

  fixture->view = pl_view_new ();
  fixture->model = pl_long_poll_model_new (fixture->view);
  pl_view_set_trace (fixture->view, trace);
  wait_for_rows (fixture->model);
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  wait_for_rows (fixture->model);
  g_clear_object (&fixture->model);
  g_clear_object (&fixture->view);
}

static guint
n_rows (Fixture *fixture)
{
  return g_list_model_get_n_items (G_LIST_MODEL (fixture->model));
}

static PlPoll
get_row (PlLongPollModel *model,
         guint            position)
{
  g_autoptr(PlPollItem) item = g_list_model_get_item (G_LIST_MODEL (model), position);

  g_assert_nonnull (item);
  return *pl_poll_item_get_poll (item);
}

static void
test_rows_are_the_polls_at_or_over_the_threshold (Fixture       *fixture,
                                                  gconstpointer  data)
{
  g_assert_cmpuint (n_rows (fixture), ==, 9);

  pl_view_set_threshold (fixture->view, 5 * MS);
  g_assert_false (pl_long_poll_model_is_current (fixture->model));
  wait_for_rows (fixture->model);
  g_assert_true (pl_long_poll_model_is_current (fixture->model));
  g_assert_cmpuint (n_rows (fixture), ==, 5);
  g_assert_cmpint (get_row (fixture->model, 0).duration_ns, ==, 9 * MS);
  g_assert_cmpint (get_row (fixture->model, 4).duration_ns, ==, 5 * MS);
  g_assert_null (g_list_model_get_item (G_LIST_MODEL (fixture->model), 5));
}

/* What somebody knows of the rows who only listens. */
static void
mirror_rows (GListModel *model,
             guint       position,
             guint       removed,
             guint       added,
             GArray     *starts)
{
  if (removed > 0)
    g_array_remove_range (starts, position, removed);
  for (guint i = position; i < position + added; i++)
    {
      gint64 start_ns = get_row (PL_LONG_POLL_MODEL (model), i).start_ns;

      g_array_insert_val (starts, i, start_ns);
    }
  g_assert_cmpuint (starts->len, ==, g_list_model_get_n_items (model));
}

static void
keep_middle_row (PlLongPollModel *model)
{
  if (g_list_model_get_n_items (G_LIST_MODEL (model)) > 0)
    {
      PlPoll row = get_row (model, g_list_model_get_n_items (G_LIST_MODEL (model)) / 2);

      pl_long_poll_model_keep (model, &row);
    }
}

/* Some thresholds drop and bring few rows, some many, around a row that is kept or not, and orders turn all of them about. */
static void
test_changes_of_rows_are_told_in_full (Fixture       *fixture,
                                       gconstpointer  data)
{
  g_autoptr(GArray) starts = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 200; i++)
    test_trace_poll (bytes, i % 3, i, "a.rs:1:1", (i + 1) * 100 * MS, g_rand_int_range (random, 1, 90) * MS);
  trace = test_trace_load (bytes);
  g_signal_connect (fixture->model, "items-changed", G_CALLBACK (mirror_rows), starts);
  mirror_rows (G_LIST_MODEL (fixture->model), 0, 0, n_rows (fixture), starts);
  pl_view_set_trace (fixture->view, trace);
  wait_for_rows (fixture->model);
  for (guint i = 0; i < 100; i++)
    {
      if (i == 50)
        g_signal_connect (fixture->model, "replacing", G_CALLBACK (keep_middle_row), NULL);
      if (i % 10 == 0)
        pl_long_poll_model_set_order (fixture->model, i % 20 == 0 ? PL_LONG_POLLS_BY_START : PL_LONG_POLLS_BY_DURATION,
                                      g_rand_boolean (random));
      pl_view_set_threshold (fixture->view, g_rand_int_range (random, i < 50 ? 60 : 1, 90) * MS);
      wait_for_rows (fixture->model);
      for (guint j = 0; j < starts->len; j++)
        g_assert_cmpint (g_array_index (starts, gint64, j), ==, get_row (fixture->model, j).start_ns);
    }
  g_signal_handlers_disconnect_by_data (fixture->model, starts);
  g_signal_handlers_disconnect_by_func (fixture->model, keep_middle_row, NULL);
}

/* Who is at two of the rows, and sees which of them are taken away. */
typedef struct
{
  PlPoll polls[2];
  gboolean is_kept[2];
  guint places[2];
} Reader;

static void
keep_rows_of_reader (PlLongPollModel *model,
                     Reader          *reader)
{
  for (guint i = 0; i < G_N_ELEMENTS (reader->polls); i++)
    {
      g_assert_true (pl_long_poll_model_find (model, &reader->polls[i], &reader->places[i]));
      reader->is_kept[i] = pl_long_poll_model_keep (model, &reader->polls[i]);
    }
}

static void
move_rows_of_reader (GListModel *model,
                     guint       position,
                     guint       removed,
                     guint       added,
                     Reader     *reader)
{
  for (guint i = 0; i < G_N_ELEMENTS (reader->places); i++)
    if (reader->places[i] >= position)
      {
        g_assert_true (!reader->is_kept[i] || reader->places[i] >= position + removed);
        reader->places[i] += added - removed;
      }
}

/* Few growing polls make single steps, many make stretches that are replaced. */
static void
test_row_that_is_kept_is_never_taken_away (Fixture       *fixture,
                                           gconstpointer  data)
{
  g_autoptr(GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 100; i++)
    {
      guint n_growing = i % 2 == 0 ? 3 : 30;
      g_autoptr(PlTrace) before = growing_polls_load (n_growing, 5 * S + 2 * MS);
      g_autoptr(PlTrace) after = growing_polls_load (n_growing, 5 * S + g_rand_int_range (random, 7, 40) * MS);
      Reader reader = { 0 };

      pl_view_set_trace (fixture->view, before);
      wait_for_rows (fixture->model);
      for (guint j = 0; j < G_N_ELEMENTS (reader.polls); j++)
        reader.polls[j] = get_row (fixture->model, (guint) g_rand_int_range (random, 0, (gint32) n_rows (fixture)));
      g_signal_connect (fixture->model, "replacing", G_CALLBACK (keep_rows_of_reader), &reader);
      g_signal_connect (fixture->model, "items-changed", G_CALLBACK (move_rows_of_reader), &reader);
      pl_view_set_trace (fixture->view, after);
      wait_for_rows (fixture->model);
      g_signal_handlers_disconnect_by_data (fixture->model, &reader);

      g_assert_true (reader.is_kept[0]);
      for (guint j = 0; j < G_N_ELEMENTS (reader.polls); j++)
        {
          PlPoll row = get_row (fixture->model, reader.is_kept[j] ? reader.places[j] : 0);

          g_assert_true (!reader.is_kept[j] || pl_poll_same (&row, &reader.polls[j]));
        }
    }
}

static void
test_of_two_rows_that_change_places_the_first_is_kept (Fixture       *fixture,
                                                       gconstpointer  data)
{
  g_autoptr(PlTrace) before = growing_polls_load (1, 5 * S + 9 * MS);
  g_autoptr(PlTrace) after = growing_polls_load (1, 5 * S + 19 * MS);
  Reader reader = { 0 };

  pl_view_set_trace (fixture->view, before);
  wait_for_rows (fixture->model);
  reader.polls[0] = get_row (fixture->model, 29);
  reader.polls[1] = get_row (fixture->model, 30);
  g_assert_cmpint (reader.polls[0].duration_ns, ==, 11 * MS);
  g_assert_cmpuint (reader.polls[1].worker, ==, 1);
  g_signal_connect (fixture->model, "replacing", G_CALLBACK (keep_rows_of_reader), &reader);
  pl_view_set_trace (fixture->view, after);
  wait_for_rows (fixture->model);
  g_signal_handlers_disconnect_by_data (fixture->model, &reader);

  g_assert_true (reader.is_kept[0]);
  g_assert_false (reader.is_kept[1]);
}

static void
test_no_rows_still_tell_the_longest (Fixture       *fixture,
                                     gconstpointer  data)
{
  pl_view_set_threshold (fixture->view, S);
  wait_for_rows (fixture->model);
  g_assert_cmpuint (n_rows (fixture), ==, 0);
  g_assert_cmpint (pl_long_poll_model_get_longest (fixture->model), ==, 9 * MS);
}

static void
test_order_sorts_all_rows (Fixture       *fixture,
                           gconstpointer  data)
{
  pl_long_poll_model_set_order (fixture->model, PL_LONG_POLLS_BY_START, FALSE);
  wait_for_rows (fixture->model);
  g_assert_cmpint (get_row (fixture->model, 0).start_ns, ==, 100 * MS);
  g_assert_cmpint (get_row (fixture->model, 8).start_ns, ==, 900 * MS);

  pl_long_poll_model_set_order (fixture->model, PL_LONG_POLLS_BY_TASK, FALSE);
  wait_for_rows (fixture->model);
  g_assert_cmpuint (get_row (fixture->model, 0).task_id, ==, 1);
  g_assert_cmpuint (get_row (fixture->model, 8).task_id, ==, 9);

  pl_long_poll_model_set_order (fixture->model, PL_LONG_POLLS_BY_WORKER, TRUE);
  wait_for_rows (fixture->model);
  g_assert_cmpuint (get_row (fixture->model, 0).worker, ==, 2);
  g_assert_cmpuint (get_row (fixture->model, 8).worker, ==, 1);
}

static void
test_count_in_a_range_takes_polls_that_touch_it (Fixture       *fixture,
                                                 gconstpointer  data)
{
  PlLongPollModel *model = fixture->model;

  g_assert_cmpuint (pl_long_poll_model_count_in (model, (PlRange) { 0, S }), ==, 9);
  /* In the middle of the poll of 5 ms. */
  g_assert_cmpuint (pl_long_poll_model_count_in (model, (PlRange) { 502 * MS, 503 * MS }), ==, 1);
  g_assert_cmpuint (pl_long_poll_model_count_in (model, (PlRange) { 510 * MS, 590 * MS }), ==, 0);
  g_assert_cmpuint (pl_long_poll_model_count_in (model, (PlRange) { 150 * MS, 450 * MS }), ==, 3);
  g_assert_cmpuint (pl_long_poll_model_count_in (model, (PlRange) { 5, 5 }), ==, 0);
}

static void
test_row_of_a_poll_is_found (Fixture       *fixture,
                             gconstpointer  data)
{
  PlPoll poll = get_row (fixture->model, 3);
  guint position = 0;

  g_assert_true (pl_long_poll_model_find (fixture->model, &poll, &position));
  g_assert_cmpuint (position, ==, 3);
  poll.start_ns++;
  g_assert_false (pl_long_poll_model_find (fixture->model, &poll, &position));
}

static void
count_signals (PlLongPollModel *model,
               guint            position,
               guint            removed,
               guint            added,
               guint           *n_signals)
{
  (*n_signals)++;
}

static void
test_same_rows_are_not_replaced (Fixture       *fixture,
                                 gconstpointer  data)
{
  guint n_signals = 0;

  g_signal_connect (fixture->model, "items-changed", G_CALLBACK (count_signals), &n_signals);
  pl_view_grow_trace (fixture->view, pl_view_get_trace (fixture->view));
  wait_for_rows (fixture->model);
  pl_view_set_threshold (fixture->view, MS / 2);
  wait_for_rows (fixture->model);
  g_assert_cmpuint (n_signals, ==, 0);
}

static void
test_last_of_many_thresholds_counts (Fixture       *fixture,
                                     gconstpointer  data)
{
  for (gint64 ms = 1; ms <= 8; ms++)
    pl_view_set_threshold (fixture->view, ms * MS);
  wait_for_rows (fixture->model);
  g_assert_cmpuint (n_rows (fixture), ==, 2);
}

static void
test_million_rows_are_all_there (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  g_autoptr(PlView) view = pl_view_new ();
  g_autoptr(PlLongPollModel) model = pl_long_poll_model_new (view);
  PlPoll last;
  guint position = 0;

  for (guint i = 0; i < N_MANY; i++)
    test_trace_poll (bytes, i % 4, 1 + i % 100, "a.rs:1:1", S + i * 10 * US, 1 + i % 5000);
  trace = test_trace_load (bytes);

  pl_view_set_threshold (view, 0);
  pl_view_set_trace (view, trace);
  pl_long_poll_model_set_order (model, PL_LONG_POLLS_BY_START, TRUE);
  wait_for_rows (model);

  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, N_MANY);
  g_assert_cmpint (get_row (model, 0).start_ns, ==, S + (N_MANY - 1) * 10 * US);
  last = get_row (model, N_MANY - 1);
  g_assert_cmpint (last.start_ns, ==, S);
  g_assert_true (pl_long_poll_model_find (model, &last, &position));
  g_assert_cmpuint (position, ==, N_MANY - 1);
  g_assert_cmpuint (pl_long_poll_model_count_in (model, (PlRange) { S, S + 1000 * 10 * US }), ==, 1000);
}

#define add(path, func) g_test_add ("/ui/long-poll-model/" path, Fixture, NULL, set_up, func, tear_down)

int
main (int   argc,
      char *argv[])
{
  int status;

  g_test_init (&argc, &argv, NULL);
  add ("rows-are-the-polls-at-or-over-the-threshold", test_rows_are_the_polls_at_or_over_the_threshold);
  add ("changes-of-rows-are-told-in-full", test_changes_of_rows_are_told_in_full);
  add ("row-that-is-kept-is-never-taken-away", test_row_that_is_kept_is_never_taken_away);
  add ("of-two-rows-that-change-places-the-first-is-kept", test_of_two_rows_that_change_places_the_first_is_kept);
  add ("no-rows-still-tell-the-longest", test_no_rows_still_tell_the_longest);
  add ("order-sorts-all-rows", test_order_sorts_all_rows);
  add ("count-in-a-range-takes-polls-that-touch-it", test_count_in_a_range_takes_polls_that_touch_it);
  add ("row-of-a-poll-is-found", test_row_of_a_poll_is_found);
  add ("same-rows-are-not-replaced", test_same_rows_are_not_replaced);
  add ("last-of-many-thresholds-counts", test_last_of_many_thresholds_counts);
  g_test_add_func ("/ui/long-poll-model/million-rows-are-all-there", test_million_rows_are_all_there);

  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
