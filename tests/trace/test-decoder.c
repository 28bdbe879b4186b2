/* test-decoder.c: every frame and field type of the format, and what may be odd about them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include <string.h>

#include "pl-trace-error.h"
#include "test-examples.h"
#include "test-trace.h"

#define NO_FIELDS ((const char *const[]) { NULL })


static PlTrace *
load_hex (const char *digits)
{
  g_autoptr(TestTrace) bytes = test_trace_new_empty ();

  test_trace_hex (bytes, digits);
  return test_trace_load (bytes);
}

static void
assert_two_batches (PlTrace *trace)
{
  const PlLane *lane = pl_trace_find_lane (trace, 3, NULL);
  PlPoll poll;

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_get_file (trace, 0)->n_batches, ==, 2);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 5);
  g_assert_cmpuint (test_trace_count (trace, "S"), ==, 3);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1000000000);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, 1033594431);
  g_assert_cmpuint (pl_trace_get_n_lanes (trace), ==, 1);
  g_assert_true (pl_lane_next_poll (lane, 0, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 1000000000);
  g_assert_cmpint (poll.duration_ns, ==, 50000);
  g_assert_cmpuint (poll.task_id, ==, 300);
  g_assert_cmpuint (poll.local_queue, ==, 2);
  g_assert_cmpstr (pl_trace_get_string (trace, poll.spawn_loc), ==, "a.rs:7:5");
}

static void
test_example_of_two_batches (void)
{
  g_autoptr(PlTrace) trace = load_hex (TEST_EXAMPLE_TWO_BATCHES);

  g_assert_cmpuint (test_trace_get_file (trace, 0)->raw_bytes, ==, 299);
  assert_two_batches (trace);
}

static void
test_example_with_annotations (void)
{
  g_autoptr(PlTrace) trace = load_hex (TEST_EXAMPLE_TWO_BATCHES TEST_EXAMPLE_ANNOTATION);

  g_assert_cmpuint (test_trace_get_file (trace, 0)->raw_bytes, ==, 299 + 28);
  assert_two_batches (trace);
}

static void
test_example_of_every_field_type (void)
{
  g_autoptr(PlTrace) trace = load_hex (TEST_EXAMPLE_ALL_TYPES);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_get_file (trace, 0)->raw_bytes, ==, 247);
  g_assert_cmpuint (test_trace_count (trace, "All"), ==, 1);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 5);
}

/* An annotation for a type that the batch does not have, its id beyond 16 bits. */
static void
test_annotation_of_an_unknown_type_is_dropped (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_hex (bytes, "06 818004 0100 0000 0100 6b 01000000 76");
  test_trace_custom (bytes, "After", 1000);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "After"), ==, 1);
}

static void
test_same_schema_again (void)
{
  const char *const fields[] = { "a" };
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, 300, "S", fields, "\x09");
  test_trace_schema (bytes, 300, "S", fields, "\x09");
  /* Upstream refuses it behind an annotation; the definition is the same. */
  test_trace_hex (bytes, "06 ac02 0100 0000 0400 756e6974 02000000 6e73");
  test_trace_schema (bytes, 300, "S", fields, "\x09");
  test_trace_event (bytes, 300, 1000);
  test_trace_varint (bytes, 7);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "S"), ==, 1);
}

static void
test_one_name_under_two_ids (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, 300, "S", NO_FIELDS, "");
  test_trace_schema (bytes, 301, "S", (const char *const[]) { "a" }, "\x0b");
  test_trace_event (bytes, 300, 1000);
  test_trace_event (bytes, 301, 1001);
  test_trace_u8 (bytes, 1);
  /* And the id of the first anew in the next batch, with other fields. */
  test_trace_header (bytes);
  test_trace_schema (bytes, 300, "S", (const char *const[]) { "b" }, "\x0c");
  test_trace_event (bytes, 300, 1002);
  test_trace_u16 (bytes, 1);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "S"), ==, 3);
}

