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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/own-events/frequent-ones-have-a-layout", test_frequent_ones_have_a_layout);
  return g_test_run ();
}
