/* test-own-events.c: tests of how the engine reads what our own recorder writes
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <glib.h>

#include "encoder-private.h"
#include "pl-schema.h"
#include "pl-wire.h"
#include "schemas.h"
#include "test-trace.h"

static PlSchema *
parse_schema (PlSchemas *schemas, unsigned type)
{
  PlrEncoder *encoder = plr_encoder_new ();
  g_autofree guint8 *bytes = NULL;
  PlSchema *schema = NULL;
  guint16 type_id = 0;
  PlWire wire;
  gsize size;

  plr_encoder_write_schema (encoder, type);
  size = plr_encoder_get_size (encoder);
  bytes = g_malloc0 (size + PL_WIRE_PADDING);
  memcpy (bytes, plr_encoder_get_data (encoder), size);
  plr_encoder_free (encoder);

  wire = (PlWire) { bytes + 1, bytes + size };
  g_assert_cmpint (pl_schemas_parse (schemas, &wire, &type_id, &schema), ==, PL_WIRE_OK);
  g_assert_cmpuint (type_id, ==, type);
  return schema;
}

static void
test_frequent_ones_have_a_layout (void)
{
  static const struct { unsigned type; PlEventKind kind; PlLayout layout; } expected[] = {
    { PLR_TYPE_POLL_START, PL_EVENT_POLL_START, PL_LAYOUT_POLL_START_OURS },
    { PLR_TYPE_POLL_END, PL_EVENT_POLL_END, PL_LAYOUT_POLL_END },
    { PLR_TYPE_PARK, PL_EVENT_PARK, PL_LAYOUT_PARK_OURS },
    { PLR_TYPE_UNPARK, PL_EVENT_UNPARK, PL_LAYOUT_UNPARK_OURS },
  };
  PlSchemas *schemas = pl_schemas_new ();

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      const PlSchema *schema = parse_schema (schemas, expected[i].type);

      g_assert_cmpint (schema->kind, ==, expected[i].kind);
      g_assert_cmpint (schema->layout, ==, expected[i].layout);
    }
  pl_schemas_free (schemas);
}

/* A segment whose predecessor is gone: of three workers one polls since before, one is parked since before, and one begins
 * both there. */
static void
test_what_is_open_when_a_batch_begins (void)
{
  static const struct { gint64 at_ns; PlrEventKind kind; guint worker; } events[] = {
    { 1000, PLR_EVENT_POLL_START, 0 }, { 1001, PLR_EVENT_PARK, 1 },    { 1002, PLR_EVENT_PARK, 2 },
    { 1003, PLR_EVENT_UNPARK, 2 },     { 5000, PLR_EVENT_NONE, 0 },    { 5001, PLR_EVENT_POLL_START, 2 },
    { 5101, PLR_EVENT_POLL_END, 2 },   { 5200, PLR_EVENT_PARK, 2 },    { 6000, PLR_EVENT_UNPARK, 1 },
    { 6500, PLR_EVENT_POLL_END, 0 },   { 7200, PLR_EVENT_UNPARK, 2 },
  };
  g_autoptr(TestTrace) bytes = test_trace_new_empty ();
  PlrEncoder *encoder = plr_encoder_new ();
  g_autoptr(PlTrace) trace = NULL;
  PlLaneSlice slice;
  PlPoll poll;

  plr_encoder_begin_batch (encoder);
  for (guint i = 0; i < G_N_ELEMENTS (events); i++)
    {
      if (events[i].kind == PLR_EVENT_NONE)
        {
          plr_encoder_reset_buffer (encoder);
          plr_encoder_begin_events (encoder, G_MAXUINT64, PLR_ENCODER_BUFFER);
          continue;
        }
      plr_encoder_event (encoder, &(PlrEvent) { .time_ns = (guint64) events[i].at_ns,
                                                .word = plr_event_word (events[i].kind, 0, events[i].worker, 0),
                                                .payload = 7,
                                                .tid = events[i].worker + 1 });
    }
  test_trace_bytes (bytes, plr_encoder_get_data (encoder), plr_encoder_get_size (encoder));
  plr_encoder_free (encoder);
  trace = test_trace_load (bytes);

  g_assert_false (pl_trace_has_losses (trace));
  g_assert_true (pl_lane_next_poll (pl_trace_find_lane (trace, 0, NULL), 0, 0, &poll));
  g_assert_cmpint (poll.start_ns, ==, 1000);
  g_assert_cmpint (poll.duration_ns, ==, 5500);
  pl_lane_get_slice (pl_trace_find_lane (trace, 1, NULL), 0, 10000, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 4999);
  pl_lane_get_slice (pl_trace_find_lane (trace, 2, NULL), 0, 10000, &slice);
  g_assert_cmpint (slice.parked_ns, ==, 2000);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/own-events/frequent-ones-have-a-layout", test_frequent_ones_have_a_layout);
  g_test_add_func ("/trace/own-events/what-is-open-when-a-batch-begins", test_what_is_open_when_a_batch_begins);
  status = g_test_run ();
  test_trace_cleanup ();
  return status;
}