static void
test_schema_conflict (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gsize fault;

  test_trace_schema (bytes, 300, "S", NO_FIELDS, "");
  test_trace_event (bytes, 300, 1000);
  fault = test_trace_get_size (bytes);
  test_trace_schema (bytes, 300, "S", (const char *const[]) { "a" }, "\x0b");
  test_trace_event (bytes, 300, 1000);
  trace = test_trace_load (bytes);

  test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
  g_assert_cmpuint (test_trace_count (trace, "S"), ==, 1);
}

static void
test_unknown_type_id (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gsize fault;

  test_trace_custom (bytes, "Before", 1000);
  fault = test_trace_get_size (bytes);
  test_trace_event (bytes, 4711, 1000);
  trace = test_trace_load (bytes);

  test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
  g_assert_nonnull (strstr (test_trace_get_file (trace, 0)->error->message, "4711"));
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 1);
}

/* A schema is forgotten at the next header. */
static void
test_header_forgets_schemas_and_strings (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gsize fault;

  test_trace_poll (bytes, 0, 1, "a.rs:1:1", 1000, 10);
  test_trace_header (bytes);
  test_trace_schema (bytes, 0, "PollStartEvent",
                     (const char *const[]) { "worker_id", "local_queue", "task_id", "spawn_loc" },
                     "\x09\x0b\x09\x07");
  test_trace_event (bytes, 0, 2000);
  test_trace_hex (bytes, "00 00 02 00000000");
  fault = test_trace_get_size (bytes);
  test_trace_event (bytes, 1, 2010);
  trace = test_trace_load (bytes);

  test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
  g_assert_cmpuint (test_trace_count (trace, "PollStartEvent"), ==, 2);
  g_assert_cmpuint (pl_trace_get_poll_totals (trace)->n_open, ==, 1);
}

static void
test_unknown_tag (void)
{
  static const guint8 tags[] = { 0x00, 0x07, 0x53, 0x55, 0xff };

  for (gsize i = 0; i < G_N_ELEMENTS (tags); i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;
      g_autofree char *name = g_strdup_printf ("0x%02x", tags[i]);
      gsize fault;

      test_trace_custom (bytes, "Before", 1000);
      fault = test_trace_get_size (bytes);
      test_trace_u8 (bytes, tags[i]);
      test_trace_custom (bytes, "After", 1000);
      trace = test_trace_load (bytes);

      test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
      g_assert_nonnull (strstr (test_trace_get_file (trace, 0)->error->message, name));
      g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 1);
    }
}

static void
test_unknown_field_type (void)
{
  static const char *const types[] = { "\x10", "\x7f", "\x90", "\x80" };

  for (gsize i = 0; i < G_N_ELEMENTS (types); i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;

      test_trace_schema (bytes, 300, "S", (const char *const[]) { "a" }, types[i]);
      trace = test_trace_load (bytes);

      test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, 5);
    }
}

static void
test_version_2 (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) first = load_hex ("54524300 02 05 0100000000000000");
  g_autoptr(PlTrace) later = NULL;

  test_trace_custom (bytes, "Before", 1000);
  test_trace_hex (bytes, "54524300 02");
  later = test_trace_load (bytes);

  g_assert_error (test_trace_get_file (first, 0)->error, PL_TRACE_ERROR, PL_TRACE_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (test_trace_get_file (first, 0)->error->message, "version 2"));
  test_trace_assert_fault (later, PL_TRACE_ERROR_UNSUPPORTED, test_trace_get_size (bytes) - 5);
  g_assert_cmpuint (pl_trace_get_n_events (later), ==, 1);
}

static void
test_headers_alone_are_legal (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_header (bytes);
  test_trace_custom (bytes, "S", 1000);
  test_trace_header (bytes);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_get_file (trace, 0)->n_batches, ==, 3);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 1);
}

