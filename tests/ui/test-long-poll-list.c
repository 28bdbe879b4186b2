/* test-long-poll-list.c: the table of long polls, in a window: who is at a row stays there
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <gtk/gtk.h>
#include <unistd.h>

#include "growing-polls.h"
#include "pl-long-poll-list.h"
#include "pl-poll-item.h"

#define MS G_GINT64_CONSTANT (1000000)
#define S G_GINT64_CONSTANT (1000000000)

/* For what takes milliseconds, on a machine that is busy and with a sanitizer. */
#define DEADLINE_US (60 * G_USEC_PER_SEC)

typedef struct
{
  PlView *view;
  PlLongPollModel *model;
  GtkWidget *list;
  GtkWidget *window;
} Fixture;

typedef gboolean (*Condition) (Fixture *fixture);

static gboolean
wake_up (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
wait_until (Fixture   *fixture,
            Condition  condition)
{
  gint64 deadline = g_get_monotonic_time () + DEADLINE_US;
  guint alarm = g_timeout_add (100, wake_up, NULL);

  while (!condition (fixture))
    {
      g_assert_cmpint (g_get_monotonic_time (), <, deadline);
      g_main_context_iteration (NULL, TRUE);
    }
  g_source_remove (alarm);
}

static gboolean
has_settled (Fixture *fixture)
{
  return !pl_long_poll_model_is_busy (fixture->model) && !g_main_context_pending (NULL);
}

static GtkWidget *
find_label (GtkWidget  *widget,
            const char *text)
{
  GtkWidget *found = NULL;

  if (GTK_IS_LABEL (widget) && g_str_equal (gtk_label_get_text (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_label (child, text);
  return found;
}

/* The row of the poll of 25 ms, which no other one lasts as long as. */
static GtkWidget *
find_row (Fixture *fixture)
{
  GtkWidget *label = find_label (fixture->list, "25 ms");

  return label != NULL ? gtk_widget_get_parent (gtk_widget_get_parent (label)) : NULL;
}

static gboolean
has_row (Fixture *fixture)
{
  GtkWidget *row = find_row (fixture);

  return row != NULL && gtk_widget_get_mapped (row);
}

static void
show_rows (Fixture *fixture,
           guint    n_growing)
{
  g_autoptr(PlTrace) trace = growing_polls_load (n_growing, 5 * S + 2 * MS);

  pl_view_set_trace (fixture->view, trace);
  wait_until (fixture, has_row);
  wait_until (fixture, has_settled);
}

static void
grow_rows (Fixture *fixture,
           guint    n_growing)
{
  g_autoptr(PlTrace) trace = growing_polls_load (n_growing, 5 * S + 38 * MS);

  pl_view_grow_trace (fixture->view, trace);
  wait_until (fixture, has_settled);
}

static void
assert_focus (Fixture *fixture)
{
  g_assert_nonnull (find_row (fixture));
  g_assert_true (gtk_window_get_focus (GTK_WINDOW (fixture->window)) == find_row (fixture));
}

static void
test_focus_stays_where_it_is (Fixture       *fixture,
                              gconstpointer  n_growing)
{
  GtkWidget *row;

  show_rows (fixture, GPOINTER_TO_UINT (n_growing));
  row = find_row (fixture);
  g_assert_true (gtk_widget_grab_focus (row));
  assert_focus (fixture);
  g_assert_null (pl_view_get_selected (fixture->view));

  grow_rows (fixture, GPOINTER_TO_UINT (n_growing));
  assert_focus (fixture);
  g_assert_true (find_row (fixture) == row);
  g_assert_null (pl_view_get_selected (fixture->view));
}

static void
test_focus_stays_on_the_selected_row (Fixture       *fixture,
                                      gconstpointer  n_growing)
{
  const PlPoll *selected;
  GtkWidget *row;

  show_rows (fixture, GPOINTER_TO_UINT (n_growing));
  row = find_row (fixture);
  g_assert_true (gtk_widget_grab_focus (row));
  g_assert_true (gtk_widget_activate_action (row, "listitem.select", "(bb)", FALSE, FALSE));

  grow_rows (fixture, GPOINTER_TO_UINT (n_growing));
  assert_focus (fixture);
  g_assert_true (find_row (fixture) == row);
  selected = pl_view_get_selected (fixture->view);
  g_assert_nonnull (selected);
  g_assert_cmpint (selected->duration_ns, ==, 25 * MS);
  g_assert_true (gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED);
}

static void
set_up (Fixture       *fixture,
        gconstpointer  data)
{
  fixture->view = pl_view_new ();
  fixture->model = pl_long_poll_model_new (fixture->view);
  fixture->list = g_object_new (PL_TYPE_LONG_POLL_LIST, NULL);
  pl_long_poll_list_set_model (PL_LONG_POLL_LIST (fixture->list), fixture->view, fixture->model);
  fixture->window = gtk_window_new ();
  gtk_window_set_default_size (GTK_WINDOW (fixture->window), 600, 600);
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->list);
  gtk_window_present (GTK_WINDOW (fixture->window));
}

static void
tear_down (Fixture       *fixture,
           gconstpointer  data)
{
  wait_until (fixture, has_settled);
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_clear_object (&fixture->model);
  g_clear_object (&fixture->view);
}

/* Goes on in a process that has a display of its own. Returns why it can not. */
static const char *
enter_display (char *argv[])
{
  g_autofree char *xvfb = g_find_program_in_path ("Xvfb");
  g_autofree char *bus = g_find_program_in_path ("dbus-run-session");
  g_autofree char *with_display = g_test_build_filename (G_TEST_DIST, "..", "tools", "with-display", NULL);
  g_autoptr(GPtrArray) words = g_ptr_array_new ();

  if (xvfb == NULL || bus == NULL)
    return "Xvfb or dbus-run-session is not installed";
  g_ptr_array_add (words, with_display);
  for (; *argv != NULL; argv++)
    g_ptr_array_add (words, *argv);
  g_ptr_array_add (words, NULL);
  g_setenv ("PARKLANE_TEST_IN_DISPLAY", "1", TRUE);
  execv (with_display, (char **) words->pdata);
  return "tools/with-display could not be started";
}

#define add(path, func, n_growing) \
  g_test_add ("/ui/long-poll-list/" path, Fixture, GUINT_TO_POINTER (n_growing), set_up, func, tear_down)

int
main (int   argc,
      char *argv[])
{
  g_auto(GStrv) words = g_strdupv (argv);
  int status;

  g_test_init (&argc, &argv, NULL);
  if (g_strcmp0 (g_getenv ("PARKLANE_TEST_IN_DISPLAY"), "1") != 0)
    {
      g_print ("1..0 # SKIP %s\n", enter_display (words));
      return 0;
    }

  gtk_init ();
  /* Few rows that grow are moved one by one, many by replacing what is around. */
  add ("focus-stays-where-it-is-while-few-rows-pass", test_focus_stays_where_it_is, 3);
  add ("focus-stays-where-it-is-while-many-rows-pass", test_focus_stays_where_it_is, 30);
  add ("focus-stays-on-the-selected-row-while-few-rows-pass", test_focus_stays_on_the_selected_row, 3);
  add ("focus-stays-on-the-selected-row-while-many-rows-pass", test_focus_stays_on_the_selected_row, 30);

  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
