/* test-facts.c: traces of dial9's recorders decode to what dial9's own decoder found in them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "pl-long-polls.h"
#include "test-trace.h"

#define MS G_GINT64_CONSTANT (1000000)

/* One line of facts.jsonl, of a file or of a folder as one session. */
typedef struct
{
  char *path;
  JsonObject *facts;
} Case;

static void
case_free (gpointer data)
{
  Case *self = data;

  json_object_unref (self->facts);
  g_free (self->path);
  g_free (self);
}

static guint64
get (JsonObject *facts, const char *name)
{
  return (guint64) json_object_get_int_member (facts, name);
}

static guint64
count_at_least (PlTrace *trace, gint64 threshold_ns)
{
  return pl_long_polls_count (trace, pl_trace_get_start_ns (trace), pl_trace_get_end_ns (trace) + 1, threshold_ns,
                              NULL);
}

static void
assert_polls (PlTrace *trace, JsonObject *facts)
{
  const PlPollTotals *totals = pl_trace_get_poll_totals (trace);
  g_autoptr(GArray) polls = NULL;
  const PlPoll *longest;

  g_assert_cmpuint (totals->n_polls, ==, get (facts, "polls"));
  g_assert_cmpuint (totals->n_open, ==, get (facts, "open"));
  g_assert_cmpuint (totals->n_unpaired, ==, get (facts, "unpaired"));
  g_assert_cmpint (totals->total_ns, ==, (gint64) get (facts, "total_ns"));
  g_assert_cmpint (totals->max_ns, ==, (gint64) get (facts, "longest_ns"));
  g_assert_cmpuint (count_at_least (trace, 1 * MS), ==, get (facts, "ge_1ms"));
  g_assert_cmpuint (count_at_least (trace, 5 * MS), ==, get (facts, "ge_5ms"));
  g_assert_cmpuint (count_at_least (trace, 100 * MS), ==, get (facts, "ge_100ms"));
  if (json_object_get_null_member (facts, "longest_worker"))
    return;

  polls = pl_long_polls_find (trace, totals->max_ns, NULL);
  g_assert_cmpuint (polls->len, ==, 1);
  longest = &g_array_index (polls, PlPoll, 0);
  g_assert_cmpuint (longest->worker, ==, get (facts, "longest_worker"));
  g_assert_cmpuint (longest->task_id, ==, get (facts, "longest_task"));
  g_assert_cmpstr (pl_trace_get_string (trace, longest->spawn_loc), ==,
                   json_object_get_string_member (facts, "longest_spawn_loc"));
}

static void
assert_workers (PlTrace *trace, JsonArray *workers)
{
  g_assert_cmpuint (pl_trace_get_n_lanes (trace), ==, json_array_get_length (workers));
  for (guint i = 0; i < json_array_get_length (workers); i++)
    g_assert_nonnull (pl_trace_find_lane (trace, (guint64) json_array_get_int_element (workers, i), NULL));
}

static void
assert_events (PlTrace *trace, JsonObject *facts)
{
  JsonObject *events = json_object_get_object_member (facts, "events");
  g_autoptr(GList) names = json_object_get_members (events);
  guint n;

  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, get (facts, "event_count"));
  pl_trace_get_event_counts (trace, &n);
  g_assert_cmpuint (n, ==, json_object_get_size (events));
  for (GList *l = names; l != NULL; l = l->next)
    g_assert_cmpuint (test_trace_count (trace, l->data), ==, get (events, l->data));
}

static void
assert_metadata (PlTrace *trace, JsonObject *expected)
{
  guint n;
  const PlMetadata *metadata = pl_trace_get_metadata (trace, &n);

  g_assert_cmpuint (n, ==, json_object_get_size (expected));
  for (guint i = 0; i < n; i++)
    g_assert_cmpstr (metadata[i].value, ==, json_object_get_string_member (expected, metadata[i].key));
}

static void
assert_file (PlTrace *trace, JsonObject *facts)
{
  const PlTraceFile *file = test_trace_get_file (trace, 0);

  g_assert_no_error (file->error);
  g_assert_true (json_object_get_null_member (facts, "error"));
  g_assert_cmpuint (file->size_bytes, ==, get (facts, "disk_bytes"));
  g_assert_cmpuint (file->raw_bytes, ==, get (facts, "raw_bytes"));
  g_assert_cmpuint (file->n_batches, ==, get (facts, "headers"));
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, (gint64) get (facts, "first_ns"));
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, (gint64) get (facts, "last_ns"));
}

static void
test_facts (gconstpointer data)
{
  const Case *self = data;
  const char *const paths[] = { self->path, NULL };
  g_autoptr(PlTrace) trace = test_trace_load_paths (paths, 2);

  assert_polls (trace, self->facts);
  assert_workers (trace, json_object_get_array_member (self->facts, "workers"));
  g_assert_cmpuint (pl_trace_get_n_outliers (trace), ==, 0);
  if (!json_object_has_member (self->facts, "event_count"))
    return;
  assert_file (trace, self->facts);
  assert_events (trace, self->facts);
  assert_metadata (trace, json_object_get_object_member (self->facts, "meta"));
}

static void
test_no_facts (void)
{
  g_test_skip ("the shared traces are not here");
}

static void
add_case (const char *group, const char *directory, const char *line)
{
  g_autoptr(JsonParser) parser = json_parser_new ();
  g_autoptr(GError) error = NULL;
  g_autofree char *name = NULL;
  Case *self = g_new0 (Case, 1);

  json_parser_load_from_data (parser, line, -1, &error);
  g_assert_no_error (error);
  self->facts = json_object_ref (json_node_get_object (json_parser_get_root (parser)));
  self->path = g_build_filename (directory, json_object_get_string_member (self->facts, "path"), NULL);
  name = g_strdup_printf ("/trace/facts/%s/%s", group, json_object_get_string_member (self->facts, "path"));
  g_test_add_data_func_full (name, self, test_facts, case_free);
}

/* Returns whether there is a facts.jsonl in @directory. */
static gboolean
add_cases (const char *group, const char *directory)
{
  g_autofree char *path = g_build_filename (directory, "facts.jsonl", NULL);
  g_autofree char *text = NULL;
  g_auto(GStrv) lines = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++)
    if (*lines[i] != '\0')
      add_case (group, directory, lines[i]);
  return TRUE;
}

int
main (int argc, char **argv)
{
  g_autofree char *shared = g_build_filename (g_getenv ("PARKLANE_TEST_SHARED"), "traces", NULL);

  g_test_init (&argc, &argv, NULL);
  g_assert_true (add_cases ("own", g_getenv ("PARKLANE_TEST_DATA")));
  if (!add_cases ("shared", shared))
    g_test_add_func ("/trace/facts/shared", test_no_facts);
  return g_test_run ();
}