static void
test_varint_beyond_64_bits (void)
{
  static const char *const numbers[] = {
    "80 80 80 80 80 80 80 80 80 80 00", /* 11 bytes */
    "ff ff ff ff ff ff ff ff ff 02",    /* bit 64 */
    "ff ff ff ff ff ff ff ff ff 7f",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autoptr(TestTrace) bytes = test_trace_new ();
      g_autoptr(PlTrace) trace = NULL;
      gsize fault;

      test_trace_schema (bytes, 300, "S", (const char *const[]) { "a" }, "\x09");
      test_trace_reset (bytes, 1000);
      fault = test_trace_get_size (bytes);
      test_trace_event (bytes, 300, 1000);
      test_trace_hex (bytes, numbers[i]);
      test_trace_custom (bytes, "After", 1000);
      trace = test_trace_load (bytes);

      test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
      g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 0);
    }
}

static void
test_time_overflow (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gsize fault;

  test_trace_schema (bytes, 300, "S", NO_FIELDS, "");
  test_trace_reset (bytes, G_MAXUINT64 - 1);
  test_trace_hex (bytes, "02 2c01 010000"); /* just fits */
  fault = test_trace_get_size (bytes);
  test_trace_hex (bytes, "02 2c01 010000");
  trace = test_trace_load (bytes);

  test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
  g_assert_cmpuint (pl_trace_get_n_events (trace), ==, 1);
}

static void
test_largest_delta_fits (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, 300, "S", NO_FIELDS, "");
  test_trace_reset (bytes, 1000);
  test_trace_hex (bytes, "02 2c01 ffffff 02 2c01 ffffff");
  trace = test_trace_load (bytes);

  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1000 + 16777215);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, 1000 + 2 * 16777215);
}

static void
test_event_without_timestamp_leaves_the_time (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_hex (bytes, "01 2c01 0100 54 00 0100 0100 61 0b");
  test_trace_schema (bytes, 301, "S", NO_FIELDS, "");
  test_trace_event (bytes, 301, 1000);
  test_trace_hex (bytes, "02 2c01 07");
  test_trace_hex (bytes, "02 2d01 0a0000");
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "T"), ==, 1);
  g_assert_cmpint (pl_trace_get_start_ns (trace), ==, 1000);
  g_assert_cmpint (pl_trace_get_end_ns (trace), ==, 1010);
}

/* @depth lists in each other, the innermost with @n_inner truths in it. */
static PlTrace *
load_nested (guint depth, guint n_inner, gsize *out_fault)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();

  test_trace_schema (bytes, 300, "S", (const char *const[]) { "l" }, "\x0e");
  test_trace_reset (bytes, 1000);
  *out_fault = test_trace_get_size (bytes);
  test_trace_event (bytes, 300, 1000);
  for (guint i = 1; i < depth; i++)
    test_trace_hex (bytes, "01000000 0e");
  test_trace_u32 (bytes, n_inner);
  for (guint i = 0; i < n_inner; i++)
    test_trace_hex (bytes, "03 01");
  return test_trace_load (bytes);
}

