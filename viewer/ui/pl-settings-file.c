/* pl-settings-file.c: a file that settings are kept in
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A file of our own, and not whatever backend the session has: it is there with and without a settings daemon, a session
 * bus or a sandbox, so that nothing that was set is lost where one of them is missing. GLib would take a file that it
 * cannot read for an empty one and write over it; such a file is set aside first.
 */
#include "config.h"

#include "pl-settings-file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#define GROUP "settings"

static GKeyFile *
load (const char  *path,
      GError     **error)
{
  g_autoptr(GKeyFile) file = g_key_file_new ();
  g_autofree char *content = NULL;
  gsize length;

  /* To open something else could wait for ever. */
  if (g_file_test (path, G_FILE_TEST_EXISTS) && !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    {
      g_set_error_literal (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_PARSE, _("it is no regular file"));
      return NULL;
    }
  if (!g_file_get_contents (path, &content, &length, error))
    return NULL;
  /* Zeros, which a crash of the system can leave, would pass for nothing at all. */
  if (!g_utf8_validate_len (content, length, NULL))
    {
      g_set_error_literal (error, G_KEY_FILE_ERROR, G_KEY_FILE_ERROR_UNKNOWN_ENCODING, _("it is no text"));
      return NULL;
    }
  if (!g_key_file_load_from_data (file, content, length, G_KEY_FILE_KEEP_COMMENTS, error))
    return NULL;
  return g_steal_pointer (&file);
}

static gboolean
is_valid (GSettingsSchema *schema,
          const char      *name,
          const char      *text)
{
  g_autoptr(GSettingsSchemaKey) key = g_settings_schema_get_key (schema, name);
  g_autoptr(GVariant) value = g_variant_parse (g_settings_schema_key_get_value_type (key), text, NULL, NULL, NULL);

  return value != NULL && g_settings_schema_key_range_check (key, value);
}

/* Takes out what means nothing, and returns the names of it, or NULL. Keys of other versions are left in peace. */
static char *
take_out_invalid (GKeyFile        *file,
                  GSettingsSchema *schema)
{
  g_auto(GStrv) names = g_settings_schema_list_keys (schema);
  g_autoptr(GString) taken = g_string_new (NULL);

  for (guint i = 0; names[i] != NULL; i++)
    {
      g_autofree char *text = g_key_file_get_value (file, GROUP, names[i], NULL);

      if (text == NULL || is_valid (schema, names[i], text))
        continue;
      g_key_file_remove_key (file, GROUP, names[i], NULL);
      g_string_append_printf (taken, "%s%s", taken->len > 0 ? ", " : "", names[i]);
    }
  return taken->len > 0 ? g_string_free (g_steal_pointer (&taken), FALSE) : NULL;
}

/* Makes room for a new file at @path: returns how that went, in words. */
static char *
set_aside (const char *path,
           const char *reason,
           gboolean   *out_done)
{
  g_autofree char *aside = g_strconcat (path, ".broken", NULL);

  *out_done = g_rename (path, aside) == 0;
  if (!*out_done)
    /* Translators: path of a file, and why it cannot be used */
    return g_strdup_printf (_("Settings will be forgotten at the end: %s cannot be read (%s), nor moved out of the way"),
                            path, reason);
  /* Translators: path of a file, why it cannot be used, and what it is called now */
  return g_strdup_printf (_("Some settings start afresh: %s could not be read (%s); it is kept as %s"), path, reason,
                          aside);
}

/* Returns whether the file may be used now. */
static gboolean
mend (const char       *path,
      GSettingsSchema  *schema,
      char            **out_complaint)
{
  g_autoptr(GError) error = NULL;
  g_autoptr(GKeyFile) file = load (path, &error);
  g_autofree char *invalid = NULL;
  gboolean is_aside;

  if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    return TRUE;
  if (file == NULL)
    {
      *out_complaint = set_aside (path, error->message, &is_aside);
      return is_aside;
    }

  invalid = take_out_invalid (file, schema);
  if (invalid == NULL)
    return TRUE;
  *out_complaint = set_aside (path, invalid, &is_aside);
  if (is_aside && !g_key_file_save_to_file (file, path, &error))
    g_debug ("%s", error->message); /* then all of them start afresh, which is what the complaint says */
  return is_aside;
}

/**
 * pl_settings_file_open:
 * @path: of the file; it and its folder are made when something is set
 * @schema: what is kept in it, with a path of its own
 * @out_complaint: (out) (transfer full) (nullable): what had to be done to the file, as a sentence for people
 *
 * Opens a file of settings. One that cannot be read is renamed to "….broken" and a new one begun; of one with values
 * that @schema does not allow the others are kept. Where neither works, settings last as long as the program.
 *
 * Returns: (transfer full): where GSettings keeps them
 */
GSettingsBackend *
pl_settings_file_open (const char       *path,
                       GSettingsSchema  *schema,
                       char            **out_complaint)
{
  *out_complaint = NULL;
  if (!mend (path, schema, out_complaint))
    return g_memory_settings_backend_new ();
  return g_keyfile_settings_backend_new (path, g_settings_schema_get_path (schema), GROUP);
}
