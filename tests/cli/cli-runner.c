/* cli-runner.c: runs parklane-cli and looks at what it printed
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "config.h"

#include "cli-runner.h"

#include <string.h>
#include <sys/wait.h>

/* The path of a program of the build. */
char *
cli_get_program (const char *in_build_dir)
{
  return g_build_filename (g_getenv ("PARKLANE_BUILD_DIR"), in_build_dir, NULL);
}

#ifdef __has_feature
#if __has_feature (address_sanitizer) || __has_feature (thread_sanitizer)
#define IS_SANITIZED TRUE
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED TRUE
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED FALSE
#endif

gboolean
cli_is_sanitized (void)
{
  return IS_SANITIZED;
}

CliRun *
cli_run_argv (const char *const *arguments)
{
  g_autofree char *program = cli_get_program ("viewer/cli/parklane-cli");
  g_autoptr(GPtrArray) argv = g_ptr_array_new ();
  g_autoptr(GError) error = NULL;
  CliRun *self = g_new0 (CliRun, 1);
  int status;

  g_ptr_array_add (argv, program);
  for (gsize i = 0; arguments[i] != NULL; i++)
    g_ptr_array_add (argv, (gpointer) arguments[i]);
  g_ptr_array_add (argv, NULL);

  g_spawn_sync (NULL, (char **) argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, &self->out, &self->err, &status,
                &error);
  g_assert_no_error (error);
  g_assert_true (WIFEXITED (status));
  self->status = WEXITSTATUS (status);
  self->parser = json_parser_new ();
  if (*self->out == '{' && json_parser_load_from_data (self->parser, self->out, -1, NULL))
    self->json = json_node_get_object (json_parser_get_root (self->parser));
  return self;
}

CliRun *
cli_run (const char *first, ...)
{
  g_autoptr(GPtrArray) arguments = g_ptr_array_new ();
  va_list rest;

  va_start (rest, first);
  for (const char *argument = first; argument != NULL; argument = va_arg (rest, const char *))
    g_ptr_array_add (arguments, (gpointer) argument);
  va_end (rest);
  g_ptr_array_add (arguments, NULL);
  return cli_run_argv ((const char *const *) arguments->pdata);
}

void
cli_run_free (CliRun *self)
{
  g_free (self->out);
  g_free (self->err);
  g_object_unref (self->parser);
  g_free (self);
}

static gboolean
has_type (JsonNode *node, const char *type)
{
  if (JSON_NODE_HOLDS_NULL (node))
    return type[1] == '?';
  switch (type[0])
    {
    case 'n':
      return json_node_get_value_type (node) == G_TYPE_INT64;
    case 's':
      return json_node_get_value_type (node) == G_TYPE_STRING;
    case 'o':
      return JSON_NODE_HOLDS_OBJECT (node);
    case 'a':
      return JSON_NODE_HOLDS_ARRAY (node);
    default:
      g_assert_not_reached ();
    }
}

void
cli_assert_members (JsonObject *object, const char *members)
{
  g_auto(GStrv) words = g_strsplit (members, " ", -1);

  for (gsize i = 0; words[i] != NULL; i++)
    {
      char *type = strchr (words[i], ':');

      *type++ = '\0';
      g_test_message ("%s", words[i]);
      g_assert_true (json_object_has_member (object, words[i]));
      g_assert_true (has_type (json_object_get_member (object, words[i]), type));
    }
}

/* @path: names of members, with dots between them. */
gint64
cli_get_number (JsonObject *object, const char *path)
{
  g_auto(GStrv) names = g_strsplit (path, ".", -1);

  for (gsize i = 0; names[i + 1] != NULL; i++)
    object = json_object_get_object_member (object, names[i]);
  return json_object_get_int_member (object, names[g_strv_length (names) - 1]);
}