/* A value may have 32 lists around it, and that value may be a list, if it holds nothing: so does dial9. */
static void
test_nesting (void)
{
  static const struct { guint depth; guint n_inner; gboolean is_sound; } table[] = {
    { 32, 0, TRUE }, { 32, 3, TRUE }, { 33, 0, TRUE }, { 33, 1, FALSE }, { 34, 0, FALSE }, { 1000000, 0, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (table); i++)
    {
      gsize fault;
      g_autoptr(PlTrace) trace = load_nested (table[i].depth, table[i].n_inner, &fault);

      g_assert_cmpuint (test_trace_count (trace, "S"), ==, table[i].is_sound);
      if (table[i].is_sound)
        g_assert_false (pl_trace_has_losses (trace));
      else
        test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
    }
}

static void
test_optional_code_in_a_container (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;
  gsize fault;

  test_trace_schema (bytes, 300, "S", (const char *const[]) { "l" }, "\x0e");
  test_trace_reset (bytes, 1000);
  fault = test_trace_get_size (bytes);
  test_trace_event (bytes, 300, 1000);
  test_trace_hex (bytes, "01000000 89 01 07");
  trace = test_trace_load (bytes);

  test_trace_assert_fault (trace, PL_TRACE_ERROR_CORRUPT, fault);
}

static void
test_optional_fields (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_schema (bytes, 300, "S", (const char *const[]) { "a", "b" }, "\x8d\x84");
  test_trace_event (bytes, 300, 1000);
  test_trace_hex (bytes, "00 00");
  test_trace_event (bytes, 300, 1001);
  test_trace_hex (bytes, "01 00000000 00");
  test_trace_event (bytes, 300, 1002);
  test_trace_hex (bytes, "00 02 01000000 78"); /* any presence byte but 0 means present */
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "S"), ==, 3);
}

static void
test_pool_frame_of_many_entries_and_none (void)
{
  g_autoptr(TestTrace) bytes = test_trace_new ();
  g_autoptr(PlTrace) trace = NULL;

  test_trace_hex (bytes, "03 00000000 04 00000000");
  test_trace_hex (bytes, "03 02000000 07000000 01000000 61 ffffffff 00000000");
  test_trace_hex (bytes, "04 02000000 00000000 00000000 01000000 01000000 1122334455667788");
  test_trace_custom (bytes, "S", 1000);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_cmpuint (test_trace_count (trace, "S"), ==, 1);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/decoder/example-of-two-batches", test_example_of_two_batches);
  g_test_add_func ("/trace/decoder/example-with-annotations", test_example_with_annotations);
  g_test_add_func ("/trace/decoder/example-of-every-field-type", test_example_of_every_field_type);
  g_test_add_func ("/trace/decoder/annotation-of-an-unknown-type-is-dropped",
                   test_annotation_of_an_unknown_type_is_dropped);
  g_test_add_func ("/trace/decoder/same-schema-again-is-allowed", test_same_schema_again);
  g_test_add_func ("/trace/decoder/one-name-may-have-two-ids", test_one_name_under_two_ids);
  g_test_add_func ("/trace/decoder/schema-conflict-is-a-fault", test_schema_conflict);
  g_test_add_func ("/trace/decoder/unknown-type-id-is-a-fault", test_unknown_type_id);
  g_test_add_func ("/trace/decoder/header-forgets-schemas-and-strings", test_header_forgets_schemas_and_strings);
  g_test_add_func ("/trace/decoder/unknown-tag-is-a-fault-and-named", test_unknown_tag);
  g_test_add_func ("/trace/decoder/unknown-field-type-is-a-fault", test_unknown_field_type);
  g_test_add_func ("/trace/decoder/version-2-is-refused-by-name", test_version_2);
  g_test_add_func ("/trace/decoder/headers-alone-are-legal", test_headers_alone_are_legal);
  g_test_add_func ("/trace/decoder/varint-beyond-64-bits-is-a-fault", test_varint_beyond_64_bits);
  g_test_add_func ("/trace/decoder/time-overflow-is-a-fault", test_time_overflow);
  g_test_add_func ("/trace/decoder/largest-delta-fits", test_largest_delta_fits);
  g_test_add_func ("/trace/decoder/event-without-timestamp-leaves-the-time",
                   test_event_without_timestamp_leaves_the_time);
  g_test_add_func ("/trace/decoder/nesting-over-32-is-a-fault", test_nesting);
  g_test_add_func ("/trace/decoder/optional-code-in-a-container-is-a-fault", test_optional_code_in_a_container);
  g_test_add_func ("/trace/decoder/optional-fields-may-be-absent", test_optional_fields);
  g_test_add_func ("/trace/decoder/pool-frame-of-many-entries-and-none", test_pool_frame_of_many_entries_and_none);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
