/* pl-editor.c: a place in the source, in the person's editor
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The command is the person's, the place the trace's, whom nobody trusts: no shell sees it, it stays within the argument
 * it is put into, and it begins with a slash, so that it is no option.
 */
#include "config.h"

#include "pl-editor.h"

#include <glib/gi18n.h>

#include "pl-settings.h"

typedef struct
{
  char *file;
  char *line;
  char *column;
} Place;

static void
place_clear (Place *self)
{
  g_free (self->file);
  g_free (self->line);
  g_free (self->column);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

/* Cuts ":NUMBER" off the end of @text. */
static char *
take_number (char *text)
{
  char *colon = strrchr (text, ':');
  char *number;

  if (colon == NULL || colon[1] == '\0' || strspn (colon + 1, "0123456789") != strlen (colon + 1))
    return NULL;
  number = g_strdup (colon + 1);
  *colon = '\0';
  return number;
}

static void
read_place (const char *location,
            const char *source_folder,
            Place      *out_place)
{
  g_autofree char *text = g_strdup (location);
  char *last = take_number (text);
  char *before = last != NULL ? take_number (text) : NULL;
  const char *folder = *source_folder != '\0' ? source_folder : g_get_home_dir ();

  out_place->line = before != NULL ? before : last;
  out_place->column = before != NULL ? last : NULL;
  out_place->file = g_canonicalize_filename (text, folder);
}

static char *
fill_in (const char  *argument,
         const Place *place)
{
  g_autoptr(GString) filled = g_string_new (NULL);

  for (const char *p = argument; *p != '\0'; p++)
    {
      if (*p != '%' || strchr ("flc%", p[1]) == NULL || p[1] == '\0')
        {
          g_string_append_c (filled, *p);
          continue;
        }
      p++;
      if (*p == 'f')
        g_string_append (filled, place->file);
      else if (*p == 'l')
        g_string_append (filled, place->line != NULL ? place->line : "1");
      else if (*p == 'c')
        g_string_append (filled, place->column != NULL ? place->column : "1");
      else
        g_string_append_c (filled, '%');
    }
  return g_string_free (g_steal_pointer (&filled), FALSE);
}

/**
 * pl_editor_make_argv:
 * @command: program and arguments, quoted as for a shell; %f, %l and %c stand for file, line and column
 * @source_folder: where relative places count from; empty for the home folder
 * @location: "FILE:LINE:COLUMN", "FILE:LINE" or "FILE"
 * @error: %G_SHELL_ERROR when @command is no command
 *
 * Puts @location into @command. Where @command has no %f the file becomes the last argument.
 *
 * Returns: (transfer full) (nullable): program and arguments
 */
char **
pl_editor_make_argv (const char  *command,
                     const char  *source_folder,
                     const char  *location,
                     GError     **error)
{
  g_auto(Place) place = { 0 };
  g_autoptr(GStrvBuilder) argv = g_strv_builder_new ();
  g_auto(GStrv) parts = NULL;

  if (!g_shell_parse_argv (command, NULL, &parts, error))
    return NULL;

  read_place (location, source_folder, &place);
  for (guint i = 0; parts[i] != NULL; i++)
    {
      g_autofree char *filled = fill_in (parts[i], &place);

      g_strv_builder_add (argv, filled);
    }
  if (strstr (command, "%f") == NULL)
    g_strv_builder_add (argv, place.file);
  return g_strv_builder_end (argv);
}

/**
 * pl_editor_open:
 * @location: a place in the source, as a trace tells it
 * @error: %G_SHELL_ERROR or %G_SPAWN_ERROR
 *
 * Starts the editor of the preferences at @location, and does not wait for it.
 *
 * Returns: whether it was started
 */
gboolean
pl_editor_open (const char  *location,
                GError     **error)
{
  g_autofree char *command = NULL;
  g_autofree char *source_folder = NULL;
  g_auto(GStrv) argv = NULL;

  g_object_get (pl_settings_get_default (), "editor-command", &command, "source-folder", &source_folder, NULL);
  argv = pl_editor_make_argv (command, source_folder, location, error);
  return argv != NULL && g_spawn_async (NULL, argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, error);
}
