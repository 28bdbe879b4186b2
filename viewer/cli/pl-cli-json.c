/* pl-cli-json.c: JSON on stdout
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A document is built as a tree, which takes a kilobyte a row. Of rows that come by the million the tree holds an empty
 * array alone, and they are printed into its place one after the other.
 */
#include "config.h"

#include "pl-cli-json.h"

#include <string.h>

/* So much text is printed at a time. */
#define CHUNK_BYTES 65536

static char *
generate (JsonNode *root)
{
  g_autoptr(JsonGenerator) generator = json_generator_new ();

  json_generator_set_root (generator, root);
  return json_generator_to_data (generator, NULL);
}

/**
 * pl_cli_print_json:
 * @builder: holds one complete value
 *
 * Prints it on one line of stdout.
 */
void
pl_cli_print_json (JsonBuilder *builder)
{
  g_autoptr(JsonNode) root = json_builder_get_root (builder);
  g_autofree char *text = generate (root);

  g_print ("%s\n", text);
}

/**
 * pl_cli_print_json_rows:
 * @builder: holds one complete object, which has an empty array as a member @name
 * @name: printable, and no member of that name comes before it
 * @n: how many rows
 * @func: says each of them
 *
 * Prints the object with the rows in that array on one line of stdout; what memory it takes does not depend on @n.
 */
void
pl_cli_print_json_rows (JsonBuilder *builder, const char *name, guint n, PlCliRowFunc func, gpointer user_data)
{
  g_autoptr(JsonNode) root = json_builder_get_root (builder);
  g_autofree char *document = generate (root);
  /* Within a string of the document a quote has a backslash before it, so this can only be the member. */
  g_autofree char *member = g_strdup_printf ("\"%s\":[", name);
  const char *array = strstr (document, member);
  g_autoptr(GString) text = g_string_new (NULL);

  g_return_if_fail (array != NULL);
  array += strlen (member);
  g_string_append_len (text, document, array - document);
  for (guint i = 0; i < n; i++)
    {
      if (i > 0)
        g_string_append_c (text, ',');
      func (text, i, user_data);
      if (text->len < CHUNK_BYTES)
        continue;
      g_print ("%s", text->str);
      g_string_truncate (text, 0);
    }
  g_string_append (text, array);
  g_print ("%s\n", text->str);
}

/**
 * pl_cli_quote_json:
 * @string: valid UTF-8
 *
 * Returns: (transfer full): it as a JSON string, in quotes
 */
char *
pl_cli_quote_json (const char *string)
{
  g_autoptr(JsonNode) node = json_node_init_string (json_node_alloc (), string);

  return generate (node);
}
